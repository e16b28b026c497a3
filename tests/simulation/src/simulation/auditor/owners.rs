//! The promises of several servers that share the games: one owner at a time, one lobby at a time, and no player pays for a
//! takeover.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_config::ClusterConfig;
use tilewire_protocol::GameId;
use tilewire_rules::event::{Event, PublicEvent, Record};
use tilewire_store::{NodeId, Part, Shard, Term};

use super::{Auditor, TIMER_MS};
use crate::simulation::disk::Stored;
use crate::simulation::line::LineId;

/// How exactly a server knows the time of the database, ms: a question is on its way for so long.
const QUESTION_MS: i64 = 50;

/// The losses of servers. The test checks that enough servers were lost.
#[derive(Debug, Clone, Copy, Default)]
pub struct NodeCounts {
    /// Servers that were killed.
    pub killed: u64,
    /// Servers that stood still.
    pub held: u64,
    /// Servers that were cut off.
    pub cut: u64,
    /// Servers that were cut off beyond their lease.
    pub dropped: u64,
    /// Servers that were asked to stop.
    pub drained: u64,
    /// Servers that others have fenced.
    pub fenced: u64,
    /// Outages of the disk.
    pub outages: u64,
    /// Games that went on with another owner.
    pub moved: u64,
    /// Games that got back the time of a lost server.
    pub credited: u64,
}

/// Time within which a server that goes on after it was fenced notices that, ms.
const NOTICES_MS: i64 = 1_000;

/// Time after a fault within which the clients of all servers have reached their games again.
const REACHES_MS: i64 = 9_000;

/// A game whose server was lost.
#[derive(Debug, Clone, Copy)]
struct Owed {
    /// Since when it stands still.
    at: i64,
    /// The term in which it was owned last.
    term: Option<Term>,
}

/// The auditor's model of owners.
#[derive(Debug, Default)]
pub(super) struct Owners {
    /// The last owner that has stored something of each game.
    stored: BTreeMap<GameId, (Term, NodeId)>,
    owed: BTreeMap<GameId, Owed>,
    /// The servers whose lobby runs, with their lives.
    lobbies: BTreeSet<(usize, i64)>,
    /// Those that were fenced a moment ago, and until when they must have noticed. Nothing that their lobby does is stored.
    leaving: BTreeMap<(usize, i64), i64>,
    /// When each server was fenced last.
    fenced_at: BTreeMap<usize, i64>,
    /// Whether several servers share the games.
    is_on: bool,
    /// The time to live of leases, ms.
    lease_ms: i64,
    /// Time for which a deadline waits for commands on their way, ms.
    deadline_wait_ms: i64,
    /// The outages of the disk, from and to.
    outages: Vec<(i64, i64)>,
    /// The faults of servers and of the disk, and until when all channels between servers are open again.
    faults: Vec<(i64, i64)>,
    counts: NodeCounts,
}

impl Owners {
    /// Says whether several servers share the games.
    pub(super) const fn are_several(&self) -> bool {
        self.is_on
    }
}

impl Auditor {
    /// Counts something that happened to servers.
    pub fn count_nodes(&mut self, count: impl FnOnce(&mut NodeCounts)) {
        count(&mut self.owners.counts);
    }

    /// Returns what became of servers.
    #[must_use]
    pub const fn node_counts(&self) -> NodeCounts {
        self.owners.counts
    }

    /// Something breaks, and is mended at `to`.
    pub fn breaks(&mut self, from: i64, to: i64) {
        self.owners.faults.push((from, to + REACHES_MS));
    }

    /// Says whether a client was attached to its game from one record to another, as far as the server goes that has the game. A client
    /// of another server can lose its channel without noticing: the channel goes on with a resume.
    pub(super) fn was_reached(
        &self,
        line: LineId,
        game: &GameId,
        (from, to): (usize, usize),
    ) -> bool {
        let log = self.log(game);
        let owner = log.stored_by[to];
        if log.stored_by[from] != owner {
            return false;
        }
        let own = owner.and_then(|owner| usize::try_from(owner.node.0 - 1).ok());
        let from = log.records[from].at.0;
        let mut faults = self.owners.faults.iter();
        self.lines[&line].server == own
            || !faults.any(|fault| from <= fault.1 && fault.0 <= self.now)
    }

    /// A server stood still until `at`: all that was due meanwhile is due then.
    pub fn is_late(&mut self, at: i64) {
        self.ready_at = self.ready_at.max(at);
    }

    /// The disk cannot be reached for some time. After a long one, the servers have to get their games anew.
    pub fn outage(&mut self, from: i64, to: i64) {
        self.owners.counts.outages += 1;
        if to - from >= self.owners.lease_ms {
            self.is_late(to + self.owners.lease_ms);
        }
        self.owners.outages.push((from, to));
    }

