//! The time of a simulation: the machine's clock at a start, the stamps of the server, and its stalls.

use std::collections::BTreeSet;
use std::time::Duration;

use tilewire_base::clock::ServerClock;
use tilewire_config::MachineClock;
use tilewire_operate::clock_check;
use tilewire_protocol::GameId;
use tilewire_rules::time::Timestamp;
use tilewire_server::app::App;
use tilewire_store::{Liveness, Stamp};

use super::World;
use crate::simulation::flaws::Flaw;

/// Milliseconds in an hour.
const HOUR_MS: i64 = 3_600_000;
/// How far the machine's clock may be off at a start, hours. The server keeps the answers to lobby commands for a day.
const JUMPS: [i64; 5] = [0, 2, -2 * 24, -30 * 24, 400 * 24];

impl World {
    /// The server's clock, unix ms.
    pub(super) fn wall(&self) -> i64 {
        self.epoch + self.now
    }

    /// The machine starts again, perhaps with another clock. If the server refuses it, the operator corrects the clock.
    pub(super) fn set_clock(&mut self) {
        let Some(stamp) = self.stamp.filter(|_| self.scenario.has_wrong_clock) else {
            return;
        };
        let jump = HOUR_MS * *self.clocks.pick(&JUMPS);
        let machine = Timestamp(self.wall() + jump);
        let stored = Liveness {
            stamp: Some(stamp),
            jumped_at: None,
        };
        let policy = match self.options.flaw {
            Some(Flaw::AnyClockAccepted) => MachineClock::Accept,
            _ => MachineClock::Check,
        };
        let Ok(accepted) = clock_check::check(machine, stored, policy) else {
            return;
        };
        self.epoch = machine.max(accepted.earliest).0 - self.now;
        self.jumps += usize::from(jump != 0);
        let epoch = self.epoch;
        self.trace
            .say(self.now, || format!("the clock begins at {epoch}"));
    }

    /// Lets the server watch for stalls, in runs that have any.
    pub(super) fn watch_stalls(&mut self, clock: &ServerClock) {
        let is_unseen = self.options.flaw == Some(Flaw::StallsUnseen);
        if self.scenario.stalls.is_empty() || self.is_calm || is_unseen {
            return;
        }
        self.watcher.spawn(clock.watch_stalls());
    }

    /// The server stands still: everything that comes waits, and every timer is late.
    pub(super) async fn stand_still(&mut self, ms: i64, app: &App) {
        self.listen();
        let from = self.wall();
        if let Some(stamp) = self.note_stamp(1_000) {
            app.directory.stamped(stamp);
        }
        let (asleep, awaited) = (self.asleep(), self.disk.awaited());
        self.trace
            .say(self.now, || format!("the server stands still for {ms} ms"));
        tokio::time::advance(Duration::from_millis(ms.unsigned_abs())).await;
        self.now += ms;
        self.auditor.stalled(from, self.wall(), &asleep, &awaited);
        // The server wakes before anything else arrives.
        self.listen();
    }

    /// The server has noted that it runs, if it had to: at the latest moment up to `missed_ms` ago.
    pub(super) fn note_stamp(&mut self, missed_ms: i64) -> Option<Stamp> {
        let first = self.first_stamp.take()?;
        let missed_ms = self.chance.ms(0, missed_ms);
        let at = Timestamp(self.wall() - missed_ms).max(first.at);
        self.stamp = Some(Stamp { at, ..first });
        self.stamp
    }

    /// The games that the disk has asleep.
    pub(super) fn asleep(&self) -> BTreeSet<GameId> {
        self.disk
            .look(|durable| durable.asleep.keys().cloned().collect())
    }

    /// All clients leave, and come back at `until`.
    pub(super) fn leave_until(&mut self, until: i64) {
        self.dark_until = until;
        // Their time goes on when they are back.
        let awake = self.people.iter_mut().map(|person| &mut person.manner);
        for manner in awake.filter(|manner| manner.sleeps_at > self.now) {
            manner.sleeps_at += until - self.now;
        }
        for line in self.wires.keys().copied().collect::<Vec<_>>() {
            self.hang_up(line, true);
        }
    }
    /// When a client is back from the last time when all were away.
    pub(super) fn back_at(&self, person: usize) -> i64 {
        let late_riser = self
            .scenario
            .late_riser
            .filter(|(late, _)| *late == person && self.dark_until > 0);
        self.dark_until + late_riser.map_or(0, |(_, ms)| ms)
    }
}
