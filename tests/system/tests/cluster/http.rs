//! The HTTP API and the admin listener of any of several servers reach what another one has.

use std::fs;
use std::time::Instant;

use serde_json::{Value, json};
use tilewire_harness::PATIENCE;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::http::{Answer, ask};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;
use tilewire_store::Part;
use tilewire_system::cluster::Cluster;

const PASSWORD: &str = "seven crooked lanterns";
/// Most games that are begun until one of them is at home on a certain server of three.
const DRAWS: usize = 60;

/// Sends a request; returns the whole answer.
fn send(address: &str, token: &str, request: &str, body: &Value) -> Answer {
    let mut headers = format!("Authorization: Bearer {token}\r\n");
    let mut text = String::new();
    if !body.is_null() {
        headers.push_str("Content-Type: application/json\r\n");
        text = body.to_string();
    }
    ask(address, request, &headers, &text).expect("an answer")
}

/// Sends a request of the operator to a server; returns the status and the body.
fn operator(server: &Server, request: &str, body: &Value) -> (u16, Value) {
    let token = fs::read_to_string(server.data_dir().join("admin-token")).expect("a token");
    let (method, path) = request.split_once(' ').expect("a method and a path");
    let request = format!("{method} /admin/v1{path}");
    let answer = send(&server.admin, token.trim(), &request, body);
    let body = serde_json::from_str(&answer.body);
    let body = body.unwrap_or_else(|_| panic!("{request}: no JSON in {answer:?}"));
    (answer.status, body)
}

#[track_caller]
fn done(server: &Server, request: &str, body: &Value) -> Value {
    let (status, answer) = operator(server, request, body);
    assert!((200..300).contains(&status), "{request}: {status} {answer}");
    assert_eq!(
        answer["missing_servers"],
        Value::Null,
        "{request}: {answer}"
    );
    answer
}

/// Sends a request of a player, which must succeed; returns the body.
#[track_caller]
fn player(server: &Server, token: &str, request: &str, body: &Value) -> Value {
    let (method, path) = request.split_once(' ').expect("a method and a path");
    let answer = send(
        &server.address,
        token,
        &format!("{method} /api/v1{path}"),
        body,
    );
    assert!((200..300).contains(&answer.status), "{request}: {answer:?}");
    serde_json::from_str(&answer.body).unwrap_or_default()
}

/// Returns the connection and the token of a new registered player.
fn registered(server: &Server, handle: &str) -> (Wire, String) {
    let (_, token) = Wire::guest(&server.address, handle);
    let body = json!({ "handle": handle, "password": PASSWORD });
    let session = player(server, &token, "POST /register", &body);
    let token = session["token"].as_str().expect("a token").to_owned();
    (Wire::known(&server.address, &token), token)
}

/// Three servers, the lobby on one of them, and a game on another one.
struct Table {
    cluster: Cluster,
    lobby: usize,
    /// The server of the game.
    owner: usize,
    /// The server with neither.
    third: usize,
    /// The game, whose players are connected to the server with the lobby.
    duel: Duel,
}

/// Returns a game with these options; `None` if no PostgreSQL or no NATS server is installed.
fn table(options: &Value) -> Option<Table> {
    let mut cluster = Cluster::relaying(3)?;
    let lobby = cluster.owner(Part::LOBBY);
    let [owner, third] = [1, 2].map(|place| (lobby + place) % 3);
    // A game that is at home on the owner goes there when that server starts.
    assert!(cluster.servers[owner].stop(), "it ends well");
    cluster.until_at_home(&[lobby, third]);
    let duel = (0..DRAWS)
        .map(|_| Duel::start(&cluster.servers[lobby], options))
        .find(|duel| Cluster::home(Cluster::part_of(&duel.game), &[0, 1, 2]) == owner)
        .expect("one in three is");
    cluster.servers[owner].start_again();
    cluster.until_at_home(&[0, 1, 2]);
    Some(Table {
        cluster,
        lobby,
        owner,
        third,
        duel,
    })
}

