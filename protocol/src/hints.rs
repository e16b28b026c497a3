//! Hints in casual games: the command, the event, what the seat itself is told.

use serde::{Deserialize, Serialize};

use crate::enums::HintTheme;
use crate::game::ScoredWord;
use crate::ids::{CmdId, GameId};
#[cfg(feature = "schema")]
use crate::limits;

/// Asks for a hint in the own turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AskHint {
    /// The game.
    pub game: GameId,
    /// The id of this command.
    pub cmd_id: CmdId,
    /// The turn this is meant for.
    pub turn_no: u32,
    /// How much the hint says: 1 the theme, 2 the row or column too, 3 the turn.
    #[cfg_attr(feature = "schema", schemars(range(min = limits::HINT_GRADE_MIN, max = limits::HINT_GRADE_MAX)))]
    pub grade: u8,
}

/// The seat on turn used a hint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HintUsed {
    /// The seat.
    pub seat: u8,
    /// How much the hint says.
    #[cfg_attr(feature = "schema", schemars(range(min = limits::HINT_GRADE_MIN, max = limits::HINT_GRADE_MAX)))]
    pub grade: u8,
}

/// A used hint in a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UsedHint {
    /// The seat.
    pub seat: u8,
    /// The turn in which it was used.
    pub turn_no: u32,
    /// How much it says.
    #[cfg_attr(feature = "schema", schemars(range(min = limits::HINT_GRADE_MIN, max = limits::HINT_GRADE_MAX)))]
    pub grade: u8,
}

/// Tells a seat what its hint says; nobody else gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hint {
    /// The game.
    pub game: GameId,
    /// The turn that it is about.
    pub turn_no: u32,
    /// How much it says.
    #[cfg_attr(feature = "schema", schemars(range(min = limits::HINT_GRADE_MIN, max = limits::HINT_GRADE_MAX)))]
    pub grade: u8,
    /// The kind of turn.
    pub theme: HintTheme,
    /// The row or column of the play, as in coordinates: `8` or `F` (a play, from grade 2).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = limits::HINT_LINE_MAX_BYTES)))]
    pub line: Option<String>,
    /// Start and direction, as in `play` (a play, grade 3).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The faces along the play, as in `play`; the tiles to exchange, as in `exchange` (grade 3).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tiles: Vec<String>,
    /// The words that the play forms, the main word first (a play, grade 3).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<ScoredWord>,
    /// Points of the play (a play, grade 3).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
}
