//! Reads the records of a game's log as documents.
//!
//! A document made of a record hides nothing: `bag_shuffled` has the `order` of the bag, and all tiles are listed.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use serde_json::{Map, Value, json};
use tilewire_rules::alphabet::{Placed, Tile};
use tilewire_rules::board::{Direction, Square};
use tilewire_rules::event::{Created, Event, PlayMade, PublicEvent, Record, Verdict};
use tilewire_rules::options::{Consent, GameOptions, PointsPer, TurnLimit};
use tilewire_rules::ruleset::{Level, RackCount, RuleSet};

/// A reader of the records of one game.
#[derive(Debug)]
pub struct Records {
    rules: Arc<RuleSet>,
    /// Turns that each seat owes.
    debts: Vec<u64>,
}

impl Records {
    /// Returns the reader for a game with these rules.
    #[must_use]
    pub const fn new(rules: Arc<RuleSet>) -> Self {
        Self {
            rules,
            debts: Vec::new(),
        }
    }

    /// Returns the document of the next record.
    ///
    /// # Errors
    /// When the record has no JSON form.
    pub fn document(&mut self, record: &Record) -> Result<Value> {
        let (kind, mut body) = match &record.event {
            Event::Created(created) => {
                self.debts = vec![0; usize::from(created.options.seats)];
                ("created", json!({ "setup": setup(&self.rules, created)? }))
            }
            Event::BagShuffled { label, order } => {
                let body =
                    json!({ "label": label, "count": order.len(), "order": self.faces(order) });
                ("bag_shuffled", body)
            }
            Event::TilesDrawn { seat, tiles, bag } => {
                let faces = self.faces(tiles);
                let body =
                    json!({ "seat": seat, "count": tiles.len(), "tiles": faces, "bag": bag });
                ("tiles_drawn", body)
            }
            Event::Exchanged {
                turn_no,
                seat,
                tiles,
            } => {
                let faces = self.faces(tiles);
                let body = json!({ "turn_no": turn_no, "seat": seat, "count": tiles.len(), "tiles": faces });
                ("exchanged", body)
            }
            Event::Public(event) => self.public(event)?,
        };
        body["seq"] = json!(record.seq);
        body["at"] = json!(record.at);
        body["kind"] = json!(kind);
        Ok(body)
    }

    /// Most public events have the fields of their documents; the others are rewritten.
    fn public(&mut self, event: &PublicEvent) -> Result<(&'static str, Value)> {
        let written = serde_json::to_value(event)?;
        let (kind, body) = written
            .as_object()
            .and_then(|map| map.iter().next())
            .context("a kind")?;
        let mut body = body.clone();
        match event {
            PublicEvent::PlayMade(play) => body = self.play(play),
            PublicEvent::TurnLost { seat, .. } => {
                let debt = self.debts.get_mut(seat.index()).context("a seat")?;
                *debt = debt.saturating_sub(1);
            }
            PublicEvent::ChallengeDecided(decided) => {
                let debt = self.debts.get_mut(decided.seat.index()).context("a seat")?;
                *debt += u64::from(decided.verdict == Verdict::StandsTurnLost);
                body["turn_debt"] = json!(debt);
                body["upheld"] = json!(decided.verdict.is_off());
                body["withdrawn"] = json!(decided.verdict == Verdict::Withdrawn);
                let points = decided.points.iter();
                let points = points.map(|(seat, points)| json!({ "seat": seat, "points": points }));
                body["points"] = points.collect();
            }
            PublicEvent::Ended(ended) => {
                let results = body["results"].as_array_mut().context("results")?;
                for (result, own) in results.iter_mut().zip(&ended.results) {
                    result["time_penalty"] = json!(-own.time_penalty);
                    result["rack"] = json!(self.faces(&own.rack));
                }
            }
            _ => {}
        }
        body.as_object_mut()
            .context("fields")?
            .retain(|_, value| !value.is_null());
        if let Some(clocks) = body.get_mut("clocks").and_then(Value::as_object_mut) {
            clocks.retain(|_, value| !value.is_null());
        }
        Ok((kind_of(kind)?, body))
    }

    fn play(&self, play: &PlayMade) -> Value {
        let tiles = play.tiles.iter();
        let tiles = tiles.map(|cell| cell.map_or_else(|| ".".to_owned(), |tile| self.face(tile)));
        let words = play.words.iter().map(|word| json!([word.word, word.score]));
        let mut body = json!({
            "turn_no": play.turn_no, "seat": play.seat, "start": start(play.start, play.direction),
            "tiles": tiles.collect::<Vec<_>>(), "words": words.collect::<Vec<_>>(), "bonus": play.bonus,
            "score": play.score, "total": play.total, "owed": play.owed,
        });
        if let Some(window) = &play.window {
            let mut open = Map::new();
            open.insert("eligible".to_owned(), json!(window.eligible));
            open.insert("final".to_owned(), json!(window.final_clocks.is_some()));
            if let Some(at) = window.closes_at {
                open.insert("closes_at".to_owned(), json!(at));
            }
            body["window"] = Value::Object(open);
            if let Some(clocks) = &window.final_clocks {
                body["clocks"] =
                    json!({ "main_ms": clocks.main_ms, "allowance_ms": clocks.allowance_ms });
            }
        }
        body
    }

