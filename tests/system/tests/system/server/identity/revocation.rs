//! A revocation takes effect at once on everything that the client has asked for, and on everything it may still ask.

use serde_json::json;
use tilewire_harness::addresses::connect_deaf;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

/// Requests whose answers fill the socket of a client that reads nothing, but not its outbox.
const UNREAD: usize = 80;

fn revoke(server: &Server, token: &str) {
    let identity = {
        let mut wire = Wire::connect(&server.address);
        let welcome = wire.ask("auth", json!({ "token": token, "client": "tests" }));
        welcome[2]["identity"]
            .as_str()
            .expect("an identity")
            .to_owned()
    };
    server
        .operate(&["identities", "revoke", &identity], "")
        .expect("it is revoked");
    server.signal("-HUP");
    server.until_logged("keys and revocations have changed");
}

/// The close frame of a client that reads nothing cannot be sent. Until the connection ends, the client can still write.
#[test]
fn a_revoked_client_that_reads_nothing_cannot_move() {
    let server = Server::start("[timing]\nwrite_stall_ms = 4000\n");
    let mut duel = Duel::start(&server, &options(&json!({ "kind": "untimed" })));
    let mut deaf = Wire::over(connect_deaf(127, &server.address)).expect("an upgrade");
    deaf.try_send(
        "auth",
        &json!({ "token": duel.tokens[0], "client": "tests" }),
    );
    for _ in 0..UNREAD {
        assert!(deaf.try_send("rule_set", &json!({ "rule_set": "classic" })));
    }
    server.until_figure("tilewire_messages_total{outcome=\"taken\"}", |taken| {
        taken >= 80.0
    });
    let token = duel.tokens[0].clone();
    revoke(&server, &token);
    let pass = json!({ "game": duel.game, "cmd_id": "late", "turn_no": 1 });
    assert!(deaf.try_send("pass", &pass), "the connection is still open");
    server.until_figure("tilewire_connections", |open| open <= 1.0);
    let answer = duel.ask(1, "pass", json!({ "turn_no": 1 }));
    assert_eq!(answer[2]["code"], "not_your_turn", "{answer}");
}

/// A seek of a game by correspondence stays open without its owner, but not after a revocation.
#[test]
fn the_seek_of_a_revoked_player_is_closed() {
    let server = Server::start("");
    let hour = options(&json!({ "kind": "per_move", "limit_ms": 3_600_000 }));
    let (mut anna, token) = Wire::guest(&server.address, "anna");
    let opened = anna.ok("seek", json!({ "cmd_id": "s", "options": hour }));
    let seek = opened["seek"]["seek"].clone();
    let (mut ben, _) = Wire::guest(&server.address, "ben");
    let lists = ben.ok("lobby_subscribe", json!({}));
    assert_eq!(lists["seeks"][0]["seek"], seek, "{lists}");
    revoke(&server, &token);
    let join = json!({ "cmd_id": "j", "seek": seek });
    assert_eq!(ben.refused("join_seek", join), "unknown_seek");
    ben.pushed(|message| message[0] == "lobby" && message[2]["seek_id"] == seek);
}

/// An operator finds the address of an identity, and its connection, in the log.
#[test]
fn the_log_connects_identity_address_and_connection() {
    let server = Server::start("[log]\nfilter = \"debug\"\n");
    let (mut anna, _) = Wire::guest(&server.address, "anna");
    anna.ok("time", json!({}));
    server.until_logged("a client authenticated");
    let log = server.log();
    let line = log
        .lines()
        .find(|line| line.contains("a client authenticated"))
        .expect("it was logged");
    let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
    assert_eq!(line["address"], "127.0.0.1", "{line}");
    assert!(line["identity"].is_string(), "{line}");
    let connection = line["connection"].as_u64().expect("a number");
    anna.close();
    server.until_logged("a connection was closed");
    let closed = format!("\"connection\":{connection}");
    let log = server.log();
    let mut lines = log
        .lines()
        .filter(|line| line.contains("a connection was closed"));
    assert!(lines.any(|line| line.contains(&closed)), "{log}");
}
