//! How often a registration reads the account.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::BoxFuture;
use tilewire_people::accounts::{Account, Holder};
use tilewire_people::handles::HandleKey;
use tilewire_people::vacations::Vacations;
use tilewire_rules::time::Timestamp;

use super::tests::Fixture;
use tilewire_store::{
    AccountChange, AccountError, AccountStore, IdentityRow, Storage, StoreFuture, StoredAccount,
    StoredSession, VacationChange,
};

/// A storage that counts the reads of an account by its identity.
#[derive(Debug)]
struct Counting {
    storage: Arc<dyn Storage>,
    reads: AtomicUsize,
}

impl AccountStore for Counting {
    fn identity<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Option<IdentityRow>> {
        self.storage.identity(identity)
    }

    fn put_identity(&self, row: IdentityRow) -> StoreFuture<'_, ()> {
        self.storage.put_identity(row)
    }

    fn account<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Option<StoredAccount>> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.storage.account(identity)
    }

    fn account_of<'a>(&'a self, handle: &'a HandleKey) -> StoreFuture<'a, Option<StoredAccount>> {
        self.storage.account_of(handle)
    }

    fn search<'a>(&'a self, start: &'a HandleKey, most: usize) -> StoreFuture<'a, Vec<Account>> {
        self.storage.search(start, most)
    }

    fn holders<'a>(&'a self, key: &'a HandleKey) -> StoreFuture<'a, Vec<Holder>> {
        self.storage.holders(key)
    }

    fn without_chat(&self) -> StoreFuture<'_, Vec<String>> {
        self.storage.without_chat()
    }

    fn session<'a>(&'a self, family: &'a str) -> StoreFuture<'a, Option<StoredSession>> {
        self.storage.session(family)
    }

    fn session_used<'a>(&'a self, family: &'a str, at: Timestamp) -> StoreFuture<'a, ()> {
        self.storage.session_used(family, at)
    }

    fn apply(&self, change: AccountChange) -> BoxFuture<'_, Result<(), AccountError>> {
        self.storage.apply(change)
    }

    fn vacations<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Vacations> {
        self.storage.vacations(identity)
    }

    fn vacations_to_apply(&self, most: usize) -> StoreFuture<'_, Vec<(String, Vacations)>> {
        self.storage.vacations_to_apply(most)
    }

    fn change_vacations(&self, change: VacationChange) -> StoreFuture<'_, bool> {
        self.storage.change_vacations(change)
    }
}

#[tokio::test]
async fn a_registration_reads_the_account_once() {
    let mut all = Fixture::new(|_| {}).await;
    let counting = Arc::new(Counting {
        storage: Arc::clone(&all.storage),
        reads: AtomicUsize::new(0),
    });
    all.people.parts.store = Arc::clone(&counting) as _;
    all.player("Anna").await;
    assert_eq!(counting.reads.load(Ordering::Relaxed), 1);
}
