//! Silent players: a nudge, its answers, and the claim without one.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target, skip};
use crate::pair::Pair;

/// A limit per move that makes a game by correspondence, ms.
const LIMIT_MS: i64 = 86_400_000;

/// The cases about nudges.
pub const CASES: &[Case<Target>] = &[
    Case::of("nudges/told", &["P-NUDGE-1", "P-EVENT-2"], told),
    Case::of(
        "nudges/answered",
        &["P-NUDGE-1", "P-NUDGE-2", "P-GAME-2"],
        answered,
    ),
    Case::of(
        "nudges/answered-by-a-turn",
        &["P-NUDGE-2", "P-EVENT-9"],
        answered_by_a_turn,
    ),
    Case::of(
        "nudges/answered-by-another-command",
        &["P-NUDGE-2", "P-EVENT-9"],
        answered_by_another_command,
    ),
    Case::of(
        "nudges/claimed",
        &["P-NUDGE-3", "P-EVENT-8", "P-EVENT-9"],
        claimed,
    ),
    Case::of(
        "nudges/by-correspondence",
        &["P-NUDGE-1", "P-ERR-4"],
        by_correspondence,
    ),
    Case::of(
        "nudges/in-snapshots",
        &["P-NUDGE-1", "P-SNAP-1", "P-SNAP-2", "P-EVENT-4"],
        in_snapshots,
    ),
    Case::of(
        "nudges/sent-again",
        &["P-NUDGE-1", "P-CMD-2", "P-CMD-3"],
        sent_again,
    ),
];

/// A live game; seat 0 is on turn.
fn live(target: &Target) -> Result<Pair> {
    let clock = json!({ "kind": "sudden_death", "initial_ms": 1_200_000 });
    Pair::start(target, &json!({ "clock": clock }))
}

/// Waits until the server's time is `at`, if the kit has as much patience.
fn wait_until(pair: &mut Pair, at: i64) -> Check {
    let left = at - pair.links[0].fence()?;
    let wait = Duration::from_millis(u64::try_from(left).unwrap_or(0));
    if wait > pair.target.patience {
        return skip(format!("a nudge may take {wait:?}"));
    }
    pair.wait_until(at)
}

/// A seat nudges as soon as it can; returns the event, which everybody gets.
fn nudge(pair: &mut Pair, seat: usize) -> Result<Value> {
    let error = pair.ask(seat, "nudge", json!({}))?;
    if error[0] != "ok" {
        let is_so = error[2]["code"] == "cannot_nudge" && error[2]["retryable"] == true;
        ensure!(is_so, "{error}");
        match error[2]["detail"]["until"].as_i64() {
            Some(until) => wait_until(pair, until)?,
            None => return skip("the server does not say when a nudge is possible"),
        }
        pair.ok(seat, "nudge", json!({}))?;
    }
    pair.catch_up()?;
    let event = pair.happened("nudged")?;
    let is_later = event["claim_at"].as_i64() > event["at"].as_i64();
    ensure!(event["seat"] == seat && is_later, "{event}");
    let on_turn = pair.folds[0].on_turn;
    ensure!(event["target"].as_u64() == on_turn, "{event}");
    Ok(event)
}

fn seq_of(event: &Value) -> Result<u64> {
    event["seq"].as_u64().context("a number")
}

fn told(target: &Target) -> Check {
    let mut pair = live(target)?;
    pair.refuses(0, "nudge", json!({}), "cannot_nudge")?;
    for seat in 0..2 {
        pair.refuses(seat, "here", json!({}), "no_nudge")?;
    }
    nudge(&mut pair, 1)?;
    pair.refuses(1, "nudge", json!({}), "cannot_nudge")?;
    pair.refuses(1, "here", json!({}), "no_nudge")?;
    ensure!(pair.turn()? == (0, 1), "the turn goes on");
    Ok(())
}

