//! Hints in casual games (R-HINT). What a hint says is in no event.

use anyhow::{Result, ensure};
use serde_json::Value;

use crate::document::number;
use crate::fold::Fold;

/// Checks that a seat can use this hint.
pub(super) fn used(fold: &Fold, event: &Value) -> Result<()> {
    let (seat, grade) = (number(event, "seat")?, number(event, "grade")?);
    let options = &fold.setup["options"];
    ensure!(options["rated"] != true, "the game is rated");
    ensure!((1..=3).contains(&grade), "a hint of grade {grade}");
    ensure!(fold.phase == "running", "the game is {}", fold.phase);
    ensure!(fold.on_turn == Some(seat), "the seat is not on turn");
    ensure!(fold.window.is_none(), "the last play can be challenged");
    let most = options["hints"].as_u64().unwrap_or(0);
    let own = fold.hints.iter().filter(|hint| hint["seat"] == seat);
    ensure!(most <= 8, "{most} hints for each seat");
    ensure!(
        own.clone().count() as u64 != most,
        "seat {seat} has none left"
    );
    let mut same = own.filter(|hint| hint["turn_no"] == fold.turn_no);
    let is_known = same.any(|hint| hint["grade"].as_u64() >= Some(grade));
    ensure!(!is_known, "the seat has had this hint in this turn");
    Ok(())
}
