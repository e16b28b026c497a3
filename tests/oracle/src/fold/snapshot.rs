//! Snapshots: the one that a state requires, and the state that follows from one.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Map, Value, json};

use super::turns::take;
use super::{Fold, Seat};
use crate::document::{integer, laid, list, number, on_rack, text, texts};

impl Fold {
    /// Returns the state that a snapshot describes; its list of events is empty.
    ///
    /// # Errors
    /// When the snapshot lacks a field.
    pub fn at(own: Option<u64>, snapshot: &Value) -> Result<Self> {
        let mut fold = Self::new(own);
        fold.seq = number(snapshot, "seq")?;
        fold.setup = snapshot["setup"].clone();
        text(snapshot, "phase")?.clone_into(&mut fold.phase);
        fold.turn_no = number(snapshot, "turn_no")?;
        fold.on_turn = snapshot["on_turn"].as_u64();
        fold.first = snapshot["first"].as_u64();
        for tile in list(snapshot, "board")? {
            let (square, face) = (text(tile, "square")?, text(tile, "tile")?);
            fold.board.insert(square.to_owned(), face.to_owned());
        }
        for seat in list(snapshot, "seats")? {
            fold.seats.push(Seat::at(seat)?);
        }
        fold.bag = integer(snapshot, "bag")?;
        fold.clocks = snapshot["clocks"].clone();
        fold.window = snapshot["window"].as_object().cloned();
        fold.turns = list(snapshot, "turns")?.to_vec();
        fold.vanished = list(snapshot, "vanished")?.to_vec();
        fold.abort_request = snapshot.get("abort_request").cloned();
        fold.nudge = snapshot.get("nudge").cloned();
        fold.adjourn_request = snapshot.get("adjourn_request").cloned();
        fold.adjourned = snapshot.get("adjourned").cloned();
        let refused = snapshot["time_refused"].as_array().into_iter().flatten();
        fold.time_refused = refused.filter_map(Value::as_u64).collect();
        let hints = snapshot["hints"].as_array();
        fold.hints = hints.cloned().unwrap_or_default();
        fold.result = snapshot.get("result").cloned();
        let plays = fold.turns.iter().rev();
        let last = plays.clone().find(|turn| turn.get("play_id").is_some());
        if let Some(mut play) = last.cloned() {
            play["seq"] = play["play_id"].clone();
            fold.last_play = play;
        }
        if fold.window.is_some() {
            fold.recompute_owed()?;
        }
        Ok(fold)
    }

    /// Computes the tiles owed to the author of the open play: a snapshot counts owed tiles as dealt, so they are the
    /// tiles of the rack beyond those that the author kept. If the rack was not full before the play, the bag was empty
    /// and no tile is owed.
    fn recompute_owed(&mut self) -> Result<()> {
        let play = self.last_play.clone();
        let rack_size = integer(&self.setup["rule_set"], "rack_size")?;
        let laid = texts(&play["tiles"])?;
        let laid = laid.iter().filter(|face| *face != ".").count();
        let seat = self.seat(&play)?;
        seat.owed = (seat.rack_count + i64::try_from(laid)? - rack_size).max(0);
        Ok(())
    }

    /// Returns the expected snapshot for this audience, without `epoch`, `at`, `role`, `seat` and `connected`.
    #[must_use]
    pub fn snapshot(&self) -> Value {
        let seats: Vec<Value> = self
            .seats
            .iter()
            .zip(0..)
            .map(|(seat, at)| {
                let mut told = json!({
                    "score": seat.score, "rack_count": seat.rack_count, "ready": seat.is_ready,
                    "turn_debt": seat.turn_debt,
                });
                if self.own == Some(at) {
                    told["rack"] = sorted(&json!(seat.rack));
                }
                if let Some(retired) = &seat.retired {
                    told["retired"] = json!(retired);
                }
                if let Some(until) = seat.vacation_until.filter(|until| self.last_at < *until) {
                    told["vacation_until"] = json!(until);
                }
                told
            })
            .collect();
        let board: Vec<Value> = self
            .board
            .iter()
            .map(|(square, face)| json!({ "square": square, "tile": face }))
            .collect();
        let mut turns = self.turns.clone();
        for rack in turns.iter_mut().filter_map(|turn| turn.get_mut("rack")) {
            *rack = sorted(rack);
        }
        let mut told = json!({
            "game": self.setup["game"], "seq": self.seq, "setup": self.setup, "phase": self.phase,
            "turn_no": self.turn_no, "board": board, "seats": seats, "bag": self.bag, "turns": turns,
            "vanished": self.vanished,
        });
        for (field, value) in [
            ("on_turn", self.on_turn.map(Value::from)),
            ("first", self.first.map(Value::from)),
            (
                "clocks",
                Some(self.clocks.clone()).filter(|clocks| !clocks.is_null()),
            ),
            ("window", self.window.clone().map(Value::Object)),
            ("abort_request", self.abort_request.clone()),
            ("nudge", self.nudge.clone()),
            ("adjourn_request", self.adjourn_request.clone()),
            ("adjourned", self.adjourned.clone()),
            (
                "time_refused",
                Some(json!(self.time_refused)).filter(|_| !self.time_refused.is_empty()),
            ),
            (
                "hints",
                Some(json!(self.hints)).filter(|_| !self.hints.is_empty()),
            ),
            ("result", self.result.clone()),
        ] {
            if let Some(value) = value {
                told[field] = value;
            }
        }
        told
    }

