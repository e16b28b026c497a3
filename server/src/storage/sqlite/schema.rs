//! The tables, and the migrations that lead to them.

use rusqlite::Connection;
use rusqlite_migration::{M, Migrations};

use super::OpenError;

/// Version 1. It is never edited once it is released: a change is another entry of [`MIGRATIONS`].
const VERSION_1: &str = "
CREATE TABLE games (
    game TEXT PRIMARY KEY,
    epoch INTEGER NOT NULL,
    rule_set TEXT NOT NULL,
    private_code TEXT,
    created_at INTEGER NOT NULL,
    head INTEGER NOT NULL,              -- seq of the last record
    finished_at INTEGER,                -- NULL while the game is played
    wakes_at INTEGER,                   -- NULL while the game is awake, or finished
    line BLOB,                          -- a sleeping game's line in lists
    is_listed INTEGER                   -- 1 while a sleeping game is in the public list
) STRICT, WITHOUT ROWID;
-- The index of the awake games and those of the sleeping ones contain no other game.
CREATE INDEX games_awake ON games (created_at, game) WHERE finished_at IS NULL AND wakes_at IS NULL;
CREATE INDEX games_asleep ON games (wakes_at, game) WHERE wakes_at IS NOT NULL;
CREATE INDEX games_asleep_listed ON games (created_at, game) WHERE is_listed = 1;
CREATE INDEX games_finished ON games (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE seats (
    game TEXT NOT NULL,
    seat INTEGER NOT NULL,
    identity TEXT NOT NULL,
    is_asleep INTEGER,                  -- 1 while the game sleeps
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX seats_of_identity ON seats (identity, game);
CREATE INDEX seats_asleep ON seats (identity, game) WHERE is_asleep = 1;

-- A row has all records of an append, under the seq of the last one. Rows are in the order of arrival: appends of many
-- games fill pages together, and SQLite splits no page to make room in the middle.
CREATE TABLE records (
    arrival INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    seq INTEGER NOT NULL,
    record BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX records_of_game ON records (game, seq);

CREATE TABLE seeks (
    seek TEXT PRIMARY KEY,
    content BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE lobby_commands (
    identity TEXT NOT NULL,
    cmd_id TEXT NOT NULL,
    digest INTEGER NOT NULL,            -- 64 bits, read as unsigned
    answer BLOB NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (identity, cmd_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX lobby_commands_by_time ON lobby_commands (at);

CREATE TABLE identities (
    identity TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The newest key signs; all keys verify.
CREATE TABLE token_keys (
    kid TEXT PRIMARY KEY,
    secret BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE revoked_identities (
    identity TEXT PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A family is a token and all tokens that were issued for it.
CREATE TABLE revoked_tokens (
    family TEXT PRIMARY KEY,
    identity TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The number of changes of keys and revocations. A running server polls it.
CREATE TABLE credential_changes (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    count INTEGER NOT NULL
) STRICT;
INSERT INTO credential_changes (only_row, count) VALUES (1, 0);

-- The last time at which the server is known to have run.
CREATE TABLE liveness (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    at INTEGER NOT NULL
) STRICT;
";

/// The reason of a revocation, which the player is told.
const VERSION_2: &str = "ALTER TABLE revoked_identities ADD COLUMN reason TEXT;";

/// All migrations, in order. The version of a schema is the number of migrations that made it.
const MIGRATIONS: &[M<'_>] = &[M::up(VERSION_1), M::up(VERSION_2)];

/// The version that this program writes.
pub(super) const CURRENT: usize = MIGRATIONS.len();

/// Migrates an empty database, or one of an older version, to [`CURRENT`].
pub(super) fn migrate(connection: &mut Connection) -> Result<(), OpenError> {
    let found: usize = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found > CURRENT {
        return Err(OpenError::NewerSchema {
            found,
            known: CURRENT,
        });
    }
    if found < CURRENT {
        tracing::info!(from = found, to = CURRENT, "migrating the database");
    }
    Migrations::from_slice(MIGRATIONS).to_latest(connection)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{MIGRATIONS, Migrations};

    #[test]
    fn the_migrations_are_valid() {
        Migrations::from_slice(MIGRATIONS).validate().unwrap();
    }
}
