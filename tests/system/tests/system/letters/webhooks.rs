//! Webhooks with a receiver that verifies with a library of others: events of games and accounts come in order, after every
//! failure, and say nothing that a spectator does not see.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tilewire_harness::http::ask;
use tilewire_harness::server::Server;
use tilewire_harness::webhooks::Receiver;
use tilewire_harness::wire::Wire;

use super::{PASSWORD, ok};

/// Lets the receivers be reached, and be tried again soon.
pub(super) const ALLOWED: &str = "allow_private = [\"127.0.0.1\"]";

/// Settings with these webhooks.
pub(super) fn settings(more: &str, targets: &[String]) -> String {
    format!(
        "[game]\nnonce_ms = 0\n[webhooks]\nretry_ms = 50\nretry_max_ms = 100\nstep_ms = 500\n{more}\n{}",
        targets.concat()
    )
}

/// A game of two guests.
pub(super) struct Play {
    wires: [Wire; 2],
    tokens: [String; 2],
    pub(super) game: String,
    commands: u32,
}

impl Play {
    /// Begins a game in which the first guest has the first turn.
    pub(super) fn begin(server: &Server, more: &Value) -> Self {
        let (mut anna, of_anna) = Wire::guest(&server.address, "anna");
        let (mut ben, of_ben) = Wire::guest(&server.address, "ben");
        let mut options = json!({
            "rule_set": "email-validated", "seats": 2, "lexicon": "wordnik", "first": "owner",
        });
        for (name, value) in more.as_object().into_iter().flatten() {
            options[name] = value.clone();
        }
        let opened = anna.ok("seek", json!({ "cmd_id": "open", "options": options }));
        let join = json!({ "cmd_id": "join", "seek": opened["seek"]["seek"] });
        let joined = ben.ok("join_seek", join);
        let game = joined["game"].as_str().expect("a game").to_owned();
        let mut wires = [anna, ben];
        for wire in &mut wires {
            wire.ok("attach", json!({ "game": game }));
        }
        Self {
            wires,
            tokens: [of_anna, of_ben],
            game,
            commands: 0,
        }
    }

    pub(super) fn act(&mut self, seat: usize, op: &str, mut body: Value) {
        self.commands += 1;
        body["game"] = json!(self.game);
        body["cmd_id"] = json!(format!("c{}", self.commands));
        self.wires[seat].ok(op, body);
    }

    /// Returns the rack of a seat, when it has one.
    fn rack(&self, server: &Server, seat: usize) -> Vec<String> {
        loop {
            let mut wire = Wire::known(&server.address, &self.tokens[seat]);
            wire.ok("attach", json!({ "game": self.game }));
            let snapshot = wire.pushed(|message| message[0] == "snapshot");
            let rack = snapshot[2]["seats"][seat]["rack"].as_array();
            let faces = rack.into_iter().flatten();
            let faces: Vec<String> = faces
                .map(|face| face.as_str().expect("a face").to_owned())
                .collect();
            if !faces.is_empty() {
                return faces;
            }
        }
    }
}

/// The events of a game, as kinds.
pub(super) fn kinds<'a>(events: &'a [Value], game: &str) -> Vec<&'a str> {
    let of_game = events.iter().map(|event| &event["body"]);
    let of_game = of_game.filter(|body| body["data"]["game"] == game);
    of_game.filter_map(|body| body["type"].as_str()).collect()
}

pub(super) fn has(events: &[Value], game: &str, kind: &str) -> bool {
    kinds(events, game).contains(&kind)
}

pub(super) fn failures(stage: &str) -> String {
    format!("tilewire_webhook_failures_total{{stage=\"{stage}\"}}")
}

/// Returns how often each event came.
pub(super) fn counts(events: &[Value]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for event in events {
        *counts
            .entry(event["id"].as_str().expect("an id"))
            .or_default() += 1;
    }
    counts
}

