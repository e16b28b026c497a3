//! R-CLOCK in a running game: flags, overtime, lag, outages, games by correspondence.

use super::*;
use crate::clock::ClockKind;
use crate::event::{EndReason, Retirement};
use crate::state::Phase;

const TWO: &[&str] = &["HORNFAM", "PASTEOB"];

fn with_clock(clock: ClockKind) -> Table {
    Setup::new(TWO)
        .with(|options| options.clock = clock)
        .start()
}

#[test]
fn a_flag_falls_without_a_command() {
    let mut table = with_clock(ClockKind::SuddenDeath { initial_ms: 60_000 });
    assert_eq!(table.game.next_deadline(), Some(table.now.plus(60_000)));
    table.wait(59_999);
    assert_eq!(table.state().phase(), Phase::Running);
    table.wait(1);
    assert_eq!(table.last_kinds(), ["retired", "ended"]);
    assert_eq!(table.outcome().reason, EndReason::Time);
    assert_eq!(table.outcome().winners, [B]);
}

/// The event carries the moment at which the flag fell, even if the caller wakes late.
#[test]
fn a_flag_falls_at_its_time_even_when_noticed_late() {
    let mut table = with_clock(ClockKind::SuddenDeath { initial_ms: 60_000 });
    let start = table.now;
    table.wait(75_000);
    let ended = table.log.last().expect("something happened");
    assert_eq!(ended.at, start.plus(60_000));
}

/// A command that was received in time counts, though it is handled after the deadline.
#[test]
fn a_command_received_before_the_flag_counts() {
    let mut table = with_clock(ClockKind::SuddenDeath { initial_ms: 60_000 });
    let received_at = table.now.plus(59_999);
    table.now = table.now.plus(61_000);
    let command = |received_at| Command {
        seat: A,
        cmd_id: "x".to_owned(),
        digest: 0,
        received_at,
        lag_ms: 0,
        action: table.parse("8F HORN"),
    };
    let (in_time, late) = (command(received_at), command(received_at.plus(1)));
    let mut other = with_clock(ClockKind::SuddenDeath { initial_ms: 60_000 });
    other.now = table.now;
    let answers = table.input(Input::Command(in_time));
    assert!(answers[0].outcome.is_ok());
    let answers = other.input(Input::Command(late));
    assert_eq!(answers[0].outcome, Err(Rejection::GameOver));
    assert_eq!(other.outcome().reason, EndReason::Time);
}

/// Measured network delay is returned to the clock.
#[test]
fn lag_is_given_back() {
    let mut table = with_clock(ClockKind::SuddenDeath { initial_ms: 60_000 });
    table.now = table.now.plus(10_000);
    table.lag_ms = 400;
    table.ok(A, "8F HORN");
    assert_eq!(table.state().clocks().main_ms[0], 50_400);
}

#[test]
fn an_increment_is_added_by_the_turn() {
    let mut table = with_clock(ClockKind::Increment {
        initial_ms: 60_000,
        increment_ms: 5_000,
    });
    table.now = table.now.plus(10_000);
    table.ok(A, "8F HORN");
    assert_eq!(table.state().clocks().main_ms, [55_000, 60_000]);
    // A challenge is not a turn and gains no time.
    table.now = table.now.plus(1_000);
    table.ok(B, "challenge");
    assert_eq!(table.on_turn(), A);
    assert_eq!(table.state().clocks().main_ms, [55_000, 59_000]);
}

/// 25 minutes and 10 points per started minute, taken off at the end, which may change the winner.
#[test]
fn overtime_is_paid_at_the_end() {
    let clock = ClockKind::Overtime {
        initial_ms: 60_000,
        penalty_per_minute: 10,
        cap_ms: 600_000,
    };
    let mut table = with_clock(clock);
    table.now = table.now.plus(120_001); // 60,001 over: two started minutes
    table.ok(A, "8F HORN");
    table.ok(B, "resign");
    let result = &table.outcome().results[0];
    assert_eq!((result.score, result.time_penalty), (14, 20));
    assert_eq!(result.final_score, -6);

    let mut table = Setup::new(&["HORN", "AE??"])
        .only("")
        .with(|options| options.clock = clock)
        .start();
    table.now = table.now.plus(120_001);
    table.ok(A, "8F HORN");
    table.ok(B, "accept");
    assert_eq!(table.finals(), [14 + 2 - 20, -2]);
    assert_eq!(table.outcome().winners, [B]);
}

