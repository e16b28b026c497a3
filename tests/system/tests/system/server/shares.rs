//! The share of one address in common resources: seeks, games, places in a list.

use serde_json::{Value, json};
use tilewire_harness::addresses::guest;
use tilewire_harness::duel::options;
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

fn from(server: &Server, last: u8) -> Wire {
    guest(last, &server.address).expect("a welcome")
}

/// A seek that differs from others: of equal seeks an identity has one.
fn seek(number: u32) -> Value {
    let mut options = options(&json!({ "kind": "untimed" }));
    options["vanish_claim_ms"] = (60_000 + number).into();
    json!({ "cmd_id": format!("s-{number}"), "options": options })
}

/// A seek that a house bot joins at once.
fn against_a_bot(number: u32) -> Value {
    let mut seek = seek(number);
    seek["bots"] = json!(["beginner"]);
    seek
}

#[test]
fn an_address_cannot_fill_the_lobby() {
    let server = Server::start("[limits]\nopen_seeks = 2\nopen_seeks_per_address = 3\n");
    let (mut first, mut second) = (from(&server, 2), from(&server, 2));
    for number in 0..2 {
        first.ok("seek", seek(number));
    }
    second.ok("seek", seek(0));
    assert_eq!(second.refused("seek", seek(1)), "too_many_seeks");
    from(&server, 3).ok("seek", seek(0));
}

#[test]
fn everybody_appears_in_the_list_of_seeks() {
    let server = Server::start("[limits]\nlist_entries = 10\n");
    let mut flood: Vec<Wire> = (0..3).map(|_| from(&server, 2)).collect();
    for wire in &mut flood {
        for number in 0..5 {
            wire.ok("seek", seek(number));
        }
    }
    let mut honest = from(&server, 3);
    let own = honest.ok("seek", seek(0))["seek"]["seek"].clone();
    let lists = from(&server, 4).ok("lobby_subscribe", json!({}));
    let seeks = lists["seeks"].as_array().expect("seeks");
    assert_eq!(seeks.len(), 10);
    assert!(seeks.iter().any(|seek| seek["seek"] == own), "{seeks:?}");
}

#[test]
fn an_address_cannot_run_all_games() {
    let server = Server::start("[limits]\ngames_per_address = 1\n");
    let (mut first, mut second) = (from(&server, 2), from(&server, 2));
    let game = first.ok("seek", against_a_bot(0))["game"].clone();
    assert_eq!(second.refused("seek", against_a_bot(0)), "too_many_games");
    from(&server, 3).ok("seek", against_a_bot(0));
    first.ok("abort", json!({ "game": game, "cmd_id": "a" }));
    second.ok("seek", against_a_bot(1));
}

#[test]
fn an_identity_begins_games_at_a_rate() {
    let server = Server::start("[limits]\ngames_per_minute = 1\ngames_burst = 2\n");
    let mut wire = from(&server, 2);
    for number in 0..2 {
        let game = wire.ok("seek", against_a_bot(number))["game"].clone();
        let abort = json!({ "game": game, "cmd_id": format!("a-{number}") });
        wire.ok("abort", abort);
    }
    let answer = wire.ask("seek", against_a_bot(2));
    assert_eq!(answer[2]["code"], "rate_limited", "{answer}");
    assert!(
        answer[2]["detail"]["retry_after_ms"].as_i64() > Some(0),
        "{answer}"
    );
    from(&server, 2).ok("seek", against_a_bot(0));
}
