//! Games of the rule sets that differ from the classic one: validation, endings, races, drawn boards.

use super::*;
use crate::event::EndReason;
use crate::stream::{LAYOUT_LABEL, Seed};
use std::sync::Arc;

const WORDS_WITH_FRIENDS: &str = "words-with-friends";

fn reason(table: &Table) -> EndReason {
    table.outcome().reason
}

/// Sets the scores of a worked example.
fn with_scores(table: &mut Table, scores: &[i32]) {
    let state = Arc::make_mut(&mut table.game.state);
    for (seat, score) in state.seats.iter_mut().zip(scores) {
        seat.score = *score;
    }
}

/// Hands in a command without the harness's replay, which does not know made-up scores.
fn hand_in(table: &mut Table, seat: Seat, text: &str) {
    let ctx = Context {
        lexicon: &table.lexicon,
        shuffler: Some(&table.script),
    };
    let command = Command {
        seat,
        cmd_id: format!("m{}", table.state().seq()),
        digest: 0,
        received_at: table.now,
        lag_ms: 0,
        action: table.parse(text),
    };
    let transition = table.game.handle(&ctx, table.now, Input::Command(command));
    assert!(
        transition
            .answers
            .iter()
            .all(|answer| answer.outcome.is_ok())
    );
    table.game = transition.next;
}

/// 000-W-P5, 000-W-P6: a play with a word that is not in the lexicon is refused, costs nothing, and may be tried again.
#[test]
fn bad_words_are_refused_every_time() {
    for rule_set in [WORDS_WITH_FRIENDS, "wordfeud", "email-validated"] {
        let setup = Setup::new(&["HORNFAM", "PASTEOB"]).by(rule_set);
        let mut table = setup.phonies(&["HORN"]).start();
        for _ in 0..3 {
            let rejection = table.refused(A, "8F HORN");
            assert_eq!(
                rejection,
                Rejection::InvalidWords {
                    words: vec!["HORN".to_owned()]
                }
            );
        }
        table.ok(A, "8F FARM");
        assert_eq!(table.refused(B, "challenge"), Rejection::NoChallenges);
        assert_eq!(table.on_turn(), B);
    }
}

/// 000-F5: each player receives seven of 104 tiles and refills to seven, until no tiles are left to take.
#[test]
fn wordfeud_deals_seven_of_104_tiles_and_refills() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"]).by("wordfeud").start();
    let count = |table: &Table| {
        let state = table.state();
        (state.rack_count(A), state.rack_count(B), state.bag_count())
    };
    assert_eq!(count(&table), (7, 7, 104 - 14));
    table.ok(A, "8F HORN");
    assert_eq!(count(&table), (7, 7, 104 - 14 - 4));
    let mut setup = Setup::new(&["HORNFAM", "PASTEOB"])
        .by("wordfeud")
        .only("XY");
    setup.options.all_played = false;
    let mut table = setup.start();
    table.ok(A, "8F HORN");
    assert_eq!(count(&table), (5, 7, 0));
}

/// 000-W-E1b, C10: three turns without a point end the game, but not while every score is 0.
#[test]
fn words_with_friends_ends_after_three_turns_without_a_point() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"])
        .by(WORDS_WITH_FRIENDS)
        .start();
    for seat in [A, B, A, B, A] {
        table.ok(seat, "pass");
    }
    table.ok(B, "exchange P");
    assert!(table.state().outcome().is_none(), "every score is 0");
    table.ok(A, "8F HORN");
    table.ok(B, "pass");
    table.ok(A, "exchange F");
    assert!(table.state().outcome().is_none());
    table.ok(B, "pass");
    assert_eq!(reason(&table), EndReason::ScorelessTurns);
    // Each seat loses its unplayed tiles; no seat went out.
    assert!(
        table
            .outcome()
            .results
            .iter()
            .all(|result| result.rack_points < 0)
    );
}

