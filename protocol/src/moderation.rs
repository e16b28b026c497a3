//! Notices to a player about moderation.

use serde::{Deserialize, Serialize};

use crate::enums::ModerationKind;

/// Tells a player what a moderator, or the server by itself, did about the player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModerationNotice {
    /// The kind of action.
    pub kind: ModerationKind,
    /// The reason, for people.
    pub reason: String,
    /// When the effect ends, unix ms; absent: when a moderator ends it, or never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<i64>,
}
