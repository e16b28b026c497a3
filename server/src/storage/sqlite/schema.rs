//! The tables, and how a database of an older release becomes one of this release.
//!
//! Migrations are only ever added. A released one is never edited: databases out there have run it.

use rusqlite::Connection;
use rusqlite_migration::{M, Migrations};

use super::OpenError;

const MIGRATIONS: &[M<'static>] = &[M::up(
    "CREATE TABLE meta (
       key TEXT PRIMARY KEY,
       value BLOB NOT NULL
     ) WITHOUT ROWID;

     CREATE TABLE games (
       game TEXT PRIMARY KEY,
       epoch INTEGER NOT NULL,
       rule_set TEXT NOT NULL,
       private_code TEXT,
       created_at INTEGER NOT NULL,
       head INTEGER NOT NULL,
       finished_at INTEGER
     ) WITHOUT ROWID;
     CREATE INDEX games_unfinished ON games (created_at) WHERE finished_at IS NULL;
     CREATE INDEX games_finished ON games (finished_at) WHERE finished_at IS NOT NULL;

     CREATE TABLE players (
       game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
       seat INTEGER NOT NULL,
       identity TEXT NOT NULL,
       PRIMARY KEY (game, seat)
     ) WITHOUT ROWID;
     CREATE INDEX players_of_identity ON players (identity);

     CREATE TABLE records (
       game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
       seq INTEGER NOT NULL,
       record BLOB NOT NULL,
       PRIMARY KEY (game, seq)
     ) WITHOUT ROWID;

     CREATE TABLE seeks (
       seek TEXT PRIMARY KEY,
       body BLOB NOT NULL
     ) WITHOUT ROWID;

     CREATE TABLE seek_commands (
       identity TEXT NOT NULL,
       cmd_id TEXT NOT NULL,
       digest INTEGER NOT NULL,
       answer BLOB NOT NULL,
       at INTEGER NOT NULL,
       PRIMARY KEY (identity, cmd_id)
     ) WITHOUT ROWID;
     CREATE INDEX seek_commands_by_age ON seek_commands (at);

     CREATE TABLE identities (
       identity TEXT PRIMARY KEY,
       name TEXT NOT NULL,
       created_at INTEGER NOT NULL
     ) WITHOUT ROWID;",
)];

/// Brings a database to this release's tables.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), OpenError> {
    let known = MIGRATIONS.len();
    let found: usize = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if found > known {
        return Err(OpenError::Newer { found, known });
    }
    Migrations::from_slice(MIGRATIONS)
        .to_latest(connection)
        .map_err(|error| OpenError::Migration(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_migration_is_sound() {
        Migrations::from_slice(MIGRATIONS).validate().expect("all can be run one after the other");
    }

    #[test]
    fn a_database_of_a_later_release_is_refused() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.pragma_update(None, "user_version", 99).unwrap();
        let refused = migrate(&mut connection).unwrap_err();
        assert!(matches!(refused, OpenError::Newer { found: 99, known: 1 }));
    }
}
