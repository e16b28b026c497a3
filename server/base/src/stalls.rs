//! Stalls: times in which the server stood still, because its process was stopped or got no processor time.
//!
//! A watcher notes every beat that the server runs. A time more than `STALL` after the last beat follows a stall.
//! The first task that asks notes the stall, so a task that wakes after a stall knows of it before it judges a deadline, even if
//! the watcher has not run yet.
//!
//! Outages and stalls together are the lost time. It is counted on from server to server, so that a game that sleeps through
//! some of it knows afterwards how much that was.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use tilewire_rules::time::{Millis, Timestamp};
use tokio::sync::watch;

use crate::metrics;

/// Interval of the beats.
pub(crate) const BEAT: Millis = Millis(100);
/// The shortest gap between two beats that is a stall. A shorter gap is charged to the players.
const STALL: Millis = Millis(1_000);
/// Time after a stall in which every task notices it: they all wake at the stall's end.
const NOTICED_WITHIN: Millis = Millis(1_000);

/// The last beat while nothing beats: no gap is a stall then.
const UNWATCHED: i64 = i64::MIN;

/// The stalls of a server, and the lost time.
#[derive(Debug)]
pub(crate) struct Stalls {
    /// The last beat, unix ms; [`UNWATCHED`] while nothing beats.
    beat: AtomicI64,
    /// The lost time.
    total: watch::Sender<Millis>,
    /// When the last stall ended, unix ms.
    ended_at: AtomicI64,
}

impl Default for Stalls {
    fn default() -> Self {
        Self {
            beat: AtomicI64::new(UNWATCHED),
            total: watch::Sender::new(Millis::ZERO),
            ended_at: AtomicI64::new(i64::MIN),
        }
    }
}

impl Stalls {
    /// Returns the lost time until `now`.
    pub(crate) fn total(&self, now: Timestamp) -> Millis {
        // The beat is read first: a stall is added before the beat moves on.
        if self.gap(now) > STALL {
            self.total.send_if_modified(|total| {
                let gap = self.gap(now);
                if gap <= STALL {
                    return false; // another task has noted it meanwhile
                }
                *total = *total + gap;
                self.ended_at.store(now.0, Ordering::SeqCst);
                self.beat.store(now.0, Ordering::SeqCst);
                metrics::stalled(gap);
                tracing::warn!(stalled_ms = gap.0, "the server stood still");
                true
            });
        }
        *self.total.borrow()
    }

    /// Sets the lost time at the end of an outage, which contains the stalls of this server so far.
    pub(crate) fn resume(&self, lost_ms: Millis) {
        self.total.send_replace(lost_ms);
    }

    /// Notes that the server ran at `at`, because the storage will know that. A later server counts its outage from then on: if a
    /// stall began before, a game that got the stall and then slept would miss the time between the two.
    pub(crate) fn stamped(&self, at: Timestamp) {
        let later = |beat| (beat != UNWATCHED).then(|| at.0.max(beat));
        // It fails while nothing beats: no gap is a stall then.
        let noted = self
            .beat
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, later);
        noted.ok();
    }

    /// Returns the right to beat, after the first beat at `now`. A gap that follows its drop is no stall.
    pub(crate) fn watched(self: Arc<Self>, now: Timestamp) -> Watched {
        let watched = Watched(self);
        watched.beat(now);
        watched
    }

    /// Returns the total and its changes.
    pub(crate) fn subscribe(&self) -> watch::Receiver<Millis> {
        self.total.subscribe()
    }

    /// Says whether every task has noticed the last stall by `now`.
    pub(crate) fn are_noticed(&self, now: Timestamp) -> bool {
        self.total(now);
        now.0.saturating_sub(self.ended_at.load(Ordering::SeqCst)) >= NOTICED_WITHIN.0
    }

    fn gap(&self, now: Timestamp) -> Millis {
        match self.beat.load(Ordering::SeqCst) {
            UNWATCHED => Millis::ZERO,
            beat => now - Timestamp(beat),
        }
    }
}

/// The right to beat.
#[derive(Debug)]
pub(crate) struct Watched(Arc<Stalls>);

impl Watched {
    /// Notes that the server runs at `now`.
    pub(crate) fn beat(&self, now: Timestamp) {
        self.0.total(now);
        self.0.beat.fetch_max(now.0, Ordering::SeqCst);
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.0.beat.store(UNWATCHED, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_gap_between_two_beats_is_a_stall() {
        let stalls = Arc::<Stalls>::default();
        assert_eq!(stalls.total(Timestamp(1_000_000)), Millis::ZERO, "no beat");
        let watched = Arc::clone(&stalls).watched(Timestamp(0));
        watched.beat(Timestamp(1_000));
        assert_eq!(stalls.total(Timestamp(2_000)), Millis::ZERO);
        let subscriber = stalls.subscribe();
        assert_eq!(stalls.total(Timestamp(42_000)), Millis(41_000));
        assert!(subscriber.has_changed().unwrap());
        assert!(!stalls.are_noticed(Timestamp(42_999)));
        assert!(stalls.are_noticed(Timestamp(43_000)));
        watched.beat(Timestamp(43_000));
        watched.beat(Timestamp(45_000));
        assert_eq!(stalls.total(Timestamp(45_000)), Millis(43_000));
        drop(watched);
        assert_eq!(stalls.total(Timestamp(99_000)), Millis(43_000));
    }

    #[test]
    fn the_lost_time_goes_on_from_server_to_server() {
        let stalls = Arc::<Stalls>::default();
        let _watched = Arc::clone(&stalls).watched(Timestamp(0));
        assert_eq!(stalls.total(Timestamp(2_000)), Millis(2_000));
        stalls.resume(Millis(60_000));
        assert_eq!(stalls.total(Timestamp(2_500)), Millis(60_000));
        assert_eq!(stalls.total(Timestamp(12_000)), Millis(70_000));
    }

    #[test]
    fn a_stall_begins_no_earlier_than_the_last_stamp() {
        let stalls = Arc::<Stalls>::default();
        stalls.stamped(Timestamp(50));
        assert_eq!(stalls.total(Timestamp(9_000)), Millis::ZERO, "no beat");
        let _watched = Arc::clone(&stalls).watched(Timestamp(10_000));
        stalls.stamped(Timestamp(10_080));
        stalls.stamped(Timestamp(10_030));
        assert_eq!(stalls.total(Timestamp(12_080)), Millis(2_000));
        // The next server counts the outage from the stamp.
        assert_eq!(stalls.total(Timestamp(13_000)), Millis(2_000));
    }

    /// A task whose reading of the time is from before the stall judges by that reading.
    #[test]
    fn a_time_before_the_stall_does_not_follow_it() {
        let stalls = Arc::<Stalls>::default();
        let watched = Arc::clone(&stalls).watched(Timestamp(5_000));
        watched.beat(Timestamp(4_000));
        assert_eq!(stalls.total(Timestamp(6_000)), Millis::ZERO);
        assert_eq!(stalls.total(Timestamp(4_000)), Millis::ZERO);
    }
}
