//! What the machine could do without rules and disk: servers that only pass frames on, and the disk alone.
//!
//! A publisher sends the frames of one turn as one message; the floor passes each of them on to every subscriber. The
//! frames are as many and as large as those of the real server, and come by the same schedule. In rooms a player's command is
//! answered, and everybody in the room is told.

mod disk;
mod matches;
mod publish;
mod room;
mod serve;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use crate::args::Common;

pub(crate) use matches::matches;
pub(crate) use publish::{FRAME_BYTES, hot};

/// Flags of `floor`.
#[derive(Debug, Clone, Args)]
pub(crate) struct FloorArgs {
    /// Which one
    #[command(subcommand)]
    kind: FloorTask,
}

/// Which floor.
#[derive(Debug, Clone, Subcommand)]
enum FloorTask {
    /// Serve frames with tokio-tungstenite and nothing else
    Relay(ServeArgs),
    /// Serve frames that are framed once for everybody, by plain writes
    Framed(ServeArgs),
    /// Measure appends with fdatasync, one after the other
    Disk {
        /// Where to write [default: a temporary directory]
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
        /// Bytes of each append
        #[arg(long, value_name = "N", default_value_t = 8_192, value_parser = clap::value_parser!(u32).range(1..=16_777_216))]
        bytes: u32,
        /// Appends
        #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
        appends: u32,
        /// Pause before each: a machine that has nothing to do takes longer to wake up for the disk
        #[arg(long, value_name = "MS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=60_000))]
        pause: u64,
    },
}

/// Flags of a floor that serves.
#[derive(Debug, Clone, Args)]
struct ServeArgs {
    /// Where subscribers connect; what it really is, is printed
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
}

/// A floor that serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FloorKind {
    /// tokio-tungstenite and nothing else.
    Relay,
    /// Frames framed once for everybody, by plain writes.
    Framed,
}

/// Flags of a scenario that is measured beside a floor.
#[derive(Debug, Clone, Copy, Default, Args, Serialize)]
pub(crate) struct Beside {
    /// Measure a server without rules and disk, too, and print what ours takes beside it: relay or framed
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) floor: Option<FloorKind>,
    /// Runs of ours and of the floor in turns (ours, floor, floor, ours ...), in place of --repeat; the ratio is that of pairs
    #[arg(long, value_name = "N", requires = "floor", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) pairs: Option<u32>,
}

impl FloorKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Relay => "relay",
            Self::Framed => "framed",
        }
    }
}

/// Whether ours goes first in the pair of this seed. What goes first may find the machine warmer or colder: each does in
/// half of the pairs.
pub(crate) const fn is_ours_first(common: &Common, seed: u64) -> bool {
    seed.wrapping_sub(common.seed).is_multiple_of(2)
}

/// Runs a floor.
///
/// # Errors
/// When it cannot listen or write.
pub(crate) fn run(args: &FloorArgs) -> Result<()> {
    crate::host::raise_open_files();
    match &args.kind {
        FloorTask::Relay(serve) => serve::run(FloorKind::Relay, serve.listen),
        FloorTask::Framed(serve) => serve::run(FloorKind::Framed, serve.listen),
        FloorTask::Disk {
            dir,
            bytes,
            appends,
            pause,
        } => disk::run(
            dir.as_deref(),
            *bytes,
            *appends,
            Duration::from_millis(*pause),
        ),
    }
}
