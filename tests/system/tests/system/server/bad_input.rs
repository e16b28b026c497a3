//! Invalid requests get their error codes, and the game continues.

use serde_json::{Value, json};
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::http;
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

fn untimed() -> Value {
    options(&json!({ "kind": "untimed" }))
}

fn play(turn_no: u64, start: &str, tiles: &[&str]) -> Value {
    json!({ "turn_no": turn_no, "start": start, "tiles": tiles })
}

#[test]
fn every_illegal_command_names_the_broken_rule() {
    let server = Server::start("");
    let mut duel = Duel::start(&server, &untimed());
    let letters = duel.letters(0, 3);
    let [a, b, c] = [0, 1, 2].map(|at| letters[at].as_str());
    let rack = duel.letters(0, 7);
    let missing = ('A'..='Z')
        .map(String::from)
        .find(|face| !rack.contains(face))
        .expect("a rack is small");
    for (op, body, code) in [
        ("play", play(1, "8A", &[a, b]), "centre_missed"),
        ("play", play(1, "8H", &[a]), "too_few_tiles"),
        ("play", play(1, "8O", &[a, b]), "off_board"),
        ("play", play(1, "8H", &[a, ".", b]), "gap"),
        ("play", play(1, "8H", &[a, &missing]), "tile_not_in_rack"),
        ("play", play(1, "8H", &[a, "Ж"]), "unknown_tile"),
        ("play", play(1, "8H", &[a, "?"]), "blank_unassigned"),
        ("play", play(1, "88", &[a, b]), "bad_coordinate"),
        ("play", play(1, "8H", &["."]), "no_tiles"),
        ("play", play(2, "8H", &[a, b]), "wrong_position"),
        (
            "exchange",
            json!({ "turn_no": 1, "tiles": [missing] }),
            "tile_not_in_rack",
        ),
        ("exchange", json!({ "turn_no": 1, "tiles": [] }), "no_tiles"),
        ("challenge", json!({ "play_id": 1 }), "wrong_position"),
        ("claim", json!({ "seat": 1 }), "cannot_claim"),
        ("ready", json!({}), "already_ready"),
    ] {
        assert_eq!(duel.refused(0, op, body.clone()), code, "{op} {body}");
    }
    assert_eq!(
        duel.refused(1, "pass", json!({ "turn_no": 1 })),
        "not_your_turn"
    );
    // The game goes on where it was.
    let first = duel.ok(0, "play", play(1, "8G", &[a, b, c]));
    duel.sync(first + 1);
    let other = duel.letters(1, 2);
    let [d, e] = [0, 1].map(|at| other[at].as_str());
    for (seat, op, body, code) in [
        (1, "play", play(2, "8H", &[d, e]), "occupied"),
        (1, "play", play(2, "1A", &[d, e]), "not_adjacent"),
        (0, "challenge", json!({ "play_id": first }), "own_play"),
        (
            1,
            "challenge",
            json!({ "play_id": first - 1 }),
            "wrong_position",
        ),
        (1, "release", json!({ "play_id": first }), "not_held"),
        (
            0,
            "withdraw",
            json!({ "play_id": first }),
            "no_challenge_pending",
        ),
    ] {
        assert_eq!(duel.refused(seat, op, body.clone()), code, "{op} {body}");
    }
    duel.ok(1, "accept", json!({ "play_id": first }));
    assert_eq!(
        duel.refused(1, "challenge", json!({ "play_id": first })),
        "window_closed"
    );
    duel.ok(1, "resign", json!({}));
    assert_eq!(
        duel.refused(0, "pass", json!({ "turn_no": 3 })),
        "game_over"
    );
}

#[test]
fn a_play_has_one_verdict() {
    let server = Server::start("");
    let mut setup = untimed();
    setup["challenge"] = json!({ "kind": "single" });
    let mut duel = Duel::start(&server, &setup);
    // The verdict does not matter; there must not be a second one.
    let letters = duel.letters(0, 2);
    let first = duel.ok(0, "play", play(1, "8G", &[&letters[0], &letters[1]]));
    duel.ok(1, "challenge", json!({ "play_id": first }));
    let again = duel.refused(1, "challenge", json!({ "play_id": first }));
    assert!(
        ["already_challenged", "window_closed"].contains(&again.as_str()),
        "{again}"
    );
}

