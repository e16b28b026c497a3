//! Identifiers: opaque text to a client, at most [`crate::limits::ID_MAX_BYTES`] long.

use crate::limits;
use crate::macros::wire_id;

wire_id! {
    /// Names a game, for as long as the server keeps it.
    GameId matches "^.{1,32}$"
}

wire_id! {
    /// Names an open seek.
    SeekId matches "^.{1,32}$"
}

wire_id! {
    /// Names a player; a guest keeps it as long as it keeps its token.
    IdentityId matches "^.{1,32}$"
}

wire_id! {
    /// Names a chat room.
    RoomId matches "^.{1,40}$"
}

wire_id! {
    /// Names one command of one identity, chosen by the client; a retry carries the same one.
    CmdId matches "^[A-Za-z0-9_-]{1,40}$"
}

impl CmdId {
    /// Says whether the text is 1 to 40 characters of `[A-Za-z0-9_-]`.
    #[must_use]
    pub fn is_well_formed(&self) -> bool {
        let text = self.0.as_bytes();
        (1..=limits::CMD_ID_MAX_BYTES).contains(&text.len())
            && text
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    }
}
