//! Ratings by Glicko-2 with true rating periods.
//!
//! A rating changes by periods (Glickman, *Example of the Glicko-2 system*, 2022): all games of a period are rated together,
//! against the opponents' values at its start. Periods follow a grid from the Unix epoch. The live value rates the period so
//! far, so the order of the games in a period does not matter. All values at its start are known, so a period needs two sums
//! over its games, and a stored state does not grow with them.
//!
//! Values are stored as whole millionths (the volatility as billionths), so a stored state is equal byte for byte whenever
//! it is computed again.

mod fold;
mod glicko;
mod score;

use serde::{Deserialize, Serialize};
use tilewire_rules::time::{Millis, Timestamp};

use crate::pools::TimeClass;

pub use fold::{RatedGame, apply, fold};
pub use score::{Outcome, Score, ScoreRule};

/// The rating of a new player.
pub const START_RATING: f64 = 1500.0;
/// The rating deviation (RD) of a new player, and the largest one.
pub const MAX_DEVIATION: f64 = 350.0;
/// The smallest rating deviation.
pub const MIN_DEVIATION: f64 = 30.0;
/// The volatility of a new player.
pub const START_VOLATILITY: f64 = 0.06;
/// The largest volatility.
pub const MAX_VOLATILITY: f64 = 0.1;
/// The smallest and the largest rating. No player comes near them; between them, no expected score is rounded to 0 or 1.
pub const RATING_RANGE: (f64, f64) = (0.0, 5_000.0);
/// The system constant tau: how much the volatility can change.
pub const TAU: f64 = 0.5;
/// A rating with a larger deviation is provisional.
pub const PROVISIONAL_ABOVE: f64 = 110.0;
/// The length of a rating period: 4 days.
pub const PERIOD_MS: Millis = Millis(4 * DAY_MS);
/// The length of a rating period of games by correspondence: 28 days.
pub const CORRESPONDENCE_PERIOD_MS: Millis = Millis(28 * DAY_MS);

const DAY_MS: i64 = 24 * 3_600_000;
/// Parts of a point in which ratings and deviations are stored.
const POINT_PARTS: f64 = 1e6;
/// Parts in which volatilities are stored.
const VOLATILITY_PARTS: f64 = 1e9;

/// The number of a rating period, counted from the Unix epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Period(pub i64);

impl Period {
    /// Returns the period of a moment.
    #[must_use]
    pub const fn of(class: TimeClass, at: Timestamp) -> Self {
        Self(at.0.div_euclid(Self::length(class).0))
    }

    /// Returns the length of the periods of a time class.
    #[must_use]
    pub const fn length(class: TimeClass) -> Millis {
        match class {
            TimeClass::Correspondence => CORRESPONDENCE_PERIOD_MS,
            TimeClass::UltraBlitz | TimeClass::Blitz | TimeClass::Rapid | TimeClass::Standard => {
                PERIOD_MS
            }
        }
    }

    /// Returns when the period begins.
    #[must_use]
    pub fn start(self, class: TimeClass) -> Timestamp {
        Timestamp(0) + Self::length(class) * self.0
    }
}

/// A rating with its deviation and volatility.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rating {
    /// The rating, in millionths of a point.
    rating: i64,
    /// The deviation, in millionths of a point.
    deviation: i64,
    /// The volatility, in billionths.
    volatility: i64,
}

impl Default for Rating {
    fn default() -> Self {
        Self::new(START_RATING, MAX_DEVIATION, START_VOLATILITY)
    }
}

impl Rating {
    /// Returns a rating with these values. It clamps each value to its limits and rounds it as the storage does.
    #[must_use]
    pub fn new(rating: f64, deviation: f64, volatility: f64) -> Self {
        Self {
            rating: parts(rating.clamp(RATING_RANGE.0, RATING_RANGE.1), POINT_PARTS),
            deviation: parts(deviation.clamp(MIN_DEVIATION, MAX_DEVIATION), POINT_PARTS),
            volatility: parts(volatility.clamp(0.0, MAX_VOLATILITY), VOLATILITY_PARTS),
        }
    }

    /// Returns the rating in points.
    #[must_use]
    pub fn rating(self) -> f64 {
        whole(self.rating, POINT_PARTS)
    }

    /// Returns the rating deviation (RD) in points.
    #[must_use]
    pub fn deviation(self) -> f64 {
        whole(self.deviation, POINT_PARTS)
    }

    /// Returns the volatility.
    #[must_use]
    pub fn volatility(self) -> f64 {
        whole(self.volatility, VOLATILITY_PARTS)
    }

    /// Returns the rating as it is shown: whole points.
    #[must_use]
    pub fn shown(self) -> i64 {
        parts(self.rating(), 1.0)
    }

    /// Returns the deviation as it is shown: whole points.
    #[must_use]
    pub fn shown_deviation(self) -> i64 {
        parts(self.deviation(), 1.0)
    }

