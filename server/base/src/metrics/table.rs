//! The table of all metrics: one declaration for each.

use super::metric::{Label, Metric, Unit, Values};
use crate::request_stage::Stage;

/// Declares metrics, and a list of all of them in this order.
macro_rules! metrics {
    ($($ident:ident = $metric:expr;)*) => {
        $(
            #[doc = concat!("The metric `", stringify!($ident), "`.")]
            pub const $ident: Metric = $metric;
        )*

        /// Every metric, in the order of the document.
        pub(super) const ALL: &[Metric] = &[$($ident),*];
    };
}

/// The kind of a rated game.
pub(super) const RATED: &str = "rated";
/// The kind of any other game.
pub(super) const CASUAL: &str = "casual";

/// Labels of metrics of games.
const CLASS: &[Label] = &[
    Label::new("rule_set", Values::RuleSets),
    Label::new("kind", Values::These(&[RATED, CASUAL])),
];

/// Labels of metrics of queues.
const QUEUE: &[Label] = &[Label::new(
    "queue",
    Values::These(&["storage", "lobby", "chat"]),
)];

/// The reasons why a connection does not become a WebSocket.
const NO_SOCKET: &[&str] = &[
    "server_full",
    "address_full",
    "server_unauthenticated",
    "address_unauthenticated",
    "server_rate",
    "address_rate",
    "address_blocked",
    "tls_failed",
    "tls_timeout",
    "http_timeout",
    "http_malformed",
    "origin",
];

/// The kinds of letters.
const LETTER_KINDS: &[&str] = &[
    "turn",
    "update",
    "reminder",
    "result",
    "invitation",
    "digest",
    "security",
    "code",
];

/// The reasons why a letter is not sent.
const NOT_SENT: &[&str] = &[
    "no_address",
    "disabled",
    "unwanted",
    "past",
    "present",
    "given_up",
    "unknown",
];

/// The kinds of events for webhooks.
const WEBHOOK_KINDS: &[&str] = &[
    "game.created",
    "game.started",
    "game.turn",
    "game.ended",
    "game.cancelled",
    "game.adjudicated",
    "account.registered",
    "account.renamed",
    "account.suspended",
    "account.restored",
    "account.erased",
];

/// The steps of a request to a webhook or a push service.
const REQUEST_STAGES: &[&str] = &Stage::NAMES;

/// The steps of a conversation with the mail server.
const MAIL_STAGES: &[&str] = &[
    "connect",
    "tls",
    "greeting",
    "starttls",
    "auth",
    "sender",
    "recipient",
    "data",
    "letter",
];

/// The kinds of pushes.
const PUSH_KINDS: &[&str] = &["turn", "reminder", "result", "invitation"];

/// The reasons why a push is not sent.
const NOT_PUSHED: &[&str] = &[
    "unwanted", "past", "present", "too_many", "gone", "refused", "given_up", "unknown",
];

