//! The wall clock of the machine is put forward and back between two starts of the server.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

/// The time of each player, ms, and the time that the test itself may take.
const INITIAL_MS: i64 = 25 * 60_000;
const TAKEN_MS: i64 = 2 * 60_000;
/// Milliseconds in a day.
const DAY_MS: i64 = 86_400_000;

/// The wall clock of this process, unix ms.
#[expect(
    clippy::disallowed_methods,
    reason = "the server's time is compared with it"
)]
fn time_of_test() -> i64 {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(since_epoch.as_millis()).unwrap()
}

/// The player on turn passes; returns the clocks afterwards, once both see them.
fn pass(server: &Server, duel: &Duel, turn: u64) -> Value {
    let seat = usize::from(turn.is_multiple_of(2));
    let mut wire = Wire::known(&server.address, &duel.tokens[seat]);
    wire.ok("attach", json!({ "game": duel.game, "seq": 0 }));
    let command = json!({ "game": duel.game, "cmd_id": format!("turn-{turn}"), "turn_no": turn });
    let answer = wire.ask("pass", command);
    assert_eq!(
        answer[0],
        "ok",
        "turn {turn}: {answer}, {:?}",
        wire.take_pushed().last()
    );
    loop {
        let started = wire.event("turn_started");
        if started["turn_no"] == turn + 1 {
            return started["clocks"].clone();
        }
    }
}

/// No player loses a token or time.
#[test]
fn a_changed_wall_clock_costs_no_player_time() {
    let mut server = Server::start("");
    let duel = Duel::start(&server, &options(&json!({ "kind": "sudden_death" })));
    server.kill();
    for (turn, offset) in [(1, "+3d"), (2, "-2d"), (3, "-4d")] {
        server.clock_offset = offset;
        server.start_again();
        let clocks = pass(&server, &duel, turn);
        for seat in 0..2 {
            let left = clocks["main_ms"][seat].as_i64().unwrap();
            assert!(
                (INITIAL_MS - TAKEN_MS..=INITIAL_MS).contains(&left),
                "{offset}: {clocks}"
            );
        }
        server.kill();
    }
    let (is_sound, said) = server.check();
    assert!(is_sound, "{said}");
}

/// No token expires, no game is flagged, and the operator decides which clock is right.
#[test]
fn a_start_with_an_implausible_clock_needs_the_operator() {
    let mut server = Server::start("");
    let by_mail = json!({ "kind": "per_move", "limit_ms": 3 * DAY_MS });
    let duel = Duel::start(&server, &options(&by_mail));
    server.kill();
    for offset in ["+400d", "-400d"] {
        server.clock_offset = offset;
        let said = server.refuses_to_start();
        assert!(said.contains("--accept-clock"), "{said}");
        let (_, refusal) = said.split_once("tilewire-server: ").unwrap();
        assert_eq!(refusal.matches("Z").count(), 2, "both times: {refusal}");
    }
    server.clock_offset = "";
    server.start_again();
    pass(&server, &duel, 1);
    server.kill();

    // The operator accepts a wrong clock, and corrects it.
    server.clock_offset = "+9d";
    let said = server.operate(&["clock", "accept"], "").unwrap();
    assert!(said.starts_with("the next start accepts"), "{said}");
    server.start_again();
    assert!(server.stop(), "it stores a last stamp");
    server.clock_offset = "";
    let said = server.refuses_to_start();
    assert!(said.contains("clock accept"), "{said}");
    server.operate(&["clock", "accept"], "").unwrap();
    server.start_again();
    let (mut wire, _) = Wire::guest(&server.address, "later");
    let time = wire.ok("time", json!({}))["server_time"].as_i64();
    assert!(
        time.unwrap() < time_of_test() + DAY_MS,
        "the time is right again"
    );
    server.kill();
    let said = server.operate(&["clock", "show"], "").unwrap();
    assert_eq!(said.lines().count(), 3, "{said}");
}

/// A game that has just ended is not deleted by a clock that is a retention time ahead.
#[test]
fn retention_waits_after_a_jump_of_the_clock() {
    let config = "[retention]\nfinished_games_days = 2\nsweep_every_ms = 10\n";
    let mut server = Server::start(config);
    let mut duel = Duel::start(&server, &options(&json!({ "kind": "sudden_death" })));
    duel.ok(0, "pass", json!({ "turn_no": 1 }));
    duel.until(1, |fold| fold.turn_no == 2);
    duel.ok(1, "pass", json!({ "turn_no": 2 }));
    duel.ok(0, "resign", json!({}));
    server.kill();
    server.clock_offset = "+3d";
    for _ in 0..2 {
        server.start_again();
        let _later = Duel::start(&server, &options(&json!({ "kind": "sudden_death" })));
        server.kill();
        let (is_sound, said) = server.check();
        assert!(is_sound && said.starts_with("1 finished"), "{said}");
    }
}
