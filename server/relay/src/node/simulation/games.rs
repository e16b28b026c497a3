//! The games of the simulation: what is stored, and what each node has in memory.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bytes::Bytes;
use tilewire_protocol::{ClientMessage, Codec, GameId, decode_client};
use tilewire_rules::time::Timestamp;

use super::super::{Frame, Key, NodeId, Served};
use crate::message::{Attached, FrameSummary, Outcome, Payload};
use tilewire_delivery::outbound::ResumePoint;
use tilewire_store::{Part, Shard, Term};

/// The epoch of every game.
pub(super) const EPOCH: u64 = 3;

/// The state that all nodes share: the true owners, and the commands of each game.
#[derive(Debug, Default)]
pub(super) struct Database {
    pub(super) owners: BTreeMap<Part, (NodeId, Term)>,
    pub(super) logs: BTreeMap<GameId, Vec<String>>,
}

impl Database {
    /// Returns the number of the last event of a game.
    pub(super) fn head(&self, game: &GameId) -> u64 {
        self.logs.get(game).map_or(0, |log| log.len() as u64)
    }
}

/// Frames that a node sends at a time.
#[derive(Debug)]
pub(super) struct Due {
    pub(super) at: Timestamp,
    pub(super) key: Key,
    pub(super) frames: Vec<Frame>,
    /// The part they are about: they are lost with it.
    part: Part,
}

/// The state of a node in memory.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) channels: BTreeSet<Key>,
    attached: BTreeMap<GameId, BTreeSet<Key>>,
    due: VecDeque<Due>,
    /// The requests that it cannot read.
    unreadable: Vec<(Key, u64)>,
}

impl Memory {
    pub(super) fn end(&mut self, key: Key) {
        self.channels.remove(&key);
        for attached in self.attached.values_mut() {
            attached.remove(&key);
        }
    }

    /// Forgets the games of a part.
    pub(super) fn forget(&mut self, part: Part) {
        self.attached
            .retain(|game, _| Part::from(Shard::of(game)) != part);
        self.due.retain(|due| due.part != part);
    }

    /// Takes the requests that the node cannot read.
    pub(super) fn take_unreadable(&mut self) -> Vec<(Key, u64)> {
        std::mem::take(&mut self.unreadable)
    }

    /// Notes a request that the node cannot read.
    pub(super) fn cannot_read(&mut self, key: Key, relay_id: u64) {
        self.unreadable.push((key, relay_id));
    }

    /// Takes the frames whose time has come.
    pub(super) fn take_due(&mut self, now: Timestamp) -> Option<Due> {
        let at = self.due.front()?.at;
        (at <= now).then(|| self.due.pop_front()).flatten()
    }

    /// Serves a request at once, and sends the frames at `at`, after all others.
    pub(super) fn serve(
        &mut self,
        database: &mut Database,
        (key, served): (Key, Served),
        at: Timestamp,
        wants_snapshot: bool,
    ) {
        let (id, message) = decode_client(Codec::MsgPack, &served.message).expect("it was checked");
        let relay_id = served.relay_id;
        let answer = |outcome| {
            frame(
                FrameSummary::Answer(relay_id, outcome),
                format!("answer {id}"),
            )
        };
        match message {
            ClientMessage::Attach(attach) => {
                let (game, from) = (attach.game.clone(), ResumePoint::of(&attach));
                let head = database.head(&game);
                let from = from.filter(|from| !wants_snapshot && from.seq <= head);
                let attached = Attached {
                    epoch: EPOCH,
                    with_snapshot: from.is_none(),
                    is_spectator: false,
                    is_delayed: false,
                };
                let mut frames = vec![answer(Outcome::Attached(attached))];
                match from {
                    Some(from) => {
                        frames.extend((from.seq + 1..=head).map(|seq| event(&game, seq)));
                    }
                    None => {
                        let summary = FrameSummary::Snapshot(game.clone(), EPOCH, head);
                        frames.push(frame(summary, format!("snapshot {game} {head}")));
                    }
                }
                self.attached.entry(game.clone()).or_default().insert(key);
                self.send(at, key, frames, part_of(&game));
            }
            ClientMessage::Detach(detach) => {
                let attached = self.attached.entry(detach.game.clone()).or_default();
                attached.remove(&key);
                let part = part_of(&detach.game);
                self.send(at, key, vec![answer(Outcome::Done)], part);
            }
            ClientMessage::Pass(pass) => {
                let log = database.logs.entry(pass.game.clone()).or_default();
                let is_new = !log.contains(&pass.cmd_id.0);
                if is_new {
                    log.push(pass.cmd_id.0.clone());
                }
                let (seq, part) = (log.len() as u64, part_of(&pass.game));
                let told = self.attached.get(&pass.game).filter(|_| is_new);
                for key in told.cloned().into_iter().flatten() {
                    self.send(at, key, vec![event(&pass.game, seq)], part);
                }
                self.send(at, key, vec![answer(Outcome::Done)], part);
            }
            _ => self.send(at, key, vec![answer(Outcome::Done)], Part::LOBBY),
        }
    }

    fn send(&mut self, at: Timestamp, key: Key, frames: Vec<Frame>, part: Part) {
        let last = self.due.back().map_or(at, |due| due.at);
        self.due.push_back(Due {
            at: at.max(last),
            key,
            frames,
            part,
        });
    }
}

pub(super) fn part_of(game: &GameId) -> Part {
    Part::from(Shard::of(game))
}

fn event(game: &GameId, seq: u64) -> Frame {
    let summary = FrameSummary::Event(game.clone(), seq);
    frame(summary, format!("event {game} {seq}"))
}

fn frame(summary: FrameSummary, message: String) -> Frame {
    Frame {
        summary,
        message: Payload(Bytes::from(message)),
    }
}
