//! The fold of a game's events, as the document describes them: what a snapshot must say (P-EVENT-4).
//!
//! Nothing is computed by the rules of the game: whatever a client has to know must follow from what events say.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Map, Value, json};

/// What one audience knows of a game.
#[derive(Debug, Clone, Default)]
pub struct Fold {
    /// The own seat; `None` for a spectator.
    pub own: Option<u64>,
    /// The position.
    pub seq: u64,
    /// Every event, in order.
    pub events: Vec<Value>,
    /// What was fixed at creation.
    pub setup: Value,
    /// Where the game stands.
    pub phase: String,
    /// The number of the turn.
    pub turn_no: u64,
    /// Whose it is.
    pub on_turn: Option<u64>,
    /// The faces on the board, by square.
    pub board: BTreeMap<String, String>,
    /// The seats.
    pub seats: Vec<Seat>,
    /// Tiles in the bag, owed ones taken off.
    pub bag: i64,
    /// The clocks as they were told last.
    pub clocks: Value,
    /// The open window, as a snapshot has it.
    pub window: Option<Map<String, Value>>,
    pub(super) first: Option<u64>,
    pub(super) turns: Vec<Value>,
    pub(super) vanished: Vec<Value>,
    pub(super) result: Option<Value>,
    last_play: Value,
    last_at: i64,
}

/// What is known of a seat.
#[derive(Debug, Clone, Default)]
pub struct Seat {
    /// Its points.
    pub score: i64,
    /// How many tiles it has.
    pub rack_count: i64,
    /// Which, if that can be known.
    pub rack: Vec<String>,
    pub(super) ready: bool,
    pub(super) retired: Option<String>,
    pub(super) turn_debt: u64,
    owed: i64,
}

/// The whole number in a field.
///
/// # Errors
/// When there is none.
pub fn number(value: &Value, field: &str) -> Result<u64> {
    value[field]
        .as_u64()
        .with_context(|| format!("{field} is missing: {value}"))
}

/// The texts in a list.
///
/// # Errors
/// When it is none.
pub fn texts(value: &Value) -> Result<Vec<String>> {
    let values = value.as_array().context("a list")?;
    values
        .iter()
        .map(|text| Ok(text.as_str().context("text")?.to_owned()))
        .collect()
}

fn integer(value: &Value, field: &str) -> Result<i64> {
    value[field]
        .as_i64()
        .with_context(|| format!("{field} is missing: {value}"))
}

/// The squares a play covers with tiles of its own, and their faces.
///
/// # Errors
/// When the start is none.
pub fn laid(play: &Value) -> Result<Vec<(String, String)>> {
    let start = play["start"].as_str().context("a start")?;
    let across = start.starts_with(|c: char| c.is_ascii_digit());
    let row: String = start.chars().filter(char::is_ascii_digit).collect();
    let row: u32 = row.parse()?;
    let col = start.chars().find(char::is_ascii_alphabetic);
    let col = u32::from(col.context("a column")?);
    let faces = texts(&play["tiles"])?;
    let laid = faces.into_iter().zip(0..).filter(|(face, _)| face != ".");
    laid.map(|(face, steps)| {
        let (row, col) = if across {
            (row, col + steps)
        } else {
            (row + steps, col)
        };
        let col = char::from_u32(col).context("a column")?;
        Ok((format!("{col}{row}"), face))
    })
    .collect()
}

/// The face of the tile on the rack that was laid as `face`: a blank stands for a letter in lower case.
fn on_rack(face: &str) -> &str {
    if face.chars().any(char::is_lowercase) {
        "?"
    } else {
        face
    }
}

impl Fold {
    /// What is known before anything happened.
    #[must_use]
    pub fn new(own: Option<u64>) -> Self {
        Self {
            own,
            ..Self::default()
        }
    }

