//! Time runs out without a command, and overtime costs points.

use std::time::Duration;

use serde_json::json;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;

/// These tests ask for the time again and again.
const PATIENT: &str = "[limits]\nmessages_per_second = 100000\nmessage_burst = 100000\n";

#[test]
fn a_flag_falls_without_a_command() {
    let server = Server::start("");
    let mut duel = Duel::start(
        &server,
        &options(&json!({ "kind": "sudden_death", "initial_ms": 400 })),
    );
    let began = duel.folds[0]
        .events
        .last()
        .and_then(|event| event["at"].as_i64())
        .expect("a turn began");
    for seat in 0..2 {
        let ended = duel.ended(seat);
        assert_eq!(ended["reason"], "time");
        assert_eq!(ended["winners"], json!([1]));
        assert_eq!(
            ended["at"].as_i64(),
            Some(began + 400),
            "at the very millisecond"
        );
        assert_eq!(ended["clocks"]["main_ms"], json!([0, 400]));
    }
    let retired = &duel.folds[0].events[duel.folds[0].events.len() - 2];
    assert_eq!(
        (&retired["kind"], &retired["reason"]),
        (&json!("seat_retired"), &json!("flagged"))
    );
}

/// Ten points for each minute begun: 1 ms is a minute, 60,000 ms is one, 60,001 ms are two.
#[test]
fn overtime_costs_ten_points_for_each_minute_begun() {
    let server = Server::start(PATIENT);
    let clock = json!({ "kind": "overtime", "initial_ms": 300, "penalty_per_minute": 10, "cap_ms": 600_000 });
    let mut duel = Duel::start(&server, &options(&clock));
    let began = duel.folds[0]
        .events
        .last()
        .and_then(|event| event["at"].as_i64())
        .expect("a turn began");
    duel.wait_until(began + 400);
    let turn_no = duel.turn_no();
    duel.ok(0, "pass", json!({ "turn_no": turn_no }));
    duel.ok(1, "resign", json!({}));
    let ended = duel.ended(0);
    let left = ended["clocks"]["main_ms"][0].as_i64().expect("a clock");
    assert!(left < 0, "overtime is negative time: {left}");
    assert_eq!(ended["results"][0]["time_penalty"], -10);
    assert_eq!(ended["results"][0]["final_score"], -10);
    assert_eq!(ended["results"][1]["time_penalty"], 0);
    assert_eq!(
        ended["winners"],
        json!([0]),
        "a player that resigns does not win"
    );
}

#[test]
fn overtime_ends_at_its_cap() {
    let server = Server::start("");
    let clock =
        json!({ "kind": "overtime", "initial_ms": 200, "penalty_per_minute": 10, "cap_ms": 300 });
    let mut duel = Duel::start(&server, &options(&clock));
    let ended = duel.ended(1);
    assert_eq!(
        (&ended["reason"], &ended["winners"]),
        (&json!("time"), &json!([1]))
    );
    assert_eq!(ended["results"][0]["time_penalty"], -10);
    assert_eq!(
        ended["clocks"]["main_ms"][0], -301,
        "one millisecond beyond the cap"
    );
}

/// The lag of a connection is half the time that its client takes to answer a ping: a client can choose it. The turns of
/// such a client cost less than they took, but only up to the quota.
#[test]
fn delayed_pongs_gain_no_more_than_the_quota() {
    const TURNS: i64 = 7;
    let (pong_delay, thought_ms) = (Duration::from_millis(700), 400);
    let (quota_ms, refill_ms) = (1_000, 100); // the defaults
    let server = Server::start(&format!("{PATIENT}[timing]\nheartbeat_ms = 1000\n"));
    let mut setup = options(&json!({ "kind": "sudden_death" }));
    setup["end"] = json!({ "limit": TURNS + 1, "per_seat": true, "counts": "passes" });
    let mut duel = Duel::start(&server, &setup);
    duel.wires[0].delay_pongs(pong_delay);
    let lag = duel.wires[0].pushed(|message| message[0] == "lag" && message[2]["lag_ms"] != 0);
    assert!(lag[2]["lag_ms"].as_i64().expect("a time") >= 300, "{lag}");

    for _ in 0..TURNS {
        let began = duel.folds[0]
            .events
            .last()
            .and_then(|event| event["at"].as_i64());
        duel.wait_until(began.expect("a turn began") + thought_ms);
        for seat in [0, 1] {
            let turn_no = duel.turn_no();
            duel.ok(seat, "pass", json!({ "turn_no": turn_no }));
            for player in [0, 1] {
                duel.until(player, |fold| fold.turn_no > turn_no);
            }
        }
    }
    let turns = duel.folds[0].events.iter();
    let turns: Vec<_> = turns
        .filter(|event| event["kind"] == "turn_started")
        .collect();
    let time = |value: &serde_json::Value| value.as_i64().expect("a time");
    let gained = turns
        .windows(2)
        .filter(|turns| turns[0]["seat"] == 0)
        .map(|turns| {
            let [before, after] = [0, 1].map(|at| time(&turns[at]["clocks"]["main_ms"][0]));
            time(&turns[1]["at"]) - time(&turns[0]["at"]) - (before - after)
        });
    let gained: Vec<i64> = gained.collect();
    assert!(gained[0] >= 300, "{gained:?} ms");
    assert!(
        gained.iter().sum::<i64>() <= quota_ms + TURNS * refill_ms,
        "{gained:?} ms"
    );
}

#[test]
fn a_game_is_cancelled_if_its_players_never_get_ready() {
    use tilewire_harness::wire::Wire;
    let server = Server::start("[game]\nready_ms = 300\n");
    let (mut anna, _) = Wire::guest(&server.address, "anna");
    let (mut ben, _) = Wire::guest(&server.address, "ben");
    let setup = options(&json!({ "kind": "sudden_death" }));
    let opened = anna.ok("seek", json!({ "cmd_id": "open", "options": setup }));
    let joined = ben.ok(
        "join_seek",
        json!({ "cmd_id": "join", "seek": opened["seek"]["seek"] }),
    );
    anna.ok("attach", json!({ "game": joined["game"], "seq": 0 }));
    anna.ok("ready", json!({ "game": joined["game"], "cmd_id": "here" }));
    let ended = anna.event("ended");
    assert_eq!(
        (&ended["reason"], &ended["winners"]),
        (&json!("cancelled"), &json!([]))
    );
}

/// The countdown is visible, and the win is there to be claimed when it is over.
#[test]
fn a_vanished_opponent_can_be_claimed_against() {
    let server = Server::start(&format!(
        "{PATIENT}[timing]\nvanish_grace_ms = 50\n[game]\nvanish_claim_ms = 200\n"
    ));
    let mut duel = Duel::start(&server, &options(&json!({ "kind": "sudden_death" })));
    drop(duel.wires.pop());
    duel.until(0, |table| {
        table
            .events
            .iter()
            .any(|event| event["kind"] == "seat_vanished")
    });
    let vanished = duel.folds[0].events.last().cloned().expect("it happened");
    assert_eq!(
        duel.refused(0, "claim", json!({ "seat": 1 })),
        "cannot_claim"
    );
    duel.wait_until(vanished["claim_at"].as_i64().expect("a countdown"));
    duel.ok(0, "claim", json!({ "seat": 1 }));
    let ended = duel.ended(0);
    assert_eq!(
        (&ended["reason"], &ended["winners"]),
        (&json!("abandonment"), &json!([0]))
    );
}
