//! Ids and times.
//!
//! The rules never read a clock: the caller passes in every moment as a [`Timestamp`].

use core::time::Duration;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

use serde::{Deserialize, Serialize};

/// A moment on the server's clock, in milliseconds since the Unix epoch.
///
/// Within one server process it is monotonic; between processes it follows wall time.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// Before every other moment.
    pub const MIN: Self = Self(i64::MIN);
    /// After every other moment.
    pub const MAX: Self = Self(i64::MAX);

    /// Returns the moment `ms` milliseconds later (earlier when negative), saturating.
    #[must_use]
    pub const fn plus(self, ms: i64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// Returns the milliseconds from `earlier` to this moment; negative when it lies before.
    #[must_use]
    pub const fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<Millis> for Timestamp {
    type Output = Self;

    fn add(self, span: Millis) -> Self {
        self.plus(span.0)
    }
}

impl AddAssign<Millis> for Timestamp {
    fn add_assign(&mut self, span: Millis) {
        *self = *self + span;
    }
}

impl Sub<Millis> for Timestamp {
    type Output = Self;

    fn sub(self, span: Millis) -> Self {
        Self(self.0.saturating_sub(span.0))
    }
}

impl Sub for Timestamp {
    type Output = Millis;

    fn sub(self, earlier: Self) -> Millis {
        Millis(self.since(earlier))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A length of time in milliseconds.
///
/// It is signed, because the difference of two moments is negative when the first lies before the second. All
/// operations saturate.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Millis(pub i64);

impl Millis {
    /// No time.
    pub const ZERO: Self = Self(0);

    /// Returns the length for a timer; a negative length is zero.
    #[must_use]
    pub const fn to_duration(self) -> Duration {
        if self.0 < 0 {
            return Duration::ZERO;
        }
        Duration::from_millis(self.0.unsigned_abs())
    }

    /// Returns the whole milliseconds of a duration.
    #[must_use]
    pub fn of(duration: Duration) -> Self {
        Self(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX))
    }
}

impl Add for Millis {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Millis {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Mul<i64> for Millis {
    type Output = Self;

    fn mul(self, times: i64) -> Self {
        Self(self.0.saturating_mul(times))
    }
}

impl Div<i64> for Millis {
    type Output = Self;

    fn div(self, parts: i64) -> Self {
        Self(self.0 / parts)
    }
}

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A seat at the table: 0 to 3, in the order in which the players joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// Returns the seat's place in per-seat vectors.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns all seats of a table with `count` seats, in order.
    pub fn all(count: u8) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..count).map(Self)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

/// The number of an event in its game's log: 1, 2, 3 … without gaps, the same for every audience.
///
/// The number of a `PlayMade` event is also the play's id, which challenges, holds and
/// acceptances name.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Seq(pub u64);

impl Seq {
    /// Returns the number that follows.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The number of a turn: grows by one each time a seat comes on turn or loses a turn.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct TurnNo(pub u32);

impl TurnNo {
    /// Returns the number that follows.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::{Millis, Timestamp};
    use core::time::Duration;

    #[test]
    fn the_difference_of_two_moments_leads_from_one_to_the_other() {
        let (early, late) = (Timestamp(1_000), Timestamp(1_250));
        assert_eq!(late - early, Millis(250));
        assert_eq!(early - late, Millis(-250));
        assert_eq!(early + (late - early), late);
        assert_eq!(late - Millis(250), early);
    }

    #[test]
    fn a_timer_waits_for_no_negative_length() {
        assert_eq!(Millis(1_500).to_duration(), Duration::from_millis(1_500));
        for length in [0, -1, i64::MIN] {
            assert_eq!(Millis(length).to_duration(), Duration::ZERO);
        }
        assert_eq!(Millis::of(Duration::from_micros(2_700)), Millis(2));
        assert_eq!(Millis::of(Duration::MAX), Millis(i64::MAX));
    }

    #[test]
    fn operations_saturate() {
        let (first, last) = (Timestamp(i64::MIN), Timestamp(i64::MAX));
        assert_eq!(last + Millis(1), last);
        assert_eq!(first - Millis(1), first);
        assert_eq!(last - first, Millis(i64::MAX));
        assert_eq!(Millis(i64::MAX) * 2, Millis(i64::MAX));
    }
}
