//! The behaviour of simulated clients, their actions, and the facts that they tell each other.

use tilewire_protocol::{ClientMessage, GameId, SeekId};

use super::line::LineId;
use super::members::Ask;
use super::scenario::Plan;

/// The facts that the clients of a game tell each other.
#[derive(Debug, Clone)]
pub struct Table {
    /// The plan of the game.
    pub plan: Plan,
    /// The seek, once its owner knows it.
    pub seek: Option<(SeekId, Option<String>)>,
    /// The game, once its id is known.
    pub game: Option<(GameId, Option<String>)>,
}

/// An action of a client.
#[derive(Debug)]
pub enum Act {
    /// Opens a connection.
    Connect,
    /// Sends a request; the sender chooses the id.
    Send(LineId, u64, ClientMessage),
    /// Asks the server about the account.
    Ask(Ask),
    /// Sends bytes that are no message.
    Babble(LineId, Vec<u8>),
    /// Hangs up, in good order or not.
    HangUp(LineId, bool),
    /// Reads nothing for so long, ms.
    Stall(LineId, i64),
}

/// The behaviour of a client.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    /// Time between two thoughts, ms.
    pub pace_ms: (i64, i64),
    /// Lies once in so many times.
    pub lies: u64,
    /// Loses the connection once in so many times.
    pub drops: u64,
    /// Reads nothing for a while once in so many times.
    pub stalls: u64,
    /// Whether it falls asleep in the middle.
    pub sleeps_at: i64,
    /// Sends everything twice once in so many times.
    pub doubles: u64,
}
