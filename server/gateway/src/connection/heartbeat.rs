//! Pings, and the network delay that their answers show.

use bytes::Bytes;
use tilewire_rules::time::{Millis, Timestamp};
use tokio::time::Instant;

/// The divisor that weighs the latest heartbeat in the smoothed lag.
const LAG_WEIGHT: i64 = 4;

/// Moments in an interval at which pings are due, the same for all connections. A wake-up costs as much as a ping, so
/// one wake-up serves many connections.
const MOMENTS: i64 = 100;

/// Pings, and the network delay that their answers show.
pub(super) struct Heartbeat {
    pub(super) next_at: Timestamp,
    every_ms: Millis,
    sent_at: Option<(u64, Instant)>,
    count: u64,
    lag_ms: Option<Millis>,
    pub(super) told_ms: Millis,
}

impl Heartbeat {
    pub(super) fn new(now: Timestamp, every_ms: Millis) -> Self {
        Self {
            next_at: next_moment(now, every_ms),
            every_ms,
            sent_at: None,
            count: 0,
            lag_ms: None,
            told_ms: Millis::ZERO,
        }
    }

    pub(super) fn ping(&mut self, now: Timestamp) -> Bytes {
        self.count += 1;
        self.next_at = next_moment(now, self.every_ms);
        self.sent_at = Some((self.count, monotonic()));
        Bytes::copy_from_slice(&self.count.to_be_bytes())
    }

    /// The server stood still: the answer to the last ping would show that, not the network.
    pub(super) const fn stalled(&mut self) {
        self.sent_at = None;
    }

    /// Takes the answer to the last ping; returns the smoothed lag.
    pub(super) fn pong(&mut self, payload: &[u8]) -> Option<Millis> {
        let (count, sent_at) = self
            .sent_at
            .take_if(|(count, _)| payload == count.to_be_bytes())?;
        debug_assert_eq!(count, self.count, "only the last ping is remembered");
        let half = Millis::of(sent_at.elapsed()) / 2;
        let smoothed = match self.lag_ms {
            None => half,
            Some(lag_ms) => lag_ms + (half - lag_ms) / LAG_WEIGHT,
        };
        self.lag_ms = Some(smoothed);
        Some(smoothed)
    }
}

/// Returns the last common moment that is at most an interval away.
fn next_moment(now: Timestamp, every_ms: Millis) -> Timestamp {
    let latest = now + every_ms;
    latest - Millis(latest.0 % (every_ms / MOMENTS).0.max(1))
}

#[expect(
    clippy::disallowed_methods,
    reason = "a round trip is measured in the shell"
)]
fn monotonic() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn pings_share_moments_and_are_not_later_than_announced() {
        for every_ms in [10, 25, 500, 10_000, 60_001].map(Millis) {
            let mut moments = BTreeSet::new();
            for asked_at in (0..every_ms.0).map(Timestamp) {
                let next = next_moment(asked_at, every_ms);
                let early = asked_at + every_ms - next;
                assert!(
                    (Millis::ZERO..=every_ms / 99).contains(&early),
                    "{every_ms}: {early}"
                );
                moments.insert(next);
            }
            assert!(moments.len() <= 102, "{every_ms}: {}", moments.len());
        }
    }
}
