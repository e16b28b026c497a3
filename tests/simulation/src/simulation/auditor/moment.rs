//! Moments of a run: what came before something else.

use super::Auditor;

/// A moment of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    /// How many moments there were before.
    pub(super) step: u64,
    /// The server's clock, unix ms. A start can set it back.
    pub(super) at: i64,
    /// The latest time that the server's clock ever had, unix ms.
    pub(super) latest: i64,
}

impl Moment {
    /// Before everything.
    pub(super) const START: Self = Self {
        step: 0,
        at: i64::MIN,
        latest: i64::MIN,
    };
    /// After everything.
    pub(super) const NEVER: Self = Self {
        step: u64::MAX,
        at: i64::MAX,
        latest: i64::MAX,
    };

    /// Says whether a time of the server is after this moment for certain, although starts can set the clock back.
    pub(super) const fn is_before_time(self, at: i64) -> bool {
        self.latest < at
    }

    /// Says whether another moment comes after this one.
    pub(super) const fn is_before(self, other: Self) -> bool {
        self.step < other.step
    }
}

impl Auditor {
    /// Returns the moment of something that happens now.
    pub(super) const fn moment(&mut self) -> Moment {
        self.steps += 1;
        Moment {
            step: self.steps,
            at: self.now,
            latest: self.latest,
        }
    }
}
