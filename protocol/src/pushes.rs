//! Small pushes about a game, a connection or the server.

use serde::{Deserialize, Serialize};

use crate::error_code::ErrorCode;
use crate::ids::GameId;

/// Says that a player connected or disconnected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Presence {
    /// The game.
    pub game: GameId,
    /// The seat.
    pub seat: u8,
    /// Whether a connection of its identity is attached.
    pub connected: bool,
}

/// Says how many spectators watch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Crowd {
    /// The game.
    pub game: GameId,
    /// Rounded number of spectators.
    pub watching: u32,
}

/// Says the lag that the server measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lag {
    /// Half a round trip of the server's pings, smoothed, ms.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub lag_ms: i64,
}

/// Shows people a notice about the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Notice {
    /// The kind of notice, for programs; open-ended (`maintenance`, `restarting`, ...).
    pub code: String,
    /// The text to show.
    pub text: String,
    /// From when it applies, unix ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<i64>,
    /// Until when it applies, unix ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<i64>,
}

/// Names a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameRef {
    /// The game.
    pub game: GameId,
}

/// Says that the server ended the stream of a game's events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Detached {
    /// The game.
    pub game: GameId,
    /// The reason, for programs.
    pub code: ErrorCode,
    /// The reason, for people.
    pub message: String,
}
