//! Aborting a rated game needs the consent of the other seat once the tiles are dealt (R-SETUP-10).

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::document::number;
use crate::fold::Fold;

/// Checks that a seat can ask to abort the game.
pub(super) fn requested(fold: &Fold, event: &Value) -> Result<()> {
    ensure!(
        fold.setup["options"]["rated"] == true,
        "a casual game is aborted without a request"
    );
    ensure!(fold.phase != "waiting", "the tiles are not dealt");
    ensure!(fold.abort_request.is_none(), "a request is open");
    let seat = number(event, "seat")?;
    let asks = fold.events.iter();
    let mut asks = asks.filter(|event| event["kind"] == "abort_requested");
    ensure!(
        !asks.any(|event| event["seat"] == seat),
        "seat {seat} has asked before"
    );
    let has_played = |seat: usize| fold.turns.iter().any(|turn| turn["seat"] == seat);
    let all = (0..fold.seats.len()).all(has_played);
    ensure!(!all, "every seat has completed a turn");
    Ok(())
}

/// Checks that the request that is declined was open, and that its time is over if that is the reason.
pub(super) fn declined(fold: &Fold, event: &Value) -> Result<()> {
    let request = fold.abort_request.as_ref().context("no request is open")?;
    ensure!(request["seat"] == event["seat"], "another seat had asked");
    if event["reason"] == "expired" {
        let (at, until) = (event["at"].as_i64(), request["until"].as_i64());
        ensure!(at >= until, "the request has time left");
    }
    Ok(())
}

/// Checks that the seat that aborts a rated game has asked for it. Operators need not ask.
pub(super) fn ended(fold: &Fold, event: &Value) -> Result<()> {
    let needs_consent = event["reason"] == "aborted"
        && fold.setup["options"]["rated"] == true
        && fold.phase != "waiting"
        && fold.adjourned.is_none()
        && event.get("adjudication").is_none();
    if needs_consent {
        let request = fold.abort_request.as_ref();
        let request = request.context("a rated game is aborted without a request")?;
        ensure!(
            request["seat"] == event["aborter"],
            "another seat had asked"
        );
    }
    Ok(())
}
