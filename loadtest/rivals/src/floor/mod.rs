//! The floor: bare servers that only forward frames, and the disk alone. It shows what the machine can do without rules
//! and storage.
//!
//! A bare server sends as many frames as Tilewire, of the same sizes, on the same schedule. For one game with many
//! spectators, a publisher sends the frames of a turn as one message, and the server forwards each frame to each
//! subscriber. For many games, the server answers the player's command and notifies all members of the room.

mod compare;
mod disk;
mod hot;
mod matches;
mod rooms;
mod serve;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;
use tilewire_loadtest::host;
use tilewire_loadtest::recorder::Percentiles;

pub(crate) use compare::{HotFloorArgs, MatchesFloorArgs, compare_hot, compare_matches};
pub(crate) use hot::FRAME_BYTES;

/// Flags of `floor`.
#[derive(Debug, Clone, Args)]
pub(crate) struct FloorArgs {
    /// The server to run, or the disk
    #[command(subcommand)]
    kind: FloorTask,
}

/// A bare server, or the disk.
#[derive(Debug, Clone, Subcommand)]
enum FloorTask {
    /// Forward frames with tokio-tungstenite
    Relay(ServeArgs),
    /// Frame each message once for all clients and write the bytes to the sockets
    Framed(ServeArgs),
    /// Measure sequential appends with fdatasync
    Disk {
        /// The folder to write to [default: a temporary directory]
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
        /// Bytes per append
        #[arg(long, value_name = "N", default_value_t = 8_192, value_parser = clap::value_parser!(u32).range(1..=16_777_216))]
        bytes: u32,
        /// Number of appends
        #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
        appends: u32,
        /// Pause before each append; an idle machine takes longer to wake up for the disk
        #[arg(long, value_name = "MS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=60_000))]
        pause: u64,
    },
}

/// Flags of a bare server.
#[derive(Debug, Clone, Args)]
struct ServeArgs {
    /// The address to listen on; the server prints the port it got
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
}

/// A bare server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FloorKind {
    /// Forwards frames with tokio-tungstenite.
    Relay,
    /// Frames each message once for all clients and writes the bytes.
    Framed,
}

/// The metrics of a bare server, under the keys of the load test.
#[derive(Debug, Serialize)]
struct FloorMetrics {
    /// Measured time, seconds.
    measured_s: f64,
    /// Moves per second; none for one game with spectators.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves_per_s: Option<f64>,
    /// Frames that reached a client per second.
    deliveries_per_s: f64,
    /// Deliveries per second of the server's processor time.
    #[serde(skip_serializing_if = "Option::is_none")]
    deliveries_per_cpu_s: Option<f64>,
    /// Processor time of the server per move, microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    server_cpu_us_per_move: Option<f64>,
    /// Processor time of the server per delivery, microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    server_cpu_us_per_delivery: Option<f64>,
    /// From the moment a command was due to its answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    ack_latency_us: Option<Percentiles>,
    /// From the moment a command was due to the arrival of its frames.
    push_latency_us: Percentiles,
}

impl FloorKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Relay => "relay",
            Self::Framed => "framed",
        }
    }
}

/// Runs a bare server, or measures the disk.
///
/// # Errors
/// When it cannot listen or write.
pub(crate) fn run(args: &FloorArgs) -> Result<()> {
    host::raise_open_files();
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
