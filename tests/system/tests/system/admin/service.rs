//! The server as a whole: the lobby, notices, blocked addresses, settings and the log.

use serde_json::{Value, json};
use tilewire_harness::duel::Duel;
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

use super::{call, get, ok, operator, refused, send, untimed};

/// Returns the code of the error that answers a request.
fn code_of(wire: &mut Wire, op: &str, body: Value) -> Value {
    wire.ask(op, body)[2]["code"].clone()
}

#[test]
fn a_closed_lobby_begins_no_games() {
    let mut server = Server::start("");
    let operator = operator(&server);
    let mut duel = Duel::start(&server, &untimed());
    let reason = json!({ "reason": "a new version" });
    let open = "POST /lobby/open";
    let no_effect = (409, "no_effect".to_owned());
    assert_eq!(refused(&server, &operator, open, &reason), no_effect);
    ok(&server, &operator, "POST /lobby/close", &reason);
    let lobby = get(&server, &operator, "/lobby");
    assert_eq!(
        (&lobby["open"], &lobby["reason"], &lobby["games"]),
        (&json!(false), &json!("a new version"), &json!(1))
    );
    let shown = server.operate(&["admin", "lobby"], "").expect("the lobby");
    assert!(shown.starts_with("closed since "), "{shown}");
    let (mut guest, _) = Wire::guest(&server.address, "gus");
    let seek = json!({ "cmd_id": "s1", "options": untimed() });
    for op in ["seek", "quick_match"] {
        let mut body = seek.clone();
        body["cmd_id"] = json!(op);
        assert_eq!(code_of(&mut guest, op, body), "lobby_closed", "{op}");
    }
    duel.ask(0, "resign", json!({}));
    duel.ended(1);
    ok(&server, &operator, open, &reason);
    assert_eq!(code_of(&mut guest, "seek", seek), Value::Null);
    ok(&server, &operator, "POST /lobby/close", &reason);
    server.kill();
    server.start_again();
    assert_eq!(get(&server, &operator, "/lobby")["open"], true);
}

#[test]
fn a_notice_is_sent_now_and_later() {
    let server = Server::start("");
    let operator = operator(&server);
    let (mut guest, _) = Wire::guest(&server.address, "gus");
    let notice = json!({ "code": "maintenance", "text": "Back soon", "reason": "an update" });
    ok(&server, &operator, "POST /notices", &notice);
    let told = guest.pushed(|message| message[0] == "notice");
    assert_eq!(told[2]["text"], "Back soon", "{told}");
    let args = [
        "admin",
        "notice",
        "maintenance",
        "Later",
        "--event-in",
        "90",
        "--delay",
        "60",
        "--every",
        "10",
        "--reason",
        "update",
    ];
    server.operate(&args, "").expect("scheduled");
    let waiting = get(&server, &operator, "/notices");
    assert_eq!(waiting["notices"][0]["text"], "Later", "{waiting}");
    assert_eq!(waiting["notices"][0]["every_ms"], 600_000, "{waiting}");
    let number = waiting["notices"][0]["number"].to_string();
    let cancel = ["admin", "cancel-notice", &number, "--reason", "mistake"];
    server.operate(&cancel, "").expect("cancelled");
    let again = server.operate(&cancel, "").expect_err("refused");
    assert!(again.contains("no_effect"), "{again}");
    let audit = get(&server, &operator, "/audit").to_string();
    assert!(audit.contains("operation:notice_scheduled"), "{audit}");
    let cancelled = format!("operation:notice_cancelled:{number}");
    assert!(audit.contains(&cancelled), "{audit}");
}

