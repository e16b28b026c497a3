//! Games that spectators see with a delay.

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target, skip};
use crate::link::Link;
use crate::pair::{Pair, options};
use tilewire_oracle::number;

/// The cases about delayed games.
pub const CASES: &[Case<Target>] = &[
    Case::of("delayed/late", &["P-SEE-6", "P-SEE-8"], late),
    Case::of("delayed/end", &["P-SEE-6", "P-SEE-7"], end),
    Case::of("delayed/lists", &["P-SEE-9"], lists),
    Case::of("delayed/options", &["P-LOBBY-9", "P-LOBBY-10"], refused),
];

/// As long as a delay may be: nothing but the creation is shown before the end.
const HOUR_MS: i64 = 3_600_000;

/// A game between two that is shown so much later, being played.
fn delayed(target: &Target, delay_ms: i64) -> anyhow::Result<Pair> {
    let change = json!({ "spectators": { "delay_ms": delay_ms } });
    let pair = Pair::start(target, &change)?;
    let chosen = &pair.folds[0].setup["options"]["spectators"]["delay_ms"];
    match chosen.as_i64() {
        Some(chosen) => ensure!(chosen == delay_ms, "{chosen}"),
        None => return skip("the server shows no game later than it happens"),
    }
    Ok(pair)
}

fn late(target: &Target) -> Check {
    let delay_ms = 2_000;
    let mut pair = delayed(target, delay_ms)?;
    let mut zoe = Link::guest(target, "Zoe")?;
    let attached = zoe.ok("attach", json!({ "game": pair.game, "seq": 0 }))?;
    let passed = pair.pass()?;
    // The server's time afterwards shows that the messages were old enough.
    let mut seq = 0;
    while seq < passed {
        let event = zoe.push(|message| message[0] == "event")?[2].clone();
        let now = zoe.fence()?;
        let at = event["at"].as_i64().context("a time")?;
        let (before, is_first) = (seq, event["kind"] == "created");
        seq = number(&event, "seq")?;
        ensure!(seq == before + 1, "{seq} comes after {before}");
        let is_old_enough = at + delay_ms <= now + target.clocks_differ_ms();
        ensure!(is_first || is_old_enough, "at {now}: {event}");
    }
    let last = pair.pass()?;
    let mut yves = Link::guest(target, "Yves")?;
    let there = json!({ "game": pair.game, "epoch": attached["epoch"], "seq": last });
    let answer = yves.ok("attach", there)?;
    let snapshot = yves.pushed("snapshot")?;
    ensure!(answer["outcome"] == "snapshot", "{answer}");
    ensure!(number(&answer, "head")? < last, "{answer}");
    ensure!(answer["delay_ms"] == delay_ms, "{answer}");
    ensure!(snapshot["seq"] == answer["head"], "{snapshot}");
    Ok(())
}

fn end(target: &Target) -> Check {
    let mut pair = delayed(target, HOUR_MS)?;
    let mut zoe = Link::guest(target, "Zoe")?;
    let answer = zoe.ok("attach", json!({ "game": pair.game, "seq": 0 }))?;
    ensure!(answer["head"] == 1, "{answer}");
    ensure!(answer["delay_ms"] == HOUR_MS, "{answer}");
    pair.pass()?;
    let head = number(
        &zoe.ok("attach", json!({ "game": pair.game, "seq": 0 }))?,
        "head",
    )?;
    ensure!(head == 1, "{head} is shown");
    pair.ok(0, "resign", json!({}))?;
    let ended = pair.happened("ended")?;
    zoe.push(|message| message[0] == "event" && message[2]["kind"] == "ended")?;
    let events = zoe.heard.iter().filter(|message| message[0] == "event");
    let numbers: Vec<u64> = events
        .filter_map(|event| event[2]["seq"].as_u64())
        .collect();
    let last = number(&ended, "seq")?;
    ensure!(
        numbers.ends_with(&(2..=last).collect::<Vec<_>>()),
        "{numbers:?}"
    );
    let answer = zoe.ok("attach", json!({ "game": pair.game, "seq": 0 }))?;
    ensure!(answer["delay_ms"].is_null(), "{answer}");
    Ok(())
}

fn lists(target: &Target) -> Check {
    let mut pair = delayed(target, HOUR_MS)?;
    let mut zoe = Link::guest(target, "Zoe")?;
    zoe.ok("attach", json!({ "game": pair.game }))?;
    pair.pass()?;
    let game_id = pair.game.clone();
    let line = |link: &mut Link, scope: &str| -> anyhow::Result<Option<Value>> {
        let listed = link.ok("list_games", json!({ "scope": scope }))?;
        let games = listed["games"].as_array().context("games")?;
        let own = games.iter().find(|game| game["game"] == game_id.as_str());
        Ok(own.cloned())
    };
    let live = line(&mut zoe, "live")?;
    ensure!(
        live.is_none(),
        "its first turn has not been shown: {live:?}"
    );
    let mine = line(&mut pair.links[0], "mine")?.context("an own game")?;
    ensure!(mine["turn_no"] == 2, "players have it as it is: {mine}");
    pair.links[1].raw.cut();
    pair.links[0].push(|message| message[0] == "presence" && message[2]["connected"] == false)?;
    zoe.fence()?;
    let is_live = |message: &&Value| {
        ["presence", "paused", "unpaused"]
            .iter()
            .any(|op| message[0] == *op)
    };
    let told = zoe.heard.iter().find(is_live);
    ensure!(told.is_none(), "{told:?}");
    zoe.take_pushes();
    zoe.ok("attach", json!({ "game": pair.game }))?;
    let snapshot = zoe.pushed("snapshot")?;
    let seats = snapshot["seats"].as_array().context("seats")?;
    ensure!(
        seats.iter().all(|seat| seat["connected"] == true),
        "{snapshot}"
    );
    Ok(())
}

fn refused(target: &Target) -> Check {
    drop(delayed(target, HOUR_MS)?);
    let mut link = Link::guest(target, "Anna")?;
    for (number, view) in [
        json!({ "delay_ms": HOUR_MS + 1 }),
        json!({ "delay_ms": -1 }),
        json!({ "delay_ms": 0, "racks": true }),
        json!({ "delay_ms": 59_999, "racks": true }),
    ]
    .iter()
    .enumerate()
    {
        let options = options(&link.hello, &json!({ "spectators": view }))?;
        let seek = json!({ "cmd_id": format!("s-{number}"), "options": options });
        link.refuses("seek", seek, "bad_options")?;
    }
    let plain = options(&link.hello, &json!({ "spectators": { "delay_ms": 0 } }))?;
    let opened = link.ok("seek", json!({ "cmd_id": "plain", "options": plain }))?;
    let told = &opened["seek"]["options"];
    ensure!(told.get("spectators").is_none(), "{told}");
    Ok(())
}
