//! The server is killed during whole games, and no acknowledged command is lost.

use serde_json::{Value, json};
use tilewire_harness::matches::{Match, Seen};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

/// Killed several times in a game by real clients: they resume by themselves, no move is lost or doubled, the outage is
/// credited, and the game ends as any other.
#[test]
fn a_game_survives_repeated_kills() {
    let mut server = Server::start("");
    let mut game = Match::start(&server, 2, &["--clock", "sudden:25m"]);
    let mut seen = Seen {
        upheld: true,
        ..Seen::default()
    };
    for _ in 0..4 {
        game.turn(&mut seen);
        game.turn_through_a_crash(&mut server);
        game.turn(&mut seen);
    }
    game.play_out(&mut seen);
    let events = &game.people[0].fold.events;
    let credits: Vec<&Value> = events
        .iter()
        .filter(|event| event["kind"] == "clock_credited")
        .collect();
    assert_eq!(credits.len(), 4, "one for each outage");
    for credit in credits {
        let (stopped, resumed) = (credit["stopped_at"].as_i64(), credit["resumed_at"].as_i64());
        assert!(stopped < resumed, "{credit}");
    }
    game.check();
}

#[test]
fn a_graceful_stop_tells_clients_when_to_reconnect() {
    let mut server = Server::start("");
    let (mut anna, token) = Wire::guest(&server.address, "anna");
    let mut guest = Wire::connect(&server.address);
    assert!(server.stop(), "it ends well");
    assert_eq!(anna.closed(), Some(4006));
    assert_eq!(
        guest.closed(),
        Some(4006),
        "silent connections are told too"
    );
    server.start_again();
    let mut again = Wire::known(&server.address, &token);
    assert_eq!(
        again.ok("list_games", json!({ "scope": "mine" }))["games"],
        json!([])
    );
}
