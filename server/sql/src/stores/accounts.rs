//! Accounts.

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_people::accounts::{Account, Holder};
use tilewire_people::handles::HandleKey;
use tilewire_people::vacations::Vacations;
use tilewire_rules::time::Timestamp;

use crate::access::Occasion;
use crate::changes::{Change, Done};
use crate::{SqlStorage, accounts, readers, vacations};
use tilewire_store::{
    AccountChange, AccountError, AccountStore, AppendError, IdentityRow, StoreFuture,
    StoredAccount, StoredSession, VacationChange,
};

impl AccountStore for SqlStorage {
    fn identity<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Option<IdentityRow>> {
        let identity = identity.to_owned();
        self.access
            .read(move |connection| readers::identity(connection, &identity))
            .boxed()
    }

    fn put_identity(&self, row: IdentityRow) -> StoreFuture<'_, ()> {
        self.write(Change::Identity(row)).boxed()
    }

    fn account<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Option<StoredAccount>> {
        let identity = identity.to_owned();
        self.access
            .read(move |connection| accounts::account(connection, &identity))
            .boxed()
    }

    fn account_of<'a>(&'a self, handle: &'a HandleKey) -> StoreFuture<'a, Option<StoredAccount>> {
        let handle = handle.clone();
        self.access
            .read(move |connection| accounts::account_of(connection, &handle))
            .boxed()
    }

    fn search<'a>(&'a self, start: &'a HandleKey, most: usize) -> StoreFuture<'a, Vec<Account>> {
        let start = start.clone();
        self.access
            .read(move |connection| accounts::search(connection, &start, most))
            .boxed()
    }

    fn holders<'a>(&'a self, key: &'a HandleKey) -> StoreFuture<'a, Vec<Holder>> {
        let key = key.clone();
        self.access
            .read(move |connection| accounts::holders(connection, &key))
            .boxed()
    }

    fn without_chat(&self) -> StoreFuture<'_, Vec<String>> {
        self.access
            .read_on(Occasion::Start, accounts::without_chat)
            .boxed()
    }

    fn session<'a>(&'a self, family: &'a str) -> StoreFuture<'a, Option<StoredSession>> {
        let family = family.to_owned();
        self.access
            .read(move |connection| accounts::session(connection, &family))
            .boxed()
    }

    fn session_used<'a>(&'a self, family: &'a str, at: Timestamp) -> StoreFuture<'a, ()> {
        let change = Change::SessionUsed(family.to_owned(), at);
        self.write(change).boxed()
    }

    fn apply(&self, change: AccountChange) -> BoxFuture<'_, Result<(), AccountError>> {
        self.apply_change(change).boxed()
    }

    fn vacations<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Vacations> {
        let identity = identity.to_owned();
        self.access
            .read(move |db| vacations::of(db, &identity))
            .boxed()
    }

    fn vacations_to_apply(&self, most: usize) -> StoreFuture<'_, Vec<(String, Vacations)>> {
        self.access
            .poll(Occasion::Poll, Vec::is_empty, move |db| {
                vacations::to_apply(db, most)
            })
            .boxed()
    }

    fn change_vacations(&self, change: VacationChange) -> StoreFuture<'_, bool> {
        async {
            let done = self.access.write(Change::Vacation(Box::new(change))).await;
            Ok(done.map_err(AppendError::into_store_error)? == Done::Stored)
        }
        .boxed()
    }
}
