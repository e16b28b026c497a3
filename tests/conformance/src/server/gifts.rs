//! Time that players give each other in casual games.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target};
use crate::link::Link;
use crate::pair::Pair;
use crate::registered::begun;

/// The cases about given time.
pub const CASES: &[Case<Target>] = &[
    Case::of("gifts/told", &["P-GIFT-1", "P-CLOCK-2", "P-EVENT-2"], told),
    Case::of("gifts/limits", &["P-GIFT-1", "P-GIFT-2"], limits),
    Case::of("gifts/per-move", &["P-GIFT-1"], per_move),
    Case::of("gifts/refused", &["P-GIFT-3", "P-SNAP-2"], refused),
    Case::of("gifts/rated", &["P-GIFT-1"], rated),
    Case::of("gifts/sent-again", &["P-GIFT-1", "P-CMD-2"], sent_again),
];

/// A casual game with a clock; seat 0 is on turn.
fn timed(target: &Target) -> Result<Pair> {
    let clock = json!({ "kind": "sudden_death", "initial_ms": 600_000 });
    Pair::start(target, &json!({ "clock": clock }))
}

fn gift(seat: usize, time_ms: i64) -> Value {
    json!({ "seat": seat, "time_ms": time_ms })
}

fn told(target: &Target) -> Check {
    let mut pair = timed(target)?;
    let before = pair.folds[0].clocks.clone();
    let seq = pair.ok(1, "give_time", gift(0, 15_000))?;
    let given = pair.happened("time_given")?;
    let is_so = given["seq"] == seq && given["seat"] == 1 && given["target"] == 0;
    ensure!(is_so && given["time_ms"] == 15_000, "{given}");
    let main = |clocks: &Value| clocks["main_ms"][0].as_i64().context("a clock");
    ensure!(
        main(&given["clocks"])? == main(&before)? + 15_000,
        "{given} after {before}"
    );
    ensure!(
        given["clocks"]["running"] == before["running"],
        "the clock runs on: {given}"
    );
    pair.pass()?;
    Ok(())
}

fn limits(target: &Target) -> Check {
    let mut pair = timed(target)?;
    for time_ms in [4_999, 60_001, -15_000] {
        let error = pair.refuses(1, "give_time", gift(0, time_ms), "bad_field")?;
        ensure!(error["retryable"] == false, "{error}");
    }
    for (seat, target) in [(1, 1), (1, 2), (0, 0)] {
        pair.refuses(seat, "give_time", gift(target, 15_000), "cannot_give_time")?;
    }
    pair.refuses(1, "give_time", json!({ "seat": 0 }), "cannot_give_time")?;
    for _ in 0..10 {
        pair.ok(1, "give_time", gift(0, 5_000))?;
    }
    pair.refuses(1, "give_time", gift(0, 5_000), "gifts_used")?;
    pair.ok(0, "give_time", gift(1, 60_000))?;
    let mut untimed = Pair::start(target, &json!({}))?;
    untimed.refuses(1, "give_time", gift(0, 15_000), "cannot_give_time")?;
    Ok(())
}

fn per_move(target: &Target) -> Check {
    let clock = json!({ "kind": "per_move", "limit_ms": 600_000 });
    let mut pair = Pair::start(target, &json!({ "clock": clock }))?;
    pair.refuses(1, "give_time", gift(0, 15_000), "cannot_give_time")?;
    pair.ok(1, "give_time", json!({ "seat": 0 }))?;
    let given = pair.happened("time_given")?;
    ensure!(given["time_ms"] == 600_000, "one limit: {given}");
    Ok(())
}

fn refused(target: &Target) -> Check {
    let mut pair = timed(target)?;
    let seq = pair.ok(0, "refuse_time", json!({}))?;
    let told = pair.happened("time_refused")?;
    ensure!(told["seq"] == seq && told["seat"] == 0, "{told}");
    pair.refuses(0, "refuse_time", json!({}), "time_refused")?;
    pair.refuses(1, "give_time", gift(0, 15_000), "time_refused")?;
    pair.ok(0, "give_time", gift(1, 15_000))?;
    pair.catch_up()?;
    for seat in 0..2 {
        let mut link = Link::known(&pair.target, &pair.links[seat].token())?;
        link.ok("attach", json!({ "game": pair.game }))?;
        pair.folds[seat].check(&link.pushed("snapshot")?)?;
    }
    Ok(())
}

fn rated(target: &Target) -> Check {
    let (mut pair, _) = begun(target)?;
    pair.refuses(1, "give_time", gift(0, 15_000), "cannot_give_time")?;
    Ok(())
}

fn sent_again(target: &Target) -> Check {
    let mut pair = timed(target)?;
    let body = json!({ "cmd_id": "give", "seat": 0, "time_ms": 15_000 });
    let first = pair.ok(1, "give_time", body.clone())?;
    ensure!(pair.ok(1, "give_time", body)? == first, "the first answer");
    let kinds = pair.kinds_since(first)?;
    ensure!(kinds.is_empty(), "once: {kinds:?}");
    Ok(())
}
