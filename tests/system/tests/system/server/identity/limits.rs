//! Limits for one identity and for one address; codes cannot be guessed.

use serde_json::{Value, json};
use tilewire_harness::duel::options;
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

use super::{TALKATIVE, welcomed};

/// A seek with options of its own.
fn seek(cmd_id: &str, private: bool) -> Value {
    let mut options = options(&json!({ "kind": "untimed" }));
    let digits: String = cmd_id.chars().filter(char::is_ascii_digit).collect();
    options["vanish_claim_ms"] = (60_000 + digits.parse::<u64>().unwrap_or(0)).into();
    json!({ "cmd_id": cmd_id, "private": private, "options": options })
}

#[test]
fn the_connections_seeks_and_games_of_an_identity_are_limited() {
    let server = Server::start(
        "[limits]\nconnections_per_identity = 2\nopen_seeks = 2\ngames_per_identity = 3\n",
    );
    let (mut anna, token) = Wire::guest(&server.address, "anna");
    let (second, _) = welcomed(&server, &token);
    let mut third = Wire::connect(&server.address);
    third.send("auth", &json!({ "token": token, "client": "tests" }));
    assert_eq!(third.closed(), Some(4007));
    drop(second);

    anna.ok("seek", seek("s-1", false));
    anna.ok("seek", seek("s-2", false));
    assert_eq!(anna.refused("seek", seek("s-3", false)), "too_many_seeks");

    let (mut ben, _) = Wire::guest(&server.address, "ben");
    let offered = ben.ok("seek", seek("b-1", false))["seek"]["seek"].clone();
    let join = |cmd_id: &str, seek: &Value| json!({ "cmd_id": cmd_id, "seek": seek });
    anna.ok("join_seek", join("j-1", &offered));
    // Two seeks and a game: a third game could begin at any time.
    let offered = ben.ok("seek", seek("b-2", false))["seek"]["seek"].clone();
    for (op, body) in [
        ("join_seek", join("j-2", &offered)),
        ("quick_match", seek("q-1", false)),
    ] {
        assert_eq!(anna.refused(op, body), "too_many_games", "{op}");
    }
    let listed = anna.ok("list_games", json!({ "scope": "mine" }));
    assert_eq!(listed["games"].as_array().map(Vec::len), Some(1));
}

#[test]
fn the_new_guests_of_an_address_are_rate_limited() {
    let server =
        Server::start("[limits]\nnew_guests_per_address = 3\n[timing]\nnew_guests_ms = 3600000\n");
    let (_anna, token) = Wire::guest(&server.address, "anna");
    let _others = ["ben", "zoe"].map(|name| Wire::guest(&server.address, name));
    let mut fourth = Wire::connect(&server.address);
    let answer = fourth.ask("auth", json!({ "client": "tests" }));
    assert_eq!(answer[2]["code"], "rate_limited", "{answer}");
    assert!(answer[2]["detail"]["retry_after_ms"].as_i64() > Some(0));
    assert_eq!(fourth.closed(), Some(1001));
    // Clients with a token are still admitted.
    welcomed(&server, &token);

    let brief = format!("{TALKATIVE}new_guests_per_address = 1\n[timing]\nnew_guests_ms = 300\n");
    let brief = Server::start(&brief);
    let (mut anna, _) = Wire::guest(&brief.address, "anna");
    let until = anna.ok("time", json!({}))["server_time"]
        .as_i64()
        .map(|now| now + 300);
    while anna.ok("time", json!({}))["server_time"].as_i64() < until {}
    let _ben = Wire::guest(&brief.address, "ben");
}

#[test]
fn codes_are_long_and_guessing_is_rate_limited() {
    let server = Server::start(
        "[limits]\nwrong_codes = 3\n[timing]\nwrong_code_wait_ms = 3600000\nwrong_code_wait_max_ms = 3600000\n",
    );
    let (mut anna, _) = Wire::guest(&server.address, "anna");
    let (mut eve, token) = Wire::guest(&server.address, "eve");
    let (mut ben, _) = Wire::guest(&server.address, "ben");
    let code = anna.ok("seek", seek("s", true))["seek"]["code"].clone();
    let bits =
        f64::from(u32::try_from(code.as_str().map_or(0, str::len)).unwrap_or(0)) * 30_f64.log2();
    assert!(bits >= 60.0, "{code} has {bits} bits");
    assert_eq!(eve.ok("lobby_subscribe", json!({}))["seeks"], json!([]));

    let guess = |cmd_id: String, code: &Value| json!({ "cmd_id": cmd_id, "code": code });
    for number in 0..3 {
        let answer = eve.refused("join_seek", guess(format!("g-{number}"), &json!("WRONG")));
        assert_eq!(answer, "wrong_code", "{number}");
    }
    // From here on the server refuses even the right code, on each of her connections.
    let (mut phone, _) = welcomed(&server, &token);
    for wire in [&mut eve, &mut phone] {
        let answer = wire.ask("join_seek", guess("right".to_owned(), &code));
        assert_eq!(answer[2]["code"], "rate_limited", "{answer}");
        assert!(answer[2]["detail"]["retry_after_ms"].as_i64() > Some(0));
    }
    let watch = json!({ "game": "g", "code": "WRONG" });
    assert_eq!(eve.refused("attach", watch), "rate_limited");
    // No other address waits, and requests without a code still work.
    eve.ok("seek", seek("own", false));
    let joined = ben.ok("join_seek", guess("j".to_owned(), &code));
    let game = &joined["game"];
    let (mut spy, _) = Wire::guest(&server.address, "spy");
    for _ in 0..3 {
        let watch = json!({ "game": game, "code": "WRONG" });
        assert_eq!(spy.refused("attach", watch), "wrong_code");
    }
    let watch = json!({ "game": game, "code": code });
    assert_eq!(spy.refused("attach", watch), "rate_limited");
    let figures = server.admin_get("/metrics").1;
    assert!(
        figures.contains("tilewire_wrong_codes_total 6"),
        "{figures}"
    );
}
