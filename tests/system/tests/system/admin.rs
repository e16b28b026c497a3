//! Administration with real processes: over the admin listener, and by the command `admin`.

mod clocks;
mod service;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::http::{Answer, ask};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

const PASSWORD: &str = "seven crooked lanterns";

/// Returns the token that the server has made for the operator.
fn operator(server: &Server) -> String {
    let path = server.data_dir().join("admin-token");
    let mode = fs::metadata(&path).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    fs::read_to_string(path).expect("text").trim().to_owned()
}

/// Sends a request to an address, with further header lines.
fn send(address: &str, request: &str, headers: &str, body: &Value) -> Answer {
    let (mut headers, mut text) = (headers.to_owned(), String::new());
    if !body.is_null() {
        headers.push_str("Content-Type: application/json\r\n");
        text = body.to_string();
    }
    ask(address, request, &headers, &text).expect("an answer")
}

fn authorization(token: &str) -> String {
    format!("Authorization: Bearer {token}\r\n")
}

/// Sends a request of an admin; returns the status and the body.
fn call(server: &Server, token: &str, request: &str, body: &Value) -> (u16, Value) {
    let (method, path) = request.split_once(' ').expect("a method and a path");
    let request = format!("{method} /admin/v1{path}");
    let answer = send(&server.admin, &request, &authorization(token), body);
    let body = serde_json::from_str(&answer.body);
    let body = body.unwrap_or_else(|_| panic!("{request}: no JSON in {answer:?}"));
    (answer.status, body)
}

#[track_caller]
fn ok(server: &Server, token: &str, request: &str, body: &Value) -> Value {
    let (status, answer) = call(server, token, request, body);
    assert!((200..300).contains(&status), "{request}: {status} {answer}");
    answer
}

#[track_caller]
fn get(server: &Server, token: &str, path: &str) -> Value {
    ok(server, token, &format!("GET {path}"), &Value::Null)
}

#[track_caller]
fn refused(server: &Server, token: &str, request: &str, body: &Value) -> (u16, String) {
    let (status, answer) = call(server, token, request, body);
    let code = answer["code"].as_str().map(str::to_owned);
    (
        status,
        code.unwrap_or_else(|| panic!("{request}: {answer}")),
    )
}

/// Registers the guest of a token; returns the token of the session.
fn register(server: &Server, token: &str, handle: &str) -> String {
    let body = json!({ "handle": handle, "password": PASSWORD });
    let headers = authorization(token);
    let answer = send(&server.address, "POST /api/v1/register", &headers, &body);
    assert_eq!(answer.status, 201, "{answer:?}");
    let session: Value = serde_json::from_str(&answer.body).expect("JSON");
    session["token"].as_str().expect("a token").to_owned()
}

/// Returns the token of a new registered player with a role, or without one.
fn player(server: &Server, handle: &str, role: Option<&str>) -> String {
    let (guest, token) = Wire::guest(&server.address, handle);
    guest.close();
    let token = register(server, &token, handle);
    if let Some(role) = role {
        let grant = ["roles", "grant", handle, role];
        server.operate(&grant, "").expect("granted");
    }
    token
}

fn untimed() -> Value {
    options(&json!({ "kind": "untimed" }))
}

#[test]
fn only_admins_use_the_operations() {
    let server = Server::start("");
    let operator = operator(&server);
    let request = "GET /connections";
    let nothing = Value::Null;
    for token in ["", "a token that nobody knows", &operator[1..]] {
        let (status, _) = refused(&server, token, request, &nothing);
        assert_eq!(status, 401, "{token}");
    }
    let forbidden = (403, "forbidden".to_owned());
    for (handle, role) in [
        ("quinn", None),
        ("mona", Some("moderator")),
        ("dora", Some("director")),
    ] {
        let token = player(&server, handle, role);
        assert_eq!(refused(&server, &token, request, &nothing), forbidden);
        // Not even the paths are told.
        assert_eq!(refused(&server, &token, "GET /else", &nothing), forbidden);
    }
    let admin = player(&server, "ada", Some("admin"));
    for token in [&operator, &admin] {
        get(&server, token, "/connections");
        let document = get(&server, token, "/openapi.json");
        assert_eq!(document["servers"][0]["url"], "/admin/v1", "{document}");
        let (status, code) = refused(&server, token, "GET /else", &nothing);
        assert_eq!((status, code.as_str()), (404, "not_found"));
        let (status, _) = refused(&server, token, "DELETE /games", &nothing);
        assert_eq!(status, 405);
    }
    let revoke = ["roles", "revoke", "ada", "admin"];
    server.operate(&revoke, "").expect("revoked");
    assert_eq!(refused(&server, &admin, request, &nothing), forbidden);
}

