//! Export and erasure of a player, with real processes: through crashes, in the database, in a backup and in the log.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;
use tilewire_conformance::api;
use tilewire_harness::duel::Duel;
use tilewire_harness::http::ask;
use tilewire_harness::server::Server;
use tilewire_harness::wire::{Wire, target};

use crate::zip::unzipped;

use super::moderation::{Player, player};
use super::{PASSWORD, call, ok, refused, register_players, text, tilewire, untimed};

/// The handle. No other text of the test contains it.
const HANDLE: &str = "Rumpelstilz";
const LINE: &str = "nobody may ever read this";
/// An erasure takes effect in the next round.
const AT_ONCE: &str = "[retention]\nerasure_days = 0\nerase_every_ms = 200\n";

/// Checks that no file of a directory contains the handle or the line.
fn check_files(directory: &Path) {
    let found = |bytes: &[u8], wanted: &str| {
        let lower = bytes.to_ascii_lowercase();
        let wanted = wanted.to_ascii_lowercase();
        lower
            .windows(wanted.len())
            .any(|part| part == wanted.as_bytes())
    };
    for file in std::fs::read_dir(directory).expect("a directory") {
        let path = file.expect("a file").path();
        if path.is_dir() {
            check_files(&path);
            continue;
        }
        let bytes = std::fs::read(&path).expect("readable");
        for wanted in [HANDLE, LINE] {
            assert!(
                !found(&bytes, wanted),
                "{} contains {wanted:?}",
                path.display()
            );
        }
    }
}

/// Two registered players in a game, who follow each other; one has written to the other.
fn acquainted(server: &Server) -> Duel {
    let mut duel = Duel::start(server, &untimed());
    register_players(server, &mut duel, [HANDLE, "benedikt"]);
    let [anna, ben] = [duel.tokens[0].clone(), duel.tokens[1].clone()];
    let own = Some(anna.as_str());
    ok(server, "PUT /following/benedikt", own, &Value::Null);
    ok(
        server,
        &format!("PUT /following/{HANDLE}"),
        Some(&ben),
        &Value::Null,
    );
    let mut wire = Wire::known(&server.address, &anna);
    let with = json!({ "kind": "direct", "with": "benedikt" });
    let room = text(&wire.ok("chat_join", with)["chat"]["room"]);
    let said = json!({ "room": room, "cmd_id": "line", "text": LINE });
    wire.ok("chat_say", said);
    duel
}

/// Stops the server, and looks for traces of the player in the database, in a backup and in the log.
fn check_traces(server: &mut Server) {
    let backup = TempDir::new().expect("a directory");
    let file = backup.path().join("backup.sqlite");
    server
        .operate(&["backup", file.to_str().expect("a path")], "")
        .expect("a backup");
    assert!(server.stop(), "it stops in order");
    server.start_again(); // it rewrites the database
    assert!(server.stop(), "it stops in order");
    check_files(&server.data_dir());
    check_files(backup.path());
    let log = server.log().to_lowercase();
    assert!(
        !log.contains(&HANDLE.to_lowercase()),
        "the log names the player"
    );
    let (is_sound, said) = server.check();
    assert!(is_sound, "{said}");
    server
        .operate(&["ratings", "check"], "")
        .expect("ratings are sound");
}

