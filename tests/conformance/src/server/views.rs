//! Events and snapshots, and the fields that each audience sees.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target, now};
use crate::link::Link;
use crate::pair::{Pair, listen_to, options};
use tilewire_oracle::Fold;

/// The cases about events and snapshots.
pub const CASES: &[Case<Target>] = &[
    Case::of(
        "views/snapshot-is-the-fold",
        &["P-EVENT-4", "P-SNAP-1", "P-EVENT-1"],
        snapshots,
    ),
    Case::of(
        "views/snapshot-is-the-fold-of-three",
        &["P-EVENT-4", "P-SNAP-1"],
        snapshots_of_three,
    ),
    Case::of(
        "views/same-events-for-all",
        &["P-SEE-1", "P-SEE-2", "P-RESUME-4"],
        same_events,
    ),
    Case::of("views/hidden", &["P-SEE-2", "P-SEE-3", "P-SEC-6"], hidden),
    Case::of(
        "views/shown-at-the-end",
        &["P-SEE-2", "P-EVENT-8"],
        shown_at_the_end,
    ),
    Case::of("views/retired-seat", &["P-SEE-5"], retired),
    Case::of("views/setup", &["P-EVENT-6", "P-EVENT-7"], setup),
    Case::of("views/look-up", &["P-SEE-11", "P-SEE-4"], look_up),
    Case::of("views/contiguous", &["P-EVENT-3", "P-RESUME-4"], contiguous),
    Case::of("views/crowd", &["P-PUSH-7", "P-PUSH-1"], crowd),
];

/// Requests a snapshot as each audience and compares it with the events that this audience got.
fn compare(pair: &mut Pair, spectator: &mut Fold, zoe: &mut Link) -> Check {
    pair.catch_up()?;
    while spectator.seq < pair.folds[0].seq {
        let event = zoe.push(|message| message[0] == "event")?;
        spectator.event(&event[2])?;
    }
    for seat in 0..pair.links.len() {
        let mut link = Link::known(&pair.target, &pair.links[seat].token())?;
        link.ok("attach", json!({ "game": pair.game }))?;
        let snapshot = link.pushed("snapshot")?;
        pair.folds[seat].check(&snapshot)?;
    }
    let mut other = Link::guest(&pair.target, "Yves")?;
    other.ok("attach", json!({ "game": pair.game }))?;
    let snapshot = other.pushed("snapshot")?;
    ensure!(
        snapshot["role"] == "spectator" && snapshot.get("seat").is_none(),
        "{snapshot}"
    );
    spectator.check(&snapshot)
}

fn watched(target: &Target, change: &Value) -> Result<(Pair, Fold, Link)> {
    let mut pair = Pair::seated(target, change)?;
    let mut zoe = Link::guest(target, "Zoe")?;
    zoe.ok("attach", json!({ "game": pair.game, "seq": 0 }))?;
    let mut spectator = Fold::new(None);
    pair.attach_all()?;
    compare(&mut pair, &mut spectator, &mut zoe)?;
    pair.ok(0, "ready", json!({}))?;
    compare(&mut pair, &mut spectator, &mut zoe)?;
    for seat in 1..pair.links.len() {
        pair.ok(seat, "ready", json!({}))?;
    }
    pair.all_until(|fold| fold.on_turn.is_some())?;
    Ok((pair, spectator, zoe))
}

