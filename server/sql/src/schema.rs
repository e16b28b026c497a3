//! Brings a database of SQLite to the tables of this version, and compares it with them.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Connection;
use rusqlite_migration::{M, Migrations};

use crate::open_error::OpenError;
use crate::open_error::said_by_sqlite;
use crate::steps::STEPS;

/// Returns the steps up to a version as migrations.
fn migrations(version: usize) -> Migrations<'static> {
    let steps = &STEPS[..version.min(CURRENT)];
    Migrations::from_iter(steps.iter().map(|step| M::up(step)))
}

/// The version that this program writes.
pub const CURRENT: usize = STEPS.len();

/// A table, index, view or trigger: its kind, its name, its table and its definition.
type Part = (String, String, String, Option<String>);

/// Returns the version of the schema of a database; 0 if it has none. The schema is the one that this program makes, and
/// the database has nothing else: a trigger could change what the server writes.
///
/// # Errors
/// When the schema is newer, or a part of it is missing, changed or added.
pub fn version(db: &Connection, path: &Path) -> Result<usize, OpenError> {
    let failed = |error| said_by_sqlite(path, error);
    let found = user_version(db).map_err(failed)?;
    if found > CURRENT {
        return Err(OpenError::NewerSchema {
            found,
            known: CURRENT,
        });
    }
    let parts_found = parts(db).map_err(failed)?;
    let other = parts_of(found)?;
    let mut differences = parts_found.symmetric_difference(&other);
    match differences.next() {
        None => Ok(found),
        Some((kind, name, ..)) => Err(OpenError::ForeignSchema {
            path: path.to_owned(),
            part: format!("{kind} {name}"),
        }),
    }
}

/// Returns the parts of the schema of a version.
fn parts_of(version: usize) -> Result<BTreeSet<Part>, OpenError> {
    let mut fresh = Connection::open_in_memory()?;
    if version > 0 {
        migrations(version).to_latest(&mut fresh)?;
    }
    Ok(parts(&fresh)?)
}

fn parts(db: &Connection) -> rusqlite::Result<BTreeSet<Part>> {
    db.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema")?
        .query_map([], |row| {
            let (name, definition): (String, Option<String>) = (row.get(1)?, row.get(3)?);
            // SQLite puts the name of a table that it has renamed into quotes.
            let quoted = format!("\"{name}\"");
            let definition = definition.map(|text| without_layout(&text.replace(&quoted, &name)));
            Ok((row.get(0)?, name, row.get(2)?, definition))
        })?
        .collect()
}

/// Returns a definition without comments and spaces that mean nothing: SQLite keeps both, and adds columns in its own layout.
/// A comment sign within quotes leaves half of a quoted text behind, which no definition of this program has.
fn without_layout(definition: &str) -> String {
    let code = definition
        .lines()
        .map(|line| line.split_once("--").map_or(line, |(code, _)| code));
    let words: Vec<&str> = code.flat_map(str::split_whitespace).collect();
    let mut plain = words.join(" ");
    for sign in [",", "(", ")"] {
        let parts: Vec<&str> = plain.split(sign).map(str::trim).collect();
        plain = parts.join(sign);
    }
    plain
}

fn user_version(db: &Connection) -> rusqlite::Result<usize> {
    db.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Migrates an empty database, or one of an older version, to [`CURRENT`].
pub fn migrate(connection: &mut Connection) -> Result<(), OpenError> {
    let found = user_version(connection)?;
    if found < CURRENT {
        tracing::info!(from = found, to = CURRENT, "migrating the database");
    }
    migrations(CURRENT).to_latest(connection)?;
    Ok(())
}

#[cfg(test)]
mod tests;