#[test]
fn a_game_is_told_in_order_without_racks() {
    let receiver = Receiver::start();
    let server = Server::start(&settings("", &[receiver.target("shop", ALLOWED)]));
    let mut play = Play::begin(&server, &Value::Null);
    let racks = [play.rack(&server, 0), play.rack(&server, 1)];
    let tiles: Vec<&String> = racks[0].iter().take(3).collect();
    play.act(0, "exchange", json!({ "turn_no": 1, "tiles": tiles }));
    play.act(1, "pass", json!({ "turn_no": 2 }));
    play.act(0, "resign", json!({}));
    let events = receiver.wait_for_kind(&server, "game.ended");
    let expected = [
        "game.created",
        "game.started",
        "game.turn",
        "game.turn",
        "game.ended",
    ];
    assert_eq!(kinds(&events, &play.game), expected);
    assert!(
        counts(&events).values().all(|count| *count == 1),
        "{events:?}"
    );
    let of = |number: usize| &events[number]["body"]["data"];
    assert_eq!(of(0)["players"][1]["name"], "ben");
    assert_eq!(
        (&of(2)["act"], &of(2)["count"]),
        (&json!("exchange"), &json!(3))
    );
    assert_eq!(
        (&of(3)["act"], &of(3)["scores"]),
        (&json!("pass"), &json!([0, 0]))
    );
    assert_eq!(of(4)["reason"], "resignation");
    assert_eq!(of(4)["players"][1]["result"]["won"], true);
    for event in &events {
        let said = event.to_string();
        assert!(
            !said.contains("\"rack\"") && !said.contains("\"tiles\""),
            "{said}"
        );
        for rack in &racks {
            for between in ["", " ", ",", "\",\""] {
                let rack = rack.join(between);
                assert!(!said.contains(&rack), "the rack {rack} in {said}");
            }
        }
    }
    let delivered = "tilewire_webhooks_delivered_total{kind=\"game.turn\"}";
    server.until_figure(delivered, |value| value >= 2.0);
}

#[test]
fn an_event_comes_after_every_failure() {
    let receiver = Receiver::start();
    let server = Server::start(&settings("", &[receiver.target("shop", ALLOWED)]));
    for (answer, stage) in [
        ("500", "status"),
        ("503", "status"),
        ("404", "status"),
        ("410", "status"),
        ("307", "status"),
        ("302", "status"),
        ("stall", "answer"),
        ("close", "answer"),
        ("endless", "answer"),
    ] {
        let before = server.figure(&failures(stage));
        receiver.answer(answer);
        let play = Play::begin(&server, &Value::Null);
        server.until_figure(&failures(stage), |value| value > before + 1.5);
        receiver.answer("");
        let events = receiver.wait_for(&server, |events| has(events, &play.game, "game.started"));
        assert_eq!(
            kinds(&events, &play.game),
            ["game.created", "game.started"],
            "{answer}"
        );
    }
    let events = receiver.events();
    assert!(
        counts(&events).values().all(|count| *count == 1),
        "{events:?}"
    );
    // Each refused event came later, under the same id.
    let (refused, counts) = (receiver.refused(), counts(&events));
    assert!(
        refused.iter().all(|id| counts.contains_key(id.as_str())),
        "{refused:?}"
    );
    let failed = "tilewire_webhooks_failed_total{reason=\"given_up\"}";
    assert!(server.figure(failed) < 0.5);
}

/// The receiver has the event, and the connection ends before its answer.
#[test]
fn an_event_without_an_answer_comes_again_under_its_id() {
    let receiver = Receiver::start();
    let server = Server::start(&settings("", &[receiver.target("shop", ALLOWED)]));
    receiver.answer("late");
    let play = Play::begin(&server, &Value::Null);
    receiver.wait_for(&server, |events| events.len() >= 2);
    receiver.answer("");
    let events = receiver.wait_for(&server, |events| has(events, &play.game, "game.started"));
    let created = format!("{}-1", play.game);
    let again: Vec<&Value> = events
        .iter()
        .filter(|event| event["id"] == created.as_str())
        .collect();
    assert!(again.len() >= 2, "{events:?}");
    assert!(again.iter().all(|event| *event == again[0]), "{again:?}");
}

#[test]
fn a_webhook_that_does_not_answer_holds_up_no_other() {
    let (silent, other) = (Receiver::start(), Receiver::start());
    let targets = [
        silent.target("silent", ALLOWED),
        other.target("other", ALLOWED),
    ];
    let server = Server::start(&settings("", &targets));
    silent.answer("stall");
    for _ in 0..5 {
        let mut play = Play::begin(&server, &Value::Null);
        play.act(0, "resign", json!({}));
        other.wait_for(&server, |events| has(events, &play.game, "game.ended"));
    }
    assert_eq!(silent.events(), [] as [Value; 0]);
}