#[test]
fn invalid_requests_get_an_error_code() {
    let server = Server::start("");
    let (mut anna, _) = Wire::guest(&server.address, "anna");
    for (op, body, code) in [
        ("dance", json!({}), "unknown_op"),
        (
            "auth",
            json!({ "client": "tests" }),
            "already_authenticated",
        ),
        ("attach", json!({ "game": "nosuchgame" }), "unknown_game"),
        (
            "pass",
            json!({ "game": "nosuchgame", "cmd_id": "x", "turn_no": 1 }),
            "unknown_game",
        ),
        (
            "pass",
            json!({ "game": "nosuchgame", "cmd_id": "x", "turn_no": "one" }),
            "bad_field",
        ),
        (
            "pass",
            json!({ "game": "nosuchgame", "cmd_id": "not an id!", "turn_no": 1 }),
            "bad_field",
        ),
        (
            "join_seek",
            json!({ "cmd_id": "a", "seek": "nosuchseek" }),
            "unknown_seek",
        ),
        (
            "join_seek",
            json!({ "cmd_id": "b", "code": "NOSUCHCODE" }),
            "wrong_code",
        ),
        ("rename", json!({ "name": "\u{202e}anna" }), "bad_name"),
        ("list_games", json!({ "scope": "all" }), "bad_field"),
    ] {
        assert_eq!(anna.refused(op, body.clone()), code, "{op} {body}");
    }
    for (change, code) in [
        (json!({ "rule_set": "poker" }), "unknown_rule_set"),
        (json!({ "lexicon": "klingon" }), "unknown_lexicon"),
        (json!({ "seats": 5 }), "bad_options"),
        (
            json!({ "clock": { "kind": "sudden_death", "initial_ms": -1 } }),
            "bad_options",
        ),
        (
            json!({ "clock": { "kind": "sudden_death", "delay_ms": 1000 } }),
            "bad_options",
        ),
        (
            json!({ "challenge": { "kind": "double", "window_ms": 1 } }),
            "bad_options",
        ),
    ] {
        let mut setup = untimed();
        for (key, value) in change.as_object().expect("fields") {
            setup[key] = value.clone();
        }
        let refused = anna.refused("seek", json!({ "cmd_id": "c", "options": setup }));
        assert!(
            refused == code || refused == "bad_field",
            "{change}: {refused}"
        );
    }
    // And the connection is as good as before.
    assert!(anna.ok("time", json!({}))["server_time"].is_i64());
}

#[test]
fn unreadable_frames_get_an_error_code() {
    let server = Server::start("");
    let (mut anna, _) = Wire::guest(&server.address, "anna");
    // The server may read the ids in front of the errors.
    anna.expect(7);
    anna.expect(9);
    for (frame, code) in [
        ("nonsense", "bad_frame"),
        ("[\"time\", 7, {}] and more", "bad_frame"),
        ("{}", "bad_message"),
        ("[\"time\", -1, {}]", "bad_message"),
    ] {
        anna.send_text(frame);
        assert_eq!(anna.error(), code, "{frame}");
    }
    let deep = format!("[\"time\", 9, {}1{}]", "{\"a\":".repeat(40), "}".repeat(40));
    anna.send_text(&deep);
    assert_eq!(anna.error(), "bad_frame", "nested too deep");
    assert!(
        anna.ok("time", json!({}))["server_time"].is_i64(),
        "the connection goes on"
    );
}

#[test]
fn connections_that_break_the_rules_are_closed_with_a_code() {
    let server = Server::start(
        "[limits]\nrate_errors = 3\nmessage_burst = 5\nmessages_per_second = 1\n[timing]\nauth_within_ms = 300\n",
    );
    assert_eq!(
        Wire::upgrade(&server.address, "tilewire.v2.json").err(),
        Some(400),
        "another version"
    );
    assert_eq!(Wire::upgrade(&server.address, "chat").err(), Some(400));
    assert_eq!(http::get(&server.address, "/nothing").0, 404);
    assert_eq!(http::get(&server.address, "/").0, 200);

    let mut early = Wire::connect(&server.address);
    early.send("time", &json!({}));
    assert_eq!(early.closed(), Some(4000), "auth comes first");

    let mut silent = Wire::connect(&server.address);
    assert_eq!(silent.closed(), Some(4001), "auth within its time");

    let mut forged = Wire::connect(&server.address);
    let answer = forged.ask("auth", json!({ "token": "forged", "client": "tests" }));
    assert_eq!(answer[2]["code"], "bad_token");
    assert_eq!(forged.closed(), Some(4002));

    let (mut large, _) = Wire::guest(&server.address, "large");
    large.send_text(&"x".repeat(20_000));
    assert_eq!(large.closed(), Some(1009));

    let (mut binary, _) = Wire::guest(&server.address, "binary");
    binary.send_binary(b"\x93\xa4time\x01\x80");
    assert_eq!(binary.closed(), Some(1003));

    let (mut flood, _) = Wire::guest(&server.address, "flood");
    for _ in 0..30 {
        flood.send("time", &json!({}));
    }
    assert_eq!(flood.closed(), Some(4004));
}

#[test]
fn a_private_game_is_watched_with_its_code_only() {
    let server = Server::start("");
    let (mut anna, _) = Wire::guest(&server.address, "anna");
    let (mut ben, _) = Wire::guest(&server.address, "ben");
    let (mut zoe, _) = Wire::guest(&server.address, "zoe");
    let opened = anna.ok(
        "seek",
        json!({ "cmd_id": "o", "private": true, "options": untimed() }),
    );
    let code = opened["seek"]["code"].as_str().expect("a code");
    let listed = zoe.ok("lobby_subscribe", json!({}));
    assert_eq!(listed["seeks"], json!([]), "another client sees it");
    let id = &opened["seek"]["seek"];
    assert_eq!(
        zoe.refused("join_seek", json!({ "cmd_id": "j", "seek": id })),
        "unknown_seek"
    );
    let joined = ben.ok(
        "join_seek",
        json!({ "cmd_id": "j", "code": code.to_lowercase() }),
    );
    let game = &joined["game"];
    assert_eq!(
        zoe.refused("attach", json!({ "game": game })),
        "code_required"
    );
    assert_eq!(
        zoe.refused("attach", json!({ "game": game, "code": "WRONG" })),
        "wrong_code"
    );
    assert_eq!(
        zoe.ok("attach", json!({ "game": game, "code": code }))["role"],
        "spectator"
    );
    assert_eq!(
        zoe.ok("list_games", json!({ "scope": "live" }))["games"],
        json!([])
    );
}
