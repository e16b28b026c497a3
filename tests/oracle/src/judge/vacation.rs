//! Vacations (R-VAC). The clocks themselves are checked with all others.

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::is_playing;
use crate::document::{integer, number};
use crate::fold::Fold;

/// The longest vacation from now on, ms: 30 days.
const MOST_MS: i64 = 30 * 24 * 3_600_000;

/// Checks that the vacation of a seat can change so.
pub(super) fn changed(fold: &Fold, event: &Value) -> Result<()> {
    let options = &fold.setup["options"];
    ensure!(options["vacation"] == true, "the game has no vacations");
    let seat = number(event, "seat")?;
    ensure!(is_playing(fold, seat), "the seat has left");
    let (at, until) = (integer(event, "at")?, integer(event, "until")?);
    ensure!(until <= at + MOST_MS, "a vacation until {until}");
    let own = fold.seats.get(usize::try_from(seat)?);
    let before = own.context("a seat of this game")?.vacation_until;
    let before = before.map_or(at, |before| before.max(at));
    ensure!(until.max(at) != before, "the vacation does not change");
    Ok(())
}
