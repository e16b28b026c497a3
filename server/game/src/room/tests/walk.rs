//! Random games with a journal that fails at random; [`Scene`] checks the invariants.

mod asking;

use std::collections::{BTreeMap, BTreeSet};

use tilewire_protocol::{ClientMessage, EventBody, ServerMessage};
use tilewire_rules::clock::ClockKind;
use tilewire_rules::game::{Game, Order};
use tilewire_rules::options::ChallengeKind;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::stream::{Seed, Stream};
use tilewire_rules::time::{Millis, Seat, Timestamp};
use tilewire_rules::view::Audience;

use super::{AppendError, EPOCH, Pending, RoomInput, Scene, TestPeer, peer, ready};
use crate::operator::Asker;
use crate::room::{Participant, Room};
use tilewire_store::RecordBatch;
use tilewire_wire::snapshot;
use tilewire_wire::snapshot::Now;

/// Games per number of seats.
const GAMES: u64 = 100;
/// Inputs per game.
const INPUTS: usize = 200;

struct Walk {
    scene: Scene,
    rng: Stream,
    seats: u64,
    commands: u32,
    /// Requests and their senders.
    asked: Vec<(u64, u64)>,
    connections: Vec<TestPeer>,
}

#[test]
fn whatever_happens_the_room_keeps_its_promises() {
    let mut seen = BTreeSet::new();
    for seats in 2..=4 {
        for seed in 0..GAMES {
            seen.extend(Walk::new(seats, seed).run());
        }
    }
    let unseen: Vec<&str> = EventBody::KINDS
        .iter()
        .filter(|kind| !seen.contains(**kind))
        .copied()
        .collect();
    // The classic board is fixed, and seat 0 starts, so there is no draw for first play.
    assert_eq!(
        unseen,
        ["board_drawn", "order_drawn"],
        "chance has to meet everything else"
    );
}

impl Walk {
    fn new(seats: u8, seed: u64) -> Self {
        let name = format!("room-{seats}-{seed}");
        let mut rng = Seed::new(&[1; 32], &name, &[[]; 0]).stream("walk");
        let consent = rng.uniform(2) == 0;
        let scene = Scene::new(|options, parts| {
            options.seats = seats;
            options.challenge.kind = ChallengeKind::Double;
            if consent {
                options.challenge.consent = tilewire_rules::options::Consent::Asked;
            }
            // Rated games are aborted by consent.
            options.rated = seats == 2 && seed.is_multiple_of(2);
            options.hints = if options.rated { 0 } else { 8 };
            options.timing.nudge.quiet_ms = 3_000;
            if seed.is_multiple_of(8) {
                options.vacation = true;
                options.clock = ClockKind::PerMove {
                    limit_ms: 3_600_000,
                    bank_ms: 0,
                };
            }
            parts.bounds.history_events = 24;
            parts.bounds.commands_waiting = 4;
            parts.bounds.vanish_grace_ms = Millis(1_000);
        });
        Self {
            scene,
            rng,
            seats: u64::from(seats),
            commands: 0,
            asked: Vec::new(),
            connections: Vec::new(),
        }
    }

    /// Plays to the end and returns the kinds of events it met.
    fn run(mut self) -> BTreeSet<String> {
        for seat in 0..self.seats {
            self.ask(seat, ready(&format!("ready{seat}")));
            self.scene.store();
        }
        for _ in 0..INPUTS {
            self.step();
        }
        self.scene.store();
        self.settle();
        self.check();
        let heard = self.scene.heard.values().flatten();
        heard
            .filter_map(|message| match message {
                ServerMessage::Event(event) => Some(event.body.kind().to_owned()),
                _ => None,
            })
            .collect()
    }

    fn chance(&mut self, of: u32) -> bool {
        self.rng.uniform(of) == 0
    }

    fn step(&mut self) {
        self.scene.now += Millis(i64::from(self.rng.uniform(1_500)));
        match self.rng.uniform(20) {
            0..=3 => self.come(),
            4 => self.go(),
            5..=6 if self.scene.state().adjournment().is_some() => self.come(),
            7..=9 if self.scene.state().adjournment().is_some() => self.go(),
            5..=6 => self.scene.tick(),
            7..=11 => self.journal(),
            12 if self.scene.state().adjournment().is_none() && self.chance(4) => self.order(),
            _ => {
                let seat = self.someone();
                let command = self.command(seat);
                self.ask(seat, command);
            }
        }
    }

