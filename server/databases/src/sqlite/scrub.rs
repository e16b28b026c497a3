//! Rewrites a database after an erasure. SQLite overwrites what it deletes, but not the places from which it has moved rows of a
//! page to another one: a rewritten database has no such places.

use std::fs;
use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Result};

use tilewire_config::StorageConfig;

const MIB: u64 = 1024 * 1024;

/// Rewrites a database that no server uses, if that is due.
pub(super) fn rewrite(db: &Connection) -> Result<()> {
    if !is_due(db)? {
        return Ok(());
    }
    db.execute_batch("VACUUM")?;
    db.execute("UPDATE erased_pages SET is_due = 0", [])?;
    Ok(())
}

/// The same before a server serves: a large database would delay it.
pub(super) fn rewrite_at_start(db: &Connection, path: &Path, config: &StorageConfig) -> Result<()> {
    if !is_due(db)? {
        return Ok(());
    }
    let mib = fs::metadata(path).map_or(0, |found| found.len()) / MIB;
    if mib >= config.check_at_start_mib {
        tracing::warn!(
            mib,
            "parts of erased rows can be in the database file; a start with a larger storage.check_at_start_mib rewrites it"
        );
        return Ok(());
    }
    rewrite(db)?;
    db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    tracing::info!(mib, "the database was rewritten after an erasure");
    Ok(())
}

/// Says whether it is due; never for a schema that knows no erasures.
fn is_due(db: &Connection) -> Result<bool> {
    let is_known: bool = db.query_row(
        "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'erased_pages')",
        [],
        |row| row.get(0),
    )?;
    if !is_known {
        return Ok(false);
    }
    let found = db
        .query_row("SELECT is_due FROM erased_pages", [], |row| row.get(0))
        .optional()?;
    Ok(found.unwrap_or(false))
}
