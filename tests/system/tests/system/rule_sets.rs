//! Bots play every rule set of the server to the end: a bot that uses the protocol against bots of the server. The
//! oracle judges all events.

use std::collections::BTreeSet;

use serde_json::Value;
use tempfile::TempDir;
use tilewire_conformance::audit::{audit, audit_by, check_commitment};
use tilewire_harness::client::Client;
use tilewire_harness::lexica;
use tilewire_harness::records::{check_records, check_records_by};
use tilewire_harness::server::Server;

/// Bots that answer immediately.
const HASTY: &str =
    "[timing]\nbot_pause_min_ms = 0\nbot_pause_max_ms = 0\n[game]\nprotect_ms = 50\n";

/// The rule sets of a server.
fn rule_sets(server: &Server, home: &TempDir) -> Vec<String> {
    let mut client = Client::start("lister", &server.address, home.path(), &["rules"]);
    let listed = client.wait_for(|line| line["type"] == "rule_sets");
    assert_eq!(client.finish(), 0);
    let listed = listed["rule_sets"].as_array().cloned().expect("a list");
    let ids = listed
        .iter()
        .map(|rules| rules["id"].as_str().expect("an id").to_owned());
    ids.collect()
}

/// The description of one rule set.
fn described(server: &Server, home: &TempDir, id: &str) -> Value {
    let mut client = Client::start("reader", &server.address, home.path(), &["rules", id]);
    let described = client.wait_for(|line| line["type"] == "rule_set");
    assert_eq!(client.finish(), 0);
    described
}

/// Plays one game; returns every event of it.
fn play(server: &Server, home: &TempDir, id: &str, seats: u64, more: &[&str]) -> Vec<Value> {
    let seats_text = seats.to_string();
    let mut args = vec!["bot", "--rules", id, "--seats", &seats_text, "--pause", "0"];
    args.extend(more);
    for bot in ["expert", "beginner", "club"]
        .iter()
        .take(usize::try_from(seats - 1).expect("few"))
    {
        args.extend(["--bot", bot]);
    }
    let mut client = Client::start("outsider", &server.address, home.path(), &args);
    client.wait_for(|line| line["type"] == "event" && line["kind"] == "ended");
    let events = client.printed.iter().filter(|line| line["type"] == "event");
    let events = events.cloned().collect();
    assert_eq!(client.finish(), 0, "{id}");
    events
}

#[test]
fn every_rule_set_is_played_to_its_end() {
    let server = Server::start(HASTY);
    let home = tempfile::tempdir().expect("a temporary directory");
    let ids = rule_sets(&server, &home);
    assert!(ids.len() >= 10, "{ids:?}");
    for id in &ids {
        let rules = described(&server, &home, id);
        let most = rules["max_seats"].as_u64().expect("a number");
        let events = play(&server, &home, id, most, &[]);
        assert_eq!(events[0]["setup"]["rule_set"]["id"], id.as_str());
        audit(&events);
        check_commitment(&events);
        let drawn = events.iter().any(|event| event["kind"] == "board_drawn");
        assert_eq!(drawn, rules["rule_set"]["board"]["drawn"] == true, "{id}");
        let reason = events.last().expect("events")["reason"].clone();
        let game = events[0]["game"].as_str().expect("an id");
        check_records(&server, home.path(), game);
        let is_race = rules.get("targets").is_some();
        // No player goes out with tiles that fit nowhere.
        let expected: &[&str] = match is_race {
            true => &["target"],
            false => &["out_play", "scoreless_turns", "passes"],
        };
        assert!(expected.iter().any(|end| reason == *end), "{id}: {reason}");
    }
}

/// The record of an operator's rule set brings the rules along: it is checked, shown and proved like any other.
#[test]
fn the_records_of_an_operators_rule_set_are_checked() {
    const OWN: &str = "id = \"club-night\"\nname = \"Club night\"\nsummary = \"A large bonus.\"\nbase = \"classic\"\n\
        [[bingo]]\ntiles = 7\nbonus = 100\n";
    let server = Server::start_with(HASTY, |data| {
        let folder = data.join("rule-sets");
        std::fs::create_dir_all(&folder).expect("a folder for rule sets");
        std::fs::write(folder.join("club-night.toml"), OWN).expect("a rule set");
    });
    let home = tempfile::tempdir().expect("a temporary directory");
    let events = play(&server, &home, "club-night", 2, &[]);
    let game = events[0]["game"].as_str().expect("an id");
    let rules = home.path().join("own.toml");
    std::fs::write(rules, OWN).expect("a rule set");
    check_records_by(&server, home.path(), game, &["--rules", "own.toml"]);
}

