//! R-GIFT: time for an opponent.

use super::challenges::THREE;
use super::*;
use crate::clock::{ClockKind, Clocks, MINUTE_MS};

const TWO: &[&str] = &["HORNFAM", "PASTEOB"];
const INITIAL_MS: i64 = 60_000;

fn sudden() -> Setup {
    Setup::new(TWO).with(|options| {
        options.clock = ClockKind::SuddenDeath {
            initial_ms: INITIAL_MS,
        };
    })
}

fn main_ms(table: &Table, seat: Seat) -> i64 {
    table.state().clocks().main_ms[seat.index()]
}

#[test]
fn the_receiver_has_more_time_and_its_clock_runs_on() {
    let mut table = sudden().start();
    let flag = table.game.next_deadline().expect("a flag");
    let running = table.state().clocks().running;
    table.wait(20_000);
    table.ok(B, "give 0 15000");
    assert_eq!(table.last_kinds(), ["time given"]);
    assert_eq!(main_ms(&table, A), INITIAL_MS + 15_000);
    assert_eq!(
        table.state().clocks().running,
        running,
        "nothing is charged"
    );
    assert_eq!(table.game.next_deadline(), Some(flag.plus(15_000)));
    // A player who is on turn gives as well.
    table.ok(A, "give 1 60000");
    assert_eq!(main_ms(&table, B), INITIAL_MS + 60_000);
    table.wait(55_000 - 1);
    table.ok(A, "pass");
    assert_eq!(main_ms(&table, A), 1);
}

#[test]
fn too_much_too_little_and_the_wrong_seat_are_refused() {
    let mut table = sudden().start();
    for gift in [
        "0 4999", "0 60001", "0 -5000", "0", "1 15000", "2 15000", "9 15000",
    ] {
        let refused = table.refused(B, &format!("give {gift}"));
        assert_eq!(refused, Rejection::CannotGiveTime, "{gift}");
    }
    let mut waiting = sudden().seated();
    assert_eq!(waiting.refused(B, "give 0 15000"), Rejection::NotStarted);
}

#[test]
fn a_rated_or_untimed_game_has_no_gifts() {
    let check = |change: fn(&mut GameOptions)| {
        let mut table = sudden().with(change).start();
        let refused = table.refused(B, "give 0 15000");
        assert_eq!(refused, Rejection::CannotGiveTime);
    };
    check(|options| options.rated = true);
    check(|options| options.clock = ClockKind::Untimed);
}

#[test]
fn with_a_limit_for_each_move_one_limit_is_given() {
    let check = |limit_ms: i64| {
        let mut table = Setup::new(TWO)
            .with(|options| {
                options.clock = ClockKind::PerMove {
                    limit_ms,
                    bank_ms: 0,
                };
            })
            .start();
        let flag = table.game.next_deadline().expect("a flag");
        assert_eq!(table.refused(B, "give 0 15000"), Rejection::CannotGiveTime);
        table.ok(B, "give 0");
        assert_eq!(main_ms(&table, A), limit_ms);
        assert_eq!(table.game.next_deadline(), Some(flag.plus(limit_ms)));
        table.wait(2 * limit_ms - 1);
        table.ok(A, "pass");
        assert_eq!(main_ms(&table, A), 1, "the limit was used first");
    };
    check(40_000);
    check(ClockKind::CORRESPONDENCE_FROM_MS);
}

#[test]
fn given_time_takes_back_overtime() {
    let mut table = Setup::new(TWO).start();
    table.wait(25 * MINUTE_MS + 30_000);
    table.ok(B, "give 0 60000");
    table.ok(A, "pass");
    assert_eq!(main_ms(&table, A), 30_000);
}

