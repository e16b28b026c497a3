//! Pauses, and time that an admin gives.

use serde_json::{Value, json};
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;

use super::{get, ok, operator, refused};

/// A pause survives a crash of the server; spectators and players see it, and the clocks have the time that they had.
#[test]
fn a_game_is_paused_and_goes_on() {
    let mut server = Server::start("");
    let clock = json!({ "kind": "sudden_death", "initial_ms": 600_000 });
    let operator = operator(&server);
    let mut duel = Duel::start(&server, &options(&clock));
    let path = format!("/games/{}", duel.game);
    let (pause, go_on) = (
        format!("POST {path}/pause"),
        format!("POST {path}/continue"),
    );
    let reason = json!({ "reason": "a fault" });
    let moved_on = (409, "moved_on".to_owned());
    assert_eq!(refused(&server, &operator, &go_on, &reason), moved_on);
    let past = json!({ "reason": "a fault", "until": 1 });
    let (status, _) = refused(&server, &operator, &pause, &past);
    assert_eq!(status, 400);
    ok(&server, &operator, &pause, &reason);
    assert_eq!(refused(&server, &operator, &pause, &reason), moved_on);
    let is_event = |message: &Value| message[0] == "event" && message[2]["kind"] == "paused";
    for wire in &mut duel.wires {
        let event = wire.pushed(is_event);
        assert!(event[2]["clocks"].get("running").is_none(), "{event}");
        wire.pushed(|message| message[0] == "paused");
    }
    let list = |server: &Server| server.operate(&["admin", "games"], "").expect("a list");
    let listed = list(&server);
    assert!(listed.contains("  running, paused  turn 1"), "{listed}");
    server.kill();
    server.start_again();
    let listed = list(&server);
    assert!(listed.contains("  running, paused  turn 1"), "{listed}");
    let paused = get(&server, &operator, &path);
    assert_eq!(paused["paused"], true, "{paused}");
    let clocks = &paused["snapshot"]["clocks"];
    assert!(clocks.get("running").is_none(), "{paused}");
    let give = json!({ "seat": 1, "time_ms": 60_000, "reason": "a fault" });
    ok(&server, &operator, &format!("POST {path}/time"), &give);
    let all = ok(&server, &operator, "POST /continue", &reason);
    assert_eq!(all["games"], 1, "{all}");
    let listed = list(&server);
    assert!(listed.contains("  running  turn 1"), "{listed}");
    let running = get(&server, &operator, &path);
    let after = &running["snapshot"]["clocks"];
    assert!(after["running"].is_object(), "{running}");
    assert_eq!(after["main_ms"][0], clocks["main_ms"][0], "{running}");
    assert_eq!(after["main_ms"][1], 660_000, "{running}");
    let audit = get(&server, &operator, "/audit").to_string();
    for action in ["game_paused", "time_given", "game_continued"] {
        assert!(audit.contains(&format!("operation:{action}")), "{audit}");
    }
    let args = [
        "admin", "pause", &duel.game, "--hours", "1", "--reason", "x",
    ];
    server.operate(&args, "").expect("paused");
    let args = ["admin", "continue", "--all", "--reason", "x"];
    let done = server.operate(&args, "").expect("goes on");
    assert!(done.ends_with(", 1 games\n"), "{done}");
    server.operate(&["check"], "").expect("the log replays");
}
