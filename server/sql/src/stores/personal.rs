//! Exports and erasures.

use futures::FutureExt;
use tilewire_protocol::GameId;
use tilewire_rules::time::Timestamp;

use crate::changes::{Change, Done};
use crate::{SqlStorage, erasure, personal_rows};
use tilewire_store::{
    AppendError, Erasure, ErasureChange, PersonalRows, PersonalStore, Progress, StoreFuture,
};

impl PersonalStore for SqlStorage {
    fn personal<'a>(
        &'a self,
        identity: &'a str,
        table: usize,
        skip: usize,
        most: usize,
    ) -> StoreFuture<'a, Option<PersonalRows>> {
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
    ) -> StoreFuture<'a, Vec<GameId>> {
        let (identity, behind) = (identity.to_owned(), behind.cloned());
        self.access
            .read(move |connection| {
                personal_rows::games(connection, &identity, behind.as_ref(), most)
            })
            .boxed()
    }

    fn erasure<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Option<Erasure>> {
        let identity = identity.to_owned();
        self.access
            .read(move |connection| erasure::of(connection, &identity))
            .boxed()
    }

    fn due_erasures(&self, now: Timestamp, most: usize) -> StoreFuture<'_, Vec<Erasure>> {
        self.access
            .read(move |connection| erasure::due(connection, now, most))
            .boxed()
    }

    fn lines_of<'a>(
        &'a self,
        identity: &'a str,
        most: usize,
    ) -> StoreFuture<'a, Vec<(String, u64)>> {
        let identity = identity.to_owned();
        self.access
            .read(move |connection| erasure::lines(connection, &identity, most))
            .boxed()
    }

    fn erase(&self, change: ErasureChange) -> StoreFuture<'_, Progress> {
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
