//! Every number that can be set: name, type, default, smallest and largest value.
//!
//! Durations are in milliseconds (`_ms`) unless the name says another unit.

use tilewire_protocol::limits as wire;

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

section! {
    /// How much of everything.
    pub struct Limits {
        /// Connections of the whole server.
        connections: usize = 60_000, 1 => 1_000_000;
        /// Connections from one address; IPv6 addresses that share their first 64 bits are one.
        connections_per_address: usize = 1_024, 1 => 1_000_000;
        /// Connections that have not authenticated yet.
        unauthenticated: usize = 8_192, 1 => 1_000_000;
        /// Connections from one address that have not authenticated yet.
        unauthenticated_per_address: usize = 512, 1 => 1_000_000;
        /// New connections per second in the long run.
        accepts_per_second: u32 = 2_000, 1 => 1_000_000;
        /// New connections at once after a rest: after a restart everybody comes back.
        accept_burst: u32 = 8_192, 1 => 1_000_000;
        /// New connections per second from one address in the long run.
        accepts_per_second_per_address: u32 = 100, 1 => 1_000_000;
        /// New connections at once from one address after a rest.
        accept_burst_per_address: u32 = 1_024, 1 => 1_000_000;
        /// Bytes of an HTTP request up to the end of its headers.
        http_header_bytes: usize = 16_384, 8_192 => 1_048_576;
        /// Connections of one identity, all its devices together.
        connections_per_identity: usize = 16, 1 => 10_000;
        /// Games one connection may be attached to.
        attached_games: usize = wire::ATTACHED_GAMES_MAX as _, 1 => 10_000;
        /// Requests unanswered at once on a connection.
        requests_in_flight: usize = wire::REQUESTS_IN_FLIGHT_MAX as _, 1 => 10_000;
        /// Messages per second from one connection in the long run.
        messages_per_second: u32 = wire::MESSAGES_PER_SECOND as _, 1 => 1_000_000;
        /// Messages from one connection at once after a rest.
        message_burst: u32 = wire::MESSAGE_BURST as _, 1 => 1_000_000;
        /// Messages beyond the rate that are answered with an error before the connection is closed.
        rate_errors: u32 = 100, 1 => 1_000_000;
        /// Bytes that may wait for a player's connection; beyond, it is closed and can resume.
        outbox_bytes: usize = 1024 * 1024, 65_536 => 1_073_741_824;
        /// Bytes taken together into one write to a socket.
        write_bytes: usize = 65_536, 4_096 => 16_777_216;
        /// Open seeks of one identity.
        open_seeks: usize = wire::OPEN_SEEKS_MAX as _, 1 => 1_000;
        /// Open seeks of the whole server.
        open_seeks_total: usize = 20_000, 1 => 1_000_000;
        /// Messages in the lobby's mailbox.
        lobby_mailbox: usize = 4_096, 16 => 1_000_000;
        /// Connections that follow the lobby.
        lobby_subscribers: usize = 20_000, 1 => 1_000_000;
        /// Entries in one list of seeks or games.
        list_entries: usize = 500, 10 => 5_000;
        /// Lexica in the data directory.
        lexica: usize = 64, 0 => 1_000;
        /// Bytes of a lexicon's file.
        lexicon_bytes: u64 = 64 * 1024 * 1024, 1_024 => 1_073_741_824;
        /// New guests from one address in the time of timing.new_guests_ms.
        new_guests_per_address: usize = 5_000, 1 => 1_000_000_000;
        /// Wrong codes of one identity that are answered at once; after each further one it has to wait.
        wrong_codes: u32 = 5, 1 => 1_000;
        /// Unfinished games in memory at once; beyond, no new ones begin. Those that sleep do not count.
        running_games: usize = 100_000, 1 => 10_000_000;
        /// Unfinished games and open seeks of one identity, its own and those it has joined.
        games_per_identity: usize = 64, 1 => 10_000;
        /// Sleeping games that are woken at once when their deadlines have come.
        games_woken: usize = 16, 1 => 1_024;
        /// Messages in a game's mailbox.
        game_mailbox: usize = 256, 8 => 1_000_000;
        /// Recent events of a game kept in memory for clients that resume; who is further behind gets a snapshot.
        history_events: usize = 256, 0 => 100_000;
        /// Commands of a game that wait for the append in flight.
        commands_waiting: usize = 32, 1 => 10_000;
        /// Spectators of one game.
        spectators: usize = 50_000, 0 => 1_000_000;
        /// House bots that think at once; others wait.
        bots_thinking: usize = 2, 1 => 1_024;
        /// Records of finished games read at once over HTTP.
        records_read: usize = 8, 1 => 10_000;
        /// Messages of a game that wait for its hub; beyond, spectators get a snapshot instead.
        hub_queue: usize = 1_024, 8 => 1_000_000;
    }
}

