//! The embedded storage: one SQLite database in the data directory.
//!
//! One thread writes ([`writer`]): it puts everything that waits into one transaction, so that many games share one
//! `fsync`, with a savepoint around each so that one game's trouble is nobody else's. Reads have a connection of their
//! own; WAL lets them go on beside the writer.

mod reader;
mod schema;
mod writer;

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rusqlite::Connection;
use tilewire_rules::event::Record;
use tokio::sync::oneshot;

use super::{
    Append, AppendError, GameMeta, IdentityRow, IdentityStore, Journal, LobbyChange, LobbyStore, StoreError,
    StoredGame, StoredLobby,
};
use crate::ids;
use futures::future::BoxFuture;
pub use writer::Fatal;
use writer::{Job, Writer};

/// Name of the database in the data directory.
const DATABASE: &str = "tilewire.db";
/// Name of the file whose lock says that a server runs on the data directory.
const LOCK: &str = "lock";
/// The version of the encoding of records, in front of each.
const RECORD_VERSION: u8 = 1;

/// Why the storage could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process uses it.
    #[error("another server runs on {0}")]
    InUse(PathBuf),
    /// The directory or a file in it cannot be used.
    #[error("{path}: {error}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It was written by a later release.
    #[error("the database is of a later release (its tables are version {found}, this release knows {known})")]
    Newer {
        /// Version found.
        found: usize,
        /// Latest version this release knows.
        known: usize,
    },
    /// Its tables could not be brought to this release.
    #[error("the database could not be migrated: {0}")]
    Migration(String),
    /// SQLite refuses.
    #[error("the database cannot be opened: {0}")]
    Sqlite(#[from] rusqlite::Error),
}

/// Bounds of the storage.
#[derive(Debug, Clone, Copy)]
pub struct StorageBounds {
    /// Jobs that may wait for the writer; more are refused as unavailable.
    pub queue: usize,
    /// Jobs in one transaction at most.
    pub batch: usize,
}

/// The embedded storage. Cheap to clone; the last clone closes it.
#[derive(Debug, Clone)]
pub struct Storage {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    writer: Writer,
    reader: Arc<Mutex<Connection>>,
    token_key: [u8; 32],
    last_stamp: Option<i64>,
    /// Held as long as the storage is open.
    _lock: File,
}

impl Storage {
    /// Opens the storage in `directory`, making it if it is not there. `fatal` is called when the disk can no longer be
    /// trusted; it must not return to business.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(directory: &Path, bounds: StorageBounds, fatal: Fatal) -> Result<Self, OpenError> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |error| OpenError::File { path, error }
        };
        make_private_directory(directory).map_err(at(directory))?;
        let lock_path = directory.join(LOCK);
        let lock = File::create(&lock_path).map_err(at(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(OpenError::InUse(directory.to_owned())),
            Err(TryLockError::Error(error)) => return Err(at(&lock_path)(error)),
        }
        let path = directory.join(DATABASE);
        let mut connection = connect(&path)?;
        make_private(&path).map_err(at(&path))?;
        schema::migrate(&mut connection)?;
        let token_key = token_key(&connection)?;
        let last_stamp = read_meta(&connection, "alive_at")?;
        let reader = connect(&path)?;
        Ok(Self {
            inner: Arc::new(Inner {
                writer: Writer::start(connection, bounds, fatal),
                reader: Arc::new(Mutex::new(reader)),
                token_key,
                last_stamp,
                _lock: lock,
            }),
        })
    }

    /// Returns the key that signs guests' tokens; made once, kept for the life of the database.
    #[must_use]
    pub fn token_key(&self) -> [u8; 32] {
        self.inner.token_key
    }

    /// Returns the last moment (unix ms) the process before this one is known to have run.
    #[must_use]
    pub fn last_stamp(&self) -> Option<i64> {
        self.inner.last_stamp
    }

    /// Notes that the process runs at `now` (unix ms).
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn stamp(&self, now: i64) -> Result<(), StoreError> {
        self.store(|answer| Job::Stamp { now, answer }).await
    }

    /// Deletes some finished games that ended before `finished_before` and seek commands older than
    /// `commands_before` (unix ms); returns how many games went. Call again until it returns 0.
    ///
    /// # Errors
    /// When it could not be done.
    pub async fn prune(&self, finished_before: Option<i64>, commands_before: i64) -> Result<usize, StoreError> {
        self.store(|answer| Job::Prune { finished_before, commands_before, answer }).await
    }

    /// Stores what waits and stops the writer. Everything after this is unavailable.
    pub async fn close(&self) {
        let inner = Arc::clone(&self.inner);
        // Joining blocks until the last transaction is on disk.
        tokio::task::spawn_blocking(move || inner.writer.stop()).await.ok();
    }

    async fn store<T>(
        &self,
        job: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> Job,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.inner.writer.submit(job(answer)).map_err(|_| busy())?;
        answered.await.unwrap_or_else(|_| Err(StoreError::Unavailable("the writer has stopped".to_owned())))
    }

    async fn append_job(
        &self,
        job: impl FnOnce(oneshot::Sender<Result<(), AppendError>>) -> Job,
    ) -> Result<(), AppendError> {
        let (answer, answered) = oneshot::channel();
        if self.inner.writer.submit(job(answer)).is_err() {
            return Err(AppendError::Unavailable("the writer has too much to do".to_owned()));
        }
        let lost = |_| Err(AppendError::OutcomeUnknown("the writer has stopped".to_owned()));
        answered.await.unwrap_or_else(lost)
    }

    async fn read<T: Send + 'static>(
        &self,
        query: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let reader = Arc::clone(&self.inner.reader);
        let read = tokio::task::spawn_blocking(move || {
            let mut connection = reader.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            query(&mut connection)
        });
        read.await.unwrap_or_else(|error| Err(StoreError::Unavailable(error.to_string())))
    }
}

