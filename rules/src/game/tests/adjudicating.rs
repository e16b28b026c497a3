//! R-ADMIN: an operator ends a game, with a result or without one.

use super::*;
use crate::event::{Adjudication, EndReason};
use crate::game::Order;

fn ordered(adjudication: Adjudication) -> Input {
    Input::Ordered(Order::End(adjudication))
}

const TWO: &[&str] = &["HORNFAM", "PASTEOB"];

/// A game in which A leads by HORN.
fn led_by_a() -> Table {
    let mut table = Setup::new(TWO).start();
    table.ok(A, "8F HORN");
    table
}

#[track_caller]
fn check(adjudication: Adjudication, winners: &[Seat], ranks: [u8; 2]) {
    let mut table = led_by_a();
    table.input(ordered(adjudication));
    let outcome = table.outcome();
    assert_eq!(outcome.reason, EndReason::Adjudicated);
    assert_eq!(outcome.adjudication, Some(adjudication));
    assert_eq!(outcome.winners, winners);
    let found: Vec<u8> = outcome.results.iter().map(|result| result.rank).collect();
    assert_eq!(found, ranks);
    for result in &outcome.results {
        assert_eq!(result.rack_points, 0, "unplayed tiles do not count");
    }
}

#[test]
fn an_operator_decides_a_game() {
    check(Adjudication::AsItStands, &[A], [1, 2]);
    check(Adjudication::Win(A), &[A], [1, 2]);
    check(Adjudication::Win(B), &[B], [2, 1]);
    check(Adjudication::Draw, &[A, B], [1, 1]);
}

#[test]
fn an_operator_cancels_a_game() {
    let mut table = led_by_a();
    table.input(ordered(Adjudication::NoResult));
    let outcome = table.outcome();
    assert_eq!(outcome.reason, EndReason::Aborted);
    assert_eq!((outcome.aborter, outcome.winners.len()), (None, 0));
}

#[test]
fn an_ended_game_and_a_missing_seat_are_left_alone() {
    let mut table = led_by_a();
    let before = table.state().seq();
    table.input(ordered(Adjudication::Win(Seat(2))));
    assert_eq!(table.state().seq(), before);
    table.input(ordered(Adjudication::Draw));
    let ended = table.state().seq();
    table.input(ordered(Adjudication::NoResult));
    assert_eq!(table.state().seq(), ended);
    assert_eq!(table.outcome().reason, EndReason::Adjudicated);
}
