//! Invitations: a game that one player offers to another.

use serde::{Deserialize, Serialize};

use crate::bytes::Bytes;
use crate::enums::{DeclineReason, InvitationEnd, Level};
use crate::ids::{CmdId, GameId, SeekId};
#[cfg(feature = "schema")]
use crate::limits;
use crate::lobby::Person;
use crate::options::GameOptions;

/// Invites a player to a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Invite {
    /// The id of this command.
    pub cmd_id: CmdId,
    /// The handle of the invited player, in any case.
    #[cfg_attr(feature = "schema", schemars(length(max = limits::HANDLE_MAX_BYTES)))]
    pub handle: String,
    /// The options of the game, which has two seats.
    pub options: GameOptions,
    /// SHA-256 of the nonce that `ready` will contain, 32 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<crate::schema_parts::Hash>")
    )]
    pub nonce_hash: Option<Bytes>,
    /// The player's level; counts where the rule set has targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
}

/// Accepts or declines an invitation, or takes back one's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnswerInvitation {
    /// The id of this command.
    pub cmd_id: CmdId,
    /// The invitation.
    pub invitation: SeekId,
    /// Whether the game begins. The player who invites can only send `false`, to take the invitation back.
    pub accept: bool,
    /// Why the invited player declines; absent: no reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<DeclineReason>,
    /// SHA-256 of the nonce that `ready` will contain, 32 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<crate::schema_parts::Hash>")
    )]
    pub nonce_hash: Option<Bytes>,
    /// The player's level; counts where the rule set has targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
}

/// An invitation that is open, or that has just ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Invitation {
    /// Its id, which is `seek` in the `game_created` of its game.
    pub invitation: SeekId,
    /// The player who invites; seat 0 of the game.
    pub from: Person,
    /// The invited player.
    pub to: Person,
    /// The options of the game, with every default filled in.
    pub options: GameOptions,
    /// When it was sent, unix ms.
    pub created_at: i64,
    /// When it expires, unix ms.
    pub expires_at: i64,
    /// How it ended; absent: it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<InvitationEnd>,
    /// `declined`: the reason, if the invited player gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<DeclineReason>,
    /// `accepted`: the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameId>,
}
