//! The lobby under many concurrent commands, and its subscribers.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tilewire_conformance::position::number;
use tilewire_harness::duel::options;
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

/// Reads until every request has its answer; more than one each is a failure.
fn answers(wire: &mut Wire, mut open: Vec<u64>) -> BTreeMap<u64, Value> {
    let mut answers = BTreeMap::new();
    while !open.is_empty() {
        let message = wire.read().expect("an answer");
        let id = message[1].as_u64().expect("an id");
        if id != 0 {
            let at = open.iter().position(|asked| *asked == id);
            open.swap_remove(at.expect("asked, and not answered before"));
            answers.insert(id, message);
        }
    }
    answers
}

fn seek(cmd_id: &str, seats: u8) -> Value {
    let mut options = options(&json!({ "kind": "untimed" }));
    options["seats"] = seats.into();
    json!({ "cmd_id": cmd_id, "options": options })
}

/// A seek with options of its own.
fn nth_seek(n: u64) -> Value {
    let mut body = seek(&format!("s{n}"), 2);
    body["options"]["vanish_claim_ms"] = (60_000 + n).into();
    body
}

#[test]
fn concurrent_commands_get_one_answer_each() {
    let server = Server::start("");
    let (mut anna, _) = Wire::guest(&server.address, "anna");
    // Sent at once; the answers are read when all of it is on its way.
    let first: Vec<u64> = (0..5).map(|n| anna.send("seek", &nth_seek(n))).collect();
    let again = anna.send("seek", &nth_seek(1));
    let other = anna.send("seek", &seek("s1", 3));
    let too_many = anna.send("seek", &nth_seek(9));
    let lists = anna.send("lobby_subscribe", &json!({}));
    let mut asked = first.clone();
    asked.extend([again, other, too_many, lists]);
    let answers = answers(&mut anna, asked);
    let seeks: Vec<&Value> = first
        .iter()
        .map(|id| &answers[id][2]["seek"]["seek"])
        .collect();
    assert!(seeks.iter().all(|seek| seek.is_string()), "{answers:?}");
    assert_eq!(answers[&again][2], answers[&first[1]][2], "a retry");
    assert_eq!(answers[&other][2]["code"], "cmd_id_reused");
    assert_eq!(answers[&too_many][2]["code"], "too_many_seeks");
    let listed = answers[&lists][2]["seeks"].as_array().expect("a list");
    let mut listed: Vec<&Value> = listed.iter().map(|seek| &seek["seek"]).collect();
    let mut seeks = seeks;
    listed.sort_by_key(ToString::to_string);
    seeks.sort_by_key(ToString::to_string);
    assert_eq!(listed, seeks, "all that came before, and nothing else");
}

#[test]
fn one_of_many_concurrent_clients_gets_the_seat() {
    let server = Server::start("");
    let (mut zoe, _) = Wire::guest(&server.address, "zoe");
    zoe.ok("lobby_subscribe", json!({}));
    let (mut anna, _) = Wire::guest(&server.address, "anna");
    let opened = anna.ok("seek", seek("open", 2))["seek"]["seek"].clone();
    let change = |wanted: &str, key: &str, id: &Value| {
        let (wanted, key, id) = (wanted.to_owned(), key.to_owned(), id.clone());
        move |message: &Value| {
            let body = &message[2];
            let of = [&body[&key], &body["seek"][&key], &body["game"][&key]];
            message[0] == "lobby" && body["change"] == wanted.as_str() && of.contains(&&id)
        }
    };
    zoe.pushed(change("seek_added", "seek", &opened));
    let mut many: Vec<Wire> = (0..8)
        .map(|n| Wire::guest(&server.address, &format!("ben{n}")).0)
        .collect();
    let join = json!({ "cmd_id": "j", "seek": opened });
    let asked: Vec<u64> = many
        .iter_mut()
        .map(|wire| wire.send("join_seek", &join))
        .collect();
    let mut games = Vec::new();
    for (wire, id) in many.iter_mut().zip(asked) {
        let answer = answers(wire, vec![id]).remove(&id).expect("read");
        match answer[0].as_str() {
            Some("ok") => games.push(answer[2]["game"].clone()),
            _ => assert_eq!(answer[2]["code"], "unknown_seek", "{answer}"),
        }
    }
    assert_eq!(games.len(), 1, "{games:?}");
    let created = anna.pushed(|message| message[0] == "game_created");
    assert_eq!(created[2]["game"], games[0]);
    zoe.pushed(change("seek_removed", "seek_id", &opened));
    let is_listed = |wire: &mut Wire| {
        let lists = wire.ok("lobby_subscribe", json!({}));
        let listed = lists["games"].as_array().expect("a list");
        listed.iter().any(|game| game["game"] == games[0])
    };
    assert!(!is_listed(&mut zoe), "it has not begun");
    for wire in many.iter_mut().chain([&mut anna]) {
        let ready = json!({ "game": games[0], "cmd_id": "r" });
        wire.ask("ready", ready);
    }
    let started = zoe.pushed(change("game_started", "game", &games[0]));
    assert_eq!(number(&started[2]["game"], "turn_no"), 1);
    assert!(is_listed(&mut zoe), "at once, however lately it was asked");
}

