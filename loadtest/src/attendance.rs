//! Who follows a game and who was thrown out of one, so that a run knows when everybody is back after an outage.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many clients are where.
#[derive(Debug, Default)]
pub(crate) struct Attendance {
    there: AtomicU64,
    away: AtomicU64,
}

/// Where a client is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// It has no unfinished game, or does not listen on purpose.
    Elsewhere,
    /// The server lets it follow a game, and it listens.
    There,
    /// The connection to its unfinished game is lost, and no server lets it in: nobody meant that.
    Away,
}

/// One client's entry. It counts nowhere when it is dropped.
#[derive(Debug)]
pub(crate) struct Presence {
    all: Arc<Attendance>,
    place: Place,
}

impl Attendance {
    /// Clients that follow a game.
    pub(crate) fn there(&self) -> u64 {
        self.there.load(Ordering::Relaxed)
    }

    /// Clients that were thrown out of one and are not back.
    pub(crate) fn away(&self) -> u64 {
        self.away.load(Ordering::Relaxed)
    }

    /// The entry of a client that has no game yet.
    pub(crate) fn enter(self: &Arc<Self>) -> Presence {
        Presence {
            all: Arc::clone(self),
            place: Place::Elsewhere,
        }
    }

    fn of(&self, place: Place) -> Option<&AtomicU64> {
        match place {
            Place::Elsewhere => None,
            Place::There => Some(&self.there),
            Place::Away => Some(&self.away),
        }
    }
}

impl Presence {
    /// The client is at `place` from now on.
    pub(crate) fn is(&mut self, place: Place) {
        if place == self.place {
            return;
        }
        // First the new place: nobody is nowhere in between.
        if let Some(count) = self.all.of(place) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        let before = std::mem::replace(&mut self.place, place);
        if let Some(count) = self.all.of(before) {
            count.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.is(Place::Elsewhere);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_is_in_one_place() {
        let all = Arc::new(Attendance::default());
        let (mut one, mut two) = (all.enter(), all.enter());
        assert_eq!((all.there(), all.away()), (0, 0));
        one.is(Place::There);
        two.is(Place::There);
        two.is(Place::There);
        assert_eq!((all.there(), all.away()), (2, 0));
        one.is(Place::Away);
        assert_eq!((all.there(), all.away()), (1, 1));
        drop(one);
        two.is(Place::Elsewhere);
        assert_eq!((all.there(), all.away()), (0, 0));
    }
}