    /// An operator pauses the game for a few seconds, or lets it go on; or a player takes a vacation.
    fn order(&mut self) {
        let seats = u32::try_from(self.seats).unwrap();
        let seat = Seat(u8::try_from(self.rng.uniform(seats)).unwrap());
        let order = match self.scene.state().pause() {
            None if self.scene.state().options().vacation && self.chance(2) => Order::Vacation {
                seat,
                until: self.scene.now + Millis(i64::from(self.rng.uniform(10_000))),
            },
            Some(_) => Order::Continue,
            None => Order::Pause {
                until: self.scene.now + Millis(5_000),
            },
        };
        let (asker, _answer) = Asker::new();
        self.scene.input(RoomInput::Order {
            asker,
            seq: None,
            order,
        });
    }

    /// Mostly the seat on turn acts; sometimes another seat tries.
    fn someone(&mut self) -> u64 {
        match self.scene.state().turn() {
            Some(turn) if !self.chance(3) => u64::from(turn.seat.0),
            Some(_) | None => u64::from(self.rng.uniform(u32::try_from(self.seats).unwrap())),
        }
    }

    fn come(&mut self) {
        let id = 100 + self.scene.asked;
        let identity = match self.rng.uniform(u32::try_from(self.seats).unwrap() + 2) {
            seat if u64::from(seat) < self.seats => format!("p{seat}"),
            _ => "eve".to_owned(),
        };
        let who = peer(id, &identity);
        let head = self.scene.journal.last().unwrap().seq.0;
        let from = match self.rng.uniform(3) {
            0 => None,
            _ => Some(head.saturating_sub(u64::from(self.rng.uniform(40)))),
        };
        let request_id = self.scene.attach(&who, from);
        self.asked.push((id, request_id));
        self.connections.push(who);
    }

    fn go(&mut self) {
        if self.connections.is_empty() {
            return;
        }
        let at = self
            .rng
            .uniform(u32::try_from(self.connections.len()).unwrap());
        let who = self.connections.swap_remove(usize::try_from(at).unwrap());
        if self.chance(2) {
            self.scene.input(RoomInput::Gone(who.id));
        } else {
            self.scene.asked += 1;
            let request_id = self.scene.asked;
            self.asked.push((who.id.0, request_id));
            let peer = who;
            self.scene.input(RoomInput::Detach { peer, request_id });
        }
    }

    /// The journal answers, for better or worse.
    fn journal(&mut self) {
        let how = self.rng.uniform(12);
        match &self.scene.pending {
            None => {}
            Some(Pending::Load) if how == 0 => self.scene.fail_load(),
            Some(Pending::Load) => {
                self.scene.pending = None;
                self.scene.load();
            }
            Some(Pending::Rest(_)) => self.keep(how),
            Some(Pending::Append(_)) => match how {
                0 => drop(self.scene.fail(AppendError::Unavailable(String::new()))),
                1 => drop(self.scene.fail(AppendError::OutcomeUnknown(String::new()))),
                2 => {
                    let Some(Pending::Append(append)) = self.scene.pending.take() else {
                        return;
                    };
                    self.scene.write(&append);
                    let error = AppendError::OutcomeUnknown(String::new());
                    self.scene.input(RoomInput::Appended(Err(error)));
                }
                _ => {
                    let Some(Pending::Append(append)) = self.scene.pending.take() else {
                        return;
                    };
                    self.scene.write(&append);
                    self.scene.input(RoomInput::Appended(Ok(())));
                }
            },
        }
    }

    /// The journal keeps the game or does not, and says so or does not.
    fn keep(&mut self, how: u32) {
        let Some(Pending::Rest(rest)) = self.scene.pending.take() else {
            return;
        };
        let outcome = match how {
            0 => Err(AppendError::Unavailable(String::new())),
            1 => Err(AppendError::OutcomeUnknown(String::new())),
            _ => {
                self.scene.keep(rest);
                Ok(())
            }
        };
        self.scene.input(RoomInput::Rested(outcome));
    }

