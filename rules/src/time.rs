//! Ids and times.
//!
//! The rules never read a clock: the caller passes in every moment as a [`Timestamp`].

use serde::{Deserialize, Serialize};
use std::fmt;

/// A moment on the server's clock, in milliseconds since the Unix epoch.
///
/// Within one server process it is monotonic; between processes it follows wall time.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
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