    /// The disk can be reached again.
    pub fn outage_ends(&mut self, now: i64) {
        if let Some((_, to)) = self.owners.outages.last_mut() {
            *to = now.min(*to);
        }
    }

    /// Several servers share the games.
    pub const fn shares(&mut self, config: &ClusterConfig) {
        let owners = &mut self.owners;
        owners.is_on = true;
        owners.lease_ms = config.lease_ms.0;
        owners.deadline_wait_ms = config.deadline_wait_ms.0;
    }

    /// Returns how much later than a deadline the server may ask for its append, ms.
    pub(super) const fn timer_ms(&self) -> i64 {
        TIMER_MS + self.owners.deadline_wait_ms
    }

    /// Returns the time for which a deadline waits for commands on their way, ms; 0 of one server.
    pub(super) const fn deadline_wait_ms(&self) -> i64 {
        self.owners.deadline_wait_ms
    }

    /// Says whether several servers share the games.
    pub(super) const fn has_nodes(&self) -> bool {
        self.owners.are_several()
    }

    /// A server was fenced.
    ///
    /// # Panics
    /// When no server can have been well for long enough, after an outage.
    pub fn fenced(&mut self, now: i64, server: usize) {
        self.owners.counts.fenced += 1;
        self.owners.fenced_at.insert(server, now);
        let lease_ms = self.owners.lease_ms;
        let outage = self.owners.outages.iter().find(|(from, to)| {
            to - from >= lease_ms && *from + lease_ms < now && now < to + lease_ms
        });
        assert!(
            outage.is_none(),
            "{now}: a server that was unwell fences another: {outage:?}"
        );
    }

    /// The lobby of a server begins or ends.
    ///
    /// # Panics
    /// When another one has it.
    pub fn has_lobby(&mut self, now: i64, of: (usize, i64), begins: bool) {
        let Owners {
            lobbies,
            leaving,
            fenced_at,
            ..
        } = &mut self.owners;
        leaving.remove(&of);
        let late = leaving.iter().find(|(_, until)| **until < now);
        assert!(late.is_none(), "{now}: two lobbies: {late:?}");
        if !begins {
            lobbies.remove(&of);
            return;
        }
        let until = |of: &(usize, i64)| fenced_at.get(&of.0).map(|at| at + NOTICES_MS);
        for left in lobbies.extract_if(.., |of| until(of).is_some_and(|until| now < until)) {
            leaving.insert(left, now + NOTICES_MS);
        }
        lobbies.insert(of);
        assert!(lobbies.len() == 1, "{now}: two lobbies: {lobbies:?}");
    }

    /// A server is lost at `now`, with the games of these parts.
    pub fn node_lost(&mut self, now: i64, parts: &BTreeSet<Part>, asleep: &BTreeSet<GameId>) {
        let credited = self.logs.iter().filter(|(_, log)| log.is_credited());
        for (game, _) in credited {
            if parts.contains(&Shard::of(game).into()) && !asleep.contains(game) {
                let stored = self.owners.stored.get(game);
                self.owners.owed.entry(game.clone()).or_insert(Owed {
                    at: now,
                    term: stored.map(|(term, _)| *term),
                });
            }
        }
    }

    /// Checks who stores records of a game, and that the first one after the loss of its server gives the time back.
    pub(super) fn check_owner(&mut self, stored: &Stored, fresh: &[Record]) {
        // The server with the lobby creates games for all of them.
        let Some(by) = stored.by.filter(|by| by.part != Part::LOBBY) else {
            return;
        };
        let owners = &mut self.owners;
        let owner = (by.term, by.node);
        let before = owners.stored.insert(stored.game.clone(), owner);
        if let Some((term, node)) = before {
            assert!(
                by.term > term || (by.term == term && by.node == node),
                "{}: {:?} stores in {:?} after {node:?} in {term:?}",
                stored.game,
                by.node,
                by.term
            );
            owners.counts.moved += u64::from(node != by.node);
        }
        let Some(owed) = owners.owed.get(&stored.game).copied() else {
            return;
        };
        // The lost server had sent it before.
        if owed.term.is_some_and(|term| term == by.term) {
            return;
        }
        owners.owed.remove(&stored.game);
        let Some(log) = self.logs.get(&stored.game) else {
            return;
        };
        let last_at = log.records.last().map_or(i64::MIN, |record| record.at.0);
        if !log.is_credited() {
            return;
        }
        let Some(first) = fresh.first() else {
            return;
        };
        let since = owed.at.max(last_at);
        let Event::Public(PublicEvent::ClockCredited {
            stopped_at,
            resumed_at,
            ..
        }) = &first.event
        else {
            panic!(
                "the loss of a server at {} is not credited: {first:?}",
                owed.at
            );
        };
        assert!(
            stopped_at.0 <= since + QUESTION_MS && resumed_at.0 >= first.at.0,
            "the loss of a server at {since} is credited later: {first:?}"
        );
        self.owners.counts.credited += 1;
    }
}
