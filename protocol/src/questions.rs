//! Events about what players ask of each other: to abort the game, and whether they are still there.

use serde::{Deserialize, Serialize};

use crate::enums::AbortDecline;

/// A seat asked to abort a rated game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AbortRequested {
    /// The seat that asks.
    pub seat: u8,
    /// When the request is declined without an answer, unix ms.
    pub until: i64,
}

/// A request to abort a rated game was declined; the game goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AbortDeclined {
    /// The seat that had asked.
    pub seat: u8,
    /// The reason.
    pub reason: AbortDecline,
}

/// A seat asked whether the seat on turn is still there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Nudged {
    /// The seat that asks.
    pub seat: u8,
    /// The seat on turn, which is asked.
    pub target: u8,
    /// When the place of `target` can be claimed without an answer, unix ms; absent: the limit of the turn decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_at: Option<i64>,
}

/// The nudged seat is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NudgeAnswered {
    /// The seat that was nudged.
    pub seat: u8,
}
