//! A real room with a real hub, a scripted journal, players and spectators, with virtual time. It is small enough to be
//! played twice and compared.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use tilewire_delivery::outbound::ResumePoint;
use tilewire_delivery::outbound::{Delivery, PeerId, Pushes, Recipient};
use tilewire_game::Attach;
use tilewire_game::bounds::GameBounds;
use tilewire_game::hub::{Hub, HubBounds, HubInput};
use tilewire_game::room::{Participant, Room, RoomEffect, RoomInput, RoomParts};
use tilewire_protocol::{ClientMessage, Codec, GameSummary, Ready, ServerMessage, encode_server};
use tilewire_rules::event::{Created, Player, Record};
use tilewire_rules::game::Game;
use tilewire_rules::options::{
    FirstPlay, GameOptions, MIN_OPEN_DELAY_MS, SpectatorView, TurnLimit,
};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::{Millis, Seat, Timestamp};
use tilewire_store::{Append, AppendError};
use tilewire_wire::to_wire::{GameFacts, Privacy};

use super::any_move::some_command;
use crate::simulation::chance::Chance;
use tilewire_conformance::words::THIRDS;

/// When every game begins, unix ms.
pub const START: Timestamp = Timestamp(1_800_000_000_000);
/// How long the longest game is looked at, ms.
pub const LENGTH_MS: i64 = 300_000;
/// The ids of spectators' connections begin here.
const WATCHERS: u64 = 10;

/// The messages and their times.
pub type FrameLog = Vec<(Timestamp, Vec<u8>)>;

/// A connection that reads everything.
#[derive(Debug, Clone)]
struct Peer {
    id: u64,
    identity: String,
    now: Rc<Cell<Timestamp>>,
    told: Rc<RefCell<BTreeMap<u64, FrameLog>>>,
}

impl Peer {
    fn hear(&self, frame: &[u8]) {
        let mut told = self.told.borrow_mut();
        let own = told.entry(self.id).or_default();
        own.push((self.now.get(), frame.to_vec()));
    }
}

impl Participant for Peer {
    fn id(&self) -> PeerId {
        PeerId(self.id)
    }
    fn identity(&self) -> &str {
        &self.identity
    }
    fn is_revoked(&self) -> bool {
        false
    }
}

impl Recipient for Peer {
    fn id(&self) -> PeerId {
        PeerId(self.id)
    }
    fn codec(&self) -> Codec {
        Codec::MsgPack
    }
    fn answer(&self, request_id: u64, message: &ServerMessage) -> Delivery {
        self.hear(&encode_server(Codec::MsgPack, request_id, message));
        Delivery::Queued
    }
    fn push(&self, pushes: Pushes) -> Delivery {
        for frame in pushes.frames() {
            self.hear(frame.payload());
        }
        Delivery::Queued
    }
    /// Queued messages are delivered at once.
    fn flush(&self) {}
}

/// A leak planted between the game and its spectators, to check that a comparison finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leak {
    /// Spectators see everything almost at once.
    Undelayed,
    /// The lists show the game as its players see it.
    LiveSummary,
    /// Spectators see the racks.
    Racks,
}

