//! R-CHAL-6: what everyone sees of a turn that waits, and what its sender can do meanwhile.

use super::challenges::THREE;
use super::*;
use crate::event::{HoldEnd, Retirement};
use crate::options::Consent;
use crate::time::TurnNo;

const MINUTE: i64 = 60_000;

/// A three-seat game in which seat 1 passes a second after the play of seat 0, and the pass waits.
fn waiting(setup: Setup) -> Table {
    let mut table = setup.start();
    table.ok(A, "8F HORN");
    table.now = table.now.plus(1_000);
    table.lag_ms = 42;
    assert_eq!(table.send_as(B, "fast", "pass"), None, "waits");
    table.lag_ms = 0;
    table
}

/// Returns the main time that everyone sees of a seat, and whether its clock runs.
fn shown(table: &Table, seat: Seat) -> (i64, bool) {
    let clocks = table.game.waiting_turn().unwrap().clocks;
    let runs = clocks.running.is_some_and(|running| running.seat == seat);
    (clocks.main_ms[seat.index()], runs)
}

#[test]
fn everyone_sees_that_a_turn_waits_with_the_clock_as_it_is_charged() {
    let mut table = Setup::new(THREE).start();
    table.ok(A, "8F HORN");
    let played = table.now;
    assert_eq!(table.game.waiting_turn(), None);
    table.now = played.plus(1_000);
    table.lag_ms = 42;
    assert_eq!(table.send_as(B, "fast", "pass"), None);
    let waiting = table.game.waiting_turn().unwrap();
    assert_eq!((waiting.turn_no, waiting.seat), (TurnNo(2), B));
    assert_eq!(waiting.until, played.plus(5_000));
    assert_eq!(shown(&table, B), (25 * MINUTE - 958, false));
    table.wait(4_000);
    assert_eq!(table.game.waiting_turn(), None);
    assert_eq!(table.state().clocks().main_ms[1], 25 * MINUTE - 958);
}

#[test]
fn a_hold_of_another_seat_makes_a_turn_wait_for_longer() {
    let mut table = waiting(Setup::new(THREE));
    let played = table.now.plus(-1_000);
    table.now = played.plus(4_000);
    table.ok(C, "hold");
    let until = table.game.waiting_turn().unwrap().until;
    assert_eq!(until, played.plus(60_000), "as long as the hold lasts");
    assert_eq!(shown(&table, B), (25 * MINUTE - 958, false));
    assert_eq!(shown(&table, C), (25 * MINUTE, true));
    table.now = played.plus(4_500);
    table.ok(C, "release");
    let until = table.game.waiting_turn().unwrap().until;
    assert_eq!(until, played.plus(5_000));
    assert_eq!(shown(&table, B), (25 * MINUTE - 958, false));
    table.wait(500);
    assert_eq!(table.on_turn(), C);
    let main_ms = &table.state().clocks().main_ms;
    assert_eq!(
        (main_ms[1], main_ms[2]),
        (25 * MINUTE - 958, 25 * MINUTE - 500)
    );
}

#[test]
fn a_turn_waits_until_the_author_has_answered_a_challenge() {
    let setup = Setup::new(THREE).with(|options| options.challenge.consent = Consent::Asked);
    let mut table = waiting(setup);
    table.wait(2_000);
    table.ok(C, "challenge");
    let asked = table.now;
    let until = table.game.waiting_turn().unwrap().until;
    assert_eq!(until, asked.plus(30_000), "as long as the author may think");
    table.wait(29_999);
    assert!(table.game.waiting_turn().is_some());
    table.wait(1);
    assert_eq!(table.game.waiting_turn(), None);
    // The pass took effect, and the challenger lost the turn after it.
    assert_eq!(table.on_turn(), A);
}

