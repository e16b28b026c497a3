//! Results of finished games.

use serde::{Deserialize, Serialize};

/// A page of results, the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Archive {
    /// The results.
    pub games: Vec<GameResult>,
    /// The value of `before` for the next page. It can be there although this page is not full; at the end it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// The server's time, unix ms.
    pub server_time: i64,
}

/// The result of a finished game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameResult {
    /// The id of the game.
    pub game: String,
    /// The id of the rule set.
    pub rule_set: String,
    /// The language of the tiles.
    pub language: String,
    /// The name of the lexicon.
    pub lexicon: String,
    /// The speed: `ultra_blitz`, `blitz`, `rapid`, `standard` or `correspondence`; absent if the game was untimed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_class: Option<String>,
    /// The pool in which the game is rated; absent if it is not rated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    /// Why the game is not rated although its players wanted that, as a code: `unplayed`, `voided`, or a reason of
    /// `not_rateable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unrated: Option<String>,
    /// The series of rematches that the game belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub series: Option<Series>,
    /// Whether only the players may see the game.
    pub private: bool,
    /// When the game was created, unix ms.
    pub created_at: i64,
    /// When it ended, unix ms.
    pub ended_at: i64,
    /// Why it ended, as in the protocol's `ended`.
    pub reason: String,
    /// The rules that decided it.
    pub decision: Decision,
    /// The seats, in seat order.
    pub seats: Vec<ResultSeat>,
}

/// A place in a series of rematches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Series {
    /// The id of the first game.
    pub first_game: String,
    /// The number of this game, from 1.
    pub number: u32,
}

/// The rules that decided a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Decision {
    /// The rule that made the winner, as a code: `highest_score`, `highest_share`, `score_before_racks`, `shared_win`,
    /// `target`, `last_player`, `challenge` or `no_result`.
    pub code: String,
    /// The id of that rule in `docs/rules.md`.
    pub winner_rule: String,
    /// The id of the rule that ended the game.
    pub end_rule: String,
    /// The id of the rule about unplayed tiles, if they changed a score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rack_rule: Option<String>,
    /// The explanation, in English.
    pub words: String,
}

/// A seat of a finished game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResultSeat {
    /// The number of the seat, from 0.
    pub seat: u8,
    /// The identity of the player.
    pub identity: String,
    /// The name in the game.
    pub name: String,
    /// `guest`, `registered`, `external_bot` or `house_bot`.
    pub kind: String,
    /// The rank: 1 for each winner; 0 if the game has no result.
    pub rank: u8,
    /// The final score.
    pub final_score: i32,
    /// The score before unplayed tiles and overtime.
    pub score: i32,
    /// The points that unplayed tiles added or took.
    pub rack_points: i32,
    /// The points lost for overtime.
    pub time_penalty: i32,
    /// Why the player left the game: `resigned`, `flagged`, `expired` or `abandoned`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retired: Option<String>,
    /// Whether the game counts in the averages of the player.
    pub counted: bool,
    /// How the game changed the rating of the player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<RatingChange>,
    /// The figures of the player.
    pub figures: Figures,
}

/// A change of a rating, in whole points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RatingChange {
    /// The rating before the game.
    pub before: i64,
    /// The rating after it.
    pub after: i64,
    /// The deviation after it.
    pub deviation: i64,
}

/// The figures of a player in a game. A play that a challenge took off is a turn of 0 points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Figures {
    /// Whether the player had the first turn.
    pub moved_first: bool,
    /// Turns of any kind.
    pub turns: u32,
    /// The points of the plays that stand, bonuses included.
    pub turn_points: i32,
    /// Plays with a bonus for the number of tiles.
    pub bingos: u32,
    /// The highest play that stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub highest_play: Option<HighestPlay>,
    /// Exchanges.
    pub exchanges: u32,
    /// Chosen passes.
    pub passes: u32,
    /// Turns lost after a failed challenge.
    pub lost_turns: u32,
    /// Plays with a word that is not in the lexicon; absent if the server no longer had the lexicon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phonies_played: Option<u32>,
    /// Own plays that a challenge took off.
    pub phonies_caught: u32,
    /// Own challenges that took a play off.
    pub challenges_won: u32,
    /// Own challenges of plays that stand.
    pub challenges_lost: u32,
    /// The time for which the player's clock ran, ms.
    pub clock_ms: i64,
}

/// The highest play of a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HighestPlay {
    /// The main word; lower case for blanks.
    pub word: String,
    /// The points of the turn.
    pub points: i32,
}
