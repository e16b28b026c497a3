//! R-RETIRE: resigning, vanishing, claiming, with two to four seats.

use super::*;
use crate::clock::ClockKind;
use crate::event::{EndReason, WindowClose};

const FOUR: &[&str] = &["HORNFAM", "PASTEOB", "AEINRTU", "AEILSTU"];
const THREE: &[&str] = &["HORNFAM", "PASTEOB", "AEINRTU"];
const TWO: &[&str] = &["HORNFAM", "PASTEOB"];

fn ranks(table: &Table) -> Vec<u8> {
    table.outcome().results.iter().map(|r| r.rank).collect()
}

#[test]
fn resigning_a_game_of_two_loses_it() {
    for seat in [A, B] {
        let mut table = Setup::new(TWO).start();
        table.ok(seat, "resign"); // on turn and off turn
        assert_eq!(table.outcome().reason, EndReason::Resignation);
        assert_eq!(table.outcome().winners, [Seat(1 - seat.0)]);
        // No adjustment for racks.
        assert!(table.outcome().results.iter().all(|r| r.rack_points == 0));
    }
}

/// C29 settled: the rack is set aside unseen, the seat is skipped, and ranks below.
#[test]
fn the_others_play_on() {
    let mut table = Setup::new(FOUR).start();
    table.ok(A, "8F HORN");
    table.ok(C, "resign");
    let bag = table.state().tiles().bag().len();
    assert_eq!(table.rack(C).len(), 7, "not returned to the bag");
    table.wait(20_000);
    table.ok(B, "pass");
    assert_eq!(table.on_turn(), D, "C is skipped");
    assert_eq!(table.refused(C, "pass"), Rejection::Retired);
    table.ok(D, "resign");
    assert_eq!(table.on_turn(), A);
    table.ok(B, "resign");
    assert_eq!(table.outcome().winners, [A]);
    // Later retirements rank above earlier ones.
    assert_eq!(ranks(&table), [1, 2, 4, 3]);
    assert_eq!(
        table.state().tiles().bag().len(),
        bag - 4,
        "A drew its four"
    );
}

/// Resigning inside one's own window: the play stands.
#[test]
fn an_authors_play_stands_when_it_resigns() {
    let mut table = Setup::new(THREE).phonies(&["HORN"]).start();
    table.ok(A, "8F HORN");
    table.ok(A, "resign");
    let closed = table.last.iter().find_map(|event| match event {
        Event::Public(PublicEvent::WindowClosed { reason, .. }) => Some(*reason),
        _ => None,
    });
    assert_eq!(closed, Some(WindowClose::AuthorRetired));
    assert_eq!(table.state().tiles().board().len(), 4);
    assert_eq!(table.on_turn(), B);
}

/// The window closes when the last eligible opponent leaves.
#[test]
fn a_window_closes_when_no_seat_can_challenge() {
    let mut table = Setup::new(THREE).start();
    table.ok(A, "8F HORN");
    table.ok(B, "accept");
    table.ok(C, "resign");
    assert!(
        table.state().window().is_none(),
        "all who are left accepted"
    );
    assert_eq!(table.on_turn(), B);
}

#[test]
fn a_flag_takes_one_seat_out_of_three() {
    let mut table = Setup::new(THREE)
        .with(|options| options.clock = ClockKind::SuddenDeath { initial_ms: 60_000 })
        .start();
    table.ok(A, "8F HORN");
    table.wait(60_000);
    assert_eq!(table.on_turn(), C);
    table.wait(60_000);
    assert_eq!(table.outcome().reason, EndReason::Time);
    assert_eq!(ranks(&table), [1, 3, 2]);
}

/// The flag of the seat on turn closes the window it had left open.
#[test]
fn a_flag_closes_the_window() {
    let mut table = Setup::new(THREE)
        .with(|options| {
            options.clock = ClockKind::SuddenDeath { initial_ms: 10_000 };
        })
        .start();
    table.ok(A, "8F HORN");
    table.wait(10_000);
    assert_eq!(table.last_kinds(), ["closed", "drawn", "retired", "turn"]);
}

/// A vanished opponent's game can be claimed after a visible countdown.
#[test]
fn a_vanished_opponent_can_be_claimed_against() {
    let mut table = Setup::new(TWO).start();
    table.input(Input::Vanished(B));
    let claim_at = table.now.plus(60_000);
    assert_eq!(
        table.refused(A, "claim 1"),
        Rejection::CannotClaim {
            claim_at: Some(claim_at)
        }
    );
    table.now = table.now.plus(30_000);
    table.input(Input::Returned(B));
    table.now = table.now.plus(60_000);
    assert_eq!(
        table.refused(A, "claim 1"),
        Rejection::CannotClaim { claim_at: None }
    );
    table.input(Input::Vanished(B));
    table.now = table.now.plus(60_000);
    table.ok(A, "claim 1");
    assert_eq!(table.outcome().reason, EndReason::Abandonment);
    assert_eq!(table.outcome().winners, [A]);
}

#[test]
fn a_correspondence_game_does_not_record_absence() {
    let mut table = Setup::new(TWO)
        .with(|options| {
            options.clock = ClockKind::PerMove {
                limit_ms: 72 * 3_600_000,
                bank_ms: 0,
            };
        })
        .start();
    table.input(Input::Vanished(B));
    assert_eq!(table.last_kinds(), [""; 0]);
}

#[test]
fn a_claim_names_an_absent_opponent() {
    let mut table = Setup::new(TWO).start();
    table.input(Input::Vanished(A));
    table.now = table.now.plus(60_000);
    for text in ["claim 0", "claim 1", "claim 7"] {
        assert!(matches!(
            table.refused(A, text),
            Rejection::CannotClaim { .. }
        ));
    }
    table.ok(B, "claim 0");
}

/// With one rack missing from the count the out player gains the active racks only.
#[test]
fn a_retired_rack_counts_for_no_seat() {
    let mut table = Setup::new(&["HORN", "QZ??", "AE??"]).only("").start();
    table.ok(B, "resign");
    table.ok(A, "8F HORN");
    table.ok(C, "accept");
    assert_eq!(table.finals(), [14 + 2, 0, -2]);
    assert_eq!(ranks(&table), [1, 3, 2]);
}

/// The out player leaves while the last play can be challenged: the play stands, the game is over.
#[test]
fn leaving_the_final_phase() {
    let mut table = Setup::new(&["HORN", "QZ??", "AE??"]).only("").start();
    table.ok(A, "8F HORN");
    table.ok(A, "resign");
    assert_eq!(table.outcome().reason, EndReason::OutPlay);
    assert_eq!(table.outcome().winners, [C]);
    let mut table = Setup::new(&["HORN", "QZ??"]).only("").start();
    table.ok(A, "8F HORN");
    table.ok(B, "resign");
    assert_eq!(table.outcome().winners, [A]);
}
