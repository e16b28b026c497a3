//! The operator's view of a game, and the game's answers to an operator.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tilewire_protocol::Event;
use tilewire_rules::event::Record;
use tilewire_rules::state::{ReplayError, ReplayProblem, State};
use tilewire_rules::time::{Seq, Timestamp};
use tilewire_rules::view::Audience;
use tokio::sync::oneshot;

use super::position::Position;
use tilewire_wire::to_wire;
use tilewire_wire::to_wire::{Aftermath, GameFacts};

/// The state of a room's storage access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StorageWait {
    /// Nothing is in flight.
    Idle,
    /// An append is in flight.
    Appending,
    /// The storage refused an append; the game tries again.
    Refused,
    /// The outcome of an append is unknown; the game reads its log again.
    Reading,
    /// The game falls asleep.
    Resting,
}

impl StorageWait {
    /// Returns the name, as programs read it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Appending => "appending",
            Self::Refused => "refused",
            Self::Reading => "reading",
            Self::Resting => "resting",
        }
    }
}

/// A game at one moment, as its room knows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Inspection {
    /// The game.
    pub position: Position,
    /// Commands that wait for the append in flight.
    pub queued: usize,
    /// Commands that the rules have and have not answered.
    pub unanswered: usize,
    /// Spectators.
    pub watching: usize,
    /// The state of the room's storage access.
    pub storage: StorageWait,
    /// Whether clients were told that the game takes no commands: an operator has paused it, or it waits for the storage.
    pub is_paused: bool,
    /// When the room acts by itself next.
    pub next_deadline: Option<Timestamp>,
    /// Whether the order that was answered is in the log now; false if nothing was ordered.
    pub took_effect: bool,
}

/// The operator who waits for an answer of a room. The room gives it back with the answer.
#[derive(Clone)]
pub struct Asker(Arc<Mutex<Option<oneshot::Sender<Inspection>>>>);

impl Asker {
    /// Returns an asker, and the end at which the answer arrives. It ends without one if the game leaves memory.
    #[must_use]
    pub fn new() -> (Self, oneshot::Receiver<Inspection>) {
        let (sender, receiver) = oneshot::channel();
        (Self(Arc::new(Mutex::new(Some(sender)))), receiver)
    }

    /// Hands over the answer. An operator who has gone does not get it.
    pub(super) fn answer(&self, inspection: Inspection) {
        let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(sender) = sender {
            drop(sender.send(inspection));
        }
    }
}

impl PartialEq for Asker {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Asker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Asker")
    }
}

/// Returns the events of a log as an audience sees them, up to the last one of the state `after`.
///
/// # Errors
/// When the rules refuse the log.
pub fn events(
    facts: &GameFacts,
    after: &State,
    records: &[Record],
    audience: Audience,
) -> Result<Vec<Event>, ReplayError> {
    let rules = after.rules();
    let Some((first, others)) = records.split_first() else {
        let problem = ReplayProblem::NoCreation;
        return Err(ReplayError {
            seq: Seq(1),
            problem,
        });
    };
    let seen = |state: &State, record: &Record| {
        let aftermath = Aftermath::of(state, record);
        to_wire::event(facts, rules, record, &aftermath, audience)
    };
    let mut state = State::begin(Arc::clone(rules), first)?;
    let mut events = vec![seen(&state, first)];
    // The log may have grown since the state was read.
    for record in others.iter().filter(|record| record.seq <= after.seq()) {
        state.apply(record)?;
        events.push(seen(&state, record));
    }
    Ok(events)
}
