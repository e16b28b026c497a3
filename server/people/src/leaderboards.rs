//! Leaderboards: by rating, and by the weighted average per turn.

mod turns;

use serde::{Deserialize, Serialize};
use tilewire_rules::time::{Millis, Timestamp};

use crate::pools::TimeClass;
use crate::ratings::{Rating, Standing};
use crate::statistics::weighted_average;

pub use turns::{CountedSeat, TurnSums, TurnTable};

/// The largest deviation on the rating board.
pub const RATING_MAX_DEVIATION: f64 = 80.0;
/// The fewest games on the rating board.
pub const RATING_MIN_GAMES: u64 = 20;
/// The longest time since the last game on the rating board: 30 days.
pub const RATING_MAX_PAUSE: Millis = Millis(30 * DAY_MS);
/// The fewest counted games on the board of averages.
pub const AVERAGE_MIN_GAMES: u32 = 5;

const DAY_MS: i64 = 24 * 3_600_000;

/// A line of the rating board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatingLine {
    /// The place, from 1. Players with equal ratings share a place.
    pub place: usize,
    /// The identity.
    pub player: String,
    /// The rating now.
    pub rating: Rating,
    /// Rated games in the pool.
    pub games: u64,
}

/// A line of the board of averages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AverageLine {
    /// The place, from 1. Players with equal averages share a place.
    pub place: usize,
    /// The identity.
    pub player: String,
    /// The weighted average per turn, by which the board ranks.
    pub weighted: f64,
    /// The plain average per turn.
    pub average: f64,
    /// Counted games.
    pub games: u32,
    /// Turns in them.
    pub turns: u32,
}

/// The time that a board of averages covers. It moves with the clock, so that nobody leads after one game on a Monday.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Span {
    /// The last 7 days.
    Week,
    /// The last 30 days.
    Month,
    /// All time.
    All,
}

impl Span {
    /// Returns the time from which on games count: those that ended at it or later.
    #[must_use]
    pub fn start(self, now: Timestamp) -> Timestamp {
        match self {
            Self::Week => now - Millis(7 * DAY_MS),
            Self::Month => now - Millis(30 * DAY_MS),
            Self::All => Timestamp::MIN,
        }
    }
}

/// Returns the first `most` lines of the rating board of a pool, the best first: players with a deviation of at most 80 and at
/// least 20 games, one of them in the last 30 days.
#[must_use]
pub fn by_rating<'a>(
    players: impl IntoIterator<Item = (&'a str, Standing)>,
    class: TimeClass,
    now: Timestamp,
    most: usize,
) -> Vec<RatingLine> {
    let listed = players.into_iter().filter_map(|(player, standing)| {
        let is_active = standing.games() >= RATING_MIN_GAMES
            && now - standing.last_game_at() <= RATING_MAX_PAUSE;
        if !is_active {
            return None;
        }
        let rating = standing.at(class, now);
        let is_certain = rating.deviation() <= RATING_MAX_DEVIATION;
        is_certain.then_some((rating.rating(), player, (rating, standing.games())))
    });
    let line = |place, player: &str, (rating, games)| RatingLine {
        place,
        player: player.to_owned(),
        rating,
        games,
    };
    ranked(listed.collect(), most, line)
}

/// Returns the first `most` lines of the board of averages, the best first: players with at least 5 counted games, by the
/// weighted average per turn.
///
/// `players` are the sums of the games of one pool in a [`Span`]; `mean` is the pool's mean
/// ([`crate::statistics::pool_mean`]).
#[must_use]
pub fn by_average<'a>(
    players: impl IntoIterator<Item = (&'a str, TurnSums)>,
    mean: f64,
    most: usize,
) -> Vec<AverageLine> {
    let listed = players.into_iter().filter_map(|(player, sums)| {
        let is_listed = sums.counted >= AVERAGE_MIN_GAMES && sums.turns > 0;
        let weighted = weighted_average(sums.points, sums.turns, mean);
        is_listed.then_some((weighted, player, (weighted, sums)))
    });
    let line = |place, player: &str, (weighted, sums): (f64, TurnSums)| AverageLine {
        place,
        player: player.to_owned(),
        weighted,
        average: sums.average(),
        games: sums.counted,
        turns: sums.turns,
    };
    ranked(listed.collect(), most, line)
}

/// Returns the lines of the highest values in falling order; equal values are in the order of the players.
fn ranked<D: Copy, L>(
    mut listed: Vec<(f64, &str, D)>,
    most: usize,
    line: impl Fn(usize, &str, D) -> L,
) -> Vec<L> {
    listed.sort_unstable_by(|(a, first, _), (b, second, _)| {
        b.total_cmp(a).then_with(|| first.cmp(second))
    });
    listed.truncate(most);
    let places = places(listed.iter().map(|(value, ..)| *value));
    let lines = listed.iter().zip(places);
    lines
        .map(|((_, player, rest), place)| line(place, player, *rest))
        .collect()
}

/// Returns the place of each value of a list in falling order; equal values share a place.
fn places(values: impl Iterator<Item = f64>) -> Vec<usize> {
    let mut above: Option<(f64, usize)> = None;
    let place = |(value, number): (f64, usize)| {
        let place = match above {
            Some((last, place)) if last.total_cmp(&value).is_eq() => place,
            Some(_) | None => number,
        };
        above = Some((value, place));
        place
    };
    values.zip(1..).map(place).collect()
}

#[cfg(test)]
mod tests;