/// A page knows no token, but its browser could have one of another program.
#[test]
fn a_web_page_cannot_operate() {
    let server = Server::start("");
    let operator = operator(&server);
    let status = |address: &str, headers: &str| {
        let headers = format!("{headers}{}", authorization(&operator));
        let request = "GET /admin/v1/connections";
        send(address, request, &headers, &Value::Null).status
    };
    assert_eq!(status(&server.admin, ""), 200);
    for headers in [
        "Origin: http://evil.example\r\n",
        "Origin: null\r\n",
        "Host: evil.example\r\n",
        "Host: localhost.evil.example:7781\r\n",
    ] {
        assert_eq!(status(&server.admin, headers), 403, "{headers}");
    }
    let here = send(&server.admin, "GET /admin/v1/connections", "", &Value::Null);
    assert_eq!(here.status, 401, "loopback is no token: {here:?}");
    assert_eq!(status(&server.address, ""), 404, "not for players");
}

#[test]
fn an_admin_sees_connections_players_and_games() {
    let server = Server::start("");
    let operator = operator(&server);
    let mut duel = Duel::start(&server, &untimed());
    duel.tokens[0] = register(&server, &duel.tokens[0], "Anna");
    duel.come_back(&server, 0);
    let connections = get(&server, &operator, "/connections?limit=1");
    assert_eq!(connections["all"], 2, "{connections}");
    let behind = format!("/connections?behind={}", connections["next"]);
    let rest = get(&server, &operator, &behind);
    assert_eq!(
        rest["connections"].as_array().map(Vec::len),
        Some(1),
        "{rest}"
    );
    assert_eq!(rest["connections"][0]["address"], "127.0.0.1", "{rest}");

    let found = get(&server, &operator, "/players?name=an");
    let anna = found["players"][0].clone();
    assert_eq!(anna["name"], "Anna", "{found}");
    let identity = anna["identity"].as_str().expect("an identity");
    let path = format!("/players?name={identity}");
    assert_eq!(get(&server, &operator, &path)["players"][0], anna);
    let full = get(&server, &operator, "/players/anna");
    assert_eq!(full["open"][0]["identity"], identity, "{full}");
    assert_eq!(full["sessions"].as_array().map(Vec::len), Some(1), "{full}");
    assert_eq!(full["games"][0]["game"]["game"], json!(duel.game), "{full}");
    let (status, code) = refused(&server, &operator, "GET /players/nobody", &Value::Null);
    assert_eq!((status, code.as_str()), (404, "unknown_player"));

    let count = |query: &str| {
        let list = get(&server, &operator, &format!("/games?{query}"));
        list["games"].as_array().expect("games").len()
    };
    for (query, expected) in [
        ("", 1),
        ("state=running&player=anna&rule_set=classic&rated=false", 1),
        ("state=ended", 0),
        ("rated=true", 0),
        ("private=true", 0),
        ("age_min_ms=3600000", 0),
    ] {
        assert_eq!(count(query), expected, "{query}");
    }
    let (status, code) = refused(&server, &operator, "GET /games?when=now", &Value::Null);
    assert_eq!((status, code.as_str()), (400, "bad_field"));
    duel.ask(0, "resign", json!({}));
    duel.ended(1);
    assert_eq!(count("state=ended&player=anna"), 1);
}

/// Returns how many events of a game show tiles that were drawn.
fn draws_shown(game: &Value) -> usize {
    let log = game["log"].as_array().expect("a log");
    let draws = log.iter().filter(|event| event["kind"] == "tiles_drawn");
    draws.filter(|event| event["tiles"].is_array()).count()
}

