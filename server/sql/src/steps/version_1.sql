-- The tables of version 1.

-- Games with their records, seeks, identities and keys.

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
    is_listed INTEGER,                  -- 1 while a sleeping game is in the public list
    is_void INTEGER,                    -- 1 if it was aborted or cancelled
    lost_ms INTEGER,                    -- the lost time that a sleeping game knows
    is_correspondence INTEGER           -- 1 with a limit of an hour or more for a turn; NULL: unknown
) STRICT, WITHOUT ROWID;
-- The index of the awake games and those of the sleeping ones contain no other game.
CREATE INDEX games_awake ON games (created_at, game) WHERE finished_at IS NULL AND wakes_at IS NULL;
CREATE INDEX games_asleep ON games (wakes_at, game) WHERE wakes_at IS NOT NULL;
CREATE INDEX games_asleep_listed ON games (created_at, game) WHERE is_listed = 1;
CREATE INDEX games_finished ON games (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX games_void ON games (finished_at) WHERE is_void = 1;

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
    created_at INTEGER NOT NULL,
    seen_at INTEGER,
    has_played INTEGER                  -- 1 if a game of it ended with a result
) STRICT, WITHOUT ROWID;
-- Guests, not the users of a site.
CREATE INDEX identities_idle ON identities (seen_at) WHERE has_played IS NULL AND identity NOT GLOB 'site-*';

