//! The tables of what players do with each other, of moderation, letters, erasures and vacations.

/// The follows and blocks of players.
pub(super) const VERSION_8: &str = "
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
pub(super) const VERSION_9: &str = "
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
pub(super) const VERSION_10: &str = "
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
pub(super) const VERSION_11: &str = "
ALTER TABLE accounts ADD COLUMN has_no_chat INTEGER; -- 1 if the player has switched chat off
CREATE INDEX accounts_without_chat ON accounts (identity) WHERE has_no_chat = 1;
";

/// When reports were closed: they are removed some time later.
pub(super) const VERSION_12: &str = "
ALTER TABLE reports ADD COLUMN closed_at INTEGER; -- NULL while it is open
UPDATE reports SET closed_at =
    (SELECT json_extract(audit.entry, '$.at') FROM audit WHERE audit.number = reports.closed);
CREATE INDEX reports_settled ON reports (closed_at) WHERE closed_at IS NOT NULL;
";

/// Points and waiting times of players.
pub(super) const VERSION_13: &str = "
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
pub(super) const VERSION_14: &str = "
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
pub(super) const VERSION_15: &str = "
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
pub(super) const VERSION_16: &str = "
CREATE TABLE vacations (
    identity TEXT PRIMARY KEY,
    is_applied INTEGER NOT NULL,        -- 1 if all games of the player have the end of the last one
    vacations TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX vacations_to_apply ON vacations (identity) WHERE is_applied = 0;
";
