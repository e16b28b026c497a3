//! Vacations with real processes: two games, a crash, an early end.

use serde_json::{Value, json};
use tempfile::TempDir;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

use super::{PASSWORD, ok, refused, register, text, tilewire};

const DAY_MS: i64 = 24 * 3_600_000;

fn by_correspondence(vacation: bool) -> Value {
    let mut wanted = options(&json!({ "kind": "per_move", "limit_ms": 3 * DAY_MS }));
    wanted["vacation"] = json!(vacation);
    wanted
}

/// Returns when the flag of the seat on turn falls, as a new snapshot of the game shows it.
fn due(server: &Server, token: &str, game: &str) -> i64 {
    let mut wire = Wire::known(&server.address, token);
    wire.ok("attach", json!({ "game": game }));
    let snapshot = wire.pushed(|message| message[0] == "snapshot");
    let clocks = &snapshot[2]["clocks"];
    let of = |time: &Value| time.as_i64().expect("a time");
    of(&clocks["running"]["since"]) + of(&clocks["allowance_ms"][0])
}

/// A vacation moves the deadline of the game with the option, also through a crash, and of no other game. Its early end moves
/// it back.
#[test]
fn a_vacation_moves_deadlines_through_a_crash() {
    let mut server = Server::start("");
    let duel = Duel::start(&server, &by_correspondence(true));
    let token = duel.tokens[0].clone();
    let before = due(&server, &token, &duel.game);
    let guest = refused(
        &server,
        "POST /account/vacation",
        Some(&token),
        &json!({ "days": 5 }),
    );
    assert_eq!(guest, (403, "not_registered".to_owned()));
    let token = text(&register(&server, &token, "anna")["token"]);
    let own = Some(token.as_str());
    let taken = ok(
        &server,
        "POST /account/vacation",
        own,
        &json!({ "days": 5 }),
    );
    assert_eq!(taken["days_left"], 25, "{taken}");
    let (until, at) = (taken["until"].as_i64(), taken["server_time"].as_i64());
    assert!(
        until
            .zip(at)
            .is_some_and(|(until, at)| (until - at - 5 * DAY_MS).abs() < 60_000)
    );
    // The days are counted from the request, and the game learns of them a moment later.
    let moved = due(&server, &token, &duel.game) - before;
    assert!(
        (5 * DAY_MS - 60_000..=5 * DAY_MS).contains(&moved),
        "{moved}"
    );
    server.kill();
    server.start_again();
    assert_eq!(due(&server, &token, &duel.game) - before, moved);
    for (days, expected) in [
        (0, (400, "bad_days")),
        (31, (400, "bad_days")),
        (26, (409, "too_few_days")),
    ] {
        let (status, code) = refused(
            &server,
            "POST /account/vacation",
            own,
            &json!({ "days": days }),
        );
        assert_eq!((status, code.as_str()), expected, "{days}");
    }
    let ended = ok(&server, "DELETE /account/vacation", own, &Value::Null);
    assert_eq!(ended["days_left"], 29, "{ended}");
    let after = due(&server, &token, &duel.game);
    assert!(
        (before..before + 3_600_000).contains(&after),
        "{before} {after}"
    );
    let again = refused(&server, "DELETE /account/vacation", own, &Value::Null);
    assert_eq!(again, (409, "not_on_vacation".to_owned()));
    assert!(server.check().0, "every game can be replayed");
}

#[test]
fn a_game_without_the_option_keeps_its_deadline() {
    let server = Server::start("");
    let duel = Duel::start(&server, &by_correspondence(false));
    let token = duel.tokens[0].clone();
    let token = text(&register(&server, &token, "anna")["token"]);
    let before = due(&server, &token, &duel.game);
    ok(
        &server,
        "POST /account/vacation",
        Some(&token),
        &json!({ "days": 5 }),
    );
    assert_eq!(due(&server, &token, &duel.game), before);
}

#[test]
fn the_client_goes_on_vacation() {
    let server = Server::start("");
    let home = TempDir::new().expect("a directory");
    let run = |args: &[&str], input: &str| {
        let output = tilewire(&server, home.path(), "laptop", args, input);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{args:?}: {said}");
        serde_json::from_slice::<Value>(&output.stdout).expect("one object")
    };
    run(
        &["register", "anna", "--password-stdin"],
        &format!("{PASSWORD}\n"),
    );
    assert_eq!(run(&["account", "vacation"], "")["days_left"], 30);
    let away = run(&["account", "vacation", "5"], "");
    assert_eq!(
        (&away["type"], &away["days_left"]),
        (&json!("vacation"), &json!(25))
    );
    assert!(away["until"].is_i64(), "{away}");
    assert_eq!(run(&["account", "vacation", "end"], "")["days_left"], 29);
}
