//! Time that a player gives another one (R-GIFT). The clocks themselves are checked with all others.

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::is_playing;
use crate::document::number;
use crate::fold::Fold;

/// How often a seat can give time in a game.
const MOST: usize = 10;
/// The least and the most that an operator gives, ms: a second to 7 days.
const GRANT_MS: (i64, i64) = (1_000, 604_800_000);
/// The shortest and the longest gift, ms.
const RANGE_MS: (i64, i64) = (5_000, 60_000);

/// Checks that a seat can give this time.
pub(super) fn given(fold: &Fold, event: &Value) -> Result<()> {
    let (seat, target) = (number(event, "seat")?, number(event, "target")?);
    if seat == target {
        return granted(fold, event, target);
    }
    let are_playing = is_playing(fold, seat) && is_playing(fold, target);
    ensure!(are_playing, "one of the two seats has left");
    ensure!(fold.phase == "running", "the game is {}", fold.phase);
    let options = &fold.setup["options"];
    ensure!(options["rated"] != true, "the game is rated");
    ensure!(!fold.time_refused.contains(&target), "the seat takes none");
    let ms = event["time_ms"].as_i64().context("an amount")?;
    let clock = &options["clock"];
    match clock["kind"].as_str() {
        None | Some("untimed") => ensure!(false, "the game has no clock"),
        Some("per_move") => ensure!(clock["limit_ms"] == ms, "a gift is one limit"),
        Some(_) => ensure!((RANGE_MS.0..=RANGE_MS.1).contains(&ms), "{ms} ms"),
    }
    let count = fold
        .events
        .iter()
        .filter(|past| is_gift_of(past, seat))
        .count();
    ensure!(count < MOST, "seat {seat} has given time {count} times");
    Ok(())
}

/// Says whether an event is a gift of a seat. An operator who gives the seat time is named as the seat itself.
fn is_gift_of(event: &Value, seat: u64) -> bool {
    event["kind"] == "time_given" && event["seat"] == seat && event["target"] != seat
}

/// Checks that an operator can give this time (R-ADMIN-6).
fn granted(fold: &Fold, event: &Value, target: u64) -> Result<()> {
    ensure!(is_playing(fold, target), "the seat has left");
    ensure!(fold.phase == "running", "the game is {}", fold.phase);
    let ms = event["time_ms"].as_i64().context("an amount")?;
    ensure!((GRANT_MS.0..=GRANT_MS.1).contains(&ms), "{ms} ms");
    let kind = fold.setup["options"]["clock"]["kind"].as_str();
    let has_clock = kind.is_some_and(|kind| kind != "untimed");
    ensure!(has_clock, "the game has no clock");
    Ok(())
}

/// Checks that a seat refuses once.
pub(super) fn refused(fold: &Fold, event: &Value) -> Result<()> {
    let seat = number(event, "seat")?;
    ensure!(!fold.time_refused.contains(&seat), "it has refused before");
    ensure!(is_playing(fold, seat), "the seat has left");
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::is_gift_of;

    #[test]
    fn time_that_an_operator_gives_is_no_gift_of_the_seat() {
        let given =
            |seat: u64, target: u64| json!({"kind": "time_given", "seat": seat, "target": target});
        assert!(is_gift_of(&given(1, 0), 1));
        assert!(!is_gift_of(&given(1, 0), 0));
        assert!(!is_gift_of(&given(1, 1), 1), "an operator gave it");
        assert!(!is_gift_of(&json!({"kind": "time_refused", "seat": 1}), 1));
    }
}
