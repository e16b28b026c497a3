//! All devices of an identity can use its seat, and no other identity can.

use serde_json::{Value, json};
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

use super::welcomed;

fn untimed() -> Value {
    options(&json!({ "kind": "untimed" }))
}

#[test]
fn no_other_identity_commands_a_seat() {
    let server = Server::start("");
    let mut duel = Duel::start(&server, &untimed());
    let (mut namesake, _) = Wire::guest(&server.address, "anna");
    let game = duel.game.clone();
    let commands = [
        ("ready", json!({})),
        ("pass", json!({ "turn_no": 1 })),
        (
            "exchange",
            json!({ "turn_no": 1, "tiles": [duel.letters(0, 1)[0]] }),
        ),
        (
            "play",
            json!({ "turn_no": 1, "start": "8H", "tiles": duel.letters(0, 2) }),
        ),
        ("challenge", json!({ "play_id": 9 })),
        ("hold", json!({ "play_id": 9 })),
        ("accept", json!({ "play_id": 9 })),
        ("resign", json!({})),
        ("abort", json!({})),
        ("claim", json!({ "seat": 1 })),
    ];
    let attached = namesake.ok("attach", json!({ "game": game, "seq": 0 }));
    assert_eq!(attached["role"], "spectator");
    for (op, mut body) in commands {
        body["game"] = json!(game);
        // The very id the player might use: it is the sender's own.
        body["cmd_id"] = json!("c-0-1");
        body["identity"] = json!("somebody else");
        body["seat"] = json!(0);
        assert_eq!(namesake.refused(op, body), "not_a_player", "{op}");
    }
    duel.ok(0, "pass", json!({ "turn_no": 1 }));
}

/// [P-AUTH-8]
#[test]
fn two_devices_of_a_player_can_both_act() {
    let server = Server::start("");
    let mut duel = Duel::start(&server, &untimed());
    let (mut phone, welcome) = welcomed(&server, &duel.tokens[0]);
    assert_eq!(welcome["games"][0]["game"], json!(duel.game));
    let attached = phone.ok("attach", json!({ "game": duel.game, "seq": 0 }));
    assert_eq!(
        (&attached["role"], &attached["seat"]),
        (&json!("player"), &json!(0))
    );
    let dealt =
        phone.pushed(|message| message[2]["kind"] == "tiles_drawn" && message[2]["seat"] == 0);
    assert!(dealt[2]["tiles"].is_array(), "it sees the rack: {dealt}");
    // The first to arrive counts; the other device is told by the event and by its answer.
    let pass = json!({ "game": duel.game, "cmd_id": "phone-1", "turn_no": 1 });
    let seq = phone.ok("pass", pass.clone())["seq"].clone();
    let late = duel.refused(0, "pass", json!({ "turn_no": 1 }));
    assert!(
        ["not_your_turn", "wrong_position"].contains(&late.as_str()),
        "{late}"
    );
    let told = duel.wires[0].event("passed");
    assert_eq!(told["seq"], seq);
    // A command is the identity's, so that another device may send it again.
    assert_eq!(duel.wires[0].ok("pass", pass)["seq"], seq);
    // One device goes; the seat stays connected, and acts from the other.
    drop(phone);
    duel.ok(1, "pass", json!({ "turn_no": 2 }));
    duel.ok(0, "pass", json!({ "turn_no": 3 }));
}
