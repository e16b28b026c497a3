//! The first tables: games, identities, accounts and results. No text is edited once it is released: a change is another
//! version.

/// Games with their records, seeks, identities and keys.
pub(super) const VERSION_1: &str = "
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
pub(super) const VERSION_2: &str = "ALTER TABLE revoked_identities ADD COLUMN reason TEXT;";

/// The last time to which the machine's clock jumped.
pub(super) const VERSION_3: &str = "
CREATE TABLE clock_jumps (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    at INTEGER NOT NULL
) STRICT;
";

/// Which games were aborted or cancelled; when an identity was last seen, and whether a game of it ended with a result.
pub(super) const VERSION_4: &str = "
ALTER TABLE games ADD COLUMN is_void INTEGER;
CREATE INDEX games_void ON games (finished_at) WHERE is_void = 1;
ALTER TABLE identities ADD COLUMN seen_at INTEGER;
ALTER TABLE identities ADD COLUMN has_played INTEGER;
UPDATE identities SET seen_at = created_at,
    has_played = (SELECT 1 FROM seats WHERE seats.identity = identities.identity LIMIT 1);
-- Guests, not the users of a site.
CREATE INDEX identities_idle ON identities (seen_at) WHERE has_played IS NULL AND identity NOT GLOB 'site-*';
";

/// The lost time: until the last liveness stamp, and as a sleeping game knows it.
pub(super) const VERSION_5: &str = "
ALTER TABLE liveness ADD COLUMN lost_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN lost_ms INTEGER;
";

/// Accounts, handles, sessions and the audit.
pub(super) const VERSION_6: &str = "
CREATE TABLE accounts (
    identity TEXT PRIMARY KEY,
    version INTEGER NOT NULL,           -- number of changes
    has_role INTEGER,                   -- 1 if the account has a role
    account BLOB NOT NULL               -- without its sessions
) STRICT, WITHOUT ROWID;
CREATE INDEX accounts_with_roles ON accounts (identity) WHERE has_role = 1;

-- Two handles clash if one of their keys is equal.
CREATE TABLE handles (
    folded TEXT PRIMARY KEY,
    skeleton TEXT NOT NULL UNIQUE,
    identity TEXT NOT NULL,
    reserved_until INTEGER              -- NULL while the account has the handle
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    family TEXT PRIMARY KEY,
    identity TEXT NOT NULL,
    label TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_of_identity ON sessions (identity, created_at);

-- A chain: each entry contains the digest of the one before it.
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    entry TEXT NOT NULL
) STRICT;
";

/// Results of finished games, the ratings after them, and how far the chronicle has come. Results are numbered in the order
/// of the chronicle; they outlive the logs of their games.
pub(super) const VERSION_7: &str = "
CREATE TABLE results (
    number INTEGER PRIMARY KEY,
    game TEXT NOT NULL UNIQUE,
    ended_at INTEGER NOT NULL,
    rule_set TEXT NOT NULL,
    lexicon TEXT NOT NULL,
    pool TEXT,                          -- NULL unless the game is rated
    reason TEXT NOT NULL,
    is_private INTEGER NOT NULL,        -- 1 if only the players may see it
    result BLOB NOT NULL
) STRICT;

-- One row for each player, not for each seat.
CREATE TABLE result_seats (
    number INTEGER NOT NULL,
    identity TEXT NOT NULL,
    ended_at INTEGER NOT NULL,
    pool TEXT,                          -- NULL unless the game is rated
    outcome TEXT NOT NULL,              -- won, lost, shared, none
    final_score INTEGER NOT NULL,
    is_counted INTEGER NOT NULL,        -- 1 if the game counts in averages of the player
    turns INTEGER NOT NULL,
    turn_points INTEGER NOT NULL,
    rating_before INTEGER,              -- these are NULL unless the game is rated
    rating_after INTEGER,
    rating_deviation INTEGER,
    PRIMARY KEY (number, identity)
) STRICT, WITHOUT ROWID;
CREATE INDEX result_seats_of_identity ON result_seats (identity, number);
CREATE INDEX result_seats_of_rated ON result_seats (identity, pool, number) WHERE pool IS NOT NULL;
CREATE INDEX result_seats_of_pool ON result_seats (pool, ended_at) WHERE pool IS NOT NULL;

CREATE TABLE ratings (
    pool TEXT NOT NULL,
    identity TEXT NOT NULL,
    games INTEGER NOT NULL,
    last_game_at INTEGER NOT NULL,
    rating BLOB NOT NULL,
    PRIMARY KEY (pool, identity)
) STRICT, WITHOUT ROWID;
CREATE INDEX ratings_of_identity ON ratings (identity, pool);
CREATE INDEX ratings_by_time ON ratings (pool, last_game_at);

CREATE TABLE chronicle (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    arrival INTEGER NOT NULL,           -- records up to this one are in results
    edition INTEGER NOT NULL            -- number of changes of results, ratings and this row
) STRICT;
INSERT INTO chronicle (only_row, arrival, edition) VALUES (1, 0, 0);
";
