//! What a run came to: figures with stable names, and the course of it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::recorder::Percentiles;

/// The figures of one run. The names of the fields are the keys of `--json` and stay.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Metrics {
    /// How long was measured, seconds.
    pub(crate) measured_s: f64,
    /// Connections open while measured.
    pub(crate) connections: u64,
    /// Games begun.
    pub(crate) games_started: u64,
    /// Games played to their end.
    pub(crate) games_finished: u64,
    /// Turns played.
    pub(crate) moves: u64,
    /// Turns played in a second.
    pub(crate) moves_per_s: f64,
    /// Commands that were refused as they should be.
    pub(crate) refusals: u64,
    /// Connections dropped on purpose, to be resumed.
    pub(crate) resumes: u64,
    /// Connections lost otherwise, and answers that the server is too busy.
    pub(crate) errors: u64,
    /// From the moment a command was due to its answer.
    pub(crate) ack_us: Percentiles,
    /// From the moment a command was due to its event's arrival at everybody else.
    pub(crate) push_us: Percentiles,
    /// From when a turn was sent to its answer: what `ack_us` would be if the harness were never late.
    pub(crate) answer_us: Percentiles,
    /// From when a seek was opened or joined to the answer; whoever takes the last seat is answered when the game is made.
    pub(crate) lobby_us: Percentiles,
    /// From a game's beginning until those who follow the lobby knew of it; by the server's milliseconds.
    pub(crate) news_us: Percentiles,
    /// How late the harness itself sent commands; what is not small against `ack_us` spoils it.
    pub(crate) harness_late_us: Percentiles,
    /// What a witness's appends to the server's disk took, flush included: what is slow there too is not the server's fault.
    pub(crate) disk_us: Percentiles,
    /// From the loss of a connection until its game was resumed.
    pub(crate) resume_us: Percentiles,
    /// From when a spectator should have come until it had the game.
    pub(crate) join_us: Percentiles,
    /// Events that reached a client.
    pub(crate) deliveries: u64,
    /// Events that reached a client in a second.
    pub(crate) deliveries_per_s: f64,
    /// Bytes of messages that reached a client in a second.
    pub(crate) bytes_per_s: f64,
    /// Snapshots that reached a client.
    pub(crate) snapshots: u64,
    /// Snapshots for spectators that the server encoded.
    pub(crate) spectator_snapshots_encoded: f64,
    /// Snapshots it sent to spectators; many get the bytes of one encoding.
    pub(crate) spectator_snapshots_sent: f64,
    /// Processor time of the server, seconds.
    pub(crate) server_cpu_s: f64,
    /// Share of one core the server used.
    pub(crate) server_cores_used: f64,
    /// Deliveries for each second of the server's processor time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) deliveries_per_cpu_s: Option<f64>,
    /// Processor time of the server for each turn played, its deliveries included, microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) server_cpu_us_per_move: Option<f64>,
    /// Processor time of the server for each delivery, microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) server_cpu_us_per_delivery: Option<f64>,
    /// Median of the server's own measure from a command's frame to its answer, microseconds: a bucket's upper bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) server_command_us_p50: Option<f64>,
    /// The same for 99 of 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) server_command_us_p99: Option<f64>,
    /// Changes of the storage written together, on average.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) storage_batch: Option<f64>,
    /// Mean time of a commit to the disk, microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) commit_us: Option<f64>,
    /// Processor time of the harness itself, seconds.
    pub(crate) harness_cpu_s: f64,
    /// Resident memory of the server at the end of the measured phase, bytes.
    pub(crate) server_rss_bytes: u64,
    /// Memory of the server's process for each connection, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bytes_per_connection: Option<f64>,
    /// Memory of the kernel for each connection, both of its ends included, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kernel_bytes_per_connection: Option<f64>,
    /// Memory of the server's process for each game, its players' connections included, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bytes_per_game: Option<f64>,
    /// Bytes the server's process wrote to the disk for each turn played: whole pages, the log and its checkpoints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stored_bytes_per_move: Option<f64>,
    /// From a flag's deadline until a client knew of its fall.
    pub(crate) flag_late_us: Percentiles,
    /// From the start of the process until it said it was ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ready_ms: Option<f64>,
    /// From the start of the process until everybody who had followed an unfinished game was let in again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) recovery_ms: Option<f64>,
    /// Commands acknowledged, in tests with crashes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) acked: Option<u64>,
    /// Acknowledged commands that were not in the game afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lost: Option<u64>,
    /// Commands that took effect twice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) doubled: Option<u64>,
    /// Games the auditor judged.
    pub(crate) games_audited: u64,
    /// Events the auditor judged, counted once for each who was told.
    pub(crate) events_audited: u64,
    /// What the auditor objects to.
    pub(crate) violations: u64,
    /// Deliveries for each second of processor time, divided by those of the floor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) floor_ratio: Option<f64>,
    /// Deliveries of the floor for each second of its processor time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) floor_deliveries_per_cpu_s: Option<f64>,
    /// Processor time of the server for each turn played, divided by that of the floor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) floor_move_ratio: Option<f64>,
    /// Processor time of the floor for each turn, its deliveries included, microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) floor_cpu_us_per_move: Option<f64>,
    /// Turns of the floor in a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) floor_moves_per_s: Option<f64>,
    /// Median of the floor's times from due to arrival, microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) floor_push_us_p50: Option<f64>,
    /// The slowest hundredth of them begins here, microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) floor_push_us_p99: Option<f64>,
    /// Growth of the server's memory over the measured phase, without the time after each start, KiB in an hour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rss_slope_kib_per_h: Option<f64>,
    /// Unfinished games, the mean of all samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) live_games: Option<f64>,
    /// Most files and sockets the server had open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) server_files_max: Option<u64>,
    /// Most threads of the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) server_threads_max: Option<u64>,
    /// Bytes of the server's data directory at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stored_bytes: Option<u64>,
    /// How often the server was killed, stopped in good order, or held still.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) faults: Option<u64>,
    /// How often the server was killed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) crashes: Option<u64>,
}

