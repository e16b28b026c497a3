//! The options that all scenarios share, and the values that flags take.

mod inapplicable;
mod values;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use tilewire_protocol::ChallengeKind;

pub use inapplicable::conditions;
pub use inapplicable::{INAPPLICABLE, INAPPLICABLE_TOGETHER};
pub use values::{address, in_millis, level, level_name};
pub use values::{millis, seconds, share};

/// How to do it.
#[derive(Debug, Clone, Args)]
pub struct CommonOptions {
    /// The server's program [default: tilewire-server beside this one]
    #[arg(long, global = true, value_name = "PATH")]
    pub server_bin: Option<PathBuf>,
    /// Load the server that listens there instead of starting one; ws://ADDR:PORT/ws is understood as well
    #[arg(long, global = true, value_name = "ADDR:PORT", value_parser = address)]
    pub url: Option<String>,
    /// Where that server keeps its figures
    #[arg(long, global = true, value_name = "ADDR:PORT", requires = "url")]
    pub admin: Option<String>,
    /// Cores of the server [default: half of them]
    #[arg(long, global = true, value_name = "N,N", value_delimiter = ',')]
    pub server_cores: Option<Vec<usize>>,
    /// Lines for the server's configuration, such as `[timing]` and `heartbeat_ms = 30000`; may be repeated
    #[arg(long, global = true, value_name = "LINE")]
    pub set: Vec<String>,
    /// Time before measuring begins. Players come during its first half (`restart`: all of it), with those who watch
    /// or follow them; spectators of `hot` and connections of `idle` have come before it
    #[arg(long, global = true, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    pub warm_up: Duration,
    /// Time that is measured
    #[arg(long, global = true, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub duration: Duration,
    /// Append to a file beside the server's data now and then, to know whether it was the disk that stood still
    #[arg(long, global = true)]
    pub disk_probe: bool,
    /// Runs, each with a fresh server
    #[arg(long, global = true, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub repeat: u32,
    /// What all chance follows from
    #[arg(long, global = true, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Write the report as JSON; - for the standard output
    #[arg(long, global = true, value_name = "FILE")]
    pub json: Option<String>,
    /// Write the report with plots as a page
    #[arg(long, global = true, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Show no progress
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

/// The challenge rules games can be loaded with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChallengeRule {
    /// The server refuses what is no word.
    Void,
    /// A failed challenge costs nothing.
    Single,
    /// A failed challenge costs the next turn.
    Double,
}

impl ChallengeRule {
    /// The same on the wire.
    pub const fn kind(self) -> ChallengeKind {
        match self {
            Self::Void => ChallengeKind::Void,
            Self::Single => ChallengeKind::Single,
            Self::Double => ChallengeKind::Double,
        }
    }
}