metrics! {
    BUILD_INFO = Metric::gauge("tilewire_build_info", Unit::Count,
        "Always 1; the labels say which server runs").by(&[
            Label::new("version", Values::Version),
            Label::new("profile", Values::These(&[PROFILE])),
        ]);
    CPU = Metric::counter("tilewire_process_cpu_seconds_total", Unit::Seconds,
        "Processor time that the process has used");
    MEMORY = Metric::gauge("tilewire_process_resident_memory_bytes", Unit::Bytes,
        "Memory of the process that is in RAM");
    VIRTUAL_MEMORY = Metric::gauge("tilewire_process_virtual_memory_bytes", Unit::Bytes,
        "Address space of the process");
    THREADS = Metric::gauge("tilewire_process_threads", Unit::Count, "Threads of the process");
    OPEN_FILES = Metric::gauge("tilewire_process_open_files", Unit::Count,
        "Open files of the process; each connection is one");
    OPEN_FILES_MAX = Metric::gauge("tilewire_process_open_files_max", Unit::Count,
        "Open files that the process may have");
    READY = Metric::gauge("tilewire_ready", Unit::Count,
        "Whether the server takes players: 1 if /readyz answers 200, which otherwise says why not");
    START_TIME = Metric::gauge("tilewire_process_start_time_seconds", Unit::Seconds,
        "Time at which the server started");

    PLAYERS = Metric::gauge("tilewire_players_online", Unit::Count,
        "Identities with a connection, as of the last second");
    CONNECTIONS = Metric::gauge("tilewire_connections", Unit::Count,
        "Open connections, WebSockets or not yet");
    REFUSED = Metric::counter("tilewire_connections_refused_total", Unit::Count,
        "Connections refused or ended before they were WebSockets, by reason")
        .by(&[Label::new("reason", Values::These(NO_SOCKET))]);
    CLOSED = Metric::counter("tilewire_connections_closed_total", Unit::Count,
        "Connections the server closed, by close code")
        .by(&[Label::new("code", Values::CloseCodes)]);
    FRAMES_IN = Metric::counter("tilewire_frames_received_total", Unit::Count,
        "WebSocket messages received");
    BYTES_IN = Metric::counter("tilewire_bytes_received_total", Unit::Bytes,
        "Bytes received in WebSocket messages");
    FRAMES = Metric::counter("tilewire_frames_sent_total", Unit::Count, "WebSocket messages sent");
    BYTES = Metric::counter("tilewire_bytes_sent_total", Unit::Bytes,
        "Bytes sent in WebSocket messages");
    PAUSES = Metric::counter("tilewire_reading_paused_total", Unit::Count,
        "Pauses in reading from a connection, by the budget that was used up")
        .by(&[Label::new("budget", Values::These(&["connection", "identity", "address"]))]);
    OVERFLOWS = Metric::counter("tilewire_outbox_overflows_total", Unit::Count,
        "Clients that read too slowly, by consequence")
        .by(&[Label::new("done", Values::These(&["closed", "snapshot_later"]))]);
    LAG = Metric::histogram("tilewire_lag_seconds", Unit::Seconds,
        "Half the round trip of the server's pings, measured to a millisecond");
    CERTIFICATES = Metric::counter("tilewire_certificates_read_total", Unit::Count,
        "Changed certificate files that were read, by outcome")
        .by(&[Label::new("outcome", Values::These(&["changed", "refused"]))]);
    CERTIFICATE_EXPIRY = Metric::gauge("tilewire_certificate_expiry_timestamp_seconds", Unit::Seconds,
        "Time at which the certificate in use expires; no sample without TLS").known_later();

    MESSAGES = Metric::counter("tilewire_messages_total", Unit::Count,
        "Messages of clients, by outcome: `taken` if the server could read it, whatever its answer, or the code of the error")
        .by(&[Label::new("outcome", Values::Outcomes)]);
    REFUSALS = Metric::counter("tilewire_commands_refused_total", Unit::Count,
        "Requests that were answered with an error, by code")
        .by(&[Label::new("code", Values::ErrorCodes)]);
    COMMAND_TIME = Metric::histogram("tilewire_command_seconds", Unit::Seconds,
        "Time from the receipt of a game command to its answer with the journal, measured to a millisecond");
    WRONG_CODES = Metric::counter("tilewire_wrong_codes_total", Unit::Count,
        "Wrong codes of private seeks and games");
    WRONG_PASSWORDS = Metric::counter("tilewire_wrong_passwords_total", Unit::Count,
        "Logins, recoveries and changes with a wrong password or code");
    TOKENS_REFUSED = Metric::counter("tilewire_tokens_refused_total", Unit::Count,
        "Tokens refused, by reason")
        .by(&[Label::new("why", Values::These(&["foreign", "expired", "early", "revoked"]))]);
    REGISTRATIONS = Metric::counter("tilewire_registrations_total", Unit::Count,
        "Guests who registered");

    GAMES = Metric::gauge("tilewire_games", Unit::Count, "Games in memory");
    GAMES_RUNNING = Metric::gauge("tilewire_games_running", Unit::Count,
        "Unfinished games in memory, by rule set and kind").by(CLASS);
    ASLEEP = Metric::gauge("tilewire_games_asleep", Unit::Count,
        "Games that sleep in the storage, as of the last check (timing.wake_poll_ms)").known_later();
    GAMES_CREATED = Metric::counter("tilewire_games_created_total", Unit::Count,
        "Games created, by rule set and kind").by(CLASS);
    GAMES_ENDED = Metric::counter("tilewire_games_ended_total", Unit::Count,
        "Games that ended, by reason").by(&[Label::new("reason", Values::EndReasons)]);
    TURNS = Metric::counter("tilewire_turns_total", Unit::Count,
        "Turns that began; with a delay for spectators, when these see them");
    BOTS_THINKING = Metric::gauge("tilewire_bots_thinking", Unit::Count,
        "House bots and hints that are computed");
    BOTS_WAITING = Metric::gauge("tilewire_bots_waiting", Unit::Count,
        "House bots and hints that wait for others to be computed (limits.bots_thinking)");
    SEEKS = Metric::gauge("tilewire_seeks", Unit::Count, "Open seeks");
    SPECTATORS = Metric::gauge("tilewire_spectators", Unit::Count,
        "Connections that watch a game, each game counted");
    SNAPSHOTS = Metric::counter("tilewire_spectator_snapshots_total", Unit::Count,
        "Snapshots for spectators: encoded, or sent to one of them")
        .by(&[Label::new("done", Values::These(&["encoded", "sent"]))]);
    CHAT_LINES = Metric::counter("tilewire_chat_lines_total", Unit::Count,
        "Lines of chat rooms stored");
    CHAT_MEMBERS = Metric::gauge("tilewire_chat_members", Unit::Count,
        "Connections in chat rooms, one for each of its rooms");
    RESULTS = Metric::counter("tilewire_results_total", Unit::Count,
        "Results of finished games that were stored");
    RESULTS_MISSING = Metric::counter("tilewire_results_missing_total", Unit::Count,
        "Finished games that get no result: their logs cannot be read");

    LETTERS_SENT = Metric::counter("tilewire_letters_sent_total", Unit::Count,
        "Letters that the mail server has taken, by kind")
        .by(&[Label::new("kind", Values::These(LETTER_KINDS))]);
    LETTERS_DROPPED = Metric::counter("tilewire_letters_dropped_total", Unit::Count,
        "Letters that were not sent, by kind and reason")
        .by(&[
            Label::new("kind", Values::These(LETTER_KINDS)),
            Label::new("reason", Values::These(NOT_SENT)),
        ]);
    LETTERS_WAITING = Metric::gauge("tilewire_letters_waiting", Unit::Count,
        "Letters in the outbox, those for later included, as of the last minute").known_later();
    MAIL_REACHED = Metric::gauge("tilewire_mail_reached", Unit::Count,
        "Whether the mail server answered last; no sample without one, or on a server that sends no letters").known_later();
    MAIL_FAILURES = Metric::counter("tilewire_mail_failures_total", Unit::Count,
        "Conversations with the mail server that failed, by the step")
        .by(&[Label::new("stage", Values::These(MAIL_STAGES))]);
    MAIL_TIME = Metric::histogram("tilewire_mail_seconds", Unit::Seconds,
        "Time of a conversation with the mail server");

    WEBHOOKS_DELIVERED = Metric::counter("tilewire_webhooks_delivered_total", Unit::Count,
        "Events that webhooks have taken, by kind")
        .by(&[Label::new("kind", Values::These(WEBHOOK_KINDS))]);
    WEBHOOKS_FAILED = Metric::counter("tilewire_webhooks_failed_total", Unit::Count,
        "Events that no webhook has taken in time, or that were too many; `webhooks replay` sends them again")
        .by(&[Label::new("reason", Values::These(&["given_up", "queue_full"]))]);
    WEBHOOK_FAILURES = Metric::counter("tilewire_webhook_failures_total", Unit::Count,
        "Deliveries to webhooks that failed, by the step; most are tried again")
        .by(&[Label::new("stage", Values::These(REQUEST_STAGES))]);
    WEBHOOK_TIME = Metric::histogram("tilewire_webhook_seconds", Unit::Seconds,
        "Time of a delivery to a webhook");
    WEBHOOKS_WAITING = Metric::gauge("tilewire_webhooks_waiting", Unit::Count,
        "Events that wait for webhooks, those of delayed games included, as of the last minute").known_later();
    WEBHOOKS_KEPT = Metric::gauge("tilewire_webhooks_kept", Unit::Count,
        "Failed events that are kept for a replay, as of the last minute").known_later();
    WEBHOOK_AGE = Metric::gauge("tilewire_webhooks_age_seconds", Unit::Seconds,
        "Age of the oldest event that a webhook could have, as of the last minute; 0 if there is none, no sample without webhooks").known_later();
    PUSHES_SENT = Metric::counter("tilewire_pushes_sent_total", Unit::Count,
        "Pushes to browsers that a push service has taken, by kind")
        .by(&[Label::new("kind", Values::These(PUSH_KINDS))]);
    PUSHES_DROPPED = Metric::counter("tilewire_pushes_dropped_total", Unit::Count,
        "Pushes to browsers that were not sent, by kind and reason")
        .by(&[
            Label::new("kind", Values::These(PUSH_KINDS)),
            Label::new("reason", Values::These(NOT_PUSHED)),
        ]);
    PUSHES_WAITING = Metric::gauge("tilewire_pushes_waiting", Unit::Count,
        "Pushes that wait, those for later included, as of the last minute").known_later();
    PUSH_FAILURES = Metric::counter("tilewire_push_failures_total", Unit::Count,
        "Requests to push services that failed, by the step")
        .by(&[Label::new("stage", Values::These(REQUEST_STAGES))]);
    PUSH_TIME = Metric::histogram("tilewire_push_seconds", Unit::Seconds,
        "Time of a request to a push service");

    BACKUPS = Metric::counter("tilewire_backups_total", Unit::Count,
        "Backups that the server began by itself, by outcome")
        .by(&[Label::new("outcome", Values::These(&["done", "failed"]))]);
    BACKUP_NEWEST = Metric::gauge("tilewire_backup_newest_timestamp_seconds", Unit::Seconds,
        "Time of the newest complete backup in backup.directory; no sample if none is known").known_later();

    QUEUE_LENGTH = Metric::gauge("tilewire_queue_length", Unit::Count,
        "Entries that wait in a queue, as of the last second").by(QUEUE);
    QUEUE_CAPACITY = Metric::gauge("tilewire_queue_capacity", Unit::Count,
        "Entries that a queue can hold; a full one refuses").by(QUEUE);
    OVERLOAD_LEVEL = Metric::gauge("tilewire_overload_level", Unit::Count,
        "Level of load shedding: 0 nothing, 1 new spectators and chat, 2 immediate updates to spectators, 3 presence, 4 new games");
    PRESSURE = Metric::gauge("tilewire_overload_pressure_ratio", Unit::Ratio,
        "Load as a part of its bound (1 is the bound), by measure")
        .by(&[Label::new("of", Values::These(&["lag", "journal", "lobby"]))]);
    OVERLOAD_REFUSED = Metric::counter("tilewire_overload_refused_total", Unit::Count,
        "Requests refused by load shedding, by kind")
        .by(&[Label::new("what", Values::These(&["spectator", "game", "chat"]))]);
    STALLS = Metric::histogram("tilewire_stall_seconds", Unit::Seconds,
        "Times in which the server stood still");

    APPENDS = Metric::histogram("tilewire_storage_write_seconds", Unit::Seconds,
        "Time from the queueing of a write to its end on the disk, by outcome")
        .by(&[Label::new("outcome", Values::These(&["ok", "failed"]))]);
    COMMITS = Metric::histogram("tilewire_storage_commit_seconds", Unit::Seconds,
        "Time of one transaction with its flush of the log");
    BATCH = Metric::histogram("tilewire_storage_batch_size", Unit::Count,
        "Writes that shared one transaction");
    FLUSHES = Metric::histogram("tilewire_storage_flush_seconds", Unit::Seconds,
        "Time of one flush of the database during a transfer from the log");
    CHECKPOINTS = Metric::histogram("tilewire_storage_checkpoint_seconds", Unit::Seconds,
        "Time of one transfer from the log into the database");
    DATABASE_BYTES = Metric::gauge("tilewire_storage_database_bytes", Unit::Bytes,
        "Size of the database, as of the last second; no sample with PostgreSQL").known_later();
    LOG_BYTES = Metric::gauge("tilewire_storage_log_bytes", Unit::Bytes,
        "Size of the write-ahead log, as of the last second; no sample with PostgreSQL").known_later();
    FREE_BYTES = Metric::gauge("tilewire_storage_free_bytes", Unit::Bytes,
        "Space for the server on the disk of its database, as of the last second; no sample with PostgreSQL").known_later();

    CLUSTER_SHARDS = Metric::gauge("tilewire_cluster_shards", Unit::Count,
        "Shards of games that the server owns among several servers; no sample on a server that has its database for itself").known_later();
    CLUSTER_LOBBY = Metric::gauge("tilewire_cluster_lobby", Unit::Count,
        "Whether the server owns the lobby among several servers; no sample on a server that has its database for itself").known_later();
    CLUSTER_TAKEN = Metric::counter("tilewire_cluster_parts_taken_total", Unit::Count,
        "Shards and lobbies that the server has got, from other servers or after their end");
    CLUSTER_LEFT = Metric::counter("tilewire_cluster_parts_left_total", Unit::Count,
        "Shards and lobbies that have gone from the server to another one");
    CLUSTER_STILL = Metric::histogram("tilewire_cluster_still_seconds", Unit::Seconds,
        "Time for which a shard or the lobby stood still before the server had it");
    CLUSTER_LATE = Metric::counter("tilewire_cluster_renewals_late_total", Unit::Count,
        "Renewals of the lease that came half its time to live after the one before, or later");
    CLUSTER_PLACED = Metric::counter("tilewire_cluster_games_placed_total", Unit::Count,
        "New games that the server, which had the lobby, has stored for other servers");
    CLUSTER_ELSEWHERE = Metric::gauge("tilewire_cluster_games_elsewhere", Unit::Count,
        "Unfinished games in the memory of other servers; a sample on the server with the lobby only").known_later();
    RELAY_REACHED = Metric::gauge("tilewire_relay_reached", Unit::Count,
        "Whether NATS carries messages between this server and the others; no sample without NATS").known_later();
    RELAY_CONNECTIONS = Metric::gauge("tilewire_relay_connections", Unit::Count,
        "Clients of this server that other servers answer, or that follow games there");
    RELAY_CHANNELS = Metric::gauge("tilewire_relay_channels", Unit::Count,
        "Clients of other servers that this one answers");
    RELAY_SENT = Metric::counter("tilewire_relay_sent_bytes_total", Unit::Bytes,
        "Bytes to other servers");
    RELAY_BATCHES = Metric::counter("tilewire_relay_batches_total", Unit::Count,
        "Messages to other servers; each carries what many clients have asked and are told");
    RELAY_READ = Metric::counter("tilewire_relay_read_bytes_total", Unit::Bytes,
        "Bytes from other servers");
    RELAY_HTTP = Metric::counter("tilewire_relay_http_total", Unit::Count,
        "Requests over HTTP that other servers answer, by outcome")
        .by(&[Label::new("outcome", Values::These(&["answered", "failed"]))]);
    RELAY_REFUSED = Metric::counter("tilewire_relay_refused_total", Unit::Count,
        "Messages from NATS that no server of this cluster has sealed, or that cannot be read");
    CLUSTER_CUT_OFFS = Metric::counter("tilewire_cluster_cut_offs_total", Unit::Count,
        "Times at which the server dropped its games because the database did not answer");
}