impl Table {
    fn server(&self, place: usize) -> &Server {
        &self.cluster.servers[place]
    }

    /// Asks all servers the same; returns the answers.
    fn everywhere(&self, request: &str) -> Vec<Value> {
        let servers = self.cluster.servers.iter();
        servers
            .map(|server| done(server, request, &Value::Null))
            .collect()
    }
}

fn timed() -> Value {
    options(&json!({ "kind": "sudden_death", "initial_ms": 600_000 }))
}

fn reason() -> Value {
    json!({ "reason": "a fault" })
}

/// Returns how many events of a game show tiles that were drawn.
fn draws_shown(game: &Value) -> usize {
    let log = game["log"].as_array().expect("a log");
    let draws = log.iter().filter(|event| event["kind"] == "tiles_drawn");
    draws.filter(|event| event["tiles"].is_array()).count()
}

/// Returns the text of the next notice with a code.
fn notice(wire: &mut Wire, code: &str) -> String {
    let told = wire.pushed(|message| message[0] == "notice" && message[2]["code"] == code);
    told[2]["text"].as_str().expect("a text").to_owned()
}

/// An admin asks servers without a game about it: it is shown, without tiles unless the admin asks for them, paused, continued, gets
/// time, and ends. A decision about an earlier state of the game is refused. The players read of it wherever they are.
#[test]
fn an_admin_of_any_server_reaches_the_game_of_another_one() {
    let Some(mut table) = table(&timed()) else {
        return;
    };
    let path = format!("/games/{}", table.duel.game);
    let mut elsewhere = Wire::known(
        &table.server(table.third).address,
        &table.duel.tokens[0].clone(),
    );
    let shown = table.everywhere(&format!("GET {path}"));
    for game in &shown {
        assert_eq!((draws_shown(game), &game["tiles"]), (0, &json!(false)));
        assert_eq!(game["seq"], shown[0]["seq"], "{game}");
    }
    let third = table.server(table.third);
    let tiles = done(third, &format!("POST {path}/tiles"), &reason());
    assert_eq!((draws_shown(&tiles), &tiles["tiles"]), (2, &json!(true)));
    done(third, &format!("POST {path}/pause"), &reason());
    let (status, again) = operator(third, &format!("POST {path}/pause"), &reason());
    assert_eq!((status, &again["code"]), (409, &json!("moved_on")));
    for wire in table.duel.wires.iter_mut().chain([&mut elsewhere]) {
        let text = notice(wire, "game_paused");
        assert_eq!(text, "An operator paused your game: a fault");
    }
    let args = ["admin", "game", &table.duel.game];
    let said = table.server(table.lobby).operate(&args, "");
    assert!(said.expect("a game").contains("paused"), "by the command");
    let give = json!({ "seat": 1, "time_ms": 60_000, "reason": "a fault" });
    let lobby = table.server(table.lobby);
    done(lobby, &format!("POST {path}/time"), &give);
    let args = ["admin", "continue", &table.duel.game, "--reason", "x"];
    let said = table.server(table.third).operate(&args, "");
    assert!(said.expect("it goes on").starts_with("action "));
    let running = done(lobby, &format!("GET {path}"), &Value::Null);
    assert_eq!(running["snapshot"]["clocks"]["main_ms"][1], 660_000);

    let seq = running["seq"].as_u64().expect("a number");
    let end = |seq: u64| json!({ "seq": seq, "reason": "a fault" });
    let cancel = format!("POST {path}/cancel");
    let (status, late) = operator(third_of(&table), &cancel, &end(seq - 1));
    assert_eq!((status, &late["code"]), (409, &json!("moved_on")));
    let said = late["message"].as_str().expect("a message");
    assert!(said.contains(&format!("is {seq} now")), "{said}");
    let done_at = done(third_of(&table), &cancel, &end(seq));
    assert_eq!(done_at["seq"], seq + 1, "{done_at}");
    notice(&mut elsewhere, "game_cancelled");
    // Each operation has one entry, whichever server was asked.
    let audit = done(table.server(table.owner), "GET /audit", &Value::Null);
    let entries = audit["entries"].as_array().expect("entries");
    let names: Vec<&str> = entries
        .iter()
        .filter(|entry| entry["target"] == json!(table.duel.game))
        .filter_map(|entry| entry["action"].as_str())
        .collect();
    let expected = [
        "operation:game_cancelled",
        "operation:game_continued",
        "operation:time_given",
        "operation:game_paused",
        "operation:tiles_shown",
    ];
    assert_eq!(names, expected);
    let unknown = format!("GET {path}x");
    for server in &table.cluster.servers {
        assert_eq!(operator(server, &unknown, &Value::Null).0, 404);
    }
}

