//! R-ADMIN-3 to R-ADMIN-7: an operator pauses a game and gives time; the server resigns for an erased player.

use super::challenges::THREE;
use super::*;
use crate::clock::ClockKind;
use crate::event::Adjudication;
use crate::game::Order;
use crate::options::PAUSE_MAX_MS;

const TWO: &[&str] = &["HORNFAM", "PASTEOB"];
const HOUR_MS: i64 = 3_600_000;

fn sudden() -> Setup {
    Setup::new(TWO).with(|options| {
        options.clock = ClockKind::SuddenDeath { initial_ms: 60_000 };
    })
}

/// Pauses the game for an hour.
fn pause(table: &mut Table) -> Timestamp {
    let until = table.now.plus(HOUR_MS);
    table.input(Input::Ordered(Order::Pause { until }));
    assert_eq!(table.last_kinds(), ["paused"]);
    until
}

fn go_on(table: &mut Table) {
    table.input(Input::Ordered(Order::Continue));
    assert_eq!(table.last_kinds(), ["credited"]);
    assert_eq!(table.state().pause(), None);
}

#[test]
fn no_clock_runs_in_a_pause() {
    let mut table = sudden().start();
    let flag = table.game.next_deadline().expect("a flag");
    table.wait(20_000);
    let until = pause(&mut table);
    assert_eq!(table.state().clocks().running, None);
    assert_eq!(table.state().clocks().main_ms, [40_000, 60_000]);
    assert_eq!(table.game.next_deadline(), Some(until));
    for command in ["pass", "resign", "nudge", "adjourn"] {
        let refused = table.refused(A, command);
        assert_eq!(refused, Rejection::Paused { until }, "{command}");
    }
    table.wait(50_000);
    assert!(table.last.is_empty(), "no flag falls");
    go_on(&mut table);
    assert_eq!(table.game.next_deadline(), Some(flag.plus(50_000)));
    table.wait(39_999);
    table.ok(A, "pass");
    assert_eq!(table.state().clocks().main_ms, [1, 60_000]);
}

#[test]
fn a_pause_ends_by_itself_and_is_not_too_long() {
    let mut table = sudden().start();
    for ms in [0, PAUSE_MAX_MS + 1] {
        let until = table.now.plus(ms);
        table.input(Input::Ordered(Order::Pause { until }));
        assert!(table.last.is_empty(), "{ms}");
    }
    pause(&mut table);
    let until = table.now.plus(2 * HOUR_MS);
    table.input(Input::Ordered(Order::Pause { until }));
    assert!(table.last.is_empty(), "a paused game is not paused again");
    table.wait(HOUR_MS + 59_999);
    assert_eq!(table.last_kinds(), ["credited"]);
    assert_eq!(table.state().pause(), None);
    table.ok(A, "pass");
    table.input(Input::Ordered(Order::Continue));
    assert!(table.last.is_empty(), "the game is not paused");
}

#[test]
fn an_outage_in_a_pause_is_part_of_it() {
    let mut table = sudden().start();
    table.wait(10_000);
    let until = pause(&mut table);
    let stopped_at = table.now.plus(1_000);
    table.now = until.plus(-1);
    table.input(Input::Resumed { stopped_at });
    assert!(table.last.is_empty(), "the pause goes on");
    table.now = until.plus(5_000);
    table.input(Input::Resumed { stopped_at });
    assert_eq!(table.last_kinds(), ["credited"]);
    table.wait(49_999);
    table.ok(A, "pass");
    assert_eq!(table.state().clocks().main_ms, [1, 60_000]);
}

#[test]
fn a_game_is_paused_before_its_first_turn_and_by_correspondence() {
    let mut table = sudden().seated();
    let ready_by = table.game.next_deadline().expect("a deadline");
    pause(&mut table);
    table.wait(HOUR_MS / 2);
    go_on(&mut table);
    assert_eq!(table.game.next_deadline(), Some(ready_by.plus(HOUR_MS / 2)));
    let days = |options: &mut GameOptions| {
        options.clock = ClockKind::PerMove {
            limit_ms: 72 * HOUR_MS,
            bank_ms: 0,
        };
    };
    let mut table = Setup::new(TWO).with(days).start();
    let flag = table.game.next_deadline().expect("a limit");
    pause(&mut table);
    table.wait(HOUR_MS / 2);
    go_on(&mut table);
    assert_eq!(table.game.next_deadline(), Some(flag.plus(HOUR_MS / 2)));
}

