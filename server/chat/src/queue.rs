//! The queue of a room: one call is in flight, and what comes meanwhile waits for it.

use std::collections::VecDeque;

use tilewire_protocol::ServerMessage;

use super::request::Request;
use tilewire_delivery::outbound::{Peer, PeerId};
use tilewire_store::StoredLine;

/// Requests whose lines share one append.
pub(super) const LINES_TOGETHER: usize = 64;

/// An entry of a queue.
#[derive(Debug)]
pub(super) enum Waiting {
    /// A request, which is answered once.
    Asked(Request),
    /// A connection leaves the room with its game.
    Left(PeerId),
}

impl Waiting {
    fn peer(&self) -> PeerId {
        match self {
            Self::Asked(request) => request.peer.id(),
            Self::Left(id) => *id,
        }
    }
}

/// Work on a room that waits for the end of the call in flight. It comes before the waiting requests.
#[derive(Debug)]
pub(super) enum Postponed {
    /// Lines are hidden, or shown again.
    Hide { lines: Vec<u64>, is_hidden: bool },
    /// A push that must not overtake the lines that are being delivered.
    Tell(Peer, Box<ServerMessage>),
}

/// The queue of a room.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// The oldest first.
    pub(super) waiting: VecDeque<Waiting>,
    /// The first entries, for which the friendship of a direct room was read after they came.
    pub(super) checked: usize,
    /// The first entries, for which the friendship is being read.
    pub(super) checking: usize,
    /// Whether a call for this room is in flight.
    pub(super) is_busy: bool,
    /// Requests whose answers wait for the append, with the numbers of their lines.
    pub(super) said: Vec<(Request, u64)>,
    /// The lines of the append.
    pub(super) lines: Vec<StoredLine>,
    pub(super) postponed: Vec<Postponed>,
}

impl Queue {
    /// Takes the first entry, unless a call is in flight or enough lines are together. Says whether the friendship was read
    /// for it.
    pub(super) fn pop(&mut self) -> Option<(Waiting, bool)> {
        if self.is_busy || self.said.len() >= LINES_TOGETHER {
            return None;
        }
        let first = self.waiting.pop_front()?;
        let is_checked = self.checked > 0;
        self.checked = self.checked.saturating_sub(1);
        Some((first, is_checked))
    }

    /// Says whether a connection has an entry that waits.
    pub(super) fn has(&self, id: PeerId) -> bool {
        self.waiting.iter().any(|waiting| waiting.peer() == id)
    }

    /// Lets a connection leave after its entries. There is at most one such entry for each request.
    pub(super) fn leave_later(&mut self, id: PeerId) {
        let mut own = self.waiting.iter().rev();
        let last = own.find(|waiting| waiting.peer() == id);
        if matches!(last, Some(Waiting::Asked(_))) {
            self.waiting.push_back(Waiting::Left(id));
        }
    }

    /// Takes the waiting requests that match.
    pub(super) fn take(&mut self, matches: impl Fn(&Request) -> bool) -> Vec<Request> {
        let mut taken = Vec::new();
        for waiting in std::mem::take(&mut self.waiting) {
            match waiting {
                Waiting::Asked(request) if matches(&request) => taken.push(request),
                other => self.waiting.push_back(other),
            }
        }
        taken
    }
}