fn third_of(table: &Table) -> &Server {
    table.server(table.third)
}

/// Lists and orders concern all servers, whichever is asked.
#[test]
fn an_admin_of_any_server_asks_all_of_them() {
    let Some(mut table) = table(&timed()) else {
        return;
    };
    let other = Duel::start(table.server(table.lobby), &timed());
    let third = table.server(table.third);
    let mut own = Wire::guest(&third.address, "zoe").0;
    for list in table.everywhere("GET /games?limit=100&state=running") {
        let games = list["games"].as_array().expect("games").iter();
        let same = games.filter(|line| line["game"]["game"] == json!(table.duel.game));
        let awake: Vec<bool> = same.map(|line| line["awake"] == true).collect();
        assert_eq!(awake, [true], "{list}");
    }
    let first = done(third, "GET /games?limit=1", &Value::Null);
    let next = first["next"].as_str().expect("there are more");
    let second = format!("GET /games?limit=1&behind={next}");
    let second = done(table.server(table.owner), &second, &Value::Null);
    assert_ne!(first["games"], second["games"]);
    for list in table.everywhere("GET /connections") {
        let names = list["connections"].as_array().expect("connections").iter();
        let zoe = names.filter(|line| line["name"] == "zoe").count();
        assert_eq!((zoe, list["all"].as_u64() > Some(1)), (1, true), "{list}");
    }
    // One order for all games, with one entry of the audit. A paused game does not fall asleep.
    let going_on = done(third, "GET /lobby", &Value::Null);
    assert!(going_on["games"].as_u64() > Some(1), "{going_on}");
    let paused = done(third, "POST /pause", &reason());
    assert!(paused["games"].as_u64() > Some(1), "{paused}");
    for wire in &mut table.duel.wires {
        wire.pushed(|message| message[0] == "paused");
    }
    let lobby = table.server(table.lobby);
    let continued = done(lobby, "POST /continue", &reason());
    assert_eq!(continued["games"], paused["games"]);
    let audit = done(lobby, "GET /audit", &Value::Null)["entries"].clone();
    let of_all = audit.as_array().expect("entries").iter();
    assert_eq!(of_all.filter(|entry| entry["target"] == "games").count(), 2);
    drop(other);
    notices_reach_the_clients_of_all(&mut table, &mut own);
    let watch = json!({ "game": table.duel.game, "for_ms": 60_000, "reason": "x" });
    done(third_of(&table), "POST /watches", &watch);
    for list in table.everywhere("GET /watches") {
        assert_eq!(list["watches"][0]["id"], json!(table.duel.game), "{list}");
    }
    let block = json!({ "network": "203.0.113.0/24", "reason": "a flood" });
    done(third_of(&table), "POST /addresses", &block);
    let knows = |server: &Server| {
        let list = done(server, "GET /addresses", &Value::Null);
        list["blocks"][0]["network"] == "203.0.113.0/24"
    };
    until("all servers have the blocked addresses", || {
        table.cluster.servers.iter().all(knows)
    });
}

