//! The players of a game, as recorded when the game was created.

use serde::{Deserialize, Serialize};

use crate::ruleset::Level;

/// A player of a game, as recorded when the game was created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The identity that owns the seat.
    pub identity: String,
    /// The name to show.
    pub name: String,
    /// SHA-256 of the nonce that the player announced, if any (R-BAG-2).
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "super::hex::option"
    )]
    pub nonce_hash: Option<[u8; 32]>,
    /// The player's level, if targets depend on it (R-END-13).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// The kind of player; `None` in records that do not state it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<PlayerKind>,
    /// The player's rating in the pool of the game; `None` if the player has none there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<SeatRating>,
}

/// The kind of player in a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayerKind {
    /// A person without a handle.
    Guest,
    /// A person with a handle: registered here, or a user of the embedding site.
    Registered,
    /// A program with a registered account that is marked as a bot.
    ExternalBot,
    /// A bot of this server.
    HouseBot,
}

impl Player {
    /// Returns whether a bot of this server plays.
    #[must_use]
    pub fn is_house_bot(&self) -> bool {
        self.kind == Some(PlayerKind::HouseBot)
    }
}

impl PlayerKind {
    /// Returns whether a program plays.
    #[must_use]
    pub const fn is_bot(self) -> bool {
        match self {
            Self::Guest | Self::Registered => false,
            Self::ExternalBot | Self::HouseBot => true,
        }
    }
}

/// A rating as it is shown beside a name: whole points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatRating {
    /// The rating.
    pub value: i32,
    /// The rating deviation: the uncertainty of the rating.
    pub deviation: u32,
    /// Whether the rating is too uncertain to compare.
    pub provisional: bool,
}
