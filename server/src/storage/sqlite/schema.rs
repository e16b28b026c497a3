//! The tables, version by version.

use rusqlite::Connection;
use rusqlite_migration::{M, Migrations};

use super::OpenError;

/// Version 1. Never edited once released: a change is another entry of [`STEPS`].
const VERSION_1: &str = "
CREATE TABLE games (
    game TEXT PRIMARY KEY,
    epoch INTEGER NOT NULL,
    rule_set TEXT NOT NULL,
    private_code TEXT,
    created_at INTEGER NOT NULL,
    head INTEGER NOT NULL,              -- seq of the last record
    finished_at INTEGER                 -- NULL while it is being played
) STRICT, WITHOUT ROWID;
CREATE INDEX games_unfinished ON games (created_at, game) WHERE finished_at IS NULL;
CREATE INDEX games_finished ON games (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE seats (
    game TEXT NOT NULL,
    seat INTEGER NOT NULL,
    identity TEXT NOT NULL,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX seats_of_identity ON seats (identity, game);

-- The key is the fence: nobody appends behind another writer's back.
CREATE TABLE records (
    game TEXT NOT NULL,
    seq INTEGER NOT NULL,
    record BLOB NOT NULL,
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;

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

-- The newest key signs, all of them verify.
CREATE TABLE token_keys (
    kid TEXT PRIMARY KEY,
    secret BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The last moment the server is known to have run.
CREATE TABLE liveness (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    at INTEGER NOT NULL
) STRICT;
";

/// Version 2: what the operator has revoked.
const VERSION_2: &str = "
CREATE TABLE revoked_identities (
    identity TEXT PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A family is a token with all that were issued for it.
CREATE TABLE revoked_tokens (
    family TEXT PRIMARY KEY,
    identity TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How often keys or revocations were changed: a running server looks here whether there is something to read.
CREATE TABLE credential_changes (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    count INTEGER NOT NULL
) STRICT;
INSERT INTO credential_changes (only_row, count) VALUES (1, 0);
";

/// Version 3: games that sleep. The indexes of the awake and of the asleep hold nothing of the others, however many.
const VERSION_3: &str = "
ALTER TABLE games ADD COLUMN wakes_at INTEGER;  -- NULL while it is awake, or over
ALTER TABLE games ADD COLUMN line BLOB;         -- a sleeping game's line in lists
ALTER TABLE games ADD COLUMN is_listed INTEGER; -- 1 while a sleeping game is in the public list
ALTER TABLE seats ADD COLUMN is_asleep INTEGER; -- 1 while its game sleeps
DROP INDEX games_unfinished;
CREATE INDEX games_awake ON games (created_at, game) WHERE finished_at IS NULL AND wakes_at IS NULL;
CREATE INDEX games_asleep ON games (wakes_at, game) WHERE wakes_at IS NOT NULL;
CREATE INDEX games_asleep_listed ON games (created_at, game) WHERE is_listed = 1;
CREATE INDEX seats_asleep ON seats (identity, game) WHERE is_asleep = 1;
";

/// Version 4: a row of `records` has all records of an append (form 3), under the `seq` of the last one. The rows that are
/// there stay as they are; a program that does not know the form refuses the database instead of each game.
const VERSION_4: &str = "SELECT 1;";

/// Version 5: rows of `records` stand in the order of their arrival, so that what is appended by many games fills pages
/// together, and no page is split to make room in the middle.
const VERSION_5: &str = "
CREATE TABLE arrived (
    arrival INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    seq INTEGER NOT NULL,
    record BLOB NOT NULL
) STRICT;
INSERT INTO arrived (game, seq, record) SELECT game, seq, record FROM records ORDER BY game, seq;
DROP TABLE records;
ALTER TABLE arrived RENAME TO records;
-- The fence: nobody appends behind another writer's back.
CREATE UNIQUE INDEX records_of_game ON records (game, seq);
";

/// Every version, in order.
const STEPS: &[M<'_>] = &[
    M::up(VERSION_1),
    M::up(VERSION_2),
    M::up(VERSION_3),
    M::up(VERSION_4),
    M::up(VERSION_5),
];

/// The version this program writes.
pub(super) const CURRENT: usize = STEPS.len();

/// Brings a database of any older version, or an empty one, to [`CURRENT`].
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
    Migrations::from_slice(STEPS).to_latest(connection)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Migrations, STEPS};

    #[test]
    fn every_step_can_be_taken() {
        Migrations::from_slice(STEPS).validate().unwrap();
    }
}
