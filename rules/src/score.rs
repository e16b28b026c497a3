//! The value of a word (R-SCORE-1 to R-SCORE-7).

use crate::alphabet::Placed;
use crate::board::Square;
use crate::ruleset::RuleSet;

/// Whether a tile of a word was laid in this turn; only then its square's premium counts (R-SCORE-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Age {
    /// Laid in this turn.
    New,
    /// On the board before.
    Old,
}

/// Value of one word in points: letters with their letter premiums, times the product of the word premiums.
///
/// Saturates instead of overflowing; data that passes [`RuleSet::parse`] never reaches the limit.
pub(crate) fn word_score(
    rules: &RuleSet,
    word: impl Iterator<Item = (Square, Placed, Age)>,
) -> i32 {
    let mut sum: i32 = 0;
    let mut factor: i32 = 1;
    for (square, placed, age) in word {
        let value = rules.tiles.value(placed.tile);
        match age {
            Age::Old => sum = sum.saturating_add(value),
            Age::New => {
                let premium = rules.layout.premium(square);
                sum = sum.saturating_add(value.saturating_mul(premium.letter_factor()));
                factor = factor.saturating_mul(premium.word_factor());
            }
        }
    }
    sum.saturating_mul(factor)
}
