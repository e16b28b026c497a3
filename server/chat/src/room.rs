//! The names of rooms.

use data_encoding::BASE32_NOPAD;
use sha2::{Digest, Sha256};
use tilewire_protocol::{GameId, RoomId};

/// Characters of the hash in the id of a direct room: 130 bits.
const HASH_CHARS: usize = 26;

/// The audience of a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RoomName {
    /// The players of a game.
    Players(GameId),
    /// The spectators of a game, and its players when it is over.
    Spectators(GameId),
    /// Two friends, the smaller identity first.
    Direct([String; 2]),
    /// Everybody in the lobby.
    Lobby,
}

impl RoomName {
    /// Returns the name of the room of two players.
    #[must_use]
    pub fn direct(one: &str, other: &str) -> Self {
        let mut pair = [one.to_owned(), other.to_owned()];
        pair.sort();
        Self::Direct(pair)
    }

    /// Returns the id of the room. It shows no identity.
    #[must_use]
    pub fn id(&self) -> RoomId {
        RoomId(match self {
            Self::Players(game) => format!("p-{game}"),
            Self::Spectators(game) => format!("s-{game}"),
            Self::Direct([one, other]) => {
                // An identity contains no line break, so no two pairs have the same text.
                let hash = Sha256::digest(format!("{one}\n{other}"));
                let mut text = BASE32_NOPAD.encode(&hash).to_ascii_lowercase();
                text.truncate(HASH_CHARS);
                format!("d-{text}")
            }
            Self::Lobby => "lobby".to_owned(),
        })
    }

    /// Returns the two players of a direct room.
    #[must_use]
    pub const fn pair(&self) -> Option<&[String; 2]> {
        match self {
            Self::Direct(pair) => Some(pair),
            Self::Players(_) | Self::Spectators(_) | Self::Lobby => None,
        }
    }
}
