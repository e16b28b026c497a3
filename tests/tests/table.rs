//! Whole evenings at a table, with real processes.

use serde_json::{Value, json};
use tilewire_tests::PATIENCE;
use tilewire_tests::duel::{Duel, options};
use tilewire_tests::http::ask;
use tilewire_tests::server::Server;
use tilewire_tests::wire::Wire;

fn clock() -> Value {
    options(&json!({ "kind": "sudden_death", "initial_ms": 600_000 }))
}

/// Says that both players of a game are ready, and returns the setup and the seat that has the first turn.
fn begin(wires: &mut [Wire], game: &str) -> (Value, u64) {
    for wire in wires.iter_mut() {
        wire.ok("attach", json!({ "game": game, "seq": 0 }));
        wire.ok("ready", json!({ "game": game, "cmd_id": "ready" }));
    }
    let created = wires[0].event("created");
    let started = wires[0].event("turn_started");
    let seat = started["seat"].as_u64().expect("a seat");
    (created["setup"].clone(), seat)
}

fn offer(wire: &mut Wire, game: &str) -> String {
    let next = wire.ok(
        "offer_rematch",
        json!({ "game": game, "cmd_id": format!("again-{game}") }),
    );
    next["game"].as_str().expect("the new game").to_owned()
}

/// Sends a request to the API.
fn api(server: &Server, request: &str, token: &str, body: &Value) -> Value {
    let mut headers = format!("Authorization: Bearer {token}\r\n");
    let text = match body {
        Value::Null => String::new(),
        body => {
            headers.push_str("Content-Type: application/json\r\n");
            body.to_string()
        }
    };
    let (method, path) = request.split_once(' ').expect("a method and a path");
    let request = format!("{method} /api/v1{path}");
    let answer = ask(&server.address, &request, &headers, &text).expect("an answer");
    assert!((200..300).contains(&answer.status), "{request}: {answer:?}");
    serde_json::from_str(&answer.body).expect("JSON")
}

/// Asks for the games of both players until so many have a result.
#[expect(clippy::disallowed_methods, reason = "a test must not wait for ever")]
fn head_to_head(server: &Server, token: &str, games: u64) -> Value {
    let since = std::time::Instant::now();
    loop {
        let found = api(server, "GET /players/anna/versus/ben", token, &Value::Null);
        let all = ["won", "lost", "shared"].map(|how| found["all"][how].as_u64().unwrap_or(0));
        if all.iter().sum::<u64>() == games {
            return found;
        }
        assert!(since.elapsed() < PATIENCE, "{found}: {}", server.log());
        std::thread::yield_now();
    }
}

/// Three games of a series: the start rotates, the score goes along, and the server is killed while an offer stands.
#[test]
fn a_series_of_three_survives_the_server() {
    let mut server = Server::start("");
    let mut duel = Duel::start(&server, &clock());
    let tokens = duel.tokens.clone();
    for (token, handle) in tokens.iter().zip(["anna", "ben"]) {
        let body = json!({ "handle": handle, "password": "seven crooked lanterns" });
        api(&server, "POST /register", token, &body);
    }
    let mut wires = std::mem::take(&mut duel.wires);
    wires[1].ok("resign", json!({ "game": duel.game, "cmd_id": "resign" }));

    let second = offer(&mut wires[0], &duel.game);
    let asked = wires[1].pushed(|message| message[0] == "rematch");
    assert_eq!(asked[2]["agreed"], json!([0]), "{asked}");
    server.kill();
    server.start_again();
    let mut wires: Vec<Wire> = tokens
        .iter()
        .map(|token| Wire::known(&server.address, token))
        .collect();
    let asked = wires[1].pushed(|message| message[0] == "rematch");
    assert_eq!(asked[2]["agreed"], json!([0]), "told again: {asked}");
    assert_eq!(offer(&mut wires[1], &duel.game), second);
    let (setup, seat) = begin(&mut wires, &second);
    assert_eq!(seat, 1, "the start has passed on");
    let series = json!({ "first_game": duel.game, "number": 2, "score": [2, 0], "first": 1 });
    assert_eq!(setup["series"], series);
    wires[0].ok("resign", json!({ "game": second, "cmd_id": "resign" }));

    let (mut watcher, _) = Wire::guest(&server.address, "watcher");
    watcher.ok("attach", json!({ "game": second }));
    let third = offer(&mut wires[1], &second);
    assert_eq!(offer(&mut wires[0], &second), third);
    let told = watcher.pushed(|message| message[0] == "rematch");
    assert_eq!(told[2]["next"], third.as_str(), "{told}");
    let (setup, seat) = begin(&mut wires, &third);
    assert_eq!(seat, 0, "the start has come back");
    let series = json!({ "first_game": duel.game, "number": 3, "score": [2, 2], "first": 0 });
    assert_eq!(setup["series"], series);
    wires[0].ok("resign", json!({ "game": third, "cmd_id": "resign" }));
    let late = wires[0].refused("offer_rematch", json!({ "game": second, "cmd_id": "late" }));
    assert_eq!(late, "rematch_begun");

    let found = head_to_head(&server, &tokens[0], 3);
    let score = json!({ "won": 1, "lost": 2, "shared": 0 });
    assert_eq!(found["series"][&duel.game], score, "{found}");
}
