//! A game at one moment, from which snapshots are made.

use std::fmt;
use std::sync::{Arc, OnceLock};

use tilewire_protocol::{Codec, GameId, ServerMessage, Snapshot};
use tilewire_rules::game::WaitingTurn;
use tilewire_rules::state::{Phase, State};
use tilewire_rules::time::Timestamp;
use tilewire_rules::view::Audience;

use tilewire_delivery::outbound::{Encoded, PushFrame};
use tilewire_wire::snapshot;
use tilewire_wire::snapshot::Now;
use tilewire_wire::to_wire::GameFacts;
use tilewire_wire::turn_waiting;

/// A game at one moment. Cheap to clone; a snapshot is encoded on first use.
#[derive(Clone, PartialEq)]
pub struct Position {
    /// Facts about the game that its events do not contain.
    pub facts: GameFacts,
    /// The durable game.
    pub state: Arc<State>,
    /// The turn that waits for a challenge window, as far as the watchers may know of it.
    pub waiting: Option<WaitingTurn>,
    /// For each seat, whether its player is here.
    pub connected: Vec<bool>,
    /// The audience of spectators.
    pub watchers: Audience,
    /// The time.
    pub at: Timestamp,
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

    /// Returns the snapshot for an audience.
    #[must_use]
    pub fn seen_by(&self, audience: Audience) -> Snapshot {
        let now = Now {
            waiting: self.waiting.as_ref(),
            connected: &self.connected,
            at: self.at,
        };
        snapshot::snapshot(&self.facts, &self.state, audience, now)
    }
}

impl fmt::Debug for Position {
    /// Shows no state: it contains racks and the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Position")
            .field("game", self.game())
            .field("seq", &self.seq())
            .finish_non_exhaustive()
    }
}

/// The snapshot of a position for spectators, made on first use.
#[derive(Debug)]
pub(super) struct SharedSnapshot {
    position: Position,
    snapshot: OnceLock<Encoded>,
}

impl SharedSnapshot {
    pub(super) const fn new(position: Position) -> Self {
        Self {
            position,
            snapshot: OnceLock::new(),
        }
    }

    /// Returns how much later than players spectators see events, ms: in a delayed game, until it has ended.
    pub(super) fn delay_ms(&self) -> Option<i64> {
        let state = &self.position.state;
        let view = state.options().spectators?;
        (state.phase() != Phase::Ended).then_some(view.delay_ms)
    }

    /// Returns the push that says that a turn waits, if one does.
    pub(super) fn turn_waiting(&self) -> Option<Encoded> {
        let waiting = self.position.waiting.as_ref()?;
        let told = turn_waiting(self.position.game(), waiting);
        Some(Encoded::new(ServerMessage::TurnWaiting(told)))
    }

    /// Returns the frame; all recipients share its allocations.
    pub(super) fn frame(&self, codec: Codec) -> PushFrame {
        let make = || {
            let snapshot = self.position.seen_by(self.position.watchers);
            Encoded::new(ServerMessage::Snapshot(Box::new(snapshot)))
        };
        self.snapshot.get_or_init(make).frame(codec)
    }
}
