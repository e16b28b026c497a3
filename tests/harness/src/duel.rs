//! A game of two players on plain connections, for requests that no correct client sends.

use serde_json::{Value, json};
use tilewire_oracle::Fold;

use crate::server::Server;
use crate::wire::{Wire, target};
use tilewire_conformance::link::Link;
use tilewire_conformance::pair::Pair;
use tilewire_conformance::position::{index, number};

/// A game of two, as far as it has been looked at.
#[derive(Debug)]
pub struct Duel {
    /// The connections by seat.
    pub wires: Vec<Wire>,
    /// The players' tokens by seat.
    pub tokens: Vec<String>,
    /// The game as each player knows it.
    pub folds: Vec<Fold>,
    /// The game's id.
    pub game: String,
    commands: u32,
}

/// The options of a usual game with this clock.
#[must_use]
pub fn options(clock: &Value) -> Value {
    json!({
        "rule_set": "classic", "seats": 2, "lexicon": "wordnik", "clock": clock,
        "challenge": { "kind": "double" }, "first": "owner",
    })
}

impl Duel {
    /// Seats two new guests and lets the game begin; seat 0 is on turn.
    #[must_use]
    pub fn start(server: &Server, options: &Value) -> Self {
        Self::at(&server.address, options)
    }

    /// Does the same on the server at `address`.
    ///
    /// # Panics
    /// When no game begins.
    #[must_use]
    pub fn at(address: &str, options: &Value) -> Self {
        let pair = Pair::start(&target(address), options).expect("a game begins");
        Self {
            tokens: pair.links.iter().map(Link::token).collect(),
            wires: pair.links.into_iter().map(Wire::from).collect(),
            folds: pair.folds,
            game: pair.game,
            commands: 0,
        }
    }

    /// Sends a game command and returns its answer.
    pub fn ask(&mut self, seat: usize, op: &str, mut body: Value) -> Value {
        self.commands += 1;
        let fields = body.as_object_mut().expect("a body is an object");
        fields.insert("game".to_owned(), json!(self.game));
        fields
            .entry("cmd_id")
            .or_insert(json!(format!("c-{seat}-{}", self.commands)));
        self.wires[seat].ask(op, body)
    }

    /// Sends a game command that must be accepted; returns the event's number.
    pub fn ok(&mut self, seat: usize, op: &str, body: Value) -> u64 {
        let answer = self.ask(seat, op, body);
        assert_eq!(answer[0], "ok", "{answer}");
        number(&answer[2], "seq")
    }

    /// Sends a game command that must be refused; returns the code.
    pub fn refused(&mut self, seat: usize, op: &str, body: Value) -> String {
        let answer = self.ask(seat, op, body);
        assert_eq!(answer[0], "error", "{op}: {answer}");
        answer[2]["code"]
            .as_str()
            .expect("an error has a code")
            .to_owned()
    }

    /// Reads events until the player's knowledge is as wanted.
    pub fn until(&mut self, seat: usize, wanted: impl Fn(&Fold) -> bool) {
        while !wanted(&self.folds[seat]) {
            let event = self.wires[seat].pushed(|message| message[0] == "event");
            self.folds[seat].event(&event[2]).expect("the next event");
        }
    }

    /// Reads events to the end of the game and returns the last one.
    pub fn ended(&mut self, seat: usize) -> Value {
        self.until(seat, Fold::is_over);
        self.folds[seat]
            .events
            .last()
            .cloned()
            .expect("the game has events")
    }

    /// Connects a player again, with the token of now.
    ///
    /// # Panics
    /// When the server does not take the token.
    pub fn come_back(&mut self, server: &Server, seat: usize) {
        let mut wire = Wire::known(&server.address, &self.tokens[seat]);
        wire.ok("attach", json!({ "game": self.game, "seq": 0 }));
        self.wires[seat] = wire;
        let of_seat = Fold::new(Some(seat as u64));
        let seq = std::mem::replace(&mut self.folds[seat], of_seat).seq;
        self.until(seat, |fold| fold.seq >= seq);
    }

    /// The number of the turn being played.
    #[must_use]
    pub fn turn_no(&self) -> u64 {
        self.folds[0].turn_no
    }

    /// Some tiles of a rack that are no blanks, as faces.
    #[must_use]
    pub fn letters(&self, seat: usize, count: usize) -> Vec<String> {
        let rack = self.folds[seat].rack().iter();
        let letters = rack.filter(|face| *face != "?");
        letters.take(count).cloned().collect()
    }

    /// Asks for the server's time until it is `at` or later.
    pub fn wait_until(&mut self, at: i64) {
        while self.wires[0].ok("time", json!({}))["server_time"]
            .as_i64()
            .is_none_or(|now| now < at)
        {}
    }

    /// Reads until both players know the event `seq`.
    pub fn sync(&mut self, seq: u64) {
        for seat in 0..2 {
            self.until(seat, |fold| fold.seq >= seq);
        }
    }

    /// Returns the seat on turn.
    #[must_use]
    pub fn on_turn(&self) -> Option<usize> {
        self.folds[0].on_turn.map(index)
    }
}
