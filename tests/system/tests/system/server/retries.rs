//! A command takes effect once, even if it is sent many times.

use serde_json::json;
use tilewire_conformance::position::number;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

#[test]
fn a_retry_after_a_dropped_connection_gets_the_first_answer() {
    let server = Server::start("");
    let mut duel = Duel::start(&server, &options(&json!({ "kind": "sudden_death" })));
    let pass = json!({ "game": duel.game, "cmd_id": "the-pass", "turn_no": 1 });
    // Sent, and the connection is gone before the answer can be read.
    duel.wires[0].send("pass", &pass);
    drop(duel.wires.remove(0));
    let mut again = Wire::known(&server.address, &duel.tokens[0]);
    let first = number(&again.ok("pass", pass.clone()), "seq");
    assert_eq!(
        number(&again.ok("pass", pass), "seq"),
        first,
        "and the same once more"
    );
    let other = json!({ "game": duel.game, "cmd_id": "the-pass", "turn_no": 2 });
    assert_eq!(again.refused("pass", other), "cmd_id_reused");
    again.ok("attach", json!({ "game": duel.game, "seq": 0 }));
    let seen = |kind: &str, wire: &mut Wire| {
        let mut count = 0;
        loop {
            let event = wire.pushed(|message| message[0] == "event")[2].clone();
            count += u32::from(event["kind"] == kind);
            if number(&event, "seq") > first && event["kind"] == "turn_started" {
                return count;
            }
        }
    };
    assert_eq!(seen("passed", &mut again), 1, "it happened once");
}

#[test]
fn a_seek_command_is_remembered_over_a_restart() {
    let mut server = Server::start("");
    let (mut anna, token) = Wire::guest(&server.address, "anna");
    let seek = json!({ "cmd_id": "open", "options": options(&json!({ "kind": "untimed" })) });
    let first = anna.ok("seek", seek.clone());
    server.kill();
    server.start_again();
    let mut again = Wire::known(&server.address, &token);
    assert_eq!(
        again.ok("seek", seek),
        first,
        "the same seek, not a second one"
    );
    let lobby = again.ok("lobby_subscribe", json!({}));
    assert_eq!(lobby["seeks"].as_array().map(Vec::len), Some(1));
    let other = json!({ "cmd_id": "open", "options": options(&json!({ "kind": "sudden_death" })) });
    assert_eq!(again.refused("seek", other), "cmd_id_reused");
}