/// Words of two syllables, with every letter of an alphabet in them, the long ones too.
fn syllables(consonants: &[&'static str], vowels: &[&'static str]) -> Vec<Vec<&'static str>> {
    let mut words = Vec::new();
    for first in consonants {
        for vowel in vowels {
            for second in consonants {
                words.push(vec![*first, *vowel, *second, *vowel]);
                words.push(vec![*vowel, *second, *vowel]);
            }
            words.push(vec![*first, *vowel]);
        }
    }
    words
}

/// A word as it stands in the protocol, the blanks not told apart.
fn on_the_wire(word: &[&str]) -> String {
    let faces = word.iter().map(|face| match face.chars().count() {
        1 => face.to_uppercase(),
        _ => format!("[{}]", face.to_uppercase()),
    });
    faces.collect()
}

/// Alphabets in which a tile can hold two letters: on racks, on the board, on the wire and in records.
#[test]
fn tiles_of_more_than_one_letter_are_played() {
    let vowels = ["a", "e", "i", "o", "u"];
    let spanish = [
        "b", "c", "ch", "d", "l", "ll", "m", "n", "p", "r", "rr", "s", "t",
    ];
    let catalan = [
        "b", "c", "ç", "d", "l", "l·l", "m", "n", "ny", "p", "r", "s", "t",
    ];
    let languages = [
        (
            "spanish",
            syllables(&spanish, &vowels),
            ["CH", "LL", "RR"].as_slice(),
        ),
        (
            "catalan",
            syllables(&catalan, &vowels),
            ["L·L", "NY"].as_slice(),
        ),
    ];
    let server = Server::start_with(HASTY, |data| {
        for (language, words, _) in &languages {
            let list: Vec<String> = words.iter().map(|word| word.concat()).collect();
            lexica::build(data, language, language, &list.join("\n"));
        }
    });
    let home = tempfile::tempdir().expect("a temporary directory");
    for (language, words, long) in &languages {
        let words: BTreeSet<String> = words.iter().map(|word| on_the_wire(word)).collect();
        let file = lexica::file(&server.data_dir(), language);
        let file = file.to_str().expect("UTF-8");
        let mut laid: Vec<String> = Vec::new();
        for _ in 0..3 {
            let more = ["--lexicon", language, "--lexicon-file", file];
            let events = play(&server, &home, "classic", 3, &more);
            audit_by(&events, &|word| words.contains(&word.to_uppercase()));
            let game = events[0]["game"].as_str().expect("an id");
            check_records(&server, home.path(), game);
            let plays = events.iter().filter(|event| event["kind"] == "play_made");
            let tiles = plays.flat_map(|play| play["tiles"].as_array().cloned().expect("tiles"));
            laid.extend(tiles.map(|tile| tile.as_str().expect("a face").to_uppercase()));
        }
        let found = long.iter().any(|long| laid.iter().any(|face| face == long));
        assert!(found, "{language}: {laid:?}");
    }
}

/// A game with house bots goes on where it was after the server was killed in the middle of it.
#[test]
fn the_bots_of_the_server_play_on_after_a_crash() {
    let mut server = Server::start(HASTY);
    let home = tempfile::tempdir().expect("a temporary directory");
    let args = ["bot", "--pause", "20ms", "--bot", "club"];
    let mut client = Client::start("outsider", &server.address, home.path(), &args);
    client.wait_for(|line| line["type"] == "event" && line["turn_no"] == 6);
    server.kill();
    server.start_again();
    client.wait_for(|line| line["type"] == "event" && line["kind"] == "ended");
    let events = client.printed.iter().filter(|line| line["type"] == "event");
    let events: Vec<Value> = events.cloned().collect();
    assert!(events.iter().any(|event| event["kind"] == "clock_credited"));
    audit(&events);
    assert_eq!(client.finish(), 0);
}
