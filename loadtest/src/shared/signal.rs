//! What clients are told to do, in this process and in client processes.

use serde::{Deserialize, Serialize};
use tilewire_protocol::GameId;
use tokio::sync::broadcast;

/// What clients do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Mode {
    /// Play on, one game after the other.
    Playing,
    /// Finish the games at hand without thinking.
    Finishing,
    /// Leave.
    Leaving,
}

/// What happens: the other lines to a child.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParentMessage {
    /// This game is being played now.
    Game(GameId),
    /// The command of a turn was due, microseconds since 1970.
    Due(u32, i64),
    /// The measured phase begins.
    Begin,
    /// It ends.
    End,
    /// Everybody loses the connection; with `true` they come back as strangers.
    Storm(bool),
    /// What clients do from now on.
    Mode(Mode),
}

/// Orders that may wait for a child; more than the turns of the longest pause it could make.
const ORDERS_WAITING: usize = 4_096;
/// Where children learn what happens.
pub type Relay = broadcast::Sender<ParentMessage>;

/// A relay to whoever will listen.
pub fn relay() -> Relay {
    broadcast::Sender::new(ORDERS_WAITING)
}
