//! Records of games over HTTP, and the reaction of the client program to damaged ones.

use std::fs;

use serde_json::{Value, json};
use tilewire_harness::client::Client;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::http;
use tilewire_harness::records::{check_records, tilewire};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

fn untimed() -> Value {
    options(&json!({ "kind": "untimed" }))
}

/// At most two plays, then a player resigns.
fn short_game(server: &Server) -> Duel {
    let mut duel = Duel::start(server, &untimed());
    let tiles = duel.letters(0, 1);
    duel.ok(0, "exchange", json!({ "turn_no": 1, "tiles": tiles }));
    duel.until(1, |fold| fold.on_turn.is_some() && fold.turn_no == 2);
    duel.ok(1, "pass", json!({ "turn_no": 2 }));
    duel
}

#[test]
fn a_game_has_a_record_when_it_is_over() {
    let server = Server::start("");
    let home = tempfile::tempdir().expect("a temporary directory");
    let mut duel = short_game(&server);
    let path = format!("/games/{}.jsonl", duel.game);
    let (status, said) = http::get(&server.address, &path);
    assert_eq!(status, 409, "{said}");
    assert!(said.starts_with("not_over: "), "{said}");
    assert!(!said.contains("secret"), "{said}");
    duel.ok(1, "resign", json!({}));
    duel.ended(0);
    check_records(&server, home.path(), &duel.game);
    let request = format!("GET {path}");
    let answer = http::ask(&server.address, &request, "", "").expect("an answer");
    let head = answer.head.to_ascii_lowercase();
    assert!(head.contains("x-content-type-options: nosniff"), "{head}");
    let text = answer.body;
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert!(line.get("command").is_none(), "{line}");
        assert!(is_exact_in_javascript(&line), "{line}");
    }
    assert!(!text.contains("cmd_id"), "{text}");

    // By id alone, without a file; the game never returns to memory.
    let output = tilewire(&server, home.path(), &["verify", &duel.game]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let output = tilewire(&server, home.path(), &["verify", "0000000000000000"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("no such game"), "{said}");

    for (path, status, code) in [
        ("/games/0000000000000000.gcg", 404, "unknown_game: "),
        ("/games/", 404, "not_found: "),
        ("/games/..%2f..%2fsecret.jsonl", 404, "not_found: "),
        ("/games/0000000000000000.txt", 404, "not_found: "),
    ] {
        let (got, said) = http::get(&server.address, path);
        assert_eq!(got, status, "{path}: {said}");
        assert!(said.starts_with(code), "{path}: {said}");
    }
}

#[test]
fn the_finished_games_of_a_player_are_listed_with_their_final_scores() {
    let server = Server::start("");
    let home = tempfile::tempdir().expect("a temporary directory");
    let mut games = Vec::new();
    for number in 0..2 {
        let play = ["play", "--bot", "beginner", "--clock", "untimed"];
        let mut client = Client::start("two", &server.address, home.path(), &play);
        client.wait_for(|line| line["kind"] == "turn_started");
        client.type_line("resign");
        let ended = client.wait_for(|line| line["kind"] == "ended");
        games.push(ended["game"].as_str().expect("an id").to_owned());
        assert_eq!(client.finish(), 0, "game {number}");
    }
    let list = |more: &[&str]| {
        let args = [&["games", "--finished", "--profile", "two"], more].concat();
        let output = tilewire(&server, home.path(), &args);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let text = list(&[]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[1].contains(&games[1]) && lines[2].contains(&games[0]),
        "{text}"
    );
    assert!(lines[1].contains("1. beginner bot 0  2. two 0"), "{text}");
    let older: Value =
        serde_json::from_str(&list(&["--before", &games[1], "--json"])).expect("JSON");
    let ids: Vec<&Value> = older["games"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|game| &game["game"])
        .collect();
    assert_eq!(ids, [&json!(games[0])]);
}

/// A private game of two guests that has begun.
struct PrivateGame {
    anna: Wire,
    /// Anna's token.
    token: String,
    _ben: Wire,
    id: String,
    code: String,
}

fn private_game(server: &Server) -> PrivateGame {
    let (mut anna, token) = Wire::guest(&server.address, "anna");
    let (mut ben, _) = Wire::guest(&server.address, "ben");
    let seek = json!({ "cmd_id": "o", "private": true, "options": untimed() });
    let opened = anna.ok("seek", seek);
    let code = opened["seek"]["code"].as_str().expect("a code").to_owned();
    let joined = ben.ok("join_seek", json!({ "cmd_id": "j", "code": code }));
    let game = joined["game"].as_str().expect("an id").to_owned();
    for player in [&mut anna, &mut ben] {
        player.ok("attach", json!({ "game": game, "seq": 0 }));
        player.ok("ready", json!({ "game": game, "cmd_id": "r" }));
    }
    anna.event("turn_started");
    PrivateGame {
        anna,
        token,
        _ben: ben,
        id: game,
        code,
    }
}

/// The header with a token.
fn bearer(token: &str) -> String {
    format!("Authorization: Bearer {token}\r\n")
}

#[test]
fn the_record_of_a_private_game_needs_its_code() {
    let server = Server::start("");
    let PrivateGame {
        mut anna,
        token,
        id: game,
        code,
        _ben,
    } = private_game(&server);
    let path = format!("/games/{game}.gcg");
    let right = format!("X-Game-Code: {}\r\n", code.to_lowercase());
    let wrong = "X-Game-Code: WRONG\r\n";
    let unknown = http::get(&server.address, "/games/0000000000000000.gcg");
    assert_eq!(unknown.0, 404);
    let is_unknown = |headers: &str| {
        let answer = http::get_with(&server.address, &path, headers);
        assert_eq!(answer, unknown, "{headers:?}");
    };
    ["", wrong].into_iter().for_each(is_unknown);
    let (status, said) = http::get_with(&server.address, &path, &right);
    assert!(status == 409 && said.starts_with("not_over: "), "{said}");

    anna.ok("resign", json!({ "game": game, "cmd_id": "x" }));
    anna.event("ended");
    ["", wrong].into_iter().for_each(is_unknown);
    let (status, said) = http::get_with(&server.address, &path, &right);
    assert_eq!(status, 200, "{said}");
    assert!(said.starts_with("#character-encoding UTF-8"), "{said}");

    let (_, zoe) = Wire::guest(&server.address, "zoe");
    is_unknown(&bearer(&zoe));
    is_unknown("Authorization: Bearer nonsense\r\n");
    assert_eq!(
        http::get_with(&server.address, &path, &bearer(&token)),
        (200, said)
    );
    let home = tempfile::tempdir().expect("a temporary directory");
    let output = tilewire(&server, home.path(), &["verify", &game, "--code", &code]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// Words are looked up after the end; in a private game by its players and with its code.
#[test]
fn words_of_a_private_game_are_looked_up_with_its_code() {
    let server = Server::start("");
    let PrivateGame {
        mut anna,
        id: game,
        code,
        _ben,
        ..
    } = private_game(&server);
    let (mut zoe, _) = Wire::guest(&server.address, "zoe");
    let mut asked = json!({ "game": game, "words": ["horn", "HORNX"] });
    assert_eq!(anna.refused("look_up", asked.clone()), "not_over");
    anna.ok("resign", json!({ "game": game, "cmd_id": "x" }));
    anna.event("ended");
    let found = json!([{ "word": "horn", "valid": true }, { "word": "HORNX", "valid": false }]);
    assert_eq!(anna.ok("look_up", asked.clone())["words"], found);
    assert_eq!(zoe.refused("look_up", asked.clone()), "code_required");
    asked["code"] = json!("WRONG");
    assert_eq!(zoe.refused("look_up", asked.clone()), "wrong_code");
    asked["code"] = json!(code.to_lowercase());
    assert_eq!(zoe.ok("look_up", asked)["words"], found);

    let home = tempfile::tempdir().expect("a temporary directory");
    let look_up = |words: &[&str], more: &[&str]| {
        let args = [&["lookup", game.as_str(), "--code", &code], words, more].concat();
        let output = tilewire(&server, home.path(), &args);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        (output.status.code(), text)
    };
    let text = "horn  valid\nHORNX  not valid\n";
    assert_eq!(look_up(&["horn", "HORNX"], &[]), (Some(1), text.to_owned()));
    assert_eq!(look_up(&["horn"], &[]).0, Some(0));
    let (status, text) = look_up(&["horn", "HORNX"], &["--json"]);
    let told: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((status, &told["words"]), (Some(1), &found), "{told}");
}

#[test]
fn guessing_the_codes_of_records_is_rate_limited() {
    let server = Server::start(
        "[timing]\nwrong_code_wait_ms = 3600000\nwrong_code_wait_max_ms = 3600000\n\
         [http]\ntrusted_proxies = [\"127.0.0.1\"]\n",
    );
    let PrivateGame {
        mut anna,
        id: game,
        code,
        _ben,
        ..
    } = private_game(&server);
    anna.ok("resign", json!({ "game": game, "cmd_id": "x" }));
    anna.event("ended");
    let ask = |game: &str, code: &str, from: &str| {
        let request = format!("GET /games/{game}.jsonl");
        let headers = format!("X-Game-Code: {code}\r\nX-Forwarded-For: {from}\r\n");
        http::ask(&server.address, &request, &headers, "").expect("an answer")
    };
    // Guesses at games that do not exist count too.
    for number in 0..20 {
        let game = if number % 2 == 0 {
            &game
        } else {
            "0000000000000000"
        };
        let answer = ask(game, "WRONG", "2001:db8::1");
        assert_eq!(answer.status, 404, "{number}: {}", answer.body);
    }
    let figures = server.admin_get("/metrics").1;
    let counted = "tilewire_wrong_codes_total 20";
    assert!(figures.contains(counted), "{figures}");
    // From here on the server refuses even the right code from that household.
    for from in ["2001:db8::1", "2001:db8::2"] {
        let answer = ask(&game, &code, from);
        assert_eq!(answer.status, 429, "{}", answer.body);
        assert!(answer.body.starts_with("rate_limited: "), "{}", answer.body);
        let head = answer.head.to_lowercase();
        assert!(head.contains("\r\nretry-after: 3600"), "{head}");
    }
    assert_eq!(ask(&game, &code, "2001:db8:0:1::1").status, 200);
}

/// Every change of a record is found, with its line.
#[test]
fn a_changed_record_is_not_a_proof() {
    let server = Server::start("");
    let home = tempfile::tempdir().expect("a temporary directory");
    let mut duel = short_game(&server);
    duel.ok(1, "resign", json!({}));
    duel.ended(0);
    let (_, text) = http::get(&server.address, &format!("/games/{}.jsonl", duel.game));
    let lines: Vec<&str> = text.lines().collect();
    let find = |kind: &str| lines.iter().position(|line| line.contains(kind));
    let mixed = find("bag_shuffled").expect("the bag was mixed");
    let drawn = find("tiles_drawn").expect("tiles were drawn");
    for (at, change) in [
        (mixed, swapped as fn(&str, &str) -> String),
        (drawn, swapped),
    ] {
        let key = if at == mixed { "order" } else { "tiles" };
        let mut touched: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        touched[at] = change(&touched[at], key);
        assert_ne!(touched[at], lines[at]);
        fs::write(home.path().join("touched.jsonl"), touched.join("\n")).expect("a file");
        let output = tilewire(&server, home.path(), &["verify", "touched.jsonl"]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            said.contains(&format!("WRONG line {:>3}", at + 1)),
            "{said}"
        );
    }
}

/// Says whether all numbers of a value are integers that a double holds exactly.
fn is_exact_in_javascript(value: &Value) -> bool {
    match value {
        Value::Number(number) => number
            .as_i64()
            .is_some_and(|number| number.unsigned_abs() < 1 << 53),
        Value::Array(values) => values.iter().all(is_exact_in_javascript),
        Value::Object(fields) => fields.values().all(is_exact_in_javascript),
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}

/// Puts the first tile of a list behind the first that differs from it.
fn swapped(line: &str, key: &str) -> String {
    let mut record: Value = serde_json::from_str(line).expect("JSON");
    let tiles = find(&mut record, key).expect("a list of tiles");
    let other = tiles.iter().position(|tile| *tile != tiles[0]);
    tiles.swap(0, other.expect("two kinds of tiles"));
    record.to_string()
}

fn find<'a>(value: &'a mut Value, key: &str) -> Option<&'a mut Vec<Value>> {
    let map = value.as_object_mut()?;
    if map.get(key).is_some_and(Value::is_array) {
        return map.get_mut(key)?.as_array_mut();
    }
    map.values_mut().find_map(|value| find(value, key))
}