    /// Checks a snapshot for this audience, taken after the last event.
    ///
    /// # Errors
    /// The first field that differs.
    pub fn check(&self, snapshot: &Value) -> Result<()> {
        let mut told = snapshot.clone();
        let fields = told.as_object_mut().context("a snapshot is a map")?;
        for own in ["epoch", "at", "role", "seat"] {
            fields.remove(own);
        }
        // A waiting turn is not an event, so only the snapshot has its clocks.
        let waits = fields.remove("waiting_until").is_some();
        if self.clocks.is_null() || waits {
            fields.remove("clocks");
        }
        for seat in told["seats"].as_array_mut().context("seats")? {
            if let Some(seat) = seat.as_object_mut() {
                seat.remove("connected").context("connected or not")?;
                if let Some(rack) = seat.get_mut("rack") {
                    *rack = sorted(rack);
                }
            }
        }
        told["board"] = sorted(&told["board"]);
        self.check_racks_of_turns(told["turns"].as_array_mut().context("turns")?)?;
        let mut own = self.snapshot();
        own["board"] = sorted(&own["board"]);
        if let Some(own) = own.as_object_mut().filter(|_| waits) {
            own.remove("clocks");
        }
        for field in own.as_object().into_iter().flat_map(Map::keys) {
            ensure!(
                told.get(field) == own.get(field),
                "at {} for {:?}: {field} of the snapshot is {:?}, events say {}",
                self.seq,
                self.own,
                told.get(field),
                own[field]
            );
        }
        for (field, value) in told.as_object().into_iter().flatten() {
            let known = [
                "on_turn",
                "first",
                "window",
                "abort_request",
                "nudge",
                "adjourn_request",
                "adjourned",
                "time_refused",
                "hints",
                "result",
                "clocks",
            ]
            .contains(&field.as_str());
            ensure!(
                !known || own.get(field).is_some(),
                "events say nothing of {field}: {value}"
            );
        }
        Ok(())
    }

    /// Sorts the racks before the turns. After the end a snapshot has those of all seats; the events do not say what other
    /// seats held, so these racks are checked against the tiles of the turn and removed.
    fn check_racks_of_turns(&self, turns: &mut [Value]) -> Result<()> {
        for (turn, known) in turns.iter_mut().zip(&self.turns) {
            let rack = turn.get_mut("rack").map(|rack| {
                *rack = sorted(rack);
                rack.clone()
            });
            if !self.is_over() || known.get("rack").is_some() {
                continue;
            }
            let rack = rack.with_context(|| format!("no rack after the end: {turn}"))?;
            if turn["kind"] == "play" {
                let laid = laid(turn)?.into_iter();
                let used: Vec<String> = laid.map(|(_, face)| on_rack(&face).to_owned()).collect();
                take(&mut texts(&rack)?, &used).with_context(|| turn.to_string())?;
            }
            turn.as_object_mut().context("a map")?.remove("rack");
        }
        Ok(())
    }
}

impl Seat {
    fn at(seat: &Value) -> Result<Self> {
        Ok(Self {
            score: integer(seat, "score")?,
            rack_count: integer(seat, "rack_count")?,
            rack: seat.get("rack").map(texts).transpose()?,
            is_ready: seat["ready"] == true,
            retired: seat["retired"].as_str().map(str::to_owned),
            turn_debt: number(seat, "turn_debt")?,
            owed: 0,
            vacation_until: seat["vacation_until"].as_i64(),
        })
    }
}

fn sorted(list: &Value) -> Value {
    let mut values = list.as_array().cloned().unwrap_or_default();
    values.sort_by_key(Value::to_string);
    Value::Array(values)
}
