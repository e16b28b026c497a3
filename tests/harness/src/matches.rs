//! Whole games of real client processes, and the checks that all clients saw the same, correct game.

use std::collections::BTreeMap;
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use tilewire_oracle::Fold;
use tilewire_rules::alphabet::Tile;
use tilewire_rules::board::Board;

use crate::client::Client;
use crate::server::Server;
use tilewire_conformance::audit;
use tilewire_conformance::position::{
    board_of, index, number, open_window, rack_of, scores_of, typed, typed_tiles,
};
use tilewire_conformance::raw::{BINARY, TEXT};
use tilewire_conformance::relay::{Plain, Relay, Side};
use tilewire_conformance::secrecy::check_secrecy;
use tilewire_conformance::words::Words;

/// Time between two tries of a command that a paused game refuses.
const RETRY: Duration = Duration::from_millis(200);
/// Most tries of it: a minute.
const MOST_TRIES: usize = 300;

/// A person with a client process and a relay.
#[derive(Debug)]
pub struct Person {
    /// The client process.
    pub client: Client,
    /// The game as its lines describe it.
    pub fold: Fold,
    /// The relay between it and the server.
    pub relay: Relay,
    seat: Option<u64>,
}

/// A game by real clients, all on one server.
#[derive(Debug)]
pub struct Match {
    /// The players by seat, then the spectator.
    pub people: Vec<Person>,
    /// The game's id.
    pub game: String,
    homes: TempDir,
}

/// The situations that a match has covered so far.
#[derive(Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "a list of things to tick off"
)]
pub struct Seen {
    /// A play was taken off.
    pub upheld: bool,
    /// A challenge failed.
    pub failed: bool,
    /// A window was held.
    pub hold: bool,
    /// Tiles were exchanged.
    pub exchange: bool,
    /// A seat passed.
    pub pass: bool,
    /// A blank lies on the board.
    pub blank: bool,
}

impl Person {
    fn start(name: &str, server: &Server, home: &Path, args: &[&str]) -> Self {
        let relay = Relay::start(&server.address, Box::new(Plain)).expect("a port is free");
        let client = Client::start(name, &relay.address, home, args);
        Self {
            client,
            fold: Fold::new(None),
            relay,
            seat: None,
        }
    }

    /// Reads one line of the client and takes it in.
    pub fn pump(&mut self) -> Value {
        let line = self.client.next_line();
        if line["type"] == "event" {
            self.fold.event(&line).expect("the next event");
        } else if line["type"] == "snapshot" {
            let mut fold = Fold::at(self.seat, &line).expect("a snapshot");
            assert!(fold.seq >= self.fold.seq, "a snapshot never goes back");
            fold.events = std::mem::take(&mut self.fold.events);
            self.fold = fold;
        }
        line
    }

    /// Types a command and returns the answer: the `ok` or the `error`.
    pub fn command(&mut self, text: &str) -> Value {
        self.client.type_line(text);
        self.answer()
    }

    /// Reads until the answer to a command: the `ok` or the `error`.
    fn answer(&mut self) -> Value {
        loop {
            let line = self.pump();
            if line["type"] == "ok" || line["type"] == "error" {
                return line;
            }
        }
    }

    /// Reads until the event `seq` is known.
    pub fn pump_to(&mut self, seq: u64) {
        while self.fold.seq < seq {
            self.pump();
        }
    }

    /// Returns the seat; `None` of the spectator.
    #[must_use]
    pub const fn seat(&self) -> Option<u64> {
        self.seat
    }

    /// Returns how often the client has connected, and how often it was told that the game is paused, and is so no longer.
    #[must_use]
    pub fn interruptions(&self) -> [usize; 3] {
        let heard = heard(&self.relay);
        let count = |op| {
            let messages = heard.values().flatten();
            messages.filter(|message| message[0] == op).count()
        };
        [heard.len(), count("paused"), count("unpaused")]
    }

    fn is_settled(&self) -> bool {
        let fold = &self.fold;
        fold.is_over() || fold.on_turn.is_some() || is_final(fold)
    }
}

impl Match {
    /// Brings `seats` players and a spectator together; `options` are flags of `tilewire play --quick`.
    #[must_use]
    pub fn start(server: &Server, seats: usize, options: &[&str]) -> Self {
        Self::start_at(&vec![server; seats + 1], options)
    }

