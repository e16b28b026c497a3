//! R-NUDGE: asking whether a silent opponent is still there, and claiming the game without an answer.

use super::*;
use crate::clock::ClockKind;
use crate::event::EndReason;
use crate::options::NudgeTiming;
use crate::state::Nudge;

const TWO: &[&str] = &["HORNFAM", "PASTEOB"];
const THREE: &[&str] = &["HORNFAM", "PASTEOB", "AEINRTU"];
const QUIET_MS: i64 = 180_000;
const ANSWER_MS: i64 = 120_000;
const DAY_MS: i64 = 24 * 3_600_000;

fn open(table: &Table) -> Nudge {
    table.state().nudge().expect("a nudge is open")
}

/// A game of two in which B has just nudged A.
fn nudged() -> Table {
    let mut table = Setup::new(TWO).start();
    table.wait(QUIET_MS);
    table.ok(B, "nudge");
    table
}

#[test]
fn a_silent_seat_on_turn_is_nudged_and_then_claimed() {
    let mut table = Setup::new(TWO).start();
    let from = Some(table.now.plus(QUIET_MS));
    table.wait(QUIET_MS - 1);
    let early = table.refused(B, "nudge");
    assert_eq!(early, Rejection::CannotNudge { from });
    table.wait(1);
    table.ok(B, "nudge");
    assert_eq!(table.last_kinds(), ["nudged"]);
    let claim_at = table.now.plus(ANSWER_MS);
    let nudge = Nudge {
        seat: B,
        target: A,
        claim_at: Some(claim_at),
    };
    assert_eq!(open(&table), nudge);
    table.wait(ANSWER_MS - 1);
    let claim_at = Some(claim_at);
    assert_eq!(
        table.refused(B, "claim 0"),
        Rejection::CannotClaim { claim_at }
    );
    table.wait(1);
    table.ok(B, "claim 0");
    assert_eq!(table.last_kinds(), ["retired", "ended"]);
    assert_eq!(table.outcome().reason, EndReason::Abandonment);
    assert_eq!(table.outcome().winners, [B]);
    assert!(table.state().seats()[A.index()].has_ignored_nudge);
    assert_eq!(table.state().nudge(), None);
}

/// The answer counts until an opponent has claimed, and each action is an answer.
#[test]
fn every_action_of_the_nudged_seat_is_an_answer() {
    let check = |action: &str, kinds: &[&str]| {
        let mut table = nudged();
        table.wait(ANSWER_MS + 1);
        table.ok(A, action);
        assert_eq!(table.last_kinds(), kinds, "{action}");
        assert_eq!(table.state().nudge(), None, "{action}");
        let claim_at = None;
        let refused = table.refused(B, "claim 0");
        assert_eq!(refused, Rejection::CannotClaim { claim_at }, "{action}");
    };
    check("here", &["nudge answered"]);
    check("pass", &["passed", "turn"]);
    check("8F HORN", &["play", "turn"]);
}

/// An action that ends no turn is followed by the end of the nudge.
#[test]
fn an_answer_to_the_last_play_is_an_answer_to_the_nudge() {
    let mut table = Setup::new(TWO)
        .with(|options| {
            options.challenge.window_ms = None;
            options.timing.hold_ms = QUIET_MS + ANSWER_MS;
        })
        .start();
    table.ok(A, "8F HORN");
    table.wait(QUIET_MS);
    table.ok(A, "nudge");
    table.ok(B, "hold");
    assert_eq!(table.last_kinds(), ["hold", "nudge answered"]);
}

#[test]
fn a_refused_command_is_no_answer() {
    let mut table = nudged();
    table.refused(A, "exchange Q");
    assert_eq!(open(&table).target, A);
    assert_eq!(table.refused(B, "here"), Rejection::NoNudge);
}

#[test]
fn an_answer_starts_the_quiet_time_anew() {
    let mut table = nudged();
    table.ok(A, "here");
    assert_eq!(table.refused(A, "here"), Rejection::NoNudge);
    let from = Some(table.now.plus(QUIET_MS));
    let refused = table.refused(B, "nudge");
    assert_eq!(refused, Rejection::CannotNudge { from });
    table.wait(QUIET_MS);
    table.ok(B, "nudge");
    table.ok(A, "here");
    table.wait(QUIET_MS);
    assert_eq!(table.refused(B, "nudge"), Rejection::NudgesUsed);
}

#[test]
fn only_an_opponent_on_turn_is_nudged_and_once_at_a_time() {
    let mut table = nudged();
    let no = Rejection::CannotNudge { from: None };
    assert_eq!(table.refused(A, "nudge"), no);
    assert_eq!(table.refused(B, "nudge"), no);
    let mut waiting = Setup::new(TWO).seated();
    assert_eq!(waiting.refused(B, "nudge"), Rejection::NotStarted);
    assert_eq!(waiting.refused(B, "here"), Rejection::NotStarted);
}

/// Nobody can nudge a seat if its flag falls before the time for the answer ends. The flag decides that turn.
#[test]
fn a_seat_needs_more_time_than_the_answer_takes() {
    let check = |initial_ms: i64, can: bool| {
        let mut table = Setup::new(TWO)
            .with(|options| options.clock = ClockKind::SuddenDeath { initial_ms })
            .start();
        table.wait(QUIET_MS);
        let outcome = table.send(B, "nudge").expect("answered at once");
        assert_eq!(outcome.is_ok(), can, "{initial_ms}: {outcome:?}");
    };
    check(QUIET_MS + ANSWER_MS, false);
    check(QUIET_MS + ANSWER_MS + 1, true);
}