/// The clock of a seat whose turn waits stands since its command came (R-CHAL-6).
#[test]
fn a_seat_whose_turn_waits_gets_time_and_is_charged_no_more() {
    let mut table = Setup::new(THREE).start();
    table.ok(A, "8F HORN");
    table.now = table.now.plus(1_000);
    assert_eq!(table.send_as(B, "fast", "pass"), None, "waits");
    table.now = table.now.plus(2_000);
    table.ok(C, "give 1 15000");
    let left_ms = 25 * MINUTE_MS + 15_000 - 1_000;
    let waiting = table.game.waiting_turn().expect("the turn still waits");
    assert_eq!(waiting.clocks.main_ms[B.index()], left_ms);
    table.wait(2_000);
    assert_eq!(table.on_turn(), C);
    assert_eq!(main_ms(&table, B), left_ms);
}

#[test]
fn a_seat_gives_ten_times() {
    let mut table = sudden().start();
    for _ in 0..10 {
        table.ok(B, "give 0 5000");
    }
    assert_eq!(table.refused(B, "give 0 5000"), Rejection::GiftsUsed);
    table.ok(A, "give 1 5000");
}

#[test]
fn the_receiver_can_refuse_for_the_game() {
    let mut table = sudden().start();
    table.ok(B, "give 0 5000");
    table.ok(A, "refuse");
    assert_eq!(table.last_kinds(), ["time refused"]);
    assert_eq!(table.refused(A, "refuse"), Rejection::TimeRefused);
    assert_eq!(table.refused(B, "give 0 5000"), Rejection::TimeRefused);
    assert_eq!(
        main_ms(&table, A),
        INITIAL_MS + 5_000,
        "it keeps what it has"
    );
    table.ok(A, "give 1 5000");
}

#[test]
fn a_flag_that_has_fallen_is_not_lifted() {
    let mut table = sudden().start();
    table.now = table.now.plus(INITIAL_MS);
    assert_eq!(table.refused(B, "give 0 60000"), Rejection::GameOver);
}

#[test]
fn in_the_final_phase_no_time_is_given() {
    let mut table = Setup::new(&["HORN", "PAST"]).only("").start();
    table.ok(A, "8F HORN");
    let refused = table.refused(A, "give 1 15000");
    assert_eq!(refused, Rejection::CannotGiveTime);
}

#[test]
fn a_retry_of_a_gift_gets_the_first_answer() {
    let mut table = sudden().start();
    let first = table.send_as(B, "x", "give 0 15000");
    assert_eq!(table.send_as(B, "x", "give 0 15000"), first);
    assert_eq!(main_ms(&table, A), INITIAL_MS + 15_000);
}

#[test]
fn a_record_with_another_gift_is_refused() {
    let mut table = sudden().start();
    table.ok(B, "give 0 15000");
    let errors = |log: &[Record]| {
        let report = check_native(&table.rules, log, Some(&table.lexicon));
        let errors = report.findings.iter();
        errors
            .filter(|finding| finding.severity == Severity::Error)
            .filter(|finding| !table.is_about_bag(finding.line))
            .count()
    };
    assert_eq!(errors(&table.log), 0);
    let check = |change: fn(&mut Seat, &mut i64, &mut Clocks), why: &str| {
        let mut log = table.log.clone();
        let gift = log.last_mut().map(|record| &mut record.event);
        let Some(Event::Public(PublicEvent::TimeGiven {
            target,
            time_ms,
            clocks,
            ..
        })) = gift
        else {
            panic!("the last record is the gift");
        };
        change(target, time_ms, clocks);
        assert!(errors(&log) > 0, "{why}");
    };
    let longer = |_: &mut Seat, time_ms: &mut i64, clocks: &mut Clocks| {
        *time_ms = 60_001;
        clocks.main_ms[A.index()] += 60_001 - 15_000;
    };
    check(longer, "too much");
    check(|_, _, clocks| clocks.main_ms[0] += 1, "more than it says");
    check(|_, _, clocks| clocks.main_ms[1] += 1, "for both");
    check(|target, _, _| *target = B, "to the giver");
}