#[test]
fn a_challenge_window_moves_by_the_pause() {
    let mut table = Setup::new(THREE).challenge(ChallengeKind::Double).start();
    table.ok(A, "8F HORN");
    let before = table.state().window().expect("a window").clone();
    assert_eq!(table.send(B, "pass"), None, "the turn waits for C");
    let until = table.now.plus(HOUR_MS);
    let answers = table.input(Input::Ordered(Order::Pause { until }));
    assert_eq!(answers.len(), 1, "the turn that waited is refused");
    assert_eq!(answers[0].outcome, Err(Rejection::Paused { until }));
    table.wait(1_000);
    go_on(&mut table);
    let window = table.state().window().expect("the window is open");
    let moved = before.closes_at.map(|at| at.plus(1_000));
    assert_eq!(window.closes_at, moved);
    assert_eq!(window.opened_at, before.opened_at.plus(1_000));
    table.ok(C, "challenge");
}

#[test]
fn nobody_is_away_in_a_pause_and_a_paused_game_can_be_ended() {
    let mut table = sudden().start();
    pause(&mut table);
    table.input(Input::Vanished(B));
    assert!(table.last.is_empty());
    table.wait(5_000);
    table.input(Input::Ordered(Order::End(Adjudication::Draw)));
    assert_eq!(table.outcome().winners, [A, B]);
    assert_eq!(table.outcome().clocks.main_ms, [60_000, 60_000]);
    assert_eq!(table.state().pause(), None);
    let until = table.now.plus(HOUR_MS);
    table.input(Input::Ordered(Order::Pause { until }));
    assert!(table.last.is_empty(), "the game is over");
}

#[test]
fn an_operator_gives_time() {
    let mut table = sudden().with(|options| options.rated = true).start();
    let give = |seat, time_ms| Input::Ordered(Order::Give { seat, time_ms });
    table.wait(20_000);
    table.input(give(A, HOUR_MS));
    assert_eq!(table.last_kinds(), ["time given"]);
    assert_eq!(table.state().clocks().main_ms, [60_000 + HOUR_MS, 60_000]);
    assert_eq!(table.state().seats()[0].gifts, 0, "no gift of the seat");
    for (seat, time_ms) in [(A, 999), (A, 604_800_001), (Seat(2), 60_000)] {
        table.input(give(seat, time_ms));
        assert!(table.last.is_empty(), "{seat} {time_ms}");
    }
    pause(&mut table);
    table.input(give(B, 1_000));
    assert_eq!(table.last_kinds(), ["time given"]);
    go_on(&mut table);
    assert_eq!(table.state().clocks().main_ms[1], 61_000);
    let mut untimed = Setup::new(TWO)
        .with(|options| options.clock = ClockKind::Untimed)
        .start();
    untimed.input(give(A, 60_000));
    assert!(untimed.last.is_empty());
}

#[test]
fn the_server_resigns_for_an_erased_player() {
    let resign = |seat| Input::Ordered(Order::Resign { seat });
    let mut table = sudden().start();
    table.input(resign(B));
    assert_eq!(table.outcome().winners, [A]);
    table.input(resign(A));
    assert!(table.last.is_empty(), "the game is over");

    let mut paused = sudden().start();
    pause(&mut paused);
    paused.input(resign(A));
    assert_eq!(paused.state().pause(), None);
    assert_eq!(paused.outcome().winners, [B]);

    let mut waiting = sudden().seated();
    waiting.input(resign(A));
    assert!(waiting.outcome().winners.is_empty(), "no turn was played");

    let mut three = Setup::new(THREE).start();
    three.input(resign(A));
    assert!(three.state().outcome().is_none(), "the others play on");
    three.input(resign(A));
    assert!(three.last.is_empty(), "the seat has left");
    three.input(resign(Seat(7)));
    assert!(three.last.is_empty(), "there is no such seat");
}
