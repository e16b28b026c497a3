//! The tables of pushes.

/// Browsers that get pushes, the pushes that wait, and the key pairs that sign them.
pub(super) const VERSION_18: &str = "
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
";
