//! Every setting that is a number: name, type, default, smallest and largest value.
//!
//! Durations are in milliseconds (`_ms`) unless the name says another unit.

use std::path::PathBuf;

use tilewire_protocol::limits as wire;
use tilewire_rules::time::Millis;

use super::DatabaseUrl;

/// A second, ms.
pub(super) const SECOND: i64 = 1_000;
/// A minute, ms.
pub(super) const MINUTE: i64 = 60 * SECOND;
/// An hour, ms.
pub(super) const HOUR: i64 = 60 * MINUTE;
/// A day, ms.
pub(super) const DAY: i64 = 24 * HOUR;

section! {
    /// Limits.
    pub struct Limits {
        /// Connections of the whole server.
        connections: usize = 60_000, 1 => 1_000_000;
        /// Connections from one address. IPv6: the first 64 bits are an address; 56 bits have twice the limits, 48 four times.
        connections_per_address: usize = 1_024, 1 => 1_000_000;
        /// Unauthenticated connections.
        unauthenticated: usize = 8_192, 1 => 1_000_000;
        /// Unauthenticated connections from one address.
        unauthenticated_per_address: usize = 512, 1 => 1_000_000;
        /// New connections per second, on average.
        accepts_per_second: u32 = 2_000, 1 => 1_000_000;
        /// New connections in a burst: after a restart all clients reconnect.
        accept_burst: u32 = 8_192, 1 => 1_000_000;
        /// New connections per second from one address, on average.
        accepts_per_second_per_address: u32 = 100, 1 => 1_000_000;
        /// New connections in a burst from one address.
        accept_burst_per_address: u32 = 1_024, 1 => 1_000_000;
        /// Average rate limit of one address, in simple requests per second; above the limit, the server reads slowly.
        budget_per_second_per_address: u32 = 1_000, 1 => 1_000_000_000;
        /// Burst limit of one address, in simple requests.
        budget_burst_per_address: u32 = 4_000, 1 => 1_000_000_000;
        /// Bytes of an HTTP request up to the end of its headers.
        http_header_bytes: usize = 16_384, 8_192 => 1_048_576;
        /// Connections of one identity, on all its devices.
        connections_per_identity: usize = 16, 1 => 10_000;
        /// Games that one connection may attach to.
        attached_games: usize = wire::ATTACHED_GAMES_MAX as _, 1 => 10_000;
        /// Unanswered requests of one connection.
        requests_in_flight: usize = wire::REQUESTS_IN_FLIGHT_MAX as _, 1 => 10_000;
        /// Messages per second from one connection, on average.
        messages_per_second: u32 = wire::MESSAGES_PER_SECOND as _, 1 => 1_000_000;
        /// Messages in a burst from one connection.
        message_burst: u32 = wire::MESSAGE_BURST as _, 1 => 1_000_000;
        /// Messages beyond the rate that are answered with an error before the connection is closed.
        rate_errors: u32 = 100, 1 => 1_000_000;
        /// Bytes that may wait for one connection; beyond, it is closed and the client can resume.
        outbox_bytes: usize = 1024 * 1024, 65_536 => 1_073_741_824;
        /// Bytes that may wait for all connections together, beyond 64 KiB for each.
        backlog_bytes: usize = 256 * 1024 * 1024, 1_048_576 => 1_099_511_627_776;
        /// Bytes that may wait for the connections of one address, beyond 64 KiB for each; beyond, those are closed for which more
        /// would wait.
        backlog_bytes_per_address: usize = 32 * 1024 * 1024, 1_048_576 => 1_099_511_627_776;
        /// Bytes that the kernel keeps for one connection until its client reads them; Linux keeps twice as many.
        send_buffer_bytes: u32 = 65_536, 4_096 => 16_777_216;
        /// Bytes that the kernel keeps for one connection until the server reads them; Linux keeps twice as many.
        receive_buffer_bytes: u32 = 32_768, 4_096 => 16_777_216;
        /// Bytes of one write to a socket, at about.
        write_bytes: usize = 65_536, 4_096 => 16_777_216;
        /// Open seeks of one identity.
        open_seeks: usize = wire::OPEN_SEEKS_MAX as _, 1 => 1_000;
        /// Open seeks of all clients of one address.
        open_seeks_per_address: usize = 250, 1 => 1_000_000;
        /// Open seeks of the whole server.
        open_seeks_total: usize = 20_000, 1 => 1_000_000;
        /// Largest difference of ratings in a rated quick match at first, points.
        quick_range: u32 = 100, 0 => 10_000;
        /// Points by which the range of a waiting rated quick match widens each timing.quick_range_every_ms.
        quick_range_step: u32 = 50, 1 => 10_000;
        /// Largest difference of ratings in a rated quick match that does not ask for any rating, points.
        quick_range_most: u32 = 500, 0 => 10_000;
        /// Open invitations that one identity has sent.
        open_invitations: usize = 20, 1 => 1_000;
        /// Invitations that one identity may send in a minute, on average.
        invitations_per_minute: u32 = 6, 1 => 1_000_000;
        /// Invitations that one identity may send at once after a rest.
        invitations_burst: u32 = 20, 1 => 1_000_000;
        /// Messages in the lobby's mailbox.
        lobby_mailbox: usize = 4_096, 16 => 1_000_000;
        /// Subscribers of the lobby.
        lobby_subscribers: usize = 20_000, 1 => 1_000_000;
        /// Entries in one list of seeks or games.
        list_entries: usize = 500, 10 => 5_000;
        /// Lexica in the data directory.
        lexica: usize = 64, 0 => 1_000;
        /// Bytes of a lexicon's file.
        lexicon_bytes: u64 = 64 * 1024 * 1024, 1_024 => 1_073_741_824;
        /// New guests from one address within timing.new_guests_ms.
        new_guests_per_address: usize = 5_000, 1 => 1_000_000_000;
        /// Wrong codes of one identity after which it has to wait; it waits again after each further one.
        wrong_codes: u32 = 5, 1 => 1_000;
        /// Wrong codes for records from one address after which it has to wait; it waits again after each further one.
        wrong_codes_per_address: u32 = 20, 1 => 1_000_000;
        /// Wrong passwords and recovery codes for one account from one address after which the next one has to wait; longer after
        /// each further one.
        wrong_passwords: u32 = 5, 1 => 1_000;
        /// Wrong passwords and recovery codes for one account, from all addresses where its player was not signed in, after which
        /// the next one from such an address has to wait.
        wrong_passwords_of_strangers: u32 = 50, 1 => 1_000_000;
        /// Wrong passwords and recovery codes from one address after which the next one has to wait.
        wrong_passwords_per_address: u32 = 20, 1 => 1_000_000;
        /// Passwords that are hashed at the same time; each takes 19 MiB and a processor.
        passwords_hashed: usize = 2, 1 => 64;
        /// Passwords of strangers that are hashed or wait for it; as many of players at addresses where they were signed in.
        passwords_waiting: usize = 64, 1 => 10_000;
        /// Passwords of one address that are hashed or wait for it, of both sorts.
        passwords_waiting_per_address: usize = 8, 1 => 10_000;
        /// Registrations from one address within timing.registrations_ms.
        registrations_per_address: usize = 100, 1 => 1_000_000_000;
        /// Reports of players from one address within timing.reports_ms.
        reports_per_address: usize = 50, 1 => 1_000_000;
        /// Exports of everything about a player to one address within timing.exports_ms.
        exports_per_address: usize = 20, 1 => 1_000_000_000;
        /// Exports of finished games, of 500 games each, to one address within timing.exports_ms.
        exports_of_games_per_address: usize = 100, 1 => 1_000_000;
        /// Notices of the operator per minute, and in a burst.
        notices_per_minute: u32 = 10, 1 => 1_000;
        /// Unfinished games in memory; beyond, no new ones begin. Sleeping games do not count.
        running_games: usize = 100_000, 1 => 10_000_000;
        /// Unfinished games in memory that clients of one address have opened.
        games_per_address: usize = 1_000, 1 => 10_000_000;
        /// Unfinished games and open seeks that one identity takes part in.
        games_per_identity: usize = 64, 1 => 10_000;
        /// Games that one identity may begin in a minute, on average.
        games_per_minute: u32 = 12, 1 => 1_000_000;
        /// Games that one identity may begin at once.
        games_burst: u32 = 100, 1 => 1_000_000;
        /// Games that the clients of one address may begin in a minute, on average.
        games_per_minute_per_address: u32 = 120, 1 => 1_000_000;
        /// Games that the clients of one address may begin at once.
        games_burst_per_address: u32 = 500, 1 => 1_000_000;
        /// Sleeping games that are loaded at the same time when their deadlines come.
        games_woken: usize = 16, 1 => 1_024;
        /// Messages in a game's mailbox.
        game_mailbox: usize = 256, 8 => 1_000_000;
        /// Recent events of a game in memory for clients that resume; a client that needs older ones gets a snapshot.
        history_events: usize = 256, 0 => 100_000;
        /// Commands of a game that wait for its append in flight.
        commands_waiting: usize = 32, 1 => 10_000;
        /// Spectators of one game.
        spectators: usize = 50_000, 0 => 1_000_000;
        /// House bots and hints that are computed at the same time.
        bots_thinking: usize = 2, 1 => 1_024;
        /// Records of finished games that are read at the same time over HTTP.
        records_read: usize = 8, 1 => 10_000;
        /// Records and lists of finished games that are read at the same time for one address.
        records_per_address: usize = 4, 1 => 10_000;
        /// Requests of moderators that are answered at the same time although `records_read` is used up.
        moderators_reading: usize = 4, 1 => 1_000;
        /// Exports that the server works on at the same time. An export that waits for its client does not count.
        exports_written: usize = 2, 1 => 1_000;
        /// Exports that are sent at the same time.
        exports_sent: usize = 64, 1 => 400;
        /// Exports that are sent at the same time to one address.
        exports_sent_per_address: usize = 4, 1 => 400;
        /// Messages of a game that wait for its hub; beyond, spectators get a snapshot instead.
        hub_queue: usize = 1_024, 8 => 1_000_000;
    }
}

