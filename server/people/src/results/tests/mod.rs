//! Tests that a log gives the right result: the deciding rule, the figures and the pool.

mod figures;
pub(crate) mod log;

use super::{Rated, ResultError, Stake, WinnerRule, is_played_out};
use crate::pools::{PlayerKind, Unrated};
use crate::ratings::Outcome;
use log::{Final, Log};
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::{EndReason, Retirement, Verdict};
use tilewire_rules::options::{ChallengeKind, TieRule};

/// Checks the rules that decided a game: the end, the winner, and the words.
#[track_caller]
fn check(
    log: &mut Log,
    reason: EndReason,
    finals: &[Final],
    rules: (&str, WinnerRule, &str),
    words: &str,
) {
    let result = log.result(reason, finals);
    let decision = &result.decision;
    let found = (
        decision.end_rule.as_str(),
        decision.winner,
        decision.winner_rule.as_str(),
    );
    assert_eq!(found, rules);
    assert_eq!(result.words(), words);
    for row in &result.seats {
        assert!(!decision.words.contains(&row.name), "{}", decision.words);
    }
}

fn two() -> Log {
    let mut log = Log::new("classic", 2);
    log.play(0, "horn", 14, 0);
    log.play(1, "farm", 9, 0);
    log
}

/// 002 c4: "I had 387 points and my opponent had 387 points, I used all of my letters and it said that I had lost."
#[test]
fn c4_equal_scores_name_the_rule_that_decided() {
    let mut log = two();
    log.play(0, "be", 4, 0);
    check(
        &mut log,
        EndReason::OutPlay,
        &[(382, 5, 0, 2), (392, -5, 0, 1)],
        ("R-END-1", WinnerRule::ScoreBeforeRacks, "R-TIE-1"),
        "Anna played the last tile with an empty bag. Unplayed tiles: Anna +5, Ben -5. The best final scores are equal: \
         387 to 387. The higher score before unplayed tiles were counted wins: Ben, with 392 to 382.",
    );
}

/// 002 c9: "How can I lose with one tile left which would put me ahead?"
#[test]
fn c9_a_tile_left_counts_against_its_player() {
    let mut log = two();
    log.play(0, "be", 4, 0);
    check(
        &mut log,
        EndReason::OutPlay,
        &[(300, 10, 0, 1), (305, -10, 0, 2)],
        ("R-END-1", WinnerRule::HighestScore, "R-END-10"),
        "Anna played the last tile with an empty bag. Unplayed tiles: Anna +10, Ben -10. Anna has the highest final \
         score: 310 to 295.",
    );
}

#[test]
fn a_shared_win_names_its_rule() {
    let finals = [(0, -6, 0, 1), (0, -6, 0, 1)];
    let words = "6 turns in a row were without score. Unplayed tiles: Anna -6, Ben -6. Anna and Ben share the win: -6 to -6.";
    let rules = ("R-END-2", WinnerRule::SharedWin, "R-TIE-2");
    check(
        &mut Log::new("classic", 2),
        EndReason::ScorelessTurns,
        &finals,
        rules,
        words,
    );
    let mut stands = Log::new("classic", 2);
    stands.options.ties = TieRule::Stand;
    let rules = ("R-END-2", WinnerRule::SharedWin, "R-TIE-3");
    check(
        &mut stands,
        EndReason::ScorelessTurns,
        &finals,
        rules,
        words,
    );
}

/// Checks an end that Anna wins by 300 to 200, if the game has a result.
#[track_caller]
fn check_end(rule_set: &str, reason: EndReason, rules: (&str, WinnerRule, &str), words: [&str; 2]) {
    let finals = [(300, 0, 0, 1), (200, 0, 0, 2)];
    let log = &mut Log::new(rule_set, 2);
    check(log, reason, &finals, rules, &words.join(" "));
}

#[test]
fn every_end_by_score_names_its_rule() {
    let by_score = |rule_set: &str, reason, rule: &str, words: &str| {
        let rules = (rule, WinnerRule::HighestScore, "R-END-10");
        check_end(
            rule_set,
            reason,
            rules,
            [words, "Anna has the highest final score: 300 to 200."],
        );
    };
    by_score(
        "wordfeud",
        EndReason::Passes,
        "R-END-4",
        "3 passes in a row ended the game.",
    );
    let without = "3 turns in a row brought no point.";
    by_score(
        "words-with-friends",
        EndReason::ScorelessTurns,
        "R-END-12",
        without,
    );
    let cap = "Too many turns in a row were without score.";
    by_score("classic", EndReason::TurnCap, "R-END-5", cap);
    let all = "The bag was empty and nobody had a legal play.";
    by_score("email-validated", EndReason::AllPlayed, "R-END-14", all);
    let behind = "The bag was empty and the player behind could no longer catch up.";
    by_score("wordfeud", EndReason::Uncatchable, "R-END-15", behind);
}

