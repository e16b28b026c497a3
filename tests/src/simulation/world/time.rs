//! The time of a simulation: the machine's clock at a start, the stamps of the server, and its stalls.

use std::time::Duration;

use tilewire_rules::time::Timestamp;
use tilewire_server::clock::ServerClock;
use tilewire_server::clock_check;
use tilewire_server::config::MachineClock;
use tilewire_server::storage::Liveness;

use super::{BEGINS_AT, World};
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
            stamp: Some(Timestamp(stamp)),
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
        let clock = clock.clone();
        self.watcher
            .spawn(async move { clock.watch_stalls().await });
    }

    /// The server stands still: everything that comes waits, and every timer is late.
    pub(super) async fn stand_still(&mut self, ms: i64) {
        self.listen();
        let from = self.wall();
        if std::mem::take(&mut self.is_stamped) {
            self.stamp = Some(self.last_stamp());
        }
        self.trace
            .say(self.now, || format!("the server stands still for {ms} ms"));
        tokio::time::advance(Duration::from_millis(ms.unsigned_abs())).await;
        self.now += ms;
        self.auditor.stalled(from, self.wall());
        // The server wakes before anything else arrives.
        self.listen();
    }

    /// The last moment the server noted that it runs: it does so each second.
    pub(super) fn last_stamp(&mut self) -> i64 {
        let missed = self.chance.ms(0, 1_000);
        let started = self.stamp.unwrap_or(BEGINS_AT);
        (self.wall() - missed).max(started)
    }
}