#[test]
fn an_address_that_is_not_public_is_refused() {
    let receiver = Receiver::start();
    let allowed = receiver.target("shop", ALLOWED);
    let server = Server::start(&settings("", std::slice::from_ref(&allowed)));
    // The same receiver by a name, over TLS, which needs no allowed network in the settings.
    for host in [
        "https://127.0.0.1",
        "https://localhost",
        "https://[::1]",
        "https://0.0.0.0",
    ] {
        let refused = allowed
            .replace("http://127.0.0.1", host)
            .replace(ALLOWED, "");
        let config = settings("", &[refused]);
        let said = server.operate_with(&config, &["config", "check"]);
        assert_eq!(said.expect("valid"), "the settings are valid\n");
        let said = server
            .operate(&["webhooks", "test", "shop"], "")
            .expect_err("refused");
        assert!(
            said.contains("address: ") && said.contains("is not a public address"),
            "{said}"
        );
    }
    assert_eq!(receiver.events(), [] as [Value; 0]);
    assert_eq!(receiver.refused(), [""; 0]);
}

#[test]
fn a_delayed_game_is_told_late() {
    let receiver = Receiver::start();
    let server = Server::start(&settings("", &[receiver.target("shop", ALLOWED)]));
    let delay = json!({ "spectators": { "delay_ms": 600_000 } });
    let mut delayed = Play::begin(&server, &delay);
    delayed.act(0, "pass", json!({ "turn_no": 1 }));
    // The events of this game are written later, and come.
    let mut live = Play::begin(&server, &Value::Null);
    live.act(0, "pass", json!({ "turn_no": 1 }));
    let events = receiver.wait_for(&server, |events| has(events, &live.game, "game.turn"));
    let shown = |events: &[Value]| kinds(events, &delayed.game).join(" ");
    assert_eq!(shown(&events), "game.created");
    let end = json!({ "game": delayed.game, "cmd_id": "end" });
    delayed.wires[1].ok("resign", end);
    let events = receiver.wait_for(&server, |events| has(events, &delayed.game, "game.ended"));
    let all = "game.created game.started game.turn game.ended";
    assert_eq!(kinds(&events, &delayed.game).join(" "), all);
}

/// Registers a guest with a password; the answer may be lost in a crash.
fn register(server: &Server, token: &str, handle: &str) {
    let headers = format!("Authorization: Bearer {token}\r\nContent-Type: application/json\r\n");
    let body = json!({ "handle": handle, "password": PASSWORD }).to_string();
    drop(ask(
        &server.address,
        "POST /api/v1/register",
        &headers,
        &body,
    ));
}

#[test]
fn accounts_are_told_without_their_secrets() {
    let receiver = Receiver::start();
    let server = Server::start(&settings("", &[receiver.target("shop", ALLOWED)]));
    let (guest, token) = Wire::guest(&server.address, "anna");
    let sent = json!({ "handle": "anna", "password": PASSWORD });
    let registered = ok(&server, "POST /register", Some(&token), &sent);
    drop(guest);
    let token = registered["token"].as_str().expect("a token");
    ok(
        &server,
        "POST /handle",
        Some(token),
        &json!({ "handle": "annette" }),
    );
    let operate = |args: &[&str]| {
        server
            .operate(&[&["moderation"][..], args].concat(), "")
            .expect("done")
    };
    operate(&["act", "suspend", "annette", "--reason", "spam"]);
    operate(&["undo", "1"]);
    let events = receiver.wait_for_kind(&server, "account.restored");
    let kinds: Vec<&Value> = events.iter().map(|event| &event["body"]["type"]).collect();
    let expected = [
        "account.registered",
        "account.renamed",
        "account.suspended",
        "account.restored",
    ];
    assert_eq!(kinds, expected);
    assert_eq!(events[0]["body"]["data"]["handle"], "anna");
    assert_eq!(events[1]["body"]["data"]["handle"], "annette");
    let identities: BTreeSet<&str> = events
        .iter()
        .filter_map(|event| event["body"]["data"]["identity"].as_str())
        .collect();
    assert_eq!(identities.len(), 1, "{events:?}");
    let of_events: Vec<&str> = events
        .iter()
        .filter_map(|event| event["id"].as_str())
        .collect();
    assert_eq!(
        of_events,
        ["account-1", "account-2", "account-3", "account-4"]
    );
}