#[test]
fn overtime_beyond_the_cap_loses() {
    let mut table = with_clock(ClockKind::Overtime {
        initial_ms: 60_000,
        penalty_per_minute: 10,
        cap_ms: 600_000,
    });
    table.wait(660_000);
    assert_eq!(table.state().phase(), Phase::Running);
    table.wait(1);
    assert_eq!(table.outcome().winners, [B]);
    assert_eq!(table.outcome().reason, EndReason::Time);
}

/// The next seat's clock runs from the play, while the play can still be challenged.
#[test]
fn the_next_clock_runs_from_the_commit() {
    let mut table = with_clock(ClockKind::SuddenDeath { initial_ms: 60_000 });
    table.ok(A, "8F HORN");
    let running = table.state().clocks().running.unwrap();
    assert_eq!((running.seat, running.since), (B, table.now));
}

/// No clock is charged for an outage of the server, and every deadline moves with it.
#[test]
fn an_outage_is_credited() {
    let mut table = with_clock(ClockKind::SuddenDeath { initial_ms: 60_000 });
    table.now = table.now.plus(4_000);
    table.ok(A, "8F HORN");
    let stopped_at = table.now.plus(3_000);
    let closes_at = table.state().window().unwrap().closes_at.unwrap();
    table.now = table.now.plus(100_000);
    table.input(Input::Resumed { stopped_at });
    assert_eq!(table.last_kinds(), ["credited"]);
    let clocks = table.state().clocks();
    assert_eq!(clocks.main_ms, [56_000, 57_000]);
    assert_eq!(clocks.running.unwrap().since, table.now);
    assert_eq!(
        table.state().window().unwrap().closes_at,
        Some(closes_at.plus(97_000))
    );
    table.ok(B, "challenge");
}

/// A wall clock that was set back during an outage takes no time from any clock.
#[test]
fn a_clock_set_back_during_the_outage_is_harmless() {
    let mut table = with_clock(ClockKind::SuddenDeath { initial_ms: 60_000 });
    table.now = table.now.plus(10_000);
    table.ok(A, "8F HORN");
    let stopped_at = table.now.plus(1_000);
    table.now = table.now.plus(-3_600_000);
    table.input(Input::Resumed { stopped_at });
    assert_eq!(table.state().clocks().main_ms, [50_000, 59_000]);
    table.wait(58_999);
    assert_eq!(table.state().phase(), Phase::Running);
    table.wait(1);
    assert_eq!(table.outcome().reason, EndReason::Time);
}

/// By correspondence the limit is wall time: outages do not move it.
#[test]
fn by_correspondence_the_limit_is_wall_time() {
    let limit_ms = 72 * 3_600_000;
    let mut table = with_clock(ClockKind::PerMove {
        limit_ms,
        bank_ms: 0,
    });
    let deadline = table.game.next_deadline();
    assert_eq!(deadline, Some(table.now.plus(limit_ms)));
    let stopped_at = table.now;
    table.now = table.now.plus(3_600_000);
    table.input(Input::Resumed { stopped_at });
    assert_eq!(table.game.next_deadline(), deadline);
    table.wait(limit_ms - 3_600_000);
    let retired = table.state().seats()[0].retired;
    assert_eq!(retired.map(|(reason, _)| reason), Some(Retirement::Expired));
}

#[test]
fn a_time_bank_covers_what_passes_the_limit() {
    let mut table = with_clock(ClockKind::PerMove {
        limit_ms: 30_000,
        bank_ms: 10_000,
    });
    table.now = table.now.plus(34_000);
    table.ok(A, "8F HORN");
    assert_eq!(table.state().clocks().main_ms, [6_000, 10_000]);
    assert_eq!(
        table.game.next_deadline(),
        Some(table.now.plus(20_000)),
        "the window"
    );
    table.wait(20_000);
    assert_eq!(
        table.game.next_deadline(),
        Some(table.now.plus(20_000)),
        "limit and bank"
    );
}

#[test]
fn an_untimed_game_ends_when_it_is_abandoned() {
    let mut table = with_clock(ClockKind::Untimed);
    table.wait(14 * 24 * 3_600_000 - 1);
    assert_eq!(table.state().phase(), Phase::Running);
    table.wait(1);
    assert_eq!(table.outcome().reason, EndReason::Abandonment);
    assert_eq!(table.outcome().winners, [B]);
}