section! {
    /// Times.
    pub struct Timing {
        /// Time for a TLS handshake, and for the headers of each HTTP request.
        handshake_ms: Millis = 10 * SECOND, 10 => HOUR;
        /// Time from the connection to the upgrade to a WebSocket.
        http_ms: Millis = MINUTE, 10 => HOUR;
        /// Silence after which the system probes the connection (TCP keepalive).
        tcp_keepalive_ms: Millis = 30 * SECOND, SECOND => 2 * HOUR;
        /// Time after which the system closes a connection with unacknowledged bytes.
        tcp_user_timeout_ms: Millis = 30 * SECOND, SECOND => HOUR;
        /// Interval of checks whether the certificate files have changed.
        certificate_check_ms: Millis = MINUTE, 10 => DAY;
        /// Time for `auth` after the WebSocket has opened.
        auth_within_ms: Millis = wire::AUTH_WITHIN_MS, 10 => HOUR;
        /// Interval of the server's pings.
        heartbeat_ms: Millis = wire::HEARTBEAT_MS, 10 => HOUR;
        /// Silence after which a connection is closed; more than two heartbeats.
        heartbeat_lost_ms: Millis = wire::HEARTBEAT_LOST_MS, 25 => 3 * HOUR;
        /// Longest time in which a client may read nothing from a full socket.
        write_stall_ms: Millis = 20 * SECOND, 10 => HOUR;
        /// Longest time in which a client may take less than 64 KiB of an export.
        export_stall_ms: Millis = 20 * SECOND, 10 => HOUR;
        /// Time for a client to answer a close frame.
        close_linger_ms: Millis = 2 * SECOND, 1 => MINUTE;
        /// Time without a connection after which the rules treat a player as away.
        vanish_grace_ms: Millis = 5 * SECOND, 0 => DAY;
        /// Shortest time between two updates of the number of spectators.
        crowd_every_ms: Millis = 2 * SECOND, 1 => HOUR;
        /// Shortest time between two messages about a player who comes to a game and goes; the last state is told.
        presence_every_ms: Millis = SECOND, 1 => MINUTE;
        /// Shortest time between two writes to the spectators of a game; events in between are sent together.
        spectator_gap_ms: Millis = 20, 0 => MINUTE;
        /// Interval at which spectators that fell behind are offered a snapshot.
        lagging_retry_ms: Millis = 250, 1 => MINUTE;
        /// Time that a finished game stays in memory after the last client has left.
        finished_idle_ms: Millis = MINUTE, 0 => DAY;
        /// Time without clients and events after which a game leaves memory and sleeps.
        sleep_idle_ms: Millis = MINUTE, 10 => DAY;
        /// Least time to the next deadline of a game that goes to sleep; at least the two following together.
        sleep_min_ms: Millis = 10 * MINUTE, 20 => 366 * DAY;
        /// Time before its deadline at which a sleeping game is loaded, so that a command in time finds it in memory.
        wake_ahead_ms: Millis = 2 * SECOND, 0 => HOUR;
        /// Longest time between two checks for games to wake.
        wake_poll_ms: Millis = MINUTE, 10 => DAY;
        /// Time after which a slow append pauses the game.
        storage_stall_ms: Millis = 2 * SECOND, 1 => HOUR;
        /// Pause before the first retry of a failed append; doubles with each further one.
        storage_retry_ms: Millis = 100, 1 => HOUR;
        /// Longest pause between two retries.
        storage_retry_max_ms: Millis = 5 * SECOND, 1 => HOUR;
        /// Largest network delay that the clock gives back for one command.
        lag_credit_max_ms: Millis = 500, 0 => 10 * SECOND;
        /// Network delay that the clock of a player gives back in a game before the quota refills.
        lag_quota_ms: Millis = SECOND, 0 => HOUR;
        /// Part of the quota that each turn of the player refills.
        lag_refill_ms: Millis = 100, 0 => 10 * SECOND;
        /// Shortest time of a house bot's action.
        bot_pause_min_ms: Millis = 600, 0 => HOUR;
        /// Longest time of a house bot's action; it hurries when its clock runs low.
        bot_pause_max_ms: Millis = 4 * SECOND, 0 => HOUR;
        /// Time that a seek stays open after its owner's last connection has ended.
        seek_orphan_ms: Millis = 30 * SECOND, 0 => 366 * DAY;
        /// Time for which the seek of a game by correspondence stays open without a connection of its owner.
        correspondence_seek_ms: Millis = 14 * DAY, 0 => 366 * DAY;
        /// Time after which the rating range of a waiting quick match widens, again and again.
        quick_range_every_ms: Millis = 5 * SECOND, 10 => HOUR;
        /// Time after the end of a game in which a rematch can be offered.
        rematch_ms: Millis = 5 * MINUTE, 10 => 366 * DAY;
        /// Time that the offer of a rematch stays open.
        rematch_offer_ms: Millis = MINUTE, 10 => 366 * DAY;
        /// Time after the end of a game by correspondence in which a rematch can be offered.
        correspondence_rematch_ms: Millis = DAY, 10 => 366 * DAY;
        /// Time that the offer of a rematch of a game by correspondence stays open.
        correspondence_rematch_offer_ms: Millis = 3 * DAY, 10 => 366 * DAY;
        /// Time that an invitation stays open.
        invitation_ms: Millis = 15 * MINUTE, 10 => 366 * DAY;
        /// Time that an invitation to a game by correspondence stays open.
        correspondence_invitation_ms: Millis = 3 * DAY, 10 => 366 * DAY;
        /// Period in which the new guests of an address are counted.
        new_guests_ms: Millis = HOUR, 10 => DAY;
        /// Wait after limits.wrong_codes or limits.wrong_codes_per_address wrong codes; doubles with each further one.
        wrong_code_wait_ms: Millis = 10 * SECOND, 10 => HOUR;
        /// Longest wait after a wrong code; after this time without one, one is forgiven.
        wrong_code_wait_max_ms: Millis = 10 * MINUTE, 10 => DAY;
        /// Wait after limits.wrong_passwords or limits.wrong_passwords_per_address wrong passwords; doubles with each further one.
        wrong_password_wait_ms: Millis = SECOND, 10 => HOUR;
        /// Longest wait after a wrong password; after this time without one, one is forgiven.
        wrong_password_wait_max_ms: Millis = 15 * MINUTE, 10 => DAY;
        /// Period in which the registrations of an address are counted.
        registrations_ms: Millis = HOUR, 10 => DAY;
        /// Period in which the reports of players from an address are counted.
        reports_ms: Millis = DAY, 10 => 30 * DAY;
        /// Interval of the next try to tell games of a vacation.
        vacation_round_ms: Millis = MINUTE, 10 => DAY;
        /// Period in which the exports to an address are counted.
        exports_ms: Millis = HOUR, 10 => DAY;
        /// Time after which clients are asked to reconnect after a restart.
        reconnect_after_ms: Millis = SECOND, 0 => HOUR;
        /// Longest time of a graceful stop; then the process ends anyway.
        shutdown_ms: Millis = 10 * SECOND, 1 => HOUR;
    }
}

