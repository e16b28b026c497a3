//! R-VAC: a vacation moves the deadlines of its player.

use super::challenges::THREE;
use super::*;
use crate::clock::ClockKind;
use crate::game::Order;
use crate::options::VACATION_MAX_MS;

const TWO: &[&str] = &["HORNFAM", "PASTEOB"];
const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;
const LIMIT_MS: i64 = 72 * HOUR_MS;
const BANK_MS: i64 = 10 * HOUR_MS;

fn by_correspondence() -> Setup {
    by_correspondence_of(TWO)
}

fn by_correspondence_of(racks: &'static [&'static str]) -> Setup {
    Setup::new(racks).with(|options| {
        options.clock = ClockKind::PerMove {
            limit_ms: LIMIT_MS,
            bank_ms: BANK_MS,
        };
        options.vacation = true;
    })
}

fn order(table: &mut Table, seat: Seat, until: Timestamp) {
    table.input(Input::Ordered(Order::Vacation { seat, until }));
}

fn flag(table: &Table) -> Timestamp {
    table.game.next_deadline().expect("a flag")
}

#[test]
fn a_vacation_on_turn_moves_the_flag_and_its_early_end_moves_it_back() {
    let mut table = by_correspondence().start();
    let due = flag(&table);
    table.wait(HOUR_MS);
    let until = table.now.plus(5 * DAY_MS);
    order(&mut table, A, until);
    assert_eq!(table.last_kinds(), ["vacation"]);
    assert_eq!(flag(&table), due.plus(5 * DAY_MS));
    order(&mut table, A, until);
    assert!(table.last.is_empty(), "nothing changes");
    table.wait(2 * DAY_MS);
    let now = table.now;
    order(&mut table, A, now);
    assert_eq!(table.last_kinds(), ["vacation"]);
    assert_eq!(flag(&table), due.plus(2 * DAY_MS));
    assert_eq!(table.state().vacation_at(A, table.now), None);
    order(&mut table, A, now);
    assert!(table.last.is_empty(), "it has ended");
}

#[test]
fn a_vacation_that_is_over_leaves_the_bank_as_it_was() {
    let mut table = by_correspondence().start();
    table.wait(LIMIT_MS + HOUR_MS);
    let until = table.now.plus(DAY_MS);
    order(&mut table, A, until);
    table.wait(DAY_MS + HOUR_MS);
    table.ok(A, "pass");
    assert_eq!(
        table.state().clocks().main_ms,
        [BANK_MS - 2 * HOUR_MS, BANK_MS]
    );
}

#[test]
fn a_turn_that_begins_in_a_vacation_has_its_rest_on_top() {
    let mut table = by_correspondence().start();
    let until = table.now.plus(3 * DAY_MS);
    let due = flag(&table);
    order(&mut table, B, until);
    assert_eq!(flag(&table), due, "A is on turn");
    table.wait(DAY_MS);
    table.ok(A, "pass");
    assert_eq!(flag(&table), until.plus(LIMIT_MS + BANK_MS));
    table.wait(DAY_MS);
    table.ok(B, "pass");
    assert_eq!(flag(&table), table.now.plus(LIMIT_MS + BANK_MS));
    table.wait(2 * DAY_MS);
    table.ok(A, "pass");
    assert_eq!(
        flag(&table),
        table.now.plus(LIMIT_MS + BANK_MS),
        "it is over"
    );
}

/// A hold has a time of its own, which no vacation has made longer: the end of a vacation takes nothing from it.
#[test]
fn a_vacation_that_ends_in_the_own_hold_takes_no_time() {
    let mut table = by_correspondence_of(THREE).start();
    let until = table.now.plus(5 * DAY_MS);
    order(&mut table, C, until);
    table.ok(A, "8F HORN");
    table.ok(C, "hold");
    table.wait(10_000);
    let now = table.now;
    order(&mut table, C, now);
    assert_eq!(table.last_kinds(), ["vacation"]);
    table.ok(C, "release");
    assert_eq!(table.state().clocks().allowance_ms[2], LIMIT_MS - 10_000);
}

/// R-HOLD-3: the clock of the seat on turn stands in the hold of another one; its vacation counts as always.
#[test]
fn a_vacation_in_the_hold_of_another_seat_moves_the_turn() {
    let mut table = by_correspondence_of(THREE).start();
    table.ok(A, "8F HORN");
    table.ok(C, "hold");
    let until = table.now.plus(5 * DAY_MS);
    order(&mut table, B, until);
    table.wait(10_000);
    table.ok(C, "release");
    let clocks = table.state().clocks();
    assert_eq!(clocks.allowance_ms[1], LIMIT_MS + 5 * DAY_MS);
    assert_eq!(clocks.running.map(|running| running.seat), Some(B));
}

#[test]
fn a_game_has_no_vacation_unless_it_is_an_option() {
    let mut table = by_correspondence()
        .with(|options| options.vacation = false)
        .start();
    let until = table.now.plus(DAY_MS);
    order(&mut table, A, until);
    assert!(table.last.is_empty());
    let mut table = by_correspondence().start();
    for (seat, until) in [(Seat(2), until), (A, table.now.plus(VACATION_MAX_MS + 1))] {
        order(&mut table, seat, until);
        assert!(table.last.is_empty(), "{seat}");
    }
    let mut live = GameOptions::classic("wordnik");
    live.vacation = true;
    let refused = live.validate(&RuleSet::classic());
    assert_eq!(refused.expect_err("a live game").field, "vacation");
}
