//! Whole evenings at a table, with real processes.

use serde_json::{Value, json};
use tilewire_harness::PATIENCE;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::http::ask;
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

fn clock() -> Value {
    options(&json!({ "kind": "sudden_death", "initial_ms": 600_000 }))
}

/// Says that both players of a game are ready, and returns the setup and the seat that has the first turn.
fn begin(wires: &mut [Wire], game: &str) -> (Value, u64) {
    for wire in wires.iter_mut() {
        wire.ok("attach", json!({ "game": game, "seq": 0 }));
        wire.ok("ready", json!({ "game": game, "cmd_id": "ready" }));
    }
    let created = wires[0].event("created");
    let started = wires[0].event("turn_started");
    let seat = started["seat"].as_u64().expect("a seat");
    (created["setup"].clone(), seat)
}

fn offer(wire: &mut Wire, game: &str) -> String {
    let next = wire.ok(
        "offer_rematch",
        json!({ "game": game, "cmd_id": format!("again-{game}") }),
    );
    next["game"].as_str().expect("the new game").to_owned()
}

/// Sends a request to the API.
fn api(server: &Server, request: &str, token: &str, body: &Value) -> Value {
    let mut headers = format!("Authorization: Bearer {token}\r\n");
    let text = match body {
        Value::Null => String::new(),
        body => {
            headers.push_str("Content-Type: application/json\r\n");
            body.to_string()
        }
    };
    let (method, path) = request.split_once(' ').expect("a method and a path");
    let request = format!("{method} /api/v1{path}");
    let answer = ask(&server.address, &request, &headers, &text).expect("an answer");
    assert!((200..300).contains(&answer.status), "{request}: {answer:?}");
    serde_json::from_str(&answer.body).expect("JSON")
}

/// Asks for the games of both players until so many have a result.
#[expect(clippy::disallowed_methods, reason = "a test must not wait for ever")]
fn head_to_head(server: &Server, token: &str, games: u64) -> Value {
    let since = std::time::Instant::now();
    loop {
        let found = api(server, "GET /players/anna/versus/ben", token, &Value::Null);
        let all = ["won", "lost", "shared"].map(|how| found["all"][how].as_u64().unwrap_or(0));
        if all.iter().sum::<u64>() == games {
            return found;
        }
        assert!(since.elapsed() < PATIENCE, "{found}: {}", server.log());
        std::thread::yield_now();
    }
}

/// Registers the players of these tokens as Anna, Ben and Cleo; returns the tokens of their sessions.
fn register(server: &Server, tokens: &[String]) -> Vec<String> {
    let named = tokens.iter().zip(["anna", "ben", "cleo"]);
    let sessions = named.map(|(token, handle)| {
        let body = json!({ "handle": handle, "password": "seven crooked lanterns" });
        let session = api(server, "POST /register", token, &body);
        session["token"].as_str().expect("a token").to_owned()
    });
    sessions.collect()
}

/// Waits for what the server says of an invitation.
fn invitation_told(wire: &mut Wire) -> Value {
    wire.pushed(|message| message[0] == "invitation")[2].clone()
}