#[test]
fn hidden_tiles_are_shown_with_an_entry() {
    let mut server = Server::start("");
    let ada = player(&server, "ada", Some("admin"));
    let duel = Duel::start(&server, &untimed());
    let path = format!("/games/{}", duel.game);
    let game = get(&server, &ada, &path);
    let log = game["log"].as_array().expect("a log");
    assert_eq!(game["seq"], json!(log.len()), "{game}");
    assert_eq!((draws_shown(&game), &game["tiles"]), (0, &json!(false)));
    assert_eq!(game["connected"], json!([true, true]), "{game}");
    let before = get(&server, &ada, "/audit")["entries"].clone();

    let request = format!("POST {path}/tiles");
    let (status, code) = refused(&server, &ada, &request, &json!({ "reason": " " }));
    assert_eq!((status, code.as_str()), (400, "bad_reason"));
    let unknown = json!({ "reason": "a report" });
    let (status, _) = refused(&server, &ada, "POST /games/none/tiles", &unknown);
    assert_eq!(status, 404);
    assert_eq!(get(&server, &ada, "/audit")["entries"], before);

    let shown = ok(&server, &ada, &request, &json!({ "reason": "a report" }));
    assert_eq!((draws_shown(&shown), &shown["tiles"]), (2, &json!(true)));
    server.kill();
    server.start_again();
    let audit = get(&server, &ada, "/audit");
    let entry = &audit["entries"][0];
    assert_eq!(entry["action"], "operation:tiles_shown", "{audit}");
    assert_eq!(entry["target"], json!(duel.game), "{audit}");
    assert_eq!(
        (&entry["actor_name"], &entry["reason"]),
        (&json!("ada"), &json!("a report"))
    );
    assert_eq!(entry.get("target_name"), None, "a game has no name");
    server
        .operate(&["audit", "verify"], "")
        .expect("a whole chain");
}

#[test]
fn a_player_is_renamed_and_suspended_by_command() {
    let server = Server::start("");
    let eve = player(&server, "eve", None);
    let mut wire = Wire::known(&server.address, &eve);
    let operate = |args: &[&str]| {
        let args: Vec<&str> = ["admin"].iter().chain(args).copied().collect();
        server.operate(&args, "")
    };
    let found = operate(&["players", "ev"]).expect("a list");
    assert!(found.contains("registered  1 connections"), "{found}");
    let renamed = operate(&["rename", "eve", "Eva", "--reason", "insult"]);
    assert!(renamed.expect("done").starts_with("action "));
    let is_it =
        |kind: &str, message: &Value| message[0] == "moderation" && message[2]["kind"] == kind;
    let told = wire.pushed(|message| is_it("rename", message));
    assert_eq!(told[2]["reason"], "insult", "{told}");
    let suspended = operate(&[
        "suspend", "eva", "--hours", "1", "--reason", "spam", "--json",
    ]);
    let suspended: Value = serde_json::from_str(&suspended.expect("done")).expect("JSON");
    let told = wire.pushed(|message| is_it("suspend", message));
    assert_eq!(told[2]["reason"], "spam", "{told}");
    assert!(told[2]["until"].is_i64(), "{told}");
    assert_eq!(wire.closed(), Some(4009));
    let number = suspended["number"].to_string();
    let shown = operate(&["player", "eva"]).expect("a player");
    assert!(
        shown.contains("suspend until") && shown.contains("spam"),
        "{shown}"
    );
    operate(&["undo", &number, "--reason", "a mistake"]).expect("undone");
    let again = operate(&["undo", &number, "--reason", "again"]).expect_err("refused");
    assert!(again.contains("no_effect"), "{again}");
    let audit = operate(&["audit"]).expect("a list");
    for action in ["renamed", "suspended", "undone:"] {
        assert!(audit.contains(action), "{audit}");
    }
}