/// A game with a bit of everything, and the snapshot after each step.
fn snapshots(target: &Target) -> Check {
    let (mut pair, mut spectator, mut zoe) = watched(target, &json!({}))?;
    let mut look = |pair: &mut Pair| compare(pair, &mut spectator, &mut zoe);
    look(&mut pair)?;
    let play = pair.good_play(0)?;
    let play_id = pair.play(play)?;
    look(&mut pair)?;
    pair.ok(1, "hold", json!({ "play_id": play_id }))?;
    look(&mut pair)?;
    pair.ok(1, "release", json!({ "play_id": play_id }))?;
    look(&mut pair)?;
    pair.ok(1, "challenge", json!({ "play_id": play_id }))?;
    pair.happened("turn_lost")?;
    look(&mut pair).context("after a lost turn")?;
    let play = pair.phony(0)?;
    let play_id = pair.play(play)?;
    look(&mut pair)?;
    pair.ok(1, "challenge", json!({ "play_id": play_id }))?;
    look(&mut pair).context("after a play was taken off")?;
    let (seat, turn_no) = pair.turn()?;
    let tiles = pair.folds[seat].rack()[..2].to_vec();
    pair.ok(
        seat,
        "exchange",
        json!({ "turn_no": turn_no, "tiles": tiles }),
    )?;
    pair.all_until(|fold| fold.turn_no > turn_no)?;
    look(&mut pair).context("after an exchange")?;
    pair.pass()?;
    look(&mut pair)?;
    let (seat, _) = pair.turn()?;
    let play = pair.good_play(seat)?;
    let play_id = pair.play(play)?;
    pair.ok(1 - seat, "accept", json!({ "play_id": play_id }))?;
    look(&mut pair).context("after an accepted play")?;
    pair.ok(0, "resign", json!({}))?;
    pair.happened("ended")?;
    look(&mut pair).context("after the end")
}

fn snapshots_of_three(target: &Target) -> Check {
    let clock = json!({ "kind": "delay", "initial_ms": 900_000, "delay_ms": 5_000 });
    let change = json!({ "seats": 3, "clock": clock, "challenge": { "kind": "five_point" } });
    let (mut pair, mut spectator, mut zoe) = watched(target, &change)?;
    let mut look = |pair: &mut Pair| compare(pair, &mut spectator, &mut zoe);
    look(&mut pair)?;
    let play = pair.phony(0)?;
    let play_id = pair.play(play)?;
    pair.ok(1, "accept", json!({ "play_id": play_id }))?;
    look(&mut pair).context("one of two has accepted")?;
    pair.ok(2, "hold", json!({ "play_id": play_id }))?;
    look(&mut pair).context("held")?;
    pair.ok(2, "challenge", json!({ "play_id": play_id }))?;
    look(&mut pair).context("taken off")?;
    let play = pair.good_play(1)?;
    let play_id = pair.play(play)?;
    pair.ok(0, "challenge", json!({ "play_id": play_id }))?;
    look(&mut pair).context("a failed challenge")?;
    pair.ok(2, "resign", json!({}))?;
    look(&mut pair).context("a seat has left")?;
    pair.pass()?;
    look(&mut pair)
}

/// A game with exchanges and withdrawn plays, and the links of both players and of a spectator.
fn eventful(target: &Target) -> Result<(Pair, Fold, Link)> {
    let (mut pair, mut spectator, mut zoe) = watched(target, &json!({}))?;
    let play = pair.phony(0)?;
    let play_id = pair.play(play)?;
    pair.ok(1, "challenge", json!({ "play_id": play_id }))?;
    pair.all_until(|fold| fold.turn_no == 3)?;
    for _ in 0..2 {
        let (seat, turn_no) = pair.turn()?;
        let tiles = pair.folds[seat].rack()[..3].to_vec();
        pair.ok(
            seat,
            "exchange",
            json!({ "turn_no": turn_no, "tiles": tiles }),
        )?;
        pair.all_until(|fold| fold.turn_no > turn_no)?;
    }
    compare(&mut pair, &mut spectator, &mut zoe)?;
    Ok((pair, spectator, zoe))
}

fn without_tiles(event: &Value) -> Value {
    let mut event = event.clone();
    let is_hidden = event["kind"] == "tiles_drawn" || event["kind"] == "exchanged";
    if let Some(fields) = event.as_object_mut().filter(|_| is_hidden) {
        fields.remove("tiles");
    }
    event
}

fn same_events(target: &Target) -> Check {
    let (pair, spectator, _zoe) = eventful(target)?;
    let plain = |fold: &Fold| fold.events.iter().map(without_tiles).collect::<Vec<_>>();
    let first = plain(&pair.folds[0]);
    ensure!(first == plain(&pair.folds[1]), "both players know the same");
    ensure!(first == plain(&spectator), "and so does the spectator");
    Ok(())
}

