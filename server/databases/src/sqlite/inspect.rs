//! Looks at what is in the data directory before anything is written there.
//!
//! Invariant: a database that is refused is left as it was found, its write-ahead log included, so that people can still
//! get out of it what is in it.

use std::io::Read;
use std::path::Path;
use std::{fs, io};

use rusqlite::Connection;

use super::connection;
use super::data_dir::DataDir;
use super::high_water::{self, HighWaterMark};
use tilewire_config::StorageConfig;
use tilewire_sql::archive::problem_of_account;
use tilewire_sql::files::DATABASE;
use tilewire_sql::open_error::OpenError;
use tilewire_sql::open_error::said_by_sqlite;
use tilewire_sql::schema;

/// Bytes of a mebibyte.
const MIB: u64 = 1024 * 1024;

/// Bytes of a file that are read at once where all of it is.
const READ_AT_ONCE: usize = 256 * 1024;

/// Checks the database, if there is one, and returns how far its log is known to go.
pub(super) fn inspect(dir: &DataDir, config: &StorageConfig) -> Result<HighWaterMark, OpenError> {
    let refused = |source| OpenError::Directory {
        path: dir.path().to_owned(),
        source,
    };
    let noted = HighWaterMark::read(dir.path()).map_err(refused)?;
    let path = dir.database();
    let bytes = fs::metadata(&path).map_err(refused)?.len();
    if bytes == 0 && noted == HighWaterMark::default() {
        return Ok(noted);
    }
    let damaged = |error: rusqlite::Error| said_by_sqlite(&path, error);
    let db = connection::open_read_only(&path).map_err(damaged)?;
    schema::version(&db, &path)?;
    if bytes / MIB < config.check_at_start_mib {
        read_through(&path).map_err(refused)?;
        db.pragma_update(None, "mmap_size", bytes)
            .map_err(damaged)?;
        if let Some(problem) = problem_of_content(&db).map_err(damaged)? {
            return Err(OpenError::Damaged { path, problem });
        }
    } else {
        tracing::info!(
            mib = bytes / MIB,
            "the database is larger than storage.check_at_start_mib; its pages are checked by tilewire-server check"
        );
    }
    refuse_loss(&noted, &db, dir.path())?;
    Ok(noted)
}

/// Reads a file from its beginning to its end. A check of mapped pages takes two thirds of the time it takes to ask for each
/// of them, but where one cannot be read the process would get a signal in place of an error: it gets the error here.
fn read_through(path: &Path) -> io::Result<()> {
    let mut file = fs::File::open(path)?;
    let mut piece = vec![0; READ_AT_ONCE];
    while file.read(&mut piece)? > 0 {}
    Ok(())
}

/// Refuses a database that does not know what is noted.
pub(super) fn refuse_loss(
    noted: &HighWaterMark,
    db: &Connection,
    dir: &Path,
) -> Result<(), OpenError> {
    match noted.missing_from(db) {
        Ok(None) => Ok(()),
        Ok(Some(what)) => Err(OpenError::Lost {
            what,
            mark: high_water::path(dir),
        }),
        Err(error) => Err(said_by_sqlite(&dir.join(DATABASE), error)),
    }
}

/// Returns a problem of the pages of a database or of an account in it, if there is one. Games are checked one by one: one that cannot
/// be read harms no other.
pub(super) fn problem_of_content(db: &Connection) -> rusqlite::Result<Option<String>> {
    let said: String = db.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if said != "ok" {
        return Ok(Some(said));
    }
    if !db.table_exists(None, "accounts")? {
        return Ok(None); // a database without a schema
    }
    let mut accounts = db.prepare("SELECT identity, account FROM accounts")?;
    let mut rows = accounts.query([])?;
    while let Some(row) = rows.next()? {
        let (identity, account): (String, Vec<u8>) = (row.get(0)?, row.get(1)?);
        if let Some(problem) = problem_of_account(&identity, &account) {
            return Ok(Some(problem));
        }
    }
    Ok(None)
}