/// C11: in Words With Friends a play worth 0 counts as a turn without a point; elsewhere it ends the run.
#[test]
fn a_play_of_blanks_counts_where_points_count() {
    for (rule_set, ends) in [(WORDS_WITH_FRIENDS, true), ("email-validated", false)] {
        let mut table = Setup::new(&["??????", "HORNTT"])
            .by(rule_set)
            .only("TTTTTTTT")
            .with(|options| options.inactivity.limit = crate::options::TurnLimit::Total(3))
            .start();
        table.ok(A, "8G at");
        assert_eq!(table.score(A), 0);
        table.ok(B, "8G ..OR");
        assert_eq!(table.score(B), 2);
        table.ok(A, "pass");
        table.ok(B, "pass");
        table.ok(A, "7G is");
        assert_eq!(table.score(A), 0);
        assert_eq!(table.state().outcome().is_some(), ends, "{rule_set}");
    }
}

/// 000-W-E1a, 000-W-E2, 002-E3: the seat that goes out gains what the other loses; of equal scores the one that was
/// ahead before wins, though the other went out.
#[test]
fn words_with_friends_ties_by_the_score_before() {
    let setup = Setup::new(&["AT", "K?"]).by(WORDS_WITH_FRIENDS);
    let mut table = setup.only("").start();
    with_scores(&mut table, &[380, 392]);
    hand_in(&mut table, A, "8G AT");
    assert_eq!(table.finals(), [387, 387]);
    assert_eq!(table.outcome().winners, [B]);
    assert_eq!(reason(&table), EndReason::OutPlay);
}

/// 000-F15, 000-F17: three passes in a row end a Wordfeud game; a swap breaks the run.
#[test]
fn wordfeud_ends_after_three_passes() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"]).by("wordfeud").start();
    table.ok(A, "pass");
    table.ok(B, "pass");
    table.ok(A, "exchange F");
    table.ok(B, "pass");
    table.ok(A, "pass");
    assert!(table.state().outcome().is_none());
    table.ok(B, "pass");
    assert_eq!(reason(&table), EndReason::Passes);
    let racks: Vec<i32> = table
        .outcome()
        .results
        .iter()
        .map(|r| r.rack_points)
        .collect();
    assert!(racks.iter().all(|points| *points < 0), "{racks:?}");
}

/// 000-F6b, 000-F17: the end of a real game: 388 to 301, the trailing player goes out and the other holds a tile of 8.
#[test]
fn wordfeud_ends_when_a_rack_is_empty() {
    let mut table = Setup::new(&["X?", "AT"])
        .by("wordfeud")
        .with(|options| options.first = FirstPlay::Seat(B))
        .only("")
        .start();
    with_scores(&mut table, &[388, 299]);
    hand_in(&mut table, B, "8G AT");
    assert_eq!(table.finals(), [380, 309]);
    assert_eq!(table.outcome().winners, [A]);
}

/// 000-F16: a swap needs seven tiles in the bag, Words With Friends one; an exchange never draws more tiles than there are.
#[test]
fn swaps_and_the_bag() {
    for (rule_set, bag, exchange, is_fine) in [
        ("wordfeud", "AAAAAAA", "H", true),
        ("wordfeud", "AAAAAA", "H", false),
        (WORDS_WITH_FRIENDS, "A", "H", true),
        (WORDS_WITH_FRIENDS, "A", "HO", false),
        (WORDS_WITH_FRIENDS, "", "H", false),
        ("classic-nine", "AAAAAAA", "HORNFAMES", false),
        ("classic-nine", "AAAAAAA", "HORNFAM", true),
    ] {
        let racks: &[&str] = if rule_set == "classic-nine" {
            &["HORNFAMES", "PASTEOBEE"]
        } else {
            &["HORNFAM", "PASTEOB"]
        };
        let mut table = Setup::new(racks).by(rule_set).only(bag).start();
        let outcome = table.send(A, &format!("exchange {exchange}"));
        assert_eq!(
            outcome.unwrap().is_ok(),
            is_fine,
            "{rule_set} {bag} {exchange}"
        );
    }
}

