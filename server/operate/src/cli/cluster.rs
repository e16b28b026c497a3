//! The tasks about several servers on one database.

use clap::Subcommand;

/// A task about several servers on one database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Subcommand)]
pub enum ClusterTask {
    /// List the servers, when each was last seen, and which of the 256 shards of games and the lobby each owns
    Status {
        /// Print JSON: all servers and parts, times as Unix ms of the database
        #[arg(long)]
        json: bool,
    },
}
