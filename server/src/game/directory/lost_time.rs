//! The lost time: outages and stalls, which the games get back.
//!
//! A game in memory is told of each; until its credit is stored, no stamp is written, so a later server finds the outage or
//! stall again. A sleeping game is told nothing. The storage keeps the lost time that it knew of, and the difference is credited
//! when it wakes.

use std::sync::atomic::Ordering;

use tilewire_rules::time::{Millis, Timestamp};

use super::Directory;
use super::loader::Loaded;
use crate::storage::Stamp;

impl Directory {
    /// Returns the stamp of this moment; `None` while a game in memory waits for the credit of an outage or a stall. Until
    /// then the server must not note that it runs: if it died, the next one would not know when the outage began.
    #[must_use]
    pub fn stamp(&self) -> Option<Stamp> {
        let at = self.shared.clock.now();
        let lost_ms = self.shared.clock.lost(at);
        // Checked last: a stall that is not in the stamp is not noticed by every game yet.
        (!self.owes_credits()).then_some(Stamp { at, lost_ms })
    }

    /// Returns the lost time until now.
    pub(super) fn lost_ms(&self) -> Millis {
        self.shared.clock.lost(self.shared.clock.now())
    }

    /// Says whether a game in memory still waits for the credit of an outage or a stall.
    fn owes_credits(&self) -> bool {
        self.shared.owing.load(Ordering::SeqCst) > 0 || !self.shared.clock.stalls_are_noticed()
    }

    /// Returns the time from which on a game that slept gets everything credited: as much as it has lost in its sleep.
    pub(super) fn slept_since(&self, loaded: &Loaded) -> Option<Timestamp> {
        let now = self.shared.clock.now();
        let lost_ms = self.shared.clock.lost(now) - loaded.lost_ms?;
        // The operator can accept a clock that is behind the last event: the clocks of the game continue from here.
        let is_behind = loaded.last_at.is_some_and(|last_at| last_at > now);
        (lost_ms > Millis::ZERO || is_behind).then(|| now - lost_ms.max(Millis::ZERO))
    }
}
