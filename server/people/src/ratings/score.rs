//! The score of a game for the rating: won, shared or lost, or by the spread.

use serde::{Deserialize, Serialize};

/// The outcome of a rated game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The first of the two players.
    First,
    /// The second.
    Second,
    /// Both: the win is shared.
    Shared,
}

/// How a pool scores a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoreRule {
    /// A win counts 1, a shared win 1/2, a loss 0.
    #[default]
    Outcome,
    /// A win counts 2/3 + min(spread, 125)/375, a shared win 1/2, a loss the rest to 1. The spread is the difference of the
    /// final scores; a player who wins with the lower score (by resignation, say) has a spread of 0.
    Spread,
}

/// The largest spread that counts.
const SPREAD_MAX: i32 = 125;

/// The score of one player in one game: 0 to 1, in 750ths, so that every score is a whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Score(u16);

impl Score {
    /// A win.
    pub const WIN: Self = Self(750);
    /// A shared win.
    pub const SHARED: Self = Self(375);
    /// A loss.
    pub const LOSS: Self = Self(0);

    /// A win with a spread of 0 where spreads count: two thirds.
    const NARROW_WIN: u16 = 500;

    /// Returns the score of the first player. `spread` is the first player's final score less the second's.
    #[must_use]
    pub fn of_first(rule: ScoreRule, outcome: Outcome, spread: i32) -> Self {
        match (outcome, rule) {
            (Outcome::Shared, _) => Self::SHARED,
            (Outcome::First, ScoreRule::Outcome) => Self::WIN,
            (Outcome::Second, ScoreRule::Outcome) => Self::LOSS,
            (Outcome::First, ScoreRule::Spread) => Self::by_spread(spread),
            (Outcome::Second, ScoreRule::Spread) => {
                Self::by_spread(spread.saturating_neg()).of_opponent()
            }
        }
    }

    /// Returns the score of the other player.
    #[must_use]
    pub const fn of_opponent(self) -> Self {
        Self(Self::WIN.0 - self.0)
    }

    /// Returns the score as a number from 0 to 1.
    #[must_use]
    pub fn points(self) -> f64 {
        f64::from(self.0) / f64::from(Self::WIN.0)
    }

    fn by_spread(spread: i32) -> Self {
        let counted = u16::try_from(spread.clamp(0, SPREAD_MAX)).unwrap_or_default();
        // 1/375 is 2/750.
        Self(Self::NARROW_WIN + 2 * counted)
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Score, ScoreRule};

    #[track_caller]
    fn check(rule: ScoreRule, outcome: Outcome, spread: i32, expected: f64) {
        let score = Score::of_first(rule, outcome, spread);
        assert!(
            (score.points() - expected).abs() < 1e-12,
            "{outcome:?} {spread}"
        );
        assert!((score.of_opponent().points() - (1.0 - expected)).abs() < 1e-12);
    }

    #[test]
    fn a_game_counts_by_its_winner_or_by_its_spread() {
        use Outcome::{First, Second, Shared};
        for spread in [-700, 0, 1, 700] {
            check(ScoreRule::Outcome, First, spread, 1.0);
            check(ScoreRule::Outcome, Second, spread, 0.0);
            check(ScoreRule::Outcome, Shared, spread, 0.5);
            check(ScoreRule::Spread, Shared, spread, 0.5);
        }
        check(ScoreRule::Spread, First, 0, 2.0 / 3.0);
        check(ScoreRule::Spread, First, 50, 0.8);
        check(ScoreRule::Spread, First, 125, 1.0);
        check(ScoreRule::Spread, First, i32::MAX, 1.0);
        check(ScoreRule::Spread, First, -30, 2.0 / 3.0);
        check(ScoreRule::Spread, Second, -50, 0.2);
        check(ScoreRule::Spread, Second, i32::MIN, 0.0);
        check(ScoreRule::Spread, Second, 30, 1.0 / 3.0);
    }
}