section! {
    /// How long everything may take.
    pub struct Timing {
        /// Time for a TLS handshake, and for the headers of each HTTP request.
        handshake_ms: i64 = 10 * SECOND, 10 => HOUR;
        /// Time for everything on a connection before it becomes a WebSocket.
        http_ms: i64 = MINUTE, 10 => HOUR;
        /// Silence after which the system asks whether the other side is still there.
        tcp_keepalive_ms: i64 = 30 * SECOND, SECOND => 2 * HOUR;
        /// How long bytes sent may stay unacknowledged before the system gives the connection up.
        tcp_user_timeout_ms: i64 = 30 * SECOND, SECOND => HOUR;
        /// Interval at which the files of the certificate are looked at for changes.
        certificate_check_ms: i64 = MINUTE, 10 => DAY;
        /// Time for `auth` after the connection.
        auth_within_ms: i64 = wire::AUTH_WITHIN_MS, 10 => HOUR;
        /// Interval of the server's pings.
        heartbeat_ms: i64 = wire::HEARTBEAT_MS, 10 => HOUR;
        /// Silence after which a connection is given up; longer than two heartbeats.
        heartbeat_lost_ms: i64 = wire::HEARTBEAT_LOST_MS, 25 => 3 * HOUR;
        /// Time for a client to read anything of a full socket.
        write_stall_ms: i64 = 20 * SECOND, 10 => HOUR;
        /// Time for a client to answer a close frame.
        close_linger_ms: i64 = 2 * SECOND, 1 => MINUTE;
        /// How long a player may be without a connection before the rules are told.
        vanish_grace_ms: i64 = 5 * SECOND, 0 => DAY;
        /// Shortest time between two notices of how many watch.
        crowd_every_ms: i64 = 2 * SECOND, 1 => HOUR;
        /// Shortest time between two writes to the spectators of a game: what happens meanwhile goes out together.
        spectator_gap_ms: i64 = 20, 0 => MINUTE;
        /// How soon a hub looks again after spectators who did not keep up.
        lagging_retry_ms: i64 = 250, 1 => MINUTE;
        /// How long a finished game stays in memory after the last one has left.
        finished_idle_ms: i64 = MINUTE, 0 => DAY;
        /// How long nobody is at a game by correspondence, and nothing happens in it, before it leaves memory and sleeps.
        sleep_idle_ms: i64 = MINUTE, 10 => DAY;
        /// How far away the next deadline of a game must be for it to sleep; at least the two following together.
        sleep_min_ms: i64 = 10 * MINUTE, 20 => 366 * DAY;
        /// How long before its deadline a sleeping game is loaded, so that what comes in time finds it there.
        wake_ahead_ms: i64 = 2 * SECOND, 0 => HOUR;
        /// Longest time between two looks for games to be woken.
        wake_poll_ms: i64 = MINUTE, 10 => DAY;
        /// How long an append may take before people are told that the game waits.
        storage_stall_ms: i64 = 2 * SECOND, 1 => HOUR;
        /// Pause before the first retry of an append that failed; doubles with each further one.
        storage_retry_ms: i64 = 100, 1 => HOUR;
        /// Longest pause between two retries.
        storage_retry_max_ms: i64 = 5 * SECOND, 1 => HOUR;
        /// Most network delay given back for one command.
        lag_credit_max_ms: i64 = 500, 0 => 10 * SECOND;
        /// Shortest time a house bot takes to act.
        bot_pause_min_ms: i64 = 600, 0 => HOUR;
        /// Longest time a house bot takes to act; it hurries when its clock runs low.
        bot_pause_max_ms: i64 = 4 * SECOND, 0 => HOUR;
        /// How long an open seek outlives its owner's last connection.
        seek_orphan_ms: i64 = 5 * MINUTE, 0 => 366 * DAY;
        /// The time for which the new guests of an address are counted.
        new_guests_ms: i64 = HOUR, 10 => DAY;
        /// The wait after one wrong code too many; doubles with each further one.
        wrong_code_wait_ms: i64 = 10 * SECOND, 10 => HOUR;
        /// The longest wait after a wrong code; after as much time without one, one is forgotten.
        wrong_code_wait_max_ms: i64 = 10 * MINUTE, 10 => DAY;
        /// When clients are asked to come back after a restart.
        reconnect_after_ms: i64 = SECOND, 0 => HOUR;
        /// How long a graceful stop may take before the process ends anyway.
        shutdown_ms: i64 = 10 * SECOND, 1 => HOUR;
    }
}

section! {
    /// The operator's part of every game's options; a game keeps what it was created with.
    pub struct GameTiming {
        /// How long the players have to say that they are ready before the game is cancelled.
        ready_ms: i64 = MINUTE, 10 => 366 * DAY;
        /// How long after creation a player's nonce still counts.
        nonce_ms: i64 = 10 * SECOND, 0 => HOUR;
        /// How long all opponents can challenge before a fast next turn takes effect (3 and 4 seats).
        protect_ms: i64 = 5 * SECOND, 0 => HOUR;
        /// How long after the play a hold keeps the window open at most.
        hold_ms: i64 = MINUTE, 10 => DAY;
        /// How long the author of a challenged play may withdraw it, where that is asked.
        consent_ms: i64 = 30 * SECOND, 10 => DAY;
        /// How long an out-play can be challenged.
        final_ms: i64 = 20 * SECOND, 10 => DAY;
        /// How long a vanished player's opponents wait before they can claim, where the game does not say.
        vanish_claim_ms: i64 = MINUTE, 0 => 366 * DAY;
        /// How long an untimed game waits for the seat on turn.
        abandon_ms: i64 = 14 * DAY, 10 => 366 * DAY;
    }
}

