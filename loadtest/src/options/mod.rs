//! The options that all scenarios share, and the values that flags take.

mod inapplicable;
mod values;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use tilewire_protocol::ChallengeKind;

pub use inapplicable::conditions;
pub use inapplicable::{INAPPLICABLE, INAPPLICABLE_TOGETHER};
pub use values::{address, in_millis, level, level_name};
pub use values::{millis, seconds, share};

/// The options that all scenarios share.
#[derive(Debug, Clone, Args)]
pub struct CommonOptions {
    /// The server binary [default: tilewire-server in the folder of this program]
    #[arg(long, global = true, value_name = "PATH")]
    pub server_bin: Option<PathBuf>,
    /// Load a running server instead of starting one; ws://ADDR:PORT/ws is also accepted
    #[arg(long, global = true, value_name = "ADDR:PORT", value_parser = address)]
    pub url: Option<String>,
    /// The admin address of that server, for its metrics
    #[arg(long, global = true, value_name = "ADDR:PORT", requires = "url")]
    pub admin: Option<String>,
    /// Cores of the server [default: the lower half]
    #[arg(long, global = true, value_name = "N,N", value_delimiter = ',')]
    pub server_cores: Option<Vec<usize>>,
    /// A line for the server's configuration, such as `[timing]` and `heartbeat_ms = 30000`; may be repeated
    #[arg(long, global = true, value_name = "LINE")]
    pub set: Vec<String>,
    /// Warm-up before the measured phase. Players and their spectators connect during its first half (`restart`: all of
    /// it); spectators of `hot` and connections of `idle` connect before it
    #[arg(long, global = true, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    pub warm_up: Duration,
    /// Measured time
    #[arg(long, global = true, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub duration: Duration,
    /// Append to a file beside the server's data while measuring, to tell a slow disk from a slow server
    #[arg(long, global = true)]
    pub disk_probe: bool,
    /// Number of runs, each with a fresh server
    #[arg(long, global = true, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub repeat: u32,
    /// Seed of all random choices
    #[arg(long, global = true, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Write the report as JSON to FILE; - writes to standard output
    #[arg(long, global = true, value_name = "FILE")]
    pub json: Option<String>,
    /// Write the report with plots as an HTML page
    #[arg(long, global = true, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Show no progress
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

impl CommonOptions {
    /// The server binary.
    ///
    /// # Errors
    /// When this program does not know where it is.
    pub(crate) fn server_program(&self) -> Result<PathBuf> {
        let beside = std::env::current_exe()?.with_file_name("tilewire-server");
        Ok(self.server_bin.clone().unwrap_or(beside))
    }
}

/// The challenge rules of the games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChallengeRule {
    /// The server rejects invalid words.
    Void,
    /// A failed challenge costs nothing.
    Single,
    /// A failed challenge costs the next turn.
    Double,
}

impl ChallengeRule {
    /// The rule in the protocol.
    pub const fn kind(self) -> ChallengeKind {
        match self {
            Self::Void => ChallengeKind::Void,
            Self::Single => ChallengeKind::Single,
            Self::Double => ChallengeKind::Double,
        }
    }
}
