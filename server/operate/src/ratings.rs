//! Commands of the operator for ratings: check them against a new fold of all results, or rebuild them. A server may run meanwhile.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Context, bail};
use tilewire_people::pools::Pool;
use tilewire_people::ratings::PlayerRating;

use crate::cli::RatingsTask;
use tilewire_config::Config;
use tilewire_results::chronicle::{RatingTable, ScoreRules};
use tilewire_sql::OperatorStorage;
use tilewire_sql::operator::Correction;
use tilewire_store::{ChapterError, Cursor, RatingChange, StoredResult};

/// How often the work is done anew because the server has written results meanwhile.
const ATTEMPTS: usize = 8;
/// Differences that are listed.
pub(crate) const LISTED: usize = 20;

/// Does a task with ratings; returns what there is to say.
///
/// # Errors
/// When the storage cannot be used, when ratings differ from the fold of the results, and when finished games have no
/// result.
pub fn ratings(config: &Config, task: RatingsTask) -> anyhow::Result<String> {
    let rules = ScoreRules::of(&config.ratings);
    let mut storage = tilewire_databases::open_for_operator(config)?;
    undisturbed(|| {
        let folded = Folded::of(&storage, rules.clone())?;
        if !folded.is_of_one_moment {
            return Ok(None);
        }
        match task {
            RatingsTask::Check => folded.report(&storage.without_result()?).map(Some),
            RatingsTask::Rebuild => {
                let is_stored = store(&mut storage, folded.cursor, &folded.correction)?;
                Ok(is_stored.then(|| folded.rebuilt()))
            }
        }
    })
}

/// Tries something until the server writes no results meanwhile; an attempt that it disturbs returns `None`.
///
/// # Errors
/// Those of an attempt, and when the server disturbs all of them.
pub(crate) fn undisturbed(
    mut attempt: impl FnMut() -> anyhow::Result<Option<String>>,
) -> anyhow::Result<String> {
    for _ in 0..ATTEMPTS {
        if let Some(said) = attempt()? {
            return Ok(said);
        }
    }
    bail!("the server writes results all the time, or erases a player; try again")
}

/// Stores a correction; returns whether nothing has changed since it was computed.
///
/// # Errors
/// When the storage fails.
pub(crate) fn store(
    storage: &mut OperatorStorage,
    expected: Cursor,
    correction: &Correction,
) -> anyhow::Result<bool> {
    match storage.correct(expected, correction) {
        Ok(()) => Ok(true),
        Err(ChapterError::Stale) => Ok(false),
        Err(ChapterError::Store(error)) => Err(error.into()),
    }
}

/// A fold of all results, compared with what is stored.
struct Folded {
    cursor: Cursor,
    /// Whether results and ratings were read without a change between, and no erasure is half done.
    is_of_one_moment: bool,
    results: usize,
    rated: usize,
    ratings: usize,
    correction: Correction,
    /// The first differences, one line each.
    differences: Vec<String>,
}

impl Folded {
    fn of(storage: &OperatorStorage, rules: ScoreRules) -> anyhow::Result<Self> {
        let cursor = storage.chronicle_cursor()?;
        let mut fold = Fold {
            table: RatingTable::new(rules),
            ..Fold::default()
        };
        storage.each_result(&mut |stored| fold.add(&stored))?;
        let stored = storage.stored_ratings()?;
        let mut folded = Self {
            cursor,
            is_of_one_moment: storage.chronicle_cursor()? == cursor && !storage.is_erasing()?,
            results: fold.results,
            rated: fold.rated,
            ratings: 0,
            correction: Correction {
                changes: fold.changes,
                ..Correction::default()
            },
            differences: fold.differences,
        };
        let mut stored: BTreeMap<(String, String), Vec<u8>> = stored
            .into_iter()
            .map(|row| ((row.pool, row.identity), row.bytes))
            .collect();
        for row in fold.table.changed() {
            folded.ratings += 1;
            let key = (row.pool.to_string(), row.identity.clone());
            let stored = stored.remove(&key);
            let stored = stored.and_then(|bytes| PlayerRating::decode(&bytes).ok());
            if stored.as_ref() != Some(&row.rating) {
                folded.differ(|| format!("the rating of {} in {} differs", key.1, key.0));
                folded.correction.put.push(row);
            }
        }
        for (pool, identity) in stored.into_keys() {
            folded.differ(|| format!("no result leads to the rating of {identity} in {pool}"));
            let pool = Pool::try_from(pool).context("a rating is stored for no pool")?;
            folded.correction.remove.push((pool, identity));
        }
        Ok(folded)
    }

    fn differ(&mut self, line: impl FnOnce() -> String) {
        if self.differences.len() < LISTED {
            self.differences.push(line());
        }
    }

    /// The number of ratings and results that differ.
    fn wrong(&self) -> usize {
        let Correction {
            put,
            remove,
            changes,
            conduct: _,
        } = &self.correction;
        put.len() + remove.len() + changes.len()
    }

    fn report(&self, without_result: &[tilewire_protocol::GameId]) -> anyhow::Result<String> {
        let mut problems = String::new();
        for line in &self.differences {
            writeln!(problems, "  {line}")?;
        }
        let wrong = self.wrong();
        if wrong > self.differences.len() {
            writeln!(problems, "  and {} more", wrong - self.differences.len())?;
        }
        for game in without_result.iter().take(LISTED) {
            writeln!(problems, "  the finished game {game} has no result")?;
        }
        if without_result.len() > LISTED {
            writeln!(
                problems,
                "  nor have {} more",
                without_result.len() - LISTED
            )?;
        }
        if wrong > 0 {
            problems.push_str("tilewire-server ratings rebuild computes all ratings again\n");
        }
        if problems.is_empty() {
            return Ok(format!("{} are sound\n", self.counts()));
        }
        bail!("ratings and results are not sound:\n{problems}")
    }

    fn rebuilt(&self) -> String {
        format!("{}; {} were corrected\n", self.counts(), self.wrong())
    }

    fn counts(&self) -> String {
        format!(
            "{} ratings from {} rated games of {}",
            self.ratings, self.rated, self.results
        )
    }
}

/// The fold in progress.
#[derive(Default)]
struct Fold {
    table: RatingTable,
    results: usize,
    rated: usize,
    /// The changes that differ from the stored ones.
    changes: Vec<(u64, Vec<RatingChange>)>,
    differences: Vec<String>,
}

impl Fold {
    fn add(&mut self, stored: &StoredResult) {
        self.results += 1;
        let Some(game) = stored.result.rated_game() else {
            return;
        };
        self.rated += 1;
        let mut changes = self.table.rate(&game);
        for change in &mut changes {
            let identity = stored.result.identity_rated_as(&change.identity);
            change.identity = identity.to_owned();
        }
        if changes != stored.changes {
            if self.differences.len() < LISTED {
                let line = format!("the change of ratings by game {} differs", game.game);
                self.differences.push(line);
            }
            self.changes.push((stored.number, changes));
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
