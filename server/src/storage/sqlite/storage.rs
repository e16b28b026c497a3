//! The storage of one server: one writing connection and several reading ones.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::Connection;
use tilewire_rules::time::Timestamp;
use tokio::sync::Notify;

use super::changes::{Change, Done};
use super::checkpoint::Checkpointer;
use super::data_dir::DataDir;
use super::engine::Engine;
use super::high_water::HighWaterFile;
use super::prune::Prune;
use super::reader::Readers;
use super::{OpenError, PAGE_BYTES, connection, credentials, inspect, push_impls, schema, scrub};
use crate::config::{Retention, StorageConfig};
use crate::storage::write_queue::WriteQueue;
use crate::storage::{
    AccountChange, AccountError, AppendError, Chapter, ChapterError, ModerationError,
    RelationChange, RelationError, Removed, StoreError,
};

/// Threads that read.
const READERS: usize = 2;

/// The storage of one server. Dropping it waits until what it was asked is done.
#[derive(Debug)]
pub struct SqliteStorage {
    /// Before the writer, whose connection is to be closed last: that removes the write-ahead log.
    pub(super) readers: Readers,
    pub(super) writer: WriteQueue<Change, Done>,
    /// Told after a commit that ended a game.
    pub(super) ended: Arc<Notify>,
    /// The data directory.
    pub(super) directory: PathBuf,
}

impl SqliteStorage {
    /// Opens the storage in `dir`; makes it if there is none. `now` is the server's time.
    ///
    /// # Errors
    /// Says what is in the way, such as another server that uses the directory.
    pub fn open(dir: &Path, config: &StorageConfig, now: Timestamp) -> Result<Self, OpenError> {
        Self::open_with(dir, config, now, |connection| {
            Engine::new(connection, config)
        })
    }

    pub(super) fn open_with(
        dir: &Path,
        config: &StorageConfig,
        now: Timestamp,
        engine: impl FnOnce(Connection) -> Engine,
    ) -> Result<Self, OpenError> {
        let dir = DataDir::open(dir)?;
        let mark = inspect::inspect(&dir, config)?;
        let high_water =
            HighWaterFile::open(dir.path(), mark).map_err(|source| OpenError::Directory {
                path: dir.path().to_owned(),
                source,
            })?;
        let has_log = dir.has_log();
        let directory = dir.path().to_owned();
        let mut connection = connect(&dir.database(), config)?;
        keep_pages(&connection, config)?;
        schema::migrate(&mut connection)?;
        scrub::rewrite_at_start(&connection, &dir.database(), config)?;
        credentials::ensure_key(&connection, now)?;
        push_impls::ensure_key(&connection, now)?;
        let mut readers = Vec::with_capacity(READERS);
        for _ in 0..READERS {
            let reader = connect(&dir.database(), config)?;
            reader.pragma_update(None, "query_only", true)?;
            readers.push(reader);
        }
        let readers = Readers::start(readers, config.read_queue).map_err(OpenError::Thread)?;
        let checkpointer = Checkpointer::start(connect(&dir.database(), config)?, &dir.database())
            .map_err(OpenError::Thread)?;
        let ended = Arc::<Notify>::default();
        let mut engine = engine(connection)
            .telling(Arc::clone(&ended))
            .locking(dir)
            .marking(high_water)
            .checkpointing(checkpointer);
        if has_log {
            engine = engine.owing_a_checkpoint();
        }
        let writer =
            WriteQueue::start(engine, config.queue, config.batch).map_err(OpenError::Thread)?;
        Ok(Self {
            readers,
            writer,
            ended,
            directory,
        })
    }

    /// Removes what is kept no longer, step by step.
    pub(super) async fn prune_all(
        &self,
        now: Timestamp,
        retention: &Retention,
    ) -> Result<Removed, StoreError> {
        let mut removed = Removed::default();
        let mut step = Some(Prune::new(now, retention));
        while let Some(prune) = step {
            let done = self.writer.write(Change::Prune(prune)).await;
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

    pub(super) async fn append_change(&self, change: Change) -> Result<(), AppendError> {
        match self.writer.write(change).await? {
            Done::Conflict { head } => Err(AppendError::Conflict { head }),
            _ => Ok(()),
        }
    }

    pub(super) async fn apply_change(&self, change: AccountChange) -> Result<(), AccountError> {
        let done = self.writer.write(Change::Account(Box::new(change))).await;
        match done.map_err(AppendError::into_store_error)? {
            Done::Stale => Err(AccountError::Stale),
            Done::HandleTaken => Err(AccountError::HandleTaken),
            Done::MailTaken => Err(AccountError::MailTaken),
            _ => Ok(()),
        }
    }

    pub(super) async fn write_relation(&self, change: RelationChange) -> Result<(), RelationError> {
        let done = self.writer.write(Change::Relation(change)).await;
        match done.map_err(AppendError::into_store_error)? {
            Done::Refused(refusal) => Err(refusal.into()),
            _ => Ok(()),
        }
    }

    pub(super) async fn write_chapter(&self, chapter: Chapter) -> Result<(), ChapterError> {
        let change = Change::Chapter(Box::new(chapter.into()));
        let done = self.writer.write(change).await;
        match done.map_err(AppendError::into_store_error)? {
            Done::Stale => Err(ChapterError::Stale),
            _ => Ok(()),
        }
    }

    /// Stores a report or an act of a moderator; returns its number.
    pub(super) async fn write_numbered(&self, change: Change) -> Result<u64, ModerationError> {
        let done = self.writer.write(change).await;
        numbered(done.map_err(AppendError::into_store_error)?)
    }

    pub(super) async fn write(&self, change: Change) -> Result<(), StoreError> {
        let stored = self.append_change(change).await;
        stored.map_err(AppendError::into_store_error)
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

/// Gives the writer room for the pages that the changes of a batch touch: what has no room is written twice. But not much
/// more, for after a split of pages SQLite looks through all that are kept, at the next commit.
fn keep_pages(connection: &Connection, config: &StorageConfig) -> Result<(), OpenError> {
    let kib = i64::from(config.cache_mib) * 1024;
    connection.pragma_update(None, "cache_size", -kib)?; // SQLite takes a negative number for KiB
    Ok(())
}

pub(super) fn connect(path: &Path, config: &StorageConfig) -> Result<Connection, OpenError> {
    let connection = connection::open(path)?;
    connection.busy_timeout(config.busy_timeout_ms.to_duration())?;
    connection.pragma_update(None, "page_size", PAGE_BYTES)?; // one that is there keeps its own
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    // A thread of its own checkpoints the log (`checkpoint`) and sees the errors of the disk.
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}
