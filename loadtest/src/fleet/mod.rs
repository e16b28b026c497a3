//! Client processes: clients in processes of their own, beyond the open files and the locks of one process.
//!
//! The parent sends an [`Assignment`] and then [`ParentMessage`]s. The client process answers every tenth of a second with
//! a [`ChildReport`] of its counters and latencies; the parent adds them to its own. Transcripts of spectators follow at
//! the end, for one audit of all clients. Tables are audited where they run, because all their clients are in the same
//! process. Each line of both pipes is one message as JSON.

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
use crate::clients::{at, chatter, follower, sign_in};
use crate::recorder::{COUNTS, LATENCIES, Recorded};
use crate::shared::{Behavior, Pairing, Shared};
use crate::transcript::{Segment, Transcript, Viewer};

/// Time for all clients to stop.
pub(crate) const LEAVE_WITHIN: Duration = Duration::from_secs(30);
/// Interval of the reports of a client process.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// The role of the clients of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum Role {
    /// Spectators of one game; a share of them do not read.
    Spectators {
        /// The share that does not read.
        stalled: f64,
    },
    /// Connected, and nothing else.
    Connected,
    /// Followers of the lobby.
    Lobby,
    /// Registrations and logins without a pause.
    SignIns,
    /// Readers of the lobby's chat; the first one writes.
    Chat {
        /// The lines that it writes in a second.
        lines_per_s: f64,
    },
    /// Tables with players and spectators.
    Tables(TableSpec),
}

/// A plan for a group of clients.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct ClientPlan {
    /// Their role.
    pub(crate) role: Role,
    /// The number of clients, or of tables.
    pub(crate) clients: u32,
    /// Time over which they connect.
    pub(crate) within: Duration,
    /// Number of client processes; 0 runs all clients in the main process.
    pub(crate) processes: u32,
}

impl ClientPlan {
    /// The numbers of the clients of a process; process 0 is the main one, and has none if there are others.
    pub(crate) fn of(self, process: u32) -> impl Iterator<Item = u32> {
        let (first, step) = match process.checked_sub(1) {
            Some(first) => (first, self.processes),
            None if self.processes == 0 => (0, 1),
            None => (self.clients, 1),
        };
        let step = usize::try_from(step).unwrap_or(usize::MAX);
        (first..self.clients).step_by(step.max(1))
    }

    /// The time from the first client until this one is due.
    pub(crate) fn due(self, number: u32) -> Duration {
        self.within.mul_f64(self.place(number))
    }

    /// Its place among all clients, from 0 to 1.
    pub(crate) fn place(self, number: u32) -> f64 {
        f64::from(number) / f64::from(self.clients.max(1))
    }
}

/// The first message to a client process.
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

/// A report of a client process.
#[derive(Debug, Default, Serialize, Deserialize)]
struct ChildReport {
    /// Counts since the last report.
    counts: [u64; COUNTS],
    /// Recorded values since the last report.
    times: [Recorded; LATENCIES],
    /// Errors by kind since the start.
    errors: Vec<(String, u64)>,
    /// How often a measured phase had begun or ended before this report.
    marks: u32,
    /// Clients that are attached to a game, and those whose connection was lost.
    attached: u64,
    interrupted: u64,
    /// Transcripts; in the last report.
    transcripts: Vec<SpectatorTranscript>,
    /// Violations that belong to no game; in the last report.
    faults: Vec<String>,
    /// The verdict on its tables; in the last report.
    verdict: Verdict,
}

/// The transcript of a spectator.
#[derive(Debug, Serialize, Deserialize)]
struct SpectatorTranscript {
    game: GameId,
    spectator: u32,
    segments: Vec<Segment>,
    faults: Vec<String>,
}

impl SpectatorTranscript {
    /// Converts a spectator's transcript; players are audited in their process.
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

/// Starts a client of a plan, or all clients of a table, when it is due.
pub(crate) fn spawn_client(
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
        (Role::SignIns, _) => {
            clients.spawn(at(due, sign_in::run(Arc::clone(shared), number)));
        }
        (Role::Chat { lines_per_s }, _) => {
            let shared = Arc::clone(shared);
            clients.spawn(at(due, chatter::run(shared, due, number, lines_per_s)));
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
