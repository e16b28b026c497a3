//! Clock arithmetic, as tables.

use super::*;

const A: Seat = Seat(0);
const B: Seat = Seat(1);

fn at(ms: i64) -> Timestamp {
    Timestamp(1_000_000 + ms)
}

/// Seat A starts a turn at 0 and stops at `used`; returns its main time left.
fn after(kind: ClockKind, used: i64, lag_ms: i64) -> i64 {
    let mut clocks = Clocks::new(kind, 2);
    clocks.start_turn(kind, A, at(0));
    clocks.stop(at(used), lag_ms);
    clocks.add_increment(kind, A);
    clocks.main_ms[0]
}

#[test]
fn each_clock_kind_charges_its_time() {
    let sudden = ClockKind::SuddenDeath { initial_ms: 10_000 };
    let increment = ClockKind::Increment {
        initial_ms: 10_000,
        increment_ms: 3_000,
    };
    let delay = ClockKind::Delay {
        initial_ms: 10_000,
        delay_ms: 2_000,
    };
    let overtime = ClockKind::Overtime {
        initial_ms: 10_000,
        penalty_per_minute: 10,
        cap_ms: 600_000,
    };
    let per_move = ClockKind::PerMove {
        limit_ms: 5_000,
        bank_ms: 10_000,
    };
    for (kind, used, lag, left) in [
        (sudden, 4_000, 0, 6_000),
        (sudden, 4_000, 500, 6_500),
        (sudden, 100, 500, 10_000),
        (increment, 4_000, 0, 9_000),
        (delay, 1_500, 0, 10_000),
        (delay, 2_500, 0, 9_500),
        (overtime, 12_000, 0, -2_000),
        (per_move, 5_000, 0, 10_000),
        (per_move, 7_000, 0, 8_000),
    ] {
        assert_eq!(
            after(kind, used, lag),
            left,
            "{kind:?} used {used} lag {lag}"
        );
    }
}

#[test]
fn flags_fall_to_the_millisecond() {
    for (kind, falls) in [
        (ClockKind::Untimed, None),
        (ClockKind::SuddenDeath { initial_ms: 10_000 }, Some(10_000)),
        (
            ClockKind::Delay {
                initial_ms: 10_000,
                delay_ms: 2_000,
            },
            Some(12_000),
        ),
        (
            ClockKind::Overtime {
                initial_ms: 10_000,
                penalty_per_minute: 10,
                cap_ms: 600_000,
            },
            Some(610_001),
        ),
        (
            ClockKind::PerMove {
                limit_ms: 5_000,
                bank_ms: 1_000,
            },
            Some(6_000),
        ),
    ] {
        let mut clocks = Clocks::new(kind, 2);
        clocks.start_turn(kind, B, at(0));
        assert_eq!(
            clocks.flag_at(kind),
            falls.map(|ms| (B, at(ms))),
            "{kind:?}"
        );
    }
}

#[test]
fn overtime_costs_ten_points_per_started_minute() {
    // The table of R-CLOCK: nothing at zero, then one penalty per started minute.
    let kind = ClockKind::Overtime {
        initial_ms: 0,
        penalty_per_minute: 10,
        cap_ms: 600_000,
    };
    for (over_ms, points) in [
        (0, 0),
        (1, 10),
        (60_000, 10),
        (60_001, 20),
        (125_000, 30),
        (600_000, 100),
    ] {
        let mut clocks = Clocks::new(kind, 2);
        clocks.main_ms[0] = -over_ms;
        assert_eq!(clocks.penalty(kind, A), points, "{over_ms} ms over");
    }
    assert_eq!(
        Clocks::new(ClockKind::Untimed, 2).penalty(ClockKind::Untimed, A),
        0
    );
}

#[test]
fn a_paused_turn_keeps_its_allowance() {
    let kind = ClockKind::Delay {
        initial_ms: 10_000,
        delay_ms: 2_000,
    };
    let mut clocks = Clocks::new(kind, 2);
    clocks.start_turn(kind, A, at(0));
    clocks.resume(B, at(500)); // B holds; A stands with 1,500 ms of delay left
    clocks.resume(A, at(9_000));
    clocks.stop(at(11_000), 0); // 2,000 used: 1,500 of delay, 500 of main time
    assert_eq!(clocks.main_ms[0], 9_500);
}