    fn faces(&self, tiles: &[Tile]) -> Vec<&str> {
        let set = &self.rules.tiles;
        tiles.iter().map(|tile| set.tile_face(*tile)).collect()
    }

    fn face(&self, placed: Placed) -> String {
        let face = self.rules.tiles.face(placed.letter);
        if placed.tile == Tile::BLANK {
            face.to_lowercase()
        } else {
            face.to_owned()
        }
    }
}

/// Returns a kind of event as a constant.
fn kind_of(kind: &str) -> Result<&'static str> {
    const KINDS: [&str; 34] = [
        "seat_ready",
        "board_drawn",
        "order_drawn",
        "turn_started",
        "play_made",
        "passed",
        "turn_lost",
        "accepted",
        "hold_started",
        "hold_ended",
        "challenge_opened",
        "challenge_decided",
        "window_closed",
        "clock_credited",
        "seat_vanished",
        "seat_returned",
        "abort_requested",
        "abort_declined",
        "nudged",
        "nudge_answered",
        "adjourn_requested",
        "adjourn_agreed",
        "adjourn_declined",
        "adjourned",
        "ready_to_resume",
        "not_ready_to_resume",
        "resumed",
        "paused",
        "vacation",
        "time_given",
        "time_refused",
        "hint_used",
        "seat_retired",
        "ended",
    ];
    let known = KINDS.into_iter().find(|known| *known == kind);
    known.with_context(|| format!("an unknown kind of record: {kind}"))
}

fn start(square: Square, direction: Direction) -> String {
    let col = char::from(b'A' + square.col);
    let row = square.row + 1;
    match direction {
        Direction::Across => format!("{row}{col}"),
        Direction::Down => format!("{col}{row}"),
    }
}

fn setup(rules: &RuleSet, created: &Created) -> Result<Value> {
    let options = &created.options;
    let targets = created.players.iter().map(|player| {
        let targets = rules.targets?;
        let column = match options.seats {
            2 => targets.two,
            3 => targets.three,
            _ => targets.four,
        };
        Some(match player.level {
            Some(Level::Beginner) => column.beginner,
            Some(Level::Expert) => column.expert,
            Some(Level::Intermediate) | None => column.intermediate,
        })
    });
    let targets: Vec<Option<i32>> = targets.collect();
    let seats = created
        .players
        .iter()
        .map(|player| json!({ "identity": player.identity, "kind": player.kind }));
    Ok(json!({
        "game": created.game, "rule_set": rule_set(rules), "options": written(options)?, "targets": targets,
        "seats": seats.collect::<Vec<_>>(),
    }))
}

/// Returns the document of a rule set.
fn rule_set(rules: &RuleSet) -> Value {
    let set = &rules.tiles;
    let tiles = set.kinds().map(|tile| {
        json!({ "face": set.tile_face(tile), "count": set.count(tile), "value": set.value(tile) })
    });
    let bingo = rules.bingo.iter();
    let bingo = bingo.map(|bingo| json!({ "tiles": bingo.tiles, "bonus": bingo.bonus }));
    let start = rules.layout.start();
    let rack_count = match rules.rack_count {
        RackCount::Always => "always",
        RackCount::EmptyBag => "empty_bag",
    };
    json!({
        "rack_size": rules.rack_size, "exchange_min_bag": rules.exchange_min_bag, "rack_count": rack_count,
        "opening_min_tiles": rules.opening_min_tiles, "bingo": bingo.collect::<Vec<_>>(), "tiles": tiles.collect::<Vec<_>>(),
        "board": {
            "start": self::start(start, Direction::Down), "layout": rules.layout.drawing(),
        },
    })
}

/// Returns options as a document.
fn written(options: &GameOptions) -> Result<Value> {
    let mut clock = serde_json::to_value(options.clock)?;
    clock = match clock {
        Value::String(kind) => json!({ "kind": kind }),
        Value::Object(kinds) => {
            let (kind, mut fields) = kinds.into_iter().next().context("a kind of clock")?;
            fields["kind"] = json!(kind);
            fields
        }
        other => other,
    };
    let challenge = &options.challenge;
    let rule = options.inactivity;
    let (limit, per_seat) = match rule.limit {
        TurnLimit::PerActiveSeat(limit) => (limit, true),
        TurnLimit::Total(limit) => (limit, false),
    };
    Ok(json!({
        "clock": clock,
        "rated": options.rated,
        "vanish": options.vanish,
        "vacation": options.vacation,
        "hints": options.hints,
        "challenge": {
            "kind": challenge.kind, "per_word": challenge.points_per == PointsPer::Word,
            "consent": challenge.consent == Consent::Asked,
        },
        "end": {
            "limit": limit, "per_seat": per_seat, "counts": rule.counts, "unless_all_zero": rule.unless_all_zero,
        },
    }))
}
