//! Commands: each takes effect once, in order, and only in its own game.

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Encoding, Target};
use crate::link::Link;
use crate::pair::{Pair, options};
use tilewire_oracle::number;

/// The cases about commands.
pub const CASES: &[Case<Target>] = &[
    Case::of("commands/sent-again", &["P-CMD-2", "P-GAME-2"], sent_again),
    Case::of(
        "commands/sent-again-elsewhere",
        &["P-CMD-2", "P-GAME-4"],
        elsewhere,
    ),
    Case::of("commands/other-content", &["P-CMD-3"], other_content),
    Case::of(
        "commands/refused-is-forgotten",
        &["P-CMD-4"],
        refused_is_forgotten,
    ),
    Case::of(
        "commands/sixteen-remembered",
        &["P-CMD-5", "P-LIM-1"],
        sixteen,
    ),
    Case::of("commands/stale", &["P-CMD-6", "P-ERR-4"], stale),
    Case::of(
        "commands/seeks-sent-again",
        &["P-CMD-1", "P-CMD-2", "P-CMD-3"],
        seeks_again,
    ),
    Case::of(
        "commands/two-in-flight",
        &["P-CMD-7", "P-MSG-2", "P-MSG-4", "P-GAME-3"],
        two_in_flight,
    ),
    Case::of("commands/cmd-ids", &["P-CMD-1"], cmd_ids),
    Case::of("commands/not-attached", &["P-GAME-4"], not_attached),
    Case::of("commands/strangers", &["P-SEC-3", "P-ERR-3"], strangers),
    Case::of(
        "commands/two-devices-in-order",
        &["P-AUTH-8", "P-CMD-6"],
        devices_in_order,
    ),
];

fn sent_again(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let body = pair.body(json!({ "turn_no": 1, "cmd_id": "once" }));
    let first = pair.links[0].ok("pass", body.clone())?;
    ensure!(first["game"] == pair.game.as_str(), "{first}");
    let seq = number(&first, "seq")?;
    for _ in 0..3 {
        let again = pair.links[0].ok("pass", body.clone())?;
        ensure!(again == first, "the first answer is {first}, then {again}");
    }
    pair.all_until(|fold| fold.seq > seq)?;
    pair.catch_up()?;
    let passes = pair.folds[1]
        .events
        .iter()
        .filter(|event| event["kind"] == "passed");
    ensure!(passes.count() == 1, "carried out once");
    let event = pair.folds[0]
        .events
        .iter()
        .find(|event| event["seq"] == seq);
    ensure!(
        event.context("seq is an event")?["kind"] == "passed",
        "the command's own event"
    );
    // Again after others have moved.
    pair.pass()?;
    let again = pair.links[0].ok("pass", body)?;
    ensure!(again == first, "{again}");
    Ok(())
}

/// On another connection, in the other encoding, with its fields in another order.
fn elsewhere(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let play = pair.phony(0)?;
    let body =
        json!({ "turn_no": 1, "cmd_id": "once", "start": play["start"], "tiles": play["tiles"] });
    let body = pair.body(body);
    let first = pair.links[0].ok("play", body.clone())?;
    let token = pair.links[0].token();
    pair.links[0].raw.cut();
    let mut other = target.clone();
    other.encoding = match target.encoding {
        Encoding::Json => Encoding::Msgpack,
        Encoding::Msgpack => Encoding::Json,
    };
    let mut device = Link::known(&other, &token)?;
    let mut more = body;
    more["unknown_field"] = json!("it does not count");
    let again = device.ok("play", more)?;
    ensure!(again == first, "{first}, then {again}");
    Ok(())
}

fn other_content(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let seq = pair.ok(0, "pass", json!({ "turn_no": 1, "cmd_id": "once" }))?;
    pair.until(0, |fold| fold.turn_no == 2)?;
    for (op, body) in [
        ("pass", json!({ "turn_no": 2, "cmd_id": "once" })),
        ("resign", json!({ "cmd_id": "once" })),
        (
            "exchange",
            json!({ "turn_no": 1, "tiles": ["A"], "cmd_id": "once" }),
        ),
    ] {
        pair.refuses(0, op, body, "cmd_id_reused")?;
    }
    // The first command is unchanged, and another player may use the same id.
    let again = pair.ask(0, "pass", json!({ "turn_no": 1, "cmd_id": "once" }))?;
    ensure!(again[2]["seq"] == seq, "{again}");
    pair.ok(1, "pass", json!({ "turn_no": 2, "cmd_id": "once" }))?;
    Ok(())
}