/// A notice by the plain way, one at once and one for later, each from another server.
fn notices_reach_the_clients_of_all(table: &mut Table, own: &mut Wire) {
    let message = json!({ "code": "plain", "text": "Back at noon" });
    let token = fs::read_to_string(table.server(table.owner).data_dir().join("admin-token"));
    let address = &table.server(table.owner).admin;
    let answer = send(
        address,
        token.expect("a token").trim(),
        "POST /notice",
        &message,
    );
    assert!(answer.body.ends_with("connections told\n"), "{answer:?}");
    let lobby = table.server(table.lobby);
    let now = json!({ "code": "now", "text": "Back at one", "reason": "a fault" });
    done(lobby, "POST /notices", &now);
    for wire in table.duel.wires.iter_mut().chain([own]) {
        assert_eq!(notice(wire, "plain"), "Back at noon");
        assert_eq!(notice(wire, "now"), "Back at one");
    }
    let later = json!({ "code": "l", "text": "t", "first": i64::MAX / 2, "reason": "x" });
    let number = done(third_of(table), "POST /notices", &later)["number"].clone();
    // A server without one of these clients may send the notice of now a moment later.
    until("all servers have the notice for later alone", || {
        let lists = table.everywhere("GET /notices");
        let is_alone = |list: &Value| {
            let waiting = list["notices"].as_array().expect("notices");
            waiting.len() == 1 && waiting[0]["number"] == number
        };
        lists.iter().all(is_alone)
    });
    let cancel = format!("POST /notices/{number}/cancel");
    done(table.server(table.owner), &cancel, &reason());
    for list in table.everywhere("GET /notices") {
        assert_eq!(list["notices"], json!([]), "{list}");
    }
}

/// A closed lobby stays closed when another server gets it.
#[test]
fn the_lobby_is_closed_from_any_server_and_stays_so() {
    let Some(mut table) = table(&timed()) else {
        return;
    };
    done(table.server(table.owner), "POST /lobby/close", &reason());
    for lobby in table.everywhere("GET /lobby") {
        assert_eq!(lobby["open"], false, "{lobby}");
    }
    let mut guest = Wire::guest(&table.server(table.third).address, "gus").0;
    let seek = json!({ "cmd_id": "a", "options": timed() });
    assert_eq!(guest.refused("seek", seek), "lobby_closed");
    assert!(table.cluster.servers[table.lobby].stop(), "it ends well");
    table.cluster.until_at_home(&[table.owner, table.third]);
    let mut guest = Wire::guest(&table.server(table.third).address, "gil").0;
    let seek = || json!({ "cmd_id": "b", "options": timed() });
    assert_eq!(guest.refused("seek", seek()), "lobby_closed");
    done(table.server(table.owner), "POST /lobby/open", &reason());
    guest.ok("seek", seek());
}

/// A player's change at any server takes effect in the lobby, and any server knows who is online.
#[test]
fn a_change_of_a_player_at_any_server_reaches_the_lobby() {
    let Some(table) = table(&timed()) else {
        return;
    };
    let (owner, third) = (table.server(table.owner), table.server(table.third));
    let lobby = table.server(table.lobby);
    let (mut anna, annas) = registered(third, "annika");
    let (mut ben, bens) = registered(owner, "benno");
    for (server, token, other) in [(owner, &annas, "benno"), (third, &bens, "annika")] {
        let request = format!("PUT /following/{other}");
        player(server, token, &request, &Value::Null);
    }
    for server in [owner, third, lobby] {
        let relations = player(server, &annas, "GET /relations", &Value::Null);
        let friend = &relations["followed"][0];
        assert_eq!(
            (&friend["friend"], &friend["online"]),
            (&json!(true), &json!(true)),
            "{relations}"
        );
    }
    let with = json!({ "kind": "direct", "with": "benno" });
    anna.ok("chat_join", with.clone());
    let off = json!({ "enabled": false });
    player(owner, &annas, "PUT /account/chat", &off);
    anna.pushed(|message| message[0] == "chat_closed");
    assert_eq!(anna.refused("chat_join", with), "chat_off");
    // The lobby knows the handle at once.
    let seek = json!({ "cmd_id": "open", "options": timed() });
    let opened = anna.ok("seek", seek);
    assert_eq!(opened["seek"]["members"][0]["name"], "annika", "{opened}");
    let join = |id: &str| json!({ "cmd_id": id, "seek": opened["seek"]["seek"] });
    player(owner, &annas, "PUT /blocked/benno", &Value::Null);
    assert_eq!(ben.refused("join_seek", join("one")), "unknown_seek");
    player(third, &annas, "DELETE /blocked/benno", &Value::Null);
    ben.ok("join_seek", join("two"));
}

