//! Results and ratings for the operator's commands, in SQLite.

use rusqlite::{Connection, Result, TransactionBehavior};
use tilewire_protocol::GameId;

use super::accounts::from_row;
use super::reader::from_sqlite;
use super::{SqliteKeyring, conduct, results};
use crate::storage::{
    ChapterError, Correction, Cursor, PlayerConduct, ResultBook, StoreError, StoredRating,
    StoredResult,
};

impl ResultBook for SqliteKeyring {
    fn cursor(&self) -> std::result::Result<Cursor, StoreError> {
        results::cursor(&self.connection)
    }

    fn each_result(
        &self,
        each: &mut dyn FnMut(StoredResult),
    ) -> std::result::Result<(), StoreError> {
        let db = &self.connection;
        let mut read = || -> Result<()> {
            let mut query =
                db.prepare("SELECT number, is_private, result FROM results ORDER BY number")?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                each(results::with_changes(db, results::stored(row)?)?);
            }
            Ok(())
        };
        read().map_err(from_row)
    }

    fn stored_ratings(&self) -> std::result::Result<Vec<StoredRating>, StoreError> {
        let read = || -> Result<Vec<StoredRating>> {
            self.connection
                .prepare("SELECT pool, identity, rating FROM ratings ORDER BY pool, identity")?
                .query_map([], |row| {
                    Ok(StoredRating {
                        pool: row.get(0)?,
                        identity: row.get(1)?,
                        bytes: row.get(2)?,
                    })
                })?
                .collect()
        };
        read().map_err(from_sqlite)
    }

    fn stored_conduct(&self) -> std::result::Result<Vec<PlayerConduct>, StoreError> {
        conduct::of_everybody(&self.connection).map_err(from_sqlite)
    }

    fn without_result(&self) -> std::result::Result<Vec<GameId>, StoreError> {
        let read = || -> Result<Vec<GameId>> {
            self.connection
                .prepare(
                    "SELECT games.game FROM games
                     JOIN records ON records.game = games.game AND records.seq = games.head
                     WHERE games.finished_at IS NOT NULL
                     AND records.arrival <= (SELECT arrival FROM chronicle)
                     AND NOT EXISTS (SELECT 1 FROM results WHERE results.game = games.game)
                     ORDER BY records.arrival",
                )?
                .query_map([], |row| row.get(0).map(GameId))?
                .collect()
        };
        read().map_err(from_sqlite)
    }

    fn is_erasing(&self) -> std::result::Result<bool, StoreError> {
        self.connection
            .query_row(
                "SELECT EXISTS (SELECT 1 FROM erasures WHERE is_renaming = 1)",
                [],
                |row| row.get(0),
            )
            .map_err(from_sqlite)
    }

    fn correct(
        &mut self,
        expected: Cursor,
        correction: Correction,
    ) -> std::result::Result<(), ChapterError> {
        let mut stored = || -> Result<bool> {
            let transaction = self
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)?;
            let is_current = conduct::is_current(&transaction, &correction.conduct)?
                && results::advance(&transaction, expected, expected.arrival)?;
            if is_current {
                put(&transaction, &correction)?;
                transaction.commit()?;
            }
            Ok(is_current)
        };
        match stored().map_err(from_sqlite)? {
            true => Ok(()),
            false => Err(ChapterError::Stale),
        }
    }
}

fn put(db: &Connection, correction: &Correction) -> Result<()> {
    for row in &correction.put {
        results::put_rating(db, row)?;
    }
    let mut delete = db.prepare("DELETE FROM ratings WHERE pool = ?1 AND identity = ?2")?;
    for (pool, identity) in &correction.remove {
        delete.execute((pool.to_string(), identity))?;
    }
    for (number, changes) in &correction.changes {
        results::put_changes(db, *number, changes)?;
    }
    conduct::write(db, &correction.conduct, &[])
}
