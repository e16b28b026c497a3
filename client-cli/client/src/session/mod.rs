//! Bookkeeping every client needs: request ids, command ids, and the log position of each game.
//!
//! A session outlives its connections: after a reconnect, [`ClientSession::attach_all`] gives the requests that resume
//! every game.

use std::collections::BTreeMap;

use tilewire_protocol::{Attach, AttachOutcome, CmdId, Event, GameId, OkBody, Snapshot, limits};

/// A place in the event log of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogPosition {
    /// The incarnation of the log.
    pub epoch: u64,
    /// The last event the client has.
    pub seq: u64,
}

/// The decision about an event that arrived.
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

/// The state of one game that the client follows.
#[derive(Debug, Clone)]
struct Track {
    position: Option<LogPosition>,
    // The first request asks for a snapshot (`None`) or for every event (`Some(0)`).
    start: Option<u64>,
    code: Option<String>,
    state: TrackState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TrackState {
    /// An `attach` must be sent, or has no answer yet.
    Attaching,
    /// The answer announced a snapshot, which has not arrived yet.
    AwaitingSnapshot,
    /// Events follow the position.
    Following,
}

/// The bookkeeping of one client across all its connections.
#[derive(Debug, Clone)]
pub struct ClientSession {
    cmd_prefix: String,
    next_cmd: u64,
    next_request: u64,
    // Ordered, so that the same history gives the same requests.
    games: BTreeMap<GameId, Track>,
}

/// Longest prefix of command ids, in bytes; it leaves room for a dash and a counter of 20 digits.
pub const CMD_PREFIX_MAX_BYTES: usize = limits::CMD_ID_MAX_BYTES - 21;

impl ClientSession {
    /// A session whose command ids begin with `cmd_prefix` and count from `first_cmd`.
    ///
    /// One identity must never use a command id twice, so either the prefix is random for each run of the program or the
    /// counter is kept across runs. Returns `None` if the prefix is longer than [`CMD_PREFIX_MAX_BYTES`] or contains a
    /// character outside `[A-Za-z0-9_-]`.
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

    /// Returns a new command id. A retry must reuse the id of the first attempt instead.
    pub fn next_cmd_id(&mut self) -> CmdId {
        let id = CmdId(format!("{}-{}", self.cmd_prefix, self.next_cmd));
        self.next_cmd = self.next_cmd.wrapping_add(1);
        id
    }

    /// Returns a new request id.
    pub fn next_request_id(&mut self) -> u64 {
        let id = self.next_request;
        // Wraps below 2^53, long after the request with the same id was answered.
        self.next_request = if id >= u64::from(u32::MAX) { 1 } else { id + 1 };
        id
    }

    /// Starts to follow a game, or starts again; returns the `attach` to send. `code` is the code of a private game.
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

    /// Starts to follow a game from its first event instead of from a snapshot; returns the `attach` to send.
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

    /// Returns the `attach` requests that resume every game after a reconnect, in the order of the game ids.
    pub fn attach_all(&mut self) -> Vec<Attach> {
        self.games
            .iter_mut()
            .map(|(game, track)| {
                track.state = TrackState::Attaching;
                attach_request(game, track)
            })
            .collect()
    }

    /// Records the answer to `request`.
    pub fn attached(&mut self, request: &Attach, answer: &OkBody) {
        let Some(track) = self.games.get_mut(&request.game) else {
            return;
        };
        match (answer.outcome, answer.epoch, request.seq) {
            (Some(AttachOutcome::Events), Some(epoch), Some(seq)) => {
                track.position = Some(LogPosition { epoch, seq });
                track.state = TrackState::Following;
            }
            _ => track.state = TrackState::AwaitingSnapshot,
        }
    }

    /// Records a snapshot, which replaces everything the client knew about the game.
    pub fn snapshot(&mut self, snapshot: &Snapshot) {
        if let Some(track) = self.games.get_mut(&snapshot.game) {
            track.position = Some(LogPosition {
                epoch: snapshot.epoch,
                seq: snapshot.seq,
            });
            track.state = TrackState::Following;
        }
    }

    /// Records an event and returns what to do with it.
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

    /// Stops following a game, for example after `detach` or `detached`.
    pub fn forget(&mut self, game: &GameId) {
        self.games.remove(game);
    }

    /// The log position of the client in a game; `None` if it does not follow the game or has received nothing yet.
    #[must_use]
    pub fn position(&self, game: &GameId) -> Option<LogPosition> {
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
