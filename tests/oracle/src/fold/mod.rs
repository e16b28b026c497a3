//! Folds the events of a game into the state that they describe. A snapshot must describe the same state (P-EVENT-4).
//!
//! The fold does not apply the rules of the game: the events must contain everything that a client has to know.

mod adjourn;
mod snapshot;
mod turns;
mod window;

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Map, Value, json};

use crate::document::{integer, number, texts};

/// The state of a game as one audience knows it.
#[derive(Debug, Clone, Default)]
pub struct Fold {
    /// The seat of the audience; `None` for a spectator.
    pub own: Option<u64>,
    /// The number of the last event.
    pub seq: u64,
    /// The events so far, in order.
    pub events: Vec<Value>,
    /// The setup of the game.
    pub setup: Value,
    /// The phase.
    pub phase: String,
    /// The number of the current turn.
    pub turn_no: u64,
    /// The seat on turn.
    pub on_turn: Option<u64>,
    /// The faces on the board, by square.
    pub board: BTreeMap<String, String>,
    /// The seats, in order.
    pub seats: Vec<Seat>,
    /// Tiles in the bag, without those owed to a seat.
    pub bag: i64,
    /// The clocks of the last event that has clocks.
    pub clocks: Value,
    /// The open challenge window, in the form of a snapshot.
    pub window: Option<Map<String, Value>>,
    /// The seats without a connection, in the form of a snapshot.
    pub vanished: Vec<Value>,
    /// The open request to abort the game, in the form of a snapshot.
    pub abort_request: Option<Value>,
    /// The nudge that waits for an answer, in the form of a snapshot.
    pub nudge: Option<Value>,
    /// The open request to adjourn the game, in the form of a snapshot.
    pub adjourn_request: Option<Value>,
    /// The sleep of an adjourned game, in the form of a snapshot.
    pub adjourned: Option<Value>,
    /// The seats that take no time.
    pub time_refused: Vec<u64>,
    /// The hints that were used, in the form of a snapshot.
    pub hints: Vec<Value>,
    /// The finished turns, in the form of a snapshot.
    pub turns: Vec<Value>,
    /// The result, in the form of a snapshot.
    pub result: Option<Value>,
    pub(crate) last_play: Value,
    pub(crate) last_at: i64,
    /// Whether a credited outage may have an earlier time than the event before it, because the clock was set back.
    pub(crate) allows_clock_steps: bool,
    first: Option<u64>,
}

/// The state of a seat.
#[derive(Debug, Clone)]
pub struct Seat {
    /// Its score.
    pub score: i64,
    /// The number of its tiles; owed tiles count as dealt.
    pub rack_count: i64,
    /// Its tiles, if the audience saw all of them.
    pub rack: Option<Vec<String>>,
    /// Whether its player is ready.
    pub is_ready: bool,
    /// Why it left the game, if it did.
    pub retired: Option<String>,
    /// Turns it owes.
    pub turn_debt: u64,
    /// Tiles it will draw when the last play stands.
    pub owed: i64,
    /// When the last vacation of its player ends.
    pub vacation_until: Option<i64>,
}

impl Default for Seat {
    fn default() -> Self {
        Self {
            score: 0,
            rack_count: 0,
            rack: Some(Vec::new()),
            is_ready: false,
            retired: None,
            turn_debt: 0,
            owed: 0,
            vacation_until: None,
        }
    }
}

impl Fold {
    /// Returns the state before the first event.
    #[must_use]
    pub fn new(own: Option<u64>) -> Self {
        Self {
            own,
            ..Self::default()
        }
    }

