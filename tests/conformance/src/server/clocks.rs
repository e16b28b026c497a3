//! Clocks: the meaning of their fields, and flags that fall without a command.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target};
use crate::pair::Pair;

/// The cases about clocks.
pub const CASES: &[Case<Target>] = &[
    Case::of("clocks/fields", &["P-CLOCK-1", "P-CLOCK-2"], fields),
    Case::of("clocks/counted", &["P-CLOCK-1", "P-CLOCK-6"], counted),
    Case::of("clocks/increment-and-delay", &["P-CLOCK-1"], kinds),
    Case::of("clocks/flag", &["P-CLOCK-5", "P-GAME-6", "P-CLOCK-7"], flag),
    Case::of("clocks/overtime", &["P-CLOCK-3", "P-CLOCK-5"], overtime),
    Case::of("clocks/untimed", &["P-CLOCK-3"], untimed),
];

fn clock(kind: &Value) -> Value {
    json!({ "clock": kind })
}

fn check_shape(clocks: &Value, seats: usize) -> Check {
    for field in ["main_ms", "allowance_ms"] {
        let list = clocks[field].as_array().context("a list")?;
        ensure!(
            list.len() == seats && list.iter().all(Value::is_i64),
            "{field}: {clocks}"
        );
    }
    if let Some(running) = clocks.get("running") {
        let seat = running["seat"].as_u64();
        ensure!(seat.is_some_and(|seat| seat < seats as u64), "{clocks}");
        ensure!(running["since"].is_u64(), "{clocks}");
    }
    Ok(())
}

fn fields(target: &Target) -> Check {
    let kind = json!({ "kind": "delay", "initial_ms": 600_000, "delay_ms": 5_000 });
    let mut pair = Pair::start(target, &clock(&kind))?;
    let play = pair.phony(0)?;
    let play_id = pair.play(play)?;
    pair.ok(1, "hold", json!({ "play_id": play_id }))?;
    pair.ok(1, "release", json!({ "play_id": play_id }))?;
    pair.pass()?;
    pair.ok(1, "resign", json!({}))?;
    pair.happened("ended")?;
    for event in &pair.folds[0].events {
        let kind = event["kind"].as_str().unwrap_or_default();
        let must = ["turn_started", "hold_started", "hold_ended", "ended"].contains(&kind);
        ensure!(!must || event.get("clocks").is_some(), "{event}");
        if let Some(clocks) = event.get("clocks") {
            check_shape(clocks, 2).with_context(|| event.to_string())?;
        }
        if kind == "turn_started" {
            ensure!(
                event["clocks"]["running"]["seat"] == event["seat"],
                "{event}"
            );
        }
        if kind == "ended" {
            ensure!(
                event["clocks"].get("running").is_none(),
                "clocks stand: {event}"
            );
        }
    }
    Ok(())
}

/// The `main_ms` of a seat, in the last event that told clocks.
fn main_ms(pair: &Pair, seat: usize) -> Result<i64> {
    pair.folds[0].clocks["main_ms"][seat]
        .as_i64()
        .context("a clock")
}

/// The charged time lies between zero and the time between the two events.
fn counted(target: &Target) -> Check {
    let kind = json!({ "kind": "sudden_death", "initial_ms": 600_000 });
    let mut pair = Pair::start(target, &clock(&kind))?;
    ensure!(
        pair.folds[0].clocks["main_ms"] == json!([600_000, 600_000]),
        "{}",
        pair.folds[0].clocks
    );
    for _ in 0..3 {
        let (seat, _) = pair.turn()?;
        let began = pair.happened("turn_started")?;
        let before = main_ms(&pair, seat)?;
        let at = began["at"].as_i64().context("a time")?;
        pair.wait_until(at + 700)?;
        pair.pass()?;
        let next = pair.happened("turn_started")?;
        let passed = next["at"].as_i64().context("a time")? - at;
        let used = before - main_ms(&pair, seat)?;
        // At most 500 ms of lag are given back, and never more than was used.
        ensure!(
            (0.max(passed - 500)..=passed).contains(&used),
            "{used} ms of {passed} are charged"
        );
        ensure!(main_ms(&pair, 1 - seat)? <= 600_000);
    }
    Ok(())
}

