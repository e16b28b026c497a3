//! The inputs of a hub.

use tilewire_protocol::ServerMessage;

use crate::attach::Attach;
use crate::position::Position;
use tilewire_delivery::outbound::PeerId;

/// An input of a hub.
#[derive(Debug, Clone, PartialEq)]
pub enum HubInput<P> {
    /// A spectator attaches; the hub answers the request.
    Watch(Attach<P>),
    /// A spectator has left.
    Unwatch {
        /// The connection.
        peer: PeerId,
        /// The connection and the request to answer, if the client asked for it.
        answer: Option<(P, u64)>,
    },
    /// Messages for all spectators.
    Publish(Publication),
    /// The hub was too slow: all spectators start again from this position, and the messages are dropped.
    Skip(Publication),
    /// The game has left memory: this message goes to all spectators, and the hub forgets them.
    Dismiss(Box<ServerMessage>),
    /// Another node gets the game: its spectators go on there, or get this message, and the hub forgets them.
    LetGo {
        /// The code of a private game.
        code: Option<String>,
        /// The message for a spectator that knows no other node.
        otherwise: Box<ServerMessage>,
    },
    /// Time passed.
    Tick,
}

/// The state that a hub starts with.
#[derive(Debug, Clone, PartialEq)]
pub struct HubStart {
    /// The recent events as spectators see them, oldest first.
    pub history: Vec<ServerMessage>,
    /// The game now.
    pub position: Position,
    /// Whether the game takes no commands now. Spectators get a message about it.
    pub is_paused: bool,
}

/// Messages for all spectators, and the game after them.
#[derive(Debug, Clone, PartialEq)]
pub struct Publication {
    /// Events and notices, in order.
    pub messages: Vec<ServerMessage>,
    /// The game after them: a spectator whose outbox refuses the messages gets a snapshot of it.
    pub position: Position,
    /// Whether the game takes no commands after them. Spectators get a message about it.
    pub is_paused: bool,
}