#[test]
fn the_command_shows_games() {
    let server = Server::start("");
    let duel = Duel::start(&server, &untimed());
    let operate = |args: &[&str]| {
        let args: Vec<&str> = ["admin"].iter().chain(args).copied().collect();
        server.operate(&args, "")
    };
    let list = operate(&["games", "--state", "running"]).expect("a list");
    assert!(list.starts_with(&duel.game), "{list}");
    assert_eq!(operate(&["games", "--rated", "true"]), Ok(String::new()));
    let shown = operate(&["game", &duel.game]).expect("a game");
    assert!(
        shown.contains("bag_shuffled") && shown.contains("storage idle"),
        "{shown}"
    );
    let tiles = [
        "game", &duel.game, "--tiles", "--reason", "a report", "--json",
    ];
    let tiles: Value = serde_json::from_str(&operate(&tiles).expect("a game")).expect("JSON");
    assert_eq!(draws_shown(&tiles), 2, "{tiles}");
    let unknown = operate(&["game", "none"]).expect_err("refused");
    assert!(unknown.contains("unknown_game"), "{unknown}");
}

/// Two admins decide about the same game at the same moment. The server is killed after the answers.
#[test]
fn of_two_admins_who_decide_at_once_one_has_an_effect() {
    let mut server = Server::start("");
    let (ada, operator) = (player(&server, "ada", Some("admin")), operator(&server));
    let mut duel = Duel::start(&server, &untimed());
    let path = format!("/games/{}", duel.game);
    let seq = get(&server, &ada, &path)["seq"].clone();
    let (win, cancel) = (
        format!("POST {path}/adjudicate"),
        format!("POST {path}/cancel"),
    );
    let before = get(&server, &ada, "/audit")["entries"].clone();
    let stale = json!({ "seq": 1, "reason": "a fault" });
    let moved_on = (409, "moved_on".to_owned());
    assert_eq!(refused(&server, &ada, &cancel, &stale), moved_on);
    let none = json!({ "seq": seq, "reason": "a fault", "result": "win", "seat": 2 });
    assert_eq!(refused(&server, &ada, &win, &none), moved_on);
    let unnamed = json!({ "seq": seq, "reason": "a fault", "result": "win" });
    let (status, _) = refused(&server, &ada, &win, &unnamed);
    assert_eq!(status, 400);
    assert_eq!(get(&server, &ada, "/audit")["entries"], before);

    let won = json!({ "seq": seq, "reason": "a fault", "result": "win", "seat": 1 });
    let cancelled = json!({ "seq": seq, "reason": "a fault" });
    let mut statuses = std::thread::scope(|scope| {
        let one = scope.spawn(|| call(&server, &ada, &win, &won).0);
        let other = scope.spawn(|| call(&server, &operator, &cancel, &cancelled).0);
        [one, other].map(|thread| thread.join().expect("an answer"))
    });
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
    let ended = duel.ended(1);
    let notice = duel.wires[0].pushed(|message| message[0] == "notice");
    let text = notice[2]["text"].as_str().expect("text");
    assert!(text.contains("a fault"), "{notice}");
    server.kill();
    server.start_again();
    let game = get(&server, &ada, &path);
    assert_eq!(game["snapshot"]["phase"], "ended", "{game}");
    let reason = ended["reason"].as_str().expect("a reason");
    let action = match reason {
        "adjudicated" => "operation:game_won",
        "aborted" => "operation:game_cancelled",
        other => panic!("{other} is no decision of an operator"),
    };
    let audit = get(&server, &ada, "/audit");
    let entries = audit["entries"].as_array().expect("entries");
    assert!(
        entries.iter().any(|entry| entry["action"] == action),
        "{audit}"
    );
    server
        .operate(&["audit", "verify"], "")
        .expect("a whole chain");
    server.operate(&["check"], "").expect("the log replays");
}

#[test]
fn the_command_decides_a_game() {
    let server = Server::start("");
    let mut duel = Duel::start(&server, &untimed());
    let seq = get(
        &server,
        &operator(&server),
        &format!("/games/{}", duel.game),
    )["seq"]
        .to_string();
    let win = [
        "admin",
        "adjudicate",
        &duel.game,
        "win",
        "--seat",
        "1",
        "--seq",
        &seq,
        "--reason",
        "a fault",
    ];
    let done = server.operate(&win, "").expect("done");
    assert!(done.starts_with("action "), "{done}");
    let again = server.operate(&win, "").expect_err("refused");
    assert!(
        again.contains("moved_on") && again.contains("phase is ended"),
        "{again}"
    );
    let ended = duel.ended(0);
    assert_eq!(
        (&ended["reason"], &ended["winners"]),
        (&json!("adjudicated"), &json!([1]))
    );
}
