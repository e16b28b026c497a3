//! Players adjourn a game and resume it (R-ADJ).

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use super::is_playing;
use crate::document::number;
use crate::fold::Fold;

/// How often a seat can ask in a game.
const MOST: usize = 3;

/// Limits of a turn from here on make a game by correspondence, ms.
const CORRESPONDENCE_FROM_MS: i64 = 3_600_000;

/// Kinds of events that an adjourned game can have.
const ASLEEP: [&str; 7] = [
    "ready_to_resume",
    "not_ready_to_resume",
    "resumed",
    "seat_retired",
    "turn_lost",
    "turn_started",
    "ended",
];

/// Checks an event against the adjournment of the game, if it is adjourned, or about to be.
pub(super) fn judged(fold: &Fold, kind: &str, event: &Value) -> Result<()> {
    let is_asleep = fold.adjourned.is_some();
    ensure!(
        !is_asleep || ASLEEP.contains(&kind),
        "the game is adjourned"
    );
    match kind {
        "adjourn_requested" => {
            ensure!(fold.adjourn_request.is_none(), "a request is open");
            let seat = number(event, "seat")?;
            ensure!(is_playing(fold, seat), "the seat has left");
            let own = |past: &&Value| past["kind"] == kind && past["seat"] == seat;
            let asked = fold.events.iter().filter(own).count();
            ensure!(asked < MOST, "seat {seat} has asked {asked} times");
            can_sleep(fold)
        }
        "adjourn_agreed" => {
            let request = fold.adjourn_request.as_ref();
            let request = request.context("no request is open")?;
            let seat = number(event, "seat")?;
            ensure!(!has_agreed(request, seat), "the seat has agreed before");
            Ok(())
        }
        "adjourn_declined" => declined(fold, event),
        "adjourned" => adjourned(fold, event),
        "ready_to_resume" | "not_ready_to_resume" => {
            let sleep = fold.adjourned.as_ref().context("nobody sleeps")?;
            let seat = number(event, "seat")?;
            ensure!(fold.players().any(|player| player == seat), "no player");
            let was_ready = contains(&sleep["ready"], seat);
            ensure!(
                was_ready == (kind == "not_ready_to_resume"),
                "nothing new about the seat"
            );
            Ok(())
        }
        "resumed" => resumed(fold, event),
        "turn_started" if is_asleep => {
            ensure!(event["clocks"].get("running").is_none(), "a clock runs");
            Ok(())
        }
        "ended" if event.get("adjudication").is_some() => Ok(()),
        "ended" if is_asleep && event["reason"] == "aborted" => {
            let due = fold.adjournment_due();
            ensure!(event["at"].as_i64() >= due, "there is time left");
            let blamed = fold.deserters();
            ensure!(blamed.is_empty(), "of {blamed:?} one leaves the game");
            ensure!(event.get("aborter").is_none(), "no player aborts it");
            Ok(())
        }
        "seat_retired" if is_asleep && event["reason"] == "abandoned" => deserted(fold, event),
        _ => Ok(()),
    }
}

/// Checks that a seat was claimed that did not come back in time, or leaves the game at the end of that time.
fn deserted(fold: &Fold, event: &Value) -> Result<()> {
    let sleep = fold.adjourned.as_ref().context("nobody sleeps")?;
    let (at, seat) = (event["at"].as_i64(), number(event, "seat")?);
    let is_claimed = !fold.is_willing(seat) && at >= sleep["until"].as_i64();
    let is_due = fold.deserters().contains(&seat) && at >= fold.adjournment_due();
    ensure!(
        is_claimed || is_due,
        "seat {seat} has time left, or came back"
    );
    Ok(())
}

fn declined(fold: &Fold, event: &Value) -> Result<()> {
    let request = fold.adjourn_request.as_ref();
    let request = request.context("no request is open")?;
    ensure!(request["seat"] == event["seat"], "another seat had asked");
    let has_time = event["at"].as_i64() < request["until"].as_i64();
    ensure!(
        event["reason"] != "expired" || !has_time,
        "the request has time left"
    );
    Ok(())
}

fn resumed(fold: &Fold, event: &Value) -> Result<()> {
    let sleep = fold.adjourned.as_ref().context("nobody sleeps")?;
    let missing = fold
        .players()
        .find(|seat| !contains(&sleep["ready"], *seat));
    ensure!(missing.is_none(), "seat {missing:?} is not ready");
    let running = &event["clocks"]["running"];
    ensure!(
        running["seat"].as_u64() == fold.on_turn && running["since"] == event["at"],
        "the clock of the seat on turn runs from now on"
    );
    Ok(())
}

/// Checks that all have agreed: the last one with the command that has this effect. Or the server adjourns the game for a
/// seat that has vanished, once.
fn adjourned(fold: &Fold, event: &Value) -> Result<()> {
    can_sleep(fold)?;
    ensure!(event["clocks"].get("running").is_none(), "a clock runs");
    let Some(vanished) = event.get("vanished") else {
        let agreed = |seat: &u64| {
            let request = fold.adjourn_request.as_ref();
            request.is_some_and(|request| has_agreed(request, *seat))
        };
        let open = fold.players().filter(|seat| !agreed(seat)).count();
        ensure!(open <= 1, "{open} players have not agreed");
        return Ok(());
    };
    ensure!(
        fold.setup["options"]["vanish"] == "adjourn",
        "the game is claimed"
    );
    let away = fold.vanished.iter();
    let away = away.filter(|away| away["seat"] == *vanished);
    let due = away.map(|away| away["claim_at"].as_i64()).next();
    let due = due.context("the seat is there")?;
    ensure!(event["at"].as_i64() >= due, "the seat has time left");
    let mut before = fold.events.iter();
    let before = before.any(|past| past.get("vanished") == Some(vanished));
    ensure!(!before, "the game was adjourned for this seat before");
    Ok(())
}

fn can_sleep(fold: &Fold) -> Result<()> {
    ensure!(fold.on_turn.is_some(), "no seat is on turn");
    ensure!(fold.window.is_none(), "a play can be challenged");
    let clock = &fold.setup["options"]["clock"];
    match clock["kind"].as_str() {
        None | Some("untimed") => bail!("the game has no time"),
        Some("per_move") => {
            let limit_ms = clock["limit_ms"].as_i64().unwrap_or(0);
            ensure!(limit_ms < CORRESPONDENCE_FROM_MS, "by correspondence");
        }
        Some(_) => {}
    }
    Ok(())
}

fn has_agreed(request: &Value, seat: u64) -> bool {
    request["seat"] == seat || contains(&request["agreed"], seat)
}

fn contains(seats: &Value, seat: u64) -> bool {
    let mut seats = seats.as_array().into_iter().flatten();
    seats.any(|other| *other == seat)
}
