//! Upper bounds for score and leave together, by the number of tiles laid.
//!
//! The tiles that score most are often those that are best kept. So the points of the tiles and the value of the leave
//! are bounded together, for each factor of the main word.

use super::kept::{Kept, POINT};
use super::lane::LANE;

/// Factors of the main word below this one have a bound for points and leave together.
const FACTORS: usize = 10;

/// The most that a rack's leaves are worth.
pub(super) struct Leavings<'a> {
    kept: &'a Kept,
    /// The most for the leave and for the points of the tiles laid, times a factor, by number of tiles laid.
    most: [Option<[i64; LANE]>; FACTORS],
}

impl<'a> Leavings<'a> {
    pub(super) const fn new(kept: &'a Kept) -> Self {
        Self {
            kept,
            most: [None; FACTORS],
        }
    }

    /// The most for the leave after this number of tiles and their points times a factor; `None` for a large factor.
    pub(super) fn most(&mut self, factor: i32, laid: usize) -> Option<i64> {
        let factor = usize::try_from(factor).ok()?;
        let (entry, kept) = (self.most.get_mut(factor)?, self.kept);
        let most = entry.get_or_insert_with(|| {
            let mut most = [i64::MIN / 2; LANE];
            let choices = kept.counts.iter().zip(&kept.points).zip(&kept.values);
            for ((count, points), value) in choices {
                let worth = (factor as i64) * i64::from(*points) * POINT + i64::from(*value);
                if let Some(most) = usize::try_from(*count).ok().and_then(|n| most.get_mut(n)) {
                    *most = worth.max(*most);
                }
            }
            most
        });
        most.get(laid).copied()
    }
}
