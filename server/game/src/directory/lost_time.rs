//! The lost time: outages and stalls, which the games get back.
//!
//! A game in memory is told of each; until its credit is stored, no stamp is written, so a later server finds the outage or
//! stall again. A sleeping game is told nothing. The storage keeps the lost time that it knew of, and the difference is credited
//! when it wakes.
//!
//! A server that has the storage for itself counts the time in which it stood still. Among several, each shard has a lost time
//! of its own: the times in which its games stood still, whichever server had them before and after.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

use tilewire_protocol::GameId;
use tilewire_rules::time::{Millis, Timestamp};
use tokio::sync::watch;

use super::Directory;
use super::loader::Loaded;
use crate::actor::Shared;
use tilewire_base::clock::ServerClock;
use tilewire_store::{Shard, Stamp};

/// Which lost time a game gets back after its sleep.
#[derive(Debug, Clone)]
pub enum LostTime {
    /// All outages and stalls of the server.
    OfServer,
    /// The times in which the games of its shard stood still.
    OfShards(Arc<StillTimes>),
}

/// How long the games of each shard have stood still in all.
#[derive(Debug)]
pub struct StillTimes(Vec<AtomicI64>);

impl Default for StillTimes {
    fn default() -> Self {
        Self((0..Shard::COUNT).map(|_| AtomicI64::new(0)).collect())
    }
}

impl StillTimes {
    /// Sets the time of a shard, if it is more than is known.
    pub fn note(&self, Shard(shard): Shard, still_ms: Millis) {
        self.0[usize::from(shard)].fetch_max(still_ms.0, Ordering::Relaxed);
    }

    /// Returns the time of a shard.
    #[must_use]
    pub fn of(&self, Shard(shard): Shard) -> Millis {
        Millis(self.0[usize::from(shard)].load(Ordering::Relaxed))
    }

    /// Returns the times of all shards together: it grows whenever one of them does.
    fn all(&self) -> Millis {
        let all = self.0.iter().map(|still| still.load(Ordering::Relaxed));
        Millis(all.fold(0, i64::saturating_add))
    }
}

impl LostTime {
    /// Returns the lost time of the games of a shard; `of_server` is that of the server.
    pub(crate) fn of(&self, shard: Shard, of_server: Millis) -> Millis {
        match self {
            Self::OfServer => of_server,
            Self::OfShards(still) => still.of(shard),
        }
    }
}

/// The stalls during the creation of a game: its first event is from before them, and no actor is told of them.
#[derive(Debug)]
pub(super) struct CreationStalls {
    clock: ServerClock,
    owing: Arc<AtomicUsize>,
    /// The lost time when the creation began.
    lost_ms: Millis,
    stalls: watch::Receiver<Millis>,
    /// Whether the new game counts among those that wait for a credit.
    is_owing: bool,
}

impl CreationStalls {
    /// Those of a creation that begins at `now`.
    pub(super) fn new(shared: &Shared, now: Timestamp) -> Self {
        let lost_ms = shared.clock.lost(now);
        Self {
            clock: shared.clock.clone(),
            owing: Arc::clone(&shared.owing),
            lost_ms,
            stalls: shared.clock.stalls(),
            is_owing: false,
        }
    }

    /// Waits for the creation. After a stall, no stamp is written until the game itself waits for the credit.
    pub(super) async fn watch<T>(&mut self, creation: impl Future<Output = T>) -> T {
        let mut creation = pin!(creation);
        loop {
            tokio::select! {
                biased;
                Ok(()) = self.stalls.changed(), if !self.is_owing => {
                    self.is_owing = true;
                    self.owing.fetch_add(1, Ordering::SeqCst);
                }
                created = &mut creation => return created,
            }
        }
    }

    /// Returns since when all time is credited to the new game; `None` if the server did not stand still.
    pub(super) fn since(&self) -> Option<Timestamp> {
        let now = self.clock.now();
        let stalled = self.clock.lost(now) - self.lost_ms;
        (stalled > Millis::ZERO).then(|| now - stalled)
    }
}

impl Drop for CreationStalls {
    fn drop(&mut self) {
        if self.is_owing {
            self.owing.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

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

    /// Notes that a stamp goes to the storage: a stall after it begins no earlier.
    pub fn stamped(&self, stamp: Stamp) {
        self.shared.clock.stamped(stamp.at);
    }

    /// Returns the lost time of a game until now.
    pub(super) fn lost_of(&self, game: &GameId) -> Millis {
        match &self.shared.lost {
            LostTime::OfServer => self.lost_ms(),
            LostTime::OfShards(still) => still.of(Shard::of(game)),
        }
    }

    /// Returns a time that grows whenever the lost time of a game does.
    pub(super) fn lost_mark(&self) -> Millis {
        match &self.shared.lost {
            LostTime::OfServer => self.lost_ms(),
            LostTime::OfShards(still) => still.all(),
        }
    }

    fn lost_ms(&self) -> Millis {
        self.shared.clock.lost(self.shared.clock.now())
    }

    /// Says whether a game in memory still waits for the credit of an outage or a stall.
    fn owes_credits(&self) -> bool {
        self.shared.owing.load(Ordering::SeqCst) > 0 || !self.shared.clock.stalls_are_noticed()
    }

    /// Returns the time from which on a game that slept gets everything credited: as much as it has lost in its sleep.
    pub(super) fn slept_since(&self, loaded: &Loaded) -> Option<Timestamp> {
        let now = self.shared.clock.now();
        let lost_ms = self.lost_of(&loaded.meta.game) - loaded.lost_ms?;
        // The operator can accept a clock that is behind the last event: the clocks of the game continue from here.
        let is_behind = loaded.last_at.is_some_and(|last_at| last_at > now);
        // The node that stored a new game may have known less of the lost time of its shard.
        let asleep_ms = loaded.last_at.map(|last_at| now - last_at);
        let asleep_ms = asleep_ms.filter(|_| !is_behind);
        let lost_ms = asleep_ms.map_or(lost_ms, |asleep_ms| lost_ms.min(asleep_ms));
        (lost_ms > Millis::ZERO || is_behind).then(|| now - lost_ms.max(Millis::ZERO))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_has_a_lost_time_of_its_own() {
        let still = Arc::<StillTimes>::default();
        for (shard, ms) in [(3, 500), (3, 400), (9, 70)] {
            still.note(Shard(shard), Millis(ms));
        }
        assert_eq!(still.all(), Millis(570));
        let of = |lost: &LostTime, shard| lost.of(Shard(shard), Millis(9));
        let of_shards = LostTime::OfShards(still);
        assert_eq!(
            [3, 4, 9].map(|shard| of(&of_shards, shard)),
            [500, 0, 70].map(Millis)
        );
        assert_eq!(
            [3, 4].map(|shard| of(&LostTime::OfServer, shard)),
            [9, 9].map(Millis)
        );
    }
}