#[test]
fn a_race_and_a_game_without_result_name_their_rules() {
    let target = ("R-END-13", WinnerRule::Target, "R-END-13");
    let words = [
        "The target score was reached.",
        "Anna wins; unplayed tiles do not count.",
    ];
    check_end("classic-finish-line", EndReason::Target, target, words);
    let none = "The game has no result.";
    let aborted = ("R-SETUP-10", WinnerRule::NoResult, "R-END-11");
    let words = ["Anna aborted the game at its beginning.", none];
    check_end("classic", EndReason::Aborted, aborted, words);
    let cancelled = ("R-SETUP-5", WinnerRule::NoResult, "R-END-11");
    check_end(
        "classic",
        EndReason::Cancelled,
        cancelled,
        ["A player was not ready in time.", none],
    );
}

#[test]
fn an_adjourned_game_that_is_not_resumed_names_its_rules() {
    let mut log = two();
    log.adjourn(0);
    check(
        &mut log,
        EndReason::Aborted,
        &[(300, 0, 0, 1), (9, 0, 0, 1)],
        ("R-ADJ-6", WinnerRule::NoResult, "R-END-11"),
        "The adjourned game was not resumed. The game has no result.",
    );
    let mut log = two();
    log.adjourn(0);
    log.claim_missing(0, 1);
    check(
        &mut log,
        EndReason::Abandonment,
        &[(300, 0, 0, 2), (9, 0, 0, 1)],
        ("R-ADJ-7", WinnerRule::LastPlayer, "R-RETIRE-4"),
        "Anna was not ready to resume. Ben is the last player in the game and wins, regardless of the scores.",
    );
}

#[test]
fn a_claim_after_a_nudge_names_the_rule_about_silent_players() {
    let mut log = two();
    log.claim_silent(0, 1);
    check(
        &mut log,
        EndReason::Abandonment,
        &[(300, 0, 0, 2), (9, 0, 0, 1)],
        ("R-NUDGE-5", WinnerRule::LastPlayer, "R-RETIRE-4"),
        "Anna did not answer. Ben is the last player in the game and wins, regardless of the scores.",
    );
}

#[test]
fn the_last_player_in_the_game_wins_regardless_of_the_scores() {
    let case = |why, reason, clock, rule, what: &str| {
        let mut log = two();
        log.options.clock = clock;
        log.retire(0, why);
        let words = format!(
            "Anna {what}. Ben is the last player in the game and wins, regardless of the scores."
        );
        let rules = (rule, WinnerRule::LastPlayer, "R-RETIRE-4");
        check(
            &mut log,
            reason,
            &[(300, 0, 0, 2), (9, 0, 0, 1)],
            rules,
            &words,
        );
    };
    let live = ClockKind::SuddenDeath { initial_ms: 60_000 };
    let days = ClockKind::PerMove {
        limit_ms: 72 * 3_600_000,
        bank_ms: 0,
    };
    case(
        Retirement::Resigned,
        EndReason::Resignation,
        live,
        "R-RETIRE-2",
        "resigned",
    );
    case(
        Retirement::Flagged,
        EndReason::Time,
        live,
        "R-CLOCK-11",
        "ran out of time",
    );
    case(
        Retirement::Expired,
        EndReason::Time,
        days,
        "R-CLOCK-5",
        "did not move within the limit",
    );
    case(
        Retirement::Abandoned,
        EndReason::Abandonment,
        live,
        "R-RETIRE-3",
        "stayed away",
    );
    case(
        Retirement::Abandoned,
        EndReason::Abandonment,
        ClockKind::Untimed,
        "R-CLOCK-6",
        "stayed away",
    );
}

#[test]
fn a_triple_challenge_decides_the_game() {
    let case = |verdict, ranks: [u8; 2], words: &str| {
        let mut log = Log::new("classic", 2);
        log.options.challenge.kind = ChallengeKind::Triple;
        log.play(0, "horn", 14, 0);
        log.challenge(1, verdict);
        let rules = ("R-CHAL-16", WinnerRule::Challenge, "R-CHAL-16");
        let finals = [(14, 0, 0, ranks[0]), (0, 0, 0, ranks[1])];
        check(&mut log, EndReason::TripleChallenge, &finals, rules, words);
    };
    let failed =
        "The challenge failed: the play of Anna was valid. Anna wins, regardless of the scores.";
    case(Verdict::Stands, [1, 2], failed);
    let succeeded = "The challenge succeeded: the play of Anna was not valid. Ben wins, regardless of the scores.";
    case(Verdict::Off, [2, 1], succeeded);
}

