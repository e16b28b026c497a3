//! What a run came to: figures with stable names, and the course of it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::recorder::Percentiles;

/// The figures of one run. The names of the fields are the keys of `--json` and stay.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Metrics {
    /// How long was measured, seconds.
    pub measured_s: f64,
    /// Connections open while measured.
    pub connections: u64,
    /// Games begun.
    pub games_started: u64,
    /// Games played to their end.
    pub games_finished: u64,
    /// Turns played.
    pub moves: u64,
    /// Turns played in a second.
    pub moves_per_s: f64,
    /// Commands that were refused as they should be.
    pub refusals: u64,
    /// Connections dropped on purpose, to be resumed.
    pub resumes: u64,
    /// Connections lost otherwise, and answers that the server is too busy.
    pub errors: u64,
    /// From the moment a command was due to its answer.
    pub ack_latency_us: Percentiles,
    /// From the moment a command was due to its event's arrival at everybody else.
    pub push_latency_us: Percentiles,
    /// From when a turn was sent to its answer: what `ack_latency_us` would be if the harness were never late.
    pub service_time_us: Percentiles,
    /// From when a seek was opened or joined to the answer; whoever takes the last seat is answered when the game is made.
    pub seek_latency_us: Percentiles,
    /// From a game's beginning until those who follow the lobby knew of it; by the server's milliseconds.
    pub lobby_latency_us: Percentiles,
    /// How late the harness itself sent commands; what is not small against `ack_latency_us` spoils it.
    pub send_delay_us: Percentiles,
    /// What a witness's appends to the server's disk took, flush included: what is slow there too is not the server's fault.
    pub disk_probe_us: Percentiles,
    /// From the loss of a connection until its game was resumed.
    pub resume_latency_us: Percentiles,
    /// From when a spectator should have come until it had the game.
    pub join_latency_us: Percentiles,
    /// Events that reached a client.
    pub deliveries: u64,
    /// Events that reached a client in a second.
    pub deliveries_per_s: f64,
    /// Bytes of messages that reached a client in a second.
    pub bytes_per_s: f64,
    /// Snapshots that reached a client.
    pub snapshots: u64,
    /// Snapshots for spectators that the server encoded.
    pub spectator_snapshots_encoded: f64,
    /// Snapshots it sent to spectators; many get the bytes of one encoding.
    pub spectator_snapshots_sent: f64,
    /// Processor time of the server, seconds.
    pub server_cpu_s: f64,
    /// Share of one core the server used.
    pub server_cores_used: f64,
    /// Deliveries for each second of the server's processor time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deliveries_per_cpu_s: Option<f64>,
    /// Processor time of the server for each turn played, its deliveries included, microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_cpu_us_per_move: Option<f64>,
    /// Processor time of the server for each delivery, microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_cpu_us_per_delivery: Option<f64>,
    /// Median of the server's own measure from a command's frame to its answer, microseconds: a bucket's upper bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_command_us_p50: Option<f64>,
    /// The same for 99 of 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_command_us_p99: Option<f64>,
    /// Changes of the storage written together, on average.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_batch: Option<f64>,
    /// Mean time of a commit to the disk, microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit_us: Option<f64>,
    /// Processor time of the harness itself, seconds.
    pub harness_cpu_s: f64,
    /// Resident memory of the server at the end of the measured phase, bytes.
    pub server_rss_bytes: u64,
    /// Memory of the server's process for each connection, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_connection: Option<f64>,
    /// Memory of the kernel for each connection, both of its ends included, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel_bytes_per_connection: Option<f64>,
    /// Memory of the server's process for each game, its players' connections included, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_game: Option<f64>,
    /// Bytes the server's process wrote to the disk for each turn played: whole pages, the log and its checkpoints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored_bytes_per_move: Option<f64>,
    /// From a flag's deadline until a client knew of its fall.
    pub flag_delay_us: Percentiles,
    /// From the start of the process until it said it was ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ready_ms: Option<f64>,
    /// From the start of the process until everybody who had followed an unfinished game was let in again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery_ms: Option<f64>,
    /// Commands acknowledged, in tests with crashes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acknowledged: Option<u64>,
    /// Acknowledged commands that were not in the game afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<u64>,
    /// Commands that took effect twice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duplicated: Option<u64>,
    /// Games the auditor judged.
    pub games_audited: u64,
    /// Events the auditor judged, counted once for each who was told.
    pub events_audited: u64,
    /// What the auditor objects to.
    pub violations: u64,
    /// Growth of the server's memory over the measured phase, without the time after each start, KiB in an hour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rss_slope_kib_per_h: Option<f64>,
    /// Unfinished games, the mean of all samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live_games: Option<f64>,
    /// Most files and sockets the server had open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_files_max: Option<u64>,
    /// Most threads of the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_threads_max: Option<u64>,
    /// Bytes of the server's data directory at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored_bytes: Option<u64>,
    /// How often the server was killed, stopped in good order, or held still.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faults: Option<u64>,
    /// How often the server was killed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crashes: Option<u64>,
}

/// One moment of a run.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Sample {
    /// Seconds since the measured phase began.
    pub at_s: f64,
    /// Turns played in a second.
    pub moves_per_s: f64,
    /// Deliveries in a second.
    pub deliveries_per_s: f64,
    /// Answers since the sample before.
    pub ack: Percentiles,
    /// Pushes since the sample before.
    pub push: Percentiles,
    /// Flags since the sample before.
    pub flag: Percentiles,
    /// Resident memory of the server, bytes.
    pub rss_bytes: u64,
    /// Share of one core the server used.
    pub cores: f64,
    /// Files and sockets the server has open.
    pub files: u64,
    /// Threads of the server.
    pub threads: u64,
    /// Bytes of its data directory.
    pub stored_bytes: u64,
    /// Unfinished games.
    pub live_games: u64,
    /// How often the server had been started before.
    pub restarts: u32,
}

/// A curve of percentiles: share of 100, microseconds.
pub type Curve = Vec<(f64, u64)>;

/// Everything about one run.
#[derive(Debug, Clone, Default, Serialize)]
pub struct RunResult {
    /// The figures.
    pub metrics: Metrics,
    /// The course.
    pub samples: Vec<Sample>,
    /// Distributions by name.
    pub curves: Vec<(&'static str, Curve)>,
    /// Errors by kind.
    pub errors: BTreeMap<String, u64>,
    /// What the auditor objects to, in words; the first few.
    pub objections: Vec<String>,
    /// What else makes the run a failure.
    pub failures: Vec<String>,
}
