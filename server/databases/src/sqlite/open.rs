//! Opens the storage in a data directory.

use std::path::Path;
use std::sync::Arc;

use tilewire_rules::time::Timestamp;
use tokio::sync::Notify;

use super::checkpoint::Checkpointer;
use super::data_dir::DataDir;
use super::engine::Engine;
use super::high_water::HighWaterFile;
use super::{PAGE_BYTES, connection, inspect, scrub};
use tilewire_config::StorageConfig;
use tilewire_sql::access::{Access, Threads};
use tilewire_sql::files::LOG;
use tilewire_sql::open_error::OpenError;
use tilewire_sql::readers::Readers;
use tilewire_sql::schema;
use tilewire_sql::write_queue::WriteQueue;
use tilewire_sql::{Connection, SqlStorage, credentials, push_keys};

/// Threads that read.
const READERS: usize = 2;

/// Opens the storage in `dir`; makes it if there is none. `now` is the server's time.
///
/// # Errors
/// Names the obstacle, such as another server that uses the directory.
pub fn open(dir: &Path, config: &StorageConfig, now: Timestamp) -> Result<SqlStorage, OpenError> {
    open_with(dir, config, now, |connection| {
        Engine::new(connection, config)
    })
}

pub(super) fn open_with(
    dir: &Path,
    config: &StorageConfig,
    now: Timestamp,
    engine: impl FnOnce(rusqlite::Connection) -> Engine,
) -> Result<SqlStorage, OpenError> {
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
    push_keys::ensure_key(&connection, now)?;
    let mut readers: Vec<Box<Connection>> = Vec::with_capacity(READERS);
    for _ in 0..READERS {
        let reader = connect(&dir.database(), config)?;
        reader.pragma_update(None, "query_only", true)?;
        readers.push(Box::new(reader));
    }
    let readers = Readers::start(readers, config.read_queue).map_err(OpenError::Thread)?;
    let checkpointer = Checkpointer::start(connect(&dir.database(), config)?, &dir.database())
        .map_err(OpenError::Thread)?;
    let ended = Arc::<Notify>::default();
    let log = dir.path().join(LOG);
    let mut engine = engine(connection)
        .telling(Arc::clone(&ended))
        .locking(dir)
        .marking(high_water)
        .checkpointing(checkpointer, log);
    if has_log {
        engine = engine.owing_a_checkpoint();
    }
    let writer =
        WriteQueue::start(engine, config.queue, config.batch).map_err(OpenError::Thread)?;
    Ok(SqlStorage {
        access: Access::Threads(Threads { readers, writer }),
        ended,
        is_unsettled: Arc::default(),
        directory: Some(directory),
        terms: None,
        horizon: None,
    })
}

/// Gives the writer room for the pages that the changes of a batch touch: what has no room is written twice. But not much
/// more, for after a split of pages SQLite looks through all that are kept, at the next commit.
fn keep_pages(connection: &rusqlite::Connection, config: &StorageConfig) -> Result<(), OpenError> {
    let kib = i64::from(config.cache_mib) * 1024;
    connection.pragma_update(None, "cache_size", -kib)?; // SQLite takes a negative number for KiB
    Ok(())
}

pub(super) fn connect(
    path: &Path,
    config: &StorageConfig,
) -> Result<rusqlite::Connection, OpenError> {
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