#[test]
fn overtime_and_three_seats_are_explained() {
    let mut log = Log::new("classic", 3);
    log.play(2, "be", 4, 0);
    check(
        &mut log,
        EndReason::OutPlay,
        &[(150, -2, 10, 2), (140, -20, 0, 3), (130, 22, 0, 1)],
        ("R-END-1", WinnerRule::HighestScore, "R-END-10"),
        "Cleo played the last tile with an empty bag. Unplayed tiles: Anna -2, Ben -20, Cleo +22. Overtime: Anna -10. \
         Cleo has the highest final score: 152 to 138 to 120.",
    );
}

#[test]
fn a_seat_counts_if_the_game_was_played_out_and_the_player_stayed() {
    let mut log = Log::new("classic", 3);
    log.play(2, "be", 4, 0);
    log.retire(1, Retirement::Resigned);
    let result = log.result(
        EndReason::OutPlay,
        &[(5, 0, 0, 2), (9, 0, 0, 3), (7, 0, 0, 1)],
    );
    let counted: Vec<bool> = result.seats.iter().map(|seat| seat.is_counted).collect();
    assert_eq!(counted, [true, false, true]);
    assert_eq!(result.seats[1].retired, Some(Retirement::Resigned));
    assert_eq!(result.seat_of("cleo").map(|seat| seat.rank), Some(1));
    assert_eq!(result.seat_of("dora"), None);
    for reason in [
        EndReason::Resignation,
        EndReason::Time,
        EndReason::Abandonment,
        EndReason::TripleChallenge,
    ] {
        assert!(!is_played_out(reason), "{reason:?}");
    }
}

#[test]
fn a_rated_game_goes_to_its_pool() {
    let rated = |finals: &[Final], reason: EndReason| {
        let mut log = two();
        log.stake = Stake::Rated;
        log.result(reason, finals).rated_game()
    };
    let game = rated(&[(300, 10, 0, 1), (200, -10, 0, 2)], EndReason::OutPlay).expect("rated");
    assert_eq!(game.pool.to_string(), "classic/wordnik/standard");
    assert_eq!((game.outcome, game.spread), (Outcome::First, 120));
    assert_eq!(game.players, ["anna", "ben"]);
    let outcome = |ranks: [u8; 2], reason| {
        let finals = [(10, 0, 0, ranks[0]), (10, 0, 0, ranks[1])];
        rated(&finals, reason).map(|game| game.outcome)
    };
    assert_eq!(outcome([1, 1], EndReason::OutPlay), Some(Outcome::Shared));
    for reason in [
        EndReason::Resignation,
        EndReason::Time,
        EndReason::Abandonment,
        EndReason::TripleChallenge,
    ] {
        assert_eq!(outcome([2, 1], reason), Some(Outcome::Second), "{reason:?}");
    }
    assert_eq!(outcome([0, 0], EndReason::Aborted), None);
    assert_eq!(outcome([0, 0], EndReason::Cancelled), None);
}

#[test]
fn a_casual_refused_or_voided_game_is_not_rated() {
    let finals = [(300, 0, 0, 1), (200, 0, 0, 2)];
    let mut casual = two().result(EndReason::OutPlay, &finals);
    assert_eq!(
        (casual.rated.clone(), casual.rated_game()),
        (Rated::Casual, None)
    );
    let mut guest = two();
    (guest.stake, guest.players[1]) = (Stake::Rated, PlayerKind::Guest);
    let guest = guest.result(EndReason::OutPlay, &finals);
    assert_eq!(
        (guest.rated.clone(), guest.rated_game()),
        (Rated::Refused(Unrated::Guest), None)
    );
    let pool = "classic/wordnik/standard"
        .to_owned()
        .try_into()
        .expect("a pool");
    casual.rated = Rated::Voided(pool);
    assert_eq!(casual.rated_game(), None);
}

#[test]
fn a_result_reads_back_from_its_json() {
    let mut log = two();
    log.stake = Stake::Rated;
    let result = log.result(EndReason::OutPlay, &[(300, 0, 0, 1), (200, 0, 0, 2)]);
    let json = serde_json::to_string(&result).expect("plain data");
    assert_eq!(
        serde_json::from_str::<super::GameResult>(&json).expect("the same"),
        result
    );
}

#[test]
fn an_unfinished_log_and_other_facts_give_no_result() {
    let mut log = two();
    let unfinished = log.records();
    assert_eq!(log.try_result(&unfinished), Err(ResultError::Unfinished));
    assert_eq!(log.try_result(&[]), Err(ResultError::Unfinished));
    let records = log.end(EndReason::OutPlay, &[(1, 0, 0, 1), (0, 0, 0, 2)]);
    let gap: Vec<_> = [&records[..2], &records[3..]].concat();
    assert!(matches!(log.try_result(&gap), Err(ResultError::Replay(_))));
    log.players.pop();
    assert_eq!(
        log.try_result(&records),
        Err(ResultError::SeatCount { facts: 1, seats: 2 })
    );
}
