//! The clock of the database beside that of the node. Where they leave a doubt, players get more time back and not less.

use tilewire_rules::time::{Millis, Timestamp};

use tilewire_store::DatabaseTime;

/// A moment on the clock of the database, which lies between two moments on the clock of the node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    pub(super) at: DatabaseTime,
    /// When the node asked for it.
    pub(super) asked_at: Timestamp,
    /// When it got the answer.
    pub(super) answered_at: Timestamp,
}

impl Reading {
    /// Returns a moment of the database on the clock of the node, or an earlier one.
    pub(super) fn here(self, at: DatabaseTime) -> Timestamp {
        self.asked_at - Millis(self.at.0 - at.0)
    }

    /// Returns a moment of the node on the clock of the database, or an earlier one.
    pub(super) fn there(self, at: Timestamp) -> DatabaseTime {
        DatabaseTime(self.at.0 + (at - self.answered_at).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The clock of the database is 1,000 ms ahead; the answer was late.
    #[test]
    fn no_moment_is_later_on_the_other_clock() {
        for late_ms in [0, 1, 700] {
            let reading = Reading {
                at: DatabaseTime(1_500),
                asked_at: Timestamp(500),
                answered_at: Timestamp(500 + late_ms),
            };
            assert_eq!(reading.here(DatabaseTime(1_200)), Timestamp(200));
            assert_eq!(reading.there(Timestamp(200)), DatabaseTime(1_200 - late_ms));
        }
    }
}