/// 000-F6d, 000-F7: resignation, and silence for 72 hours, lose the game without anything else being done.
#[test]
fn wordfeud_is_lost_by_resigning_and_by_timeout() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"]).by("wordfeud").start();
    table.ok(B, "resign");
    assert_eq!(
        (reason(&table), table.outcome().winners.clone()),
        (EndReason::Resignation, vec![A])
    );

    let mut table = Setup::new(&["HORNFAM", "PASTEOB"]).by("wordfeud").start();
    table.now = table.now.plus(72 * 3_600_000 - 1);
    table.input(Input::Tick);
    assert!(table.state().outcome().is_none());
    table.now = table.now.plus(1);
    table.input(Input::Tick);
    assert_eq!(
        (reason(&table), table.outcome().winners.clone()),
        (EndReason::Time, vec![B])
    );
}

/// 000-F2, C23: the premium squares of a random board are dealt once, before anything else, from a stream of their own;
/// all seats play and score on that board.
#[test]
fn a_random_board_is_dealt_from_the_seed() {
    let setup = Setup::new(&["HORNFAM", "PASTEOB"]).by("wordfeud-random");
    let standard = setup.rules.layout.clone();
    let mut table = setup.start();
    let is_first = |event: &&Event| !matches!(event, Event::Public(PublicEvent::SeatReady { .. }));
    let first = table.last.iter().find(is_first).unwrap();
    let Event::Public(PublicEvent::BoardDrawn { layout }) = first else {
        panic!("{first:?}");
    };
    let drawn = &table.state().rules().layout;
    assert_eq!(&drawn.drawing(), layout);
    assert_ne!(drawn.drawing(), standard.drawing());
    let created = table.state().created();
    let mut stream = Seed::new(&created.secret, &created.game, &[[]; 2]).stream(LAYOUT_LABEL);
    let mut symbols: Vec<char> = standard.drawing().concat().chars().collect();
    let centre = symbols.remove(7 * 15 + 7);
    stream.shuffle(&mut symbols);
    symbols.insert(7 * 15 + 7, centre);
    assert_eq!(layout.concat(), symbols.iter().collect::<String>());
    // A play scores with the squares dealt: HORN on row 8 from F.
    let tiles = &table.state().rules().tiles;
    let mut sum = 0;
    let mut factor = 1;
    for (col, face) in (5..9).zip(["H", "O", "R", "N"]) {
        let premium = drawn.premium(crate::board::Square::new(7, col));
        sum += tiles.value(tiles.parse_tile(face).unwrap()) * premium.letter_factor();
        factor *= premium.word_factor();
    }
    table.ok(A, "8F HORN");
    assert_eq!(table.score(A), sum * factor);
}

/// 001-N1: nine tiles are dealt, and nine again after a play.
#[test]
fn nine_tiles_are_kept() {
    let mut table = Setup::new(&["HORNFAMES", "PASTEOBEE"])
        .by("classic-nine")
        .start();
    table.ok(A, "8F HORN");
    table.ok(B, "accept");
    assert_eq!(table.rack(A).len(), 9);
}

/// 004-2, 004-11: unplayed tiles count only with an empty bag.
#[test]
fn the_second_e_mail_site_counts_racks_with_an_empty_bag_only() {
    for (bag, is_counted) in [("AAA", false), ("", true)] {
        let mut table = Setup::new(&["HORN", "PAST"])
            .by("email-validated")
            .only(bag)
            .start();
        for _ in 0..3 {
            table.ok(A, "pass");
            table.ok(B, "pass");
        }
        assert_eq!(reason(&table), EndReason::ScorelessTurns);
        let racks: Vec<i32> = table
            .outcome()
            .results
            .iter()
            .map(|r| r.rack_points)
            .collect();
        assert_eq!(
            racks.iter().all(|points| *points < 0),
            is_counted,
            "{bag:?}"
        );
    }
}

/// 003-N2, 003-C1, 003-C2: with consent asked, and three passes each to the end.
#[test]
fn the_first_e_mail_site_asks_the_author() {
    let setup = Setup::new(&["HORNFAM", "PASTEOB"]).by("email-challenge");
    let mut table = setup.phonies(&["HORN"]).start();
    table.ok(A, "8F HORN");
    table.ok(B, "challenge");
    table.ok(A, "withdraw");
    assert_eq!((table.score(A), table.on_turn()), (0, B));
    for seat in [B, A, B, A, B] {
        table.ok(seat, "pass");
    }
    assert!(
        table.state().outcome().is_none(),
        "the play taken back was no pass"
    );
    table.ok(A, "pass");
    assert_eq!(reason(&table), EndReason::Passes);
}