/// How a game is played.
#[derive(Debug, Clone, Copy)]
pub struct Course {
    /// The seed of all random choices.
    pub seed: u64,
    /// The view of spectators.
    pub view: SpectatorView,
    /// A leak in that view, if the test plants one.
    pub leak: Option<Leak>,
    /// The seed of the bag.
    pub secret: u8,
    /// From when on, ms after the start, and how the game goes its own way.
    pub fork: (i64, &'static str),
    /// Whether only is done what can be done with any tiles.
    pub is_blind: bool,
}

/// Returns the view of spectators, changed by the leak.
fn view_with(view: SpectatorView, leak: Option<Leak>) -> SpectatorView {
    match leak {
        Some(Leak::Undelayed) => SpectatorView {
            delay_ms: 1,
            ..view
        },
        Some(Leak::Racks) => SpectatorView {
            delay_ms: view.delay_ms.max(MIN_OPEN_DELAY_MS),
            racks: true,
        },
        Some(Leak::LiveSummary) | None => view,
    }
}

/// A game, its journal, and its spectators.
#[derive(Debug)]
pub struct PlayedRoom {
    /// How it is played.
    pub course: Course,
    room: Room<Peer>,
    hub: Option<Hub<Peer>>,
    now: Rc<Cell<Timestamp>>,
    told: Rc<RefCell<BTreeMap<u64, FrameLog>>>,
    /// The updates of the lists.
    pub lists: Vec<(Timestamp, &'static str, GameSummary)>,
    journal: Vec<Record>,
    pending: Option<Append>,
    storage: Chance,
    asked: u64,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}

impl PlayedRoom {
    fn new(course: Course) -> Self {
        let rules = RuleSet::classic();
        let mut options = GameOptions::classic("thirds");
        options.first = FirstPlay::Seat(Seat(0));
        options.spectators = Some(view_with(course.view, course.leak));
        if course.is_blind {
            options.inactivity.limit = TurnLimit::Total(100);
            options.inactivity.cap_per_seat = 100;
        }
        let player = |seat: Seat| Player {
            identity: format!("p{}", seat.0),
            name: format!("Player {}", seat.0),
            nonce_hash: None,
            level: None,
            kind: None,
            rating: None,
        };
        let created = Created {
            game: "g".to_owned(),
            players: Seat::all(options.seats).map(player).collect(),
            options,
            lexicon_hash: [3; 32],
            // Of any secret, so that nothing but the tiles follows from it.
            commitment: [4; 32],
            secret: [course.secret; 32],
            series: None,
        };
        let (_, first) = Game::create(Arc::clone(&rules), Timestamp(START.0), created)
            .expect("the options are right");
        let parts = RoomParts {
            facts: GameFacts {
                game: "g".into(),
                epoch: 1,
                privacy: Privacy::Public,
            },
            code: None,
            rules,
            lexicon: Arc::new(THIRDS),
            bounds: GameBounds::default(),
        };
        Self {
            room: Room::new(parts, vec![first.clone()], Vec::new(), START)
                .expect("the options are right"),
            hub: None,
            now: Rc::new(Cell::new(START)),
            told: Rc::default(),
            lists: Vec::new(),
            journal: vec![first],
            pending: None,
            storage: Chance::new(course.seed, course.fork.1),
            asked: 0,
            ended_at: None,
            course,
        }
    }

    fn peer(&self, id: u64, identity: &str) -> Peer {
        Peer {
            id,
            identity: identity.to_owned(),
            now: Rc::clone(&self.now),
            told: Rc::clone(&self.told),
        }
    }

    fn is_forked(&self) -> bool {
        self.now.get() >= START + Millis(self.course.fork.0)
    }

    fn input(&mut self, input: RoomInput<Peer>) {
        for effect in self.room.handle(self.now.get(), input) {
            self.carry_out(effect);
        }
        if self.room.is_over() {
            self.ended_at.get_or_insert(self.now.get());
        }
        if let Some(append) = self.pending.take() {
            let fails = self.is_forked() && self.storage.one_in(8) && !self.course.is_blind;
            let outcome = if fails {
                Err(AppendError::Unavailable("a test".to_owned()))
            } else {
                self.journal.extend_from_slice(&append.records);
                Ok(())
            };
            self.input(RoomInput::Appended(outcome));
        }
    }

    fn carry_out(&mut self, effect: RoomEffect<Peer>) {
        let now = self.now.get();
        match effect {
            RoomEffect::Append(append) => self.pending = Some(append),
            RoomEffect::Reply {
                peer,
                request_id,
                message,
                ..
            } => {
                peer.answer(request_id, &message);
            }
            RoomEffect::Push { to, message } => {
                for peer in to {
                    peer.answer(0, &message);
                }
            }
            RoomEffect::OpenHub(start) => {
                let bounds = HubBounds {
                    history_events: 1_000,
                    lagging_retry_ms: Millis(100),
                };
                self.hub = Some(Hub::new(bounds, start));
            }
            RoomEffect::Hub(input) => self.show(input),
            RoomEffect::CloseHub => self.hub = None,
            RoomEffect::Summary(line) => self.lists.push((now, "changed", line)),
            RoomEffect::Started(line) => self.lists.push((now, "started", line)),
            RoomEffect::Ended(line) => self.lists.push((now, "ended", line)),
            // The players' other connections are no part of this room.
            RoomEffect::CallPlayer { .. } => {}
            RoomEffect::OwnSummary(line) => {
                if self.course.leak == Some(Leak::LiveSummary) {
                    self.lists.push((now, "changed", line));
                }
            }
            other @ (RoomEffect::Rest(_)
            | RoomEffect::Reload
            | RoomEffect::AskBot(_)
            | RoomEffect::FindHint(_)
            | RoomEffect::Inspected(..)
            | RoomEffect::HandBack { .. }
            | RoomEffect::Stop
            | RoomEffect::Fenced
            | RoomEffect::Broken(_)) => panic!("nothing leads to {other:?}"),
        }
    }

    fn show(&mut self, input: HubInput<Peer>) {
        let hub = self.hub.as_mut().expect("a hub is open");
        hub.handle(self.now.get(), input);
        for telling in hub.take_dispatches() {
            assert_eq!(telling.send(), None, "all clients accept all messages");
        }
    }

