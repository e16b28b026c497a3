//! Results and ratings for the operator's commands.

use tilewire_protocol::GameId;

use super::journal_place::JournalPlace;
use super::{Connection, Result, SqlBook, conduct, in_one_change, results};
use tilewire_store::{
    ChapterError, Correction, Cursor, PlayerConduct, ResultBook, StoreError, StoredRating,
    StoredResult,
};

/// Results that are read at once.
const RESULTS_AT_ONCE: usize = 1_000;

impl ResultBook for SqlBook {
    fn cursor(&self) -> std::result::Result<Cursor, StoreError> {
        JournalPlace::Results.cursor(&*self.connection)
    }

    fn each_result(
        &self,
        each: &mut dyn FnMut(StoredResult),
    ) -> std::result::Result<(), StoreError> {
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

    fn stored_ratings(&self) -> std::result::Result<Vec<StoredRating>, StoreError> {
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

    fn stored_conduct(&self) -> std::result::Result<Vec<PlayerConduct>, StoreError> {
        conduct::of_everybody(&*self.connection).map_err(StoreError::from)
    }

    fn without_result(&self) -> std::result::Result<Vec<GameId>, StoreError> {
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

    fn is_erasing(&self) -> std::result::Result<bool, StoreError> {
        self.connection
            .prepare_cached("SELECT EXISTS (SELECT 1 FROM erasures WHERE is_renaming = 1)")
            .and_then(|mut query| query.query_row((), |row| row.get(0)))
            .map_err(StoreError::from)
    }

    fn correct(
        &mut self,
        expected: Cursor,
        correction: Correction,
    ) -> std::result::Result<(), ChapterError> {
        let stored = |db: &Connection| -> Result<bool> {
            let is_current = conduct::is_current(db, &correction.conduct)?
                && JournalPlace::Results.advance(db, expected, expected.arrival)?;
            if is_current {
                put(db, &correction)?;
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
