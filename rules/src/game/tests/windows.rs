//! R-CHAL and R-HOLD: the opening and closing of challenge windows, acceptance, holds.

use super::challenges::{THREE, TWO, closed_by, verdict};
use super::*;
use crate::event::{HoldEnd, Verdict, WindowClose};

/// 000-C-G8a, 003-C2, 003-C3, C2: the actions that close a window; a later challenge is refused.
#[test]
fn a_window_closes_with_the_next_turn() {
    let mut table = Setup::new(TWO).start();
    table.ok(A, "8F HORN");
    let horn = table.last_play();
    table.ok(B, "H6 PA.T");
    assert_eq!(closed_by(&table), WindowClose::NextTurn);
    assert_eq!(
        table.last_kinds(),
        ["closed", "drawn", "play", "turn"],
        "dealt before anything else"
    );
    let late = Command {
        seat: B,
        cmd_id: "late".to_owned(),
        digest: 0,
        received_at: table.now,
        lag_ms: 0,
        action: Action::Challenge(horn),
    };
    let answer = table.input(Input::Command(late)).remove(0);
    assert_eq!(answer.outcome, Err(Rejection::WindowClosed));
}

#[test]
fn an_illegal_command_does_not_close_the_window() {
    let mut table = Setup::new(TWO).start();
    table.ok(A, "8F HORN");
    table.refused(B, "1A PAST");
    assert!(table.state().window().is_some());
    table.ok(B, "challenge");
}

#[test]
fn a_window_closes_by_its_timer() {
    let mut table = Setup::new(TWO).start();
    table.ok(A, "8F HORN");
    table.wait(19_999);
    assert!(table.state().window().is_some());
    table.wait(1);
    assert_eq!(closed_by(&table), WindowClose::Timer);
    assert_eq!(table.last_kinds(), ["closed", "drawn"]);
    assert_eq!(table.refused(B, "challenge"), Rejection::WindowClosed);
    assert_eq!(table.on_turn(), B);
}

/// The printed rule to the letter: no timer, open until the next player has completed a turn.
#[test]
fn a_window_without_timer_stays_open() {
    let mut table = Setup::new(TWO)
        .with(|options| options.challenge.window_ms = None)
        .phonies(&["HORN"])
        .start();
    table.ok(A, "8F HORN");
    table.wait(600_000);
    table.ok(B, "challenge");
    assert_eq!(verdict(&table).0, Verdict::Off);
}

#[test]
fn a_window_closes_when_all_opponents_accept() {
    let mut table = Setup::new(THREE).start();
    table.ok(A, "8F HORN");
    table.ok(C, "accept");
    assert!(table.state().window().is_some());
    assert_eq!(table.refused(C, "accept"), Rejection::AlreadyAccepted);
    assert_eq!(
        table.refused(C, "challenge"),
        Rejection::AlreadyAccepted,
        "accepting is final"
    );
    table.ok(B, "accept");
    assert_eq!(closed_by(&table), WindowClose::Accepted);
    assert_eq!(table.rack(A).len(), 7);
}

/// A fast next player must not take away the others' chance to challenge.
#[test]
fn a_fast_turn_waits_for_the_other_opponents() {
    let mut table = Setup::new(THREE).start();
    table.ok(A, "8F HORN");
    table.now = table.now.plus(1_000);
    assert_eq!(table.send_as(B, "fast", "H6 PA.T"), None, "waits");
    assert_eq!(table.refused(B, "pass"), Rejection::CommandWaiting);
    let play = table.last_play();
    table.wait(3_999);
    assert_eq!(table.last_kinds(), [""; 0]);
    let answers = table.wait(1);
    assert_eq!(answers[0].cmd_id, "fast");
    assert!(answers[0].outcome.is_ok());
    assert_ne!(table.last_play(), play);
    // Its clock stopped when the command came.
    assert_eq!(table.state().clocks().main_ms[1], 25 * 60_000 - 1_000);
    assert_eq!(table.on_turn(), C);
}

#[test]
fn a_waiting_turn_takes_effect_when_the_others_accept() {
    let mut table = Setup::new(THREE).start();
    table.ok(A, "8F HORN");
    assert_eq!(table.send_as(B, "fast", "pass"), None);
    table.ok(C, "accept");
    assert_eq!(
        table.last_kinds(),
        ["accepted", "closed", "drawn", "passed", "turn"]
    );
    assert_eq!(table.on_turn(), C);
}

