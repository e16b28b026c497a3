//! Clients in processes of their own: one process has so many files, and so much of a lock, for all its connections, and
//! what a crowd does there keeps nobody else's clients waiting.
//!
//! A child process is told what its clients are ([`Assignment`]), then what happens ([`ParentMessage`]), and says every tenth of a second
//! what was counted and timed since ([`ChildReport`]); what its spectators were told it hands over at the end, so that one judge
//! compares what everybody was told. Only tables are judged where they are: everybody who knows of their games is there. The
//! parent adds all of it to its own, so that one report knows of everybody. Each line of both pipes is one of these as JSON.

mod child;
mod parent;
mod table;

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tilewire_protocol::GameId;
use tokio::task::JoinSet;
use tokio::time::Instant;

pub(crate) use child::run;
pub(crate) use parent::Fleet;
pub(crate) use table::TableSpec;

use crate::audit::Verdict;
use crate::clients::idle::rest;
use crate::clients::spectator::{Habit, Spectator};
use crate::clients::{at, follower};
use crate::recorder::{COUNTS, LATENCIES, Recorded};
use crate::shared::{Behavior, Pairing, Shared};
use crate::transcript::{Segment, Transcript, Viewer};

/// How long clients may take to leave.
pub(crate) const LEAVE_WITHIN: Duration = Duration::from_secs(30);
/// Time between two lines of a child.
const SAYS_EVERY: Duration = Duration::from_millis(100);

/// What the clients are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum Role {
    /// Spectators of one game; the first of them, this share, do not read.
    Spectators {
        /// The share.
        stalled: f64,
    },
    /// Connected, and nothing else.
    Connected,
    /// Followers of the lobby.
    Lobby,
    /// Tables, with a crew at each.
    Tables(TableSpec),
}

/// What all clients do together.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct ClientPlan {
    /// What they are.
    pub(crate) role: Role,
    /// How many they are; how many tables.
    pub(crate) clients: u32,
    /// Time within which they come.
    pub(crate) within: Duration,
    /// Processes beside the first, which has them all if there are no others.
    pub(crate) processes: u32,
}

impl ClientPlan {
    /// The numbers of the clients of one process; the first is 0, and has none if there are others.
    pub(crate) fn of(self, process: u32) -> impl Iterator<Item = u32> {
        let (first, step) = match process.checked_sub(1) {
            Some(first) => (first, self.processes),
            None if self.processes == 0 => (0, 1),
            None => (self.clients, 1),
        };
        let step = usize::try_from(step).unwrap_or(usize::MAX);
        (first..self.clients).step_by(step.max(1))
    }

    /// How long after the first client one is due.
    pub(crate) fn due(self, number: u32) -> Duration {
        self.within.mul_f64(self.place(number))
    }

    /// Its place among all of them, from 0 to 1.
    pub(crate) fn place(self, number: u32) -> f64 {
        f64::from(number) / f64::from(self.clients.max(1))
    }
}

/// The first line to a child.
#[derive(Debug, Serialize, Deserialize)]
struct Assignment {
    address: String,
    behavior: Behavior,
    plan: ClientPlan,
    process: u32,
    /// When the first client is due, microseconds since 1970.
    began_us: i64,
    game: Option<GameId>,
}

/// A line of a child.
#[derive(Debug, Default, Serialize, Deserialize)]
struct ChildReport {
    /// What was counted since the last line.
    counts: [u64; COUNTS],
    /// The times that were taken since.
    times: [Recorded; LATENCIES],
    /// Errors by kind, all of them so far.
    errors: Vec<(String, u64)>,
    /// How often a measured phase had begun or ended before this line.
    marks: u32,
    /// Clients that follow a game, and those that were thrown out of one.
    attached: u64,
    interrupted: u64,
    /// What its clients were told; at the end.
    transcripts: Vec<SpectatorTranscript>,
    /// What was wrong that belongs to no game; at the end.
    faults: Vec<String>,
    /// What the judge says of its tables; at the end.
    verdict: Verdict,
}

/// What a spectator was told of a game.
#[derive(Debug, Serialize, Deserialize)]
struct SpectatorTranscript {
    game: GameId,
    spectator: u32,
    segments: Vec<Segment>,
    faults: Vec<String>,
}

impl SpectatorTranscript {
    /// Of a spectator's trail; players stay in the first process.
    fn of(transcript: Transcript) -> Option<Self> {
        let Viewer::Spectator(spectator) = transcript.viewer else {
            return None;
        };
        Some(Self {
            game: transcript.game,
            spectator,
            segments: transcript.segments,
            faults: transcript.faults,
        })
    }

    fn into_trail(self) -> Transcript {
        Transcript {
            segments: self.segments,
            faults: self.faults,
            ..Transcript::new(self.game, Viewer::Spectator(self.spectator))
        }
    }
}

/// Lets a client of a plan come when it is due, or everybody of a table.
pub(crate) fn bring(
    clients: &mut JoinSet<()>,
    shared: &Arc<Shared>,
    pairing: Option<&Arc<Pairing>>,
    plan: ClientPlan,
    number: u32,
    due: Instant,
) {
    match (plan.role, pairing) {
        (Role::Tables(table_spec), _) => table_spec.seat(clients, shared, number, due),
        (Role::Spectators { stalled }, Some(pairing)) => {
            let habit = if plan.place(number) < stalled {
                Habit::Stalls
            } else {
                Habit::Reads
            };
            let spectator = Spectator::new(shared, pairing, number, habit);
            clients.spawn(at(due, spectator.run(due)));
        }
        (Role::Lobby, _) => {
            clients.spawn(at(due, follower::run(Arc::clone(shared), due, number)));
        }
        (Role::Connected | Role::Spectators { .. }, _) => {
            clients.spawn(at(due, rest(Arc::clone(shared), due)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_client_is_in_one_process() {
        let plan = |processes| ClientPlan {
            role: Role::Connected,
            clients: 11,
            within: Duration::from_secs(11),
            processes,
        };
        for processes in 0..4 {
            let of = |process| plan(processes).of(process);
            let mut all: Vec<u32> = (0..=processes).flat_map(of).collect();
            all.sort_unstable();
            assert_eq!(all, (0..11).collect::<Vec<_>>());
            // The first process has none where there are others.
            assert_eq!(of(0).count(), if processes == 0 { 11 } else { 0 });
        }
        assert_eq!(plan(3).due(4), Duration::from_secs(4));
    }
}
