//! The messages that each client received, in a compact form for the audit after the run.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use tilewire_protocol::{
    ClientMessage, Codec, Event, EventBody, GameId, ServerMessage, Snapshot, TurnKind,
    decode_server, encode_server,
};

use crate::public_state::PublicState;
use tilewire_oracle::history::Sight;

/// The recipient of the messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Viewer {
    /// The player on this seat.
    Seat(u8),
    /// A spectator, by number.
    Spectator(u32),
}

impl Viewer {
    /// The seat, of a player.
    pub const fn seat(self) -> Option<u8> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Spectator(_) => None,
        }
    }
}

/// A digest of consecutive events. Two viewers that got the same events have the same digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// The event before the first one.
    pub after: u64,
    /// The last one.
    pub last: u64,
    /// The hashes of all of them, chained.
    pub chain: u64,
    /// The digest of the snapshot that starts it.
    pub digest: Option<u64>,
}

/// A command the server said it had accepted.
#[derive(Debug, Clone)]
pub struct Accepted {
    /// The command.
    pub command: ClientMessage,
    /// The first event that it caused, according to the server.
    pub seq: u64,
}

/// The messages about one game that one client received.
#[derive(Debug)]
pub struct Transcript {
    /// The game.
    pub game: GameId,
    /// The client.
    pub viewer: Viewer,
    /// Runs of consecutive events; a snapshot starts a new run.
    pub segments: Vec<Segment>,
    /// The frames of all events; only for players.
    pub frames: Vec<Bytes>,
    /// The commands that were accepted.
    pub accepted: Vec<Accepted>,
    /// The own racks that snapshots showed, each with the last event before it.
    pub racks: Vec<(u64, Vec<String>)>,
    /// Faults that were found on arrival.
    pub faults: Vec<String>,
}

