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

    /// The events since the game was adjourned, the newest first; none if it was not, or if the fold began later.
    fn since_adjourned(&self) -> impl Iterator<Item = &Value> {
        let begins = self
            .events
            .iter()
            .rposition(|event| event["kind"] == "adjourned");
        let asleep = begins.filter(|_| self.adjourned.is_some());
        self.events[asleep.unwrap_or(self.events.len())..]
            .iter()
            .rev()
    }

    /// The seats of players that are in the game; a bot of the server is asked nothing.
    pub fn players(&self) -> impl Iterator<Item = u64> + '_ {
        let seats = self.setup["seats"].as_array().into_iter().flatten();
        let seats = seats.zip(&self.seats).zip(0..);
        seats
            .filter(|((seat, state), _)| seat["kind"] != "house_bot" && state.retired.is_none())
            .map(|(_, at)| at)
    }

    /// Whether the player of a seat has said, since the game was adjourned, that it is ready to resume it.
    #[must_use]
    pub fn is_willing(&self, seat: u64) -> bool {
        let mut said = self.since_adjourned();
        said.any(|event| event["kind"] == "ready_to_resume" && event["seat"] == seat)
    }

    /// The seat for which the server adjourned the game, if its player is still in the game.
    #[must_use]
    pub fn vanished_asleep(&self) -> Option<u64> {
        let adjourned = self.since_adjourned().last()?;
        let seat = adjourned["vanished"].as_u64()?;
        self.players().find(|player| *player == seat)
    }

    /// When the time of the adjourned game is over: later if players came back, and nobody stayed away for whom the server
    /// adjourned it.
    #[must_use]
    pub fn adjournment_due(&self) -> Option<i64> {
        let sleep = self.adjourned.as_ref()?;
        let is_nobody_willing = !self.players().any(|seat| self.is_willing(seat));
        let stays_away = self
            .vanished_asleep()
            .is_some_and(|seat| !self.is_willing(seat));
        let field = match is_nobody_willing || stays_away {
            true => "until",
            false => "claim_until",
        };
        sleep[field].as_i64()
    }

    /// The seats of which one leaves the adjourned game when its time is over; none: nobody is to blame.
    #[must_use]
    pub fn deserters(&self) -> Vec<u64> {
        let vanished = self.vanished_asleep();
        let away: Vec<u64> = self
            .players()
            .filter(|seat| !self.is_willing(*seat))
            .collect();
        match vanished {
            Some(seat) if away.is_empty() || away.contains(&seat) => vec![seat],
            _ if away.len() < self.players().count() => away,
            _ => Vec::new(),
        }
    }

    fn ready(&mut self) -> Result<&mut Vec<Value>> {
        let sleep = self.adjourned.as_mut().context("the game is adjourned")?;
        sleep["ready"].as_array_mut().context("seats")
    }
}