fn refused_is_forgotten(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    pair.refuses(
        1,
        "pass",
        json!({ "turn_no": 2, "cmd_id": "x" }),
        "not_your_turn",
    )?;
    pair.pass()?;
    pair.ok(1, "pass", json!({ "turn_no": 2, "cmd_id": "x" }))?;
    // Under the same id with other content, too: it was never used.
    pair.refuses(
        1,
        "pass",
        json!({ "turn_no": 9, "cmd_id": "y" }),
        "not_your_turn",
    )?;
    pair.all_until(|fold| fold.turn_no == 3)?;
    pair.pass()?;
    pair.ok(1, "pass", json!({ "turn_no": 4, "cmd_id": "y" }))?;
    Ok(())
}

/// The sixteenth last command is still known.
fn sixteen(target: &Target) -> Check {
    let mut pair = Pair::start(
        target,
        &json!({ "challenge": { "kind": "double", "window_ms": 0 } }),
    )?;
    let first = pair.body(json!({ "turn_no": 1, "cmd_id": "first" }));
    let play = pair.good_play(0)?;
    let mut body = first;
    body["start"] = play["start"].clone();
    body["tiles"] = play["tiles"].clone();
    let answer = pair.links[0].ok("play", body.clone())?;
    let seq = number(&answer, "seq")?;
    pair.all_until(|fold| fold.turn_no == 2)?;
    // Fifteen more of the same seat: plays, so that the game goes on.
    for _ in 0..15 {
        pair.pass()?;
        let play = pair.good_play(0)?;
        pair.play(play)?;
        if pair.folds[0].bag < 8 {
            break;
        }
    }
    let again = pair.links[0].ok("play", body)?;
    ensure!(again["seq"] == seq, "{again}");
    Ok(())
}

fn stale(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let refused = pair.ask(0, "pass", json!({ "turn_no": 2 }))?;
    ensure!(refused[2]["code"] == "wrong_position", "{refused}");
    let expected = &refused[2]["detail"]["expected_turn_no"];
    ensure!(expected.is_null() || *expected == 1, "{refused}");
    pair.refuses(1, "pass", json!({ "turn_no": 1 }), "not_your_turn")?;
    pair.refuses(0, "challenge", json!({ "play_id": 1 }), "wrong_position")?;
    let play = pair.phony(0)?;
    let first = pair.play(play)?;
    pair.refuses(1, "pass", json!({ "turn_no": 1 }), "wrong_position")?;
    pair.refuses(
        1,
        "challenge",
        json!({ "play_id": first - 1 }),
        "wrong_position",
    )?;
    pair.ok(1, "accept", json!({ "play_id": first }))?;
    pair.refuses(1, "challenge", json!({ "play_id": first }), "window_closed")?;
    Ok(())
}

fn seeks_again(target: &Target) -> Check {
    let mut anna = Link::guest(target, "Anna")?;
    let mut ben = Link::guest(target, "Ben")?;
    let wanted = options(&anna.hello, &json!({}))?;
    let body = json!({ "cmd_id": "open", "options": wanted });
    let first = anna.ok("seek", body.clone())?;
    let again = anna.ok("seek", body.clone())?;
    ensure!(
        again["seek"]["seek"] == first["seek"]["seek"],
        "one seek: {again}"
    );
    let mut other = body;
    other["private"] = json!(true);
    anna.refuses("seek", other, "cmd_id_reused")?;
    let join = json!({ "cmd_id": "join", "seek": first["seek"]["seek"] });
    let joined = ben.ok("join_seek", join.clone())?;
    let token = ben.token();
    ben.raw.cut();
    let mut ben = Link::known(target, &token)?;
    let again = ben.ok("join_seek", join)?;
    ensure!(again["game"] == joined["game"], "{joined}, then {again}");
    ben.refuses(
        "leave_seek",
        json!({ "cmd_id": "join", "seek": "s" }),
        "cmd_id_reused",
    )?;
    Ok(())
}