section! {
    /// The operator's part of every game's options; a game keeps what it was created with.
    pub struct GameTiming {
        /// Time for the players to say that they are ready; then the game is cancelled.
        ready_ms: Millis = MINUTE, 10 => 366 * DAY;
        /// Time after creation in which a player's nonce counts.
        nonce_ms: Millis = 10 * SECOND, 0 => HOUR;
        /// Time for all opponents to challenge before a fast next turn takes effect (3 and 4 seats).
        protect_ms: Millis = 5 * SECOND, 0 => HOUR;
        /// Longest time that a hold keeps the challenge window open after the play.
        hold_ms: Millis = MINUTE, 10 => DAY;
        /// Time for the author of a challenged play to withdraw it, if the rules allow that.
        consent_ms: Millis = 30 * SECOND, 10 => DAY;
        /// Time to challenge an out-play.
        final_ms: Millis = 20 * SECOND, 10 => DAY;
        /// Time that a vanished player's opponents wait before they can claim, if the game does not say.
        vanish_claim_ms: Millis = MINUTE, 0 => 366 * DAY;
        /// Time that an untimed game waits for the seat on turn.
        abandon_ms: Millis = 14 * DAY, 10 => 366 * DAY;
        /// Time to answer a request to abort a rated game.
        abort_ms: Millis = MINUTE, 10 => DAY;
        /// Time that an adjourned game sleeps for its players to become ready; then it is aborted, or a ready player can claim.
        adjourn_ms: Millis = 14 * DAY, 10 => 366 * DAY;
        /// Time after that in which a ready player can claim; then the game is aborted.
        adjourn_claim_ms: Millis = DAY, 10 => 366 * DAY;
        /// Time without an action of the player on turn of a live game after which another player can nudge it.
        nudge_ms: Millis = 3 * MINUTE, 10 => DAY;
        /// Time to answer a nudge in a live game; then an opponent can claim.
        nudge_answer_ms: Millis = 2 * MINUTE, 10 => DAY;
        /// As nudge_ms, in an untimed game.
        untimed_nudge_ms: Millis = 3 * DAY, 10 => 366 * DAY;
        /// As nudge_answer_ms, in an untimed game.
        untimed_nudge_answer_ms: Millis = 7 * DAY, 10 => 366 * DAY;
    }
}

