//! Follows and blocks.

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_people::relations::Relation;

use crate::access::Occasion;
use crate::{SqlStorage, relations};
use tilewire_store::{RelationChange, RelationError, RelationStore, Relations, StoreFuture};

impl RelationStore for SqlStorage {
    fn relations<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Relations> {
        let identity = identity.to_owned();
        self.access
            .read(move |connection| relations::relations(connection, &identity))
            .boxed()
    }

    fn relation<'a>(&'a self, identity: &'a str, other: &'a str) -> StoreFuture<'a, Relation> {
        let (identity, other) = (identity.to_owned(), other.to_owned());
        self.access
            .read(move |connection| relations::relation(connection, &identity, &other))
            .boxed()
    }

    fn blocks(&self) -> StoreFuture<'_, Vec<(String, String)>> {
        self.access
            .read_on(Occasion::Start, relations::blocks)
            .boxed()
    }

    fn follows(&self) -> StoreFuture<'_, Vec<(String, String)>> {
        self.access
            .read_on(Occasion::Start, relations::follows)
            .boxed()
    }

    fn relate(&self, change: RelationChange) -> BoxFuture<'_, Result<(), RelationError>> {
        self.write_relation(change).boxed()
    }
}
