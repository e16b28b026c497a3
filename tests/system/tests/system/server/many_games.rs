//! One connection plays and watches many games, and none of them blocks another.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tilewire_conformance::position::number;
use tilewire_conformance::secrecy::check_secrecy;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

#[test]
fn three_games_played_and_one_watched_on_one_connection() {
    let server = Server::start("");
    let (mut anna, _) = Wire::guest(&server.address, "anna");
    let (mut ben, _) = Wire::guest(&server.address, "ben");
    let setup = options(&json!({ "kind": "untimed" }));
    let mut games = Vec::new();
    for round in 0..3 {
        let opened = anna.ok(
            "seek",
            json!({ "cmd_id": format!("o{round}"), "options": setup }),
        );
        let seek = &opened["seek"]["seek"];
        let joined = ben.ok(
            "join_seek",
            json!({ "cmd_id": format!("j{round}"), "seek": seek }),
        );
        let game = joined["game"].as_str().expect("it begins").to_owned();
        for wire in [&mut anna, &mut ben] {
            wire.ok("attach", json!({ "game": game, "seq": 0 }));
            wire.ok(
                "ready",
                json!({ "game": game, "cmd_id": format!("r{round}") }),
            );
        }
        games.push(game);
    }
    let mut watched = Duel::start(&server, &setup);
    let attached = anna.ok("attach", json!({ "game": watched.game }));
    assert_eq!(attached["role"], "spectator");
    watched.ok(0, "pass", json!({ "turn_no": 1 }));

    // Anna sends a command in each game without waiting for the answers, which may come in any order.
    let pass = |game: &String| json!({ "game": game, "cmd_id": format!("p-{game}"), "turn_no": 1 });
    let mut open: BTreeSet<u64> = games
        .iter()
        .map(|game| anna.send("pass", &pass(game)))
        .collect();
    let mut told: Vec<Value> = anna.take_pushed();
    while !open.is_empty() {
        let message = anna.read().expect("the connection lasts");
        if number(&json!({ "id": message[1] }), "id") > 0 {
            assert_eq!(message[0], "ok", "{message}");
            assert!(
                open.remove(&message[1].as_u64().expect("an id")),
                "each is answered once"
            );
        }
        told.push(message);
    }
    for game in games.iter().chain([&watched.game]) {
        let mine = |message: &Value| message[2]["game"] == **game && message[2]["kind"] == "passed";
        if !told.iter().any(mine) {
            told.push(anna.pushed(mine));
        }
    }
    // Anna sees her own tiles in three games and no tiles in the fourth.
    let (own, other): (Vec<Value>, Vec<Value>) = told
        .into_iter()
        .partition(|message| message[2]["game"] != *watched.game);
    check_secrecy(&own, Some(0));
    check_secrecy(&other, None);
    let listed = anna.ok("list_games", json!({ "scope": "mine" }));
    assert_eq!(
        listed["games"].as_array().map(Vec::len),
        Some(3),
        "hers, and not the one she watches"
    );
    let live = anna.ok("list_games", json!({ "scope": "live" }));
    assert_eq!(live["games"].as_array().map(Vec::len), Some(4));
}