/// The block of the address of the tests survives a crash, and is lifted over the admin listener.
#[test]
fn a_blocked_address_is_refused() {
    let mut server = Server::start("");
    let operator = operator(&server);
    let status = |server: &Server| send(&server.address, "GET /status", "", &Value::Null).status;
    assert_eq!(status(&server), 200);
    for wrong in ["0.0.0.0/0", "example"] {
        let body = json!({ "network": wrong, "reason": "a flood" });
        let (status, _) = refused(&server, &operator, "POST /addresses", &body);
        assert_eq!(status, 400, "{wrong}");
    }
    let block = [
        "admin",
        "block-address",
        "127.0.0.0/8",
        "--hours",
        "1",
        "--reason",
        "a flood",
    ];
    server.operate(&block, "").expect("blocked");
    let upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
                   Sec-WebSocket-Protocol: tilewire.v1.json\r\n";
    for _ in 0..2 {
        assert_eq!(status(&server), 403);
        let answer = send(&server.address, "GET /ws", upgrade, &Value::Null);
        assert_eq!(answer.status, 403, "{answer:?}");
        assert!(answer.body.starts_with("address_blocked: "), "{answer:?}");
        let api = send(&server.address, "GET /api/v1/me", "", &Value::Null);
        assert_eq!(api.status, 403, "{api:?}");
        server.kill();
        server.start_again();
    }
    let list = get(&server, &operator, "/addresses");
    assert_eq!(list["blocks"][0]["network"], "127.0.0.0/8", "{list}");
    let lift = ["admin", "lift-address", "127.0.0.0/8", "--reason", "over"];
    server.operate(&lift, "").expect("lifted");
    assert_eq!(status(&server), 200);
    let again = server.operate(&lift, "").expect_err("refused");
    assert!(again.contains("no_effect"), "{again}");
    server
        .operate(&["audit", "verify"], "")
        .expect("a whole chain");
}

#[test]
fn settings_are_read_again() {
    let server = Server::start("[limits]\ngames_per_identity = 5\n");
    let operator = operator(&server);
    let reason = json!({ "reason": "more games" });
    let reload = "POST /settings/reload";
    server.configure("[limits]\ngames_per_identity = 6\nopen_seeks = 0\n");
    let (status, answer) = call(&server, &operator, reload, &reason);
    assert_eq!((status, &answer["code"]), (409, &json!("bad_settings")));
    let message = answer["message"].as_str().expect("text");
    assert!(message.contains("open_seeks"), "{answer}");
    let actions = |server: &Server| {
        let audit = get(server, &operator, "/audit");
        let entries = audit["entries"].as_array().expect("entries").clone();
        let actions = entries.iter().map(|entry| entry["action"].clone());
        actions.collect::<Vec<Value>>()
    };
    assert_eq!(actions(&server), ["operation:settings_refused"]);
    server.configure("[limits]\ngames_per_identity = 1\nopen_seeks = 7\nconnections = 50\n");
    let answer = ok(&server, &operator, reload, &reason);
    let applied = json!(["limits.games_per_identity", "limits.open_seeks"]);
    assert_eq!(answer["applied"], applied, "{answer}");
    assert_eq!(answer["waiting"], json!(["limits.connections"]), "{answer}");
    let both = ["operation:settings_reloaded", "operation:settings_refused"];
    assert_eq!(actions(&server), both);
    let (mut guest, _) = Wire::guest(&server.address, "gus");
    let seek = |cmd_id: &str| json!({ "cmd_id": cmd_id, "options": untimed() });
    assert_eq!(code_of(&mut guest, "seek", seek("s1")), Value::Null);
    let mut other = seek("s2");
    other["options"]["challenge"]["kind"] = json!("single");
    assert_eq!(code_of(&mut guest, "seek", other), "too_many_games");
    let settings = get(&server, &operator, "/settings");
    let settings = settings["settings"].as_array().expect("settings");
    let line = json!({ "key": "limits.open_seeks", "reloadable": true });
    assert!(settings.contains(&line), "{settings:?}");
    let keys = server.operate(&["config", "keys"], "").expect("a list");
    assert!(keys.contains("limits.open_seeks  reload\n"), "{keys}");
    assert!(keys.contains("limits.connections  restart\n"), "{keys}");
}

#[test]
fn a_game_and_a_player_are_watched() {
    let server = Server::start("");
    let operator = operator(&server);
    let duel = Duel::start(&server, &untimed());
    let watch = |body: &Value| call(&server, &operator, "POST /watches", body).0;
    let game = json!({ "game": duel.game, "for_ms": 60_000, "reason": "a report" });
    assert_eq!(watch(&game), 201);
    for (field, value) in [
        ("game", json!("none")),
        ("for_ms", json!(0)),
        ("for_ms", json!(86_400_001)),
        ("player", json!("eve")),
    ] {
        let mut body = game.clone();
        body[field] = value;
        let status = watch(&body);
        assert!((400..500).contains(&status), "{body}: {status}");
    }
    let list = get(&server, &operator, "/watches");
    assert_eq!(list["watches"].as_array().map(Vec::len), Some(1), "{list}");
    assert_eq!(list["watches"][0]["id"], json!(duel.game), "{list}");
}