    /// Brings players and a spectator together, each at a server of its own; the last one is the spectator's.
    #[must_use]
    pub fn start_at(servers: &[&Server], options: &[&str]) -> Self {
        let homes = tempfile::tempdir().expect("a temporary directory");
        let (of_spectator, of_players) = servers.split_last().expect("a spectator");
        let seats = of_players.len();
        let count = seats.to_string();
        let args = [&["play", "--quick", "--seats", &count], options].concat();
        let mut players = Vec::new();
        for (name, server) in ["anna", "ben", "carla", "dora"].into_iter().zip(of_players) {
            let mut person = Person::start(name, server, homes.path(), &args);
            person
                .client
                .wait_for(|line| line["type"] == "seek" || line["type"] == "game_created");
            players.push(person);
        }
        let mut game = String::new();
        for person in &mut players {
            let known = person
                .client
                .printed
                .iter()
                .find(|line| line["type"] == "game_created")
                .cloned();
            let created = known.unwrap_or_else(|| {
                person
                    .client
                    .wait_for(|line| line["type"] == "game_created")
            });
            let seat = number(&created, "seat");
            game = created["game"]
                .as_str()
                .expect("a game has an id")
                .to_owned();
            person.seat = Some(seat);
            person.fold = Fold::new(Some(seat));
        }
        players.sort_by_key(|person| person.seat);
        let watcher = Person::start("zoe", of_spectator, homes.path(), &["watch", &game]);
        players.push(watcher);
        let mut this = Self {
            people: players,
            game,
            homes,
        };
        for person in &mut this.people {
            while !person.is_settled() {
                person.pump();
            }
        }
        this
    }

    /// Returns how often each client has connected, and how often it was told that the game is paused, and is so no longer.
    #[must_use]
    pub fn interruptions(&self) -> Vec<[usize; 3]> {
        self.people.iter().map(Person::interruptions).collect()
    }

    /// The seat on turn.
    #[must_use]
    pub fn on_turn(&self) -> Option<usize> {
        self.people[0].fold.on_turn.map(index)
    }

    /// Types a command at a seat, which must be accepted, and waits until all clients have its events.
    pub fn act(&mut self, seat: usize, text: &str) {
        let answer = self.people[seat].command(text);
        assert_eq!(answer["type"], "ok", "seat {seat}: {text}: {answer}");
        self.people[seat].pump_to(number(&answer, "seq"));
        self.settle(seat);
    }

    /// Waits until all clients have the events that `seat` has, and the game waits for a player.
    pub fn settle(&mut self, seat: usize) {
        while !self.people[seat].is_settled() {
            self.people[seat].pump();
        }
        let seq = self.people[seat].fold.seq;
        for person in &mut self.people {
            person.pump_to(seq);
        }
    }

    /// All players but the author of the open window's play.
    fn opponents(&self) -> Vec<usize> {
        let window = open_window(&self.people[0].fold);
        let author = window.and_then(|window| window["author"].as_u64());
        let author = author.map(index);
        (0..self.people.len() - 1)
            .filter(|seat| Some(*seat) != author)
            .collect()
    }

    /// Every opponent accepts the open play.
    pub fn accept_all(&mut self) {
        for seat in self.opponents() {
            if open_window(&self.people[seat].fold).is_some() {
                self.act(seat, "accept");
            }
        }
    }

    /// One turn: an action that `seen` lacks if it is possible, else a good play, else an exchange or a pass.
    pub fn turn(&mut self, seen: &mut Seen) {
        if open_window(&self.people[0].fold).is_some() {
            self.look_at_play(seen);
        }
        let Some(seat) = self.on_turn() else {
            return;
        };
        let fold = &self.people[seat].fold;
        let (bag, turn_no) = (fold.bag, fold.turn_no);
        if !seen.exchange && turn_no > 3 && bag >= 7 {
            seen.exchange = true;
            let text = format!(
                "exchange {}",
                typed_tiles(&rack_of(fold).expect("a rack")[..3])
            );
            return self.act(seat, &text);
        }
        if !seen.pass && turn_no > 6 {
            seen.pass = true;
            return self.act(seat, "pass");
        }
        if !seen.upheld && turn_no > 9 && bag > 10 {
            return self.phony_that_is_caught(seat, seen);
        }
        let (text, is_good) = self.some_play(seat);
        self.act(seat, &text);
        if !is_good {
            self.accept_all();
        }
    }

    /// One turn in which the server is killed while the command is on its way; the client gets its answer by itself.
    ///
    /// # Panics
    /// When the command is not accepted after all.
    pub fn turn_through_a_crash(&mut self, server: &mut Server) {
        self.accept_all();
        self.turn_while(|_| {
            server.kill();
            server.start_again();
        });
    }

    /// One turn in which something happens while the command is on its way; the client gets its answer by itself. No play may
    /// wait for an opponent.
    ///
    /// # Panics
    /// When the command is not accepted after all.
    pub fn turn_while(&mut self, happens: impl FnOnce(&[Person])) {
        let Some(seat) = self.on_turn() else {
            return;
        };
        let (text, _) = self.some_play(seat);
        self.people[seat].client.type_line(&text);
        happens(&self.people);
        let mut answer = self.people[seat].answer();
        // The storage had paused the game before the command came: nothing was changed, and the player types it again.
        let mut tries = 0;
        while answer["code"] == "storage_paused" && tries < MOST_TRIES {
            tries += 1;
            thread::sleep(RETRY);
            answer = self.people[seat].command(&text);
        }
        assert_eq!(answer["type"], "ok", "{text}: {answer}");
        self.people[seat].pump_to(number(&answer, "seq"));
        self.settle(seat);
    }