#[test]
fn by_correspondence_a_seat_is_nudged_once_a_turn_and_the_limit_decides() {
    let limit_ms = 72 * 3_600_000;
    let mut table = Setup::new(TWO)
        .with(|options| {
            options.clock = ClockKind::PerMove {
                limit_ms,
                bank_ms: 0,
            };
        })
        .start();
    let from = Some(table.now.plus(limit_ms / 2));
    table.wait(limit_ms / 2 - 1);
    let refused = table.refused(B, "nudge");
    assert_eq!(refused, Rejection::CannotNudge { from });
    table.wait(1);
    table.ok(B, "nudge");
    assert_eq!(open(&table).claim_at, None);
    table.ok(A, "here");
    let again = table.refused(B, "nudge");
    assert_eq!(again, Rejection::CannotNudge { from: None });
    let claim_at = None;
    let refused = table.refused(B, "claim 0");
    assert_eq!(refused, Rejection::CannotClaim { claim_at });
    // The next turn has a notice of its own, however many there were.
    for _ in 0..3 {
        let (on_turn, other) = match table.on_turn() {
            A => (A, B),
            _ => (B, A),
        };
        table.ok(on_turn, "pass");
        table.wait(limit_ms / 2);
        table.ok(on_turn, "nudge");
        table.ok(other, "here");
    }
}

#[test]
fn an_untimed_game_counts_in_days() {
    let mut table = Setup::new(TWO)
        .with(|options| options.clock = ClockKind::Untimed)
        .start();
    table.wait(3 * DAY_MS - 1);
    table.refused(B, "nudge");
    table.wait(1);
    table.ok(B, "nudge");
    assert_eq!(open(&table).claim_at, Some(table.now.plus(7 * DAY_MS)));
    table.wait(7 * DAY_MS);
    table.ok(B, "claim 0");
    assert_eq!(table.outcome().reason, EndReason::Abandonment);
}

#[test]
fn the_durations_are_those_of_the_game() {
    let mut table = Setup::new(TWO)
        .with(|options| {
            options.timing.nudge = NudgeTiming {
                quiet_ms: 1_000,
                answer_ms: 2_000,
                ..NudgeTiming::default()
            };
        })
        .start();
    table.wait(1_000);
    table.ok(B, "nudge");
    table.wait(2_000);
    table.ok(B, "claim 0");
}

#[test]
fn an_outage_moves_the_quiet_time_and_the_deadline() {
    let mut table = Setup::new(TWO).start();
    table.wait(QUIET_MS - 1);
    let outage = |table: &mut Table| {
        let stopped_at = table.now;
        table.now = table.now.plus(90_000);
        table.input(Input::Resumed { stopped_at });
    };
    outage(&mut table);
    table.refused(B, "nudge");
    table.wait(1);
    table.ok(B, "nudge");
    let before = open(&table).claim_at.expect("a deadline");
    outage(&mut table);
    assert_eq!(open(&table).claim_at, Some(before.plus(90_000)));
}

/// In a game of three, every other player can claim after a nudge. The claim retires the silent seat, and the game goes on.
#[test]
fn with_three_seats_the_others_play_on() {
    let mut table = Setup::new(THREE).start();
    table.wait(QUIET_MS);
    table.ok(B, "nudge");
    let refused = table.refused(C, "nudge");
    assert_eq!(refused, Rejection::CannotNudge { from: None });
    table.wait(ANSWER_MS);
    table.ok(C, "claim 0");
    assert_eq!(table.last_kinds(), ["retired", "turn"]);
    assert_eq!(table.on_turn(), B);
    assert_eq!(table.state().nudge(), None);
}

/// A turn that waits for challenges has been sent: its seat is there.
#[test]
fn a_waiting_turn_is_an_answer() {
    let mut table = Setup::new(THREE)
        .with(|options| {
            options.timing.protect_ms = QUIET_MS + 10 * ANSWER_MS;
            options.challenge.window_ms = None;
        })
        .start();
    table.ok(A, "8F HORN");
    table.wait(QUIET_MS);
    table.ok(A, "nudge");
    assert_eq!(table.send(B, "pass"), None, "the turn waits");
    table.wait(ANSWER_MS);
    let claim_at = None;
    let refused = table.refused(A, "claim 1");
    assert_eq!(refused, Rejection::CannotClaim { claim_at });
    // And nobody is nudged who has moved.
    let refused = table.refused(C, "nudge");
    assert_eq!(refused, Rejection::CannotNudge { from: None });
}

#[test]
fn a_player_who_is_away_can_be_claimed_for_that() {
    let mut table = nudged();
    table.input(Input::Vanished(A));
    table.wait(60_000);
    table.ok(B, "claim 0");
    assert!(!table.state().seats()[A.index()].has_ignored_nudge);
}

#[test]
fn a_retry_of_a_nudge_gets_the_first_answer() {
    let mut table = Setup::new(TWO).start();
    table.wait(QUIET_MS);
    let first = table.send_as(B, "x", "nudge");
    assert_eq!(table.send_as(B, "x", "nudge"), first);
    assert!(table.last.is_empty());
}
