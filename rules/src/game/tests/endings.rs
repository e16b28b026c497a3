//! R-END, R-TIE: out-play, scoreless turns, adjustments, ranks.

use super::*;
use crate::event::EndReason;
use crate::options::{CountedTurns, InactivityRule, TieRule, TurnLimit};
use std::sync::Arc;

/// Sets the scores of a worked example.
fn with_scores(mut table: Table, scores: &[i32]) -> Table {
    // A synthetic log: the score of a play is data, so one record for each seat gives the example's scores.
    for (seat, score) in scores.iter().enumerate() {
        Arc::make_mut(&mut table.game.state).seats[seat].score = *score;
    }
    table
}

/// Sends a command without the harness's replay, which cannot reproduce synthetic scores.
fn hand_in(table: &mut Table, seat: Seat, action: Action) {
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
        action,
    };
    let transition = table.game.handle(&ctx, table.now, Input::Command(command));
    for answer in &transition.answers {
        assert!(answer.outcome.is_ok(), "{answer:?}");
    }
    table.game = transition.next;
}

fn out_play(racks: &'static [&'static str], play: &str, scores: &[i32], phase_end: Seat) -> Table {
    let mut table = Setup::new(racks)
        .challenge(ChallengeKind::Void)
        .only("")
        .with(|options| options.first = FirstPlay::Seat(phase_end))
        .start();
    let action = table.parse(play);
    table = with_scores(table, scores);
    hand_in(&mut table, phase_end, action);
    table
}

/// 000-C-S9, 001-S9, 003-S10, 004-11: the box adjustment for two players.
#[test]
fn the_out_player_gains_what_the_other_loses() {
    // HORN through the centre scores 14: 286 + 14 = 300.
    let table = out_play(&["HORN", "QE??"], "8F HORN", &[286, 290], A);
    assert_eq!(table.finals(), [311, 279]);
    assert_eq!(table.outcome().winners, [A]);
}

/// Three players: the out player gains both racks.
#[test]
fn three_players_each_lose_their_own_rack() {
    let table = out_play(&["AE??", "QZ??", "HORN"], "8F HORN", &[150, 140, 116], C);
    assert_eq!(table.finals(), [148, 120, 152]);
    assert_eq!(table.outcome().winners, [C]);
    assert_eq!(
        table
            .outcome()
            .results
            .iter()
            .map(|r| r.rank)
            .collect::<Vec<_>>(),
        [2, 3, 1]
    );
}

/// 000-C-S10, 001-W, 003-S11, 004-11: equal final scores go to the higher score before tallying.
#[test]
fn a_tie_goes_to_the_higher_score_before_the_adjustment() {
    let table = out_play(&["HORN", "K???"], "8F HORN", &[368, 392], A);
    assert_eq!(table.finals(), [387, 387]);
    assert_eq!(table.outcome().winners, [B]);

    // The scores before the adjustment are equal as well: the players share the win.
    let mut table = Setup::new(&["AE", "AE"]).only("").start();
    for seat in [A, B, A, B, A, B] {
        table.ok(seat, "pass");
    }
    assert_eq!(table.outcome().winners, [A, B]);
    assert_eq!(table.outcome().results[1].rank, 1);
}

#[test]
fn a_tie_stands_in_a_tournament() {
    let mut table = Setup::new(&["HORN", "K???"])
        .challenge(ChallengeKind::Void)
        .only("")
        .with(|options| options.ties = TieRule::Stand)
        .start();
    let action = table.parse("8F HORN");
    table = with_scores(table, &[368, 392]);
    hand_in(&mut table, A, action);
    assert_eq!(table.finals(), [387, 387]);
    assert_eq!(table.outcome().winners, [A, B]);
}

/// 000-C-G9, 001-G9, 003-N2, 004-8, WESPA 5.2: three turns without score for each player, of any kind.
#[test]
fn six_scoreless_turns_end_a_game_of_two() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"])
        .phonies(&["HORN"])
        .start();
    table.ok(A, "8F HORN");
    table.ok(B, "challenge"); // 1: a play and its removal count once
    table.ok(B, "exchange PAS"); // 2
    table.ok(A, "pass"); // 3
    table.ok(B, "pass"); // 4
    table.ok(A, "exchange H"); // 5
    assert!(table.state().outcome().is_none());
    table.ok(B, "pass"); // 6
    assert_eq!(table.outcome().reason, EndReason::ScorelessTurns);
    // No seat went out: each loses its own rack, nothing is transferred.
    for result in &table.outcome().results {
        assert!(result.rack_points < 0);
        assert_eq!(result.final_score, result.rack_points);
    }
}