    fn ask(&mut self, seat: u64, command: ClientMessage) {
        let who = peer(seat, &format!("p{seat}"));
        let late = Millis(i64::from(self.rng.uniform(300)));
        let request_id = self.scene.ask_at(&who, command, self.scene.now - late);
        self.asked.push((seat, request_id));
    }

    /// The journal works again; everything that can be is done.
    fn settle(&mut self) {
        for _ in 0..20 {
            self.scene.now = self
                .scene
                .now
                .max(self.scene.room.next_deadline().unwrap_or(Timestamp(0)));
            self.scene.tick();
            self.scene.store();
        }
    }

    fn check(&self) {
        let scene = &self.scene;
        let unanswered = self
            .asked
            .iter()
            .filter(|asked| !scene.answers.contains_key(asked));
        let unanswered: Vec<_> = unanswered.collect();
        assert!(unanswered.is_empty(), "{unanswered:?}");
        let replayed = Game::replay(RuleSet::classic(), &scene.journal).unwrap();
        assert_eq!(replayed.state(), scene.state());
        self.check_resume();
        self.check_kept();
    }

    /// The kept events equal those sent originally, in this room and after a restart, for every split of the log.
    fn check_kept(&self) {
        let scene = &self.scene;
        let rows = scene
            .journal
            .chunks(2 + usize::try_from(self.seats).unwrap());
        let rows = rows
            .map(|row| RecordBatch::from(row.to_vec()).into())
            .collect();
        let (mut parts, journal) = (scene.room.parts.clone(), scene.journal.clone());
        parts.bounds.history_events = journal.len();
        let again = Room::<TestPeer>::new(parts.clone(), journal, rows, scene.now).unwrap();
        for peer in &self.connections {
            let Some(seat) = scene.room.seat_of(peer.identity()) else {
                continue;
            };
            let told = scene.heard.get(&peer.id.0).into_iter().flatten();
            let told: BTreeMap<u64, &ServerMessage> = told
                .filter_map(|message| match message {
                    ServerMessage::Event(event) => Some((event.seq, message)),
                    _ => None,
                })
                .collect();
            for history in [&scene.room.history, &again.history] {
                for entry in history.all() {
                    let kept = entry.seen_by(&parts.facts, &parts.rules, Audience::Seat(seat));
                    if let Some(told) = told.get(&entry.record.seq.0) {
                        assert_eq!(**told, kept);
                    }
                }
            }
        }
    }

    /// A client that resumes after any event gets the same events as a client that stayed attached.
    fn check_resume(&self) {
        for who in &self.connections {
            let Some(heard) = scene_events(&self.scene, who.id.0) else {
                continue;
            };
            let head = self.scene.journal.last().unwrap().seq.0;
            assert_eq!(heard, head, "{who:?} is up to date");
        }
        let facts = &self.scene.room.parts.facts;
        assert_eq!(facts.epoch, EPOCH);
        for seat in Seat::all(u8::try_from(self.seats).unwrap()) {
            let audience = Audience::Seat(seat);
            let now = Now {
                waiting: None,
                connected: &[],
                at: Timestamp(0),
            };
            let one = snapshot::snapshot(facts, self.scene.state(), audience, now);
            for other in one.seats.iter().enumerate() {
                let is_own = other.0 == seat.index();
                assert_eq!(other.1.rack.is_some(), is_own);
            }
        }
    }
}

/// How far a player's connection has come; `None` for a spectator's.
fn scene_events(scene: &Scene, id: u64) -> Option<u64> {
    let heard = scene.heard.get(&id)?;
    let last = heard.iter().rev().find_map(|message| match message {
        ServerMessage::Event(event) => Some(event.seq),
        ServerMessage::Snapshot(snapshot) => Some(snapshot.seq),
        _ => None,
    });
    // Attached at the head, and nothing has happened since.
    Some(last.unwrap_or_else(|| scene.journal.last().map_or(0, |record| record.seq.0)))
}