/// An evening that begins with an invitation, which outlives a crash: the inviter has the first turn (000-F1).
#[test]
fn an_evening_begins_with_an_invitation() {
    let mut server = Server::start("");
    let guests = ["Anna", "Ben"].map(|name| Wire::guest(&server.address, name).1);
    let tokens = register(&server, &guests);
    let mut anna = Wire::known(&server.address, &tokens[0]);
    let options = json!({ "rule_set": "wordfeud", "seats": 2, "lexicon": "wordnik" });
    let invite = json!({ "cmd_id": "invite", "handle": "ben", "options": options });
    let sent = anna.ok("invite", invite.clone())["invitation"].clone();
    assert_eq!(invitation_told(&mut anna), sent);
    server.kill();
    server.start_again();
    let wires = tokens
        .iter()
        .map(|token| Wire::known(&server.address, token));
    let mut wires: Vec<Wire> = wires.collect();
    for wire in &mut wires {
        assert_eq!(invitation_told(wire), sent, "told again");
    }
    assert_eq!(wires[0].ok("invite", invite)["invitation"], sent, "once");
    let accept = json!({ "cmd_id": "accept", "invitation": sent["invitation"], "accept": true });
    let game = wires[1].ok("answer_invitation", accept)["game"].clone();
    let game = game.as_str().expect("a game").to_owned();
    for wire in &mut wires {
        let told = invitation_told(wire);
        assert_eq!(
            (&told["end"], &told["game"]),
            (&json!("accepted"), &json!(game))
        );
    }
    let (setup, seat) = begin(&mut wires, &game);
    assert_eq!(setup["seats"][0]["name"], "anna", "{setup}");
    assert_eq!(seat, 0, "the inviter begins");
    wires[1].ok("resign", json!({ "game": game, "cmd_id": "resign" }));
    let found = head_to_head(&server, &tokens[0], 1);
    assert_eq!(found["all"]["won"], 1, "{found}");
}

/// Anna invites Ben faster than the server allows. It says how long to wait, and takes the invitation after that time.
#[test]
fn invitations_that_come_too_fast_wait() {
    let server = Server::start(
        "[limits]\nmessages_per_second = 1000000\nmessage_burst = 1000000\n\
         invitations_per_minute = 60\ninvitations_burst = 2\nopen_invitations = 1000\n",
    );
    let guests = ["Anna", "Ben"].map(|name| Wire::guest(&server.address, name).1);
    let tokens = register(&server, &guests);
    let mut anna = Wire::known(&server.address, &tokens[0]);
    let invite = |number: u64| {
        let clock = json!({ "kind": "sudden_death", "initial_ms": 600_000 + 1_000 * number });
        let id = format!("invite-{number}");
        json!({ "cmd_id": id, "handle": "ben", "options": options(&clock) })
    };
    // One comes back each second, so one of these comes too early.
    let mut all = (0..1_000).map(|number| (number, anna.ask("invite", invite(number))));
    let refused = all.find(|(_, answer)| answer[0] == "error");
    let (number, answer) = refused.expect("one is refused");
    assert!(number >= 2, "the first two come at once: {answer}");
    let error = &answer[2];
    assert_eq!(error["code"], "rate_limited", "{error}");
    assert_eq!(error["retryable"], true, "{error}");
    let wait = error["detail"]["retry_after_ms"].as_i64().expect("a time");
    assert!((1..=1_000).contains(&wait), "{error}");
    let mut now = || {
        let answer = anna.ok("time", json!({}));
        answer["server_time"].as_i64().expect("a time")
    };
    let until = now() + wait;
    while now() < until {}
    let sent = anna.ok("invite", invite(number))["invitation"].clone();
    assert_eq!(sent["to"]["name"], "ben", "{sent}");
}

