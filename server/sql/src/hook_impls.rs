//! The contracts of webhooks.

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_rules::time::Timestamp;

use super::access::Occasion;
use super::changes::{Change, Done};
use super::journal_place::JournalPlace;
use super::letter_pages::{self, Games};
use super::{Connection, Result, SqlStorage, hooks};
use tilewire_store::{
    AccountNews, AppendError, Arrival, ChapterError, Cursor, HookCount, HookFate, HookKey,
    HookPage, HookStore, StoreError, StoredHook, TurnedPage,
};

type Stored<T> = std::result::Result<T, StoreError>;

/// A change of the outbox of webhooks.
#[derive(Debug)]
pub enum HookChange {
    /// The server begins with these webhooks.
    Begin(Vec<String>),
    /// Events.
    Page(Box<HookPage>),
    /// The fate of an event.
    Settle(HookKey, HookFate),
    /// Events from before a time go away, and failed ones beyond a number.
    Prune(Timestamp, u64),
}

impl HookChange {
    pub(super) fn apply(&self, db: &Connection) -> Result<Done> {
        match self {
            Self::Begin(targets) => hooks::begin(db, targets),
            Self::Page(page) => hooks::write(db, page),
            Self::Settle(key, fate) => hooks::settle(db, key, *fate),
            Self::Prune(before, kept) => hooks::prune(db, *before, *kept),
        }
    }
}

impl SqlStorage {
    async fn write_hook(&self, change: HookChange) -> Stored<Done> {
        let done = self.access.write(Change::Hook(change)).await;
        done.map_err(AppendError::into_store_error)
    }
}

impl HookStore for SqlStorage {
    fn begin_hooks(&self, targets: Vec<String>) -> BoxFuture<'_, Stored<()>> {
        let begin = self.write_hook(HookChange::Begin(targets));
        async { begin.await.map(drop) }.boxed()
    }

    fn hook_cursor(&self) -> BoxFuture<'_, Stored<Cursor>> {
        self.access
            .read_on(Occasion::Glance, |db| JournalPlace::Hooks.cursor(db))
            .boxed()
    }

    fn changed_games(&self, after: Arrival, rows: usize) -> BoxFuture<'_, Stored<TurnedPage>> {
        async move {
            let last = self.final_arrival().await?;
            let read =
                move |db: &Connection| letter_pages::turned(db, (after, last), rows, Games::All);
            let is_nothing = |page: &TurnedPage| page.until == after;
            self.access.poll(Occasion::Follow, is_nothing, read).await
        }
        .boxed()
    }

    fn account_news(&self, limit: usize) -> BoxFuture<'_, Stored<Vec<AccountNews>>> {
        self.access
            .poll(Occasion::Poll, Vec::is_empty, move |db| {
                hooks::news(db, limit)
            })
            .boxed()
    }

    fn write_hooks(&self, page: HookPage) -> BoxFuture<'_, std::result::Result<u64, ChapterError>> {
        let write = self.write_hook(HookChange::Page(Box::new(page)));
        async {
            match write.await? {
                Done::Numbered(pushed_out) => Ok(pushed_out),
                _ => Err(ChapterError::Stale),
            }
        }
        .boxed()
    }

    fn hooks_due<'a>(
        &'a self,
        target: &'a str,
        now: Timestamp,
        limit: usize,
    ) -> BoxFuture<'a, Stored<Vec<StoredHook>>> {
        let target = target.to_owned();
        self.access
            .poll(Occasion::Poll, Vec::is_empty, move |db| {
                hooks::due(db, &target, now, limit)
            })
            .boxed()
    }

    fn settle_hook(&self, key: HookKey, fate: HookFate) -> BoxFuture<'_, Stored<()>> {
        let settle = self.write_hook(HookChange::Settle(key, fate));
        async { settle.await.map(drop) }.boxed()
    }

    fn prune_hooks(&self, before: Timestamp, kept: u64) -> BoxFuture<'_, Stored<()>> {
        let prune = self.write_hook(HookChange::Prune(before, kept));
        async { prune.await.map(drop) }.boxed()
    }

    fn hook_counts(&self, now: Timestamp) -> BoxFuture<'_, Stored<Vec<HookCount>>> {
        self.access
            .read_on(Occasion::Glance, move |db| hooks::counts(db, now))
            .boxed()
    }
}
