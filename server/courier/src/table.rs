//! A game for tests of letters and webhooks.
#![allow(clippy::unwrap_used, reason = "for tests only")]

use std::sync::Arc;

use tilewire_protocol::GameId;
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::{Created, Player, PlayerKind, Record};
use tilewire_rules::game::{Action, Command, Context, Game, Input, Order};
use tilewire_rules::notation;
use tilewire_rules::options::GameOptions;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::State;
use tilewire_rules::stream::commitment;
use tilewire_rules::time::{Seat, Timestamp};
use tilewire_store::{GameMeta, StoredGame};
use tilewire_wire::lexica::Lexica;

/// The beginning of the game.
pub const START: Timestamp = Timestamp(1_800_000_000_000);

/// A game whose players act by command, with its log.
pub struct Table {
    pub(crate) game: Game,
    pub(crate) records: Vec<Record>,
    pub(crate) now: Timestamp,
    pub(crate) commands: u64,
    pub(crate) rules: Arc<RuleSet>,
}

impl Table {
    /// Begins a game by a rule set with so many seats and a limit for each turn.
    pub fn begin(rule_set: &str, seats: usize, clock: ClockKind) -> Self {
        let rules = RuleSet::builtins()
            .iter()
            .find(|rules| rules.id == rule_set);
        let rules = Arc::clone(rules.unwrap());
        let secret = [4; 32];
        let lexica = Lexica::builtin();
        let lexicon = lexica.find("wordnik").unwrap();
        let options = GameOptions {
            clock,
            vacation: clock.is_correspondence(),
            seats: u8::try_from(seats).unwrap(),
            ..GameOptions::usual(&rules, "wordnik")
        };
        let players = ["anna", "ben", "cleo", "dora"].into_iter().take(seats);
        let created = Created {
            game: "g1".to_owned(),
            options,
            players: players
                .map(|name| Player {
                    identity: name.to_owned(),
                    name: name.to_uppercase(),
                    nonce_hash: None,
                    level: None,
                    kind: Some(PlayerKind::Registered),
                    rating: None,
                })
                .collect(),
            lexicon_hash: *lexicon.hash(),
            commitment: commitment(&secret),
            secret,
            series: None,
        };
        let (game, first) = Game::create(Arc::clone(&rules), START, created).unwrap();
        let mut table = Self {
            game,
            records: vec![first],
            now: START,
            commands: 0,
            rules,
        };
        for seat in Seat::all(u8::try_from(seats).unwrap()) {
            if table.game.state().seats()[seat.index()].ready.is_none() {
                table.act(seat, Action::Ready { nonce: Vec::new() });
            }
        }
        table
    }

    /// Returns the number of the last record.
    pub fn seq(&self) -> u64 {
        self.records.last().map_or(0, |record| record.seq.0)
    }

    /// Returns the seat on turn.
    ///
    /// # Panics
    /// When no seat is on turn.
    #[must_use]
    pub fn on_turn(&self) -> Seat {
        self.game.state().turn().expect("a turn").seat
    }

    /// Lets a seat act a second after the last action.
    pub fn act(&mut self, seat: Seat, action: Action) {
        self.now = self.now.plus(1_000);
        self.commands += 1;
        self.input(Input::Command(Command {
            seat,
            cmd_id: format!("command-{}", self.commands),
            digest: self.commands,
            received_at: self.now,
            lag_ms: 0,
            action,
        }));
    }

    /// Orders something a second after the last action.
    pub fn order(&mut self, order: Order) {
        self.now = self.now.plus(1_000);
        self.input(Input::Ordered(order));
    }

    fn input(&mut self, input: Input) {
        let lexica = Lexica::builtin();
        let lexicon = lexica.find("wordnik").unwrap();
        let context = Context::new(&**lexicon);
        let done = self.game.handle(&context, self.now, input);
        assert!(!done.records.is_empty(), "it has no effect");
        self.records.extend(done.records);
        self.game = done.next;
    }

    /// Returns the time of the last action.
    #[must_use]
    pub const fn now(&self) -> Timestamp {
        self.now
    }

    /// Lets the seat on turn pass.
    pub fn pass(&mut self) {
        let turn = self.game.state().turn().expect("a turn");
        self.act(turn.seat, Action::Pass { turn_no: turn.no });
    }

    /// Lets the game wait until its next deadline.
    pub fn wait(&mut self) {
        self.now = self.game.next_deadline().expect("a deadline");
        self.input(Input::Tick);
    }

    /// Returns the stored form.
    pub fn stored(&self) -> StoredGame {
        let players = &self.game.state().created().players;
        StoredGame {
            meta: GameMeta {
                game: GameId::from("g1"),
                epoch: 1,
                rule_set: self.rules.id.clone(),
                private_code: Some("SECRET".to_owned()),
                players: players
                    .iter()
                    .map(|player| player.identity.clone())
                    .collect(),
                created_at: START,
            },
            records: self.records.clone(),
            rows: Vec::new(),
            is_finished: false,
            lost_ms: None,
        }
    }

    /// Returns the state.
    #[must_use]
    pub fn state(&self) -> &State {
        self.game.state()
    }
}

/// Returns a play of two letters across the start square that the rack has, valid or not.
pub fn some_play(state: &State, seat: Seat) -> tilewire_rules::play::Placement {
    let tiles = &state.rules().tiles;
    let rack = state.tiles().rack(seat);
    let letters = rack.iter().filter(|tile| !tile.is_blank()).take(2);
    let faces: String = letters.map(|tile| tiles.tile_face(*tile)).collect();
    let start = state.rules().layout.start();
    let column = char::from(b'A' + start.col);
    notation::parse(&format!("{}{column} {faces}", start.row + 1), tiles).unwrap()
}
