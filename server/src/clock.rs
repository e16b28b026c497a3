//! The server's clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

/// Returns the time: the wall time at the start of the process plus the time since then, unix milliseconds.
///
/// Invariant: the time never goes back and never jumps while the process lives, even if the machine's wall clock does.
/// Clones return the same time. It follows tokio's time, so tests with paused time move it too.
#[derive(Debug, Clone)]
pub struct ServerClock {
    source: Source,
}

#[derive(Debug, Clone)]
enum Source {
    System { wall_ms: i64, start: Instant },
    Manual(Arc<AtomicI64>),
}

impl ServerClock {
    /// Starts a clock from the machine's wall clock.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "this is where the server reads its clocks"
    )]
    pub fn system() -> Self {
        let now = Instant::now();
        let since_epoch = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or(Duration::ZERO);
        // The clock's milliseconds begin with those of the wall clock, so the elapsed part of the first one counts.
        let begun = Duration::from_nanos(u64::from(since_epoch.subsec_nanos() % 1_000_000));
        Self {
            source: Source::System {
                wall_ms: as_ms(since_epoch),
                start: now.checked_sub(begun).unwrap_or(now),
            },
        }
    }

    /// Returns a clock that starts at `wall_ms` (unix ms) and follows tokio's time. For simulations.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "this is where the server reads its clocks"
    )]
    pub fn starting_at(wall_ms: i64) -> Self {
        let start = Instant::now();
        Self {
            source: Source::System { wall_ms, start },
        }
    }

    /// Returns a clock that stands at `now` (unix ms) until [`ServerClock::advance`] moves it. For tests.
    #[must_use]
    pub fn manual(now: i64) -> Self {
        Self {
            source: Source::Manual(Arc::new(AtomicI64::new(now))),
        }
    }

    /// Continues at `earliest` (unix ms) if the machine's clock is behind it: the stored times would otherwise lie in
    /// the future, and the time of a game would go back.
    #[must_use]
    pub fn not_before(self, earliest: i64) -> Self {
        let behind_ms = earliest.saturating_sub(self.now());
        match self.source {
            Source::System { wall_ms, start } if behind_ms > 0 => {
                tracing::warn!(
                    behind_ms,
                    "the machine's clock is behind the stored times; the server continues from the last stored time"
                );
                let wall_ms = wall_ms.saturating_add(behind_ms);
                Self {
                    source: Source::System { wall_ms, start },
                }
            }
            source => Self { source },
        }
    }

    /// Returns the time, unix ms.
    #[must_use]
    pub fn now(&self) -> i64 {
        match &self.source {
            Source::System { wall_ms, start } => wall_ms.saturating_add(as_ms(start.elapsed())),
            Source::Manual(now) => now.load(Ordering::SeqCst),
        }
    }

    /// Returns the time until the clock reaches `at` (unix ms), or zero.
    #[must_use]
    pub fn until(&self, at: i64) -> Duration {
        let since = |then: i64| span(at.saturating_sub(then));
        match &self.source {
            Source::System { wall_ms, start } => since(*wall_ms).saturating_sub(start.elapsed()),
            Source::Manual(now) => since(now.load(Ordering::SeqCst)),
        }
    }

    /// Moves a manual clock and all its clones by `ms`; a system clock does not move.
    pub fn advance(&self, ms: u32) {
        if let Source::Manual(now) = &self.source {
            now.fetch_add(i64::from(ms), Ordering::SeqCst);
        }
    }
}

/// Returns a span of milliseconds as a duration; a negative span is none.
#[must_use]
pub fn span(ms: i64) -> Duration {
    Duration::from_millis(u64::try_from(ms).unwrap_or(0))
}

fn as_ms(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    use super::ServerClock;

    #[test]
    fn clones_of_a_manual_clock_tell_the_same_time() {
        let clock = ServerClock::manual(1_000);
        let other = clock.clone();
        clock.advance(250);
        assert_eq!(other.now(), 1_250);
    }

    /// A clock that ignored the elapsed part of its first millisecond would be late at the next.
    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "compares with the machine's wall clock"
    )]
    fn milliseconds_begin_when_they_begin_on_the_wall() {
        let wall = || super::as_ms(SystemTime::now().duration_since(UNIX_EPOCH).unwrap());
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
    async fn a_moment_comes_when_it_is_told() {
        let clock = ServerClock::starting_at(1_000);
        tokio::time::advance(Duration::from_micros(2_300)).await;
        assert_eq!(clock.now(), 1_002);
        assert_eq!(clock.until(1_005), Duration::from_micros(2_700));
        for past in [1_002, 0, i64::MIN] {
            assert_eq!(clock.until(past), Duration::ZERO);
        }
        let manual = ServerClock::manual(1_000);
        manual.advance(2);
        assert_eq!(manual.until(1_005), Duration::from_millis(3));
    }

    #[test]
    fn a_negative_span_is_no_time() {
        assert_eq!(super::span(1_500), Duration::from_millis(1_500));
        for ms in [0, -1, i64::MIN] {
            assert_eq!(super::span(ms), Duration::ZERO);
        }
    }

    #[test]
    fn a_clock_that_was_put_back_goes_on_from_what_is_stored() {
        let now = ServerClock::system().now();
        let ahead = ServerClock::system().not_before(now + 86_400_000).now();
        assert!(
            (now + 86_400_000..now + 86_460_000).contains(&ahead),
            "{ahead}"
        );
        let usual = ServerClock::system().not_before(now - 86_400_000).now();
        assert!((now..now + 60_000).contains(&usual), "{usual}");
    }

    #[test]
    fn a_system_clock_is_near_wall_time_and_never_goes_back() {
        let clock = ServerClock::system();
        let first = clock.now();
        assert!(first > 1_700_000_000_000, "{first}");
        clock.advance(1_000_000);
        let later = clock.now();
        assert!(later >= first && later < first + 60_000);
    }
}