impl GameTiming {
    /// Returns the same as the rules know it.
    #[must_use]
    pub const fn for_rules(&self) -> tilewire_rules::options::Timing {
        tilewire_rules::options::Timing {
            ready_ms: self.ready_ms,
            nonce_ms: self.nonce_ms,
            protect_ms: self.protect_ms,
            hold_ms: self.hold_ms,
            consent_ms: self.consent_ms,
            final_ms: self.final_ms,
            vanish_claim_ms: self.vanish_claim_ms,
            abandon_ms: self.abandon_ms,
        }
    }
}

section! {
    /// How long things are kept.
    pub struct Retention {
        /// Days a finished game is kept; 0 keeps it for ever.
        finished_games_days: i64 = 0, 0 => 36_500;
        /// How long the answers to lobby commands are kept for retries.
        lobby_commands_ms: i64 = wire::SEEK_COMMANDS_KEPT_MS, MINUTE => 366 * DAY;
        /// Interval of the removal of what is kept no longer.
        sweep_every_ms: i64 = 10 * MINUTE, 10 => DAY;
        /// Games removed in one step; the removal gives way to games being played between two steps.
        sweep_batch: usize = 20, 1 => 10_000;
    }
}

section! {
    /// How the storage works.
    pub struct StorageConfig {
        /// Changes that may wait to be written; beyond, games are told that the storage is not available.
        queue: usize = 8_192, 1 => 1_000_000;
        /// Changes written with one flush of the disk.
        batch: usize = 512, 1 => 100_000;
        /// Reads that may wait.
        read_queue: usize = 4_096, 1 => 1_000_000;
        /// How long to wait for another program that holds the database, such as a backup.
        busy_timeout_ms: i64 = 2 * SECOND, 0 => 10 * MINUTE;
        /// Interval of the liveness stamp; the time an outage is credited with is this exact.
        stamp_every_ms: i64 = SECOND, 10 => MINUTE;
        /// Flushes between two transfers of the write-ahead log into the database.
        checkpoint_every: u32 = 8_000, 1 => 1_000_000;
        /// Changes between two transfers at most; each makes the write-ahead log longer by some 3 KiB.
        checkpoint_changes: usize = 16_384, 1 => 10_000_000;
        /// Memory for pages of the database that are written to, MiB at most: room for what a batch touches. More would be
        /// looked through whenever a page has been split.
        cache_mib: u32 = 4, 1 => 65_536;
        /// Largest database, in MiB, whose pages are checked before the server starts.
        check_at_start_mib: u64 = 256, 0 => 1_000_000;
    }
}

section! {
    /// When there is too much to do, and how the server helps itself.
    pub struct OverloadConfig {
        /// Interval of the measurements.
        measure_every_ms: i64 = 100, 10 => MINUTE;
        /// How late a task may run; from there on there is too much to do.
        lag_ms: i64 = 200, 1 => MINUTE;
        /// Percentage of storage.queue that may wait for the disk; from there on there is too much to do.
        journal_percent: u32 = 50, 1 => 100;
        /// Percentage of limits.lobby_mailbox that may wait for the lobby; from there on there is too much to do.
        lobby_percent: u32 = 50, 1 => 100;
        /// Percentage of these bounds under which it is calm.
        calm_percent: u32 = 50, 1 => 100;
        /// How long there must be too much to do before something more is left out.
        rise_ms: i64 = SECOND, 10 => HOUR;
        /// How long it must be calm before something is taken up again.
        fall_ms: i64 = 5 * SECOND, 10 => HOUR;
        /// While spectators see what happens in groups: the time between two groups.
        group_ms: i64 = SECOND, 10 => MINUTE;
        /// When those are asked to come again who are refused meanwhile.
        retry_after_ms: i64 = 5 * SECOND, 0 => HOUR;
        /// What is left out always: 0 nothing, 1 new spectators, 2 their moves at once, 3 presence, 4 new games.
        least_level: u8 = 0, 0 => 4;
    }
}

section! {
    /// How tokens are made, and which are taken.
    pub struct IdentityConfig {
        /// How long a token is good for; every connection and every renewal brings a new one. 0 makes tokens that do not end.
        token_ms: i64 = 365 * DAY, 0 => 36_500 * DAY;
        /// How long somebody whom the embedding site sent can come back without a new token of the site.
        site_session_ms: i64 = 12 * HOUR, SECOND => 366 * DAY;
        /// How far the clocks of the embedding site and this server may be apart.
        site_leeway_ms: i64 = 30 * SECOND, 0 => 10 * MINUTE;
        /// Interval at which keys, revocations and the site's key file are looked at for changes.
        refresh_ms: i64 = SECOND, 10 => HOUR;
    }
}
