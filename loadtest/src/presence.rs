//! Counts the clients that follow a game and those whose connection to one was lost, so that a run knows when all
//! clients have recovered from an outage.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many clients have which status.
#[derive(Debug, Default)]
pub(crate) struct PresenceCounts {
    attached: AtomicU64,
    interrupted: AtomicU64,
}

/// Whether a client follows a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// It has no unfinished game, or does not read on purpose.
    Idle,
    /// It is attached to a game and reads.
    Attached,
    /// It lost the connection to its unfinished game and has not attached again. The loss was not planned.
    Interrupted,
}

/// The status of one client. Dropping it removes the client from the counts.
#[derive(Debug)]
pub(crate) struct Presence {
    all: Arc<PresenceCounts>,
    status: Status,
}

impl PresenceCounts {
    /// Clients that are attached to a game.
    pub(crate) fn attached(&self) -> u64 {
        self.attached.load(Ordering::Relaxed)
    }

    /// Clients that lost the connection to a game and have not attached again.
    pub(crate) fn interrupted(&self) -> u64 {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// The status of a client that has no game yet.
    pub(crate) fn enter(self: &Arc<Self>) -> Presence {
        Presence {
            all: Arc::clone(self),
            status: Status::Idle,
        }
    }

    fn of(&self, status: Status) -> Option<&AtomicU64> {
        match status {
            Status::Idle => None,
            Status::Attached => Some(&self.attached),
            Status::Interrupted => Some(&self.interrupted),
        }
    }
}

impl Presence {
    /// Whether the client follows a game.
    pub(crate) fn is_attached(&self) -> bool {
        self.status == Status::Attached
    }

    /// Changes the status of the client.
    pub(crate) fn set(&mut self, status: Status) {
        if status == self.status {
            return;
        }
        // The new count rises first, so that no reader finds the client in neither.
        if let Some(count) = self.all.of(status) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        let before = std::mem::replace(&mut self.status, status);
        if let Some(count) = self.all.of(before) {
            count.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.set(Status::Idle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_counts_in_one_status() {
        let all = Arc::new(PresenceCounts::default());
        let (mut one, mut two) = (all.enter(), all.enter());
        assert_eq!((all.attached(), all.interrupted()), (0, 0));
        one.set(Status::Attached);
        two.set(Status::Attached);
        two.set(Status::Attached);
        assert_eq!((all.attached(), all.interrupted()), (2, 0));
        one.set(Status::Interrupted);
        assert_eq!((all.attached(), all.interrupted()), (1, 1));
        drop(one);
        two.set(Status::Idle);
        assert_eq!((all.attached(), all.interrupted()), (0, 0));
    }
}