const MIXED: &[Level] = &[Level::Beginner, Level::Expert];

/// 001-L1, 001-L2, C20: the first seat to reach its target wins at once; other points, targets and racks do not
/// matter.
#[test]
fn the_first_seat_to_reach_its_target_wins() {
    let setup = Setup::new(&["HORNFAM", "PASTEOB"]).by("classic-finish-line");
    let mut table = setup.levels(MIXED).challenge(ChallengeKind::Void).start();
    assert_eq!(
        (table.state().target(A), table.state().target(B)),
        (Some(70), Some(200))
    );
    with_scores(&mut table, &[56, 190]);
    hand_in(&mut table, A, "8F HORN");
    assert_eq!(
        (reason(&table), table.outcome().winners.clone()),
        (EndReason::Target, vec![A])
    );
    assert_eq!(table.finals(), [70, 190]);
}

/// C20: while the play can be challenged no seat comes on turn and clocks stand; a challenge that succeeds sends the
/// race on.
#[test]
fn the_end_of_a_race_is_provisional_while_a_challenge_is_possible() {
    let racing = |phonies: &'static [&'static str]| {
        let setup = Setup::new(&["HORNFAM", "PASTEOB", "AEIRSTU"]).by("classic-finish-line");
        let beginners: &[Level] = &[Level::Beginner; 3];
        let mut table = setup.levels(beginners).phonies(phonies).start();
        with_scores(&mut table, &[46, 0, 0]);
        hand_in(&mut table, A, "8F HORN");
        assert!(table.state().outcome().is_none());
        assert_eq!(table.state().turn(), None);
        assert_eq!(table.state().clocks().running, None);
        table
    };
    let mut table = racing(&["HORN"]);
    hand_in(&mut table, C, "challenge");
    assert!(table.state().outcome().is_none());
    assert_eq!((table.on_turn(), table.score(A)), (B, 46));

    let mut table = racing(&[]);
    hand_in(&mut table, B, "challenge");
    assert_eq!(
        (reason(&table), table.outcome().winners.clone()),
        (EndReason::Target, vec![A])
    );

    let mut table = racing(&[]);
    hand_in(&mut table, B, "accept");
    assert!(table.state().outcome().is_none());
    hand_in(&mut table, C, "accept");
    assert_eq!(reason(&table), EndReason::Target);

    // The author leaves: the play stands, and the race goes on among the others.
    let mut table = racing(&[]);
    hand_in(&mut table, A, "resign");
    assert!(table.state().outcome().is_none());
    assert_eq!(table.on_turn(), B);
}

/// C20, decision on points: the five points of a failed challenge count towards the target.
#[test]
fn challenge_points_can_win_a_race() {
    let setup = Setup::new(&["HORNFAM", "PASTEOB"]).by("classic-finish-line");
    let setup = setup.levels(MIXED).challenge(ChallengeKind::FivePoint);
    let mut table = setup.start();
    with_scores(&mut table, &[51, 0]);
    hand_in(&mut table, A, "8F HORN");
    assert_eq!(table.on_turn(), B, "65 of 70");
    hand_in(&mut table, B, "challenge");
    assert_eq!((reason(&table), table.score(A)), (EndReason::Target, 70));
}

/// 001-L3, C20: if no seat reaches its target, the higher share of the target wins; with equal targets that is the higher
/// score.
#[test]
fn a_race_without_a_winner_goes_to_the_higher_share() {
    for (levels, winner) in [(MIXED, A), (&[Level::Expert, Level::Expert], B)] {
        let setup = Setup::new(&["HORNFAM", "PASTEOB"]).by("classic-finish-line");
        let mut table = setup.levels(levels).start();
        with_scores(&mut table, &[60, 100]);
        for _ in 0..3 {
            hand_in(&mut table, A, "pass");
            hand_in(&mut table, B, "pass");
        }
        assert_eq!(reason(&table), EndReason::ScorelessTurns);
        assert_eq!(table.outcome().winners, [winner]);
    }
}
