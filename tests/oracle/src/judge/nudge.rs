//! A player asks whether a silent opponent on turn is still there (R-NUDGE).

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::is_playing;
use crate::document::number;
use crate::fold::Fold;

/// Limits of a turn from here on make a game by correspondence, ms.
const CORRESPONDENCE_FROM_MS: i64 = 3_600_000;

/// How often a seat can nudge in a live game.
const MOST: usize = 2;

/// How the players of a game pass their time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pace {
    Live,
    Correspondence,
    Untimed,
}

impl Pace {
    fn of(fold: &Fold) -> Self {
        let clock = &fold.setup["options"]["clock"];
        let limit_ms = clock["limit_ms"].as_i64().unwrap_or(0);
        match clock["kind"].as_str() {
            Some("per_move") if limit_ms >= CORRESPONDENCE_FROM_MS => Self::Correspondence,
            None | Some("untimed") => Self::Untimed,
            Some(_) => Self::Live,
        }
    }
}

/// Checks that a seat can nudge the seat on turn.
pub(super) fn nudged(fold: &Fold, event: &Value) -> Result<()> {
    let (seat, target) = (number(event, "seat")?, number(event, "target")?);
    ensure!(fold.on_turn == Some(target), "another seat is on turn");
    ensure!(seat != target, "a seat does not nudge itself");
    ensure!(is_playing(fold, seat), "the seat has left");
    ensure!(fold.nudge.is_none(), "a nudge is open");
    let running = fold.clocks["running"]["seat"].as_u64();
    ensure!(running == Some(target), "another clock runs");
    let pace = Pace::of(fold);
    let can_be_claimed = event.get("claim_at").is_some();
    ensure!(
        can_be_claimed == (pace != Pace::Correspondence),
        "by correspondence the limit decides, and only there"
    );
    let nudges = fold.events.iter().filter(|past| past["kind"] == "nudged");
    if pace == Pace::Live {
        let own = nudges.filter(|past| past["seat"] == seat).count();
        ensure!(own < MOST, "seat {seat} has nudged {own} times");
        return Ok(());
    }
    let began = fold.events.iter().rev();
    let mut began = began.filter(|past| past["kind"] == "turn_started");
    let began = began.next().context("a turn has begun")?;
    let mut nudges = nudges.filter(|past| past["seq"].as_u64() > began["seq"].as_u64());
    ensure!(nudges.next().is_none(), "a second nudge in one turn");
    Ok(())
}

/// Checks that the seat that answers was nudged.
pub(super) fn answered(fold: &Fold, event: &Value) -> Result<()> {
    let nudge = fold.nudge.as_ref().context("no nudge is open")?;
    ensure!(nudge["target"] == event["seat"], "another seat was nudged");
    Ok(())
}
