//! Processes that stop for a while and continue, as on a suspended or overloaded machine.

use std::thread;
use std::time::Duration;

use serde_json::json;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::matches::{Match, Seen};
use tilewire_harness::server::Server;

/// How long a process stands still: longer than the heartbeats below allow. `TILEWIRE_STOPPED_MS` names another time.
const STOPPED_MS: u64 = 2_500;

/// The server closes a connection that is silent for so long.
const IMPATIENT: &str = "[timing]\nheartbeat_ms = 500\nheartbeat_lost_ms = 1500\n";

/// How long a process stands still in this run, ms.
fn stopped_ms() -> u64 {
    let ms = std::env::var("TILEWIRE_STOPPED_MS");
    ms.map_or(STOPPED_MS, |ms| ms.parse().unwrap())
}

/// The time the fault takes; nothing is awaited by it.
fn stand_still() {
    thread::sleep(Duration::from_millis(stopped_ms()));
}

/// A player has less time left than the server stands still. The move that waits in the socket counts, no clock is charged,
/// and no connection is given up.
#[test]
fn a_stall_of_the_server_costs_no_player_time() {
    let server = Server::start(IMPATIENT);
    let initial_ms = stopped_ms() - 500;
    let clock = json!({ "kind": "sudden_death", "initial_ms": initial_ms });
    let mut duel = Duel::start(&server, &options(&clock));
    server.suspend();
    let pass = json!({ "game": duel.game, "cmd_id": "in-the-socket", "turn_no": 1 });
    let sent = duel.wires[0].send("pass", &pass);
    stand_still();
    server.resume();
    let answer = duel.wires[0].answer(sent);
    assert_eq!(answer[0], "ok", "{answer}");
    for seat in 0..2 {
        duel.until(seat, |fold| fold.turn_no == 2);
        let events = &duel.folds[seat].events;
        let credits = events
            .iter()
            .filter(|event| event["kind"] == "clock_credited");
        assert_eq!(credits.count(), 1, "an event credits the stall: {events:?}");
        let started = duel.folds[seat].events.last().expect("a turn began");
        let left = started["clocks"]["main_ms"][0].as_u64().expect("a clock");
        assert!(left > initial_ms / 2, "{left} of {initial_ms} ms are left");
    }
    duel.ok(1, "pass", json!({ "turn_no": 2 }));
}

/// Clients reconnect by themselves, no move is lost or repeated, and all clients see the same game.
#[test]
fn a_game_continues_after_the_server_or_a_client_was_stopped() {
    let server = Server::start(IMPATIENT);
    // The window is still open when all processes run again.
    let options = ["--clock", "sudden:25m", "--challenge", "double,window=60s"];
    let mut game = Match::start(&server, 2, &options);
    let mut seen = Seen {
        upheld: true,
        ..Seen::default()
    };
    game.turn(&mut seen);
    server.suspend();
    stand_still();
    server.resume();
    game.turn(&mut seen);
    game.turn(&mut seen);

    // The spectator and the player not on turn are stopped; the other player continues.
    game.accept_all();
    let seat = game.on_turn().expect("a turn has begun");
    let idle: Vec<usize> = (0..3).filter(|person| *person != seat).collect();
    for person in &idle {
        game.people[*person].client.suspend();
    }
    stand_still();
    let answer = game.people[seat].command("pass");
    assert_eq!(answer["type"], "ok", "{answer}");
    for person in &idle {
        game.people[*person].client.resume();
    }
    let seq = answer["seq"].as_u64().expect("a number");
    game.people[seat].pump_to(seq);
    game.settle(seat);
    game.play_out(&mut seen);
    game.check();
}
