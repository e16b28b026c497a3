//! The server's clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tilewire_rules::time::{Millis, Timestamp};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::stalls::{BEAT, Stalls};

/// The server's time: the wall time at the start of the process plus the time since then.
///
/// Invariant: the time never goes back and never jumps while the process lives, even if the machine's wall clock does.
/// Clones return the same time and know the same stalls. It follows tokio's time, so tests with paused time move it too.
#[derive(Debug, Clone)]
pub struct ServerClock {
    source: Source,
    stalls: Arc<Stalls>,
}

#[derive(Debug, Clone)]
enum Source {
    System {
        wall: Timestamp,
        start: Instant,
    },
    Manual(Arc<AtomicI64>),
    /// A clock that a test can hold; `held` is the time at which it stands, or `RUNS`.
    Holdable {
        wall: Timestamp,
        start: Instant,
        held: Arc<AtomicI64>,
    },
}

/// The end of the year 9999; later times have no text.
const LAST_TIME: Duration = Duration::from_secs(253_402_300_799);
/// The longest wait for a clock that is held.
const LOOKS_AGAIN: Duration = Duration::from_millis(20);
/// The value for a clock that is not held.
const RUNS: i64 = i64::MIN;

impl ServerClock {
    /// Starts a clock from the machine's wall clock.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the server reads its clocks here"
    )]
    pub fn system() -> Self {
        let now = Instant::now();
        let since_epoch = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or(Duration::ZERO);
        // The clock's milliseconds begin with those of the wall clock: it subtracts the elapsed part of the first one.
        let elapsed = Duration::from_nanos(u64::from(since_epoch.subsec_nanos() % 1_000_000));
        Self {
            source: Source::System {
                wall: Timestamp(Millis::of(since_epoch).0),
                start: now.checked_sub(elapsed).unwrap_or(now),
            },
            stalls: Arc::default(),
        }
    }

    /// Returns a clock that starts at `wall`, such as the time of a database, and follows tokio's time.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the server reads its clocks here"
    )]
    pub fn starting_at(wall: Timestamp) -> Self {
        let start = Instant::now();
        Self {
            source: Source::System { wall, start },
            stalls: Arc::default(),
        }
    }

    /// Returns a clock that stands at `now` until [`ServerClock::advance`] moves it. For tests.
    #[must_use]
    pub fn manual(now: Timestamp) -> Self {
        Self {
            source: Source::Manual(Arc::new(AtomicI64::new(now.0))),
            stalls: Arc::default(),
        }
    }

    /// Returns a clock that starts at `wall` and follows tokio's time, except while it is held. For tests.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the server reads its clocks here"
    )]
    pub fn holdable(wall: Timestamp) -> Self {
        Self {
            source: Source::Holdable {
                wall,
                start: Instant::now(),
                held: Arc::new(AtomicI64::new(RUNS)),
            },
            stalls: Arc::default(),
        }
    }

    /// Holds a holdable clock and all its clones, as if the process stood still.
    pub fn hold(&self) {
        let now = self.now();
        if let Source::Holdable { held, .. } = &self.source {
            held.store(now.0, Ordering::SeqCst);
        }
    }

    /// Lets a clock go on that was held: it jumps to the time that it would have without that.
    pub fn release(&self) {
        if let Source::Holdable { held, .. } = &self.source {
            held.store(RUNS, Ordering::SeqCst);
        }
    }

    /// Continues at `earliest` if the machine's clock is behind it: the stored times would otherwise lie in
    /// the future, and the time of a game would go back.
    #[must_use]
    pub fn not_before(mut self, earliest: Timestamp) -> Self {
        let behind = earliest - self.now();
        if let Source::System { wall, .. } = &mut self.source
            && behind > Millis::ZERO
        {
            tracing::warn!(
                behind_ms = behind.0,
                "the machine's clock is behind the stored times; the server continues from the last stored time"
            );
            *wall += behind;
        }
        self
    }

    /// Returns the time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        match &self.source {
            Source::System { wall, start } => *wall + Millis::of(start.elapsed()),
            Source::Manual(now) => Timestamp(now.load(Ordering::SeqCst)),
            Source::Holdable { wall, start, held } => match held.load(Ordering::SeqCst) {
                RUNS => *wall + Millis::of(start.elapsed()),
                held => Timestamp(held),
            },
        }
    }

    /// Returns the time until the clock reaches `at`, or zero.
    #[must_use]
    pub fn until(&self, at: Timestamp) -> Duration {
        match &self.source {
            Source::System { wall, start } => {
                (at - *wall).to_duration().saturating_sub(start.elapsed())
            }
            Source::Manual(_) => (at - self.now()).to_duration(),
            Source::Holdable { held, .. } => {
                let until = (at - self.now()).to_duration();
                // A task that waits for a held clock looks again soon.
                match held.load(Ordering::SeqCst) {
                    RUNS => until,
                    _ => until.min(LOOKS_AGAIN),
                }
            }
        }
    }

    /// Watches for stalls from now on, until the watcher is dropped. Without it the server takes no gap for a stall.
    pub fn watch_stalls(&self) -> impl Future<Output = ()> + Send + use<> {
        let clock = self.clone();
        // Here, not at the first poll: the server can stand still before that.
        let watched = Arc::clone(&self.stalls).watched(self.now());
        async move {
            loop {
                tokio::time::sleep(BEAT.to_duration()).await;
                watched.beat(clock.now());
            }
        }
    }

    /// Counts the time since `stopped_at` as lost, and `lost_ms` of the time before it.
    pub fn resume(&self, stopped_at: Timestamp, lost_ms: Millis) {
        // An accepted clock can be behind the time that is stored.
        let outage_ms = (self.now() - stopped_at).max(Millis::ZERO);
        self.stalls.resume(lost_ms + outage_ms);
    }

    /// Notes that the storage will know that the server ran at `at`.
    pub fn stamped(&self, at: Timestamp) {
        self.stalls.stamped(at);
    }

    /// Returns the lost time until `now`: all outages and stalls together.
    #[must_use]
    pub fn lost(&self, now: Timestamp) -> Millis {
        self.stalls.total(now)
    }

    /// Returns a receiver of stalls.
    pub fn stalls(&self) -> watch::Receiver<Millis> {
        self.stalls.subscribe()
    }

    /// Says whether every task has noticed the last stall.
    pub fn stalls_are_noticed(&self) -> bool {
        self.stalls.are_noticed(self.now())
    }

    /// Moves a manual clock and all its clones by `ms`; a system clock does not move.
    pub fn advance(&self, ms: u32) {
        if let Source::Manual(now) = &self.source {
            now.fetch_add(i64::from(ms), Ordering::SeqCst);
        }
    }
}

