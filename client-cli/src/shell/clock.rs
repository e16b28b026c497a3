//! The clock of the program: wall time at its start, then only what has really passed.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A clock that never jumps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    started: Instant,
    started_unix_ms: i64,
}

impl Clock {
    /// A clock that starts now.
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

    /// How long it is until `at`.
    pub(super) fn until(&self, at: i64) -> Duration {
        let ms = at.saturating_sub(self.now()).max(0);
        Duration::from_millis(u64::try_from(ms).unwrap_or(0))
    }
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