fn kinds(target: &Target) -> Check {
    let kind = json!({ "kind": "increment", "initial_ms": 60_000, "increment_ms": 5_000 });
    let mut pair = Pair::start(target, &clock(&kind))?;
    pair.pass()?;
    let after = main_ms(&pair, 0)?;
    ensure!(
        (64_000..=65_000).contains(&after),
        "an increment is added: {after}"
    );
    let kind = json!({ "kind": "delay", "initial_ms": 60_000, "delay_ms": 30_000 });
    let mut pair = Pair::start(target, &clock(&kind))?;
    ensure!(
        pair.folds[0].clocks["allowance_ms"][0] == 30_000,
        "{}",
        pair.folds[0].clocks
    );
    pair.pass()?;
    ensure!(main_ms(&pair, 0)? == 60_000, "the delay is used first");
    let kind = json!({ "kind": "per_move", "limit_ms": 60_000, "bank_ms": 10_000 });
    let pair = Pair::start(target, &clock(&kind))?;
    ensure!(
        pair.folds[0].clocks["allowance_ms"][0] == 60_000,
        "{}",
        pair.folds[0].clocks
    );
    ensure!(main_ms(&pair, 0)? == 10_000);
    Ok(())
}

fn flag(target: &Target) -> Check {
    let kind = json!({ "kind": "sudden_death", "initial_ms": 700 });
    let mut pair = Pair::start(target, &clock(&kind))?;
    let began = pair.happened("turn_started")?;
    let ended = pair.happened("ended")?;
    ensure!(
        ended["reason"] == "time" && ended["winners"] == json!([1]),
        "{ended}"
    );
    let at = began["at"].as_i64().context("a time")?;
    ensure!(
        ended["at"] == at + 700,
        "when the time is used up: {ended}, {began}"
    );
    ensure!(ended["clocks"]["main_ms"] == json!([0, 700]), "{ended}");
    let retired = pair.happened("seat_retired")?;
    ensure!(
        retired["reason"] == "flagged" && retired["seat"] == 0,
        "{retired}"
    );
    let error = pair.ask(0, "pass", json!({ "turn_no": 1 }))?;
    ensure!(
        error[2]["code"] == "game_over" || error[2]["code"] == "not_a_player",
        "{error}"
    );
    Ok(())
}

fn overtime(target: &Target) -> Check {
    let kind =
        json!({ "kind": "overtime", "initial_ms": 300, "penalty_per_minute": 10, "cap_ms": 600 });
    let mut pair = Pair::start(target, &clock(&kind))?;
    let began = pair.happened("turn_started")?;
    let at = began["at"].as_i64().context("a time")?;
    let ended = pair.happened("ended")?;
    ensure!(ended["reason"] == "time", "{ended}");
    ensure!(
        ended["at"] == at + 901,
        "a millisecond after the cap: {ended}"
    );
    ensure!(
        ended["clocks"]["main_ms"][0] == -601,
        "overtime is negative: {ended}"
    );
    ensure!(
        ended["results"][0]["time_penalty"] == -10,
        "a minute begun: {ended}"
    );
    Ok(())
}

fn untimed(target: &Target) -> Check {
    let mut pair = Pair::start(target, &clock(&json!({ "kind": "untimed" })))?;
    let began = pair.happened("turn_started")?;
    let at = began["at"].as_i64().context("a time")?;
    pair.wait_until(at + 100)?;
    pair.pass()?;
    let thought = main_ms(&pair, 0)?;
    ensure!(
        (-60_000..0).contains(&thought),
        "the time thought, negative: {thought}"
    );
    Ok(())
}
