//! A snapshot against the fold of the events before it.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Map, Value, json};

use super::fold::Fold;

impl Fold {
    /// What a snapshot for this audience must say, but for `epoch`, `at`, `role`, `seat` and who is connected.
    #[must_use]
    pub fn snapshot(&self) -> Value {
        let seats: Vec<Value> = self
            .seats
            .iter()
            .zip(0..)
            .map(|(seat, at)| {
                let mut told = json!({
                    "score": seat.score, "rack_count": seat.rack_count, "ready": seat.ready,
                    "turn_debt": seat.turn_debt,
                });
                if self.own == Some(at) {
                    told["rack"] = sorted(&json!(seat.rack));
                }
                if let Some(retired) = &seat.retired {
                    told["retired"] = json!(retired);
                }
                told
            })
            .collect();
        let board: Vec<Value> = self
            .board
            .iter()
            .map(|(square, face)| json!({ "square": square, "tile": face }))
            .collect();
        let mut told = json!({
            "game": self.setup["game"], "seq": self.seq, "setup": self.setup, "phase": self.phase,
            "turn_no": self.turn_no, "board": board, "seats": seats, "bag": self.bag, "turns": self.turns,
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
            ("result", self.result.clone()),
        ] {
            if let Some(value) = value {
                told[field] = value;
            }
        }
        told
    }

    /// Checks a snapshot taken at this position for this audience.
    ///
    /// # Errors
    /// Where it says something else.
    pub fn check(&self, snapshot: &Value) -> Result<()> {
        let mut told = snapshot.clone();
        let fields = told.as_object_mut().context("a snapshot is a map")?;
        for own in ["epoch", "at", "role", "seat"] {
            fields.remove(own);
        }
        if self.clocks.is_null() {
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
        let mut own = self.snapshot();
        own["board"] = sorted(&own["board"]);
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
            let known =
                ["on_turn", "first", "window", "result", "clocks"].contains(&field.as_str());
            ensure!(
                !known || own.get(field).is_some(),
                "events say nothing of {field}: {value}"
            );
        }
        Ok(())
    }
}

fn sorted(list: &Value) -> Value {
    let mut values = list.as_array().cloned().unwrap_or_default();
    values.sort_by_key(Value::to_string);
    Value::Array(values)
}