/// One moment of a run.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Sample {
    /// Seconds since the measured phase began.
    pub(crate) at_s: f64,
    /// Turns played in a second.
    pub(crate) moves_per_s: f64,
    /// Deliveries in a second.
    pub(crate) deliveries_per_s: f64,
    /// Answers since the sample before.
    pub(crate) ack: Percentiles,
    /// Pushes since the sample before.
    pub(crate) push: Percentiles,
    /// Flags since the sample before.
    pub(crate) flag: Percentiles,
    /// Resident memory of the server, bytes.
    pub(crate) rss_bytes: u64,
    /// Share of one core the server used.
    pub(crate) cores: f64,
    /// Files and sockets the server has open.
    pub(crate) files: u64,
    /// Threads of the server.
    pub(crate) threads: u64,
    /// Bytes of its data directory.
    pub(crate) stored_bytes: u64,
    /// Unfinished games.
    pub(crate) live_games: u64,
    /// How often the server had been started before.
    pub(crate) restarts: u32,
}

/// A curve of percentiles: share of 100, microseconds.
pub(crate) type Curve = Vec<(f64, u64)>;

/// Everything about one run.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct RunResult {
    /// The figures.
    pub(crate) metrics: Metrics,
    /// The course.
    pub(crate) samples: Vec<Sample>,
    /// Distributions by name.
    pub(crate) curves: Vec<(&'static str, Curve)>,
    /// Errors by kind.
    pub(crate) errors: BTreeMap<String, u64>,
    /// What the auditor objects to, in words; the first few.
    pub(crate) objections: Vec<String>,
    /// What else makes the run a failure.
    pub(crate) failures: Vec<String>,
}

/// A ratio, where there is something to divide by.
#[expect(
    clippy::cast_precision_loss,
    reason = "far fewer than 2^52 of anything"
)]
pub(crate) fn per(amount: f64, units: u64) -> Option<f64> {
    (units > 0).then(|| amount / units as f64)
}
