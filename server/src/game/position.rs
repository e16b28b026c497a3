//! The game at one moment, for whoever needs all of it.

use std::fmt;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use tilewire_protocol::{Codec, GameId, ServerMessage, Snapshot};
use tilewire_rules::state::State;
use tilewire_rules::view::Audience;

use crate::outbound::Encoded;
use crate::wire::snapshot;
use crate::wire::to_wire::GameFacts;

/// The game at one moment. Cheap to clone; nothing is written out before somebody needs it.
#[derive(Clone, PartialEq)]
pub struct Position {
    /// What is said of the game beside its events.
    pub facts: GameFacts,
    /// The durable game.
    pub state: Arc<State>,
    /// For each seat, whether its player is here.
    pub connected: Vec<bool>,
    /// What those are who only watch.
    pub watchers: Audience,
    /// The moment, server time, unix ms.
    pub at: i64,
}

impl Position {
    /// Returns the number of the last event.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.state.seq().0
    }

    /// Returns the game.
    #[must_use]
    pub const fn game(&self) -> &GameId {
        &self.facts.game
    }

    /// Returns what `audience` sees of it.
    #[must_use]
    pub fn seen_by(&self, audience: Audience) -> Snapshot {
        snapshot::snapshot(&self.facts, &self.state, audience, &self.connected, self.at)
    }
}

impl fmt::Debug for Position {
    /// Shows nothing of the state: it holds racks and the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Position")
            .field("game", self.game())
            .field("seq", &self.seq())
            .finish_non_exhaustive()
    }
}

/// The snapshot that spectators get of a position, made when the first one needs it.
#[derive(Debug)]
pub(super) struct Picture {
    position: Position,
    snapshot: OnceLock<Encoded>,
}

impl Picture {
    pub(super) const fn new(position: Position) -> Self {
        Self {
            position,
            snapshot: OnceLock::new(),
        }
    }

    /// The payload of the frame, the same allocation for all who get it.
    pub(super) fn frame(&self, codec: Codec) -> Bytes {
        let make = || {
            let snapshot = self.position.seen_by(self.position.watchers);
            Encoded::new(ServerMessage::Snapshot(Box::new(snapshot)))
        };
        self.snapshot.get_or_init(make).frame(codec)
    }
}
