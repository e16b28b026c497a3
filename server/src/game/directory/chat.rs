//! What the chat rooms of a game depend on.

use tilewire_protocol::{GameId, Phase};

use super::Directory;

/// What the chat rooms of a game depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChatFacts {
    /// The identities of its players, by seat.
    players: Vec<String>,
    /// Whether the game is over for its spectators, who may see it with a delay.
    pub(crate) is_over: bool,
}

impl ChatFacts {
    /// Returns the seat of an identity.
    pub(crate) fn seat_of(&self, identity: &str) -> Option<u8> {
        let mut seats = (0..).zip(&self.players);
        let (seat, _) = seats.find(|(_, player)| *player == identity)?;
        Some(seat)
    }
}

impl Directory {
    /// Returns the facts of a game in memory; every game that a client is attached to is.
    pub(crate) fn chat_facts(&self, game: &GameId) -> Option<ChatFacts> {
        let entry = self.games.in_memory.get(game)?;
        let listing = &entry.listing;
        Some(ChatFacts {
            players: listing.players().to_vec(),
            is_over: listing.summary().phase == Phase::Ended,
        })
    }
}
