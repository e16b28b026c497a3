//! Bookkeeping every client needs: request ids, command ids, and where it stands in each game's events.
//!
//! Pure: it is told what was sent and what came, and says what to make of it. It survives the loss of a connection;
//! after a reconnect, [`ClientSession::attach_all`] gives the requests that resume every game.

use std::collections::BTreeMap;

use crate::client::Attach;
use crate::enums::AttachOutcome;
use crate::event::Event;
use crate::ids::{CmdId, GameId};
use crate::limits;
use crate::server::OkBody;
use crate::snapshot::Snapshot;

/// A place in the event log of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The incarnation of the log.
    pub epoch: u64,
    /// The last event the client has.
    pub seq: u64,
}

/// What to do with an event that came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Arrival {
    /// It is the next one: apply it.
    Apply,
    /// The client has it already: drop it.
    Duplicate,
    /// Events are missing before it: drop it, and send a new `attach`.
    Gap {
        /// The event that should have come.
        expected: u64,
    },
    /// The client is not attached, or waits for the answer to an `attach`: drop it.
    Unattached,
}

/// What a client remembers of one game.
#[derive(Debug, Clone)]
struct Track {
    position: Option<Position>,
    // What to ask for while there is no position: a snapshot (`None`) or every event (`Some(0)`).
    start: Option<u64>,
    code: Option<String>,
    state: TrackState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TrackState {
    /// An `attach` was or must be sent.
    Attaching,
    /// The answer announced a snapshot, which has not come yet.
    AwaitingSnapshot,
    /// Events follow the position.
    Following,
}

/// The bookkeeping of one client over all its connections.
#[derive(Debug, Clone)]
pub struct ClientSession {
    cmd_prefix: String,
    next_cmd: u64,
    next_request: u64,
    // Ordered, so that the same history gives the same requests.
    games: BTreeMap<GameId, Track>,
}

/// Longest prefix of command ids, bytes: a dash and a counter of 20 digits still fit behind it.
pub const CMD_PREFIX_MAX_BYTES: usize = limits::CMD_ID_MAX_BYTES - 21;

impl ClientSession {
    /// A session whose command ids begin with `cmd_prefix` and count from `first_cmd`.
    ///
    /// The prefix must be random for each run of the program (or the counter kept across runs): a command id must never
    /// come twice from one identity. `None` if the prefix is longer than [`CMD_PREFIX_MAX_BYTES`] or holds anything but
    /// `[A-Za-z0-9_-]`.
    #[must_use]
    pub fn new(cmd_prefix: &str, first_cmd: u64) -> Option<Self> {
        let well_formed = CmdId(cmd_prefix.to_owned()).is_well_formed();
        (well_formed && cmd_prefix.len() <= CMD_PREFIX_MAX_BYTES).then(|| Self {
            cmd_prefix: cmd_prefix.to_owned(),
            next_cmd: first_cmd,
            next_request: 1,
            games: BTreeMap::new(),
        })
    }

    /// A fresh command id; a retry must use the one of the first try instead.
    pub fn next_cmd_id(&mut self) -> CmdId {
        let id = CmdId(format!("{}-{}", self.cmd_prefix, self.next_cmd));
        self.next_cmd = self.next_cmd.wrapping_add(1);
        id
    }

    /// A fresh request id.
    pub fn next_request_id(&mut self) -> u64 {
        let id = self.next_request;
        // Wraps long before 2^53, and long after the request of the same id was answered.
        self.next_request = if id >= u64::from(u32::MAX) { 1 } else { id + 1 };
        id
    }

    /// Begins (or begins again) to follow a game: the `attach` to send. `code` is for watching private games.
    pub fn attach(&mut self, game: &GameId, code: Option<String>) -> Attach {
        let track = self.games.entry(game.clone()).or_insert(Track {
            position: None,
            start: None,
            code: None,
            state: TrackState::Attaching,
        });
        if code.is_some() {
            track.code = code;
        }
        track.state = TrackState::Attaching;
        attach_request(game, track)
    }

    /// Follows a game from its very first event instead of from a snapshot: the `attach` to send.
    pub fn attach_from_start(&mut self, game: &GameId, code: Option<String>) -> Attach {
        let start = Track {
            position: None,
            start: Some(0),
            code,
            state: TrackState::Attaching,
        };
        let request = attach_request(game, &start);
        self.games.insert(game.clone(), start);
        request
    }

    /// After a reconnect: the `attach` requests that resume every game, in the order of their ids.
    pub fn attach_all(&mut self) -> Vec<Attach> {
        self.games
            .iter_mut()
            .map(|(game, track)| {
                track.state = TrackState::Attaching;
                attach_request(game, track)
            })
            .collect()
    }

    /// Takes in the answer to `request`.
    pub fn attached(&mut self, request: &Attach, answer: &OkBody) {
        let Some(track) = self.games.get_mut(&request.game) else {
            return;
        };
        match (answer.outcome, answer.epoch, request.seq) {
            (Some(AttachOutcome::Events), Some(epoch), Some(seq)) => {
                track.position = Some(Position { epoch, seq });
                track.state = TrackState::Following;
            }
            _ => track.state = TrackState::AwaitingSnapshot,
        }
    }

    /// Takes in a snapshot; it replaces everything the client knew of the game.
    pub fn snapshot(&mut self, snapshot: &Snapshot) {
        if let Some(track) = self.games.get_mut(&snapshot.game) {
            track.position = Some(Position {
                epoch: snapshot.epoch,
                seq: snapshot.seq,
            });
            track.state = TrackState::Following;
        }
    }

    /// Takes in an event and says what to do with it.
    pub fn event(&mut self, event: &Event) -> Arrival {
        let Some(track) = self.games.get_mut(&event.game) else {
            return Arrival::Unattached;
        };
        let (TrackState::Following, Some(position)) = (track.state, track.position.as_mut()) else {
            return Arrival::Unattached;
        };
        let expected = position.seq + 1;
        if event.seq < expected {
            Arrival::Duplicate
        } else if event.seq > expected {
            track.state = TrackState::Attaching;
            Arrival::Gap { expected }
        } else {
            position.seq = event.seq;
            Arrival::Apply
        }
    }

    /// Stops following a game (after `detach`, `detached`, or when it is of no more interest).
    pub fn forget(&mut self, game: &GameId) {
        self.games.remove(game);
    }

    /// Where the client stands in a game; `None` when it does not follow it or has nothing of it yet.
    #[must_use]
    pub fn position(&self, game: &GameId) -> Option<Position> {
        self.games.get(game).and_then(|track| track.position)
    }
}

fn attach_request(game: &GameId, track: &Track) -> Attach {
    Attach {
        game: game.clone(),
        epoch: track.position.map(|position| position.epoch),
        seq: track.position.map(|position| position.seq).or(track.start),
        code: track.code.clone(),
    }
}

#[cfg(test)]
mod tests;