/// A player asks to be erased, takes it back, and asks again; the server is killed as soon as the token is refused, and goes on
/// after the start.
#[test]
fn an_erased_player_is_nowhere() {
    let mut server = Server::start("");
    let duel = acquainted(&server);
    let [anna, ben] = [duel.tokens[0].clone(), duel.tokens[1].clone()];
    let own = Some(anna.as_str());

    let wrong = json!({ "handle": "benedikt" });
    let code = refused(&server, "POST /account/erasure", own, &wrong);
    assert_eq!(code, (400, "not_confirmed".to_owned()));
    let code = refused(&server, "DELETE /account/erasure", own, &Value::Null);
    assert_eq!(code, (404, "no_erasure".to_owned()));
    let asked = json!({ "handle": HANDLE.to_lowercase() });
    let wish = ok(&server, "POST /account/erasure", own, &asked);
    let days =
        (wish["erased_at"].as_i64().unwrap() - wish["asked_at"].as_i64().unwrap()) / 86_400_000;
    assert_eq!(days, 14, "{wish}");
    server.kill();
    server.start_again();
    let me = ok(&server, "GET /me", own, &Value::Null);
    assert_eq!(me["erased_at"], wish["erased_at"]);
    ok(&server, "DELETE /account/erasure", own, &Value::Null);
    assert_eq!(
        ok(&server, "GET /me", own, &Value::Null)["erased_at"],
        Value::Null
    );

    server.configure(AT_ONCE);
    server.kill();
    server.start_again();
    let mut wire = Wire::known(&server.address, &anna);
    ok(&server, "POST /account/erasure", own, &asked);
    let farewell = wire.farewell();
    assert_eq!(farewell.code, Some(4009), "the token is refused");
    assert!(
        farewell.reason.starts_with("you asked to be erased"),
        "{farewell:?}"
    );
    server.kill();
    server.start_again();
    server.until_logged("a player was erased");
    let code = refused(
        &server,
        &format!("GET /players/{HANDLE}"),
        Some(&ben),
        &Value::Null,
    );
    assert_eq!(code, (404, "unknown_player".to_owned()));
    let (_guest, newcomer) = Wire::guest(&server.address, "newcomer");
    let answer = call(&server, "GET /me", own, &Value::Null);
    assert_eq!(answer.status, 403, "{answer:?}");
    assert!(answer.body.contains("you asked to be erased"), "{answer:?}");
    check_traces(&mut server);
    server.start_again();
    let path = format!("GET /games/{}/result", duel.game);
    let result = ok(&server, &path, Some(&ben), &Value::Null);
    assert_eq!(result["reason"], "resignation", "{result}");
    assert_eq!(result["seats"][0]["name"], "erased-1", "{result}");
    let mut other = Wire::known(&server.address, &ben);
    let attached = other.ok("attach", json!({ "game": duel.game, "seq": 0 }));
    assert!(!attached.to_string().contains(HANDLE), "{attached}");
    // Nobody else gets the handle for a year.
    let wanted = json!({ "handle": HANDLE, "password": PASSWORD });
    let taken = refused(&server, "POST /register", Some(&newcomer), &wanted);
    assert_eq!(taken, (409, "handle_taken".to_owned()));
}

/// A finished game of the handle and Benedikt, to which Benedikt and a spectator are still attached.
struct Finished {
    game: String,
    token: String,
    /// Benedikt's connection, and the spectator's.
    attached: [Wire; 2],
}

/// Plays a game in which the player with the handle, whose connection this is, resigns.
fn finished(server: &Server, wire: &mut Wire) -> Finished {
    let Player {
        wire: mut ben,
        token,
        ..
    } = player(server, "benedikt");
    let opened = wire.ok("seek", json!({ "cmd_id": "open", "options": untimed() }));
    let join = json!({ "cmd_id": "join", "seek": opened["seek"]["seek"] });
    let game = text(&ben.ok("join_seek", join)["game"]);
    let (mut watcher, _) = Wire::guest(&server.address, "watcher");
    for seated in [&mut *wire, &mut ben] {
        seated.ok("attach", json!({ "game": game, "seq": 0 }));
        seated.ok("ready", json!({ "game": game, "cmd_id": "ready" }));
    }
    watcher.ok("attach", json!({ "game": game, "seq": 0 }));
    ben.event("turn_started");
    wire.ok("resign", json!({ "game": game, "cmd_id": "resign" }));
    for other in [&mut ben, &mut watcher] {
        other.event("ended");
        let created = attach_anew(other, &game);
        assert!(created.contains(HANDLE), "{created}");
    }
    Finished {
        game,
        token,
        attached: [ben, watcher],
    }
}

/// Attaches again from the start; returns the answer and the first event.
fn attach_anew(wire: &mut Wire, game: &str) -> String {
    wire.take_pushed();
    let answer = wire.ok("attach", json!({ "game": game, "seq": 0 }));
    format!("{answer} {}", wire.event("created"))
}

