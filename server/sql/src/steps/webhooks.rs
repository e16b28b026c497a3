//! The tables of webhooks.

/// Events for webhooks, what is noted of accounts for them, and how far the journal is written into events.
pub(super) const VERSION_17: &str = "
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
";
