//! The fold of rated games into ratings.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tilewire_rules::time::Timestamp;

use super::{Outcome, Period, PlayerRating, Rating, Score, ScoreRule, Sums, glicko};
use crate::pools::Pool;

/// A finished rated game, as the ratings need it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatedGame {
    /// The id of the game.
    pub game: String,
    /// The pool.
    pub pool: Pool,
    /// When it ended.
    pub ended_at: Timestamp,
    /// The identities of the two players.
    pub players: [String; 2],
    /// The outcome of the game.
    pub outcome: Outcome,
    /// The first player's final score less the second's.
    pub spread: i32,
}

/// Adds a game to the ratings of its two players; `None` stands for a player without a game in the pool. Returns both new
/// states. The caller adds each game once.
///
/// The game counts in the period in which it ended. If one of the players has a game in a later period, it counts there:
/// a period that is over does not change. Hence the order of games within a period does not matter, and the order of
/// periods does.
#[must_use]
pub fn apply(
    rule: ScoreRule,
    game: &RatedGame,
    states: [Option<PlayerRating>; 2],
) -> [PlayerRating; 2] {
    let own = Period::of(game.pool.time_class, game.ended_at);
    let latest = states.iter().flatten().map(|state| state.period).max();
    let period = latest.map_or(own, |latest| latest.max(own));
    let [first, second] = states.map(|state| opened(state, period, game.ended_at));
    let score = Score::of_first(rule, game.outcome, game.spread);
    let (first_start, second_start) = (first.start, second.start);
    [
        first.with(game, second_start, score),
        second.with(game, first_start, score.of_opponent()),
    ]
}

/// Computes the ratings of all players from all games, in the order in which they arrived. Within a period the order does not
/// matter. `rule` gives the way in which a pool scores games. This is the meaning of `ratings rebuild` and `ratings check`.
#[must_use]
pub fn fold<'a>(
    rule: impl Fn(&Pool) -> ScoreRule,
    games: impl IntoIterator<Item = &'a RatedGame>,
) -> BTreeMap<(Pool, String), PlayerRating> {
    let mut ratings = BTreeMap::new();
    for game in games {
        let keys = game
            .players
            .clone()
            .map(|player| (game.pool.clone(), player));
        let states = [
            ratings.get(&keys[0]).cloned(),
            ratings.get(&keys[1]).cloned(),
        ];
        let states = apply(rule(&game.pool), game, states);
        ratings.extend(keys.into_iter().zip(states));
    }
    ratings
}

/// Returns the state with this period as the current one: the games before it are rated for good.
fn opened(state: Option<PlayerRating>, period: Period, now: Timestamp) -> PlayerRating {
    let (start, games, last_game_at) = match state {
        Some(state) if state.period == period => return state,
        Some(state) => (state.at_start_of(period), state.games, state.last_game_at),
        None => (Rating::default(), 0, now),
    };
    PlayerRating {
        period,
        start,
        sums: Sums::default(),
        games,
        last_game_at,
    }
}

impl PlayerRating {
    /// Returns the state with one more game in the current period.
    fn with(mut self, game: &RatedGame, opponent: Rating, score: Score) -> Self {
        self.sums = self.sums.and(glicko::game(self.start, opponent, score));
        self.games += 1;
        self.last_game_at = self.last_game_at.max(game.ended_at);
        self
    }
}
