//! R-CHAL: verdicts and their costs, consent, the final phase.

use super::*;
use crate::analysis::Seen;
use crate::clock::ClockKind;
use crate::event::{EndReason, Verdict, WindowClose};
use crate::notation::format_rack;
use crate::options::{Consent, PointsPer};
use crate::state::{Phase, PlayStatus};

pub(super) const TWO: &[&str] = &["HORNFAM", "PASTEOB"];
pub(super) const THREE: &[&str] = &["HORNFAM", "PASTEOB", "AEINRTU"];

pub(super) fn verdict(table: &Table) -> (Verdict, Vec<String>) {
    let decided = table.last.iter().find_map(|event| match event {
        Event::Public(PublicEvent::ChallengeDecided(decided)) => Some(decided),
        _ => None,
    });
    let decided = decided.expect("a verdict was given");
    (decided.verdict, decided.bad_words.clone())
}

pub(super) fn closed_by(table: &Table) -> WindowClose {
    let closed = table.last.iter().find_map(|event| match event {
        Event::Public(PublicEvent::WindowClosed { reason, .. }) => Some(*reason),
        _ => None,
    });
    closed.expect("the window closed")
}

/// 000-C-G8b, 001-G8, 003-C1: the tiles go back, the score is undone, the turn is lost.
#[test]
fn a_successful_challenge_takes_the_play_off() {
    for kind in [
        ChallengeKind::Single,
        ChallengeKind::Double,
        ChallengeKind::FivePoint,
        ChallengeKind::TenPoint,
    ] {
        let mut table = Setup::new(TWO).challenge(kind).phonies(&["HORN"]).start();
        table.ok(A, "8F HORN");
        table.ok(B, "challenge");
        assert_eq!(verdict(&table), (Verdict::Off, vec!["HORN".to_owned()]));
        assert_eq!(
            table.last_kinds(),
            ["decided", "closed", "turn"],
            "{kind:?}"
        );
        assert_eq!((table.score(A), table.score(B)), (0, 0));
        assert_eq!(table.rack(A), "AFHMNOR");
        assert_eq!(table.on_turn(), B);
        assert!(table.state().tiles().board().is_empty());
        let TurnKind::Play {
            status, verdict, ..
        } = &table.state().history()[0].kind
        else {
            panic!("the first turn was a play");
        };
        assert_eq!(*status, PlayStatus::ChallengedOff);
        let verdict = verdict.as_deref().expect("a verdict is kept with its play");
        assert_eq!(
            (verdict.seat, verdict.bad_words.as_slice()),
            (B, &["HORN".to_owned()][..])
        );
        // 000-C-G1: the opening is still to be made.
        table.ok(B, "8G PAST");
    }
}

/// A bot knows the tiles that a lost challenge showed, until they are laid again.
#[test]
fn tiles_that_a_lost_challenge_showed_are_known() {
    let known = |table: &Table| {
        let seen = Seen::of(table.state(), B).unwrap();
        let rack = format_rack(&seen.known[0], &seen.rules.tiles);
        assert_eq!(
            seen.unknown().len() + seen.known[0].len(),
            seen.unseen().len()
        );
        (rack, seen.known[1].len())
    };
    let mut table = Setup::new(TWO)
        .challenge(ChallengeKind::Single)
        .phonies(&["HORN"])
        .start();
    assert_eq!(known(&table), (String::new(), 0));
    table.ok(A, "8F HORN");
    table.ok(B, "challenge");
    assert_eq!(known(&table), ("HORN".to_owned(), 0));
    table.ok(B, "8G PAST");
    table.ok(A, "accept");
    table.ok(A, "9G OF");
    table.ok(B, "accept");
    assert_eq!(known(&table).0, "HRN");
}

