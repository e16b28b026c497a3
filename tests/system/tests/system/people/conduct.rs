//! Points and waiting times with real processes: games that a player aborts count once through kills, the player is told, and
//! a moderator forgives.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tilewire_harness::duel::options;
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

use super::moderation::{Player, act, get, moderator, player, refusal, told};
use super::{call, text};

/// How long a result may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// The first waiting time, ms.
const FIRST_WAIT_MS: i64 = 600_000;

/// A seek. Seeks of other lengths are no equal ones, which the lobby would bring together.
fn seek(id: &str, minutes: u32, private: bool) -> Value {
    let clock = json!({ "kind": "sudden_death", "initial_ms": minutes * 60_000 });
    json!({ "cmd_id": id, "options": options(&clock), "private": private })
}

/// Anna opens a public game, Eve joins it, and aborts it after the deal. Returns the game.
fn leave(anna: &mut Wire, eve: &mut Wire, id: &str) -> String {
    let opened = anna.ok("seek", seek(id, 10, false));
    let join = json!({ "cmd_id": id, "seek": opened["seek"]["seek"] });
    let game = text(&eve.ok("join_seek", join)["game"]);
    let command = |op: &str| json!({ "game": game, "cmd_id": format!("{op}-{id}") });
    for wire in [&mut *anna, &mut *eve] {
        wire.ok("attach", json!({ "game": game, "seq": 0 }));
        wire.ok("ready", command("ready"));
    }
    eve.ok("abort", command("abort"));
    game
}

/// Waits until the game has its result, and so has counted.
#[expect(clippy::disallowed_methods, reason = "a test must not wait for ever")]
fn counted(server: &Server, player: &Player, game: &str) {
    let (since, path) = (Instant::now(), format!("GET /games/{game}/result"));
    while call(server, &path, Some(&player.token), &Value::Null).status != 200 {
        assert!(since.elapsed() < PATIENCE, "{}", server.log());
        std::thread::yield_now();
    }
}

fn conduct(server: &Server, player: &Player) -> Value {
    get(server, player, "/me")["conduct"].clone()
}

#[test]
fn four_games_that_a_player_leaves_begin_a_waiting_time() {
    let mut server = Server::start("");
    let max = moderator(&server, "max");
    let (mut anna, mut eve) = (player(&server, "anna"), player(&server, "eve"));
    assert_eq!(conduct(&server, &eve), json!({ "points": 0 }));
    // The server dies between the end of the game and its result, or about then.
    for points in 1..4 {
        let game = leave(&mut anna.wire, &mut eve.wire, &format!("game-{points}"));
        server.kill();
        server.start_again();
        counted(&server, &eve, &game);
        assert_eq!(conduct(&server, &eve), json!({ "points": points }));
        for player in [&mut anna, &mut eve] {
            player.wire = Wire::known(&server.address, &player.token);
        }
    }
    let open = eve.wire.ok("seek", seek("open", 11, false));
    let game = leave(&mut anna.wire, &mut eve.wire, "game-4");
    let wait = told(&mut eve.wire, "wait");
    assert!(text(&wait["reason"]).contains(&game), "{wait}");
    let until = wait["until"].as_i64().expect("an end");
    let expected = json!({ "points": 4, "waiting_until": until });
    assert_eq!(conduct(&server, &eve), expected);
    assert_eq!(conduct(&server, &anna), json!({ "points": 0 }));

    // Her public seek goes away; a private one is possible.
    let mut lists = anna.wire.ok("lobby_subscribe", json!({}));
    if lists["seeks"] != json!([]) {
        let removed =
            |message: &Value| message[0] == "lobby" && message[2]["change"] == "seek_removed";
        lists = anna.wire.pushed(removed);
        assert_eq!(lists[2]["seek_id"], open["seek"]["seek"], "{lists}");
    }
    let error = refusal(&mut eve.wire, "seek", seek("public", 12, false));
    let found = (&error["code"], &error["detail"]["until"]);
    assert_eq!(found, (&json!("restricted"), &json!(until)));
    eve.wire.ok("seek", seek("private", 13, true));

    // It holds through a crash, and everything is in the audit.
    server.kill();
    server.start_again();
    let mut eve_wire = Wire::known(&server.address, &eve.token);
    let error = refusal(&mut eve_wire, "seek", seek("again", 14, false));
    assert_eq!(error["detail"]["until"], until, "{error}");
    let history = get(&server, &max, "/moderation/players/eve");
    assert_eq!(history["conduct"], expected, "{history}");
    let entry = &history["entries"][0];
    let found = (&entry["actor"], &entry["action"]);
    assert_eq!(found, (&json!("server"), &json!("waiting_time")));
    let at = entry["at"].as_i64().expect("the end of the game");
    assert_eq!(until - at, FIRST_WAIT_MS);
    let shown = server.operate(&["moderation", "history", "eve"], "");
    let shown = shown.expect("a list");
    assert!(shown.contains("points for games left: 4"), "{shown}");

    let forgive = json!({ "action": "forgive", "player": "eve", "reason": "the network was down" });
    act(&server, &max, &forgive);
    told(&mut eve_wire, "forgive");
    eve_wire.ok("seek", seek("forgiven", 15, false));
    assert_eq!(conduct(&server, &eve), json!({ "points": 0 }));
    server
        .operate(&["audit", "verify"], "")
        .expect("a whole chain");
}