#[test]
fn a_seat_whose_turn_waits_can_judge_the_play() {
    for word in ["accept", "hold", "challenge"] {
        let mut table = waiting(Setup::new(THREE).phonies(&["HORN"]));
        assert_eq!(table.refused(B, "pass"), Rejection::CommandWaiting);
        table.ok(B, word);
        assert_eq!(table.game.waiting_turn().is_some(), word != "challenge");
    }
    // The play came off, so the turn that waited was meant for another position.
    let mut table = waiting(Setup::new(THREE).phonies(&["HORN"]));
    table.ok(B, "challenge");
    assert_eq!(table.on_turn(), B);
    assert_eq!(table.refused(B, "withdraw"), Rejection::NoChallengePending);
}

#[test]
fn a_seat_whose_turn_waits_loses_that_turn_by_a_wrong_challenge() {
    let mut table = waiting(Setup::new(THREE));
    let challenge = Command {
        seat: B,
        cmd_id: "c".to_owned(),
        digest: 0,
        received_at: table.now,
        lag_ms: 0,
        action: Action::Challenge(table.last_play()),
    };
    let answers = table.input(Input::Command(challenge));
    let outcomes: Vec<_> = answers
        .iter()
        .map(|answer| answer.outcome.is_ok())
        .collect();
    assert_eq!(outcomes, [true, false]);
    assert_eq!(answers[1].outcome, Err(Rejection::NotYourTurn));
    assert_eq!(table.on_turn(), C);
    assert_eq!(table.state().clocks().main_ms[1], 25 * MINUTE - 958);
}

#[test]
fn a_seat_whose_turn_waits_can_resign() {
    let mut table = waiting(Setup::new(THREE));
    let before = table.log.len();
    table.ok(B, "resign");
    assert_eq!(table.game.waiting_turn(), None);
    let retired = table.log[before..]
        .iter()
        .find_map(|record| match &record.event {
            Event::Public(PublicEvent::SeatRetired { seat, reason }) => Some((*seat, *reason)),
            _ => None,
        });
    assert_eq!(retired, Some((B, Retirement::Resigned)));
    assert_eq!(table.on_turn(), C);
}

/// R-HOLD-3: a hold costs the holder's time, also when its turn is already made.
#[test]
fn the_own_hold_runs_the_clock_of_a_seat_whose_turn_waits() {
    let mut table = waiting(Setup::new(THREE));
    table.now = table.now.plus(2_000);
    table.ok(B, "hold");
    assert_eq!(shown(&table, B), (25 * MINUTE - 958, true));
    table.now = table.now.plus(10_000);
    table.ok(B, "release");
    assert_eq!(
        table.on_turn(),
        C,
        "the other seats have had their five seconds"
    );
    assert_eq!(table.state().clocks().main_ms[1], 25 * MINUTE - 10_958);
}

#[test]
fn a_flag_falls_during_the_own_hold_of_a_seat_whose_turn_waits() {
    let short = |options: &mut GameOptions| {
        options.clock = crate::clock::ClockKind::SuddenDeath { initial_ms: 20_000 };
    };
    let mut table = waiting(Setup::new(THREE).with(short));
    table.ok(B, "hold");
    let answers = table.wait(19_042);
    assert_eq!(answers[0].outcome, Err(Rejection::Retired));
    let ended = table.last.iter().find_map(|event| match event {
        Event::Public(PublicEvent::HoldEnded { reason, .. }) => Some(*reason),
        _ => None,
    });
    assert_eq!(ended, Some(HoldEnd::Retired));
    assert_eq!(table.on_turn(), C);
}

#[test]
fn a_turn_that_waits_for_the_author_ends_with_the_resignation_of_its_seat() {
    let setup = Setup::new(THREE).with(|options| options.challenge.consent = Consent::Asked);
    let mut table = waiting(setup);
    table.ok(C, "challenge");
    table.ok(B, "resign");
    assert!(table.state().window().is_some(), "the author still thinks");
    assert_eq!(table.game.waiting_turn(), None);
    assert_eq!(table.on_turn(), C);
}