fn hidden(target: &Target) -> Check {
    let (pair, _, zoe) = eventful(target)?;
    for (link, own) in [
        (&pair.links[0], Some(0)),
        (&pair.links[1], Some(1)),
        (&zoe, None),
    ] {
        check_hidden(&link.heard, own)?;
    }
    Ok(())
}

/// No tile and no secret that this audience may not see.
fn check_hidden(messages: &[Value], own: Option<u64>) -> Check {
    let checked = std::panic::catch_unwind(|| crate::secrecy::check_secrecy(messages, own));
    checked.map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned().unwrap_or_default();
        anyhow::anyhow!("{text}")
    })?;
    for message in messages {
        let body = &message[2];
        let is_own = own.is_some() && body["seat"].as_u64() == own;
        if message[0] == "event" && (body["kind"] == "tiles_drawn" || body["kind"] == "exchanged") {
            ensure!(
                body.get("tiles").is_some() == is_own,
                "for {own:?}: {message}"
            );
        }
    }
    Ok(())
}

fn shown_at_the_end(target: &Target) -> Check {
    let (mut pair, mut spectator, mut zoe) = eventful(target)?;
    let secret_seen = |link: &Link| {
        link.heard
            .iter()
            .any(|message| message[2].get("secret").is_some())
    };
    ensure!(
        !secret_seen(&pair.links[0]) && !secret_seen(&zoe),
        "not before the end"
    );
    pair.ok(1, "resign", json!({}))?;
    let ended = pair.happened("ended")?;
    ensure!(
        ended["secret"].as_str().map(str::len) == Some(43),
        "{ended}"
    );
    for (result, fold) in ended["results"]
        .as_array()
        .context("results")?
        .iter()
        .zip(&pair.folds)
    {
        let mut told = tilewire_oracle::texts(&result["rack"])?;
        let mut known = fold.rack().to_vec();
        told.sort();
        known.sort();
        ensure!(told == known, "all racks are shown: {ended}");
    }
    compare(&mut pair, &mut spectator, &mut zoe)?;
    ensure!(
        spectator.events.last() == Some(&ended),
        "the spectator gets it too"
    );
    Ok(())
}

/// A seat that has left a game of three sees its own rack and no other.
fn retired(target: &Target) -> Check {
    let (mut pair, _, _zoe) = watched(target, &json!({ "seats": 3 }))?;
    pair.ok(2, "resign", json!({}))?;
    ensure!(!pair.folds[0].is_over(), "two go on");
    pair.pass()?;
    let play = pair.phony(1)?;
    pair.play(play)?;
    pair.catch_up()?;
    check_hidden(&pair.links[2].heard, Some(2))?;
    let mut link = Link::known(target, &pair.links[2].token())?;
    let answer = link.ok("attach", json!({ "game": pair.game }))?;
    ensure!(
        answer["role"] == "player" && answer["seat"] == 2,
        "{answer}"
    );
    let snapshot = link.pushed("snapshot")?;
    pair.folds[2].check(&snapshot)?;
    check_hidden(&link.heard, Some(2))?;
    pair.refuses(2, "pass", json!({ "turn_no": 2 }), "not_a_player")?;
    Ok(())
}

