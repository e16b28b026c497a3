//! The server opens, checks and plays on the data directory of every version of the schema.
//!
//! `tests/fixtures/data/vN` was written once, by the command in [`write_the_fixture`], and is never edited: a new form of the
//! store is another directory.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tilewire_harness::binaries::workspace;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;
use tilewire_rules::event::Record;
use tilewire_sql::archive::Archive;

const DATABASE: &str = "tilewire.sqlite";
/// Every log, a line for each game: its id, its events, whether it is over, and a token for each seat.
const GAMES: &str = "games.jsonl";
/// The forms there are, by the version of the schema.
const FORMS: [&str; 1] = ["v1"];
/// The commands of each game of a fixture, and whether the game is over.
const PLAYED: [(&str, bool); 6] = [
    ("classic", true),
    ("classic", false),
    ("super", false),
    ("words-with-friends", true),
    ("wordfeud", false),
    ("wordfeud-random", true),
];

fn folder(form: &str) -> PathBuf {
    workspace().join("tests/fixtures/data").join(form)
}

fn log(archive: &dyn Archive, game: &str) -> (Vec<Record>, bool) {
    let stored = archive.game(&game.into()).unwrap().expect("it is kept");
    (stored.records, stored.is_finished)
}

/// Passes in an unfinished game with the token of the player on turn.
fn play_on(server: &Server, game: &str, tokens: &Value) {
    let tokens = tokens.as_array().unwrap();
    let mut wires: Vec<Wire> = tokens
        .iter()
        .map(|token| Wire::known(&server.address, token.as_str().unwrap()))
        .collect();
    let attached = wires[0].ok("attach", json!({ "game": game, "seq": 0 }));
    assert_eq!(attached["role"], "player", "{attached}");
    let mut turn = (0, 0);
    while turn.0 < 3 {
        let event = wires[0].event("turn_started");
        turn = (
            event["turn_no"].as_u64().unwrap(),
            event["seat"].as_u64().unwrap(),
        );
    }
    let on_turn = &mut wires[usize::try_from(turn.1).unwrap()];
    on_turn.ok(
        "pass",
        json!({ "game": game, "cmd_id": "years-later", "turn_no": turn.0 }),
    );
}

#[test]
fn stored_data_of_a_release_is_opened_checked_and_continued() {
    for form in FORMS {
        let mut server = Server::prepared("");
        let data = server.data_dir();
        fs::copy(folder(form).join(DATABASE), data.join(DATABASE)).unwrap();
        let (is_sound, said) = server.check();
        assert!(is_sound, "{form}: {said}");
        server.start_again();
        let games = fs::read_to_string(folder(form).join(GAMES)).unwrap();
        let games: Vec<Value> = games
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(games.len(), PLAYED.len());
        for game in games.iter().filter(|game| game["is_finished"] == false) {
            play_on(&server, game["game"].as_str().unwrap(), &game["tokens"]);
        }
        assert!(server.stop());
        let (is_sound, said) = server.check();
        assert!(is_sound, "{form}: {said}");
        let archive = tilewire_databases::open_archive(&data).unwrap();
        for game in &games {
            let known: Vec<Record> = serde_json::from_value(game["records"].clone()).unwrap();
            let (records, is_finished) = log(&*archive, game["game"].as_str().unwrap());
            assert_eq!(records[..known.len()], known, "{form}");
            let was_finished = game["is_finished"] == true;
            assert!(is_finished || !was_finished, "an ended game stays ended");
            assert_eq!(records.len() == known.len(), was_finished, "played on");
        }
    }
}

/// Writes the fixture of the newest form, which must not be there:
/// `cargo nextest run --workspace --run-ignored only write_the_fixture`
#[test]
#[ignore = "writes into the tree, once for each form of the store"]
fn write_the_fixture() {
    let folder = folder(FORMS[FORMS.len() - 1]);
    assert!(!folder.exists(), "a fixture is never written again");
    let mut server = Server::start("");
    let mut played = Vec::new();
    for (rule_set, is_finished) in PLAYED {
        let mut asked = options(&json!({ "kind": "untimed" }));
        asked["rule_set"] = json!(rule_set);
        if rule_set == "words-with-friends" || rule_set.starts_with("wordfeud") {
            asked["challenge"] = json!({ "kind": "void" });
        }
        let mut duel = Duel::start(&server, &asked);
        for turn in 1..3 {
            let seat = duel.on_turn().unwrap();
            let seq = duel.ok(seat, "pass", json!({ "turn_no": turn }));
            duel.sync(seq + 1);
        }
        if is_finished {
            duel.ok(0, "resign", json!({}));
        }
        played.push((duel.game.clone(), duel.tokens.clone()));
    }
    assert!(server.stop());
    write(&folder, &server.data_dir(), &played);
}

fn write(folder: &Path, data: &Path, played: &[(String, Vec<String>)]) {
    fs::create_dir_all(folder).unwrap();
    fs::copy(data.join(DATABASE), folder.join(DATABASE)).unwrap();
    let archive = tilewire_databases::open_archive(data).unwrap();
    let mut lines = String::new();
    for (game, tokens) in played {
        let (records, is_finished) = log(&*archive, game);
        let line = json!({
            "game": game, "tokens": tokens, "is_finished": is_finished, "records": records,
        });
        lines.push_str(&format!("{line}\n"));
    }
    fs::write(folder.join(GAMES), lines).unwrap();
}
