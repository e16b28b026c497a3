//! The contents of the lobby: seeks and summaries of games.

use serde::{Deserialize, Serialize};

use crate::clocks::Clocks;
use crate::criteria::{QuickRange, SeekCriteria};
use crate::enums::{Level, Phase, PlayerKind};
use crate::ids::{GameId, IdentityId, SeekId};
use crate::options::GameOptions;
use crate::text::is_false;

/// An open offer of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Seek {
    /// Its id.
    pub seek: SeekId,
    /// The identity that opened it; it owns seat 0.
    pub owner: IdentityId,
    /// The options of the game.
    pub options: GameOptions,
    /// Whether it is hidden from the lobby and joined by code.
    pub private: bool,
    /// The code of a private seek; present for its members only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The members so far, in seat order; the owner first.
    pub members: Vec<Person>,
    /// When it was opened, unix ms.
    pub created_at: i64,
    /// The players that it admits; absent: everybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub criteria: Option<Box<SeekCriteria>>,
    /// The rating range of a rated quick match; absent: it is no such seek.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<QuickRange>,
}

/// A person and the name to show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Person {
    /// The identity.
    pub identity: IdentityId,
    /// The display name at the time of the message.
    pub name: String,
    /// The level, if the player named one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// Whether it is a house bot; absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub bot: bool,
    /// The kind of player; absent: unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<PlayerKind>,
    /// The player's rating for games with these options, rated or not; absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<SeatRating>,
}

/// A rating in whole points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatRating {
    /// The rating.
    pub value: i32,
    /// The rating deviation: how uncertain the rating is.
    pub deviation: u32,
    /// Whether the rating is too uncertain to compare; absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub provisional: bool,
}

/// A summary of a game, for lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameSummary {
    /// Its id.
    pub game: GameId,
    /// Id of its rule set.
    pub rule_set: String,
    /// Name of its lexicon.
    pub lexicon: String,
    /// Its options, with every default filled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Box<GameOptions>>,
    /// The players, by seat.
    pub seats: Vec<SummarySeat>,
    /// Its phase.
    pub phase: Phase,
    /// Number of the current turn; 0 before the first.
    pub turn_no: u32,
    /// The clocks after its last event; absent for a game that has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
    /// When the first turn began, unix ms; absent before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<i64>,
    /// Rounded number of spectators.
    pub watching: u32,
    /// Whether spectators need its code.
    pub private: bool,
    /// When it ended, unix ms; in lists of finished games only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<i64>,
}

/// One seat of a [`GameSummary`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SummarySeat {
    /// The identity that owns the seat.
    pub identity: IdentityId,
    /// The display name.
    pub name: String,
    /// Points so far; in lists of finished games the final score.
    pub score: i32,
    /// Whether it is this seat's turn; absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub on_turn: bool,
    /// Whether a house bot has the seat; absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub bot: bool,
    /// In lists of finished games, if the game has a result: 1 is best; equal ranks are shared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u8>,
    /// The player's rating for games with these options when the game was created, rated or not; absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<SeatRating>,
}