/// The real ending of Albany 2010 (-6 / -16): racks ?AEEOTT and EIOQRRT at a score of 0 to 0.
#[test]
fn the_real_six_zero_ending() {
    let mut table = Setup::new(&["?AEEOTT", "EIOQRRT"]).start();
    for seat in [A, B, A, B, A, B] {
        table.ok(seat, "pass");
    }
    assert_eq!(table.finals(), [-6, -16]);
    assert_eq!(table.outcome().winners, [A]);
}

#[test]
fn a_scoring_play_breaks_the_run() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"]).start();
    for seat in [A, B, A, B] {
        table.ok(seat, "pass");
    }
    table.ok(A, "8F HORN");
    for seat in [B, A, B, A, B] {
        table.ok(seat, "pass");
    }
    assert!(table.state().outcome().is_none());
    table.ok(A, "pass");
    assert!(table.state().outcome().is_some());
}

/// A challenged-off play restores the run as it was, then adds one.
#[test]
fn a_phony_does_not_break_the_run() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"])
        .phonies(&["HORN"])
        .start();
    for seat in [A, B, A, B] {
        table.ok(seat, "pass");
    }
    table.ok(A, "8F HORN");
    table.ok(B, "challenge"); // 5
    table.ok(B, "pass"); // 6
    assert_eq!(table.outcome().reason, EndReason::ScorelessTurns);
}

/// A turn lost to a failed challenge counts as scoreless, but not as a pass.
#[test]
fn a_lost_turn_is_scoreless_but_no_pass() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"]).start();
    table.ok(A, "8F HORN");
    table.ok(B, "challenge"); // B's turn is lost: 1
    for seat in [A, B, A, B] {
        table.ok(seat, "pass"); // 2 to 5
    }
    assert!(table.state().outcome().is_none());
    table.ok(A, "pass");
    assert_eq!(table.outcome().reason, EndReason::ScorelessTurns);
}

/// 003-N2 to the letter: passes only, each player thrice in succession.
#[test]
fn an_option_counts_passes_only() {
    let rule = InactivityRule {
        limit: TurnLimit::PerActiveSeat(3),
        counts: CountedTurns::Passes,
        unless_all_zero: false,
        cap_per_seat: 12,
    };
    let setup = || Setup::new(&["HORNFAM", "PASTEOB"]).with(|options| options.inactivity = rule);
    let mut table = setup().start();
    for seat in [A, B, A, B, A] {
        table.ok(seat, "pass");
    }
    table.ok(B, "exchange P"); // breaks the run of passes
    for seat in [A, B, A, B, A] {
        table.ok(seat, "pass");
    }
    assert!(table.state().outcome().is_none());
    table.ok(B, "pass");
    assert_eq!(table.outcome().reason, EndReason::Passes);

    // Players cannot exchange for ever either: twelve scoreless turns for each player end every game.
    let mut table = setup().start();
    for turn in 0..24 {
        assert!(table.state().outcome().is_none(), "turn {turn}");
        let seat = table.on_turn();
        let rack = table.rack(seat);
        table.ok(seat, &format!("exchange {}", &rack[..1]));
    }
    assert_eq!(table.outcome().reason, EndReason::TurnCap);
}

/// With three seats the limit is nine turns.
#[test]
fn the_limit_grows_with_the_players() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB", "AEINRTU"]).start();
    for turn in 0..9 {
        assert!(table.state().outcome().is_none(), "turn {turn}");
        let seat = table.on_turn();
        table.ok(seat, "pass");
    }
    assert_eq!(table.outcome().reason, EndReason::ScorelessTurns);
}

/// The end reveals the racks and the secret that the commitment was made for (R-BAG).
#[test]
fn the_end_reveals_the_secret() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"]).start();
    table.ok(A, "resign");
    let ended = table.outcome();
    assert_eq!(
        commitment(&ended.secret),
        table.state().created().commitment
    );
    assert_eq!(ended.results[1].rack.len(), 7);
}