    fn wait_until(&mut self, at: Timestamp) {
        while let Some(due) = self.room.next_deadline().filter(|due| *due <= at) {
            self.now.set(self.now.get().max(due));
            self.input(RoomInput::Tick);
        }
        self.now.set(at);
    }

    fn attach(&mut self, id: u64, identity: &str, from: Option<u64>) {
        self.asked += 1;
        let peer = self.peer(id, identity);
        let attach = Attach {
            peer,
            // A spectator's requests must not depend on the players' actions.
            request_id: if id < WATCHERS { self.asked } else { 7 },
            from: from.map(|seq| ResumePoint { epoch: 1, seq }),
        };
        self.input(RoomInput::Attach { attach, code: None });
    }

    fn ask(&mut self, seat: Seat, command: ClientMessage) {
        self.asked += 1;
        let peer = self.peer(u64::from(seat.0), &format!("p{}", seat.0));
        self.input(RoomInput::Command {
            peer,
            request_id: self.asked,
            received_at: self.now.get(),
            lag_ms: Millis(0),
            command: Arc::new(command),
        });
    }

    /// Plays a whole game.
    ///
    /// # Panics
    /// If the room behaves wrongly.
    #[must_use]
    pub fn played(course: Course) -> Self {
        let mut room = Self::new(course);
        room.play();
        room
    }

    /// The messages to spectators before `limit`, by connection.
    #[must_use]
    pub fn watched(&self, limit: Timestamp) -> Vec<(u64, FrameLog)> {
        let told = self.told.borrow();
        let watchers = told.iter().filter(|(id, _)| **id >= WATCHERS);
        let early = |told: &FrameLog| told.iter().filter(|(at, _)| *at < limit).cloned().collect();
        watchers.map(|(id, told)| (*id, early(told))).collect()
    }

    /// Plays to the end of the time, or some time beyond the end of the game.
    fn play(&mut self) {
        let Course { seed, fork, .. } = self.course;
        let (mut players, mut watchers) =
            (Chance::new(seed, "players"), Chance::new(seed, "watchers"));
        for seat in [Seat(0), Seat(1)] {
            self.attach(u64::from(seat.0), &format!("p{}", seat.0), None);
        }
        for seat in [Seat(0), Seat(1)] {
            let cmd_id = format!("ready{}", seat.0).into();
            let game = "g".into();
            self.ask(
                seat,
                ClientMessage::Ready(Ready {
                    game,
                    cmd_id,
                    nonce: None,
                }),
            );
        }
        let mut next = (
            START + Millis(players.ms(10, 5_000)),
            START + Millis(watchers.ms(0, 40_000)),
        );
        let mut has_forked = false;
        while next.0.min(next.1) < START + Millis(LENGTH_MS) {
            if next.1 <= next.0 {
                self.wait_until(next.1);
                self.watcher_acts(&mut watchers);
                next.1 += Millis(watchers.ms(500, 40_000));
            } else if next.0 >= START + Millis(fork.0) && !has_forked {
                has_forked = true;
                players = Chance::new(seed, fork.1);
                next.0 = START + Millis(fork.0) + Millis(players.ms(0, 6_000));
            } else {
                self.wait_until(next.0);
                self.player_acts(&mut players);
                next.0 += Millis(players.ms(10, 9_000));
            }
        }
        self.wait_until(START + Millis(LENGTH_MS));
    }

    fn watcher_acts(&mut self, chance: &mut Chance) {
        let id = WATCHERS + chance.below(2);
        match chance.below(5) {
            0 => self.input(RoomInput::Gone(PeerId(id))),
            1 => self.attach(id, "watcher", None),
            // Beyond what it can have been shown, too.
            _ => self.attach(id, "watcher", Some(chance.below(80))),
        }
    }

    fn player_acts(&mut self, chance: &mut Chance) {
        let on_turn = self.room.game().state().turn().map(|turn| turn.seat);
        let any = Seat(u8::from(chance.one_in(2)));
        if chance.one_in(12) && !self.course.is_blind {
            return self.input(RoomInput::Gone(PeerId(u64::from(any.0))));
        }
        if chance.one_in(8) {
            return self.attach(u64::from(any.0), &format!("p{}", any.0), None);
        }
        let seat = if chance.one_in(4) {
            any
        } else {
            on_turn.unwrap_or(any)
        };
        let cmd_id = format!("c{}", self.asked);
        let command = some_command(
            self.room.game().state(),
            seat,
            &cmd_id,
            self.course.is_blind,
            chance,
        );
        self.ask(seat, command);
    }
}