/// Returns the text of a time: `2026-05-01T12:34:56Z`.
pub fn time_text(at: Timestamp) -> String {
    let since_epoch = Millis(at.0).to_duration();
    let time = UNIX_EPOCH.checked_add(since_epoch);
    let time = time.filter(|_| since_epoch <= LAST_TIME);
    time.map_or_else(
        || format!("{at} (unix ms)"),
        |time| humantime::format_rfc3339_seconds(time).to_string(),
    )
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    use tilewire_rules::time::{Millis, Timestamp};

    use super::ServerClock;

    #[test]
    fn clones_of_a_manual_clock_return_the_same_time() {
        let clock = ServerClock::manual(Timestamp(1_000));
        let other = clock.clone();
        clock.advance(250);
        assert_eq!(other.now(), Timestamp(1_250));
    }

    /// A clock that ignores the elapsed part of its first millisecond is late at the next one.
    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "compares with the machine's wall clock"
    )]
    fn milliseconds_begin_with_those_of_the_wall_clock() {
        let wall = || {
            let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
            Timestamp(Millis::of(since_epoch).0)
        };
        for _ in 0..20 {
            let clock = ServerClock::system();
            let made = wall();
            let mut begun = made;
            while begun == made {
                begun = wall();
            }
            assert!(clock.now() >= begun);
        }
    }

    /// The wait ends exactly when `now` reaches the time, and not a millisecond later.
    #[tokio::test(start_paused = true)]
    async fn the_wait_for_a_moment_ends_at_the_moment() {
        let clock = ServerClock::starting_at(Timestamp(1_000));
        tokio::time::advance(Duration::from_micros(2_300)).await;
        assert_eq!(clock.now(), Timestamp(1_002));
        assert_eq!(clock.until(Timestamp(1_005)), Duration::from_micros(2_700));
        for past in [1_002, 0, i64::MIN].map(Timestamp) {
            assert_eq!(clock.until(past), Duration::ZERO);
        }
        let manual = ServerClock::manual(Timestamp(1_000));
        manual.advance(2);
        assert_eq!(manual.until(Timestamp(1_005)), Duration::from_millis(3));
    }

    #[test]
    fn a_clock_behind_the_stored_times_continues_from_them() {
        const DAY: Millis = Millis(86_400_000);
        const MINUTE: Millis = Millis(60_000);
        let now = ServerClock::system().now();
        let ahead = ServerClock::system().not_before(now + DAY).now();
        assert!((now + DAY..now + DAY + MINUTE).contains(&ahead), "{ahead}");
        let usual = ServerClock::system().not_before(now - DAY).now();
        assert!((now..now + MINUTE).contains(&usual), "{usual}");
    }

    #[test]
    fn a_system_clock_is_near_wall_time_and_never_goes_back() {
        let clock = ServerClock::system();
        let first = clock.now();
        assert!(first > Timestamp(1_700_000_000_000), "{first}");
        clock.advance(1_000_000);
        let later = clock.now();
        assert!(later >= first && later < first + Millis(60_000));
    }
}
