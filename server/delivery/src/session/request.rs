//! A request of a client, as far as its connection reads it.

use bytes::Bytes;
use tilewire_protocol::{ClientMessage, GameId};

/// A request of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The content, as far as the connection has read it.
    pub content: Content,
    /// The whole request in MessagePack, for another node; empty if there is none.
    pub packed: Bytes,
}

/// The content of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// All of it.
    Message(ClientMessage),
    /// The head of a command in a game, which another node reads.
    Command {
        /// The op.
        op: &'static str,
        /// The game.
        game: GameId,
        /// Whether the command ends a turn when it is accepted.
        ends_turn: bool,
    },
}

impl From<ClientMessage> for Content {
    fn from(message: ClientMessage) -> Self {
        Self::Message(message)
    }
}

impl Content {
    /// Says whether the request begins the stream of a game, or is a command in a game.
    #[must_use]
    pub fn is_of_player(&self) -> bool {
        match self {
            Self::Message(message) => {
                matches!(message, ClientMessage::Attach(_)) || message.game_command().is_some()
            }
            Self::Command { .. } => true,
        }
    }
}

impl Request {
    /// Returns the op.
    #[must_use]
    pub fn op(&self) -> &str {
        match &self.content {
            Content::Message(message) => message.op(),
            Content::Command { op, .. } => op,
        }
    }
}