    /// Returns whether too few games were played lately for the rating to mean much.
    #[must_use]
    pub fn is_provisional(self) -> bool {
        self.deviation() > PROVISIONAL_ABOVE
    }
}

/// The rating of one player in one pool, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredRating")]
pub struct PlayerRating {
    /// The latest period in which the player has a game.
    period: Period,
    /// The rating at the start of that period.
    start: Rating,
    /// The games of that period.
    sums: Sums,
    /// The number of rated games in the pool.
    games: u64,
    /// When the latest of them ended.
    last_game_at: Timestamp,
}

/// Two sums over the games of a period, in billionths: whole numbers, so that the order of the games does not matter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Sums {
    /// How much they say about the player: the inverse of the paper's variance v.
    precision: i64,
    /// How much better the player scored than expected.
    gain: i64,
}

impl Sums {
    const fn and(self, game: Self) -> Self {
        Self {
            precision: self.precision.saturating_add(game.precision),
            gain: self.gain.saturating_add(game.gain),
        }
    }
}

/// A stored rating: with sums, or with a list of the games of the period.
#[derive(Deserialize)]
struct StoredRating {
    period: Period,
    start: Rating,
    #[serde(default)]
    sums: Sums,
    #[serde(default)]
    results: Vec<PeriodResult>,
    games: u64,
    last_game_at: Timestamp,
}

/// One game of a period, from one player's side.
#[derive(Deserialize)]
struct PeriodResult {
    /// The opponent's rating at the start of the period.
    opponent: Rating,
    score: Score,
}

impl From<StoredRating> for PlayerRating {
    fn from(stored: StoredRating) -> Self {
        let start = stored.start;
        let listed = stored.results.iter();
        let listed = listed.map(|result| glicko::game(start, result.opponent, result.score));
        Self {
            period: stored.period,
            start,
            sums: listed.fold(stored.sums, Sums::and),
            games: stored.games,
            last_game_at: stored.last_game_at,
        }
    }
}

/// A player's rating for any later time, before the games of its latest period are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The latest period in which the player has a game.
    period: Period,
    /// The rating with the games of that period.
    rating: Rating,
    games: u64,
    last_game_at: Timestamp,
}

impl Standing {
    /// Returns the rating now. In each period after the latest one the deviation grows.
    #[must_use]
    pub fn at(self, class: TimeClass, now: Timestamp) -> Rating {
        let idle = Period::of(class, now).0 - self.period.0 - 1;
        glicko::rest(self.rating, idle)
    }

    /// Returns the number of rated games in the pool.
    #[must_use]
    pub const fn games(self) -> u64 {
        self.games
    }

    /// Returns when the latest rated game ended.
    #[must_use]
    pub const fn last_game_at(self) -> Timestamp {
        self.last_game_at
    }
}

/// Stored bytes are not the rating of a player.
#[derive(Debug, thiserror::Error)]
#[error("the stored rating cannot be read: {0}")]
pub struct RatingDecodeError(#[from] serde_json::Error);

impl PlayerRating {
    /// Returns the rating now. In a period with games it rates the period so far; in each later period without a game the
    /// deviation grows.
    #[must_use]
    pub fn at(&self, class: TimeClass, now: Timestamp) -> Rating {
        self.standing().at(class, now)
    }

    /// Returns the rating without the games of its latest period. It rates that period, so it takes longer than
    /// [`Standing::at`].
    #[must_use]
    pub fn standing(&self) -> Standing {
        Standing {
            period: self.period,
            rating: glicko::rate(self.start, self.sums),
            games: self.games,
            last_game_at: self.last_game_at,
        }
    }

    /// Returns the number of rated games in the pool.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Returns when the latest rated game ended.
    #[must_use]
    pub const fn last_game_at(&self) -> Timestamp {
        self.last_game_at
    }

    /// Returns the form that is stored: JSON with integers only. Equal states have equal bytes.
    ///
    /// # Panics
    /// Never: the state is plain data.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("integers and texts can be written as JSON")
    }

    /// Reads the stored form.
    ///
    /// # Errors
    /// When the bytes are not a stored rating.
    pub fn decode(bytes: &[u8]) -> Result<Self, RatingDecodeError> {
        Ok(serde_json::from_slice(bytes)?)
    }

    /// Returns the rating at the start of a period that is not earlier than the one with the latest game.
    fn at_start_of(&self, period: Period) -> Rating {
        if period <= self.period {
            return self.start;
        }
        let idle = period.0 - self.period.0 - 1;
        glicko::rest(self.standing().rating, idle)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "ratings are far smaller than 2^63 millionths"
)]
fn parts(value: f64, parts: f64) -> i64 {
    (value * parts).round() as i64
}

#[expect(
    clippy::cast_precision_loss,
    reason = "ratings are far smaller than 2^53 millionths"
)]
fn whole(stored: i64, parts: f64) -> f64 {
    stored as f64 / parts
}

#[cfg(test)]
mod tests;
