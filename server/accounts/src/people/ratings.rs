//! The ratings that a game is created with.

use std::fmt;

use tilewire_people::leaderboards::RatingLine;
use tilewire_people::pools::Pool;
use tilewire_rules::event::SeatRating;

/// The rating of a player without rated games.
pub const START: SeatRating = SeatRating {
    value: 1500,
    deviation: 350,
    provisional: true,
};

/// The present ratings of players, in memory: a seek must not wait for the storage.
pub trait Ratings: fmt::Debug + Send + Sync {
    /// Returns the rating of an identity in a pool; `None` if it has no rated game there.
    fn rating_of(&self, identity: &str, pool: &Pool) -> Option<SeatRating>;

    /// Returns the first `most` lines of the rating board of a pool. With many players this takes milliseconds.
    fn board(&self, pool: &Pool, most: usize) -> Vec<RatingLine>;
}

/// The ratings of a server on which no rated game has ended.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoRatings;

impl Ratings for NoRatings {
    fn rating_of(&self, _: &str, _: &Pool) -> Option<SeatRating> {
        None
    }

    fn board(&self, _: &Pool, _: usize) -> Vec<RatingLine> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::START;
    use tilewire_people::ratings::{MAX_DEVIATION, PROVISIONAL_ABOVE, START_RATING};

    #[test]
    fn a_new_player_has_the_rating_with_which_the_computation_starts() {
        assert_eq!(f64::from(START.value).to_bits(), START_RATING.to_bits());
        assert_eq!(
            f64::from(START.deviation).to_bits(),
            MAX_DEVIATION.to_bits()
        );
        assert_eq!(START.provisional, MAX_DEVIATION > PROVISIONAL_ABOVE);
    }
}