fn answered(target: &Target) -> Check {
    let mut pair = live(target)?;
    let first = nudge(&mut pair, 1)?;
    let seq = pair.ok(0, "here", json!({}))?;
    let answered = pair.happened("nudge_answered")?;
    ensure!(
        answered["seq"] == seq && answered["seat"] == 0,
        "{answered}"
    );
    pair.refuses(0, "here", json!({}), "no_nudge")?;
    wait_until(&mut pair, first["claim_at"].as_i64().context("a time")?)?;
    pair.refuses(1, "claim", json!({ "seat": 0 }), "cannot_claim")?;
    // The second nudge of the seat is its last one in a live game.
    nudge(&mut pair, 1)?;
    pair.ok(0, "here", json!({}))?;
    pair.refuses(1, "nudge", json!({}), "nudges_used")?;
    Ok(())
}

fn answered_by_a_turn(target: &Target) -> Check {
    let mut pair = live(target)?;
    let nudged = nudge(&mut pair, 1)?;
    pair.pass()?;
    let kinds = pair.kinds_since(seq_of(&nudged)?)?;
    ensure!(kinds == ["passed", "turn_started"], "{kinds:?}");
    pair.refuses(0, "here", json!({}), "no_nudge")?;
    Ok(())
}

fn answered_by_another_command(target: &Target) -> Check {
    let mut pair = live(target)?;
    let play = pair.phony(0)?;
    let play_id = pair.play(play)?;
    let nudged = nudge(&mut pair, 0)?;
    if pair.folds[0].window.is_none() {
        return skip("the play could no longer be challenged");
    }
    pair.ok(1, "accept", json!({ "play_id": play_id }))?;
    let kinds = pair.kinds_since(seq_of(&nudged)?)?;
    let ends = |kind: &str| kinds.iter().filter(|known| *known == kind).count() == 1;
    ensure!(ends("accepted") && ends("nudge_answered"), "{kinds:?}");
    pair.refuses(1, "here", json!({}), "no_nudge")?;
    Ok(())
}

fn claimed(target: &Target) -> Check {
    let mut pair = live(target)?;
    let nudged = nudge(&mut pair, 1)?;
    let claim = json!({ "seat": 0 });
    let claim_at = nudged["claim_at"].as_i64().context("a time")?;
    if pair.links[0].fence()? < claim_at {
        let error = pair.ask(1, "claim", claim.clone())?;
        let is_early = error[2]["code"] == "cannot_claim" && error[2]["retryable"] == true;
        ensure!(is_early, "{error}");
    }
    wait_until(&mut pair, claim_at)?;
    pair.refuses(0, "claim", json!({ "seat": 1 }), "cannot_claim")?;
    pair.ok(1, "claim", claim)?;
    let ended = pair.happened("ended")?;
    ensure!(
        ended["reason"] == "abandonment" && ended["winners"] == json!([1]),
        "{ended}"
    );
    Ok(())
}

fn by_correspondence(target: &Target) -> Check {
    let clock = json!({ "kind": "per_move", "limit_ms": LIMIT_MS });
    let mut pair = Pair::start(target, &json!({ "clock": clock }))?;
    let began = pair.happened("turn_started")?;
    let began = began["at"].as_i64().context("a time")?;
    let error = pair.refuses(1, "nudge", json!({}), "cannot_nudge")?;
    let until = error["detail"]["until"].as_i64();
    ensure!(
        until.is_none_or(|until| until == began + LIMIT_MS / 2),
        "half of the limit: {error}"
    );
    Ok(())
}

fn in_snapshots(target: &Target) -> Check {
    let mut pair = live(target)?;
    nudge(&mut pair, 1)?;
    pair.compare_snapshots("nudge", |fold| &fold.nudge)
        .context("while the seat is asked")?;
    pair.ok(0, "here", json!({}))?;
    pair.compare_snapshots("nudge", |fold| &fold.nudge)
        .context("after the answer")?;
    nudge(&mut pair, 1)?;
    pair.pass()?;
    pair.compare_snapshots("nudge", |fold| &fold.nudge)
        .context("in the next turn")
}

fn sent_again(target: &Target) -> Check {
    let mut pair = live(target)?;
    nudge(&mut pair, 1)?;
    let here = json!({ "cmd_id": "here" });
    let first = pair.ok(0, "here", here.clone())?;
    ensure!(
        pair.ok(0, "here", here.clone())? == first,
        "the first answer"
    );
    pair.refuses(0, "nudge", here, "cmd_id_reused")?;
    let kinds = pair.kinds_since(first)?;
    ensure!(kinds.is_empty(), "once: {kinds:?}");
    Ok(())
}