impl Journal for Storage {
    fn create(&self, meta: GameMeta, first: Record) -> BoxFuture<'_, Result<(), AppendError>> {
        Box::pin(self.append_job(|answer| Job::Create { meta, first: encode(&first), answer }))
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<(), AppendError>> {
        let records = append.records.iter().map(encode).collect();
        let ended_at = append.records.last().filter(|_| append.is_finished).map(|record| record.at.0);
        Box::pin(self.append_job(move |answer| Job::Append {
            game: append.game,
            after: append.after,
            records,
            ended_at,
            answer,
        }))
    }

    fn load<'a>(&'a self, game: &'a str) -> BoxFuture<'a, Result<Option<StoredGame>, StoreError>> {
        let game = game.to_owned();
        Box::pin(self.read(move |connection| reader::game(connection, &game)))
    }

    fn unfinished(&self) -> BoxFuture<'_, Result<Vec<String>, StoreError>> {
        Box::pin(self.read(|connection| reader::unfinished(connection)))
    }

    fn unfinished_of<'a>(&'a self, identity: &'a str) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        let identity = identity.to_owned();
        Box::pin(self.read(move |connection| reader::unfinished_of(connection, &identity)))
    }
}

impl LobbyStore for Storage {
    fn load_lobby(&self, since: i64) -> BoxFuture<'_, Result<StoredLobby, StoreError>> {
        Box::pin(self.read(move |connection| reader::lobby(connection, since)))
    }

    fn commit_lobby(&self, change: LobbyChange) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(self.store(|answer| Job::Lobby { change, answer }))
    }
}

impl IdentityStore for Storage {
    fn find_identity<'a>(&'a self, identity: &'a str) -> BoxFuture<'a, Result<Option<IdentityRow>, StoreError>> {
        let identity = identity.to_owned();
        Box::pin(self.read(move |connection| reader::identity(connection, &identity)))
    }

    fn put_identity(&self, row: IdentityRow) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(self.store(|answer| Job::Identity { row, answer }))
    }
}

fn busy() -> StoreError {
    StoreError::Unavailable("the writer has too much to do".to_owned())
}

/// A record as bytes: the version, then MessagePack with field names.
fn encode(record: &Record) -> Vec<u8> {
    let mut bytes = vec![RECORD_VERSION];
    rmp_serde::encode::write_named(&mut bytes, record).expect("a record can always be written to memory");
    bytes
}

fn connect(path: &Path) -> Result<Connection, OpenError> {
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // In WAL mode FULL syncs the log at every commit: a committed move survives a power cut.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    connection.pragma_update(None, "busy_timeout", 5_000)?;
    Ok(connection)
}

fn token_key(connection: &Connection) -> Result<[u8; 32], OpenError> {
    let fresh = ids::random::<32>();
    connection.execute("INSERT OR IGNORE INTO meta (key, value) VALUES ('token_key', ?1)", [fresh])?;
    Ok(connection.query_row("SELECT value FROM meta WHERE key = 'token_key'", [], |row| row.get(0))?)
}

fn read_meta(connection: &Connection, key: &str) -> Result<Option<i64>, OpenError> {
    use rusqlite::OptionalExtension;
    Ok(connection.query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0)).optional()?)
}

#[cfg(unix)]
fn make_private_directory(directory: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

#[cfg(not(unix))]
fn make_private_directory(directory: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(directory)
}

#[cfg(unix)]
fn make_private(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn make_private(_path: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests;
