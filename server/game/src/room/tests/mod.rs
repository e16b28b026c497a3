//! Rooms without a server: scripted or random inputs, a journal controlled by the test, and checks after each input.
//!
//! [`Scene`] plays the shell. After every input it checks what must always hold: requests are answered once, nothing is
//! shown that is not in the journal, events come without gaps, spectators see no tile they must not see.

mod aborting;
mod adjourning;
mod adjudicating;
mod bots;
mod carry_out;
mod commands;
mod delays;
mod elsewhere;
mod gifts;
mod hints;
mod kept;
mod nudging;
mod pauses;
mod scripts;
mod sleep;
mod waiting;
mod walk;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use tilewire_protocol::{
    ClientMessage, ErrorCode, Event, EventBody, ServerMessage, Snapshot, SnapshotSeat,
};
use tilewire_rules::alphabet::Letter;
use tilewire_rules::event::{Created, Record};
use tilewire_rules::game::Game;
use tilewire_rules::lexicon::Lexicon;
use tilewire_rules::options::{FirstPlay, GameOptions};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::stream::commitment;
use tilewire_rules::time::{Millis, Seat, Timestamp};

use commands::{on_play, pass, player, ready, resign};

use super::{Attach, HubInput, Participant, Room, RoomEffect, RoomInput, RoomParts};
use crate::bounds::GameBounds;
use tilewire_delivery::outbound::PeerId;
use tilewire_delivery::outbound::ResumePoint;
use tilewire_store::{Append, AppendError, GameMeta, Rest, StoreError, StoredGame};
use tilewire_wire::to_wire::{GameFacts, Privacy};

/// All moments of a test count from here.
pub(super) const START: Timestamp = Timestamp(1_800_000_000_000);
/// The epoch of every log.
pub(super) const EPOCH: u64 = 7;

/// A lexicon in which two of three strings of letters are words.
#[derive(Debug)]
struct Hashed;

impl Lexicon for Hashed {
    fn name(&self) -> &'static str {
        "hashed"
    }
    fn hash(&self) -> &[u8; 32] {
        &[3; 32]
    }
    fn words(&self) -> u64 {
        0
    }
    fn contains(&self, word: &[Letter]) -> bool {
        let numbers = word.iter().zip(1..);
        let sum: u32 = numbers.map(|(l, at)| u32::from(l.number()) * at).sum();
        !sum.is_multiple_of(3)
    }
}

/// A connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TestPeer {
    id: PeerId,
    identity: String,
    /// All clones of a connection are revoked together.
    pub(super) is_revoked: Rc<Cell<bool>>,
    /// Whether the client is connected to another node.
    pub(super) is_elsewhere: bool,
}

impl Participant for TestPeer {
    fn id(&self) -> PeerId {
        self.id
    }
    fn identity(&self) -> &str {
        &self.identity
    }
    fn is_revoked(&self) -> bool {
        self.is_revoked.get()
    }
    fn is_elsewhere(&self) -> bool {
        self.is_elsewhere
    }
}

/// A connection number `id` of `identity`.
pub(super) fn peer(id: u64, identity: &str) -> TestPeer {
    TestPeer {
        id: PeerId(id),
        identity: identity.to_owned(),
        is_revoked: Rc::default(),
        is_elsewhere: false,
    }
}

/// A request that waits for the journal.
#[derive(Debug)]
pub(super) enum Pending {
    Append(Append),
    Load,
    Rest(Rest),
}

/// A room, its journal, and the clients that get its messages.
pub(super) struct Scene {
    pub(super) room: Room<TestPeer>,
    pub(super) now: Timestamp,
    pub(super) journal: Vec<Record>,
    pub(super) pending: Option<Pending>,
    /// The journal's copy of the game while it sleeps.
    pub(super) kept: Option<Rest>,
    pub(super) asked: u64,
    /// Answers by connection and request.
    pub(super) answers: BTreeMap<(u64, u64), ServerMessage>,
    /// The pushes to each player's connection.
    pub(super) heard: BTreeMap<u64, Vec<ServerMessage>>,
    /// The messages to spectators.
    pub(super) shown: Vec<ServerMessage>,
    pub(super) hub_head: Option<u64>,
    /// Anything else that came out, in order.
    pub(super) other: Vec<RoomEffect<TestPeer>>,
    heads: BTreeMap<u64, u64>,
}

impl Scene {
    /// A room of two players in which seat 0 starts.
    pub(super) fn new(change: impl FnOnce(&mut GameOptions, &mut RoomParts)) -> Self {
        Self::of(change, |seat| format!("p{}", seat.0))
    }