-- The newest key signs; all keys verify.
CREATE TABLE token_keys (
    kid TEXT PRIMARY KEY,
    secret BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE revoked_identities (
    identity TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    reason TEXT                         -- the player is told it
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

-- The last time to which the machine's clock jumped.
CREATE TABLE clock_jumps (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    at INTEGER NOT NULL
) STRICT;

-- The last time at which the server is known to have run.
CREATE TABLE liveness (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    at INTEGER NOT NULL,
    lost_ms INTEGER NOT NULL DEFAULT 0  -- the lost time until then
) STRICT;

-- Accounts, handles, sessions and the audit.

CREATE TABLE accounts (
    identity TEXT PRIMARY KEY,
    version INTEGER NOT NULL,           -- number of changes
    has_role INTEGER,                   -- 1 if the account has a role
    account BLOB NOT NULL,              -- without its sessions
    has_no_chat INTEGER                 -- 1 if the player has switched chat off
) STRICT, WITHOUT ROWID;
CREATE INDEX accounts_with_roles ON accounts (identity) WHERE has_role = 1;
CREATE INDEX accounts_without_chat ON accounts (identity) WHERE has_no_chat = 1;

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
    entry TEXT NOT NULL,
    target TEXT
) STRICT;
CREATE INDEX audit_of_target ON audit (target, number);

-- Results of finished games, the ratings after them, and how far the chronicle has come. Results are numbered in the order
-- of the chronicle; they outlive the logs of their games.

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

-- The follows and blocks of players.

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

-- The lines of chat rooms.

CREATE TABLE chat_lines (
    room TEXT NOT NULL,
    line INTEGER NOT NULL,
    at INTEGER NOT NULL,
    identity TEXT NOT NULL,
    name TEXT NOT NULL,
    seat INTEGER,
    cmd_id TEXT NOT NULL,
    text TEXT NOT NULL,
    hidden INTEGER,                     -- the entry of the audit that hid it; NULL while it is shown
    PRIMARY KEY (room, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX chat_lines_by_time ON chat_lines (at);
CREATE INDEX chat_lines_of_identity ON chat_lines (identity, at);
CREATE INDEX chat_lines_hidden ON chat_lines (hidden) WHERE hidden IS NOT NULL;

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

-- Reports, restrictions, and the messages about them.

CREATE TABLE reports (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    reporter TEXT NOT NULL,
    target TEXT NOT NULL,
    closed INTEGER,                     -- the entry of the audit that closed it; NULL while it is open
    report TEXT NOT NULL,
    closed_at INTEGER                   -- NULL while it is open
) STRICT;
CREATE INDEX reports_open ON reports (number) WHERE closed IS NULL;
CREATE INDEX reports_of_reporter ON reports (reporter, at);
CREATE INDEX reports_settled ON reports (closed_at) WHERE closed_at IS NOT NULL;

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

-- Points and waiting times of players.

CREATE TABLE conduct (
    identity TEXT PRIMARY KEY,
    version INTEGER NOT NULL,           -- number of changes
    points INTEGER NOT NULL,
    clean INTEGER NOT NULL,             -- clean games since the last change of the points
    waits INTEGER NOT NULL,             -- waiting times that make the next one longer
    until INTEGER,                      -- end of the latest waiting time; NULL if there was none
    forgiven INTEGER NOT NULL DEFAULT 0 -- number of the newest result when everything was forgiven; 0 if it never was
) STRICT, WITHOUT ROWID;

-- Letters to players: the outbox, the mailboxes, the codes that prove an address, and how far the journal is written into
-- letters.

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

-- Players who asked to be erased. A row goes away when all of the player is.

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

-- Vacations of players.

CREATE TABLE vacations (
    identity TEXT PRIMARY KEY,
    is_applied INTEGER NOT NULL,        -- 1 if all games of the player have the end of the last one
    vacations TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX vacations_to_apply ON vacations (identity) WHERE is_applied = 0;

-- Events for webhooks, notes about accounts for them, and how far the journal is written into events.

CREATE TABLE hook_outbox (
    target TEXT NOT NULL,               -- the name of the webhook
    lane TEXT NOT NULL,                 -- a game or an account, whose events are delivered in order
    place INTEGER NOT NULL,             -- in the lane
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    shown_at INTEGER NOT NULL,          -- not delivered before: the delay of the game
    due_at INTEGER NOT NULL,
    until INTEGER NOT NULL,             -- the courier gives up then
    tries INTEGER NOT NULL,
    failed_at INTEGER,                  -- NULL while it waits
    content TEXT NOT NULL,
    PRIMARY KEY (target, lane, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX hook_outbox_due ON hook_outbox (target, due_at) WHERE failed_at IS NULL;
CREATE INDEX hook_outbox_failed ON hook_outbox (target, failed_at) WHERE failed_at IS NOT NULL;
CREATE INDEX hook_outbox_of_lane ON hook_outbox (lane);
CREATE INDEX hook_outbox_old ON hook_outbox (at);

-- A row goes away when its events are in the outbox.
CREATE TABLE hook_accounts (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,                 -- registered, renamed, suspended, restored, erased
    identity TEXT NOT NULL,
    name TEXT,
    until INTEGER
) STRICT;

CREATE TABLE hook_state (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    is_on INTEGER NOT NULL,             -- 1 if the last server had webhooks
    arrival INTEGER NOT NULL,           -- records up to this one are in events
    edition INTEGER NOT NULL,           -- number of changes of the place
    accounts INTEGER NOT NULL           -- number of the last row of hook_accounts
) STRICT;
INSERT INTO hook_state (only_row, is_on, arrival, edition, accounts) VALUES (1, 0, 0, 0, 0);

-- Browsers that get pushes, the pushes that wait, and the key pairs that sign them.

CREATE TABLE push_devices (
    id TEXT PRIMARY KEY,
    identity TEXT NOT NULL,
    family TEXT NOT NULL UNIQUE,        -- the session that asked
    endpoint TEXT NOT NULL UNIQUE,
    service TEXT NOT NULL,              -- the server of the endpoint, with its port
    public BLOB NOT NULL,               -- key of the browser
    auth BLOB NOT NULL,                 -- secret of the browser and this server
    kid TEXT NOT NULL,                  -- the key pair that the browser accepts
    label TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER,                    -- when the push service took a push last
    day INTEGER NOT NULL,               -- the day of that
    sent INTEGER NOT NULL,              -- pushes of that day
    refusals INTEGER NOT NULL           -- refusals of the push service in a row
) STRICT, WITHOUT ROWID;
CREATE INDEX push_devices_of_identity ON push_devices (identity, created_at);

CREATE TABLE pushes (
    key TEXT PRIMARY KEY,               -- that of the letter, and the device
    device TEXT NOT NULL,
    identity TEXT NOT NULL,
    service TEXT NOT NULL,
    game TEXT,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    until INTEGER NOT NULL,             -- the courier gives up then
    tries INTEGER NOT NULL,
    unknown INTEGER NOT NULL,           -- how often it was sent without a known outcome
    content TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pushes_due ON pushes (due_at, key);
CREATE INDEX pushes_of_game ON pushes (game, kind) WHERE game IS NOT NULL;
CREATE INDEX pushes_of_device ON pushes (device);
CREATE INDEX pushes_of_identity ON pushes (identity);
CREATE INDEX pushes_old ON pushes (until);

-- The newest key pair is given to browsers; each of them signs for the browsers that accept it.
CREATE TABLE push_keys (
    kid TEXT PRIMARY KEY,
    secret BLOB NOT NULL,               -- PKCS#8
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
