//! Exports and erasures.

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_protocol::GameId;
use tilewire_rules::time::Timestamp;

use crate::changes::{Change, Done};
use crate::{SqlStorage, erasure, personal_rows};
use tilewire_store::{
    AppendError, Erasure, ErasureChange, PersonalRows, PersonalStore, Progress, StoreError,
};

impl PersonalStore for SqlStorage {
    fn personal<'a>(
        &'a self,
        identity: &'a str,
        table: usize,
        skip: usize,
        most: usize,
    ) -> BoxFuture<'a, Result<Option<PersonalRows>, StoreError>> {
        let identity = identity.to_owned();
        self.access
            .read(move |connection| personal_rows::rows(connection, &identity, table, skip, most))
            .boxed()
    }

    fn games_of<'a>(
        &'a self,
        identity: &'a str,
        behind: Option<&'a GameId>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<GameId>, StoreError>> {
        let (identity, behind) = (identity.to_owned(), behind.cloned());
        self.access
            .read(move |connection| {
                personal_rows::games(connection, &identity, behind.as_ref(), most)
            })
            .boxed()
    }

    fn erasure<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Option<Erasure>, StoreError>> {
        let identity = identity.to_owned();
        self.access
            .read(move |connection| erasure::of(connection, &identity))
            .boxed()
    }

    fn due_erasures(
        &self,
        now: Timestamp,
        most: usize,
    ) -> BoxFuture<'_, Result<Vec<Erasure>, StoreError>> {
        self.access
            .read(move |connection| erasure::due(connection, now, most))
            .boxed()
    }

    fn lines_of<'a>(
        &'a self,
        identity: &'a str,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<(String, u64)>, StoreError>> {
        let identity = identity.to_owned();
        self.access
            .read(move |connection| erasure::lines(connection, &identity, most))
            .boxed()
    }

    fn erase(&self, change: ErasureChange) -> BoxFuture<'_, Result<Progress, StoreError>> {
        async {
            let done = self.access.write(Change::Erasure(change)).await;
            match done.map_err(AppendError::into_store_error)? {
                Done::Erased(progress) => Ok(progress),
                _ => Ok(Progress::Unchanged),
            }
        }
        .boxed()
    }
}
