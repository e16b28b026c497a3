//! The command `admin`: what it asks about the server as a whole.

use clap::{Args, Subcommand};

/// A request about the server as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum ServerTask {
    /// Show whether games may begin, and how many are not over
    Lobby,
    /// Close the lobby: no game begins, and games go on; a restart opens it
    CloseLobby {
        /// The reason, which players read
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Open the lobby again
    OpenLobby {
        /// The reason, for the audit
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// List the notices that wait
    Notices,
    /// Send a notice to all connections, now or later
    Notice(NoticeArgs),
    /// Cancel a notice that waits
    CancelNotice {
        /// The number of the notice
        #[arg(value_name = "NUMBER")]
        number: u64,
        /// The reason, for the audit
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// List the blocked address ranges
    Addresses,
    /// Block an address range: connections from it are refused
    BlockAddress {
        /// An address, or a network such as 203.0.113.0/24
        #[arg(value_name = "NETWORK")]
        network: String,
        /// The hours after which it ends by itself; without them, it lasts until it is lifted
        #[arg(long, value_name = "HOURS", value_parser = clap::value_parser!(u32).range(1..=87_600))]
        hours: Option<u32>,
        /// The reason, for the audit
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Lift the block of an address range
    LiftAddress {
        /// The network, as the list names it
        #[arg(value_name = "NETWORK")]
        network: String,
        /// The reason, for the audit
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Read the settings again, as SIGHUP does; with a mistake, nothing changes
    Reload {
        /// The reason, for the audit
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Write more about a game or a player to the log for a time
    Watch {
        /// The game
        #[arg(long, value_name = "GAME", required_unless_present = "player")]
        game: Option<String>,
        /// The handle or the identity of a player
        #[arg(long, value_name = "PLAYER", conflicts_with = "game")]
        player: Option<String>,
        /// For how many minutes
        #[arg(long, value_name = "MINUTES", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=1_440))]
        minutes: u32,
        /// The reason, for the audit
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// List the games and players with detailed logs
    Watches,
}

/// A notice.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct NoticeArgs {
    /// The topic, for programs, such as maintenance
    #[arg(value_name = "CODE")]
    pub code: String,
    /// The text, for people
    #[arg(value_name = "TEXT")]
    pub text: String,
    /// The minutes until the event that it is about
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u32).range(1..=525_600))]
    pub event_in: Option<u32>,
    /// How many minutes the event takes
    #[arg(long, value_name = "MINUTES", requires = "event_in", value_parser = clap::value_parser!(u32).range(1..=525_600))]
    pub event_for: Option<u32>,
    /// The minutes until the notice is sent first; without them, at once
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u32).range(1..=525_600))]
    pub delay: Option<u32>,
    /// Send it again at this interval in minutes before the event
    #[arg(long, value_name = "MINUTES", requires = "event_in", value_parser = clap::value_parser!(u32).range(1..=525_600))]
    pub every: Option<u32>,
    /// The reason, for the audit
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
}
