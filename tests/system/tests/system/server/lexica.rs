//! Lexica of an operator: built by the client program, offered by the server, kept for their running games.

use std::fs;

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use serde_json::{Value, json};
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::lexica::{build, file};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

/// The options of a game in which words that are not in this lexicon are refused.
fn with(lexicon: &str) -> Value {
    let mut options = options(&json!({ "kind": "untimed" }));
    options["lexicon"] = json!(lexicon);
    options["challenge"] = json!({ "kind": "void" });
    options
}

/// The offer of the server for a name.
fn offered(server: &Server, name: &str) -> Value {
    let mut wire = Wire::upgrade(&server.address, "tilewire.v1.json").expect("it upgrades");
    let hello = wire.read().expect("a first message");
    let lexica = hello[2]["lexica"].as_array().expect("a list");
    let found = lexica.iter().find(|lexicon| lexicon["name"] == name);
    found.unwrap_or_else(|| panic!("{name} in {hello}")).clone()
}

#[test]
fn a_lexicon_in_the_data_directory_is_offered_and_judges() {
    let mut built = Vec::new();
    let server = Server::start_with("", |data| {
        built.push(build(data, "nonsense", "english", "xyzzy\nqqqqqqq\n"));
        built.push(build(data, "tiny-es", "spanish", "chorro\nllama\n"));
    });
    for (built, language) in built.iter().zip(["english", "spanish"]) {
        let name = built["name"].as_str().expect("a name");
        let offered = offered(&server, name);
        assert_eq!(
            (&offered["words"], &offered["language"]),
            (&json!(2), &json!(language))
        );
        let told = offered["hash"].as_str().expect("a hash").as_bytes();
        let said = built["hash"].as_str().expect("a hash").as_bytes();
        let bytes = (BASE64URL_NOPAD.decode(told), HEXLOWER.decode(said));
        assert_eq!(bytes.0.expect("base64url"), bytes.1.expect("hex"));
    }
    assert_eq!(offered(&server, "wordnik")["words"], 198_355);

    // Its words decide: none of two letters is among them.
    let mut duel = Duel::start(&server, &with("nonsense"));
    let letters = duel.letters(0, 2);
    let play = json!({ "turn_no": 1, "start": "8H", "tiles": letters });
    assert_eq!(duel.refused(0, "play", play), "invalid_words");

    // Its language decides on the tiles.
    let duel = Duel::start(&server, &with("tiny-es"));
    let created = &duel.folds[0].events[0];
    let tiles = created["setup"]["rule_set"]["tiles"]
        .as_array()
        .expect("tiles");
    assert!(tiles.iter().any(|tile| tile["face"] == "CH"), "{created}");
    let (mut anna, _) = Wire::guest(&server.address, "anna");
    let mut asked = with("tiny-es");
    asked["rule_set"] = json!("words-with-friends");
    let seek = json!({ "cmd_id": "a", "options": asked });
    assert_eq!(anna.refused("seek", seek), "bad_options");
    let seek = json!({ "cmd_id": "b", "options": with("tiny-fr") });
    assert_eq!(anna.refused("seek", seek), "unknown_lexicon");
}

#[test]
fn a_file_that_is_not_a_lexicon_prevents_the_start() {
    let mut server = Server::start_with("", |data| {
        build(data, "tiny", "english", "cat\ndog\n");
    });
    assert!(server.stop());
    let tiny = file(&server.data_dir(), "tiny");
    let sound = fs::read(&tiny).expect("it was built");
    fs::write(&tiny, &sound[..sound.len() - 7]).expect("it can be cut");
    let said = server.refuses_to_start();
    assert!(said.contains("tiny.fst is not a lexicon"), "{said}");
    fs::rename(&tiny, tiny.with_file_name("tiny.fst.bad")).expect("it can be taken away");
    server.start_again();
    offered(&server, "wordnik");
}

/// A game that is under way is never judged by another list than the one it began with.
#[test]
fn a_game_waits_for_its_lexicon() {
    let mut server = Server::start_with("", |data| {
        build(data, "tiny", "english", "cat\ndog\n");
    });
    let duel = Duel::start(&server, &with("tiny"));
    let other = Duel::start(&server, &with("wordnik"));
    assert!(server.stop());
    let data = server.data_dir();

    // The list has changed: the server does not start, and its error names the game and a remedy.
    build(&data, "tiny", "english", "cat\ndog\ncow\n");
    let said = server.refuses_to_start();
    for part in [duel.game.as_str(), "\"tiny\"", "tiny.fst", "lexica.missing"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // It is gone.
    fs::remove_file(file(&data, "tiny")).expect("it was there");
    let said = server.refuses_to_start();
    assert!(
        said.contains(&duel.game) && said.contains("none of this name"),
        "{said}"
    );

    // The operator may let such games be.
    server.configure("[lexica]\nmissing = \"leave\"\n");
    server.start_again();
    let mut anna = Wire::known(&server.address, &duel.tokens[0]);
    assert_eq!(
        anna.refused("attach", json!({ "game": duel.game, "seq": 0 })),
        "internal"
    );
    let mut joe = Wire::known(&server.address, &other.tokens[0]);
    joe.ok("attach", json!({ "game": other.game, "seq": 0 }));
    assert!(server.stop());

    // The same words make the same file, which is all the game needs.
    server.configure("");
    build(&data, "tiny", "english", "dog\ncat\n");
    server.start_again();
    let mut anna = Wire::known(&server.address, &duel.tokens[0]);
    anna.ok("attach", json!({ "game": duel.game, "seq": 0 }));
}
