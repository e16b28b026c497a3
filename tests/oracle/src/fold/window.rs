//! The window in which a play can be challenged.

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Map, Value, json};

use super::Fold;
use crate::document::integer;

impl Fold {
    /// Returns the open window; the event must be about its play.
    pub(super) fn of_window(&mut self, event: &Value) -> Result<&mut Map<String, Value>> {
        let window = self.window.as_mut().context("no window is open")?;
        ensure!(
            window.get("play_id") == event.get("play_id"),
            "the window of another play is open"
        );
        Ok(window)
    }

    /// Opens the window of a play, if it has one.
    pub(super) fn open_window(&mut self, play: &Value) -> Result<()> {
        let Some(window) = play.get("window") else {
            return Ok(());
        };
        let mut open = window.as_object().context("a map")?.clone();
        if open.get("final") == Some(&json!(true)) {
            self.phase = "final".to_owned();
        }
        let others = (0..self.seats.len()).filter(|seat| play["seat"] != json!(seat));
        let others = json!(others.collect::<Vec<_>>());
        open.entry("eligible").or_insert(others);
        open.entry("final").or_insert(json!(false));
        open.insert("play_id".to_owned(), play["seq"].clone());
        open.insert("author".to_owned(), play["seat"].clone());
        open.insert("accepted".to_owned(), json!([]));
        open.insert("holds_used".to_owned(), json!([]));
        self.window = Some(open);
        Ok(())
    }

    pub(super) fn in_window(&mut self, kind: &str, event: &Value) -> Result<()> {
        let window = self.of_window(event)?;
        let add = |window: &mut Map<String, Value>, list: &str| {
            if let Some(Value::Array(seats)) = window.get_mut(list) {
                seats.push(event["seat"].clone());
                seats.sort_by_key(Value::as_u64);
            }
        };
        match kind {
            "accepted" => add(window, "accepted"),
            "hold_started" => {
                window.insert("holder".to_owned(), event["seat"].clone());
                window.insert("hold_until".to_owned(), event["until"].clone());
                add(window, "holds_used");
            }
            "hold_ended" => {
                window.remove("holder");
                window.remove("hold_until");
                if let Some(at) = event.get("closes_at") {
                    window.insert("closes_at".to_owned(), at.clone());
                }
            }
            "challenge_opened" => {
                window.insert("challenger".to_owned(), event["seat"].clone());
                window.insert("decide_by".to_owned(), event["decide_by"].clone());
            }
            other => bail!("{other} is no event of windows"),
        }
        Ok(())
    }

    pub(super) fn credited(&mut self, event: &Value) -> Result<()> {
        let by = integer(event, "resumed_at")? - integer(event, "stopped_at")?;
        let shift = |value: &mut Value| {
            if let Some(at) = value.as_i64() {
                *value = json!(at + by);
            }
        };
        for window in self.window.iter_mut() {
            for field in ["closes_at", "hold_until", "decide_by"] {
                window.get_mut(field).into_iter().for_each(shift);
            }
        }
        if let Some(request) = &mut self.abort_request {
            shift(&mut request["until"]);
        }
        if let Some(request) = &mut self.adjourn_request {
            shift(&mut request["until"]);
        }
        if let Some(claim_at) = self
            .nudge
            .as_mut()
            .and_then(|nudge| nudge.get_mut("claim_at"))
        {
            shift(claim_at);
        }
        for entry in &mut self.vanished {
            shift(&mut entry["claim_at"]);
        }
        Ok(())
    }
}
