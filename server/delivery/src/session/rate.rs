//! A token bucket in whole milliseconds: for the messages of a connection, for new connections of an address and in all,
//! for the cost of everything that arrives, and for the operator's notices.

use tilewire_rules::time::{Millis, Timestamp};

/// Parts of a token: one millisecond at `n` tokens per minute refills `n` of them.
const UNIT: i64 = 60_000;
/// Parts of a thousandth of a token, and seconds of a minute.
const THOUSANDTH: i64 = 60;

/// A token bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bucket {
    level: i64,
    at: Timestamp,
    per_minute: i64,
    capacity: i64,
}

impl Bucket {
    /// Returns a full bucket, which refills with `per_second` up to `burst`.
    pub fn full(now: Timestamp, per_second: u32, burst: u32) -> Self {
        Self::with(now, i64::from(per_second) * THOUSANDTH, burst)
    }

    /// Returns a full bucket for `count` tokens per minute, and as many in a burst.
    pub fn full_per_minute(now: Timestamp, count: u32) -> Self {
        Self::with(now, i64::from(count), count)
    }

    /// Returns a full bucket for tokens per minute and in a burst.
    pub fn with(now: Timestamp, per_minute: i64, burst: u32) -> Self {
        let capacity = i64::from(burst) * UNIT;
        Self {
            level: capacity,
            at: now,
            per_minute,
            capacity,
        }
    }

    /// Says whether the bucket is full, like a new one.
    pub fn is_full(&self, now: Timestamp) -> bool {
        let passed = (now - self.at).0.max(0);
        let refilled = passed.saturating_mul(self.per_minute);
        self.level.saturating_add(refilled) >= self.capacity
    }

    /// Takes one token, or returns the time until there is one.
    pub fn take(&mut self, now: Timestamp) -> Result<(), Millis> {
        self.take_many(now, 1)
    }

    /// Takes this number of tokens, or returns the time until they are available.
    pub fn take_many(&mut self, now: Timestamp, tokens: u32) -> Result<(), Millis> {
        self.refill(now);
        let wanted = i64::from(tokens) * UNIT;
        if self.level >= wanted {
            self.level -= wanted;
            return Ok(());
        }
        Err(self.time_to(wanted))
    }

    /// Takes this number of thousandths of a token, on credit if they are not available; returns the time until the credit is paid
    /// back. The credit is at most as large as the bucket.
    pub fn charge(&mut self, now: Timestamp, thousandths: i64) -> Millis {
        self.refill(now);
        self.level = self
            .level
            .saturating_sub(thousandths.max(0).saturating_mul(THOUSANDTH))
            .max(-self.capacity);
        self.time_to(0)
    }

    fn refill(&mut self, now: Timestamp) {
        let passed = (now - self.at).0.max(0);
        self.level = self
            .level
            .saturating_add(passed.saturating_mul(self.per_minute))
            .min(self.capacity);
        self.at = self.at.max(now);
    }

    fn time_to(&self, level: i64) -> Millis {
        let lacking = (level - self.level).max(0);
        Millis((lacking + self.per_minute - 1) / self.per_minute)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_then_the_rate() {
        let mut bucket = Bucket::full(Timestamp(0), 2, 3);
        for _ in 0..3 {
            assert_eq!(bucket.take(Timestamp(0)), Ok(()));
        }
        assert_eq!(bucket.take(Timestamp(0)), Err(Millis(500)));
        assert_eq!(bucket.take(Timestamp(499)), Err(Millis(1)));
        assert_eq!(bucket.take(Timestamp(500)), Ok(()));
        assert_eq!(bucket.take(Timestamp(500)), Err(Millis(500)));
        // A pause fills it up, but not beyond the burst.
        for _ in 0..3 {
            assert_eq!(bucket.take(Timestamp(1_000_000)), Ok(()));
        }
        assert_eq!(bucket.take(Timestamp(1_000_000)), Err(Millis(500)));
    }

    #[test]
    fn a_credit_is_paid_back_by_time() {
        let mut bucket = Bucket::full(Timestamp(0), 2, 3);
        assert_eq!(bucket.charge(Timestamp(0), 2_500), Millis(0));
        assert_eq!(bucket.charge(Timestamp(0), 1_500), Millis(500));
        assert_eq!(bucket.charge(Timestamp(400), 0), Millis(100));
        assert_eq!(bucket.charge(Timestamp(500), 0), Millis(0));
        // A bucket lends no more than it holds.
        assert_eq!(bucket.charge(Timestamp(500), i64::MAX), Millis(1_500));
        assert_eq!(bucket.take(Timestamp(500)), Err(Millis(2_000)));
        assert_eq!(bucket.take(Timestamp(2_500)), Ok(()));
    }

    #[test]
    fn a_rate_per_minute() {
        let mut bucket = Bucket::full_per_minute(Timestamp(0), 2);
        for _ in 0..2 {
            assert_eq!(bucket.take(Timestamp(0)), Ok(()));
        }
        assert_eq!(bucket.take(Timestamp(0)), Err(Millis(30_000)));
        assert_eq!(bucket.take(Timestamp(30_000)), Ok(()));
    }
}
