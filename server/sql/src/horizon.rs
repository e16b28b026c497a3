//! Up to which record the order of arrival is final, while several servers write.
//!
//! A record gets its place before its transaction commits, so a later place can be seen before an earlier one. A reader that
//! went on to the later one would miss the earlier one for ever. The database numbers transactions too, and gives a record
//! its place after the number of its transaction. So once every transaction with a number below that of a moment has ended,
//! all records with places up to the last one before that moment are there, or will never be.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use crate as sql;
use crate::{Connection, SqlStorage};
use tilewire_store::{Arrival, StoreError};

/// Moments that wait for the end of transactions. Beyond, no moment is added until one of them has passed.
const WAITING: usize = 64;

/// The last place, and the number of the next transaction at a moment after it was read.
#[derive(Debug, Clone, Copy)]
struct Mark {
    last: u64,
    next_transaction: i64,
}

/// Up to which record the order of arrival is final.
#[derive(Debug, Default)]
pub struct Horizon(Mutex<Marks>);

#[derive(Debug, Default)]
struct Marks {
    last_final: u64,
    waiting: VecDeque<Mark>,
}

impl Horizon {
    /// Adds a moment at which `oldest` was the first transaction that had not ended. Returns the last place that is final.
    fn note(&self, mark: Mark, oldest: i64) -> Arrival {
        let mut marks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if marks.waiting.len() < WAITING {
            marks.waiting.push_back(mark);
        }
        let mut last = marks.last_final;
        marks.waiting.retain(|mark| {
            let is_final = mark.next_transaction <= oldest;
            if is_final {
                last = last.max(mark.last);
            }
            !is_final
        });
        marks.last_final = last;
        Arrival(last)
    }
}

impl SqlStorage {
    /// Returns the last record up to which the journal can be read in the order of arrival.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub(crate) async fn final_arrival(&self) -> Result<Arrival, StoreError> {
        let Some(horizon) = &self.horizon else {
            // One connection writes.
            return Ok(Arrival(i64::MAX.cast_unsigned()));
        };
        // One after the other: the place has to be read before the transactions.
        let last = self
            .access
            .read(|db| last_place(db).map_err(StoreError::from))
            .await?;
        let (oldest, next_transaction) = self
            .access
            .read(|db| transactions(db).map_err(StoreError::from))
            .await?;
        let mark = Mark {
            last,
            next_transaction,
        };
        Ok(horizon.note(mark, oldest))
    }
}

fn last_place(db: &Connection) -> sql::Result<u64> {
    db.prepare_cached("SELECT last_value FROM records_arrival_seq")?
        .query_row((), |row| row.get(0))
}

/// Reads the number of the first transaction that has not ended, and that of the next one.
fn transactions(db: &Connection) -> sql::Result<(i64, i64)> {
    db.prepare_cached(
        "SELECT CAST(CAST(pg_snapshot_xmin(now) AS TEXT) AS BIGINT), CAST(CAST(pg_snapshot_xmax(now) AS TEXT) AS BIGINT)
         FROM pg_current_snapshot() AS now",
    )?
    .query_row((), |row| Ok((row.get(0)?, row.get(1)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_final_when_the_transactions_before_it_have_ended() {
        let horizon = Horizon::default();
        let note = |last, next_transaction, oldest| {
            let mark = Mark {
                last,
                next_transaction,
            };
            horizon.note(mark, oldest).0
        };
        assert_eq!(note(10, 100, 100), 10, "nothing is open");
        assert_eq!(note(12, 103, 101), 10, "101 or 102 may still store 11");
        assert_eq!(note(15, 105, 102), 10);
        assert_eq!(note(17, 106, 103), 12, "those before 103 have ended");
        assert_eq!(note(17, 106, 106), 17);
        for at in 0..200_i32 {
            assert_eq!(
                note(
                    20 + u64::from(at.unsigned_abs()),
                    i64::from(1_000 + at),
                    107
                ),
                17,
                "an old transaction is open"
            );
        }
        assert!(horizon.0.lock().unwrap().waiting.len() <= WAITING);
        assert!(note(500, 2_000, 2_000) >= 20);
    }
}
