//! The behaviour of simulated clients, their actions, and the facts that they tell each other.

use tilewire_protocol::{ClientMessage, GameId, SeekId};

use super::chance::Chance;
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

impl Table {
    /// A table without a seek.
    pub(super) fn planned(plan: &Plan) -> Self {
        Self {
            plan: plan.clone(),
            seek: None,
            game: None,
        }
    }
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

impl Manner {
    /// Chooses a behaviour at random.
    pub fn some(chance: &mut Chance) -> Self {
        let pace_ms = *chance.pick(&[(50, 400), (300, 2_500), (1_000, 9_000)]);
        Self {
            pace_ms,
            lies: *chance.pick(&[8, 30, 1_000]),
            drops: *chance.pick(&[12, 60, 1_000]),
            stalls: *chance.pick(&[30, 200, 5_000]),
            sleeps_at: *chance.pick(&[20_000, 90_000, 300_000, 300_000, 300_000]),
            doubles: *chance.pick(&[4, 50]),
        }
    }
}
