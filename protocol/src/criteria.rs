//! The players whom a seek admits: its criteria, and the rating range of a quick match.

use serde::{Deserialize, Serialize};

use crate::text::is_false;

/// The players that the owner of a seek wants (P-CRIT-1). Every player of the game meets all conditions; absent: there are none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeekCriteria {
    /// The lowest rating in the pool of the options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_rating: Option<i32>,
    /// The highest rating in the pool of the options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_rating: Option<i32>,
    /// Only players whose rating in that pool is not provisional; absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub established: bool,
    /// No guests; absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub registered: bool,
    /// Only players whom the owner follows; absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub followed: bool,
    /// The handles of players for whom the seek does not exist; the server shows them to the owner only. Absent: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = crate::limits::EXCLUDED_MAX)))]
    pub exclude: Vec<String>,
}

impl SeekCriteria {
    /// Says whether everybody meets the criteria.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Says whether the criteria depend on the player's rating.
    #[must_use]
    pub const fn is_about_rating(&self) -> bool {
        self.min_rating.is_some() || self.max_rating.is_some() || self.established
    }
}

/// The rating range of a rated quick match, which widens while the player waits (P-CRIT-5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QuickRange {
    /// The largest difference between two ratings at first, points.
    pub start: u32,
    /// How much larger it becomes with each step, points.
    pub step: u32,
    /// The time between two steps, ms.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub every_ms: i64,
    /// The largest difference of all, points.
    pub most: u32,
    /// Whether the step after the one that reaches `most` admits every rating; absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub any: bool,
}

impl QuickRange {
    /// Returns the largest difference that is admitted after a wait, points; `None` if every rating is.
    #[must_use]
    pub fn after(&self, waited_ms: i64) -> Option<u32> {
        let steps = self.steps(waited_ms);
        if self.any && steps > self.steps_to_most() {
            return None;
        }
        let wider = i64::from(self.step).saturating_mul(steps);
        let points = i64::from(self.start).saturating_add(wider);
        Some(u32::try_from(points).unwrap_or(u32::MAX).min(self.most))
    }

    /// Returns the wait, ms, after which the range next becomes wider; `None` if it stays as it is.
    #[must_use]
    pub fn widens_after(&self, waited_ms: i64) -> Option<i64> {
        let steps = self.steps(waited_ms);
        let last = self.steps_to_most() + i64::from(self.any);
        (steps < last).then(|| (steps + 1).saturating_mul(self.every_ms.max(1)))
    }

    /// Says whether two ratings are close enough after a wait.
    #[must_use]
    pub fn admits(&self, one: i32, other: i32, waited_ms: i64) -> bool {
        let points = self.after(waited_ms);
        points.is_none_or(|points| one.abs_diff(other) <= points)
    }

    fn steps(&self, waited_ms: i64) -> i64 {
        waited_ms.max(0) / self.every_ms.max(1)
    }

    fn steps_to_most(&self) -> i64 {
        let missing = self.most.saturating_sub(self.start);
        i64::from(missing.div_ceil(self.step.max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::QuickRange;

    const RANGE: QuickRange = QuickRange {
        start: 100,
        step: 50,
        every_ms: 5_000,
        most: 500,
        any: false,
    };

    const ANY: QuickRange = QuickRange { any: true, ..RANGE };

    /// The range at the last moment before each step, and at the step.
    #[test]
    fn the_range_widens_at_exact_times() {
        let steps: [(i64, u32); 10] = [
            (0, 100),
            (5_000, 150),
            (10_000, 200),
            (15_000, 250),
            (20_000, 300),
            (25_000, 350),
            (30_000, 400),
            (35_000, 450),
            (40_000, 500),
            (45_000, 500),
        ];
        for pair in steps.windows(2) {
            let [(from, points), (to, _)] = pair else {
                unreachable!("windows of two");
            };
            for waited in [*from, to - 1] {
                assert_eq!(RANGE.after(waited), Some(*points), "{waited}");
                assert_eq!(ANY.after(waited), Some(*points), "{waited}");
            }
        }
        for waited in [45_000, 3_600_000, i64::MAX] {
            assert_eq!(RANGE.after(waited), Some(500));
            assert_eq!(ANY.after(waited), None);
        }
        assert_eq!(RANGE.after(-1), Some(100), "a clock that was set back");
    }

    #[test]
    fn the_next_step_is_announced_until_the_last_one() {
        for (waited, next) in [(-1, 5_000), (0, 5_000), (4_999, 5_000), (5_000, 10_000)] {
            assert_eq!(RANGE.widens_after(waited), Some(next), "{waited}");
        }
        assert_eq!(RANGE.widens_after(39_999), Some(40_000));
        assert_eq!(RANGE.widens_after(40_000), None);
        assert_eq!(ANY.widens_after(40_000), Some(45_000));
        assert_eq!(ANY.widens_after(45_000), None);
    }

    #[test]
    fn a_difference_is_within_the_range_or_beyond_it() {
        for (waited, difference) in [(0, 100), (5_000, 150), (40_000, 500)] {
            assert!(RANGE.admits(1_500, 1_500 + difference, waited));
            assert!(RANGE.admits(1_500 + difference, 1_500, waited));
            assert!(!RANGE.admits(1_500, 1_501 + difference, waited));
        }
        assert!(ANY.admits(i32::MIN, i32::MAX, 45_000));
    }

    /// Settings that do not divide: the last step is smaller.
    #[test]
    fn the_last_step_ends_at_the_most() {
        let range = QuickRange {
            most: 220,
            any: true,
            ..RANGE
        };
        let points = [0, 5_000, 10_000, 15_000, 20_000].map(|waited| range.after(waited));
        assert_eq!(points, [Some(100), Some(150), Some(200), Some(220), None]);
    }
}
