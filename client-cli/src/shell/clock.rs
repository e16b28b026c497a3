//! The clock of the program: the wall clock at its start plus the monotonic time since.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A clock that does not follow changes of the wall clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    started: Instant,
    started_unix_ms: i64,
}

impl Clock {
    /// Starts the clock.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is where the program reads the time"
    )]
    pub(super) fn start() -> Self {
        let unix = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Self {
            started: Instant::now(),
            started_unix_ms: milliseconds(unix),
        }
    }

    /// Unix time, ms.
    pub(super) fn now(&self) -> i64 {
        self.started_unix_ms
            .saturating_add(milliseconds(self.started.elapsed()))
    }

    /// The time until `at`.
    pub(super) fn until(&self, at: i64) -> Duration {
        let ms = at.saturating_sub(self.now()).max(0);
        Duration::from_millis(u64::try_from(ms).unwrap_or(0))
    }
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
