//! Every table and column of the schema: what of it concerns a player, what an export shows of it, and how an erasure
//! removes it. The export and the erasure follow from this list; a test compares the list with the schema.

/// A table.
pub struct Table {
    /// The name of the table or column.
    pub name: &'static str,
    /// The columns that an export shows as they are.
    pub shown: &'static [&'static str],
    /// The columns that an export shows in another form.
    pub decoded: &'static [(&'static str, Form)],
    /// The columns that an export leaves out, with the reason.
    pub withheld: &'static [(&'static str, &'static str)],
    /// The condition for rows in the export of the player `?1`, and their order.
    pub(crate) export: Option<(&'static str, &'static str)>,
    pub(crate) erasure: Removal,
}

/// The effect of an erasure on the rows of a player.
pub(crate) enum Removal {
    /// It removes the rows that fit a condition, as soon as it takes effect.
    Removed(&'static str),
    /// It removes them at the end, when nothing can write them any more.
    Last(&'static str),
    /// It takes the player out of them: a function of `erasure` does it.
    Rewritten,
    /// It waits until the server has removed them.
    Awaited,
    /// They stay, for a reason.
    Kept(&'static str),
    /// The table says nothing about a player.
    Impersonal,
}

/// The form of a column.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// An account: without the password's hash and the recovery codes.
    Account,
    /// The result of a game.
    Result,
    /// A rating.
    Rating,
    /// An answer of the lobby.
    Answer,
    /// JSON in bytes: a seek.
    Seek,
    /// An entry of the audit: without the person who acted on the player.
    Entry,
    /// A report by the player.
    Report,
}

const SECRET: &str = "a secret of the server";
const OWN_LOG: &str = "games/ in the export has the log as the player sees it";
const DELIVERY: &str = "the way of an event to another program";
const OWN_ADDRESS: &str = "address IN (SELECT address FROM mailboxes WHERE identity = ?1)";
const BROWSER: &str = "a key of the browser, which has it";
const LINE: &str = "made from the log, for lists";

/// Every table.
pub const TABLES: &[Table] = &[
    Table {
        name: "accounts",
        shown: &["identity", "version", "has_role", "has_no_chat"],
        decoded: &[("account", Form::Account)],
        withheld: &[],
        export: Some(("identity = ?1", "identity")),
        erasure: Removal::Removed("identity = ?1"),
    },
    Table {
        name: "identities",
        shown: &["identity", "name", "created_at", "seen_at", "has_played"],
        decoded: &[],
        withheld: &[],
        export: Some(("identity = ?1", "identity")),
        erasure: Removal::Removed("identity = ?1"),
    },
    Table {
        name: "handles",
        shown: &["folded", "skeleton", "identity", "reserved_until"],
        decoded: &[],
        withheld: &[],
        export: Some(("identity = ?1", "folded")),
        erasure: Removal::Removed("identity = ?1"),
    },
    Table {
        name: "sessions",
        shown: &["family", "identity", "label", "created_at", "used_at"],
        decoded: &[],
        withheld: &[],
        export: Some(("identity = ?1", "family")),
        erasure: Removal::Removed("identity = ?1"),
    },
    Table {
        name: "revoked_tokens",
        shown: &["family", "identity", "at"],
        decoded: &[],
        withheld: &[],
        export: Some(("identity = ?1", "family")),
        erasure: Removal::Removed("identity = ?1"), // the whole identity is revoked then
    },
    Table {
        name: "revoked_identities",
        shown: &["identity", "at", "reason"],
        decoded: &[],
        withheld: &[],
        export: Some(("identity = ?1", "identity")),
        erasure: Removal::Kept(
            "no token of the player may be good again; the identity leads to nothing",
        ),
    },
    Table {
        name: "erasures",
        shown: &["identity", "asked_at", "due_at", "entry", "is_renaming"],
        decoded: &[],
        withheld: &[("secret", SECRET)],
        export: Some(("identity = ?1", "identity")),
        erasure: Removal::Last("identity = ?1"),
    },
    Table {
        name: "follows",
        shown: &["identity", "followed", "since"],
        decoded: &[],
        withheld: &[("has_ended", "it would tell who blocks the player")],
        export: Some(("identity = ?1", "followed")),
        erasure: Removal::Removed("identity = ?1 OR followed = ?1"),
    },
    Table {
        name: "blocks",
        shown: &["identity", "blocked", "since"],
        decoded: &[],
        withheld: &[],
        export: Some(("identity = ?1", "blocked")),
        erasure: Removal::Removed("identity = ?1 OR blocked = ?1"),
    },
    Table {
        name: "chat_lines",
        shown: &[
            "room", "line", "at", "identity", "name", "seat", "cmd_id", "text", "hidden",
        ],
        decoded: &[],
        withheld: &[],
        export: Some(("identity = ?1", "at, room, line")),
        erasure: Removal::Rewritten,
    },
    Table {
        name: "chat_pairs",
        shown: &["room", "one", "other", "last", "at"],
        decoded: &[],
        withheld: &[],
        export: Some(("one = ?1 OR other = ?1", "room")),
        erasure: Removal::Removed("one = ?1 OR other = ?1"),
    },
    Table {
        name: "reports",
        shown: &["number", "at", "reporter", "target", "closed", "closed_at"],
        decoded: &[("report", Form::Report)],
        withheld: &[],
        // A player is not told of reports by others.
        export: Some(("reporter = ?1", "number")),
        erasure: Removal::Rewritten,
    },
    Table {
        name: "restrictions",
        shown: &["identity", "kind", "entry", "reason", "until"],
        decoded: &[],
        withheld: &[],
        export: Some(("identity = ?1", "kind")),
        erasure: Removal::Last("identity = ?1"),
    },
    Table {
        name: "moderation_notices",
        shown: &["entry", "identity", "kind", "reason", "until"],
        decoded: &[],
        withheld: &[],
        export: Some(("identity = ?1", "entry")),
        erasure: Removal::Last("identity = ?1"),
    },
    Table {
        name: "audit",
        shown: &["number", "target"],
        decoded: &[("entry", Form::Entry)],
        withheld: &[],
        export: Some(("target = ?1", "number")),
        erasure: Removal::Kept(
            "each entry contains the digest of the one before; an entry has no name, and the identity leads to nothing",
        ),
    },
    Table {
        name: "conduct",
        shown: &[
            "identity", "version", "points", "clean", "waits", "until", "forgiven",
        ],
        decoded: &[],
        withheld: &[],
        export: Some(("identity = ?1", "identity")),
        erasure: Removal::Last("identity = ?1"),
    },
    Table {
        name: "vacations",
        shown: &["identity", "is_applied", "vacations"],
        decoded: &[],
        withheld: &[],
        export: Some(("identity = ?1", "identity")),
        erasure: Removal::Removed("identity = ?1"),
    },
    Table {
        name: "ratings",
        shown: &["pool", "identity", "games", "last_game_at"],
        decoded: &[("rating", Form::Rating)],
        withheld: &[],
        export: Some(("identity = ?1", "pool")),
        erasure: Removal::Rewritten,
    },
    Table {
        name: "results",
        shown: &[
            "number",
            "game",
            "ended_at",
            "rule_set",
            "lexicon",
            "pool",
            "reason",
            "is_private",
        ],
        decoded: &[("result", Form::Result)],
        withheld: &[],
        export: Some((
            "number IN (SELECT number FROM result_seats WHERE identity = ?1)",
            "number",
        )),
        erasure: Removal::Rewritten,
    },
    Table {
        name: "result_seats",
        shown: &[
            "number",
            "identity",
            "ended_at",
            "pool",
            "outcome",
            "final_score",
            "is_counted",
            "turns",
            "turn_points",
            "rating_before",
            "rating_after",
            "rating_deviation",
        ],
        decoded: &[],
        withheld: &[],
        export: Some(("identity = ?1", "number")),
        erasure: Removal::Rewritten,
    },
    Table {
        name: "outbox",
        shown: &[
            "key", "identity", "address", "game", "kind", "at", "due_at", "until", "tries",
            "unknown", "digest", "content",
        ],
        decoded: &[],
        withheld: &[],
        export: Some(("identity = ?1", "key")),
        erasure: Removal::Removed("identity = ?1"),
    },
    Table {
        name: "hook_outbox",
        shown: &["lane", "place", "kind", "at", "content"],
        decoded: &[],
        withheld: &[
            ("target", DELIVERY),
            ("shown_at", DELIVERY),
            ("due_at", DELIVERY),
            ("until", DELIVERY),
            ("tries", DELIVERY),
            ("failed_at", DELIVERY),
        ],
        export: Some((
            "instr(content, '\"identity\":\"' || ?1 || '\"') > 0",
            "lane, place, target",
        )),
        erasure: Removal::Rewritten,
    },
    Table {
        name: "hook_accounts",
        shown: &["number", "at", "kind", "identity", "name", "until"],
        decoded: &[],
        withheld: &[],
        export: Some(("identity = ?1", "number")),
        // Operators of other programs are told that they have to erase the player too.
        erasure: Removal::Removed("identity = ?1 AND kind <> 'erased'"),
    },
    // Before the mailboxes, which know whose codes these are.
    Table {
        name: "mail_codes",
        shown: &["address", "expires_at"],
        decoded: &[],
        withheld: &[("ticket", SECRET), ("code", SECRET)],
        export: Some((OWN_ADDRESS, "expires_at")),
        erasure: Removal::Removed(OWN_ADDRESS),
    },
    Table {
        name: "mailboxes",
        shown: &[
            "identity",
            "address_key",
            "address",
            "day",
            "sent",
            "refusals",
            "disabled_at",
        ],
        decoded: &[],
        withheld: &[],
        export: Some(("identity = ?1", "identity")),
        erasure: Removal::Removed("identity = ?1"),
    },
    Table {
        name: "pushes",
        shown: &[
            "key", "device", "identity", "service", "game", "kind", "at", "due_at", "until",
            "tries", "unknown", "content",
        ],
        decoded: &[],
        withheld: &[],
        export: Some(("identity = ?1", "key")),
        erasure: Removal::Removed("identity = ?1"),
    },
    Table {
        name: "push_devices",
        shown: &[
            "id",
            "identity",
            "family",
            "endpoint",
            "service",
            "kid",
            "label",
            "created_at",
            "used_at",
            "day",
            "sent",
            "refusals",
        ],
        decoded: &[],
        withheld: &[("public", BROWSER), ("auth", BROWSER)],
        export: Some(("identity = ?1", "created_at, id")),
        erasure: Removal::Removed("identity = ?1"),
    },
    Table {
        name: "games",
        shown: &[
            "game",
            "epoch",
            "rule_set",
            "private_code",
            "created_at",
            "head",
            "finished_at",
            "wakes_at",
            "is_listed",
            "is_void",
            "lost_ms",
            "is_correspondence",
        ],
        decoded: &[],
        withheld: &[("line", LINE)],
        export: Some((
            "game IN (SELECT game FROM seats WHERE identity = ?1)",
            "game",
        )),
        erasure: Removal::Rewritten,
    },
    Table {
        name: "seats",
        shown: &["game", "seat", "identity", "is_asleep"],
        decoded: &[],
        withheld: &[],
        export: Some(("identity = ?1", "game, seat")),
        erasure: Removal::Rewritten,
    },
    Table {
        name: "records",
        shown: &[],
        decoded: &[],
        withheld: &[
            ("arrival", OWN_LOG),
            ("game", OWN_LOG),
            ("seq", OWN_LOG),
            ("record", OWN_LOG),
        ],
        export: None,
        erasure: Removal::Rewritten,
    },
    Table {
        name: "seeks",
        shown: &["seek"],
        decoded: &[("content", Form::Seek)],
        withheld: &[],
        export: Some((
            "instr(content, CAST('\"identity\":\"' || ?1 || '\"' AS BLOB)) > 0",
            "seek",
        )),
        erasure: Removal::Awaited,
    },
    Table {
        name: "lobby_commands",
        shown: &["identity", "cmd_id", "digest", "at"],
        decoded: &[("answer", Form::Answer)],
        withheld: &[],
        export: Some(("identity = ?1", "at, cmd_id")),
        erasure: Removal::Removed("identity = ?1"),
    },
    impersonal(
        "token_keys",
        &[("kid", SECRET), ("secret", SECRET), ("created_at", SECRET)],
    ),
    impersonal(
        "push_keys",
        &[("kid", SECRET), ("secret", SECRET), ("created_at", SECRET)],
    ),
    impersonal(
        "credential_changes",
        &[("only_row", SERVER), ("count", SERVER)],
    ),
    impersonal(
        "liveness",
        &[("only_row", SERVER), ("at", SERVER), ("lost_ms", SERVER)],
    ),
    impersonal("clock_jumps", &[("only_row", SERVER), ("at", SERVER)]),
    impersonal(
        "letter_state",
        &[
            ("only_row", SERVER),
            ("arrival", SERVER),
            ("edition", SERVER),
            ("link_key", SECRET),
        ],
    ),
    impersonal(
        "hook_state",
        &[
            ("only_row", SERVER),
            ("is_on", SERVER),
            ("arrival", SERVER),
            ("edition", SERVER),
            ("accounts", SERVER),
        ],
    ),
    impersonal("erased_pages", &[("only_row", SERVER), ("is_due", SERVER)]),
    impersonal(
        "chronicle",
        &[
            ("only_row", SERVER),
            ("arrival", SERVER),
            ("edition", SERVER),
        ],
    ),
];

const SERVER: &str = "about the server";

const fn impersonal(
    name: &'static str,
    withheld: &'static [(&'static str, &'static str)],
) -> Table {
    Table {
        name,
        shown: &[],
        decoded: &[],
        withheld,
        export: None,
        erasure: Removal::Impersonal,
    }
}

#[cfg(test)]
#[path = "personal_tests.rs"]
mod tests;