    /// Whether the game has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.phase == "ended"
    }

    /// The tiles of the own rack.
    #[must_use]
    pub fn rack(&self) -> &[String] {
        let own = self.own.and_then(|own| usize::try_from(own).ok());
        own.and_then(|own| self.seats.get(own))
            .map_or(&[], |seat| &seat.rack)
    }

    fn seat(&mut self, event: &Value) -> Result<&mut Seat> {
        let seat = usize::try_from(number(event, "seat")?)?;
        self.seats.get_mut(seat).context("a seat of this game")
    }

    fn is_own(&self, event: &Value) -> bool {
        self.own.is_some() && event["seat"].as_u64() == self.own
    }

    /// Takes in the body of an event.
    ///
    /// # Errors
    /// When it is not the next one, or lacks what the document promises.
    pub fn event(&mut self, event: &Value) -> Result<()> {
        let seq = number(event, "seq")?;
        ensure!(
            seq == self.seq + 1,
            "after {} comes {seq}: {event}",
            self.seq
        );
        let at = integer(event, "at")?;
        ensure!(at >= self.last_at, "time goes back: {event}");
        ensure!(!self.is_over(), "no event follows the end: {event}");
        (self.seq, self.last_at) = (seq, at);
        self.events.push(event.clone());
        if let Some(clocks) = event.get("clocks") {
            self.clocks = clocks.clone();
        }
        let kind = event["kind"].as_str().context("a kind")?;
        self.apply(kind, event).with_context(|| event.to_string())
    }

    fn apply(&mut self, kind: &str, event: &Value) -> Result<()> {
        match kind {
            "created" => self.created(event)?,
            "seat_ready" => self.seat(event)?.ready = true,
            "order_drawn" => self.first = Some(number(event, "first")?),
            "bag_shuffled" => self.bag = integer(event, "count")?,
            "tiles_drawn" => self.drawn(event)?,
            "turn_started" => {
                self.phase = "running".to_owned();
                self.turn_no = number(event, "turn_no")?;
                self.on_turn = Some(number(event, "seat")?);
                self.first = self.first.or(self.on_turn);
            }
            "play_made" => self.play(event)?,
            "exchanged" => self.exchanged(event)?,
            "passed" => self.turn(event, "pass", &[])?,
            "turn_lost" => {
                self.turn(event, "lost_turn", &[])?;
                let seat = self.seat(event)?;
                seat.turn_debt = seat.turn_debt.saturating_sub(1);
            }
            "accepted" | "hold_started" | "hold_ended" | "challenge_opened" => {
                self.in_window(kind, event)?;
            }
            "challenge_decided" => self.verdict(event)?,
            "window_closed" => self.window = None,
            "clock_credited" => self.credited(event)?,
            "seat_vanished" => {
                let entry = json!({ "seat": event["seat"], "claim_at": event["claim_at"] });
                self.vanished.push(entry);
            }
            "seat_returned" => self.vanished.retain(|entry| entry["seat"] != event["seat"]),
            "seat_retired" => {
                self.vanished.retain(|entry| entry["seat"] != event["seat"]);
                let reason = event["reason"].as_str().context("a reason")?.to_owned();
                self.seat(event)?.retired = Some(reason);
            }
            "ended" => self.ended(event),
            // Of a later version, or of no consequence for a snapshot.
            _ => {}
        }
        Ok(())
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
        if is_own {
            let tiles = texts(&event["tiles"]).context("the own tiles are shown")?;
            ensure!(i64::try_from(tiles.len())? == count, "as many as counted");
            seat.rack.extend(tiles);
        }
        self.bag = bag;
        Ok(())
    }

    fn take_from_rack(&mut self, event: &Value, used: &[String]) -> Result<()> {
        let is_own = self.is_own(event);
        let seat = self.seat(event)?;
        seat.rack_count -= i64::try_from(used.len())?;
        for tile in used.iter().filter(|_| is_own) {
            let at = seat.rack.iter().position(|own| own == tile);
            seat.rack
                .remove(at.with_context(|| format!("{tile} is on the rack"))?);
        }
        Ok(())
    }

    fn turn(&mut self, event: &Value, kind: &str, more: &[&str]) -> Result<()> {
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
        self.turns.push(record);
        self.on_turn = None;
        Ok(())
    }

    fn play(&mut self, event: &Value) -> Result<()> {
        let laid = laid(event)?;
        for (square, face) in &laid {
            let before = self.board.insert(square.clone(), face.clone());
            ensure!(before.is_none(), "{square} is free");
        }
        let used: Vec<String> = laid
            .iter()
            .map(|(_, face)| on_rack(face).to_owned())
            .collect();
        self.take_from_rack(event, &used)?;
        let (total, owed) = (integer(event, "total")?, integer(event, "owed")?);
        let seat = self.seat(event)?;
        seat.score = total;
        seat.owed = owed;
        seat.rack_count += owed;
        self.bag -= owed;
        self.turn(event, "play", &["start", "tiles", "words"])?;
        if let Some(window) = event.get("window") {
            let mut open = window.as_object().context("a map")?.clone();
            if open.get("final") == Some(&json!(true)) {
                self.phase = "final".to_owned();
            }
            let others = (0..self.seats.len()).filter(|seat| event["seat"] != json!(seat));
            let others = json!(others.collect::<Vec<_>>());
            open.entry("eligible").or_insert(others);
            open.entry("final").or_insert(json!(false));
            open.insert("play_id".to_owned(), event["seq"].clone());
            open.insert("author".to_owned(), event["seat"].clone());
            open.insert("accepted".to_owned(), json!([]));
            open.insert("holds_used".to_owned(), json!([]));
            self.window = Some(open);
        }
        self.last_play = event.clone();
        Ok(())
    }

    fn exchanged(&mut self, event: &Value) -> Result<()> {
        let count = usize::try_from(number(event, "count")?)?;
        let given = if self.is_own(event) {
            texts(&event["tiles"]).context("the own tiles are shown")?
        } else {
            vec![String::new(); count]
        };
        self.take_from_rack(event, &given)?;
        self.turn(event, "exchange", &["tiles", "count"])
    }

    fn in_window(&mut self, kind: &str, event: &Value) -> Result<()> {
        let window = self.window.as_mut().context("a window is open")?;
        ensure!(
            window.get("play_id") == event.get("play_id"),
            "of this play"
        );
        let add = |window: &mut Map<String, Value>, list: &str| {
            if let Some(Value::Array(seats)) = window.get_mut(list) {
                seats.push(event["seat"].clone());
                seats.sort_by_key(Value::as_u64);
            }
        };
        match kind {
            "accepted" => add(window, "accepted"),
            "hold_started" => {
                window.insert("held_by".to_owned(), event["seat"].clone());
                window.insert("hold_until".to_owned(), event["until"].clone());
                add(window, "holds_used");
            }
            "hold_ended" => {
                window.remove("held_by");
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

    fn verdict(&mut self, event: &Value) -> Result<()> {
        let totals = event["totals"].as_array().context("totals")?;
        for (seat, total) in self.seats.iter_mut().zip(totals) {
            seat.score = total.as_i64().context("points")?;
        }
        self.seat(event)?.turn_debt = number(event, "turn_debt")?;
        if event["upheld"] != true {
            return Ok(());
        }
        let play = self.last_play.clone();
        let is_own = self.is_own(&play);
        let laid = laid(&play)?;
        for (square, _) in &laid {
            self.board.remove(square);
        }
        let seat = self.seat(&play)?;
        let owed = std::mem::take(&mut seat.owed);
        seat.rack_count += i64::try_from(laid.len())? - owed;
        if is_own {
            seat.rack
                .extend(laid.iter().map(|(_, face)| on_rack(face).to_owned()));
        }
        let total = seat.score;
        self.bag += owed;
        self.on_turn = None;
        let record = self
            .turns
            .iter_mut()
            .find(|turn| turn["play_id"] == play["seq"]);
        let record = record.context("the play was a turn")?;
        record["off"] = json!(true);
        record["total"] = json!(total);
        Ok(())
    }

    fn credited(&mut self, event: &Value) -> Result<()> {
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
        for entry in &mut self.vanished {
            shift(&mut entry["claim_at"]);
        }
        Ok(())
    }

    fn ended(&mut self, event: &Value) {
        self.phase = "ended".to_owned();
        self.on_turn = None;
        let mut result = event.as_object().cloned().unwrap_or_default();
        for header in ["game", "seq", "at", "kind"] {
            result.remove(header);
        }
        self.result = Some(Value::Object(result));
    }
}
