//! Moderation with real processes: reports with their context, actions over HTTP and on the machine, what the player is told.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;
use tilewire_harness::binaries;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

use super::{
    PASSWORD, body, call, log_in, ok, refused, register, register_players, text, tilewire, untimed,
};

/// A registered player.
pub(super) struct Player {
    pub(super) wire: Wire,
    pub(super) token: String,
    identity: String,
}

pub(super) fn player(server: &Server, handle: &str) -> Player {
    let (guest, token) = Wire::guest(&server.address, handle);
    guest.close();
    let registered = register(server, &token, handle);
    let token = text(&registered["token"]);
    Player {
        wire: Wire::known(&server.address, &token),
        identity: text(&registered["me"]["identity"]),
        token,
    }
}

/// A registered player with a role.
pub(super) fn moderator(server: &Server, handle: &str) -> Player {
    let player = player(server, handle);
    let grant = ["roles", "grant", handle, "moderator"];
    server.operate(&grant, "").expect("granted");
    player
}

pub(super) fn get(server: &Server, player: &Player, path: &str) -> Value {
    let request = format!("GET {path}");
    ok(server, &request, Some(&player.token), &Value::Null)
}

/// Acts as a moderator; returns the number of the entry of the audit.
#[track_caller]
pub(super) fn act(server: &Server, actor: &Player, order: &Value) -> u64 {
    let done = ok(
        server,
        "POST /moderation/actions",
        Some(&actor.token),
        order,
    );
    done["number"].as_u64().expect("a number")
}

#[track_caller]
fn undo(server: &Server, actor: &Player, number: u64) -> u64 {
    let request = format!("POST /moderation/actions/{number}/undo");
    let reason = json!({ "reason": "a mistake" });
    let done = ok(server, &request, Some(&actor.token), &reason);
    done["number"].as_u64().expect("a number")
}

/// Waits until the player is told of an act of a moderator.
pub(super) fn told(wire: &mut Wire, kind: &str) -> Value {
    let is_it = |message: &Value| message[0] == "moderation" && message[2]["kind"] == kind;
    wire.pushed(is_it)[2].clone()
}

pub(super) fn refusal(wire: &mut Wire, op: &str, body: Value) -> Value {
    let answer = wire.ask(op, body);
    assert_eq!(answer[0], "error", "{answer}");
    answer[2].clone()
}

/// Anna and Eve in a game, and Anna's report of Eve's line.
struct Insult {
    game: String,
    room: String,
    tokens: Vec<String>,
    /// The number of the report.
    report: Value,
}

/// Eve writes a line that Anna reports.
fn insult(server: &Server) -> Insult {
    let mut duel = Duel::start(server, &untimed());
    let game = duel.game.clone();
    register_players(server, &mut duel, ["anna", "eve"]);
    let tokens = duel.tokens.clone();
    let join = json!({ "kind": "players", "game": game });
    let mut room = String::new();
    for wire in &mut duel.wires {
        room = text(&wire.ok("chat_join", join.clone())["chat"]["room"]);
    }
    let say = |wire: &mut Wire, id: &str| {
        let line = json!({ "room": room, "cmd_id": id, "text": format!("line {id}") });
        wire.ok("chat_say", line)["chat"]["line"].as_u64()
    };
    assert_eq!(say(&mut duel.wires[0], "a"), Some(1));
    assert_eq!(say(&mut duel.wires[1], "b"), Some(2));
    let report = json!({
        "player": "Eve", "reason": "abuse", "words": "look", "room": room, "line": 2, "game": game,
    });
    let filed = ok(server, "POST /reports", Some(&tokens[0]), &report);
    Insult {
        game,
        room,
        tokens,
        report: filed["number"].clone(),
    }
}

/// Checks what a moderator finds about Eve after everything was undone, page by page.
fn check_history(server: &Server, max: &Player) {
    let history = get(server, max, "/moderation/players/eve?limit=2");
    assert_eq!(history["restrictions"], json!([]), "{history}");
    assert_eq!(history["entries"][0]["actor_name"], "max", "{history}");
    let path = format!("/moderation/players/eve?before={}", history["next"]);
    let rest = get(server, max, &path);
    assert_eq!(rest["entries"].as_array().map(Vec::len), Some(2), "{rest}");
    server
        .operate(&["audit", "verify"], "")
        .expect("a whole chain");
}