/// A turn that waits for the others' challenge keeps its request open: a second turn and the same id are refused,
/// everything else is answered meanwhile.
fn two_in_flight(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({ "seats": 3 }))?;
    let play = pair.phony(0)?;
    let play_id = pair.play(play)?;
    let waiting = pair.body(json!({ "turn_no": 2, "cmd_id": "waits" }));
    let id = pair.links[1].send("pass", waiting);
    let second = pair.ask(1, "pass", json!({ "turn_no": 2, "cmd_id": "second" }))?;
    if second[2]["code"] != "command_in_flight" {
        return super::super::skip(format!("the first command did not wait: {second}"));
    }
    ensure!(second[2]["retryable"] == true, "{second}");
    // The id of the waiting request, used again: refused, and the first answer still comes.
    pair.links[1].expect(id);
    pair.links[1].send_value(&json!(["time", id, {}]));
    let reused = pair.links[1].answer(id)?;
    ensure!(reused[2]["code"] == "request_id_reused", "{reused}");
    pair.links[1]
        .fence()
        .context("other requests overtake the one that waits")?;
    pair.links[1].expect(id);
    // The others give up their right: the turn takes effect.
    pair.ok(2, "accept", json!({ "play_id": play_id }))?;
    let answer = pair.links[1].answer(id)?;
    ensure!(answer[0] == "ok", "{answer}");
    Ok(())
}

fn cmd_ids(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    let pass = |cmd_id: &Value| json!({ "game": "nosuchgame", "cmd_id": cmd_id, "turn_no": 1 });
    for good in ["a", "Z", "0", "_", "-", &"x".repeat(40)] {
        link.refuses("pass", pass(&json!(good)), "unknown_game")?;
    }
    for bad in [
        json!(""),
        json!("a b"),
        json!("a.b"),
        json!("é"),
        json!("x".repeat(41)),
        json!(7),
    ] {
        let error = link.refused("pass", pass(&bad))?;
        ensure!(
            error["code"] == "bad_field" || error["code"] == "too_large",
            "{bad}: {error}"
        );
    }
    Ok(())
}

fn not_attached(target: &Target) -> Check {
    let mut pair = Pair::seated(target, &json!({}))?;
    for seat in 0..2 {
        let body = pair.body(json!({}));
        pair.links[seat].ok("ready", body)?;
    }
    let body = pair.body(json!({ "turn_no": 1 }));
    pair.links[0].ok("pass", body)?;
    pair.links[0].fence()?;
    let events = pair.links[0]
        .heard
        .iter()
        .filter(|message| message[0] == "event");
    ensure!(events.count() == 0, "no client asked for events");
    pair.attach_all()?;
    pair.all_until(|fold| fold.turn_no == 2)
}

/// No other client can act in a game, and its attempts have no effect.
fn strangers(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let before = pair.folds[0].seq;
    let mut zoe = Link::guest(target, "Zoe")?;
    zoe.ok("attach", json!({ "game": pair.game }))?;
    for (op, body) in [
        ("pass", json!({ "turn_no": 1 })),
        (
            "play",
            json!({ "turn_no": 1, "start": "8H", "tiles": ["A", "B"] }),
        ),
        ("exchange", json!({ "turn_no": 1, "tiles": ["A"] })),
        ("ready", json!({})),
        ("resign", json!({})),
        ("abort", json!({})),
        ("challenge", json!({ "play_id": 1 })),
        ("accept", json!({ "play_id": 1 })),
        ("hold", json!({ "play_id": 1 })),
        ("claim", json!({ "seat": 0 })),
    ] {
        let mut body = pair.body(body);
        // A field that names an identity is treated like any other unknown field.
        body["identity"] = json!(pair.links[0].identity());
        zoe.refuses(op, body, "not_a_player")?;
    }
    pair.catch_up()?;
    ensure!(pair.folds[0].seq == before, "nothing happened");
    Ok(())
}

fn devices_in_order(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let mut phone = Link::known(target, &pair.links[0].token())?;
    let body = pair.body(json!({ "turn_no": 1 }));
    phone.ok("pass", body)?;
    let error = pair.ask(0, "pass", json!({ "turn_no": 1 }))?;
    let code = error[2]["code"].as_str().unwrap_or_default();
    ensure!(
        ["not_your_turn", "wrong_position"].contains(&code),
        "{error}"
    );
    pair.all_until(|fold| fold.turn_no == 2)
}