impl GameTiming {
    /// Returns these settings in the rules' type.
    #[must_use]
    pub const fn for_rules(&self) -> tilewire_rules::options::Timing {
        tilewire_rules::options::Timing {
            ready_ms: self.ready_ms.0,
            nonce_ms: self.nonce_ms.0,
            protect_ms: self.protect_ms.0,
            hold_ms: self.hold_ms.0,
            consent_ms: self.consent_ms.0,
            final_ms: self.final_ms.0,
            vanish_claim_ms: self.vanish_claim_ms.0,
            abandon_ms: self.abandon_ms.0,
            abort_ms: self.abort_ms.0,
            nudge: tilewire_rules::options::NudgeTiming {
                quiet_ms: self.nudge_ms.0,
                answer_ms: self.nudge_answer_ms.0,
                untimed_quiet_ms: self.untimed_nudge_ms.0,
                untimed_answer_ms: self.untimed_nudge_answer_ms.0,
            },
            adjourn: tilewire_rules::options::AdjournTiming {
                sleep_ms: self.adjourn_ms.0,
                claim_ms: self.adjourn_claim_ms.0,
            },
        }
    }
}

section! {
    /// Retention.
    pub struct Retention {
        /// Days that a finished game is kept; 0 keeps it for ever.
        finished_games_days: i64 = 0, 0 => 36_500;
        /// Days that an aborted or cancelled game is kept; 0 keeps it as long as other finished games.
        aborted_games_days: i64 = 3, 0 => 36_500;
        /// Days that a guest is kept who does not come and has no game; 0 keeps it for ever.
        idle_guests_days: i64 = 30, 0 => 36_500;
        /// Days that a line of a chat room is kept; 0 keeps it for ever.
        chat_days: i64 = 90, 0 => 36_500;
        /// Days that a report and its lines are kept after a moderator has settled it; 0 keeps them for ever. Open reports
        /// stay.
        reports_days: i64 = 365, 0 => 36_500;
        /// Days between the request of a player to be erased and the effect; until then the player can take it back.
        erasure_days: i64 = 14, 0 => 365;
        /// Interval of the look for erasures that take effect, and of the next try of one that waits for games.
        erase_every_ms: Millis = MINUTE, 10 => DAY;
        /// Time that the answers to lobby commands are kept for retries.
        lobby_commands_ms: Millis = wire::SEEK_COMMANDS_KEPT_MS, MINUTE => 366 * DAY;
        /// Interval of the removal of old data.
        sweep_every_ms: Millis = 10 * MINUTE, 10 => DAY;
        /// Games removed in one step; games in progress go before the next step.
        sweep_batch: usize = 20, 1 => 10_000;
    }
}