/// The way in which the server was compiled.
pub(super) const PROFILE: &str = match cfg!(debug_assertions) {
    true => "debug",
    false => "release",
};

/// The metrics that the process itself has. The recorder does not know them, because its counters have no fractions.
pub(super) const OF_PROCESS: &[Metric] = &[
    CPU,
    MEMORY,
    VIRTUAL_MEMORY,
    THREADS,
    OPEN_FILES,
    OPEN_FILES_MAX,
    START_TIME,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::metric::Kind;
    use super::*;

    /// The conventions of Prometheus for names, which dashboards rely on.
    #[test]
    fn names_follow_the_conventions() {
        let mut names = BTreeSet::new();
        for metric in ALL {
            let name = metric.name;
            assert!(names.insert(name), "{name} is there twice");
            assert!(name.starts_with("tilewire_"), "{name}");
            let is_counter = metric.kind == Kind::Counter;
            assert_eq!(name.ends_with("_total"), is_counter, "{name}");
            let base = name.strip_suffix("_total").unwrap_or(name);
            let unit = metric.unit.name();
            match metric.unit {
                Unit::Count => {}
                // The unit may come before `_sent` and `_received`.
                Unit::Bytes => assert!(base.contains("_bytes"), "{name}"),
                Unit::Seconds | Unit::Ratio => assert!(base.ends_with(unit), "{name}"),
            }
            let is_sentence = metric.help.starts_with(char::is_uppercase);
            assert!(is_sentence && !metric.help.ends_with('.'), "{name}");
            let all = metric.labels.iter().flat_map(|label| label.values.list());
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
            for value in all {
                assert!(value.chars().all(is_plain), "{name}: {value:?}");
            }
        }
    }
}
