//! Accounts with real processes: over HTTP, over the WebSocket, with the reference client and the operator's commands.

mod conduct;
mod document;
mod erasure;
mod moderation;
mod readers;
mod relations;
mod settings;
mod vacation;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;
use tilewire_harness::binaries;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::http::{Answer, ask};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

const PASSWORD: &str = "seven crooked lanterns";
const OTHER: &str = "eleven damp umbrellas";

/// Sends a request to the API; without a token, as a stranger.
fn call(server: &Server, request: &str, token: Option<&str>, body: &Value) -> Answer {
    let (method, path) = request.split_once(' ').expect("a method and a path");
    let mut headers = String::new();
    if let Some(token) = token {
        headers = format!("Authorization: Bearer {token}\r\n");
    }
    let body = match body {
        Value::Null => String::new(),
        body => {
            headers.push_str("Content-Type: application/json\r\n");
            body.to_string()
        }
    };
    let request = format!("{method} /api/v1{path}");
    ask(&server.address, &request, &headers, &body).expect("an answer")
}

fn body(answer: &Answer) -> Value {
    serde_json::from_str(&answer.body).unwrap_or_else(|_| panic!("no JSON: {answer:?}"))
}

/// Sends a request that succeeds; returns the body.
#[track_caller]
fn ok(server: &Server, request: &str, token: Option<&str>, sent: &Value) -> Value {
    let answer = call(server, request, token, sent);
    assert!((200..300).contains(&answer.status), "{request}: {answer:?}");
    match answer.status {
        204 => Value::Null,
        status => {
            let body = body(&answer);
            document::check(server, request, status, &body);
            body
        }
    }
}

/// Sends a request that is refused; returns the status and the code.
#[track_caller]
fn refused(server: &Server, request: &str, token: Option<&str>, sent: &Value) -> (u16, String) {
    let answer = call(server, request, token, sent);
    let code = body(&answer)["code"].as_str().map(str::to_owned);
    let code = code.unwrap_or_else(|| panic!("{request}: {answer:?}"));
    (answer.status, code)
}

fn register(server: &Server, token: &str, handle: &str) -> Value {
    let sent = json!({ "handle": handle, "password": PASSWORD, "label": "first" });
    ok(server, "POST /register", Some(token), &sent)
}

/// Registers a new guest; returns the token of the session.
fn registered(server: &Server, handle: &str) -> String {
    let (guest, token) = Wire::guest(&server.address, handle);
    guest.close();
    text(&register(server, &token, handle)["token"])
}

/// Registers the guests of a game, who connect again with their new tokens.
fn register_players(server: &Server, duel: &mut Duel, handles: [&str; 2]) {
    for (seat, handle) in handles.into_iter().enumerate() {
        let session = register(server, &duel.tokens[seat], handle);
        duel.tokens[seat] = text(&session["token"]);
        duel.come_back(server, seat);
    }
}

fn log_in(server: &Server, handle: &str, password: &str) -> Answer {
    let sent = json!({ "handle": handle, "password": password, "label": "second" });
    call(server, "POST /login", None, &sent)
}

fn text(value: &Value) -> String {
    value.as_str().expect("text").to_owned()
}

fn untimed() -> Value {
    options(&json!({ "kind": "untimed" }))
}

