//! Processes that stop for a while and continue, as on a suspended or overloaded machine.

use std::thread;
use std::time::Duration;

use tilewire_tests::matches::{Match, Seen};
use tilewire_tests::server::Server;

/// How long a process stands still: longer than the heartbeats below allow. `TILEWIRE_STOPPED_MS` names another time.
const STOPPED_MS: u64 = 2_500;

/// The server closes a connection that is silent for so long.
const IMPATIENT: &str = "[timing]\nheartbeat_ms = 500\nheartbeat_lost_ms = 1500\n";

/// The time the fault takes; nothing is awaited by it.
fn stand_still() {
    let ms = std::env::var("TILEWIRE_STOPPED_MS");
    let ms = ms.map_or(STOPPED_MS, |ms| ms.parse().unwrap());
    thread::sleep(Duration::from_millis(ms));
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
    server.signal("-STOP");
    stand_still();
    server.signal("-CONT");
    game.turn(&mut seen);
    game.turn(&mut seen);

    // The spectator and the player not on turn are stopped; the other player continues.
    game.accept_all();
    let seat = game.on_turn().expect("a turn has begun");
    let idle: Vec<usize> = (0..3).filter(|person| *person != seat).collect();
    for person in &idle {
        game.people[*person].client.signal("-STOP");
    }
    stand_still();
    let answer = game.people[seat].command("pass");
    assert_eq!(answer["type"], "ok", "{answer}");
    for person in &idle {
        game.people[*person].client.signal("-CONT");
    }
    let seq = answer["seq"].as_u64().expect("a number");
    game.people[seat].pump_to(seq);
    game.settle(seat);
    game.play_out(&mut seen);
    game.check();
}