/// A vacation moves the deadlines of games at any server, and its end moves them back.
#[test]
fn a_vacation_reaches_the_games_of_all_servers() {
    const DAY_MS: i64 = 24 * 3_600_000;
    let mut slow = options(&json!({ "kind": "per_move", "limit_ms": 3 * DAY_MS }));
    slow["vacation"] = json!(true);
    let Some(table) = table(&slow) else {
        return;
    };
    let path = format!("GET /games/{}", table.duel.game);
    let third = table.server(table.third);
    // When the flag of the seat on turn falls.
    let due = || {
        let game = done(third, &path, &Value::Null);
        let clocks = &game["snapshot"]["clocks"];
        let of = |time: &Value| time.as_i64().expect("a time");
        of(&clocks["running"]["since"]) + of(&clocks["allowance_ms"][0])
    };
    let body = json!({ "handle": "vera", "password": PASSWORD });
    let session = player(third, &table.duel.tokens[0], "POST /register", &body);
    let token = session["token"].as_str().expect("a token");
    let before = due();
    let days = json!({ "days": 5 });
    player(third, token, "POST /account/vacation", &days);
    let moved = due() - before;
    assert!((4 * DAY_MS..=5 * DAY_MS).contains(&moved), "{moved}");
    let lobby = table.server(table.lobby);
    player(lobby, token, "DELETE /account/vacation", &Value::Null);
    let after = due() - before;
    assert!((0..3_600_000).contains(&after), "{after}");
}

/// The server of a game stands still. An order about the game has no answer, and its sender learns that nobody knows whether it was carried
/// out; then the game has no server for a while, and then another one answers.
#[test]
fn a_server_that_is_gone_is_not_waited_for() {
    let Some(table) = table(&timed()) else {
        return;
    };
    let path = format!("/games/{}", table.duel.game);
    let owner = table.owner;
    // It stands still: nothing tells the others that it does not answer.
    table.cluster.servers[owner].suspend();
    let (status, lost) = operator(third_of(&table), &format!("POST {path}/pause"), &reason());
    assert_eq!((status, &lost["code"]), (503, &json!("internal")), "{lost}");
    assert_eq!(lost["retryable"], false, "{lost}");
    let token = fs::read_to_string(third_of(&table).data_dir().join("admin-token"));
    let token = token.expect("a token");
    let request = format!("GET /admin/v1{path}");
    let mut found = Value::Null;
    until("another server has the game", || {
        let answer = send(
            &third_of(&table).admin,
            token.trim(),
            &request,
            &Value::Null,
        );
        found = serde_json::from_str(&answer.body).expect("JSON");
        if answer.status == 503 {
            assert_eq!(found["code"], "busy", "{found}");
            assert!(answer.head.to_lowercase().contains("retry-after: "));
        }
        answer.status == 200
    });
    assert!(found["snapshot"]["clocks"]["running"].is_object());
    let list = done_without(third_of(&table), "GET /games");
    assert!(!list["games"].as_array().expect("games").is_empty());
}

/// Sends a request that must succeed, whether or not all servers answer.
fn done_without(server: &Server, request: &str) -> Value {
    let (status, answer) = operator(server, request, &Value::Null);
    assert!((200..300).contains(&status), "{request}: {status} {answer}");
    answer
}

#[expect(clippy::disallowed_methods, reason = "real processes are awaited")]
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let since = Instant::now();
    while !is_so() {
        assert!(since.elapsed() < PATIENCE, "never: {what}");
    }
}
