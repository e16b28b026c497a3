//! The tables, as steps that lead to them: SQL that SQLite reads, and that `postgres::dialect` translates.

/// Version 1. It is never edited once it is released: a change is another entry of [`STEPS`].
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

/// The last time to which the machine's clock jumped.
const VERSION_3: &str = "
CREATE TABLE clock_jumps (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    at INTEGER NOT NULL
) STRICT;
";

/// Which games were aborted or cancelled; when an identity was last seen, and whether a game of it ended with a result.
const VERSION_4: &str = "
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
const VERSION_5: &str = "
ALTER TABLE liveness ADD COLUMN lost_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN lost_ms INTEGER;
";

/// Accounts, handles, sessions and the audit.
const VERSION_6: &str = "
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
const VERSION_7: &str = "
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

/// Whom players follow and block.
const VERSION_8: &str = "
CREATE TABLE follows (
    identity TEXT NOT NULL,
    followed TEXT NOT NULL,
    since INTEGER NOT NULL,
    has_ended INTEGER,                  -- 1 if a block has ended it: only the follower sees it
    PRIMARY KEY (identity, followed)
) STRICT, WITHOUT ROWID;

CREATE TABLE blocks (
    identity TEXT NOT NULL,
    blocked TEXT NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (identity, blocked)
) STRICT, WITHOUT ROWID;
";

