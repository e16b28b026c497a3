//! Vacations, which move deadlines of games by correspondence.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target, api, skip};
use crate::link::Link;
use crate::pair::Pair;
use crate::registered::register_seat;

const DAY_MS: i64 = 24 * 3_600_000;

/// The cases about vacations.
pub const CASES: &[Case<Target>] = &[
    Case::of("vacations/moved", &["P-VAC-1", "P-VAC-2", "H-VAC-2"], moved),
    Case::of("vacations/next-turn", &["P-VAC-2"], next_turn),
    Case::of("vacations/in-snapshots", &["P-VAC-3"], in_snapshots),
    Case::of(
        "vacations/not-chosen",
        &["P-VAC-1", "P-LOBBY-10"],
        not_chosen,
    ),
];

/// A game by correspondence between two players, of whom the one in a seat has registered; its token is returned.
fn begun(target: &Target, seat: usize, vacation: bool) -> Result<(Pair, String)> {
    let clock = json!({ "kind": "per_move", "limit_ms": 3 * DAY_MS });
    let mut pair = Pair::seated(target, &json!({ "clock": clock, "vacation": vacation }))?;
    pair.attach_all()?;
    pair.begin()?;
    let token = register_seat(target, &mut pair, seat)?;
    let chosen = pair.folds[0].setup["options"].get("vacation").is_some();
    if vacation && !chosen {
        return skip("not offered: the server has no vacations");
    }
    Ok((pair, token))
}

fn take(target: &Target, token: &str, days: i64) -> Result<Value> {
    api::ok(
        target,
        "POST /account/vacation",
        Some(token),
        &json!({ "days": days }),
    )
}

/// The time of a seat until its flag falls.
fn allowance(event: &Value, seat: usize) -> Result<i64> {
    let shown = event["clocks"]["allowance_ms"][seat].as_i64();
    shown.context("an allowance")
}

fn moved(target: &Target) -> Check {
    let (mut pair, token) = begun(target, 0, true)?;
    let taken = take(target, &token, 5)?;
    let told = pair.happened("vacation")?;
    let is_so = told["seat"] == 0 && told["until"] == taken["until"];
    ensure!(is_so, "{told} after {taken}");
    let started = &pair.folds[0]
        .events
        .iter()
        .find(|event| event["kind"] == "turn_started");
    let started = (*started).context("a turn")?;
    let due = |event: &Value| -> Result<i64> {
        let since = event["clocks"]["running"]["since"].as_i64();
        Ok(since.context("a clock runs")? + allowance(event, 0)?)
    };
    let (until, at) = (told["until"].as_i64(), told["at"].as_i64());
    let (until, at) = until.zip(at).context("two times")?;
    ensure!(
        due(&told)? == due(started)? + until - at,
        "{told} after {started}"
    );
    let head = pair.head()?;
    let ended = api::ok(
        target,
        "DELETE /account/vacation",
        Some(&token),
        &Value::Null,
    )?;
    ensure!(ended["days_left"] == 29, "whole days come back: {ended}");
    let back = pair.happened_since(head, "vacation")?;
    let at = back["at"].as_i64().context("a time")?;
    ensure!(
        back["until"].as_i64().is_some_and(|until| until <= at),
        "{back}"
    );
    ensure!(due(&back)? < due(&told)?, "the deadline moves back: {back}");
    Ok(())
}

fn next_turn(target: &Target) -> Check {
    let (mut pair, token) = begun(target, 1, true)?;
    let taken = take(target, &token, 2)?;
    let told = pair.happened("vacation")?;
    ensure!(
        allowance(&told, 1)? == 3 * DAY_MS,
        "no clock of the seat runs: {told}"
    );
    pair.pass()?;
    let started = pair.folds[0].events.iter().rev();
    let started = started
        .clone()
        .find(|event| event["kind"] == "turn_started");
    let started = started.context("a turn")?;
    let rest = taken["until"].as_i64().zip(started["at"].as_i64());
    let rest = rest.map(|(until, at)| until - at).context("two times")?;
    ensure!(
        allowance(started, 1)? == 3 * DAY_MS + rest,
        "the rest of the vacation is on top: {started}"
    );
    Ok(())
}

fn in_snapshots(target: &Target) -> Check {
    let (mut pair, token) = begun(target, 1, true)?;
    let taken = take(target, &token, 2)?;
    pair.happened("vacation")?;
    pair.catch_up()?;
    let mut zoe = Link::guest(target, "Zoe")?;
    zoe.ok("attach", json!({ "game": pair.game }))?;
    let seats = zoe.pushed("snapshot")?["seats"].clone();
    let is_so =
        seats[1]["vacation_until"] == taken["until"] && seats[0]["vacation_until"].is_null();
    ensure!(is_so, "{seats}");
    Ok(())
}

/// In a game without the option nothing moves.
fn not_chosen(target: &Target) -> Check {
    let (mut pair, token) = begun(target, 0, false)?;
    api::offered(target)?;
    let asked = api::ask(
        target,
        "POST /account/vacation",
        Some(&token),
        &json!({ "days": 1 }),
    )?;
    if asked.head.status == 404 {
        return skip("not offered: the server has no vacations");
    }
    pair.pass()?;
    pair.catch_up()?;
    let kinds = pair.kinds_since(0)?;
    ensure!(!kinds.iter().any(|kind| kind == "vacation"), "{kinds:?}");
    let told = pair.folds[0].setup["options"].get("vacation").is_none();
    ensure!(told, "an option that is off is left out");
    Ok(())
}