/// 000-C-G8c, 000-C-G8e, C1: the cost of a failed challenge, for each kind.
#[test]
fn a_failed_challenge_costs_what_its_kind_says() {
    // (kind, per, score of A, score of B, who is on turn afterwards)
    let check = |kind, per, scores: (i32, i32), on_turn: Seat| {
        let mut table = Setup::new(TWO)
            .challenge(kind)
            .with(|options| options.challenge.points_per = per)
            .start();
        table.ok(A, "8F HORN");
        table.ok(B, "challenge");
        assert_eq!((table.score(A), table.score(B)), scores, "{kind:?} {per:?}");
        assert_eq!(table.on_turn(), on_turn, "{kind:?}");
        assert_eq!(closed_by(&table), WindowClose::Verdict);
        assert_eq!(table.rack(A).len(), 7, "dealt when the window closed");
    };
    check(ChallengeKind::Single, PointsPer::Play, (14, 0), B);
    check(ChallengeKind::Double, PointsPer::Play, (14, 0), A);
    check(ChallengeKind::FivePoint, PointsPer::Play, (19, 0), B);
    check(ChallengeKind::FivePoint, PointsPer::Word, (19, 0), B);
    check(ChallengeKind::TenPoint, PointsPer::Play, (24, 0), B);
}

/// WESPA: points per word are paid for each word of the play.
#[test]
fn points_per_word_count_every_word() {
    let mut table = Setup::new(TWO)
        .challenge(ChallengeKind::FivePoint)
        .with(|options| options.challenge.points_per = PointsPer::Word)
        .start();
    table.ok(A, "8F HORN");
    table.ok(B, "9G PA"); // PA, OP, RA
    table.ok(A, "challenge");
    let before = 3 * 5;
    let TurnKind::Play { play, .. } = &table.state().history()[1].kind else {
        panic!("the second turn was a play");
    };
    assert_eq!(play.words.len(), 3);
    assert_eq!(table.score(B), play.score + before);
}

/// 000-C-G8e: one verdict over all words; a single bad word takes the whole play off.
#[test]
fn all_words_are_judged_together() {
    let mut table = Setup::new(TWO).phonies(&["RA"]).start();
    table.ok(A, "8F HORN");
    table.ok(B, "9G PA");
    table.ok(A, "challenge");
    assert_eq!(verdict(&table), (Verdict::Off, vec!["RA".to_owned()]));
    assert_eq!(table.rack(B), "ABEOPST");
}

/// With three or four seats the challenger loses the points, and no other score changes.
#[test]
fn with_three_seats_the_challenger_pays() {
    let mut table = Setup::new(THREE).challenge(ChallengeKind::TenPoint).start();
    table.ok(A, "8F HORN");
    table.ok(C, "challenge");
    assert_eq!([A, B, C].map(|seat| table.score(seat)), [14, 0, -10]);
    assert_eq!(table.on_turn(), B);
}

/// C1: with three seats the lost turn falls due when it comes; the seat on turn plays on.
#[test]
fn a_lost_turn_is_collected_when_it_comes() {
    let mut table = Setup::new(THREE).start();
    table.ok(A, "8F HORN");
    table.ok(C, "challenge");
    assert_eq!(verdict(&table).0, Verdict::StandsTurnLost);
    assert_eq!(table.on_turn(), B, "the seat on turn stays on turn");
    table.ok(B, "pass");
    assert_eq!(table.last_kinds(), ["passed", "lost", "turn"]);
    assert_eq!(table.on_turn(), A);
    table.ok(A, "pass");
    table.ok(B, "pass");
    assert_eq!(table.on_turn(), C, "only one turn is lost");
}

/// A challenger that is on turn loses it at once.
#[test]
fn the_seat_on_turn_loses_its_turn_at_once() {
    let mut table = Setup::new(THREE).start();
    table.ok(A, "8F HORN");
    table.ok(B, "challenge");
    assert_eq!(
        table.last_kinds(),
        ["decided", "closed", "drawn", "lost", "turn"]
    );
    assert_eq!(table.on_turn(), C);
}

