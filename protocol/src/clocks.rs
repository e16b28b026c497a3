//! The clocks of a game, as data.

use serde::{Deserialize, Serialize};

/// All clocks of a game at one moment. Clients compute the running time themselves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Clocks {
    /// The rest of each seat's budget (or bank), ms; negative is overtime.
    pub main_ms: Vec<i64>,
    /// The time that each seat may use before its budget shrinks, ms.
    pub allowance_ms: Vec<i64>,
    /// The running clock; absent when all stand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub running: Option<RunningClock>,
}

/// The running clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunningClock {
    /// The seat.
    pub seat: u8,
    /// Server time at which the figures of [`Clocks`] held for this seat, unix ms.
    pub since: i64,
}

/// An operator paused the game: it takes no commands, and `clock_credited` ends the pause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GamePaused {
    /// When the game goes on by itself, unix ms.
    pub until: i64,
    /// The clocks, which stand.
    pub clocks: Clocks,
}

/// A vacation of a player began, changed or ended: the player's deadline has moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Vacation {
    /// The seat of the player.
    pub seat: u8,
    /// When it ends, unix ms; not after the event if it has ended.
    pub until: i64,
    /// The clocks from now on.
    pub clocks: Clocks,
}

/// An outage of the server or a pause was credited: every deadline moves by `resumed_at - stopped_at`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockCredited {
    /// When the server was last known to run, or when the game was paused, unix ms; for a game without attached clients, `resumed_at` minus the time that it lost.
    pub stopped_at: i64,
    /// When it ran again, unix ms.
    pub resumed_at: i64,
    /// The clocks from now on.
    pub clocks: Clocks,
}
