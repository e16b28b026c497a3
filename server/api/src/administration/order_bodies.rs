//! The bodies of orders of admins about the clocks of games.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Pauses a game, or all games.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PauseOrder {
    /// The reason, which the players read.
    #[schemars(length(min = 1, max = 500))]
    pub(super) reason: String,
    /// When a game goes on by itself, unix ms, at most 7 days from now; absent: in a day.
    pub(super) until: Option<i64>,
}

/// An order that needs a reason only.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReasonOrder {
    /// The reason.
    #[schemars(length(min = 1, max = 500))]
    pub(super) reason: String,
}

/// Gives time to a seat.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GiveOrder {
    /// The seat.
    pub(super) seat: u8,
    /// How much, ms: 1 second to 7 days.
    #[schemars(range(min = 1_000, max = 604_800_000))]
    pub(super) time_ms: i64,
    /// The reason, which the players read.
    #[schemars(length(min = 1, max = 500))]
    pub(super) reason: String,
}

/// Games that an admin has paused, or let go on.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RuledGames")]
pub(crate) struct RuledGames {
    /// The number of the entry of the audit.
    pub(super) number: u64,
    /// How many games it changed.
    pub(super) games: usize,
    /// The numbers of the servers that did not answer: the order may not have reached their games.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) missing_servers: Vec<i32>,
}
