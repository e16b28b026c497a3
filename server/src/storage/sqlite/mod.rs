//! The storage on one machine: SQLite in the data directory.
//!
//! One thread writes and commits whatever waits together (`writer`); others read, each with a connection of its own
//! (`reader`), and one transfers the log into the database (`transfer`). Write-ahead log, `synchronous=FULL`: a commit is
//! on the disk when it returns.
//!
//! A commit that fails for any reason but a full disk or a busy database leaves it unknown what is on the disk, and the
//! page cache cannot be trusted any more: the process ends with [`EXIT_STORAGE`], and the next one reads what is there.

mod archive;
mod changes;
mod contracts;
mod credentials;
mod data_dir;
mod engine;
mod inspect;
#[cfg(test)]
mod log_tests;
mod mark;
mod reader;
mod rows;
mod schema;
mod sleepers;
#[cfg(test)]
mod tests;
mod transfer;
mod writer;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension};

pub use archive::{Archive, ArchiveError, restore};
pub use credentials::{Credentials, KeyEntry, Keyring, KeyringError, TokenKey};

use super::{AppendError, StoreError};
use crate::config::{Retention, StorageConfig};
use changes::{Change, Done, Prune};
use data_dir::DataDir;
use engine::Engine;
use mark::Mark;
use reader::Readers;
use transfer::Transfer;
use writer::Writer;

/// Exit code of a process that ends because the storage cannot be trusted any more (`EX_SOFTWARE` of sysexits).
pub const EXIT_STORAGE: i32 = 70;

/// Threads that read.
const READERS: usize = 2;

/// A page of a new database. Whole pages go to the disk, and an append touches one of its game's entry and one of the
/// index of records, with little on them that changes: small ones write less.
const PAGE_BYTES: u32 = 1_024;

/// Why the storage cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The data directory cannot be used.
    #[error("cannot use the data directory {}: {source}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Another server uses the data directory.
    #[error(
        "another server is using the data directory {}; stop it, or name another with --data-dir",
        path.display()
    )]
    InUse {
        /// The directory.
        path: PathBuf,
    },
    /// A newer program wrote the database.
    #[error(
        "the database was written by a newer version of this program (schema {found}; this program knows up to {known}): \
         start that version, or restore a backup from before the upgrade"
    )]
    NewerSchema {
        /// Version of the database's schema.
        found: usize,
        /// Newest version this program knows.
        known: usize,
    },
    /// The database cannot be brought to this program's version.
    #[error("cannot migrate the database: {0}")]
    Migration(#[from] rusqlite_migration::Error),
    /// The database is damaged.
    #[error(
        "the database {} is damaged: {problem}. It was left as it is: restore a backup into another directory \
         (tilewire-server restore FILE --data-dir NEW-DIR), and see what else is wrong with this one \
         (tilewire-server check)",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        problem: String,
    },
    /// The database does not know what was acknowledged.
    #[error(
        "the database has lost what was acknowledged: {what}. Its write-ahead log (tilewire.sqlite-wal) may be missing, \
         cut or damaged, or an older copy took its place; it was left as it is. Put the missing file back, or restore a \
         backup into another directory (tilewire-server restore FILE --data-dir NEW-DIR). To go on without what is \
         lost, remove {}",
        mark.display()
    )]
    Lost {
        /// What it should know.
        what: String,
        /// The file that says so.
        mark: PathBuf,
    },
    /// The database cannot be used.
    #[error("cannot use the database: {0}")]
    Database(#[from] rusqlite::Error),
    /// What is stored cannot be understood.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A thread cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
}

/// The storage of one server. Dropping it waits until what it was asked is done.
#[derive(Debug)]
pub struct Storage {
    /// Before the writer, whose connection is to be closed last: that removes the write-ahead log.
    readers: Readers,
    writer: Writer,
    found: Credentials,
    last_stamp: Option<i64>,
}

impl Storage {
    /// Opens the storage in `dir`; makes it if there is none. `now` is the server's time, unix ms.
    ///
    /// # Errors
    /// Says what is in the way, such as another server that uses the directory.
    pub fn open(dir: &Path, config: &StorageConfig, now: i64) -> Result<Self, OpenError> {
        Self::open_with(dir, config, now, |connection| {
            Engine::new(connection, config)
        })
    }