/// 003-C4, C4: a play has one verdict; the first challenger is the only one.
#[test]
fn one_verdict_per_play() {
    let mut table = Setup::new(THREE).challenge(ChallengeKind::Single).start();
    table.ok(A, "8F HORN");
    table.ok(C, "challenge");
    assert_eq!(table.refused(B, "challenge"), Rejection::AlreadyChallenged);
    assert_eq!(table.refused(C, "challenge"), Rejection::AlreadyChallenged);
    assert_eq!(table.refused(A, "challenge"), Rejection::AlreadyChallenged);
}

#[test]
fn a_player_cannot_challenge_their_own_play() {
    let mut table = Setup::new(TWO).start();
    table.ok(A, "8F HORN");
    for text in ["challenge", "accept", "hold"] {
        assert_eq!(table.refused(A, text), Rejection::OwnPlay, "{text}");
    }
}

/// 000-C-G8d aside, the e-mail profile: the author may withdraw, and no lexicon is consulted.
#[test]
fn with_consent_the_author_may_withdraw() {
    let consent = || {
        Setup::new(TWO)
            .with(|options| options.challenge.consent = Consent::Asked)
            .phonies(&["HORN"])
    };
    let mut table = consent().start();
    table.ok(A, "8F HORN");
    table.ok(B, "challenge");
    assert_eq!(table.last_kinds(), ["challenge opened"]);
    let until = table.state().window().unwrap().dispute.unwrap().decide_by;
    let pending = Rejection::ChallengePending { until };
    assert_eq!(table.refused(B, "pass"), pending);
    assert_eq!(table.refused(B, "withdraw"), Rejection::NoChallengePending);
    table.ok(A, "withdraw");
    assert_eq!(verdict(&table), (Verdict::Withdrawn, Vec::new()));
    assert_eq!(table.on_turn(), B);

    let mut table = consent().start();
    table.ok(A, "8F HORN");
    table.ok(B, "challenge");
    table.ok(A, "stand");
    assert_eq!(verdict(&table).0, Verdict::Off);

    let mut table = consent().start();
    table.ok(A, "8F HORN");
    table.ok(B, "challenge");
    table.wait(30_000);
    assert_eq!(
        verdict(&table).0,
        Verdict::Off,
        "silence lets the lexicon decide"
    );
    assert_eq!(
        table.state().clocks().main_ms,
        [25 * 60_000, 25 * 60_000],
        "no clock runs while the author is asked"
    );
}

/// 003-C2: by correspondence the author has as long as a turn to withdraw, and the last play can be challenged as long.
#[test]
fn by_correspondence_consent_and_the_final_challenge_last_as_long_as_a_turn() {
    let limit_ms = 72 * 3_600_000;
    let setup = |racks| {
        Setup::new(racks)
            .with(|options| {
                options.challenge.consent = Consent::Asked;
                options.clock = ClockKind::PerMove {
                    limit_ms,
                    bank_ms: 0,
                };
            })
            .phonies(&["HORN"])
    };
    let mut table = setup(TWO).start();
    table.ok(A, "8F HORN");
    table.ok(B, "challenge");
    table.wait(limit_ms - 1);
    assert_eq!(table.last_kinds(), [""; 0], "the author is still asked");
    table.ok(A, "withdraw");
    assert_eq!(verdict(&table).0, Verdict::Withdrawn);

    let mut table = setup(TWO).start();
    table.ok(A, "8F HORN");
    table.ok(B, "challenge");
    table.wait(limit_ms);
    assert_eq!(verdict(&table).0, Verdict::Off);

    let mut table = setup(&["HORN", "QZ??"]).only("").start();
    table.ok(A, "8F HORN");
    table.wait(limit_ms - 1);
    table.ok(B, "challenge");
    assert_eq!(table.last_kinds(), ["challenge opened"]);
}

