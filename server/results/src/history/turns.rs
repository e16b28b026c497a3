//! The turns of all rated games, which boards of averages are computed from.

use std::sync::{PoisonError, RwLock};

use tilewire_people::leaderboards::{AverageLine, Span, TurnTable};
use tilewire_people::pools::Pool;
use tilewire_rules::time::Timestamp;
use tokio::sync::Mutex;

use tilewire_store::{ResultStore, StoreError};

/// Results that are read at once: other readers of the storage get their turn between.
const RESULTS: u64 = 2_000;

/// The counted seats of the results up to a number. Results never change, so only newer ones are read.
#[derive(Debug, Default)]
pub(super) struct Turns {
    /// The number of the last result in the table. One request reads newer ones, and others wait for it.
    until: Mutex<u64>,
    table: RwLock<TurnTable>,
}

impl Turns {
    /// Adds the results that are new.
    ///
    /// # Errors
    /// When the storage does not answer; what was read stays.
    pub(super) async fn follow(
        &self,
        store: &dyn ResultStore,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut until = self.until.lock().await;
        loop {
            let part = store.counted_seats(*until, RESULTS).await?;
            let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
            for (pool, seats) in part.pools {
                table.add(now, pool, seats);
            }
            *until = part.until;
            if part.is_end {
                return Ok(());
            }
        }
    }

    /// Forgets everything: a player is erased, and has other names in the results from now on.
    pub(super) async fn forget(&self) {
        let mut until = self.until.lock().await;
        *until = 0;
        *self.table.write().unwrap_or_else(PoisonError::into_inner) = TurnTable::default();
    }

    /// Returns the mean of a pool and the first `most` lines of its board. With many players this takes milliseconds.
    pub(super) fn board(
        &self,
        pool: &Pool,
        span: Span,
        now: Timestamp,
        most: usize,
    ) -> (f64, Vec<AverageLine>) {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        table.board(pool, span, now, most)
    }
}