    /// Challenges a good play once, holds once, else accepts.
    fn look_at_play(&mut self, seen: &mut Seen) {
        let opponents = self.opponents();
        let last = opponents[opponents.len() - 1];
        if !seen.failed && self.people[0].fold.on_turn.is_some() && self.people[0].fold.turn_no > 4
        {
            seen.failed = true;
            return self.act(last, "challenge");
        }
        if !seen.hold {
            seen.hold = true;
            self.act(last, "hold");
            self.act(last, "release");
        }
        self.accept_all();
    }

    fn phony_that_is_caught(&mut self, seat: usize, seen: &mut Seen) {
        let fold = &self.people[seat].fold;
        let (board, mut rack) = known(fold);
        // Keep the blanks for words.
        rack.sort_by_key(|tile| tile.is_blank());
        let play = Words::builtin()
            .phony(&board, &rack, 3)
            .expect("nonsense fits somewhere");
        self.act(seat, &typed(&play));
        let challenger = self.opponents()[0];
        self.act(challenger, "challenge");
        seen.upheld = true;
    }

    /// A play and whether all its words are good.
    fn some_play(&self, seat: usize) -> (String, bool) {
        let (fold, words) = (&self.people[seat].fold, Words::builtin());
        let (board, rack) = known(fold);
        let good = words.good_play(&board, &rack);
        let is_out = |play: &tilewire_rules::play::Play| play.placed().len() == rack.len();
        if let Some(play) = &good
            && (fold.bag > 0 || is_out(play))
        {
            return (typed(play), true);
        }
        if fold.bag >= 7 {
            return (format!("exchange {}", typed_tiles(&rack)), true);
        }
        // The game must end: the seat plays its whole rack, words or not, and no opponent challenges it.
        match words.whole_rack(&board, &rack).or(good) {
            Some(play) => (typed(&play), false),
            None => ("pass".to_owned(), true),
        }
    }

    /// Plays the game to its end.
    pub fn play_out(&mut self, seen: &mut Seen) {
        while !self.people[0].fold.is_over() {
            if is_final(&self.people[0].fold) {
                self.accept_all();
            } else {
                self.turn(seen);
            }
        }
        let (board, _) = known(&self.people[0].fold);
        seen.blank = board.iter().any(|(_, placed)| placed.tile == Tile::BLANK);
    }

    /// Checks that all clients saw the same correct game and that none saw hidden tiles; ends the clients.
    ///
    /// # Panics
    /// When anything is not so.
    pub fn check(self) {
        let all = &self.people[0].fold.events;
        audit::audit(all);
        audit::check_commitment(all);
        for person in &self.people {
            let events = &person.fold.events;
            assert_eq!(events.len(), all.len(), "from the first to the last");
            for (own, other) in events.iter().zip(all) {
                assert_eq!(without_hidden(own), without_hidden(other));
            }
            assert_eq!(scores_of(&person.fold), scores_of(&self.people[0].fold));
            for messages in heard(&person.relay).values() {
                check_secrecy(messages, person.seat);
            }
        }
        for person in self.people {
            assert_eq!(
                person.client.finish(),
                0,
                "the end of the game is a good end"
            );
        }
        drop(self.homes);
    }
}

/// Returns the board and the own rack.
fn known(fold: &Fold) -> (Board, Vec<Tile>) {
    let known = board_of(fold).and_then(|board| Ok((board, rack_of(fold)?)));
    known.expect("tiles of the set")
}

/// Returns the messages of the server, by connection.
fn heard(relay: &Relay) -> BTreeMap<usize, Vec<Value>> {
    let mut heard = BTreeMap::<usize, Vec<Value>>::new();
    for entry in relay.log() {
        if entry.from == Side::Server && [TEXT, BINARY].contains(&entry.frame.opcode) {
            let message = entry.message.expect("the server sends messages");
            heard.entry(entry.connection).or_default().push(message);
        }
    }
    heard
}

/// Returns whether the last play ends the game unless it is challenged.
fn is_final(fold: &Fold) -> bool {
    open_window(fold).is_some_and(|window| window["final"] == true)
}

/// An event without the fields that only some may see.
fn without_hidden(event: &Value) -> Value {
    let mut event = event.clone();
    if event["kind"] == "tiles_drawn" || event["kind"] == "exchanged" {
        event
            .as_object_mut()
            .expect("an event is an object")
            .remove("tiles");
    }
    event
}
