//! The settings of an account, with real processes: through crashes of the server, and with the reference client.

use serde_json::{Value, json};
use tempfile::TempDir;
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

use super::{PASSWORD, ok, registered, text, tilewire};

/// Anna switches chat off. It stays so through a crash, for new connections and for Ben, until she switches it on.
#[test]
fn chat_stays_off_through_a_crash() {
    let mut server = Server::start("");
    let tokens = ["anna", "ben"].map(|handle| registered(&server, handle));
    let [anna, ben] = tokens.each_ref().map(|token| Some(token.as_str()));
    ok(&server, "PUT /following/ben", anna, &Value::Null);
    ok(&server, "PUT /following/anna", ben, &Value::Null);
    let with = |handle: &str| json!({ "kind": "direct", "with": handle });
    let mut wire = Wire::known(&server.address, &tokens[0]);
    let room = text(&wire.ok("chat_join", with("ben"))["chat"]["room"]);
    let off = json!({ "enabled": false });
    let me = ok(&server, "PUT /account/chat", anna, &off);
    assert_eq!(me["chat"], false, "{me}");
    let closed = wire.pushed(|message| message[0] == "chat_closed");
    assert_eq!(closed[2], json!({ "room": room, "reason": "chat_off" }));
    server.kill();
    server.start_again();

    let mut wire = Wire::connect(&server.address);
    let welcome = wire.ask("auth", json!({ "token": tokens[0], "client": "tests" }));
    assert_eq!(welcome[2]["chat_off"], true, "{welcome}");
    assert_eq!(wire.refused("chat_join", with("ben")), "chat_off");
    let mut other = Wire::known(&server.address, &tokens[1]);
    assert_eq!(other.refused("chat_join", with("anna")), "no_such_room");
    ok(
        &server,
        "PUT /account/chat",
        anna,
        &json!({ "enabled": true }),
    );
    let again = text(&other.ok("chat_join", with("anna"))["chat"]["room"]);
    assert_eq!(again, room);
    assert_eq!(
        text(&wire.ok("chat_join", with("ben"))["chat"]["room"]),
        room
    );
}

#[test]
fn the_client_changes_settings() {
    let server = Server::start("");
    let home = TempDir::new().expect("a directory");
    let run = |args: &[&str], input: &str| {
        let output = tilewire(&server, home.path(), "laptop", args, input);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{args:?}: {said}");
        serde_json::from_slice::<Value>(&output.stdout).expect("one object")
    };
    let password = format!("{PASSWORD}\n");
    run(&["register", "anna", "--password-stdin"], &password);
    let shown = run(&["account"], "");
    assert_eq!(
        (&shown["type"], &shown["chat"]),
        (&json!("account"), &json!(true))
    );
    for (switch, is_on) in [("off", false), ("on", true)] {
        assert_eq!(run(&["account", "chat", switch], "")["chat"], is_on);
        assert_eq!(run(&["account"], "")["chat"], is_on);
    }
    for from in ["followed", "nobody", "anybody"] {
        let changed = run(&["account", "invitations", from], "");
        assert_eq!(changed["invitations_from"], from);
        assert_eq!(run(&["account"], "")["invitations_from"], from);
    }
    let other = tilewire(
        &server,
        home.path(),
        "laptop",
        &["account", "invitations", "me"],
        "",
    );
    assert_eq!(
        other.status.code(),
        Some(2),
        "there is no such choice: {other:?}"
    );
}