    /// A room of the identities that have its seats, in which seat 0 starts.
    pub(super) fn of(
        change: impl FnOnce(&mut GameOptions, &mut RoomParts),
        identity: impl Fn(Seat) -> String,
    ) -> Self {
        let mut options = GameOptions::classic("hashed");
        options.first = FirstPlay::Seat(Seat(0));
        let mut parts = RoomParts {
            facts: GameFacts {
                game: "g1".into(),
                epoch: EPOCH,
                privacy: Privacy::Public,
            },
            code: None,
            rules: RuleSet::classic(),
            lexicon: Arc::new(Hashed),
            bounds: GameBounds::default(),
        };
        change(&mut options, &mut parts);
        let secret = [9; 32];
        let created = Created {
            game: "g1".to_owned(),
            players: Seat::all(options.seats)
                .map(|seat| player(seat, identity(seat)))
                .collect(),
            options,
            lexicon_hash: [3; 32],
            commitment: commitment(&secret),
            secret,
            series: None,
        };
        let rules = RuleSet::classic();
        let (_, record) = Game::create(rules, START, created).unwrap();
        let journal = vec![record];
        Self {
            room: Room::new(parts, journal.clone(), Vec::new(), START).unwrap(),
            now: START,
            journal,
            pending: None,
            kept: None,
            asked: 0,
            answers: BTreeMap::new(),
            heard: BTreeMap::new(),
            shown: Vec::new(),
            hub_head: None,
            other: Vec::new(),
            heads: BTreeMap::new(),
        }
    }

    /// The same with both players attached and ready, seat 0 on turn.
    pub(super) fn playing(change: impl FnOnce(&mut GameOptions, &mut RoomParts)) -> Self {
        let mut scene = Self::new(change);
        let seats = scene.room.game().state().options().seats;
        for seat in 0..u64::from(seats) {
            scene.attach(&peer(seat, &format!("p{seat}")), None);
            scene.store();
        }
        for seat in 0..u64::from(seats) {
            let who = peer(seat, &format!("p{seat}"));
            let ready = ready(&format!("ready{seat}"));
            assert!(scene.ask(&who, ready) > 0);
            scene.store();
        }
        scene
    }

    pub(super) fn state(&self) -> &tilewire_rules::state::State {
        self.room.game().state()
    }

    pub(super) fn attach(&mut self, who: &TestPeer, from: Option<u64>) -> u64 {
        self.asked += 1;
        let request_id = self.asked;
        self.input(RoomInput::Attach {
            attach: Attach {
                peer: who.clone(),
                request_id,
                from: from.map(|seq| ResumePoint { epoch: EPOCH, seq }),
            },
            code: None,
        });
        request_id
    }

    /// Hands in a command received now, and returns the request.
    pub(super) fn ask(&mut self, who: &TestPeer, command: ClientMessage) -> u64 {
        self.ask_at(who, command, self.now)
    }

    pub(super) fn ask_at(&mut self, who: &TestPeer, command: ClientMessage, at: Timestamp) -> u64 {
        self.asked += 1;
        let request_id = self.asked;
        self.input(RoomInput::Command {
            peer: who.clone(),
            request_id,
            received_at: at,
            lag_ms: Millis(0),
            command: Arc::new(command),
        });
        request_id
    }

    /// Lets the append in flight and all appends that follow from it succeed.
    pub(super) fn store(&mut self) {
        while let Some(pending) = self.pending.take() {
            match pending {
                Pending::Append(append) => {
                    self.write(&append);
                    self.input(RoomInput::Appended(Ok(())));
                }
                Pending::Load => self.load(),
                Pending::Rest(rest) => {
                    self.keep(rest);
                    self.input(RoomInput::Rested(Ok(())));
                }
            }
        }
    }

    /// Puts an append into the journal without telling the room.
    pub(super) fn write(&mut self, append: &Append) {
        assert_eq!(append.after, self.journal.last().unwrap().seq.0);
        self.journal.extend_from_slice(&append.records);
        self.kept = None;
    }

    /// Notes in the journal that the game sleeps, without telling the room.
    pub(super) fn keep(&mut self, rest: Rest) {
        assert_eq!(rest.after, self.journal.last().unwrap().seq.0);
        let deadline = self.room.game().next_deadline();
        assert_eq!(deadline, Some(rest.wakes_at), "its next deadline wakes it");
        self.kept = Some(rest);
    }

    pub(super) fn fail(&mut self, error: AppendError) -> Append {
        let Some(Pending::Append(append)) = self.pending.take() else {
            panic!("no append is in flight");
        };
        self.input(RoomInput::Appended(Err(error)));
        append
    }

    pub(super) fn load(&mut self) {
        let stored = Ok(Some(self.stored()));
        self.input(RoomInput::Reloaded(stored));
    }

    pub(super) fn fail_load(&mut self) {
        assert!(matches!(self.pending.take(), Some(Pending::Load)));
        let error = StoreError::Unavailable("test".to_owned());
        self.input(RoomInput::Reloaded(Err(error)));
    }

