//! Opens connections to a database. An attacker may have prepared the file, so the server does not trust its schema.

use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Result};

/// Opens a database for reading and writing, and creates it if there is none.
pub(super) fn open(path: &Path) -> Result<Connection> {
    protected(Connection::open(path)?)
}

/// Opens a database for reading.
pub(super) fn open_read_only(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    protected(Connection::open_with_flags(path, flags)?)
}

/// Denies the features that only a prepared database needs: functions with side effects in its schema, and statements
/// that write the schema or pages directly.
fn protected(connection: Connection) -> Result<Connection> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    // SQLite overwrites deleted rows: nothing of an erased player stays in the file.
    connection.pragma_update(None, "secure_delete", true)?;
    Ok(connection)
}
