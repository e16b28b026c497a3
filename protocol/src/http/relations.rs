//! The players that a player follows and blocks.

use serde::{Deserialize, Serialize};

/// The players whom the player of the token follows and blocks, each list in the order in which they were added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Relations {
    /// The players that the player follows, at most 500.
    pub followed: Vec<FollowedPlayer>,
    /// The players that the player blocks, at most 1,000.
    pub blocked: Vec<BlockedPlayer>,
    /// The server's time, unix ms.
    pub server_time: i64,
}

/// A player that the player of the token follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FollowedPlayer {
    /// The identity, as in games.
    pub identity: String,
    /// The handle.
    pub handle: String,
    /// Whether a program plays.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
    /// Since when the player follows this one, unix ms.
    pub since: i64,
    /// Whether both follow each other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub friend: bool,
    /// Whether a friend is connected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub online: Option<bool>,
    /// The public game that a friend plays: the one that was created last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
}

/// A player that the player of the token blocks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BlockedPlayer {
    /// The identity, as in games.
    pub identity: String,
    /// The handle.
    pub handle: String,
    /// Whether a program plays.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
    /// Since when the player blocks this one, unix ms.
    pub since: i64,
}