fn setup(target: &Target) -> Check {
    let mut pair = Pair::seated(target, &json!({}))?;
    pair.attach_all()?;
    pair.catch_up()?;
    let setup = &pair.folds[0].setup;
    ensure!(
        pair.folds[0].events[0]["kind"] == "created",
        "always the first"
    );
    for field in [
        "game",
        "options",
        "rule_set",
        "seats",
        "lexicon",
        "commitment",
        "nonce_hashes",
        "created_at",
        "private",
    ] {
        ensure!(setup.get(field).is_some(), "{field}: {setup}");
    }
    let lexica = pair.links[0].hello["lexica"].as_array();
    let lexicon = lexica.and_then(|lexica| {
        let mut lexica = lexica.iter();
        lexica.find(|known| known["name"] == setup["lexicon"]["name"])
    });
    ensure!(
        lexicon.is_some_and(|known| known.get("language_tag") == setup["rule_set"].get("language_tag")),
        "the tiles have the language of the lexicon: {setup}"
    );
    let board = &setup["rule_set"]["board"];
    let rows = board["layout"].as_array().context("a layout")?;
    let known = |row: &Value| {
        row.as_str()
            .is_some_and(|row| row.chars().all(|square| ".'\"^-=~".contains(square)))
    };
    ensure!(rows.iter().all(known), "{board}");
    let tiles = setup["rule_set"]["tiles"].as_array().context("tiles")?;
    let count: u64 = tiles.iter().filter_map(|tile| tile["count"].as_u64()).sum();
    ensure!(count == 100 && pair.folds[0].bag == 100, "{count} tiles");
    Ok(())
}

/// Words are looked up once a game has ended, and not while the player plays another one with its lexicon.
fn look_up(target: &Target) -> Check {
    let (mut pair, _, mut zoe) = watched(target, &json!({}))?;
    let play = pair.good_play(0)?;
    let play_id = pair.play(play)?;
    let good = pair.folds[0].last_word()?;
    pair.ok(1, "accept", json!({ "play_id": play_id }))?;
    let play = pair.phony(1)?;
    pair.play(play)?;
    let bad = pair.folds[1].last_word()?;
    let asked = json!({ "game": pair.game, "words": [good, bad, good.to_lowercase(), "no word?"] });
    for link in [&mut pair.links[0], &mut zoe] {
        link.refuses("look_up", asked.clone(), "not_over")?;
    }
    pair.ok(0, "resign", json!({}))?;
    pair.happened("ended")?;
    let expected = json!([
        { "word": good, "valid": true }, { "word": bad, "valid": false },
        { "word": good.to_lowercase(), "valid": true }, { "word": "no word?", "valid": false },
    ]);
    for link in [&mut pair.links[1], &mut zoe] {
        let answer = link.ok("look_up", asked.clone())?;
        ensure!(answer["words"] == expected, "{answer}");
    }
    let other = json!({ "game": "nosuchgame", "words": ["AA"] });
    zoe.refuses("look_up", other, "unknown_game")?;
    if let Some(bot) = zoe.hello["bots"][0].as_str().map(str::to_owned) {
        let options = options(&zoe.hello, &json!({}))?;
        let body = json!({ "cmd_id": "another", "options": options, "bots": [bot] });
        zoe.ok("seek", body)?;
        zoe.refuses("look_up", asked, "not_over")?;
    }
    Ok(())
}

fn contiguous(target: &Target) -> Check {
    let (pair, _, zoe) = eventful(target)?;
    for link in pair.links.iter().chain([&zoe]) {
        let events = link.heard.iter().filter(|message| message[0] == "event");
        for (event, seq) in events.zip(1_u64..) {
            ensure!(
                event[2]["seq"] == seq && event[1] == 0,
                "{seq} expected: {event}"
            );
        }
    }
    Ok(())
}

fn crowd(target: &Target) -> Check {
    let mut pair = Pair::start(target, &json!({}))?;
    let mut watchers = Vec::new();
    for count in 1..=3 {
        let mut link = Link::guest(target, &format!("Watcher {count}"))?;
        link.ok("attach", json!({ "game": pair.game }))?;
        watchers.push(link);
    }
    let began = now();
    let is_told = |message: &Value| message[0] == "crowd" && message[2]["watching"] == 3;
    while !pair.links[0].heard.iter().any(is_told) {
        ensure!(began.elapsed() < target.patience, "no spectator was told");
        let mut links: Vec<&mut Link> = watchers.iter_mut().chain(&mut pair.links).collect();
        listen_to(&mut links, Duration::from_millis(100))?;
    }
    let told = pair.links[0].push(is_told)?;
    let is_so = told[2]["game"] == pair.game.as_str() && told[2].get("seq").is_none();
    ensure!(is_so, "{told}");
    Ok(())
}