#[test]
fn a_subscribed_member_is_told_once_that_its_seek_is_closed() {
    let server = Server::start("");
    let (mut anna, _) = Wire::guest(&server.address, "anna");
    let (mut ben, _) = Wire::guest(&server.address, "ben");
    ben.ok("lobby_subscribe", json!({}));
    let mut removals = |wire: &mut Wire, private: bool| {
        let mut open = seek(if private { "private" } else { "public" }, 3);
        open["private"] = private.into();
        let opened = anna.ok("seek", open)["seek"].clone();
        let mut join = json!({ "cmd_id": format!("join {private}").replace(' ', "-") });
        match &opened["code"] {
            Value::Null => join["seek"] = opened["seek"].clone(),
            code => join["code"] = code.clone(),
        }
        wire.ok("join_seek", join);
        let close = json!({ "cmd_id": format!("close-{private}"), "seek": opened["seek"] });
        anna.ok("cancel_seek", close);
        let is_removal =
            |message: &Value| message[0] == "lobby" && message[2]["seek_id"] == opened["seek"];
        wire.pushed(is_removal);
        // All earlier updates come before the present one.
        let mut next = seek(&format!("next-{private}"), 2);
        next["options"]["seats"] = (if private { 2 } else { 4 }).into();
        let next = anna.ok("seek", next)["seek"]["seek"].clone();
        wire.pushed(|message| {
            assert!(!is_removal(message), "told twice");
            message[0] == "lobby" && message[2]["seek"]["seek"] == next
        });
    };
    removals(&mut ben, false);
    removals(&mut ben, true);
}

#[test]
fn concurrent_subscribers_see_the_lobby_with_their_own_seeks() {
    let server = Server::start("");
    let mut many: Vec<Wire> = (0..16)
        .map(|n| Wire::guest(&server.address, &format!("guest{n}")).0)
        .collect();
    let public = many[0].ok("seek", seek("public", 2))["seek"].clone();
    let mut seen = Vec::new();
    for (n, wire) in many.iter_mut().enumerate() {
        let mut own = vec![public.clone()];
        if n % 3 == 1 {
            let mut open = seek("private", 2);
            open["private"] = true.into();
            own.push(wire.ok("seek", open)["seek"].clone());
        }
        // The oldest first; those of one millisecond by their names.
        own.sort_by_key(|seek| (seek["created_at"].as_i64(), seek["seek"].to_string()));
        seen.push(own);
    }
    // All clients send many requests before they read the first answer.
    let mut asked = vec![Vec::new(); many.len()];
    for _ in 0..8 {
        for (wire, asked) in many.iter_mut().zip(&mut asked) {
            asked.push(wire.send("lobby_subscribe", &json!({})));
        }
    }
    for ((wire, asked), seen) in many.iter_mut().zip(asked).zip(seen) {
        for answer in answers(wire, asked).values() {
            assert_eq!(answer[2]["seeks"], json!(seen), "{answer}");
            assert_eq!(answer[2]["online"], 16, "{answer}");
        }
    }
}

/// Two `play --quick` under one identity: the second is told so, and no dead seek is left when both windows close.
#[test]
fn two_windows_of_a_player_look_for_one_game() {
    let server = Server::start("");
    let (mut zoe, _) = Wire::guest(&server.address, "zoe");
    zoe.ok("lobby_subscribe", json!({}));
    let (mut anna, token) = Wire::guest(&server.address, "anna");
    let mut window = Wire::known(&server.address, &token);
    let opened = anna.ok("quick_match", seek("q-1", 2))["seek"]["seek"].clone();
    let refused = window.ask("quick_match", seek("q-2", 2));
    assert_eq!(refused[2]["code"], "already_seeking", "{refused}");
    let said = refused[2]["message"].as_str().expect("a text");
    assert!(said.contains("already looking for a game"), "{said}");
    anna.close();
    zoe.ok("time", json!({}));
    window.close();
    zoe.pushed(|message| message[2]["seek_id"] == opened);
    // The next player opens a seek and does not meet somebody who has left.
    let alone = zoe.ok("quick_match", seek("q-3", 2));
    assert!(alone.get("game").is_none(), "{alone}");
}

/// A friend joins an absent inviter's game by correspondence: it begins, and the inviter finds it.
#[test]
fn a_game_by_correspondence_begins_without_its_inviter() {
    let server = Server::start("[timing]\nseek_orphan_ms = 50\n[game]\nnonce_ms = 300\n");
    let (mut zoe, _) = Wire::guest(&server.address, "zoe");
    zoe.ok("lobby_subscribe", json!({}));
    let (mut anna, token) = Wire::guest(&server.address, "anna");
    let live = anna.ok("seek", seek("live", 3))["seek"]["seek"].clone();
    let hour = options(&json!({ "kind": "per_move", "limit_ms": 3_600_000 }));
    let invitation = json!({ "cmd_id": "invite", "private": true, "options": hour });
    let code = anna.ok("seek", invitation)["seek"]["code"].clone();
    drop(anna);
    // The time of a live seek is over.
    zoe.pushed(|message| message[2]["seek_id"] == live);
    let (mut ben, _) = Wire::guest(&server.address, "ben");
    let join = json!({ "cmd_id": "join", "code": code });
    let game = ben.ok("join_seek", join)["game"].clone();
    ben.ok("attach", json!({ "game": game, "seq": 0 }));
    let begun = ben.event("turn_started");
    assert_eq!(begun["turn_no"], 1, "{begun}");
    let mut anna = Wire::connect(&server.address);
    let welcome = anna.ask("auth", json!({ "token": token, "client": "tests" }));
    assert_eq!(welcome[2]["games"][0]["game"], game, "{welcome}");
}
