//! The statement that gives a part to another server.

use std::sync::atomic::{AtomicU8, Ordering};

use super::{DatabaseTime, NodeId, Part, Term};

const WAITS: u8 = 0;
const IS_ASKED: u8 = 1;
const IS_CALLED_OFF: u8 = 2;

/// Gives a part to another server. The connection that writes asks it, behind the changes that were handed to it before: an
/// append that had begun earlier on another connection would not see the new owner.
///
/// It can be called off while it waits behind other changes, so the server that asks does not wait for them.
#[derive(Debug)]
pub struct Give {
    /// The part.
    pub part: Part,
    /// The term in which this server owns it.
    pub term: Term,
    /// The next owner.
    pub to: NodeId,
    /// Since when its games stand still.
    pub since: DatabaseTime,
    /// Time to live of leases, ms: the next owner has to have been seen within it.
    pub lease_ms: i64,
    state: AtomicU8,
}

impl Give {
    /// Gives `part`, owned in `term`, to `to`. Its games stand still since `since`.
    #[must_use]
    pub const fn new(
        (part, term): (Part, Term),
        to: NodeId,
        since: DatabaseTime,
        lease_ms: i64,
    ) -> Self {
        Self {
            part,
            term,
            to,
            since,
            lease_ms,
            state: AtomicU8::new(WAITS),
        }
    }

    /// Says whether the statement may be sent: once, if it was not called off.
    pub fn begin(&self) -> bool {
        self.is_first(IS_ASKED)
    }

    /// Calls it off. `false` if the database is asked already: then its answer counts.
    pub fn call_off(&self) -> bool {
        self.is_first(IS_CALLED_OFF)
    }

    fn is_first(&self, next: u8) -> bool {
        let done = self
            .state
            .compare_exchange(WAITS, next, Ordering::AcqRel, Ordering::Acquire);
        done.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_asked_or_called_off() {
        let give = || {
            let part = (Part::LOBBY, Term(1));
            Give::new(part, NodeId(2), DatabaseTime(3), 2_500)
        };
        let asked = give();
        assert!(asked.begin() && !asked.call_off() && !asked.begin());
        let called_off = give();
        assert!(called_off.call_off() && !called_off.begin());
    }
}
