//! The requests to adjourn the game, and its sleep, in the form of a snapshot.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::Fold;

impl Fold {
    /// Applies an event that changes what is open between the players about adjourning.
    pub(super) fn adjourning(&mut self, kind: &str, event: &Value) -> Result<()> {
        let seat = &event["seat"];
        match kind {
            "adjourn_requested" => {
                let request = json!({ "seat": seat, "until": event["until"], "agreed": [] });
                self.adjourn_request = Some(request);
            }
            "adjourn_agreed" => {
                let request = self.adjourn_request.as_mut();
                let request = request.context("a request is open")?;
                let agreed = request["agreed"].as_array_mut().context("seats")?;
                agreed.push(seat.clone());
            }
            "adjourn_declined" => self.adjourn_request = None,
            "adjourned" => {
                self.adjourn_request = None;
                self.abort_request = None;
                self.nudge = None;
                self.vanished.clear();
                self.adjourned = Some(json!({
                    "until": event["until"], "claim_until": event["claim_until"], "ready": [],
                }));
            }
            "ready_to_resume" => self.ready()?.push(seat.clone()),
            "not_ready_to_resume" => self.ready()?.retain(|other| other != seat),
            "resumed" => self.adjourned = None,
            "seat_retired" => {
                self.adjourn_request = None;
                if self.adjourned.is_some() {
                    self.ready()?.retain(|other| other != seat);
                }
            }
            "ended" => (self.adjourn_request, self.adjourned) = (None, None),
            _ => {}
        }
        Ok(())
    }

    fn ready(&mut self) -> Result<&mut Vec<Value>> {
        let sleep = self.adjourned.as_mut().context("the game is adjourned")?;
        sleep["ready"].as_array_mut().context("seats")
    }
}
