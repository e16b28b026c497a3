//! Statistics, ratings and leaderboards.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The statistics of a player, over the games that the requester may see.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Statistics {
    /// Games in which only people played.
    pub people: Breakdown,
    /// Games in which a bot played.
    pub bots: Breakdown,
}

/// Figures over all games, and for each rule set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Breakdown {
    /// All games.
    pub all: PlayerFigures,
    /// The games of each rule set, by its id.
    pub by_rule_set: BTreeMap<String, PlayerFigures>,
}

/// Figures of a player. Averages are of counted games: games that were played to their end, and that the player did not
/// leave. An average of nothing is absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayerFigures {
    /// Games with a result.
    pub games: u32,
    /// Of these, games that the player left: by resignation, time or absence.
    pub left: u32,
    /// The share of games that the player did not leave, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completion_rate: Option<f64>,
    /// Games of two seats: won, lost, shared.
    pub two_seats: Tally,
    /// Games of three seats by rank, the first rank first.
    pub three_seats: [u32; 4],
    /// Games of four seats by rank, the first rank first.
    pub four_seats: [u32; 4],
    /// Counted games. Everything below is about these.
    pub counted: u32,
    /// Turns: plays, exchanges, passes and lost turns.
    pub turns: u32,
    /// The points of turns, without rack, challenge and overtime points.
    pub turn_points: i64,
    /// The points of an average turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_per_turn: Option<f64>,
    /// The average final score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_game: Option<f64>,
    /// The highest final score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high_game: Option<i32>,
    /// The lowest final score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low_game: Option<i32>,
    /// The main word of the highest play; lower case for blanks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub highest_play_word: Option<String>,
    /// The points of the highest play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub highest_play_points: Option<i32>,
    /// Plays with a bonus for the number of tiles.
    pub bingos: u32,
    /// The bingos of an average game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bingos_per_game: Option<f64>,
    /// Plays with a word outside the lexicon.
    pub phonies_played: u32,
    /// Own plays that a challenge took off.
    pub phonies_caught: u32,
    /// Challenges won.
    pub challenges_won: u32,
    /// Challenges lost.
    pub challenges_lost: u32,
    /// Exchanges.
    pub exchanges: u32,
    /// The share of games in which the player had the first turn, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_move_share: Option<f64>,
    /// The time of an average turn in live games, ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_per_turn_ms: Option<i64>,
}

/// Games won, lost and shared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tally {
    /// Games won alone.
    pub won: u32,
    /// Games lost.
    pub lost: u32,
    /// Games in which the players share the win.
    pub shared: u32,
}

/// The games of two seats of a player against another, from the first one's side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeadToHead {
    /// All games with a result.
    pub all: Tally,
    /// The games that count for both players.
    pub counted: Tally,
    /// The sum of the differences of the final scores in counted games.
    pub spread: i64,
    /// The score of each series of rematches, by the id of its first game.
    pub series: BTreeMap<String, Tally>,
}

/// The ratings of a player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ratings {
    /// One for each pool in which the player has a rated game.
    pub ratings: Vec<Rating>,
}

/// The rating of a player in a pool, in whole points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rating {
    /// The pool: rule set, family of lexica and speed.
    pub pool: String,
    /// The rating now.
    pub rating: i64,
    /// The deviation now: the true value is within two deviations in 19 of 20 cases.
    pub deviation: i64,
    /// Whether the deviation is above 110.
    pub provisional: bool,
    /// Rated games in the pool.
    pub games: u64,
    /// When the last of them ended, unix ms.
    pub last_game_at: i64,
    /// The end of the curve, the oldest point first.
    pub curve: Vec<RatingPoint>,
}

/// A rating after a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RatingPoint {
    /// When the game ended, unix ms.
    pub at: i64,
    /// The rating after it.
    pub rating: i64,
    /// The deviation after it.
    pub deviation: i64,
}

/// A leaderboard of a pool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Leaderboard {
    /// The pool.
    pub pool: String,
    /// `rating`, `week`, `month` or `all`.
    pub board: String,
    /// The average per turn of all players of the pool in this time; absent on the rating board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// The first 100 lines.
    pub lines: Vec<BoardLine>,
}

/// A line of a leaderboard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardLine {
    /// The place, from 1. Players with equal values share a place.
    pub place: usize,
    /// The identity of the player.
    pub identity: String,
    /// The handle, if the player has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
    /// The rating, in whole points; on the rating board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<i64>,
    /// The deviation of the rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deviation: Option<i64>,
    /// The weighted average per turn, by which the board ranks; on the other boards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weighted: Option<f64>,
    /// The plain average per turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average: Option<f64>,
    /// The turns of the average.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<u32>,
    /// Rated games in the pool; on the other boards, counted games in the time of the board.
    pub games: u64,
}