/// The server dies between every two steps: no event is lost, and one at most comes twice, under one id.
#[test]
fn a_crash_loses_no_event() {
    for (point, count) in [
        ("before_webhooks:1", 1),
        ("before_webhook:1", 1),
        ("after_webhook:1", 2),
    ] {
        let receiver = Receiver::start();
        // A first process has the address that both others keep.
        let mut server = Server::start(&settings("", &[receiver.target("shop", ALLOWED)]));
        assert!(server.stop());
        server.start_dying(point);
        let (guest, token) = Wire::guest(&server.address, "anna");
        register(&server, &token, "anna");
        drop(guest);
        server.wait_for_death();
        let events = receiver.wait_for(&server, |events| events.len() >= count);
        let (_, token) = Wire::guest(&server.address, "ben");
        register(&server, &token, "ben");
        let events_after = receiver.wait_for(&server, |events| events.len() > count);
        assert_eq!(
            counts(&events),
            BTreeMap::from([("account-1", count)]),
            "{point}"
        );
        assert_eq!(counts(&events_after).get("account-2"), Some(&1), "{point}");
    }
}

#[test]
fn an_operator_lists_tries_and_replays() {
    let receiver = Receiver::start();
    let config = settings("give_up_ms = 1000", &[receiver.target("shop", ALLOWED)]);
    let server = Server::start(&config);
    let operate = |args: &[&str]| server.operate(&[&["webhooks"][..], args].concat(), "");
    let said = operate(&["test", "shop"]).expect("it is taken");
    assert!(said.contains("shop has taken the event test-"), "{said}");
    let events = receiver.wait_for_kind(&server, "test");
    assert_eq!(events.len(), 1);
    receiver.answer("500");
    let said = operate(&["test", "shop"]).expect_err("it is refused");
    assert!(said.contains("status: 500"), "{said}");
    assert!(operate(&["test", "club"]).is_err());

    let play = Play::begin(&server, &Value::Null);
    let failed = "tilewire_webhooks_failed_total{reason=\"given_up\"}";
    server.until_figure(failed, |value| value >= 2.0);
    // The storage has the second failure a moment after it is counted.
    let said = loop {
        let said = operate(&["list"]).expect("a list");
        if said.starts_with("shop  0 waiting, 2 failed  http://127.0.0.1:") {
            break said;
        }
        assert!(said.starts_with("shop  "), "{said}");
    };
    assert!(!said.contains("/webhook"), "{said}");
    receiver.answer("");
    let said = operate(&["replay", "shop", "--since", "2100-01-01T00:00:00Z"]).expect("done");
    assert_eq!(said, "0 events wait for shop again\n");
    let said = operate(&["replay", "shop", "--since", "1h"]).expect("done");
    assert_eq!(said, "2 events wait for shop again\n");
    let events = receiver.wait_for(&server, |events| has(events, &play.game, "game.started"));
    assert_eq!(kinds(&events, &play.game), ["game.created", "game.started"]);
    assert!(operate(&["replay", "shop", "--since", "yesterday"]).is_err());
}

#[test]
fn settings_that_cannot_work_are_refused() {
    let receiver = Receiver::start();
    let good = receiver.target("shop", ALLOWED);
    let server = Server::start("");
    let twice = format!("{good}{good}");
    for (targets, expected) in [
        (good.replace(ALLOWED, ""), "https"),
        (
            good.replace("http://127.0.0.1", "ftp://127.0.0.1"),
            "https://HOST/PATH",
        ),
        (good.replace("\"shop\"", "\"my shop\""), "a name has"),
        (good.replace("/secret\"", "/none\""), "secret_file"),
        (good.replace("private_games", "private"), "webhooks.targets"),
        (
            good.replace("[\"127.0.0.1\"]", "[\"here\"]"),
            "webhooks.targets",
        ),
        (format!("{good}events = [\"game.over\"]\n"), "game.over"),
        (format!("{good}players = \"site\"\n"), "site.issuer"),
        (
            format!("{good}ca_file = \"/nowhere\"\n").replace("http:", "https:"),
            "/nowhere",
        ),
        (twice, "occurs twice"),
    ] {
        let said = server.operate_with(&targets, &["config", "check"]);
        let said = said.expect_err("it is refused");
        assert!(said.contains(expected), "{targets}: {said}");
    }
    for (line, key) in [
        ("queue = 0", "webhooks.queue"),
        ("retry_ms = 99999999", "webhooks.retry_ms"),
    ] {
        let said = server.operate_with(&format!("[webhooks]\n{line}\n"), &["config", "check"]);
        assert!(said.expect_err("it is refused").contains(key), "{line}");
    }
    let said = server
        .operate_with(&good, &["config", "check"])
        .expect("valid");
    assert_eq!(said, "the settings are valid\n");
    assert_eq!(receiver.events(), [] as [Value; 0], "a check sends nothing");
}
