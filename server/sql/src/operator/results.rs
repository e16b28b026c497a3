//! Results and ratings for the operator's commands.

use tilewire_people::pools::Pool;
use tilewire_protocol::GameId;

use super::OperatorStorage;
use crate::journal_reader::JournalReader;
use crate::{Connection, Result, conduct, in_one_change, results};
use tilewire_store::{
    ChapterError, ConductRow, Cursor, RatingChange, RatingRow, StoreError, StoredConduct,
    StoredResult,
};

/// Results that are read at once.
const RESULTS_AT_ONCE: usize = 1_000;

/// The corrections of a new fold of all results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Correction {
    /// The ratings that are new or different.
    pub put: Vec<RatingRow>,
    /// The ratings that no game leads to.
    pub remove: Vec<(Pool, String)>,
    /// The changes of each of these results, by its number.
    pub changes: Vec<(u64, Vec<RatingChange>)>,
    /// The conduct that is different.
    pub conduct: Vec<ConductRow>,
}

/// A rating as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRating {
    /// The pool.
    pub pool: String,
    /// The player.
    pub identity: String,
    /// The rating: [`encode`](tilewire_people::ratings::PlayerRating::encode).
    pub bytes: Vec<u8>,
}

/// The conduct of a player, with what the operator's commands need to compute it again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlayerConduct {
    /// The player.
    pub identity: String,
    /// As it is stored.
    pub stored: StoredConduct,
    /// The number of the newest result when a moderator forgave everything; 0 if that never happened. Results up to this
    /// number do not count.
    pub forgiven: u64,
}

impl OperatorStorage {
    /// Returns how far the chronicle has come.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn chronicle_cursor(&self) -> Result<Cursor, StoreError> {
        JournalReader::Results.cursor(&*self.connection)
    }

    /// Calls `each` for every result, in the order of their numbers.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn each_result(&self, each: &mut dyn FnMut(StoredResult)) -> Result<(), StoreError> {
        let db = &*self.connection;
        let mut read = || -> Result<()> {
            let (mut after, mut is_end) = (0, false);
            while !is_end {
                let page: Vec<StoredResult> = db
                    .prepare_cached(
                        "SELECT number, is_private, result FROM results WHERE number > ?1
                         ORDER BY number LIMIT ?2",
                    )?
                    .query_map((after, RESULTS_AT_ONCE), results::stored)?
                    .collect::<Result<_>>()?;
                is_end = page.len() < RESULTS_AT_ONCE;
                after = page.last().map_or(after, |last| last.number);
                for found in page {
                    each(results::with_changes(db, found)?);
                }
            }
            Ok(())
        };
        read().map_err(StoreError::from)
    }

    /// Returns all ratings in their stored form, in the order of pools and identities.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn stored_ratings(&self) -> Result<Vec<StoredRating>, StoreError> {
        let read = || -> Result<Vec<StoredRating>> {
            self.connection
                .prepare_cached(
                    "SELECT pool, identity, rating FROM ratings ORDER BY pool, identity",
                )?
                .query_map((), |row| {
                    Ok(StoredRating {
                        pool: row.get(0)?,
                        identity: row.get(1)?,
                        bytes: row.get(2)?,
                    })
                })?
                .collect()
        };
        read().map_err(StoreError::from)
    }

    /// Returns the conduct of all players who have one, in the order of their identities.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn stored_conduct(&self) -> Result<Vec<PlayerConduct>, StoreError> {
        conduct::of_everybody(&*self.connection).map_err(StoreError::from)
    }

    /// Returns the finished games without a result up to the cursor: their logs could not be read.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn without_result(&self) -> Result<Vec<GameId>, StoreError> {
        let read = || -> Result<Vec<GameId>> {
            self.connection
                .prepare_cached(
                    "SELECT games.game FROM games
                     JOIN records ON records.game = games.game AND records.seq = games.head
                     WHERE games.finished_at IS NOT NULL
                     AND records.arrival <= (SELECT arrival FROM chronicle)
                     AND NOT EXISTS (SELECT 1 FROM results WHERE results.game = games.game)
                     ORDER BY records.arrival",
                )?
                .query_map((), |row| row.get(0).map(GameId))?
                .collect()
        };
        read().map_err(StoreError::from)
    }

    /// Says whether results of a player have new names already and its ratings have not: the erasure of a player goes on.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn is_erasing(&self) -> Result<bool, StoreError> {
        self.connection
            .prepare_cached("SELECT EXISTS (SELECT 1 FROM erasures WHERE is_renaming = 1)")
            .and_then(|mut query| query.query_row((), |row| row.get(0)))
            .map_err(StoreError::from)
    }

    /// Stores a correction that was computed from the state at `expected`.
    ///
    /// # Errors
    /// When the cursor or the conduct of one of the players has changed since, or the storage fails.
    pub fn correct(
        &mut self,
        expected: Cursor,
        correction: &Correction,
    ) -> Result<(), ChapterError> {
        let stored = |db: &Connection| -> Result<bool> {
            let is_current = conduct::is_current(db, &correction.conduct)?
                && JournalReader::Results.advance(db, expected, expected.arrival)?;
            if is_current {
                put(db, correction)?;
            }
            Ok(is_current)
        };
        let done = in_one_change(&*self.connection, stored, |is_made| *is_made);
        match done.map_err(StoreError::from)? {
            true => Ok(()),
            false => Err(ChapterError::Stale),
        }
    }
}

fn put(db: &Connection, correction: &Correction) -> Result<()> {
    for row in &correction.put {
        results::put_rating(db, row)?;
    }
    let mut delete = db.prepare_cached("DELETE FROM ratings WHERE pool = ?1 AND identity = ?2")?;
    for (pool, identity) in &correction.remove {
        delete.execute((pool.to_string(), identity))?;
    }
    for (number, changes) in &correction.changes {
        results::put_changes(db, *number, changes)?;
    }
    conduct::write(db, &correction.conduct, &[])
}
