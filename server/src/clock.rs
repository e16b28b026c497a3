//! The server's clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

/// Tells the time: wall time when the process started plus what has passed since, unix milliseconds.
///
/// Invariant: it never goes back and never jumps while the process lives, whatever is done to the machine's wall
/// clock. Clones tell the same time. It follows tokio's time, so tests with paused time move it too.
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
        let since_epoch = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or(Duration::ZERO);
        Self::starting_at(as_ms(since_epoch))
    }

    /// Starts a clock at `wall_ms` (unix ms); it goes on with tokio's time. For simulations.
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

    /// Makes a clock that stands at `now` (unix ms) until [`ServerClock::advance`] moves it; for tests.
    #[must_use]
    pub fn manual(now: i64) -> Self {
        Self {
            source: Source::Manual(Arc::new(AtomicI64::new(now))),
        }
    }

    /// Goes on from `earliest` (unix ms) if the machine's clock has been put back behind it: what is stored was then
    /// written later than now, and time never goes back for a game.
    #[must_use]
    pub fn not_before(self, earliest: i64) -> Self {
        let behind_ms = earliest.saturating_sub(self.now());
        match self.source {
            Source::System { wall_ms, start } if behind_ms > 0 => {
                tracing::warn!(
                    behind_ms,
                    "the machine's clock has been put back behind what is stored; time goes on from there"
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

    /// Moves a manual clock and all its clones on by `ms`; a system clock is not moved.
    pub fn advance(&self, ms: u32) {
        if let Source::Manual(now) = &self.source {
            now.fetch_add(i64::from(ms), Ordering::SeqCst);
        }
    }
}

fn as_ms(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::ServerClock;

    #[test]
    fn clones_of_a_manual_clock_tell_the_same_time() {
        let clock = ServerClock::manual(1_000);
        let other = clock.clone();
        clock.advance(250);
        assert_eq!(other.now(), 1_250);
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