/// A player is erased while others are attached to a finished game of the player: they attach again, and nothing that they can
/// ask for has the name.
#[test]
fn an_erased_name_is_gone_for_everybody_else() {
    let server = Server::start(AT_ONCE);
    let Player {
        mut wire,
        token: erased,
        ..
    } = player(&server, HANDLE);
    let Finished {
        game,
        token,
        attached,
    } = finished(&server, &mut wire);
    let asked = json!({ "handle": HANDLE });
    ok(&server, "POST /account/erasure", Some(&erased), &asked);
    server.until_logged("a player was erased");
    for mut other in attached {
        other.pushed(|message| message[0] == "detached" && message[2]["game"] == game.as_str());
        let attached = attach_anew(&mut other, &game);
        assert!(!attached.contains(HANDLE), "{attached}");
        assert!(attached.contains("erased-1"), "{attached}");
    }
    let own = Some(token.as_str());
    let result = ok(
        &server,
        &format!("GET /games/{game}/result"),
        own,
        &Value::Null,
    );
    let words = text(&result["decision"]["words"]);
    assert!(words.starts_with("erased-1 resigned."), "{words}");
    for path in [
        "/archive?player=me",
        "/players/benedikt",
        "/relations",
        "/me",
    ] {
        let answer = ok(&server, &format!("GET {path}"), own, &Value::Null);
        assert!(!answer.to_string().contains(HANDLE), "{path}: {answer}");
    }
    for path in [format!("/games/{game}.jsonl"), format!("/games/{game}.gcg")] {
        let record = ask(&server.address, &format!("GET {path}"), "", "").expect("an answer");
        assert_eq!(record.status, 200, "{path}: {record:?}");
        assert!(!record.body.contains(HANDLE), "{path}: {record:?}");
    }
    for request in ["GET /export", "GET /account/export"] {
        let zip = api::ask(&target(&server.address), request, own, &Value::Null).expect("a file");
        let files = unzipped(&zip.body);
        assert!(files.contains_key("results.jsonl"), "{request}");
        for (name, text) in files {
            assert!(!text.contains(HANDLE), "{request}: {name}: {text}");
        }
    }
}

#[test]
fn the_client_exports_and_erases() {
    let server = Server::start("");
    let home = TempDir::new().expect("a directory");
    let run = |args: &[&str], input: &str| tilewire(&server, home.path(), "laptop", args, input);
    let done = |args: &[&str], input: &str| {
        let output = run(args, input);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{args:?}: {said}");
        serde_json::from_slice::<Value>(&output.stdout).expect("one object")
    };
    done(
        &["register", "anna", "--password-stdin"],
        &format!("{PASSWORD}\n"),
    );
    let file = home.path().join("anna.zip");
    let path = file.to_str().expect("a path");
    let exported = done(&["account", "export", path], "");
    assert_eq!(exported["type"], "exported");
    let zip = std::fs::read(&file).expect("a file");
    assert_eq!(exported["bytes"], json!(zip.len()));
    assert!(zip.starts_with(b"PK"), "a ZIP file");
    for name in ["accounts.jsonl", "sessions.jsonl", "manifest.json"] {
        let found = zip.windows(name.len()).any(|part| part == name.as_bytes());
        assert!(found, "{name} is missing");
    }
    let again = run(&["account", "export", path], "");
    assert!(!again.status.success(), "the file is there");
    let silent = run(&["account", "erase"], "");
    let said = String::from_utf8_lossy(&silent.stderr);
    assert!(said.contains("--confirm"), "{said}");
    let wrong = run(&["account", "erase", "--confirm", "ben"], "");
    assert!(!wrong.status.success());
    let wish = done(&["account", "erase", "--confirm", "Anna"], "");
    assert_eq!(wish["type"], "erasure");
    assert_eq!(done(&["account"], "")["erased_at"], wish["erased_at"]);
    done(&["account", "erase", "--cancel"], "");
    assert_eq!(done(&["account"], "")["erased_at"], Value::Null);
}