/// The lines of chat rooms.
const VERSION_9: &str = "
CREATE TABLE chat_lines (
    room TEXT NOT NULL,
    line INTEGER NOT NULL,
    at INTEGER NOT NULL,
    identity TEXT NOT NULL,
    name TEXT NOT NULL,
    seat INTEGER,
    cmd_id TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (room, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX chat_lines_by_time ON chat_lines (at);
CREATE INDEX chat_lines_of_identity ON chat_lines (identity, at);

-- The two players of a direct room with lines; one is the smaller identity.
CREATE TABLE chat_pairs (
    room TEXT PRIMARY KEY,
    one TEXT NOT NULL,
    other TEXT NOT NULL,
    last INTEGER NOT NULL,              -- number of the last line
    at INTEGER NOT NULL                 -- time of the last line
) STRICT, WITHOUT ROWID;
CREATE INDEX chat_pairs_of_one ON chat_pairs (one, at);
CREATE INDEX chat_pairs_of_other ON chat_pairs (other, at);
CREATE INDEX chat_pairs_by_time ON chat_pairs (at);
";

/// Reports, restrictions, the messages about them, and hidden lines. The audit is found by the target of its entries.
const VERSION_10: &str = "
CREATE TABLE reports (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    reporter TEXT NOT NULL,
    target TEXT NOT NULL,
    closed INTEGER,                     -- the entry of the audit that closed it; NULL while it is open
    report TEXT NOT NULL
) STRICT;
CREATE INDEX reports_open ON reports (number) WHERE closed IS NULL;
CREATE INDEX reports_of_reporter ON reports (reporter, at);

CREATE TABLE restrictions (
    identity TEXT NOT NULL,
    kind TEXT NOT NULL,
    entry INTEGER NOT NULL,             -- number in the audit
    reason TEXT NOT NULL,
    until INTEGER,                      -- NULL: until somebody undoes it
    PRIMARY KEY (identity, kind)
) STRICT, WITHOUT ROWID;

-- A row goes away when the player was told.
CREATE TABLE moderation_notices (
    entry INTEGER PRIMARY KEY,          -- number in the audit
    identity TEXT NOT NULL,
    kind TEXT NOT NULL,
    reason TEXT NOT NULL,
    until INTEGER
) STRICT;

ALTER TABLE chat_lines ADD COLUMN hidden INTEGER;
CREATE INDEX chat_lines_hidden ON chat_lines (hidden) WHERE hidden IS NOT NULL;

ALTER TABLE audit ADD COLUMN target TEXT;
UPDATE audit SET target = json_extract(entry, '$.target');
CREATE INDEX audit_of_target ON audit (target, number);
";

/// The players who have switched chat off.
const VERSION_11: &str = "
ALTER TABLE accounts ADD COLUMN has_no_chat INTEGER; -- 1 if the player has switched chat off
CREATE INDEX accounts_without_chat ON accounts (identity) WHERE has_no_chat = 1;
";

/// When reports were closed: they are removed some time later.
const VERSION_12: &str = "
ALTER TABLE reports ADD COLUMN closed_at INTEGER; -- NULL while it is open
UPDATE reports SET closed_at =
    (SELECT json_extract(audit.entry, '$.at') FROM audit WHERE audit.number = reports.closed);
CREATE INDEX reports_settled ON reports (closed_at) WHERE closed_at IS NOT NULL;
";

/// Points and waiting times of players.
const VERSION_13: &str = "
CREATE TABLE conduct (
    identity TEXT PRIMARY KEY,
    version INTEGER NOT NULL,           -- number of changes
    points INTEGER NOT NULL,
    clean INTEGER NOT NULL,             -- clean games since the last change of the points
    waits INTEGER NOT NULL,             -- waiting times that make the next one longer
    until INTEGER,                      -- end of the latest waiting time; NULL if there was none
    forgiven INTEGER NOT NULL DEFAULT 0 -- number of the newest result when everything was forgiven; 0 if it never was
) STRICT, WITHOUT ROWID;
";

/// Letters to players: the outbox, the mailboxes, the codes that prove an address, and how far the journal is written into
/// letters.
const VERSION_14: &str = "
CREATE TABLE outbox (
    key TEXT PRIMARY KEY,
    identity TEXT NOT NULL,
    address TEXT,                       -- NULL: that of the mailbox
    game TEXT,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    until INTEGER NOT NULL,             -- the courier gives up then
    tries INTEGER NOT NULL,
    unknown INTEGER NOT NULL,           -- how often it was sent without a known outcome
    digest INTEGER,                     -- the day whose digest contains it; NULL if it is sent alone
    content TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_due ON outbox (due_at, key) WHERE digest IS NULL;
CREATE INDEX outbox_of_game ON outbox (game, kind) WHERE game IS NOT NULL;
CREATE INDEX outbox_of_identity ON outbox (identity, digest);
CREATE INDEX outbox_old ON outbox (until);

CREATE TABLE mailboxes (
    identity TEXT PRIMARY KEY,
    address_key TEXT NOT NULL UNIQUE,   -- the address in lower case
    address TEXT NOT NULL,
    day INTEGER NOT NULL,               -- the day in which a letter was sent last
    sent INTEGER NOT NULL,              -- letters of that day
    refusals INTEGER NOT NULL,          -- refusals of mail servers in a row
    disabled_at INTEGER                 -- NULL while the address is in use
) STRICT, WITHOUT ROWID;

CREATE TABLE mail_codes (
    ticket TEXT PRIMARY KEY,            -- digest of the ticket
    address TEXT NOT NULL,
    code TEXT NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_codes_by_time ON mail_codes (expires_at);

CREATE TABLE letter_state (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    arrival INTEGER NOT NULL,           -- records up to this one are in letters
    edition INTEGER NOT NULL,           -- number of changes of the place
    link_key BLOB                       -- signs the links in letters; NULL until a courier has run
) STRICT;
INSERT INTO letter_state (only_row, arrival, edition) VALUES (1, 0, 0);

ALTER TABLE games ADD COLUMN is_correspondence INTEGER; -- 1 with a limit of an hour or more for a turn; NULL: unknown
";

/// Players who asked to be erased. A row goes away when all of the player is.
const VERSION_15: &str = "
CREATE TABLE erasures (
    identity TEXT PRIMARY KEY,
    asked_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    secret BLOB NOT NULL,               -- the new names of the player follow from it
    entry INTEGER,                      -- number in the audit; NULL until it takes effect
    is_renaming INTEGER                 -- 1 from the first result with a new name on
) STRICT, WITHOUT ROWID;
CREATE INDEX erasures_by_time ON erasures (due_at);

CREATE TABLE erased_pages (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    is_due INTEGER NOT NULL             -- 1 from an erasure on until the database is rewritten
) STRICT;
INSERT INTO erased_pages (only_row, is_due) VALUES (1, 0);
";

/// Vacations of players.
const VERSION_16: &str = "
CREATE TABLE vacations (
    identity TEXT PRIMARY KEY,
    is_applied INTEGER NOT NULL,        -- 1 if all games of the player have the end of the last one
    vacations TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX vacations_to_apply ON vacations (identity) WHERE is_applied = 0;
";

/// All steps, in order. The version of a schema is the number of steps that made it.
pub(in crate::storage) const STEPS: &[&str] = &[
    VERSION_1, VERSION_2, VERSION_3, VERSION_4, VERSION_5, VERSION_6, VERSION_7, VERSION_8,
    VERSION_9, VERSION_10, VERSION_11, VERSION_12, VERSION_13, VERSION_14, VERSION_15, VERSION_16,
];