/// A guest plays, registers in the middle of the game, plays on, logs in elsewhere, and is revoked there. The server is
/// killed between the steps.
#[test]
fn a_guest_registers_in_a_game_and_nothing_acknowledged_is_lost() {
    let mut server = Server::start("");
    let mut duel = Duel::start(&server, &untimed());
    let (game, guest) = (duel.game.clone(), duel.tokens[0].clone());
    let registered = register(&server, &guest, "Anna");
    let identity = text(&registered["me"]["identity"]);
    let first = text(&registered["token"]);
    // Another person may know the token of the guest.
    assert_eq!(duel.wires[0].closed(), Some(4002));
    let is_over = (401, "bad_token".to_owned());
    let asked = refused(&server, "GET /me", Some(&guest), &Value::Null);
    assert_eq!(asked, is_over);
    server.kill();
    server.start_again();

    let second = body(&log_in(&server, "anna", PASSWORD));
    assert_eq!(second["me"]["identity"], identity.as_str(), "{second}");
    let second = text(&second["token"]);
    let mut phone = Wire::connect(&server.address);
    let welcome = phone.ask("auth", json!({ "token": second, "client": "tests" }));
    assert_eq!(welcome[2]["games"][0]["game"], json!(game), "{welcome}");
    assert_eq!(welcome[2]["name"], "Anna");
    let mut laptop = Wire::known(&server.address, &first);
    let attached = laptop.ok("attach", json!({ "game": game, "seq": 0 }));
    assert_eq!(attached["role"], "player");
    laptop.ok(
        "pass",
        json!({ "game": game, "cmd_id": "one", "turn_no": 1 }),
    );

    // The phone ends the session of the laptop: its connection closes, and stays closed after a crash.
    let sessions = ok(&server, "GET /sessions", Some(&second), &Value::Null);
    let sessions = sessions["sessions"].as_array().expect("sessions").clone();
    assert_eq!(sessions.len(), 2, "{sessions:?}");
    assert_eq!(sessions[1]["current"], true);
    let path = format!("DELETE /sessions/{}", text(&sessions[0]["id"]));
    ok(&server, &path, Some(&second), &Value::Null);
    assert_eq!(laptop.closed(), Some(4002));
    server.kill();
    server.start_again();
    for token in [&guest, &first] {
        let asked = refused(&server, "GET /me", Some(token), &Value::Null);
        assert_eq!(asked, is_over);
    }
    let me = ok(&server, "GET /me", Some(&second), &Value::Null);
    assert_eq!(me["handle"], "Anna");
    assert!(server.check().0, "every game can be replayed");
}

/// Two registered players play a rated game. One asks to abort it, is refused after a crash of the server, and is asked then;
/// the other's request is accepted.
#[test]
fn registered_players_play_a_rated_game_and_abort_it_by_consent() {
    let mut server = Server::start("");
    let tokens = ["anna", "ben"].map(|handle| registered(&server, handle));
    let mut wanted = options(&json!({ "kind": "sudden_death", "initial_ms": 1_500_000 }));
    wanted["rated"] = json!(true);
    let (mut guest, _) = Wire::guest(&server.address, "carla");
    let mut wires = tokens.each_ref().map(|token| {
        let mut wire = Wire::connect(&server.address);
        let welcome = wire.ask("auth", json!({ "token": token, "client": "tests" }));
        assert_eq!(welcome[2]["registered"], true, "{welcome}");
        wire
    });
    let opened = wires[0].ok("seek", json!({ "cmd_id": "open", "options": wanted }));
    let member = &opened["seek"]["members"][0];
    assert_eq!(member["kind"], "registered", "{opened}");
    assert_eq!(member["rating"]["value"], 1500, "{opened}");
    let join = json!({ "cmd_id": "join", "seek": opened["seek"]["seek"] });
    let refused = guest.ask("join_seek", join.clone());
    assert_eq!(refused[2]["code"], "not_rateable", "{refused}");
    assert_eq!(refused[2]["detail"]["reason"], "guest", "{refused}");
    let game = text(&wires[1].ok("join_seek", join)["game"]);
    let command = |id: &str| json!({ "game": game, "cmd_id": id });
    let attach = json!({ "game": game, "seq": 0 });
    for wire in &mut wires {
        wire.ok("attach", attach.clone());
        wire.ok("ready", command("ready"));
    }
    let created = wires[0].event("created");
    assert_eq!(created["setup"]["options"]["rated"], true, "{created}");
    let seat = &created["setup"]["seats"][1];
    assert_eq!(seat["kind"], "registered", "{seat}");
    let new = json!({ "value": 1500, "deviation": 350, "provisional": true });
    assert_eq!(seat["rating"], new);
    wires[0].event("turn_started");
    wires[0].ok("abort", command("ask"));
    let asked = wires[1].event("abort_requested");
    assert_eq!(asked["seat"], 0, "{asked}");

    server.kill();
    server.start_again();
    let mut wires = tokens.map(|token| Wire::known(&server.address, &token));
    wires[1].ok("attach", json!({ "game": game }));
    let snapshot = wires[1].pushed(|message| message[0] == "snapshot");
    assert_eq!(snapshot[2]["abort_request"]["seat"], 0, "{snapshot}");
    let answer = |id: &str, accept: bool| json!({ "game": game, "cmd_id": id, "accept": accept });
    wires[1].ok("answer_abort", answer("no", false));
    let declined = wires[1].event("abort_declined");
    assert_eq!(declined["reason"], "refused", "{declined}");
    let again = wires[0].refused("abort", command("again"));
    assert_eq!(again, "already_requested");
    wires[1].ok("abort", command("mine"));
    wires[0].ok("answer_abort", answer("yes", true));
    let ended = wires[1].event("ended");
    assert_eq!(ended["reason"], "aborted", "{ended}");
    assert_eq!(ended["aborter"], 1, "{ended}");
    assert!(server.check().0, "every game can be replayed");
}