section! {
    /// Storage.
    pub struct StorageConfig {
        texts {
            /// The database, such as `postgres://user@host/database`. Empty: the one in the data directory.
            url: DatabaseUrl;
            /// File with the password of the database. Empty: it is in the URL, or none is needed.
            password_file: PathBuf;
            /// File with the certificates that vouch for the database. Empty: those of the system.
            ca_file: PathBuf;
        }
        /// Changes that may wait to be written; beyond, games are paused.
        queue: usize = 8_192, 1 => 1_000_000;
        /// Changes that share one flush of the disk.
        batch: usize = 512, 1 => 100_000;
        /// Reads that may wait.
        read_queue: usize = 4_096, 1 => 1_000_000;
        /// Time to wait for another program that locks the database, such as a backup.
        busy_timeout_ms: Millis = 2 * SECOND, 0 => 10 * MINUTE;
        /// Interval of the liveness stamp; the credit for an outage is as exact.
        stamp_every_ms: Millis = SECOND, 10 => MINUTE;
        /// Flushes between two transfers of the write-ahead log into the database.
        checkpoint_every: u32 = 8_000, 1 => 1_000_000;
        /// Most changes between two transfers; each adds some 3 KiB to the write-ahead log.
        checkpoint_changes: usize = 16_384, 1 => 10_000_000;
        /// Size of the write-ahead log in MiB at which games wait for a transfer; at half of it a transfer begins. A backup that
        /// runs can make the log longer.
        log_mib: u64 = 128, 16 => 65_536;
        /// Memory for pages of the database that are being written, MiB: room for the pages of one batch. SQLite
        /// searches all of it after a page split.
        cache_mib: u32 = 4, 1 => 65_536;
        /// Largest database, in MiB, whose pages are checked before the server starts.
        check_at_start_mib: u64 = 256, 0 => 1_000_000;
        /// PostgreSQL: connections that read.
        readers: usize = 3, 1 => 64;
        /// PostgreSQL: time for a connection to be made, and at a start for the server before this one to be gone.
        connect_ms: Millis = 5 * SECOND, 10 => 10 * MINUTE;
        /// PostgreSQL: time for an answer; then the connection counts as lost.
        answer_ms: Millis = 10 * SECOND, 10 => 10 * MINUTE;
        /// PostgreSQL: time after which the database ends a transaction of a server that has stopped in the middle.
        idle_transaction_ms: Millis = 5 * SECOND, 10 => 10 * MINUTE;
    }
}