/// The clock that stood while the author was asked goes on when the play stands.
#[test]
fn with_consent_the_clock_goes_on_after_a_failed_challenge() {
    let mut table = Setup::new(TWO)
        .with(|options| options.challenge.consent = Consent::Asked)
        .challenge(ChallengeKind::Single)
        .start();
    table.ok(A, "8F HORN");
    table.ok(B, "challenge");
    table.wait(10_000);
    table.ok(A, "stand");
    let running = table.state().clocks().running;
    assert_eq!(
        running.map(|running| (running.seat, running.since)),
        Some((B, table.now))
    );
    assert_eq!(table.state().clocks().main_ms, [25 * 60_000; 2]);
}

/// R-CHAL, triple: the loser of the challenge loses the game.
#[test]
fn triple_decides_the_game() {
    for (phonies, winner) in [(&["HORN"][..], B), (&[], A)] {
        let mut table = Setup::new(TWO)
            .challenge(ChallengeKind::Triple)
            .phonies(phonies)
            .start();
        table.ok(A, "8F HORN");
        table.ok(B, "challenge");
        assert_eq!(table.outcome().reason, EndReason::TripleChallenge);
        assert_eq!(table.outcome().winners, [winner]);
    }
}

/// C2, NASPA: after an out-play the clocks stand and only commands about the play are allowed.
#[test]
fn an_out_play_waits_for_its_final_challenge() {
    let out = || Setup::new(&["HORN", "PAST"]).only("");
    let mut table = out().start();
    table.ok(A, "8F HORN");
    assert_eq!(table.state().phase(), Phase::Final);
    assert_eq!(table.state().clocks().running, None);
    assert_eq!(table.refused(B, "pass"), Rejection::FinalPhase);
    assert_eq!(table.refused(B, "H6 PA.T"), Rejection::FinalPhase);
    table.ok(B, "accept");
    // 14, and 6 on B's rack that B loses.
    assert_eq!(table.finals(), [14 + 6, -6]);
    assert_eq!(table.outcome().reason, EndReason::OutPlay);

    let mut table = out().start();
    table.ok(A, "8F HORN");
    table.wait(20_000);
    assert_eq!(
        table.outcome().reason,
        EndReason::OutPlay,
        "silence accepts"
    );
}

#[test]
fn a_failed_final_challenge_costs_nothing_more_than_points() {
    let mut table = Setup::new(&["HORN", "PAST"]).only("").start();
    table.ok(A, "8F HORN");
    table.ok(B, "challenge");
    assert_eq!(
        verdict(&table).0,
        Verdict::Stands,
        "no turn is left to lose"
    );
    assert_eq!(table.finals(), [20, -6]);

    let mut table = Setup::new(&["HORN", "PAST"])
        .challenge(ChallengeKind::FivePoint)
        .only("")
        .start();
    table.ok(A, "8F HORN");
    table.ok(B, "challenge");
    assert_eq!(table.finals(), [25, -6]);
}

#[test]
fn a_phony_out_play_goes_on() {
    let mut table = Setup::new(&["HORN", "PAST"])
        .only("")
        .phonies(&["HORN"])
        .start();
    table.ok(A, "8F HORN");
    table.ok(B, "challenge");
    assert_eq!(table.state().phase(), Phase::Running);
    assert_eq!(table.on_turn(), B);
    assert_eq!(table.rack(A), "HNOR");
    assert_eq!(table.state().clocks().running.unwrap().seat, B);
    table.ok(B, "8G PAST");
}

#[test]
fn a_hold_in_the_final_phase_runs_the_holders_clock_only() {
    let mut table = Setup::new(&["HORN", "PAST"]).only("").start();
    table.ok(A, "8F HORN");
    table.ok(B, "hold");
    table.wait(40_000);
    assert_eq!(table.state().phase(), Phase::Final);
    table.ok(B, "challenge");
    assert_eq!(
        table.outcome().clocks.main_ms,
        [25 * 60_000, 25 * 60_000 - 40_000]
    );
}
