//! Reads the rows of a game, and makes the game from them.
//!
//! These are two steps on two threads. A reading thread returns the rows; the caller decodes them. Records are freed by
//! the caller, and memory that one thread allocates and another frees costs twice as much.

use tilewire_protocol::GameId;
use tilewire_rules::event::Record;
use tilewire_rules::time::{Millis, Timestamp};

use super::{Connection, OptionalExtension, Result, Row};
use tilewire_store::{GameMeta, LogTail, RecordRow, StoreError, StoredGame};

/// The rows of a game.
#[derive(Debug)]
pub struct Rows {
    meta: GameMeta,
    /// `seq` of the last record.
    head: u64,
    is_finished: bool,
    /// The lost time that a sleeping game knows of.
    lost_ms: Option<Millis>,
    /// The log from record 1 on, or its end.
    rows: Vec<RecordRow>,
}

/// The columns of a game, in the database of a server.
const CURRENT: &str =
    "SELECT epoch, rule_set, private_code, created_at, head, finished_at IS NOT NULL, lost_ms
     FROM games WHERE game = ?1";
/// The same in a database of any schema, as the operator's commands read it: they do not wake games.
const OF_ANY_SCHEMA: &str =
    "SELECT epoch, rule_set, private_code, created_at, head, finished_at IS NOT NULL, NULL
     FROM games WHERE game = ?1";

impl Rows {
    /// Reads all rows of a game from a database of any schema.
    pub fn of_any_schema(db: &Connection, game: &GameId) -> Result<Option<Self>, StoreError> {
        Self::read(db, OF_ANY_SCHEMA, game, 0)
    }

    /// Reads all rows of a game.
    pub fn of(db: &Connection, game: &GameId) -> Result<Option<Self>, StoreError> {
        Self::behind(db, game, 0)
    }

    /// Reads the rows of a game with records behind `after`. The first row may hold earlier records too.
    pub(crate) fn behind(
        db: &Connection,
        game: &GameId,
        after: u64,
    ) -> Result<Option<Self>, StoreError> {
        Self::read(db, CURRENT, game, after)
    }

    fn read(
        db: &Connection,
        columns: &str,
        game: &GameId,
        after: u64,
    ) -> Result<Option<Self>, StoreError> {
        let read = || -> Result<_> {
            let rows = without_log(db, columns, game)?;
            rows.map(|rows| rows.with_log(db, after)).transpose()
        };
        read().map_err(StoreError::from)
    }

    fn with_log(mut self, db: &Connection, after: u64) -> Result<Self> {
        let mut query = db.prepare_cached(
            "SELECT seq, record FROM records WHERE game = ?1 AND seq > ?2 ORDER BY seq",
        )?;
        let mut rows = query.query((self.meta.game.as_str(), after))?;
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
    /// When the rows are not the complete log of a game.
    pub fn game(self) -> Result<StoredGame, StoreError> {
        let records = self.records(0).map_err(StoreError::Corrupt)?;
        Ok(StoredGame {
            meta: self.meta,
            records,
            rows: self.rows,
            is_finished: self.is_finished,
            lost_ms: self.lost_ms,
        })
    }

    /// Returns the records behind `after`, of rows that were read with [`Rows::behind`].
    ///
    /// # Errors
    /// When the rows are not the end of the log of a game.
    pub(crate) fn tail(self, after: u64) -> Result<LogTail, StoreError> {
        Ok(LogTail {
            records: self.records(after).map_err(StoreError::Corrupt)?,
            is_finished: self.is_finished,
        })
    }

    /// Decodes the records behind `after` and checks that none is missing up to the head.
    fn records(&self, after: u64) -> Result<Vec<Record>, String> {
        let game = &self.meta.game;
        let expected = self.head.saturating_sub(after);
        let mut records = Vec::with_capacity(usize::try_from(expected).unwrap_or(0).min(1_024));
        let mut head = after;
        for row in &self.rows {
            let last = row.last;
            let read = row.records();
            let read =
                read.map_err(|error| format!("records of game {game} up to {last}: {error}"))?;
            for record in read.into_iter().filter(|record| record.seq.0 > after) {
                if record.seq.0 != head + 1 {
                    let seq = record.seq.0;
                    return Err(format!("record {seq} of game {game} is out of place"));
                }
                head += 1;
                records.push(record);
            }
            if head != last {
                return Err(format!(
                    "record {last} of game {game} is missing after {head}"
                ));
            }
        }
        if head < self.head {
            let known = self.head;
            return Err(format!(
                "game {game} should have {known} records, {head} are there"
            ));
        }
        Ok(records)
    }
}

fn without_log(db: &Connection, columns: &str, game: &GameId) -> Result<Option<Rows>> {
    let players: Vec<String> = db
        .prepare_cached("SELECT identity FROM seats WHERE game = ?1 ORDER BY seat")?
        .query_map([game.as_str()], |row| row.get(0))?
        .collect::<Result<_>>()?;
    let read = |row: &Row<'_>| {
        let meta = GameMeta {
            game: game.clone(),
            epoch: row.get(0)?,
            rule_set: row.get(1)?,
            private_code: row.get(2)?,
            players,
            created_at: Timestamp(row.get(3)?),
        };
        Ok(Rows {
            meta,
            head: row.get(4)?,
            is_finished: row.get(5)?,
            lost_ms: row.get::<_, Option<i64>>(6)?.map(Millis),
            rows: Vec::new(),
        })
    };
    db.prepare_cached(columns)?
        .query_row([game.as_str()], read)
        .optional()
}