section! {
    /// Overload: when the server sheds load.
    pub struct OverloadConfig {
        /// Interval of the measurements of load.
        measure_every_ms: Millis = 100, 10 => MINUTE;
        /// Delay of a task from which on the server is overloaded.
        lag_ms: Millis = 200, 1 => MINUTE;
        /// Percentage of storage.queue in use from which on the server is overloaded.
        journal_percent: u32 = 50, 1 => 100;
        /// Percentage of limits.lobby_mailbox in use from which on the server is overloaded.
        lobby_percent: u32 = 50, 1 => 100;
        /// Percentage of these bounds below which the load is calm.
        calm_percent: u32 = 50, 1 => 100;
        /// Time of overload after which the level rises.
        rise_ms: Millis = SECOND, 10 => HOUR;
        /// Time of calm after which the level falls.
        fall_ms: Millis = 5 * SECOND, 10 => HOUR;
        /// Time between two groups of updates to spectators while they are grouped.
        group_ms: Millis = SECOND, 10 => MINUTE;
        /// Time after which a refused client may try again.
        retry_after_ms: Millis = 5 * SECOND, 0 => HOUR;
        /// Lowest level of load shedding: 0 nothing, 1 new spectators, 2 immediate updates, 3 presence, 4 new games.
        least_level: u8 = 0, 0 => 4;
    }
}