    /// Returns whether the game has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.phase == "ended"
    }

    /// Returns the rack of the audience; empty for a spectator.
    #[must_use]
    pub fn rack(&self) -> &[String] {
        let own = self.own.and_then(|own| usize::try_from(own).ok());
        own.and_then(|own| self.seats.get(own))
            .and_then(|seat| seat.rack.as_deref())
            .unwrap_or_default()
    }

    /// Returns the main word of the last play.
    ///
    /// # Errors
    /// When there was no play.
    pub fn last_word(&self) -> Result<String> {
        let word = self.last_play["words"][0][0].as_str();
        Ok(word.context("a play")?.to_owned())
    }

    /// Returns the seat named by an event.
    pub(crate) fn seat_of(&self, event: &Value) -> Result<&Seat> {
        let seat = usize::try_from(number(event, "seat")?)?;
        self.seats.get(seat).context("a seat of this game")
    }

    fn seat(&mut self, event: &Value) -> Result<&mut Seat> {
        let seat = usize::try_from(number(event, "seat")?)?;
        self.seats.get_mut(seat).context("a seat of this game")
    }

    fn is_own(&self, event: &Value) -> bool {
        self.own.is_some() && event["seat"].as_u64() == self.own
    }

    /// Applies the next event.
    ///
    /// # Errors
    /// When the event is not the next one, or lacks a field that the document promises.
    pub fn event(&mut self, event: &Value) -> Result<()> {
        let seq = number(event, "seq")?;
        ensure!(
            seq == self.seq + 1,
            "after {} comes {seq}: {event}",
            self.seq
        );
        let at = integer(event, "at")?;
        let is_step = self.allows_clock_steps && event["kind"] == "clock_credited";
        ensure!(at >= self.last_at || is_step, "time goes back: {event}");
        ensure!(!self.is_over(), "no event follows the end: {event}");
        (self.seq, self.last_at) = (seq, at);
        self.events.push(event.clone());
        if let Some(clocks) = event.get("clocks") {
            self.clocks = clocks.clone();
        }
        let kind = event["kind"].as_str().context("a kind")?;
        let applied = self.apply(kind, event);
        let applied = applied.and_then(|()| self.adjourning(kind, event));
        applied.with_context(|| event.to_string())
    }

    fn apply(&mut self, kind: &str, event: &Value) -> Result<()> {
        match kind {
            "created" => self.created(event)?,
            "seat_ready" => self.seat(event)?.is_ready = true,
            "order_drawn" => self.first = Some(number(event, "first")?),
            "bag_shuffled" => self.bag = integer(event, "count")?,
            "tiles_drawn" => self.drawn(event)?,
            "turn_started" => {
                self.phase = "running".to_owned();
                self.turn_no = number(event, "turn_no")?;
                self.on_turn = Some(number(event, "seat")?);
                self.first = self.first.or(self.on_turn);
                self.nudge = None;
            }
            "play_made" => self.play(event)?,
            "exchanged" => self.exchanged(event)?,
            "passed" => {
                let rack = self.seat(event)?.rack.clone();
                self.turn(event, "pass", &[], rack)?;
            }
            "turn_lost" => {
                self.turn_no = number(event, "turn_no")?;
                let rack = self.seat(event)?.rack.clone();
                self.turn(event, "lost_turn", &[], rack)?;
                let seat = self.seat(event)?;
                seat.turn_debt = seat.turn_debt.saturating_sub(1);
            }
            "accepted" | "hold_started" | "hold_ended" | "challenge_opened" => {
                self.in_window(kind, event)?;
            }
            "challenge_decided" => self.verdict(event)?,
            "window_closed" => {
                self.of_window(event)?;
                self.window = None;
            }
            "clock_credited" => self.credited(event)?,
            "seat_vanished" => {
                let entry = json!({ "seat": event["seat"], "claim_at": event["claim_at"] });
                self.vanished.push(entry);
            }
            "seat_returned" => self.vanished.retain(|entry| entry["seat"] != event["seat"]),
            "abort_requested" => {
                let request = json!({ "seat": event["seat"], "until": event["until"] });
                self.abort_request = Some(request);
            }
            "abort_declined" => self.abort_request = None,
            "nudged" => {
                let mut nudge = json!({ "seat": event["seat"], "target": event["target"] });
                if let Some(claim_at) = event.get("claim_at") {
                    nudge["claim_at"] = claim_at.clone();
                }
                self.nudge = Some(nudge);
            }
            "nudge_answered" => self.nudge = None,
            "vacation" => self.seat(event)?.vacation_until = Some(integer(event, "until")?),
            "time_refused" => {
                self.time_refused.push(number(event, "seat")?);
                self.time_refused.sort_unstable();
            }
            "hint_used" => self.hint_used(event),
            "seat_retired" => {
                self.end_nudge_of(event);
                self.vanished.retain(|entry| entry["seat"] != event["seat"]);
                let reason = event["reason"].as_str().context("a reason")?.to_owned();
                self.seat(event)?.retired = Some(reason);
            }
            "ended" => self.ended(event),
            // Kinds of a later version, and kinds that change no snapshot.
            _ => {}
        }
        Ok(())
    }

    fn hint_used(&mut self, event: &Value) {
        self.hints.push(json!({
            "seat": event["seat"], "turn_no": self.turn_no, "grade": event["grade"],
        }));
    }

    /// Ends the nudge of the seat of an event, which has used its turn or has left.
    fn end_nudge_of(&mut self, event: &Value) {
        let is_its = |nudge: &Value| nudge["target"] == event["seat"];
        self.nudge.take_if(|nudge| is_its(nudge));
    }

    fn created(&mut self, event: &Value) -> Result<()> {
        self.setup = event["setup"].clone();
        self.phase = "waiting".to_owned();
        let seats = self.setup["seats"].as_array().context("seats")?;
        self.seats = vec![Seat::default(); seats.len()];
        let tiles = self.setup["rule_set"]["tiles"]
            .as_array()
            .context("tiles")?;
        self.bag = tiles.iter().filter_map(|tile| tile["count"].as_i64()).sum();
        Ok(())
    }

    fn drawn(&mut self, event: &Value) -> Result<()> {
        let (count, bag) = (integer(event, "count")?, integer(event, "bag")?);
        let is_own = self.is_own(event);
        let seat = self.seat(event)?;
        seat.rack_count += count - seat.owed;
        seat.owed = 0;
        if event.get("tiles").is_some() || is_own {
            let tiles = texts(&event["tiles"]).context("the own tiles are shown")?;
            ensure!(
                i64::try_from(tiles.len())? == count,
                "{count} tiles are listed"
            );
            seat.rack
                .iter_mut()
                .for_each(|rack| rack.extend(tiles.iter().cloned()));
        } else {
            seat.rack = None;
        }
        self.bag = bag;
        Ok(())
    }

    fn ended(&mut self, event: &Value) {
        self.phase = "ended".to_owned();
        self.on_turn = None;
        self.abort_request = None;
        self.nudge = None;
        let mut result = event.as_object().cloned().unwrap_or_default();
        for header in ["game", "seq", "at", "kind"] {
            result.remove(header);
        }
        self.result = Some(Value::Object(result));
    }
}
