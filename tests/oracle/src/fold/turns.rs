//! Plays, exchanges, passes and verdicts.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::Fold;
use crate::document::{integer, integers, laid, number, on_rack, texts};

impl Fold {
    fn take_from_rack(&mut self, event: &Value, used: &[String]) -> Result<()> {
        let seat = self.seat(event)?;
        seat.rack_count -= i64::try_from(used.len())?;
        ensure!(seat.rack_count >= 0, "the rack has fewer tiles");
        match &mut seat.rack {
            Some(rack) => take(rack, used),
            None => Ok(()),
        }
    }

    /// Adds a turn; `rack` is the rack before it, as far as the audience knows it.
    pub(super) fn turn(
        &mut self,
        event: &Value,
        kind: &str,
        more: &[&str],
        rack: Option<Vec<String>>,
    ) -> Result<()> {
        let score = event.get("score").cloned().unwrap_or(json!(0));
        let total = self.seat(event)?.score;
        let mut record = json!({
            "turn_no": event["turn_no"], "seat": event["seat"], "kind": kind, "score": score, "total": total,
        });
        for field in more {
            if let Some(value) = event.get(*field) {
                record[*field] = value.clone();
            }
        }
        if kind == "play" {
            record["play_id"] = event["seq"].clone();
        }
        if let Some(rack) = rack {
            record["rack"] = json!(rack);
        }
        self.turns.push(record);
        self.on_turn = None;
        self.end_nudge_of(event);
        Ok(())
    }

    pub(super) fn play(&mut self, event: &Value) -> Result<()> {
        let laid = laid(event)?;
        for (square, face) in &laid {
            let before = self.board.insert(square.clone(), face.clone());
            ensure!(before.is_none(), "{square} is occupied");
        }
        let used: Vec<String> = laid
            .iter()
            .map(|(_, face)| on_rack(face).to_owned())
            .collect();
        let rack = self.seat(event)?.rack.clone();
        self.take_from_rack(event, &used)?;
        let (total, owed) = (integer(event, "total")?, integer(event, "owed")?);
        let seat = self.seat(event)?;
        seat.score = total;
        seat.owed = owed;
        seat.rack_count += owed;
        self.bag -= owed;
        self.turn(event, "play", &["start", "tiles", "words", "bonus"], rack)?;
        self.open_window(event)?;
        self.last_play = event.clone();
        Ok(())
    }

    pub(super) fn exchanged(&mut self, event: &Value) -> Result<()> {
        let count = number(event, "count")?;
        let rack = self.seat(event)?.rack.clone();
        if event.get("tiles").is_some() || self.is_own(event) {
            let tiles = texts(&event["tiles"]).context("the own tiles are shown")?;
            ensure!(tiles.len() as u64 == count, "{count} tiles are listed");
            self.take_from_rack(event, &tiles)?;
        } else {
            let seat = self.seat(event)?;
            seat.rack_count -= i64::try_from(count)?;
            seat.rack = None;
        }
        self.turn(event, "exchange", &["tiles", "count"], rack)
    }

    pub(super) fn verdict(&mut self, event: &Value) -> Result<()> {
        let totals = integers(event, "totals")?;
        ensure!(totals.len() == self.seats.len(), "a total for each seat");
        for (seat, total) in self.seats.iter_mut().zip(totals) {
            seat.score = total;
        }
        let turn_debt = number(event, "turn_debt")?;
        self.seat(event)?.turn_debt = turn_debt;
        if turn_debt > 0 && self.on_turn == event["seat"].as_u64() {
            // The challenger loses the running turn with the next event.
            self.on_turn = None;
        }
        let play = self.last_play.clone();
        let mut turns = self.turns.iter();
        let at = turns.position(|turn| turn["play_id"] == play["seq"]);
        let at = at.context("no such turn")?;
        let record = &mut self.turns[at];
        record["challenger"] = event["seat"].clone();
        for list in ["bad_words", "points"] {
            if event[list] != json!([]) {
                record[list] = event[list].clone();
            }
        }
        if event["upheld"] != true {
            return Ok(());
        }
        let laid = laid(&play)?;
        for (square, _) in &laid {
            self.board.remove(square);
        }
        let seat = self.seat(&play)?;
        let owed = std::mem::take(&mut seat.owed);
        seat.rack_count += i64::try_from(laid.len())? - owed;
        if let Some(rack) = &mut seat.rack {
            rack.extend(laid.iter().map(|(_, face)| on_rack(face).to_owned()));
        }
        let total = seat.score;
        self.bag += owed;
        self.on_turn = None;
        self.turns[at]["off"] = json!(true);
        self.turns[at]["total"] = json!(total);
        Ok(())
    }
}

/// Takes tiles off a rack.
pub(super) fn take(rack: &mut Vec<String>, tiles: &[String]) -> Result<()> {
    for tile in tiles {
        let at = rack.iter().position(|held| held == tile);
        rack.remove(at.with_context(|| format!("{tile} is not on the rack"))?);
    }
    Ok(())
}
