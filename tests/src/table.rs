//! What a player knows of a game, folded from the lines its client prints.

use std::sync::Arc;

use serde_json::Value;
use tilewire_rules::alphabet::Tile;
use tilewire_rules::board::{Board, Direction, Square};
use tilewire_rules::notation;
use tilewire_rules::ruleset::RuleSet;

/// One player's or spectator's knowledge.
#[derive(Debug, Clone)]
pub struct Table {
    rules: Arc<RuleSet>,
    /// The tiles on the board.
    pub board: Board,
    /// The own rack; empty for a spectator.
    pub rack: Vec<Tile>,
    /// Tiles in the bag.
    pub bag: u64,
    /// The current turn and who is on it.
    pub turn: Option<(u64, u64)>,
    /// The last play, while it can be challenged: its id, its author, and whether it is the last.
    pub window: Option<(u64, u64, bool)>,
    /// Everybody's points.
    pub scores: Vec<i64>,
    /// The last event.
    pub seq: u64,
    /// Every event in order.
    pub events: Vec<Value>,
    /// Whether the game has ended.
    pub is_over: bool,
    last_play: Option<Value>,
    /// Seats that may still challenge the last play.
    undecided: Vec<u64>,
    own_seat: Option<u64>,
}

impl Table {
    /// Returns what is known before anything happened; `own_seat` is `None` for a spectator.
    #[must_use]
    pub fn new(own_seat: Option<u64>, seats: usize) -> Self {
        Self {
            rules: RuleSet::classic(),
            board: Board::new(15, 15),
            rack: Vec::new(),
            bag: 100,
            turn: None,
            window: None,
            scores: vec![0; seats],
            seq: 0,
            events: Vec::new(),
            is_over: false,
            last_play: None,
            undecided: Vec::new(),
            own_seat,
        }
    }

    /// Takes in an event, whatever fields the line has besides.
    ///
    /// # Panics
    /// When the event is not the next one: nothing may be lost or come twice.
    pub fn event(&mut self, event: &Value) {
        let seq = number(event, "seq");
        assert_eq!(seq, self.seq + 1, "events come without gaps: {event}");
        self.seq = seq;
        self.events.push(event.clone());
        match event["kind"].as_str().expect("an event has a kind") {
            "created" => self.rules = tiles_of(event),
            "tiles_drawn" => self.drawn(event),
            "turn_started" => self.turn = Some((number(event, "turn_no"), number(event, "seat"))),
            "play_made" => self.play(event),
            "exchanged" => {
                self.turn = None;
                if Some(number(event, "seat")) == self.own_seat {
                    self.take_from_rack(&tiles(&self.rules, &event["tiles"]));
                }
            }
            "passed" | "turn_lost" => self.turn = None,
            "challenge_decided" => self.verdict(event),
            "accepted" => {
                let seat = number(event, "seat");
                self.undecided.retain(|undecided| *undecided != seat);
                if self.undecided.is_empty() {
                    // It closes with the next event.
                    self.window = None;
                }
            }
            "window_closed" => self.window = None,
            "ended" => self.is_over = true,
            _ => {}
        }
    }

    /// Takes in a whole game, in place of all events up to its own.
    ///
    /// # Panics
    /// When it is older than what is known.
    pub fn snapshot(&mut self, snapshot: &Value) {
        let seq = number(snapshot, "seq");
        assert!(seq >= self.seq, "nothing goes back: {snapshot}");
        self.seq = seq;
        self.board = Board::new(15, 15);
        for tile in snapshot["board"].as_array().expect("a board") {
            let square = tile["square"]
                .as_str()
                .and_then(|square| square.parse().ok());
            let placed = tile["tile"]
                .as_str()
                .and_then(|face| self.rules.tiles.parse_placed(face));
            self.board
                .place(square.expect("a square"), placed.expect("a known face"));
        }
        let seats = snapshot["seats"].as_array().expect("seats");
        self.scores = seats
            .iter()
            .map(|seat| seat["score"].as_i64().expect("a score"))
            .collect();
        if let Some(own) = self.own_seat {
            self.rack = tiles(&self.rules, &seats[index(own)]["rack"]);
        }
        self.bag = number(snapshot, "bag");
        self.turn = snapshot["on_turn"]
            .as_u64()
            .map(|seat| (number(snapshot, "turn_no"), seat));
        self.window = snapshot.get("window").map(|window| {
            (
                number(window, "play_id"),
                number(window, "author"),
                window["final"] == true,
            )
        });
        let list = |name: &str| {
            let seats = snapshot["window"][name]
                .as_array()
                .cloned()
                .unwrap_or_default();
            seats.iter().filter_map(Value::as_u64).collect::<Vec<_>>()
        };
        let accepted = list("accepted");
        self.undecided = list("eligible")
            .into_iter()
            .filter(|seat| !accepted.contains(seat))
            .collect();
        self.is_over = snapshot["phase"] == "ended";
    }

