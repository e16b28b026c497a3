//! The conduct of some players while results are counted, in the order of the chronicle.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_people::conduct::{Mark, waiting};
use tilewire_people::results::GameResult;

use tilewire_store::{ConductRow, NewWait, StoredConduct};

/// The conduct of some players.
#[derive(Debug, Default)]
pub(super) struct ConductTable {
    players: BTreeMap<String, StoredConduct>,
    changed: BTreeSet<String>,
    waits: Vec<NewWait>,
}

impl ConductTable {
    /// Returns a table of these players, as they are stored.
    pub(super) fn of(players: impl IntoIterator<Item = (String, StoredConduct)>) -> Self {
        Self {
            players: players.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Counts what a game says about its players.
    pub(super) fn count(&mut self, result: &GameResult) {
        for (identity, mark) in marks(result) {
            let stored = self.players.entry(identity.to_owned()).or_default();
            let (conduct, until) = stored.conduct.after(mark, result.ended_at);
            if conduct != stored.conduct {
                stored.conduct = conduct;
                self.changed.insert(identity.to_owned());
            }
            if let (Mark::Point(offence), Some(until)) = (mark, until) {
                self.waits.push(NewWait {
                    at: result.ended_at,
                    action: waiting(identity, &result.game, offence, until),
                });
            }
        }
    }

    /// Returns the changes, and the waiting times that begin.
    pub(super) fn changes(self) -> (Vec<ConductRow>, Vec<NewWait>) {
        let rows = self.changed.into_iter().filter_map(|identity| {
            let stored = self.players.get(&identity)?;
            Some(ConductRow {
                identity,
                expected: stored.version,
                conduct: stored.conduct,
            })
        });
        (rows.collect(), self.waits)
    }
}

/// Returns the marks that a game gives, with the players who get them.
pub fn marks(result: &GameResult) -> impl Iterator<Item = (&str, Mark)> {
    let seats = result.seats.iter();
    seats.filter_map(|seat| Some((seat.identity.as_str(), seat.conduct?)))
}