/// Three games of a series: the start rotates, the score goes along, and the server is killed while an offer stands.
#[test]
fn a_series_of_three_survives_the_server() {
    let mut server = Server::start("");
    let duel = Duel::start(&server, &clock());
    let tokens = register(&server, &duel.tokens);
    let of_session = |token: &String| Wire::known(&server.address, token);
    let mut wires: Vec<Wire> = tokens.iter().map(of_session).collect();
    for wire in &mut wires {
        wire.ok("attach", json!({ "game": duel.game, "seq": 0 }));
    }
    wires[1].ok("resign", json!({ "game": duel.game, "cmd_id": "resign" }));

    let second = offer(&mut wires[0], &duel.game);
    let asked = wires[1].pushed(|message| message[0] == "rematch");
    assert_eq!(asked[2]["agreed"], json!([0]), "{asked}");
    server.kill();
    server.start_again();
    let mut wires: Vec<Wire> = tokens
        .iter()
        .map(|token| Wire::known(&server.address, token))
        .collect();
    let asked = wires[1].pushed(|message| message[0] == "rematch");
    assert_eq!(asked[2]["agreed"], json!([0]), "told again: {asked}");
    assert_eq!(offer(&mut wires[1], &duel.game), second);
    let (setup, seat) = begin(&mut wires, &second);
    assert_eq!(seat, 1, "the start has passed on");
    let series = json!({ "first_game": duel.game, "number": 2, "score": [2, 0], "first": 1 });
    assert_eq!(setup["series"], series);
    wires[0].ok("resign", json!({ "game": second, "cmd_id": "resign" }));

    let (mut watcher, _) = Wire::guest(&server.address, "watcher");
    watcher.ok("attach", json!({ "game": second }));
    let third = offer(&mut wires[1], &second);
    assert_eq!(offer(&mut wires[0], &second), third);
    let told = watcher.pushed(|message| message[0] == "rematch");
    assert_eq!(told[2]["next"], third.as_str(), "{told}");
    let (setup, seat) = begin(&mut wires, &third);
    assert_eq!(seat, 0, "the start has come back");
    let series = json!({ "first_game": duel.game, "number": 3, "score": [2, 2], "first": 0 });
    assert_eq!(setup["series"], series);
    wires[0].ok("resign", json!({ "game": third, "cmd_id": "resign" }));
    let late = wires[0].refused("offer_rematch", json!({ "game": second, "cmd_id": "late" }));
    assert_eq!(late, "rematch_begun");

    let found = head_to_head(&server, &tokens[0], 3);
    let score = json!({ "won": 1, "lost": 2, "shared": 0 });
    assert_eq!(found["series"][&duel.game], score, "{found}");
}

/// Joins a chat room; returns its id and the texts of its lines.
fn join_chat(wire: &mut Wire, room: Value) -> (String, Vec<String>) {
    let chat = wire.ok("chat_join", room)["chat"].clone();
    let lines = chat["lines"].as_array().expect("lines");
    let texts = lines.iter().filter_map(|line| line["text"].as_str());
    let id = chat["room"].as_str().expect("a room");
    (id.to_owned(), texts.map(str::to_owned).collect())
}

fn line(room: &str, text: &str) -> Value {
    json!({ "room": room, "cmd_id": text.replace(' ', "-"), "text": text })
}

/// Waits for the next line of a room.
fn next_line(wire: &mut Wire, room: &str) -> String {
    let told = wire.pushed(|message| message[0] == "chat" && message[2]["room"] == room);
    told[2]["line"]["text"].as_str().expect("a text").to_owned()
}

