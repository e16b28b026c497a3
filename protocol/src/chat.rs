//! Chat: rooms, their lines, and the requests about them.

use serde::{Deserialize, Serialize};

use crate::enums::{ChatClosedReason, ChatKind};
use crate::ids::{CmdId, GameId, IdentityId, RoomId};
#[cfg(feature = "schema")]
use crate::limits;
use crate::text::is_false;

/// Joins a room, or follows all direct rooms of the identity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("oneOf" = [
    {"properties": {"kind": {"enum": ["players", "spectators"]}, "with": false}, "required": ["game"]},
    {"properties": {"kind": {"const": "direct"}, "game": false}},
    {"properties": {"kind": {"const": "lobby"}, "game": false, "with": false}}
])))]
pub struct ChatJoin {
    /// The kind of room.
    pub kind: ChatKind,
    /// `players`, `spectators`: the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameId>,
    /// `direct`: the handle of the friend; absent: all direct rooms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = limits::NAME_MAX_BYTES)))]
    pub with: Option<String>,
    /// The number of the last line that the client has; absent: the newest lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
}

/// Leaves a room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatLeave {
    /// The room.
    pub room: RoomId,
}

/// Writes a line into a joined room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatSay {
    /// The room.
    pub room: RoomId,
    /// The id of this command.
    pub cmd_id: CmdId,
    /// The text.
    #[cfg_attr(feature = "schema", schemars(length(max = limits::CHAT_TEXT_MAX_BYTES)))]
    pub text: String,
}

/// A line of a room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatLine {
    /// Its number in the room, from 1.
    pub line: u64,
    /// When it was written, unix ms.
    pub at: i64,
    /// The identity that wrote it.
    pub identity: IdentityId,
    /// Its display name at that time.
    pub name: String,
    /// The seat of the writer, in the room of a game's players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// The text: plain text, never markup.
    pub text: String,
}

/// Answers a chat request; which fields are present depends on the request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatAnswer {
    /// `chat_join` of one room, `chat_say`: the room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<RoomId>,
    /// `chat_join` of one room: the lines after `after`, or the newest ones, oldest first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<ChatLine>>,
    /// `chat_join` of one room: whether the identity can write in it; absent: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub can_say: bool,
    /// `chat_join` of all direct rooms: the rooms with the newest lines, newest first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rooms: Option<Vec<DirectRoom>>,
    /// `chat_say`: the number of the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
}

/// A direct room of an identity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DirectRoom {
    /// The room.
    pub room: RoomId,
    /// The handle of the other player.
    pub with: String,
    /// The number of its last line.
    pub last: u64,
    /// When the last line was written, unix ms.
    pub at: i64,
}

/// Pushes a line of a joined room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatSaid {
    /// The room.
    pub room: RoomId,
    /// The line.
    pub line: ChatLine,
}

/// Says that a connection is in a room no longer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatClosed {
    /// The room.
    pub room: RoomId,
    /// The reason.
    pub reason: ChatClosedReason,
}

/// Says that lines of a joined room are hidden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatHidden {
    /// The room.
    pub room: RoomId,
    /// The numbers of the lines.
    pub lines: Vec<u64>,
}