    fn open_with(
        dir: &Path,
        config: &StorageConfig,
        now: i64,
        engine: impl FnOnce(Connection) -> Engine,
    ) -> Result<Self, OpenError> {
        let dir = DataDir::open(dir)?;
        let noted = inspect::inspect(&dir, config)?;
        let mark = Mark::open(dir.path(), noted).map_err(|source| OpenError::Directory {
            path: dir.path().to_owned(),
            source,
        })?;
        let has_log = dir.has_log();
        let mut connection = connect(&dir.database(), config)?;
        keep_pages(&connection, config)?;
        schema::migrate(&mut connection)?;
        credentials::ensure_key(&connection, now)?;
        let found = credentials::credentials(&connection)?;
        let last_stamp = connection
            .query_row("SELECT at FROM liveness", [], |row| row.get(0))
            .optional()?;
        let mut readers = Vec::with_capacity(READERS);
        for _ in 0..READERS {
            let reader = connect(&dir.database(), config)?;
            reader.pragma_update(None, "query_only", true)?;
            readers.push(reader);
        }
        let readers = Readers::start(readers, config.read_queue).map_err(OpenError::Thread)?;
        let transfer = Transfer::start(connect(&dir.database(), config)?, &dir.database())
            .map_err(OpenError::Thread)?;
        let mut engine = engine(connection).marking(mark).transferring(transfer);
        if has_log {
            engine = engine.owing_a_transfer();
        }
        let writer = Writer::start(engine, dir, config).map_err(OpenError::Thread)?;
        Ok(Self {
            readers,
            writer,
            found,
            last_stamp,
        })
    }

    /// Returns the keys of tokens as they were when the storage was opened: the newest signs, all of them verify. Never
    /// empty.
    #[must_use]
    pub fn token_keys(&self) -> &[TokenKey] {
        &self.found.keys
    }

    /// Returns what tokens were judged by when the storage was opened.
    #[must_use]
    pub const fn found_credentials(&self) -> &Credentials {
        &self.found
    }

    /// Returns what tokens are judged by.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn credentials(&self) -> Result<Credentials, StoreError> {
        self.readers.read(credentials::credentials).await
    }

    /// Returns how often keys or revocations have been changed: [`Credentials::version`].
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn credential_changes(&self) -> Result<u64, StoreError> {
        self.readers.read(credentials::version).await
    }

    /// Returns the last moment (unix ms) at which the process before this one is known to have run, as it was found when
    /// the storage was opened; `None` for a new one.
    #[must_use]
    pub const fn last_stamp(&self) -> Option<i64> {
        self.last_stamp
    }

    /// Notes that the server runs at `now` (unix ms).
    ///
    /// # Errors
    /// When the storage does not take it.
    pub async fn stamp(&self, now: i64) -> Result<(), StoreError> {
        self.write(Change::Stamp(now)).await
    }

    /// Removes what is kept no longer at `now`, in small steps between which others get their turn. Returns the number
    /// of games removed.
    ///
    /// # Errors
    /// When the storage does not take it; some may be removed then.
    pub async fn prune(&self, now: i64, retention: &Retention) -> Result<usize, StoreError> {
        let mut games = 0;
        loop {
            let change = Change::Prune(Prune::new(now, retention));
            match self.writer.write(change).await {
                Ok(Done::Pruned(pruned)) => {
                    games += pruned.games;
                    if pruned.is_all {
                        return Ok(games);
                    }
                }
                Ok(Done::Stored | Done::Conflict { .. }) => return Ok(games),
                Err(error) => return Err(store_error(error)),
            }
        }
    }

    /// Finishes what was asked and closes the database; what is asked later is unavailable. The data directory can be
    /// opened again when this returns, and its database file alone is a complete copy.
    pub async fn close(&self) {
        self.readers.close().await; // the log can be transferred as a whole only when nobody reads it
        self.writer.close().await;
    }

    /// Returns what is wrong with the storage if the last write failed; the storage tries again with the next one.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.writer.health().trouble()
    }

    /// Returns how full the queue of changes is, percent.
    #[must_use]
    pub fn fullness(&self) -> u32 {
        self.writer.fullness()
    }

    async fn append_change(&self, change: Change) -> Result<(), AppendError> {
        match self.writer.write(change).await? {
            Done::Stored | Done::Pruned(_) => Ok(()),
            Done::Conflict { head } => Err(AppendError::Conflict { head }),
        }
    }

    async fn write(&self, change: Change) -> Result<(), StoreError> {
        self.append_change(change).await.map_err(store_error)
    }
}

/// Returns an error for callers to whom it is all one whether something was stored.
fn store_error(error: AppendError) -> StoreError {
    match error {
        AppendError::Conflict { head } => {
            StoreError::Unavailable(format!("the log ends at {head}"))
        }
        AppendError::Unavailable(why) | AppendError::OutcomeUnknown(why) => {
            StoreError::Unavailable(why)
        }
    }
}

/// Gives the writer room for the pages that the changes of a batch touch: what has no room is written twice. But not much
/// more, for after a split of pages SQLite looks through all that are kept, at the next commit.
fn keep_pages(connection: &Connection, config: &StorageConfig) -> Result<(), OpenError> {
    let kib = i64::from(config.cache_mib) * 1024;
    connection.pragma_update(None, "cache_size", -kib)?; // SQLite takes a negative number for KiB
    Ok(())
}

fn connect(path: &Path, config: &StorageConfig) -> Result<Connection, OpenError> {
    let connection = Connection::open(path)?;
    let busy_ms = u64::try_from(config.busy_timeout_ms).unwrap_or(0);
    connection.busy_timeout(Duration::from_millis(busy_ms))?;
    connection.pragma_update(None, "page_size", PAGE_BYTES)?; // one that is there keeps its own
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    // The log is transferred by a thread of its own (`transfer`), where an error of the disk is seen.
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}