impl Transcript {
    /// Creates an empty transcript.
    pub const fn new(game: GameId, viewer: Viewer) -> Self {
        Self {
            game,
            viewer,
            segments: Vec::new(),
            frames: Vec::new(),
            accepted: Vec::new(),
            racks: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// Takes an event down.
    pub fn event(&mut self, decoded: &Decoded, frame: &Bytes) {
        let Body::Event { seq, hash, .. } = decoded.body else {
            return;
        };
        if self.viewer.seat().is_some() {
            self.frames.push(frame.clone());
        }
        match self.segments.last_mut() {
            Some(segment) if segment.last + 1 == seq => {
                segment.last = seq;
                segment.chain = chained(segment.chain, hash);
            }
            last => {
                let expected = last.map_or(1, |segment| segment.last + 1);
                if seq != expected {
                    self.fault(format!("event {seq} came where {expected} was due"));
                }
                self.segments.push(Segment {
                    after: seq - 1,
                    last: seq,
                    chain: chained(0, hash),
                    digest: None,
                });
            }
        }
    }

    /// Records a snapshot with its digest, if it has one; the next event has the number `seq + 1`.
    pub fn snapshot(&mut self, seq: u64, digest: Option<u64>) {
        self.segments.push(Segment {
            after: seq,
            last: seq,
            chain: 0,
            digest,
        });
    }

    /// The own rack that was shown after so many events, if one was.
    pub fn rack_at(&self, events: usize) -> Option<(u8, &[String])> {
        let seat = self.viewer.seat()?;
        let shown = self.racks.iter();
        let mut shown = shown.filter(|(seq, _)| usize::try_from(*seq) == Ok(events));
        shown.next().map(|(_, rack)| (seat, rack.as_slice()))
    }

    /// Takes down that something was wrong.
    pub fn fault(&mut self, what: String) {
        self.faults.push(what);
    }
}

/// Appends the hash of an event to a chain.
pub fn chained(chain: u64, hash: u64) -> u64 {
    let mut hasher = DefaultHasher::new();
    (chain, hash).hash(&mut hasher);
    hasher.finish()
}

/// A message as a client that only watches needs it.
#[derive(Debug)]
pub struct Decoded {
    /// The request it answers; 0 for none.
    pub id: u64,
    /// The content.
    pub body: Body,
    /// The seats whose tiles it shows while they are hidden.
    pub shows: Vec<u8>,
    /// Whether it contains fields that this harness does not know.
    pub is_odd: bool,
}

/// The content of a message.
#[derive(Debug)]
pub enum Body {
    /// An event.
    Event {
        /// The game.
        game: GameId,
        /// Its number.
        seq: u64,
        /// When it took effect, unix ms.
        at: i64,
        /// Its kind.
        kind: &'static str,
        /// Its public hash.
        hash: u64,
        /// The turn that it ends, if it does.
        turn_no: Option<u32>,
        /// Whether the game is over.
        is_end: bool,
    },
    /// A whole game.
    Snapshot {
        /// The game.
        game: GameId,
        /// Its incarnation.
        epoch: u64,
        /// Its last event.
        seq: u64,
        /// The digest of the public state of the game; `None` while a turn waits, because no event has its clocks.
        digest: Option<u64>,
        /// Whether the game is over.
        is_end: bool,
    },
    /// Anything else.
    Other(Box<ServerMessage>),
}

impl Decoded {
    /// Reads a message.
    ///
    /// # Errors
    /// When it is none.
    pub fn read(frame: &[u8]) -> Result<(Self, ServerMessage), String> {
        let (id, message) =
            decode_server(Codec::MsgPack, frame).map_err(|error| format!("{error}"))?;
        // A message that encodes differently contained unknown fields, which the audit cannot check.
        let is_odd = encode_server(Codec::MsgPack, id, &message) != frame;
        let (body, shows) = match &message {
            ServerMessage::Event(event) => (of_event(event), shown_by_event(event)),
            ServerMessage::Snapshot(snapshot) => {
                let waits = snapshot.waiting_until.is_some();
                let body = Body::Snapshot {
                    game: snapshot.game.clone(),
                    epoch: snapshot.epoch,
                    seq: snapshot.seq,
                    digest: (!waits).then(|| PublicState::of(snapshot).digest()),
                    is_end: snapshot.result.is_some(),
                };
                (body, shown_by_snapshot(snapshot))
            }
            _ => (Body::Other(Box::new(message.clone())), Vec::new()),
        };
        let decoded = Self {
            id,
            body,
            shows,
            is_odd,
        };
        Ok((decoded, message))
    }

    /// Returns the event as a history takes it down, if it is one.
    pub(crate) fn sight(&self) -> Option<Sight> {
        match self.body {
            Body::Event {
                seq,
                at,
                kind,
                hash,
                ..
            } => Some(Sight {
                seq,
                at,
                kind,
                hash,
            }),
            Body::Snapshot { .. } | Body::Other(_) => None,
        }
    }

    /// Returns the reason why this viewer must not get the message, if there is one.
    pub fn fault_for(&self, viewer: Viewer) -> Option<String> {
        let foreign = self.shows.iter().find(|seat| viewer.seat() != Some(**seat));
        if let Some(seat) = foreign {
            return Some(format!("{viewer:?} was shown tiles of seat {seat}"));
        }
        self.is_odd
            .then(|| format!("{viewer:?} was told something unknown"))
    }
}

fn of_event(event: &Event) -> Body {
    let turn_no = match &event.body {
        EventBody::PlayMade(play) => Some(play.turn_no),
        EventBody::Exchanged(exchange) => Some(exchange.turn_no),
        EventBody::Passed(pass) => Some(pass.turn_no),
        _ => None,
    };
    let Sight {
        seq,
        at,
        kind,
        hash,
    } = Sight::of(event);
    Body::Event {
        game: event.game.clone(),
        seq,
        at,
        kind,
        hash,
        turn_no,
        is_end: matches!(event.body, EventBody::Ended(_)),
    }
}

fn shown_by_event(event: &Event) -> Vec<u8> {
    match &event.body {
        EventBody::TilesDrawn(drawn) if drawn.tiles.is_some() => vec![drawn.seat],
        EventBody::Exchanged(exchange) if exchange.tiles.is_some() => vec![exchange.seat],
        _ => Vec::new(),
    }
}

fn shown_by_snapshot(snapshot: &Snapshot) -> Vec<u8> {
    if snapshot.result.is_some() {
        return Vec::new();
    }
    let racks = (0..).zip(&snapshot.seats);
    let racks = racks.filter_map(|(seat, of)| of.rack.is_some().then_some(seat));
    let exchanges = snapshot.turns.iter().filter_map(|turn| {
        (turn.kind == TurnKind::Exchange && turn.tiles.is_some()).then_some(turn.seat)
    });
    racks.chain(exchanges).collect()
}

/// Reads each of many equal frames once: all spectators of a game are sent the same bytes.
#[derive(Debug, Default)]
pub struct FrameCache(Mutex<HashMap<Bytes, Arc<Decoded>>>);

/// The number of remembered frames; older ones have reached every client.
const REMEMBERED: usize = 8_192;

impl FrameCache {
    /// Reads a frame.
    ///
    /// # Errors
    /// When it is no message.
    pub fn decode(&self, frame: &Bytes) -> Result<Arc<Decoded>, String> {
        if let Some(decoded) = self.known().get(frame) {
            return Ok(Arc::clone(decoded));
        }
        let decoded = Arc::new(Decoded::read(frame)?.0);
        if matches!(decoded.body, Body::Event { .. } | Body::Snapshot { .. }) {
            let mut known = self.known();
            if known.len() >= REMEMBERED {
                known.clear();
            }
            known.insert(Bytes::copy_from_slice(frame), Arc::clone(&decoded));
        }
        Ok(decoded)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<Bytes, Arc<Decoded>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