    fn stored(&self) -> StoredGame {
        StoredGame {
            meta: GameMeta {
                game: "g1".into(),
                epoch: EPOCH,
                rule_set: "classic".to_owned(),
                private_code: None,
                players: vec!["p0".to_owned(), "p1".to_owned()],
                created_at: START,
            },
            records: self.journal.clone(),
            rows: Vec::new(),
            is_finished: self.room.is_over(),
            lost_ms: self.kept.as_ref().map(|rest| rest.lost_ms),
        }
    }

    /// Lets time pass to `at`, firing every deadline on the way.
    pub(super) fn wait_until(&mut self, at: Timestamp) {
        while let Some(due) = self.room.next_deadline().filter(|due| *due <= at) {
            self.now = self.now.max(due);
            self.input(RoomInput::Tick);
            self.store();
        }
        self.now = at;
    }

    pub(super) fn tick(&mut self) {
        self.input(RoomInput::Tick);
    }

    pub(super) fn input(&mut self, input: RoomInput<TestPeer>) {
        for effect in self.room.handle(self.now, input) {
            self.carry_out(effect);
        }
    }

    fn answered(&mut self, peer: u64, request_id: u64, message: ServerMessage) {
        if let ServerMessage::Ok(ok) = &message
            && let Some(seq) = ok.seq
        {
            assert!(
                seq <= self.journal.last().unwrap().seq.0,
                "ok before durable"
            );
        }
        let before = self.answers.insert((peer, request_id), message);
        assert_eq!(before, None, "request {request_id} is answered once");
    }

    fn heard_by(&mut self, peer: &TestPeer, message: ServerMessage) {
        match &message {
            ServerMessage::Event(event) => {
                self.check_durable(event);
                check_own(peer, &event.body);
                if let Some(head) = self.heads.insert(peer.id.0, event.seq) {
                    assert_eq!(head + 1, event.seq, "events come without gaps");
                }
            }
            ServerMessage::Snapshot(snapshot) => {
                assert!(snapshot.seq <= self.journal.last().unwrap().seq.0);
                let own = format!("p{}", snapshot.seat.unwrap());
                assert_eq!(own, peer.identity);
                self.heads.insert(peer.id.0, snapshot.seq);
            }
            _ => {}
        }
        self.heard.entry(peer.id.0).or_default().push(message);
    }

    fn check_durable(&self, event: &Event) {
        let head = self.journal.last().unwrap().seq.0;
        assert!(
            event.seq <= head,
            "{} is shown before it is stored",
            event.seq
        );
    }

    fn check_public(&self, snapshot: &Snapshot) {
        assert!(snapshot.seq <= self.journal.last().unwrap().seq.0);
        assert_eq!(snapshot.seat, None);
        let shows = |seat: &SnapshotSeat| seat.rack.is_some() == self.shows_racks();
        assert!(snapshot.seats.iter().all(shows));
    }

    fn shows_racks(&self) -> bool {
        let view = self.state().options().spectators;
        view.is_some_and(|view| view.racks)
    }

    /// Checks that spectators see no tile of a rack, unless the game is open to commentary.
    fn check_shown(&self, message: &ServerMessage) {
        match message {
            ServerMessage::Event(event) => match &event.body {
                EventBody::TilesDrawn(drawn) => {
                    assert_eq!(drawn.tiles.is_some(), self.shows_racks());
                }
                EventBody::Exchanged(exchanged) => {
                    assert_eq!(exchanged.tiles.is_some(), self.shows_racks());
                }
                _ => {}
            },
            ServerMessage::Snapshot(snapshot) => self.check_public(snapshot),
            _ => {}
        }
    }

    /// The numbers of the events a connection has heard.
    pub(super) fn events(&self, peer: u64) -> Vec<u64> {
        let heard = self.heard.get(&peer).into_iter().flatten();
        heard
            .filter_map(|message| match message {
                ServerMessage::Event(event) => Some(event.seq),
                _ => None,
            })
            .collect()
    }

    /// The answer to a connection's request: the event's number, or the error.
    pub(super) fn outcome(&self, peer: u64, request_id: u64) -> Option<Result<u64, ErrorCode>> {
        Some(match self.answers.get(&(peer, request_id))? {
            ServerMessage::Ok(ok) => Ok(ok.seq.unwrap_or(0)),
            ServerMessage::Error(error) => Err(error.code),
            message => panic!("{} is no answer", message.op()),
        })
    }
}

/// Checks that a player gets no tile of another rack.
fn check_own(peer: &TestPeer, body: &EventBody) {
    let (seat, tiles) = match body {
        EventBody::TilesDrawn(drawn) => (drawn.seat, &drawn.tiles),
        EventBody::Exchanged(exchanged) => (exchanged.seat, &exchanged.tiles),
        _ => return,
    };
    let is_own = peer.identity == format!("p{seat}");
    assert_eq!(tiles.is_some(), is_own, "tiles are for their owner");
}
