//! A server of the simulation: the machine, a writer with one connection, and the games of each part.

use std::collections::{BTreeMap, VecDeque};

use tilewire_rules::time::Timestamp;

use super::database::Statement;
use crate::{Identity, Node};
use tilewire_store::{DatabaseTime, Incarnation, Part, Term};

/// The games of a part in the memory of a server.
#[derive(Debug, Clone)]
pub(super) struct Room {
    pub(super) term: Term,
    pub(super) since: Option<DatabaseTime>,
    /// The end of the log; `None` until it is read, or read again.
    pub(super) head: Option<u64>,
    pub(super) is_loaded: bool,
    pub(super) is_paused: bool,
}

/// A statement that waits for its reply.
#[derive(Debug, Clone)]
pub(super) struct InFlight {
    pub(super) number: u64,
    pub(super) statement: Statement,
}

pub(super) struct Server {
    pub(super) identity: Identity,
    /// The difference of its clock to the true time, and its error in millionths.
    pub(super) offset: i64,
    pub(super) drift: i64,
    pub(super) machine: Option<Node>,
    /// Counts its processes.
    pub(super) life: u64,
    pub(super) is_running: bool,
    /// Stopped by a signal until then.
    pub(super) frozen_until: i64,
    /// Requests do not reach the database until then.
    pub(super) deaf_until: i64,
    /// Answers of the database do not come back until then.
    pub(super) mute_until: i64,
    pub(super) incarnations: Vec<Incarnation>,
    /// Whether its connection has an incarnation of its own.
    pub(super) has_incarnation: bool,
    pub(super) queue: VecDeque<Statement>,
    pub(super) in_flight: Option<InFlight>,
    pub(super) rooms: BTreeMap<Part, Room>,
    /// When its machine is woken next.
    pub(super) wakes_at: i64,
    /// When the newest question was put, by its own clock, that was answered in time.
    pub(super) proved_at: Option<Timestamp>,
    pub(super) asked_at: Timestamp,
}

impl Server {
    pub(super) const fn new(identity: Identity, offset: i64, drift: i64) -> Self {
        Self {
            identity,
            offset,
            drift,
            machine: None,
            life: 0,
            is_running: false,
            frozen_until: 0,
            deaf_until: 0,
            mute_until: 0,
            incarnations: Vec::new(),
            has_incarnation: false,
            queue: VecDeque::new(),
            in_flight: None,
            rooms: BTreeMap::new(),
            wakes_at: i64::MAX,
            proved_at: None,
            asked_at: Timestamp::MIN,
        }
    }

    /// Returns its own time.
    pub(super) const fn clock(&self, time: i64) -> Timestamp {
        Timestamp(1_000_000 + self.offset + time + time * self.drift / 1_000_000)
    }

    /// Ends the process: everything in its memory is gone.
    pub(super) fn end(&mut self) -> BTreeMap<Part, Room> {
        self.machine = None;
        self.is_running = false;
        self.life += 1;
        self.frozen_until = 0;
        self.incarnations.clear();
        self.has_incarnation = false;
        self.queue.clear();
        self.in_flight = None;
        self.wakes_at = i64::MAX;
        self.proved_at = None;
        std::mem::take(&mut self.rooms)
    }

    /// Says whether a record of a part waits to be stored.
    pub(super) fn is_storing(&self, part: Part) -> bool {
        let flying = self.in_flight.as_ref().map(|flying| &flying.statement);
        let mut all = self.queue.iter().chain(flying);
        all.any(|statement| matches!(statement, Statement::Append { part: of, .. } if *of == part))
    }
}