section! {
    /// Chat.
    pub struct ChatConfig {
        /// Chat rooms that the server has: 0 none, 1 those of games and friends, 2 the room of the lobby too.
        scope: u8 = 1, 0 => 2;
        /// Lines that a player can write at once.
        burst: u32 = 5, 1 => 1_000;
        /// Lines that a player can write in a minute, on average.
        lines_per_minute: u32 = 30, 1 => 60_000;
        /// Time within which the same text of a player is refused in a room.
        repeat_ms: Millis = 30 * SECOND, 0 => HOUR;
        /// Chat rooms that one connection can be in.
        rooms_per_connection: usize = 128, 1 => 10_000;
        /// Connections in all chat rooms together; one counts in each of its rooms.
        members: usize = 200_000, 1 => 10_000_000;
        /// Requests of the chat without an answer; half of them may wait for one room.
        mailbox: usize = 1_024, 8 => 1_000_000;
    }
}

section! {
    /// Tokens: how they are issued, and which are accepted.
    pub struct IdentityConfig {
        /// Lifetime of a token; every connection and every renewal issues a new one. 0 issues tokens that do not
        /// expire.
        token_ms: Millis = 365 * DAY, 0 => 36_500 * DAY;
        /// Time that a user of the embedding site can come back without a new token of the site.
        site_session_ms: Millis = 12 * HOUR, SECOND => 366 * DAY;
        /// Largest difference between the clocks of the embedding site and this server.
        site_leeway_ms: Millis = 30 * SECOND, 0 => 10 * MINUTE;
        /// Interval of checks for changed keys, revocations and the site's key file.
        refresh_ms: Millis = SECOND, 10 => HOUR;
    }
}

impl StorageConfig {
    /// Says whether the storage is a database with a server of its own.
    #[must_use]
    pub const fn has_server(&self) -> bool {
        !self.url.is_empty()
    }
}