/// Eve insults Anna in a game. Anna reports the line, and Max reads it with its context, hides it and mutes Eve; then he
/// undoes both. The server is killed between the steps.
#[test]
fn a_report_leads_to_an_action_that_is_told_and_undone() {
    let mut server = Server::start("");
    let max = moderator(&server, "max");
    let Insult {
        game,
        room,
        tokens,
        report,
    } = insult(&server);
    let join = json!({ "kind": "players", "game": game });
    server.kill();
    server.start_again();

    let open = get(&server, &max, "/moderation/reports");
    assert_eq!(open["reports"][0]["number"], report, "{open}");
    assert_eq!(open["reports"][0]["target"]["name"], "eve", "{open}");
    let path = format!("/moderation/reports/{}", report);
    let found = get(&server, &max, &path);
    let lines: Vec<&Value> = found["context"].as_array().expect("lines").iter().collect();
    assert_eq!(
        (lines.len(), &lines[1]["text"]),
        (2, &json!("line b")),
        "{found}"
    );

    let mut wires = [0, 1].map(|seat| Wire::known(&server.address, &tokens[seat]));
    for wire in &mut wires {
        wire.ok("attach", json!({ "game": game, "seq": 0 }));
        wire.ok("chat_join", join.clone());
    }
    let hide = json!({
        "action": "hide_lines", "player": "eve", "reason": "insults", "room": room, "lines": [2],
        "report": report.clone(),
    });
    let hidden = act(&server, &max, &hide);
    for wire in &mut wires {
        let push = wire.pushed(|message| message[0] == "chat_hidden");
        assert_eq!(push[2], json!({ "room": room, "lines": [2] }));
    }
    assert_eq!(told(&mut wires[1], "hide_lines")["reason"], "insults");
    let closed = get(&server, &max, &path);
    assert_eq!(closed["report"]["closed"], json!(hidden), "{closed}");
    let mute = json!({ "action": "mute", "player": "eve", "reason": "insults", "until": 4_000_000_000_000_i64 });
    let muted = act(&server, &max, &mute);
    assert_eq!(told(&mut wires[1], "mute")["until"], mute["until"]);
    server.kill();
    server.start_again();

    let mut eve = Wire::known(&server.address, &tokens[1]);
    eve.ok("attach", json!({ "game": game, "seq": 0 }));
    let joined = eve.ok("chat_join", join.clone());
    let lines = joined["chat"]["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 1, "{joined}");
    assert_eq!(lines[0]["line"], 1, "{joined}");
    let line = |id: &str| json!({ "room": room, "cmd_id": id, "text": format!("line {id}") });
    let error = refusal(&mut eve, "chat_say", line("c"));
    assert_eq!(
        (&error["code"], &error["detail"]["until"]),
        (&json!("muted"), &mute["until"])
    );
    undo(&server, &max, muted);
    told(&mut eve, "undo");
    // The hidden line has its number still.
    assert_eq!(eve.ok("chat_say", line("d"))["chat"]["line"], 3);
    undo(&server, &max, hidden);
    let joined = eve.ok("chat_join", join);
    assert_eq!(joined["chat"]["lines"].as_array().map(Vec::len), Some(3));
    let again = format!("POST /moderation/actions/{hidden}/undo");
    let sent = json!({ "reason": "again" });
    let expected = (409, "no_effect".to_owned());
    assert_eq!(refused(&server, &again, Some(&max.token), &sent), expected);

    check_history(&server, &max);
}

#[test]
fn restricted_players_begin_no_rated_or_public_games() {
    let server = Server::start("");
    let max = moderator(&server, "max");
    let mut eve = player(&server, "eve");
    let seek = |id: &str, private: bool, rated: bool| {
        let clock = json!({ "kind": "sudden_death", "initial_ms": 600_000 });
        let mut options = options(&clock);
        options["rated"] = rated.into();
        json!({ "cmd_id": id, "options": options, "private": private })
    };
    let opened = eve.wire.ok("seek", seek("open", false, true));
    let restrict =
        |kind: &str| json!({ "action": kind, "player": eve.identity, "reason": "left six games" });
    let no_rated = act(&server, &max, &restrict("no_rated"));
    assert_eq!(told(&mut eve.wire, "no_rated").get("until"), None);
    let error = refusal(&mut eve.wire, "seek", seek("one", false, true));
    assert_eq!(error["code"], "restricted", "{error}");
    assert_eq!(error["detail"]["reason"], "left six games", "{error}");
    // Her open seek goes away.
    let mut ben = player(&server, "ben");
    let mut lists = ben.wire.ok("lobby_subscribe", json!({}));
    if lists["seeks"] != json!([]) {
        let removed =
            |message: &Value| message[0] == "lobby" && message[2]["change"] == "seek_removed";
        lists = ben.wire.pushed(removed);
        assert_eq!(lists[2]["seek_id"], opened["seek"]["seek"], "{lists}");
    }
    eve.wire.ok("seek", seek("two", false, false));
    let no_public = act(&server, &max, &restrict("no_public"));
    told(&mut eve.wire, "no_public");
    let quick = json!({ "cmd_id": "three", "options": untimed() });
    assert_eq!(
        refusal(&mut eve.wire, "quick_match", quick)["code"],
        "restricted"
    );
    eve.wire.ok("seek", seek("four", true, false));
    for number in [no_rated, no_public] {
        undo(&server, &max, number);
    }
    eve.wire.ok("seek", seek("five", false, true));
}

fn server_time(server: &Server, player: &Player) -> i64 {
    let found = get(server, player, "/moderation/reports");
    found["server_time"].as_i64().expect("a time")
}

#[test]
fn a_suspended_player_reads_why() {
    let server = Server::start("");
    let max = moderator(&server, "max");
    let mut eve = player(&server, "eve");
    let until = server_time(&server, &max) + 3_600_000;
    let suspend =
        json!({ "action": "suspend", "player": "eve", "reason": "cheats", "until": until });
    let number = act(&server, &max, &suspend);
    assert_eq!(told(&mut eve.wire, "suspend")["reason"], "cheats");
    let farewell = eve.wire.farewell();
    assert_eq!(farewell.code, Some(4009));
    assert!(farewell.reason.ends_with(": cheats"), "{farewell:?}");
    // The token says the same, although the session has ended.
    let why = json!({ "until": until, "reason": "cheats" });
    let answer = call(&server, "GET /me", Some(&eve.token), &Value::Null);
    let error = body(&answer);
    assert_eq!((answer.status, &error["code"]), (403, &json!("revoked")));
    assert_eq!(error["detail"], why, "{error}");
    let mut again = Wire::connect(&server.address);
    let auth = json!({ "token": eve.token, "client": "tests" });
    let error = refusal(&mut again, "auth", auth);
    assert_eq!(
        (&error["code"], &error["detail"]),
        (&json!("revoked"), &why)
    );
    let farewell = again.farewell();
    assert_eq!(farewell.code, Some(4009));
    assert!(farewell.reason.ends_with(": cheats"), "{farewell:?}");
    let answer = log_in(&server, "eve", PASSWORD);
    let error = body(&answer);
    assert_eq!((answer.status, &error["code"]), (403, &json!("suspended")));
    assert_eq!(error["detail"], why, "{error}");
    let wrong = body(&log_in(&server, "eve", "another password"));
    assert_eq!(wrong["code"], "bad_credentials", "{wrong}");
    undo(&server, &max, number);
    let back = body(&log_in(&server, "eve", PASSWORD));
    let mut wire = Wire::known(&server.address, &text(&back["token"]));
    told(&mut wire, "undo");
    // Nobody acts on a higher role.
    server
        .operate(&["roles", "grant", "eve", "admin"], "")
        .expect("granted");
    let expected = (403, "forbidden".to_owned());
    let request = "POST /moderation/actions";
    assert_eq!(
        refused(&server, request, Some(&max.token), &suspend),
        expected
    );
}

/// The operator acts while the server runs.
#[test]
fn the_operator_moderates_on_the_machine() {
    let server = Server::start("");
    let (anna, mut eve) = (player(&server, "anna"), player(&server, "eve"));
    let report = json!({ "player": "eve", "reason": "name", "words": "an \u{1b}[31minsult" });
    ok(&server, "POST /reports", Some(&anna.token), &report);
    let operate = |args: &[&str]| {
        let args: Vec<&str> = ["moderation"].iter().chain(args).copied().collect();
        server.operate(&args, "")
    };
    let list = operate(&["reports"]).expect("a list");
    assert!(
        list.contains("open") && list.contains("name: eve"),
        "{list}"
    );
    let shown = operate(&["show", "1"]).expect("a report");
    assert!(shown.contains(r"\u{1b}[31minsult"), "{shown}");
    let mute = [
        "act", "mute", "eve", "--hours", "24", "--reason", "spam", "--report", "1",
    ];
    operate(&mute).expect("done");
    assert!(told(&mut eve.wire, "mute")["until"].is_i64());
    assert!(
        operate(&["reports"])
            .expect("a list")
            .contains("closed by action 1")
    );
    operate(&[
        "act",
        "rename",
        "eve",
        "--handle",
        "Dove",
        "--reason",
        "an insult",
    ])
    .expect("done");
    told(&mut eve.wire, "rename");
    let me = ok(&server, "GET /me", Some(&eve.token), &Value::Null);
    assert_eq!(me["handle"], "Dove");
    operate(&["undo", "1"]).expect("undone");
    told(&mut eve.wire, "undo");
    assert!(operate(&["undo", "1"]).is_err(), "twice");
    assert!(operate(&["undo", "2"]).is_err(), "a new handle");
    let history = operate(&["history", "dove"]).expect("a list");
    assert_eq!(history.lines().count(), 4, "{history}");
    operate(&["act", "close", "--report", "1", "--reason", "again"]).expect_err("it is closed");
}

/// A report that is typed among the commands of the lobby reaches the moderators.
#[test]
fn the_client_reports_while_it_runs() {
    let server = Server::start("");
    let max = moderator(&server, "max");
    let _eve = player(&server, "eve");
    let home = TempDir::new().expect("a directory");
    let password = format!("{PASSWORD}\n");
    let args = ["register", "anna", "--password-stdin"];
    let registered = tilewire(&server, home.path(), "anna", &args, &password);
    assert!(registered.status.success(), "{registered:?}");
    let mut client = Command::new(binaries::client())
        .args(["lobby", "--json", "--profile", "anna"])
        .args(["--server", &server.url()])
        .arg("--data-dir")
        .arg(home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the client starts");
    let mut typed = client.stdin.take().expect("its input is piped");
    let output = client.stdout.take().expect("its output is piped");
    let mut lines = BufReader::new(output).lines();
    let mut outcome = |typed: &str| loop {
        let line = lines.next().expect("the client runs").expect("UTF-8");
        let line: Value = serde_json::from_str(&line).expect("an object");
        if ["reported", "not_reported"]
            .map(Value::from)
            .contains(&line["type"])
        {
            assert_eq!(line["player"], typed, "{line}");
            return line;
        }
    };
    writeln!(typed, "report EVE abuse so rude").expect("it reads");
    let taken = outcome("EVE");
    assert_eq!(taken["type"], "reported", "{taken}");
    writeln!(typed, "report nobody other").expect("it reads");
    let refused = outcome("nobody");
    assert_eq!(refused["type"], "not_reported", "{refused}");
    writeln!(typed, "quit").expect("it reads");
    assert!(client.wait().expect("it ends").success());

    let open = get(&server, &max, "/moderation/reports");
    let report = &open["reports"][0];
    assert_eq!(report["number"], taken["number"], "{open}");
    assert_eq!(report["target"]["name"], "eve", "{open}");
    assert_eq!(report["words"], "so rude", "{open}");
}