/// Players and spectators chat, each among themselves, across a server that is killed; a block hides lines at once.
#[test]
fn an_evening_of_chat_survives_the_server() {
    let mut server = Server::start("");
    let duel = Duel::start(&server, &clock());
    let (_, third) = Wire::guest(&server.address, "watcher");
    let guests = [duel.tokens[0].clone(), duel.tokens[1].clone(), third];
    let tokens = register(&server, &guests);
    let of_session = |token: &String| Wire::known(&server.address, token);
    let mut wires: Vec<Wire> = tokens.iter().map(of_session).collect();
    let inside = json!({ "kind": "players", "game": duel.game });
    let outside = json!({ "kind": "spectators", "game": duel.game });
    for wire in &mut wires {
        wire.ok("attach", json!({ "game": duel.game }));
    }
    let (players, _) = join_chat(&mut wires[0], inside.clone());
    join_chat(&mut wires[1], inside.clone());
    let (spectators, _) = join_chat(&mut wires[2], outside.clone());
    wires[0].ok("chat_say", line(&players, "have fun"));
    assert_eq!(next_line(&mut wires[1], &players), "have fun");
    wires[2].ok("chat_say", line(&spectators, "anna is strong"));
    let unsure = line(&players, "you too");
    let first = wires[1].ok("chat_say", unsure.clone())["chat"].clone();

    server.kill();
    server.start_again();
    let mut wires: Vec<Wire> = tokens
        .iter()
        .map(|token| Wire::known(&server.address, token))
        .collect();
    for wire in &mut wires {
        wire.ok("attach", json!({ "game": duel.game }));
    }
    for wire in &mut wires[..2] {
        let (room, texts) = join_chat(wire, inside.clone());
        assert_eq!(room, players);
        assert_eq!(texts, ["have fun", "you too"]);
    }
    let again = wires[1].ok("chat_say", unsure)["chat"].clone();
    assert_eq!(again, first, "a repeated line is one line");
    assert_eq!(
        wires[0].refused("chat_join", outside.clone()),
        "no_such_room"
    );

    // The body of a block is empty, so it is not read.
    let headers = format!("Authorization: Bearer {}\r\n", tokens[0]);
    let block = ask(&server.address, "PUT /api/v1/blocked/ben", &headers, "").expect("an answer");
    assert_eq!(block.status, 204, "{block:?}");
    wires[1].ok("chat_say", line(&players, "hello again"));
    wires[0].ok("chat_say", line(&players, "alone here"));
    assert_eq!(next_line(&mut wires[0], &players), "alone here");
    let (_, texts) = join_chat(&mut wires[0], inside);
    assert_eq!(
        texts,
        ["have fun", "alone here"],
        "blocked lines are hidden"
    );

    wires[0].ok("resign", json!({ "game": duel.game, "cmd_id": "resign" }));
    wires[1].event("ended");
    let (_, texts) = join_chat(&mut wires[1], outside);
    assert_eq!(texts, ["anna is strong"], "players read it after the end");
}

/// Two players adjourn a game, the server is killed, and another day the clocks go on where they stood.
#[test]
fn an_adjourned_game_survives_the_server_with_its_clocks() {
    let mut server = Server::start("");
    let mut duel = Duel::start(&server, &clock());
    duel.ok(1, "adjourn", json!({}));
    duel.wires[0].event("adjourn_requested");
    duel.ok(0, "answer_adjourn", json!({ "agree": true }));
    let adjourned = duel.wires[1].event("adjourned");
    let stood = adjourned["clocks"].clone();
    assert!(stood.get("running").is_none(), "{adjourned}");
    // One is ready. After the crash the server waits for the connection, not for the wish.
    duel.ok(1, "resume_game", json!({}));

    server.kill();
    server.start_again();
    let mut wires: Vec<Wire> = duel
        .tokens
        .iter()
        .map(|token| Wire::known(&server.address, token))
        .collect();
    let game = json!({ "game": duel.game });
    let command = |cmd_id: &str| json!({ "game": duel.game, "cmd_id": cmd_id });
    wires[0].ok("attach", game.clone());
    let snapshot = wires[0].pushed(|message| message[0] == "snapshot");
    let asleep = &snapshot[2]["adjourned"];
    assert_eq!(asleep["until"], adjourned["until"], "{asleep}");
    assert_eq!(snapshot[2]["clocks"], stood, "no clock runs");
    let gone = wires[0].event("not_ready_to_resume");
    assert_eq!(gone["seat"], 1, "{gone}");
    let mut pass = command("pass");
    pass["turn_no"] = json!(1);
    assert_eq!(wires[0].refused("pass", pass.clone()), "adjourned");
    wires[0].ok("resume_game", command("ready"));

    wires[1].ok("attach", game);
    let resumed = wires[0].event("resumed");
    for times in ["main_ms", "allowance_ms"] {
        assert_eq!(resumed["clocks"][times], stood[times], "{resumed}");
    }
    let running = &resumed["clocks"]["running"];
    assert_eq!(*running, json!({ "seat": 0, "since": resumed["at"] }));
    wires[0].ok("pass", pass_again(pass));
    wires[1].ok("resign", command("resign"));
    wires[0].event("ended");
}

/// The same pass under another command id: the first one was refused, and a refusal is not kept.
fn pass_again(mut pass: Value) -> Value {
    pass["cmd_id"] = json!("pass-again");
    pass
}
