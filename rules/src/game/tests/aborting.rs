//! R-SETUP-10 in rated games: abort by consent.

use super::*;
use crate::clock::ClockKind;
use crate::event::{AbortDecline, EndReason};
use crate::options::OptionsError;
use crate::state::{AbortRequest, Phase};

fn rated() -> Setup {
    Setup::new(&["HORNFAM", "PASTEOB"]).with(|options| options.rated = true)
}

fn declined(table: &Table) -> Option<AbortDecline> {
    table.last.iter().find_map(|event| match event {
        Event::Public(PublicEvent::AbortDeclined { reason, .. }) => Some(*reason),
        _ => None,
    })
}

#[test]
fn before_the_deal_any_player_aborts_a_rated_game() {
    let mut table = rated().seated();
    table.ok(A, "ready");
    table.ok(B, "abort");
    assert_eq!(table.outcome().reason, EndReason::Aborted);
    assert_eq!(table.outcome().aborter, Some(B));
}

/// A player who has seen the rack cannot leave the game alone.
#[test]
fn after_the_deal_the_other_seat_has_to_agree() {
    let mut table = rated().start();
    let asked_at = table.now;
    table.ok(A, "abort");
    assert_eq!(table.last_kinds(), ["abort requested"]);
    assert_eq!(table.state().phase(), Phase::Running);
    let open = AbortRequest {
        seat: A,
        until: asked_at.plus(60_000),
    };
    assert_eq!(table.state().abort_request(), Some(open));
    assert_eq!(table.game.next_deadline(), Some(open.until));
    // The seat that asks cannot agree to its own request.
    assert_eq!(table.refused(A, "agree"), Rejection::NoAbortRequest);
    assert_eq!(table.refused(A, "abort"), Rejection::AlreadyRequested);
    table.ok(B, "agree");
    assert_eq!(table.outcome().reason, EndReason::Aborted);
    assert_eq!(table.outcome().aborter, Some(A));
    assert!(table.outcome().winners.is_empty());
    assert_eq!(table.state().abort_request(), None);
}

#[test]
fn to_ask_while_the_other_seat_asks_is_to_agree() {
    let mut table = rated().start();
    table.ok(B, "abort");
    table.ok(A, "abort");
    assert_eq!(table.outcome().aborter, Some(B));
}

#[test]
fn a_refusal_declines_and_a_seat_asks_once() {
    let mut table = rated().start();
    assert_eq!(table.refused(B, "decline"), Rejection::NoAbortRequest);
    table.ok(A, "abort");
    table.ok(B, "decline");
    assert_eq!(declined(&table), Some(AbortDecline::Refused));
    assert_eq!(table.refused(B, "agree"), Rejection::NoAbortRequest);
    assert_eq!(table.refused(A, "abort"), Rejection::AlreadyRequested);
    // The other seat has a request of its own.
    table.ok(B, "abort");
    table.ok(A, "decline");
    assert_eq!(table.refused(B, "abort"), Rejection::AlreadyRequested);
    assert_eq!(table.state().phase(), Phase::Running);
}

#[test]
fn silence_declines_when_the_time_is_over() {
    let mut table = rated()
        .with(|options| options.timing.abort_ms = 30_000)
        .start();
    table.ok(A, "abort");
    table.wait(29_999);
    assert!(table.state().abort_request().is_some());
    table.wait(1);
    assert_eq!(declined(&table), Some(AbortDecline::Expired));
    assert_eq!(table.refused(B, "agree"), Rejection::NoAbortRequest);
}

#[test]
fn an_answer_at_the_deadline_comes_too_late() {
    let mut table = rated().start();
    table.ok(A, "abort");
    table.now = table.now.plus(60_000);
    assert_eq!(table.refused(B, "agree"), Rejection::NoAbortRequest);
    assert_eq!(declined(&table), Some(AbortDecline::Expired));
}

#[test]
fn by_correspondence_the_answer_has_as_long_as_a_turn() {
    let limit_ms = 72 * 3_600_000;
    let mut table = rated()
        .with(|options| {
            options.clock = ClockKind::PerMove {
                limit_ms,
                bank_ms: 0,
            };
        })
        .start();
    table.ok(B, "abort");
    let open = table.state().abort_request().expect("a request is open");
    assert_eq!(open.until, table.now.plus(limit_ms));
}

#[test]
fn a_completed_turn_of_the_seat_that_asked_declines() {
    let check = |turn: &str| {
        let mut table = rated().start();
        table.ok(A, "abort");
        table.ok(A, turn);
        assert_eq!(declined(&table), Some(AbortDecline::Played), "{turn}");
        assert_eq!(table.refused(B, "agree"), Rejection::NoAbortRequest);
    };
    check("8F HORN");
    check("exchange F");
    check("pass");
}

#[test]
fn a_turn_of_the_other_seat_leaves_the_request_open_while_the_game_does_not_count() {
    let mut table = rated().start();
    table.ok(B, "abort");
    table.ok(A, "pass");
    assert_eq!(declined(&table), None);
    assert!(table.state().abort_request().is_some());
    // A had its turn, and B still has not: the request can be accepted.
    table.ok(A, "agree");
    assert_eq!(table.outcome().aborter, Some(B));
}

#[test]
fn the_turn_with_which_the_game_counts_declines() {
    let mut table = rated().start();
    table.ok(A, "pass");
    table.ok(A, "abort");
    table.ok(B, "pass");
    assert_eq!(declined(&table), Some(AbortDecline::Played));
    assert_eq!(table.refused(B, "abort"), Rejection::CannotAbort);
}

/// A refused command is no turn: the request stays open.
#[test]
fn a_refused_turn_declines_nothing() {
    let mut table = rated().start();
    table.ok(A, "abort");
    table.refused(A, "exchange Q");
    assert!(table.state().abort_request().is_some());
}

#[test]
fn an_outage_moves_the_deadline() {
    let mut table = rated().start();
    table.ok(A, "abort");
    let before = table.state().abort_request().expect("a request is open");
    let stopped_at = table.now;
    table.now = table.now.plus(90_000);
    table.input(Input::Resumed { stopped_at });
    let after = table.state().abort_request().expect("a request is open");
    assert_eq!(after.until, before.until.plus(90_000));
}

#[test]
fn a_resignation_ends_the_game_beside_an_open_request() {
    let mut table = rated().start();
    table.ok(A, "abort");
    table.ok(A, "resign");
    assert_eq!(table.outcome().reason, EndReason::Resignation);
    assert_eq!(table.outcome().winners, [B]);
    assert_eq!(table.refused(B, "agree"), Rejection::GameOver);
}

#[test]
fn a_retry_of_a_request_gets_the_first_answer() {
    let mut table = rated().start();
    let first = table.send_as(A, "x", "abort");
    assert_eq!(table.send_as(A, "x", "abort"), first);
    assert!(table.last.is_empty());
}

/// In a casual game nobody is asked.
#[test]
fn a_casual_game_has_no_requests() {
    let mut table = Setup::new(&["HORNFAM", "PASTEOB"]).start();
    assert_eq!(table.refused(B, "agree"), Rejection::NoAbortRequest);
    table.ok(A, "abort");
    assert_eq!(table.outcome().aborter, Some(A));
}

#[test]
fn a_rated_game_has_two_seats() {
    let rules = RuleSet::classic();
    let mut options = GameOptions::classic("words");
    options.rated = true;
    assert_eq!(options.validate(&rules), Ok(()));
    options.seats = 3;
    let refused: Result<(), OptionsError> = options.validate(&rules);
    assert_eq!(refused.expect_err("three seats").field, "rated");
}
