//! A game's rows as they are in the database, and the game they say.
//!
//! Reading and making sense are two steps: a thread that reads hands over what it has found, and the records are made by
//! whoever folds them and lets go of them. What one thread takes from the heap and another gives back costs twice.

use rusqlite::{Connection, OptionalExtension};
use tilewire_rules::event::Record;

use super::reader::from_sqlite;
use crate::storage::{GameMeta, RecordRow, StoreError, StoredGame};

/// What is stored of a game.
#[derive(Debug)]
pub(super) struct Rows {
    meta: GameMeta,
    /// `seq` of the last record.
    head: u64,
    is_finished: bool,
    rows: Vec<RecordRow>,
}

impl Rows {
    /// Reads what is stored of a game.
    pub(super) fn of(db: &Connection, game: &str) -> Result<Option<Self>, StoreError> {
        let read = || -> rusqlite::Result<_> {
            let rows = without_log(db, game)?;
            rows.map(|rows| rows.with_log(db)).transpose()
        };
        read().map_err(from_sqlite)
    }

    fn with_log(mut self, db: &Connection) -> rusqlite::Result<Self> {
        let mut query =
            db.prepare_cached("SELECT seq, record FROM records WHERE game = ?1 ORDER BY seq")?;
        let mut rows = query.query([&self.meta.game])?;
        while let Some(row) = rows.next()? {
            self.rows.push(RecordRow {
                last: row.get(0)?,
                bytes: row.get_ref(1)?.as_blob()?.into(),
            });
        }
        Ok(self)
    }

    /// Returns the game.
    ///
    /// # Errors
    /// When they are not the rows of a game.
    pub(super) fn game(self) -> Result<StoredGame, StoreError> {
        let records = self.records().map_err(StoreError::Corrupt)?;
        Ok(StoredGame {
            meta: self.meta,
            records,
            rows: self.rows,
            is_finished: self.is_finished,
        })
    }

    fn records(&self) -> Result<Vec<Record>, String> {
        let game = &self.meta.game;
        let mut records = Vec::with_capacity(usize::try_from(self.head).unwrap_or(0).min(1_024));
        for row in &self.rows {
            let last = row.last;
            let read = row.records();
            let read =
                read.map_err(|error| format!("records of game {game} up to {last}: {error}"));
            for record in read? {
                if u64::try_from(records.len() + 1) != Ok(record.seq.0) {
                    let seq = record.seq.0;
                    return Err(format!("record {seq} of game {game} is out of place"));
                }
                records.push(record);
            }
            if u64::try_from(records.len()) != Ok(last) {
                let found = records.len();
                return Err(format!(
                    "record {last} of game {game} is missing after {found}"
                ));
            }
        }
        if u64::try_from(records.len()) != Ok(self.head) {
            let (head, found) = (self.head, records.len());
            return Err(format!(
                "game {game} should have {head} records, {found} are there"
            ));
        }
        Ok(records)
    }
}

fn without_log(db: &Connection, game: &str) -> rusqlite::Result<Option<Rows>> {
    let players: Vec<String> = db
        .prepare_cached("SELECT identity FROM seats WHERE game = ?1 ORDER BY seat")?
        .query_map([game], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let read = |row: &rusqlite::Row<'_>| {
        let meta = GameMeta {
            game: game.to_owned(),
            epoch: row.get(0)?,
            rule_set: row.get(1)?,
            private_code: row.get(2)?,
            players,
            created_at: row.get(3)?,
        };
        Ok(Rows {
            meta,
            head: row.get(4)?,
            is_finished: row.get(5)?,
            rows: Vec::new(),
        })
    };
    db.prepare_cached(
        "SELECT epoch, rule_set, private_code, created_at, head, finished_at IS NOT NULL
         FROM games WHERE game = ?1",
    )?
    .query_row([game], read)
    .optional()
}
