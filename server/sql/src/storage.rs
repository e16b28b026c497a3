//! The storage of one server: one writing connection and several reading ones.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_rules::time::Timestamp;
use tokio::sync::Notify;

use super::access::{Access, Occasion};
use super::changes::{Change, Done};
use super::prune::Prune;
use crate::horizon::Horizon;
use crate::{credentials, readers};
use tilewire_base::queue_level::QueueLevel;
use tilewire_config::Retention;
use tilewire_store::{
    AccountChange, AccountError, AppendError, Chapter, ChapterError, Credentials, Liveness,
    ModerationError, RelationChange, RelationError, Removed, Stamp, Storage, StorageSizes,
    StoreError, StoreFuture, Terms,
};

/// The storage of one server. Dropping it waits until what it was asked is done.
#[derive(Debug)]
pub struct SqlStorage {
    /// The way to the database.
    pub access: Access,
    /// Told after a commit that ended a game.
    pub ended: Arc<Notify>,
    /// Whether a change of an earlier group may still be stored after its caller was told that its outcome is unknown.
    pub is_unsettled: Arc<AtomicBool>,
    /// The data directory, if the database is in it.
    pub directory: Option<PathBuf>,
    /// The parts that this server owns; `None` in a database that only one server can use.
    pub terms: Option<Arc<Terms>>,
    /// Up to where the order of arrival is final; `None` if one connection writes.
    pub horizon: Option<Horizon>,
}

impl SqlStorage {
    /// Waits until the outcome of every change is known.
    pub(super) async fn settle(&self) -> Result<(), StoreError> {
        if !self.is_unsettled.load(Ordering::Acquire) {
            return Ok(());
        }
        self.write(Change::Settle).await
    }

    pub(super) async fn append_change(&self, mut change: Change) -> Result<(), AppendError> {
        if let Some(terms) = &self.terms
            && let Some(part) = change.part()
        {
            let term = terms.of(part).ok_or(AppendError::Fenced)?;
            change.own(part, term);
        }
        match self.access.write(change).await? {
            Done::Conflict { head } => Err(AppendError::Conflict { head }),
            _ => Ok(()),
        }
    }

    pub(super) async fn apply_change(&self, change: AccountChange) -> Result<(), AccountError> {
        let done = self.access.write(Change::Account(Box::new(change))).await;
        account_outcome(done.map_err(AppendError::into_store_error)?)
    }

    pub(super) async fn write_relation(&self, change: RelationChange) -> Result<(), RelationError> {
        let done = self.access.write(Change::Relation(change)).await;
        match done.map_err(AppendError::into_store_error)? {
            Done::Refused(refusal) => Err(refusal.into()),
            _ => Ok(()),
        }
    }

    pub(super) async fn write_chapter(&self, chapter: Chapter) -> Result<(), ChapterError> {
        let change = Change::Chapter(Box::new(chapter.into()));
        let done = self.access.write(change).await;
        match done.map_err(AppendError::into_store_error)? {
            Done::Stale => Err(ChapterError::Stale),
            _ => Ok(()),
        }
    }

    /// Stores a report or an act of a moderator; returns its number.
    pub(super) async fn write_numbered(&self, change: Change) -> Result<u64, ModerationError> {
        let done = self.access.write(change).await;
        numbered(done.map_err(AppendError::into_store_error)?)
    }

    pub(super) async fn write(&self, change: Change) -> Result<(), StoreError> {
        let stored = self.append_change(change).await;
        stored.map_err(AppendError::into_store_error)
    }
}

impl Storage for SqlStorage {
    fn credentials(&self) -> StoreFuture<'_, Credentials> {
        self.access
            .read_on(Occasion::Start, credentials::credentials)
            .boxed()
    }

    fn credential_changes(&self) -> StoreFuture<'_, u64> {
        self.access.read(credentials::version).boxed()
    }

    fn liveness(&self) -> StoreFuture<'_, Liveness> {
        self.access.read(readers::liveness).boxed()
    }

    fn jumped(&self, at: Timestamp) -> StoreFuture<'_, ()> {
        self.write(Change::Jump(at)).boxed()
    }

    fn stamp(&self, stamp: Stamp) -> StoreFuture<'_, ()> {
        self.write(Change::Stamp(stamp)).boxed()
    }

    fn prune<'a>(&'a self, now: Timestamp, retention: &'a Retention) -> StoreFuture<'a, Removed> {
        async move {
            let mut removed = Removed::default();
            let mut step = Some(Prune::new(now, retention));
            while let Some(prune) = step {
                let done = self.access.write(Change::Prune(prune)).await;
                step = match done.map_err(AppendError::into_store_error)? {
                    Done::Pruned(pruned) => {
                        removed += pruned.removed;
                        prune.next(pruned)
                    }
                    _ => None,
                };
            }
            Ok(removed)
        }
        .boxed()
    }

    fn trouble(&self) -> Option<String> {
        self.access.trouble()
    }

    fn level(&self) -> QueueLevel {
        self.access.level()
    }

    fn sizes(&self) -> StorageSizes {
        let directory = self.directory.as_deref();
        directory.map(crate::files::sizes).unwrap_or_default()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        self.access.close().boxed()
    }
}

/// Returns the number of a report or an act of a moderator, or why it was not stored.
pub(super) fn numbered(done: Done) -> Result<u64, ModerationError> {
    match done {
        Done::Numbered(number) => Ok(number),
        Done::TooManyReports(until) => Err(ModerationError::TooManyReports(until)),
        Done::Stale => Err(ModerationError::Stale),
        Done::HandleTaken => Err(ModerationError::HandleTaken),
        _ => Err(ModerationError::NoChange),
    }
}

/// Returns why a change of an account was not stored, if it was not.
pub(super) fn account_outcome(done: Done) -> Result<(), AccountError> {
    match done {
        Done::Stale => Err(AccountError::Stale),
        Done::HandleTaken => Err(AccountError::HandleTaken),
        Done::MailTaken => Err(AccountError::MailTaken),
        _ => Ok(()),
    }
}
