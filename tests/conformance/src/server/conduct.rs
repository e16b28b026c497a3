//! Points for games that a player leaves, and the waiting time that follows.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target, skip};
use crate::api;
use crate::link::Link;
use crate::pair::{Pair, options};
use crate::registered::player;

/// The cases about conduct.
pub const CASES: &[Case<Target>] = &[Case::of(
    "conduct/waiting-time",
    &["P-LOBBY-23", "H-COND-1", "H-COND-2", "H-COND-3"],
    waiting_time,
)];

/// The points at which a player waits (H-COND-2).
const POINTS_MOST: u64 = 4;
/// Games until so many gave a point: those in which a busy server stood still give none.
const GAMES_MOST: u64 = 40;
/// The first waiting time, ms (H-COND-2).
const FIRST_WAIT_MS: i64 = 600_000;

/// A casual live game.
fn live(link: &Link) -> Result<Value> {
    let clock = json!({ "kind": "sudden_death", "initial_ms": 1_500_000 });
    options(&link.hello, &json!({ "clock": clock }))
}

fn conduct(target: &Target, token: &str) -> Result<Value> {
    Ok(api::get(target, "/me", token)?["conduct"].clone())
}

/// A game that was aborted.
struct AbortedGame {
    game: String,
    /// Whether it gives a point: the server did not stand still during it (H-COND-1).
    counts: bool,
}

/// The first player opens a public game, the second one joins it, and aborts it in the first turn.
fn abort(target: &Target, mut links: Vec<Link>, number: u64) -> Result<(Vec<Link>, AbortedGame)> {
    let options = live(&links[0])?;
    let seek = json!({ "cmd_id": format!("seek-{number}"), "options": options });
    let opened = links[0].ok("seek", seek)?;
    let join = json!({ "cmd_id": format!("join-{number}"), "seek": opened["seek"]["seek"] });
    let joined = links[1].ok("join_seek", join)?;
    let game = joined["game"].as_str().context("a game")?.to_owned();
    let mut pair = Pair::at(target, links, &game);
    pair.attach_all()?;
    pair.begin()?;
    pair.ok(1, "abort", json!({}))?;
    let ended = pair.happened("ended")?;
    ensure!(ended["reason"] == "aborted", "{ended}");
    let events = &pair.folds[0].events;
    let counts = events.iter().all(|event| event["kind"] != "clock_credited");
    Ok((pair.links, AbortedGame { game, counts }))
}

fn waiting_time(target: &Target) -> Check {
    let (anna, ben) = (player(target)?, player(target)?);
    let token = ben.token;
    if conduct(target, &token)?.is_null() {
        return skip("not offered: the server counts no points");
    }
    let mut links = vec![anna.link, ben.link];
    let (mut points, mut game) = (0, String::new());
    for number in 1.. {
        ensure!(
            number <= GAMES_MOST,
            "the server stands still again and again"
        );
        let aborted;
        (links, aborted) = abort(target, links, number)?;
        points += u64::from(aborted.counts);
        if points == POINTS_MOST {
            game = aborted.game;
            break;
        }
    }
    let told = links[1].push(|push| push[0] == "moderation" && push[2]["kind"] == "wait")?;
    let told = &told[2];
    let reason = told["reason"].as_str().unwrap_or_default();
    ensure!(reason.contains(&game), "the game that caused it: {told}");
    let until = told["until"].as_i64().context("when it ends")?;
    let left = until - links[1].fence()?;
    ensure!(
        (1..=FIRST_WAIT_MS).contains(&left),
        "it lasts {FIRST_WAIT_MS} ms: {left}"
    );
    let expected = json!({ "points": POINTS_MOST, "waiting_until": until });
    target.shows(|| {
        let own = conduct(target, &token)?;
        ensure!(own == expected, "the account says it too: {own}");
        Ok(())
    })?;
    let other = conduct(target, &anna.token)?;
    ensure!(
        other == json!({ "points": 0 }),
        "Anna left no game: {other}"
    );

    let options = live(&links[0])?;
    let open = links[0].ok("seek", json!({ "cmd_id": "open", "options": options }))?;
    for (op, body) in [
        ("seek", json!({ "cmd_id": "public", "options": options })),
        (
            "quick_match",
            json!({ "cmd_id": "quick", "options": options }),
        ),
        (
            "join_seek",
            json!({ "cmd_id": "late", "seek": open["seek"]["seek"] }),
        ),
    ] {
        let error = links[1].refuses(op, body, "restricted")?;
        ensure!(
            error["detail"]["until"] == until,
            "{op} says until when: {error}"
        );
    }
    // Among acquaintances everything is as before.
    let private = json!({ "cmd_id": "private", "options": options, "private": true });
    links[1].ok("seek", private)?;
    Ok(())
}
