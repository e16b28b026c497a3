//! Commands of the operator for the points of players who left games: check them against a new fold of all results, or rebuild them
//! (H-COND). A server may run meanwhile.
//!
//! A waiting time is an entry of the audit, which nothing takes back: a rebuild begins and ends none.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::bail;
use tilewire_people::conduct::Conduct;

use crate::cli::ConductTask;
use crate::ratings::{LISTED, store, undisturbed};
use tilewire_config::Config;
use tilewire_results::chronicle::marks;
use tilewire_sql::OperatorStorage;
use tilewire_sql::operator::{Correction, PlayerConduct};
use tilewire_store::{ConductRow, Cursor, StoredResult};

/// Does a task with points; returns what there is to say.
///
/// # Errors
/// When the storage cannot be used, and when points differ from the fold of the results.
pub fn conduct(config: &Config, task: ConductTask) -> anyhow::Result<String> {
    let mut storage = tilewire_databases::open_for_operator(config)?;
    undisturbed(|| {
        let Some(folded) = Folded::of(&storage)? else {
            return Ok(None);
        };
        match task {
            ConductTask::Check => folded.report().map(Some),
            ConductTask::Rebuild => {
                let correction = Correction {
                    conduct: folded.rows(),
                    ..Correction::default()
                };
                let is_stored = store(&mut storage, folded.cursor, &correction)?;
                Ok(is_stored.then(|| folded.rebuilt()))
            }
        }
    })
}

/// The conduct of a player.
#[derive(Debug)]
struct Player {
    known: PlayerConduct,
    /// As it follows from the results.
    follows: Conduct,
}

impl Player {
    fn of(known: PlayerConduct) -> Self {
        Self {
            known,
            follows: Conduct::default(),
        }
    }

    fn differs(&self) -> bool {
        self.follows != self.known.stored.conduct
    }
}

/// A fold of all results, beside what is stored.
struct Folded {
    cursor: Cursor,
    results: usize,
    players: BTreeMap<String, Player>,
}

impl Folded {
    /// Returns `None` when the server has written meanwhile.
    fn of(storage: &OperatorStorage) -> anyhow::Result<Option<Self>> {
        let cursor = storage.chronicle_cursor()?;
        let stored = storage.stored_conduct()?;
        let mut folded = Self {
            cursor,
            results: 0,
            players: stored
                .iter()
                .map(|known| (known.identity.clone(), Player::of(known.clone())))
                .collect(),
        };
        storage.each_result(&mut |result| folded.add(&result))?;
        let is_of_one_moment = storage.chronicle_cursor()? == cursor
            && storage.stored_conduct()? == stored
            && !storage.is_erasing()?;
        Ok(is_of_one_moment.then_some(folded))
    }

    fn add(&mut self, stored: &StoredResult) {
        self.results += 1;
        for (identity, mark) in marks(&stored.result) {
            let player = self.players.entry(identity.to_owned()).or_insert_with(|| {
                Player::of(PlayerConduct {
                    identity: identity.to_owned(),
                    ..PlayerConduct::default()
                })
            });
            if stored.number > player.known.forgiven {
                (player.follows, _) = player.follows.after(mark, stored.result.ended_at);
            }
        }
    }

    /// The players with other points than the stored ones.
    fn wrong(&self) -> impl Iterator<Item = &Player> {
        self.players.values().filter(|player| player.differs())
    }

    fn rows(&self) -> Vec<ConductRow> {
        let rows = self.wrong().map(|player| ConductRow {
            identity: player.known.identity.clone(),
            expected: player.known.stored.version,
            conduct: player.follows,
        });
        rows.collect()
    }

    fn report(&self) -> anyhow::Result<String> {
        let wrong = self.wrong().count();
        if wrong == 0 {
            return Ok(format!("{} is sound\n", self.counts()));
        }
        let mut problems = String::new();
        for Player { known, follows } in self.wrong().take(LISTED) {
            writeln!(
                problems,
                "  the conduct of {} differs: {} points are stored, {} follow from the results",
                known.identity, known.stored.conduct.points, follows.points
            )?;
        }
        if wrong > LISTED {
            writeln!(problems, "  and {} more", wrong - LISTED)?;
        }
        bail!(
            "the conduct of players is not sound:\n{problems}tilewire-server conduct rebuild computes all of it again\n"
        )
    }

    fn rebuilt(&self) -> String {
        format!(
            "{}; {} were corrected\n",
            self.counts(),
            self.wrong().count()
        )
    }

    fn counts(&self) -> String {
        format!(
            "the conduct of {} players in {} results",
            self.players.len(),
            self.results
        )
    }
}

#[cfg(test)]
mod tests;