/// One connection can overtake another: the game can get an acceptance after a waiting turn that the server received
/// later. The turn takes effect no earlier than the moment its clock stopped, and the next clock runs from that moment.
#[test]
fn a_waiting_turn_does_not_take_effect_before_it_came() {
    let mut table = Setup::new(THREE).start();
    table.ok(A, "8F HORN");
    let played = table.now;
    table.now = played.plus(352);
    assert_eq!(table.send_as(B, "fast", "pass"), None);
    let accept = Command {
        seat: C,
        cmd_id: "early".to_owned(),
        digest: 0,
        received_at: played.plus(350),
        lag_ms: 0,
        action: Action::Accept(table.last_play()),
    };
    table.input(Input::Command(accept));
    assert_eq!(table.on_turn(), C);
    assert_eq!(table.state().clocks().main_ms[1], 25 * 60_000 - 352);
    assert_eq!(table.state().last_at(), played.plus(352));
}

/// When a challenged play comes off the board, a turn that waited for it was meant for another position.
#[test]
fn a_waiting_turn_is_refused_when_the_play_comes_off() {
    let mut table = Setup::new(THREE).phonies(&["HORN"]).start();
    table.ok(A, "8F HORN");
    assert_eq!(table.send_as(B, "fast", "H6 PA.T"), None);
    let challenge = Command {
        seat: C,
        cmd_id: "c".to_owned(),
        digest: 0,
        received_at: table.now,
        lag_ms: 0,
        action: Action::Challenge(table.last_play()),
    };
    let answers = table.input(Input::Command(challenge));
    assert_eq!(answers.len(), 2);
    assert!(matches!(
        answers[1].outcome,
        Err(Rejection::WrongPosition { .. })
    ));
    assert_eq!(table.on_turn(), B);
}

/// NASPA IV.I: the holder's own clock runs, turns wait, and the window stays open.
#[test]
fn a_hold_stops_the_turn_and_runs_the_holders_clock() {
    let mut table = Setup::new(THREE).start();
    table.ok(A, "8F HORN");
    table.now = table.now.plus(2_000);
    table.ok(C, "hold");
    let until = table.state().window().unwrap().hold.unwrap().until;
    assert_eq!(until, table.now.plus(58_000), "60 s after the play");
    assert_eq!(table.refused(B, "pass"), Rejection::Held { until });
    assert_eq!(table.refused(B, "hold"), Rejection::Held { until });
    table.wait(30_000);
    assert!(table.state().window().is_some(), "past its timer, but held");
    table.ok(C, "release");
    assert_eq!(table.last_kinds(), ["hold ended", "closed", "drawn"]);
    let clocks = table.state().clocks();
    assert_eq!(
        clocks.main_ms[1],
        25 * 60_000 - 2_000,
        "B stood while C held"
    );
    assert_eq!(clocks.main_ms[2], 25 * 60_000 - 30_000);
    assert_eq!(clocks.running.unwrap().seat, B);
}

#[test]
fn a_hold_ends_at_its_limit() {
    let mut table = Setup::new(TWO).start();
    table.ok(A, "8F HORN");
    table.ok(B, "hold");
    table.wait(59_999);
    assert!(table.state().window().is_some());
    table.wait(1);
    assert_eq!(table.last_kinds(), ["hold ended", "closed", "drawn"]);
    assert_eq!(table.refused(B, "hold"), Rejection::WindowClosed);
}

#[test]
fn each_seat_holds_once_per_play() {
    let mut table = Setup::new(TWO).start();
    table.ok(A, "8F HORN");
    table.ok(B, "hold");
    assert_eq!(
        table.refused(B, "pass"),
        Rejection::Held {
            until: table.now.plus(60_000)
        }
    );
    table.ok(B, "release");
    assert_eq!(table.refused(B, "hold"), Rejection::HoldUsed);
    assert_eq!(table.refused(B, "release"), Rejection::NotHeld);
}

#[test]
fn a_challenge_or_acceptance_ends_the_hold() {
    let ended = |table: &Table| {
        table.last.iter().find_map(|event| match event {
            Event::Public(PublicEvent::HoldEnded { reason, .. }) => Some(*reason),
            _ => None,
        })
    };
    let mut table = Setup::new(TWO).start();
    table.ok(A, "8F HORN");
    table.ok(B, "hold");
    table.ok(B, "challenge");
    assert_eq!(ended(&table), Some(HoldEnd::Challenged));
    let mut table = Setup::new(TWO).start();
    table.ok(A, "8F HORN");
    table.ok(B, "hold");
    table.ok(B, "accept");
    assert_eq!(ended(&table), Some(HoldEnd::Accepted));
    assert_eq!(closed_by(&table), WindowClose::Accepted);
}

/// The game refuses a hold where no challenge is legal, and always after a minute.
#[test]
fn a_hold_can_be_too_late() {
    let mut table = Setup::new(TWO)
        .with(|options| options.challenge.window_ms = None)
        .start();
    table.ok(A, "8F HORN");
    table.wait(60_000);
    assert_eq!(table.refused(B, "hold"), Rejection::CannotHold);
}