    /// Returns the tiles of a play event with the squares they lie on.
    #[must_use]
    pub fn laid(&self, play: &Value) -> Vec<(Square, tilewire_rules::alphabet::Placed)> {
        let start = play["start"].as_str().expect("a play has a start");
        let (start, direction) = notation::parse_coordinate(start).expect("a coordinate");
        let faces = play["tiles"].as_array().expect("a play has tiles");
        faces
            .iter()
            .zip(0..)
            .filter_map(|(face, steps)| {
                let face = face.as_str().expect("a face is text");
                let cell = notation::parse_cell(face, &self.rules.tiles).expect("a known face");
                cell.map(|placed| (start.ahead(direction, steps), placed))
            })
            .collect()
    }

    fn drawn(&mut self, event: &Value) {
        self.bag = number(event, "bag");
        if Some(number(event, "seat")) == self.own_seat {
            self.rack.extend(tiles(&self.rules, &event["tiles"]));
        }
    }

    fn play(&mut self, event: &Value) {
        let seat = number(event, "seat");
        let laid = self.laid(event);
        for (square, placed) in &laid {
            self.board.place(*square, *placed);
        }
        if Some(seat) == self.own_seat {
            let used: Vec<Tile> = laid.iter().map(|(_, placed)| placed.tile).collect();
            self.take_from_rack(&used);
        }
        self.turn = None;
        self.scores[index(seat)] = event["total"].as_i64().expect("a total");
        if let Some(window) = event.get("window") {
            let is_final = window["final"] == true;
            self.window = Some((number(event, "seq"), seat, is_final));
            self.undecided = match window["eligible"].as_array() {
                Some(eligible) => eligible.iter().filter_map(Value::as_u64).collect(),
                None => (0..self.scores.len() as u64)
                    .filter(|other| *other != seat)
                    .collect(),
            };
        }
        self.last_play = Some(event.clone());
    }

    fn verdict(&mut self, event: &Value) {
        let totals = event["totals"].as_array().expect("totals");
        self.scores = totals
            .iter()
            .map(|total| total.as_i64().expect("points"))
            .collect();
        let challenger = number(event, "seat");
        if event["turn_debt"] != 0 && self.turn.is_some_and(|(_, seat)| seat == challenger) {
            // It is lost at once; whose turn it is comes next.
            self.turn = None;
        }
        if event["upheld"] == true {
            self.turn = None;
            let play = self.last_play.clone().expect("a play was challenged");
            for (square, placed) in self.laid(&play) {
                self.board.remove(square);
                if Some(number(&play, "seat")) == self.own_seat {
                    self.rack.push(placed.tile);
                }
            }
        }
    }

    fn take_from_rack(&mut self, used: &[Tile]) {
        for tile in used {
            let at = self
                .rack
                .iter()
                .position(|own| own == tile)
                .expect("from the own rack");
            self.rack.remove(at);
        }
    }
}

/// Returns a play as a person types it: `8F HORN`.
#[must_use]
pub fn typed(play: &tilewire_rules::play::Play) -> String {
    notation::format(&play.placement(), &RuleSet::classic().tiles)
}

/// Returns tiles as a person types them: `AEI?`.
#[must_use]
pub fn typed_tiles(tiles: &[Tile]) -> String {
    notation::format_rack(tiles, &RuleSet::classic().tiles)
}

/// Returns the whole number in a field.
///
/// # Panics
/// When there is none.
#[must_use]
pub fn number(event: &Value, field: &str) -> u64 {
    event[field]
        .as_u64()
        .unwrap_or_else(|| panic!("{field} of {event}"))
}

pub(crate) fn index(seat: u64) -> usize {
    usize::try_from(seat).expect("a seat is small")
}

/// The classic rules with the tiles of the game's language.
fn tiles_of(created: &Value) -> Arc<RuleSet> {
    let language = created["setup"]["rule_set"]["language"].as_str();
    let rules = RuleSet::classic().in_language(language.unwrap_or("english"));
    Arc::new(rules.expect("a language of the classic rules"))
}

fn tiles(rules: &RuleSet, faces: &Value) -> Vec<Tile> {
    let faces = faces.as_array().expect("the own tiles are shown");
    let tile = |face: &Value| {
        rules
            .tiles
            .parse_tile(face.as_str().expect("a face is text"))
    };
    faces
        .iter()
        .map(|face| tile(face).expect("a known face"))
        .collect()
}

/// Returns where a coordinate points.
#[must_use]
pub fn coordinate(text: &str) -> (Square, Direction) {
    notation::parse_coordinate(text).expect("a coordinate")
}
