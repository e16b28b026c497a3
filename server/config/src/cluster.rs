//! Several servers that share one database, and their bounds.

use std::path::PathBuf;

use tilewire_rules::time::Millis;

use super::DatabaseUrl;
use super::sections::{HOUR, MINUTE, SECOND};

section! {
    /// Several servers on one database of PostgreSQL.
    pub struct ClusterConfig {
        texts {
            /// A server of NATS, over which the servers pass requests of players on. Empty: they do not.
            nats_url: DatabaseUrl;
            /// File whose first line is the password of the user at NATS. Empty: it is in the URL, or none is needed.
            nats_credentials_file: PathBuf;
            /// File with the certificates that vouch for NATS. Empty: those of the system.
            nats_ca_file: PathBuf;
            /// Name of the cluster at NATS, for several of them on the same servers. Empty: `main`.
            nats_name: String;
        }
        /// Unique number of this server in a cluster on one database; 0: the server needs the database to itself.
        node: i32 = 0, 0 => 10_000;
        /// Interval at which a server renews its lease and reads which one owns what.
        renew_ms: Millis = 500, 20 => MINUTE;
        /// Time to live of a lease: a server that was not seen for so long loses its games to the others.
        lease_ms: Millis = 2_500, 100 => 10 * MINUTE;
        /// Time that a shard without an owner is left to each server that comes before this one for it.
        claim_wait_ms: Millis = 700, 0 => 10 * MINUTE;
        /// Time for which a server must have renewed its lease before shards move to it without need.
        settle_ms: Millis = 5 * SECOND, 0 => HOUR;
        /// Time for the games of a shard to finish what they are storing; then the shard stays for now.
        pause_ms: Millis = SECOND, 10 => MINUTE;
        /// Time until a shard that could not be given away is tried again.
        retry_ms: Millis = SECOND, 10 => HOUR;
        /// Time over which a server that stops sends its clients to the others; then it gives its shards away.
        move_ms: Millis = MINUTE, 0 => HOUR;
        /// Time for a server that stops to give its shards away; then it leaves them to the others.
        drain_ms: Millis = 30 * SECOND, 0 => HOUR;
        /// Shards that are loaded at the same time.
        loads: usize = 64, 1 => 257;
        /// Shards on their way to other servers at the same time.
        gives: usize = 8, 1 => 257;
        /// Longest time between two messages to another server; a lost message is found within it.
        beat_ms: Millis = 250, 10 => MINUTE;
        /// Silence of another server after which nothing is sent to it, and its games count as standing still.
        silent_ms: Millis = 1_500, 20 => 10 * MINUTE;
        /// Time without a server for a game after which its clients are told that it stands still.
        grace_ms: Millis = 250, 0 => MINUTE;
        /// Time for which a flag, or another deadline of a game, waits for commands of players who are connected to other servers.
        deadline_wait_ms: Millis = 50, 0 => SECOND;
        /// Time for which a request waits for the next server of its game; then it is refused.
        hold_ms: Millis = 20 * SECOND, 10 => 10 * MINUTE;
        /// Clients of other servers that this one serves; beyond, their servers try again later.
        channels: usize = 200_000, 1 => 10_000_000;
        /// Bytes of requests of this server's clients that wait for other servers.
        held_bytes: usize = 67_108_864, 1_024 => 17_179_869_184;
    }
}

impl ClusterConfig {
    /// Says whether the server passes requests of its players on to the others.
    #[must_use]
    pub const fn relays(&self) -> bool {
        self.is_on() && !self.nats_url.is_empty()
    }

    /// Says whether the server shares its database with others.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.node != 0
    }
}