#[test]
fn three_kinds_of_failed_logins_look_alike() {
    let server = Server::start("");
    let (_guest, token) = Wire::guest(&server.address, "ben");
    register(&server, &token, "anna");
    // The name of a guest is no handle.
    let answers = [("anna", OTHER), ("nobody", PASSWORD), ("ben", PASSWORD)]
        .map(|(handle, password)| log_in(&server, handle, password));
    for answer in &answers {
        assert_eq!(answer.status, 403, "{answer:?}");
        assert_eq!(answer.body, answers[0].body);
        let head = |answer: &Answer| {
            let lines = answer.head.lines();
            let lines = lines.filter(|line| !line.to_lowercase().starts_with("date"));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(head(answer), head(&answers[0]));
    }
    assert_eq!(body(&answers[0])["code"], "bad_credentials");
    let log = server.log();
    assert!(!log.contains(PASSWORD) && !log.contains(OTHER) && !log.contains(&token));
}

#[test]
fn guessing_and_registering_are_limited() {
    let settings = "[limits]\nwrong_passwords = 2\nregistrations_per_address = 2\n\
        [timing]\nwrong_password_wait_ms = 600000\n";
    let server = Server::start(settings);
    for handle in ["anna", "ben"] {
        let (_guest, token) = Wire::guest(&server.address, "guest");
        register(&server, &token, handle);
    }
    let (_guest, token) = Wire::guest(&server.address, "guest");
    let third = json!({ "handle": "cleo", "password": PASSWORD });
    let (status, code) = refused(&server, "POST /register", Some(&token), &third);
    assert_eq!((status, code.as_str()), (429, "rate_limited"));
    for _ in 0..3 {
        assert_eq!(log_in(&server, "anna", OTHER).status, 403);
    }
    let waiting = log_in(&server, "anna", PASSWORD);
    assert_eq!(waiting.status, 429, "{waiting:?}");
    assert!(waiting.head.to_lowercase().contains("retry-after: 600"));
    assert_eq!(body(&waiting)["code"], "too_many_tries");
    assert_eq!(log_in(&server, "ben", PASSWORD).status, 200);
}

/// Checks what a guest, or a stranger, is refused: the request, the body, the status and the code.
fn check_refused(server: &Server, token: Option<&str>, cases: &[(&str, Value, u16, &str)]) {
    for (request, sent, status, code) in cases {
        let found = refused(server, request, token, sent);
        assert_eq!(found, (*status, (*code).to_owned()), "{request} {sent}");
    }
}

#[test]
fn strangers_are_refused() {
    let server = Server::start("");
    let good = json!({ "handle": "anna", "password": PASSWORD });
    let long = json!({ "handle": "x".repeat(5_000) });
    let cases = [
        ("POST /register", good.clone(), 401, "not_authenticated"),
        ("GET /players/nobody", Value::Null, 401, "not_authenticated"),
        ("POST /login", Value::Null, 415, "bad_frame"),
        ("POST /login", json!({ "handle": 1 }), 400, "bad_field"),
        ("POST /login", long, 413, "too_large"),
    ];
    check_refused(&server, None, &cases);
    let wrong = [("POST /register", good, 401, "bad_token")];
    check_refused(&server, Some("x.y.z"), &wrong);
    let document = ok(&server, "GET /openapi.json", None, &Value::Null);
    assert_eq!(document["openapi"], "3.1.0");
}

#[test]
fn requests_that_break_the_form_are_refused() {
    let server = Server::start("");
    let (_guest, token) = Wire::guest(&server.address, "anna");
    let with = |handle: &str, password: &str| json!({ "handle": handle, "password": password });
    let (short_handle, short_password) = (with("a", PASSWORD), with("anna", "short"));
    let cases = [
        ("GET /register", Value::Null, 405, "method_not_allowed"),
        ("GET /nothing", Value::Null, 404, "not_found"),
        ("POST /register", short_handle, 400, "handle_too_short"),
        ("POST /register", short_password, 400, "password_too_short"),
        ("GET /players/nobody", Value::Null, 404, "unknown_player"),
        ("POST /logout", Value::Null, 403, "not_registered"),
    ];
    check_refused(&server, Some(&token), &cases);
}

#[test]
fn pages_of_other_sites_use_the_api_only_if_they_are_allowed() {
    let server = Server::start("[http]\nallowed_origins = [\"https://site.example\"]\n");
    let from = |origin: &str, method: &str| {
        let headers = format!("Origin: {origin}\r\n");
        ask(
            &server.address,
            &format!("{method} /api/v1/login"),
            &headers,
            "",
        )
        .expect("an answer")
    };
    assert_eq!(from("https://evil.example", "POST").status, 403);
    assert_eq!(from("https://evil.example", "OPTIONS").status, 403);
    let asked = from("https://site.example", "OPTIONS");
    assert_eq!(asked.status, 204);
    let head = asked.head.to_lowercase();
    assert!(
        head.contains("access-control-allow-origin: https://site.example"),
        "{head}"
    );
    assert!(!head.contains("credentials"), "{head}");
}

/// Runs `tilewire ARGS` for a profile, with `input` on stdin.
fn tilewire(server: &Server, home: &Path, profile: &str, args: &[&str], input: &str) -> Output {
    use std::io::Write;
    let mut child = Command::new(binaries::client())
        .args(args)
        .args(["--json", "--profile", profile, "--server", &server.url()])
        .arg("--data-dir")
        .arg(home)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the client starts");
    let mut stdin = child.stdin.take().expect("its input is piped");
    // Not every command reads it.
    drop(stdin.write_all(input.as_bytes()));
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

#[test]
fn the_client_does_everything_with_accounts() {
    let server = Server::start("");
    let home = TempDir::new().expect("a directory");
    let run = |profile: &str, args: &[&str], input: &str| {
        let output = tilewire(&server, home.path(), profile, args, input);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{args:?}: {said}");
        let line = String::from_utf8(output.stdout).expect("UTF-8");
        serde_json::from_str::<Value>(&line).expect("one object")
    };
    let password = format!("{PASSWORD}\n");
    let registered = run(
        "laptop",
        &["register", "anna", "--password-stdin"],
        &password,
    );
    assert_eq!(registered["me"]["handle"], "anna");
    let code = text(&registered["recovery_codes"][0]);
    let phone = run(
        "phone",
        &["login", "Anna", "--password-stdin", "--label", "phone"],
        &password,
    );
    assert_eq!(phone["me"]["identity"], registered["me"]["identity"]);
    assert_eq!(run("phone", &["whoami"], "")["name"], "anna");
    let sessions = run("laptop", &["sessions"], "");
    assert_eq!(sessions["sessions"][1]["label"], "phone", "{sessions}");
    assert_eq!(run("phone", &["profile", "anna"], "")["handle"], "anna");
    run("phone", &["sessions", "revoke", "all"], "");
    let lost = tilewire(&server, home.path(), "laptop", &["profile"], "");
    assert!(!lost.status.success());
    let secrets = format!("{code}\n{OTHER}\n");
    run("laptop", &["recover", "anna", "--password-stdin"], &secrets);
    assert_eq!(run("laptop", &["profile"], "")["recovery_codes_left"], 9);
    let passwords = format!("{OTHER}\n{PASSWORD}\n");
    run("laptop", &["password", "--password-stdin"], &passwords);
    assert_eq!(
        run("laptop", &["handle", "annabel"], "")["handle"],
        "annabel"
    );
    let again = tilewire(&server, home.path(), "laptop", &["handle", "anna"], "");
    assert!(!again.status.success(), "once in 30 days");

    let guest = run("tablet", &["whoami"], "")["identity"].clone();
    let tablet = run(
        "tablet",
        &["login", "annabel", "--password-stdin"],
        &password,
    );
    assert_eq!(tablet["me"]["identity"], registered["me"]["identity"]);
    run("tablet", &["logout"], "");
    assert_eq!(run("tablet", &["whoami"], "")["identity"], guest);

    assert_eq!(run("laptop", &["logout"], "")["type"], "logged_out");
    let gone = tilewire(&server, home.path(), "laptop", &["profile"], "");
    assert!(!gone.status.success(), "the profile has no token");
}

#[test]
fn the_operator_grants_roles_and_the_audit_shows_them() {
    let server = Server::start("");
    let token = registered(&server, "anna");
    let operate = |args: &[&str]| server.operate(args, "");
    operate(&["roles", "grant", "ANNA", "admin", "--reason", "the first"]).expect("granted");
    assert!(
        operate(&["roles", "grant", "anna", "admin"]).is_err(),
        "twice"
    );
    assert!(operate(&["roles", "grant", "nobody", "admin"]).is_err());
    let me = ok(&server, "GET /me", Some(&token), &Value::Null);
    assert_eq!(me["roles"], json!(["admin"]));
    operate(&["roles", "grant", "anna", "moderator"]).expect("granted");
    operate(&["roles", "revoke", "anna", "admin"]).expect("revoked");
    let list = operate(&["roles", "list"]).expect("a list");
    assert!(list.contains("anna") && list.contains("moderator") && !list.contains("admin"));
    let audit = operate(&["audit", "list"]).expect("a list");
    assert_eq!(audit.lines().count(), 3, "{audit}");
    assert!(audit.contains("role_granted:admin") && audit.contains("the first"));
    let whole = operate(&["audit", "verify"]).expect("it is whole");
    let digest = whole
        .trim()
        .rsplit(' ')
        .next()
        .expect("a digest")
        .to_owned();
    operate(&["audit", "verify", "--newest", &digest]).expect("it is the newest");
    assert!(operate(&["audit", "verify", "--newest", &"0".repeat(64)]).is_err());
    // A token that the operator issues is a session of the player.
    let identity = text(&me["identity"]);
    let issued = operate(&["tokens", "issue", &identity]).expect("a token");
    let sessions = ok(&server, "GET /sessions", Some(issued.trim()), &Value::Null);
    assert_eq!(
        sessions["sessions"].as_array().map(Vec::len),
        Some(2),
        "{sessions}"
    );
}
