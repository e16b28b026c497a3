//! The modes of clients and the messages to client processes.

use serde::{Deserialize, Serialize};
use tilewire_protocol::GameId;
use tokio::sync::broadcast;

/// The current mode of all clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Mode {
    /// Play one game after another.
    Playing,
    /// Finish the current games without pauses.
    Finishing,
    /// Disconnect.
    Leaving,
}

/// A message to a client process after its assignment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParentMessage {
    /// This game has begun.
    Game(GameId),
    /// The command of a turn was due, microseconds since 1970.
    Due(u32, i64),
    /// The measured phase begins.
    Begin,
    /// The measured phase ends.
    End,
    /// All clients drop their connections; with `true` they reconnect as new clients.
    Storm(bool),
    /// The mode changes.
    Mode(Mode),
}

/// Messages that may wait for a client process; enough for its longest pause.
const MESSAGES_WAITING: usize = 4_096;
/// Broadcasts messages to the client processes.
pub type Relay = broadcast::Sender<ParentMessage>;

/// A relay without subscribers.
pub fn relay() -> Relay {
    broadcast::Sender::new(MESSAGES_WAITING)
}
