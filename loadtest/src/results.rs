//! The result of a run: metrics, samples, and latency distributions.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::recorder::Percentiles;

/// The metrics of one run. The names of the fields are the keys of the JSON report.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Metrics {
    /// Measured time, seconds.
    pub measured_s: f64,
    /// Open connections in the measured phase.
    pub connections: u64,
    /// Games started.
    pub games_started: u64,
    /// Games finished.
    pub games_finished: u64,
    /// Turns played.
    pub moves: u64,
    /// Turns played per second.
    pub moves_per_s: f64,
    /// Illegal plays that the server refused.
    pub refusals: u64,
    /// Connections that clients dropped on purpose and resumed.
    pub resumes: u64,
    /// Unplanned losses of connections, and answers that the server is busy.
    pub errors: u64,
    /// Acknowledgement latency: from the moment a command was due to its answer.
    pub ack_latency_us: Percentiles,
    /// Push latency: from the moment a command was due to the arrival of its event at another client.
    pub push_latency_us: Percentiles,
    /// Service time: from the moment a turn was sent to its answer, without the send delay of the harness.
    pub service_time_us: Percentiles,
    /// Seek latency: from opening or joining a seek to the answer. The answer to the last join comes after the game was created.
    pub seek_latency_us: Percentiles,
    /// Lobby latency: from the start of a game, a server time in milliseconds, until a lobby follower received it.
    pub lobby_latency_us: Percentiles,
    /// Registrations and logins that the server accepted per second.
    pub sign_ins_per_s: f64,
    /// Registrations and logins that the server refused per second: too many at once, or too many wrong passwords.
    pub sign_ins_refused_per_s: f64,
    /// Sign-in latency: from sending a registration or login until it was accepted.
    pub sign_in_latency_us: Percentiles,
    /// Lines of the lobby's chat that reached a client per second.
    pub chat_lines_per_s: f64,
    /// Send delay: how late the harness sent commands. It must be small compared with `ack_latency_us`.
    pub send_delay_us: Percentiles,
    /// Time of an append and flush by the disk probe. When it is slow too, the disk is the cause.
    pub disk_probe_us: Percentiles,
    /// Resume latency: from the loss of a connection until its game was resumed.
    pub resume_latency_us: Percentiles,
    /// Takeover: from the loss of one of several servers until a client saw the next event of a game that it had.
    pub takeover_us: Percentiles,
    /// Stall: the time for which a game stood still, as its log says.
    pub stall_us: Percentiles,
    /// Join latency: from the moment a spectator was due until it had the game.
    pub join_latency_us: Percentiles,
    /// Events that reached a client.
    pub deliveries: u64,
    /// Events that reached a client per second.
    pub deliveries_per_s: f64,
    /// Bytes of messages that reached a client per second.
    pub bytes_per_s: f64,
    /// Snapshots that reached a client.
    pub snapshots: u64,
    /// Snapshots for spectators that the server encoded.
    pub spectator_snapshots_encoded: f64,
    /// Snapshots that the server sent to spectators; one encoding serves many of them.
    pub spectator_snapshots_sent: f64,
    /// Processor time of the server, seconds.
    pub server_cpu_s: f64,
    /// Cores that the server used, on average.
    pub server_cores_used: f64,
    /// Deliveries per second of the server's processor time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deliveries_per_cpu_s: Option<f64>,
    /// CPU per move: processor time of the server per move, deliveries included, microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_cpu_us_per_move: Option<f64>,
    /// Processor time of PostgreSQL per move, microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database_cpu_us_per_move: Option<f64>,
    /// Processor time of the nats-server per move, microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broker_cpu_us_per_move: Option<f64>,
    /// Bytes that servers sent each other per move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relayed_bytes_per_move: Option<f64>,
    /// CPU per delivery: processor time of the server per delivery, microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_cpu_us_per_delivery: Option<f64>,
    /// Median of the server's own time from the frame of a command to its answer, microseconds; the upper bound of a bucket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_command_us_p50: Option<f64>,
    /// The same for the 99th percentile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_command_us_p99: Option<f64>,
    /// Mean number of changes per commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_batch: Option<f64>,
    /// Mean time of a commit, microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit_us: Option<f64>,
    /// Processor time of the harness itself, seconds.
    pub harness_cpu_s: f64,
    /// Resident memory of the server at the end of the measured phase, bytes.
    pub server_rss_bytes: u64,
    /// Memory of the server process per connection, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_connection: Option<f64>,
    /// Kernel memory per connection, both ends included, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel_bytes_per_connection: Option<f64>,
    /// Memory of the server process per game, the players' connections included, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_game: Option<f64>,
    /// Bytes that the server process wrote to disk per move: whole pages, the log and its checkpoints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored_bytes_per_move: Option<f64>,
    /// Flag delay: from the deadline of a clock until a client received the end of the game.
    pub flag_delay_us: Percentiles,
    /// From the start of the process until it was ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ready_ms: Option<f64>,
    /// From the start of the process until all clients with unfinished games were attached again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery_ms: Option<f64>,
    /// Acknowledged commands, in scenarios with kills or restarts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acknowledged: Option<u64>,
    /// Acknowledged commands that are missing from the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<u64>,
    /// Commands that took effect twice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duplicated: Option<u64>,
    /// Games that the auditor replayed.
    pub games_audited: u64,
    /// Events that the auditor compared, counted once per recipient.
    pub events_audited: u64,
    /// Violations that the auditor found.
    pub violations: u64,
    /// Growth of the server's memory in the measured phase, without the time after each start, KiB per hour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rss_slope_kib_per_h: Option<f64>,
    /// Mean number of unfinished games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live_games: Option<f64>,
    /// Largest number of open files and sockets of the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_files_max: Option<u64>,
    /// Largest number of threads of the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_threads_max: Option<u64>,
    /// Bytes of the server's data directory at the end of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored_bytes: Option<u64>,
    /// Number of injected faults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faults: Option<u64>,
    /// Number of kills.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crashes: Option<u64>,
    /// Turns that one of several servers refused because it was busy, and the player sent again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns_refused: Option<u64>,
    /// Servers of several that ended by themselves, because they had lost their lease.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_by_themselves: Option<u64>,
    /// Games for which the run compared the events that clients saw with the stored log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub histories: Option<u64>,
    /// Bytes that PostgreSQL wrote to its log per turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wal_bytes_per_move: Option<f64>,
}

/// A sample of a run.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Sample {
    /// Seconds since the measured phase began.
    pub at_s: f64,
    /// Turns played per second.
    pub moves_per_s: f64,
    /// Deliveries per second.
    pub deliveries_per_s: f64,
    /// Acknowledgement latencies since the previous sample.
    pub ack: Percentiles,
    /// Push latencies since the previous sample.
    pub push: Percentiles,
    /// Flag delays since the previous sample.
    pub flag: Percentiles,
    /// Resident memory of the server, bytes.
    pub rss_bytes: u64,
    /// Cores that the server used, on average.
    pub cores: f64,
    /// Open files and sockets of the server.
    pub files: u64,
    /// Threads of the server.
    pub threads: u64,
    /// Bytes of its data directory.
    pub stored_bytes: u64,
    /// Unfinished games.
    pub live_games: u64,
    /// Number of restarts before the sample.
    pub restarts: u32,
}

/// A latency distribution: percentiles and microseconds.
pub type Curve = Vec<(f64, u64)>;

/// The result of one run.
#[derive(Debug, Clone, Default, Serialize)]
pub struct RunResult {
    /// The metrics.
    pub metrics: Metrics,
    /// The samples, in order of time.
    pub samples: Vec<Sample>,
    /// Latency distributions by key.
    pub curves: Vec<(&'static str, Curve)>,
    /// Errors by kind.
    pub errors: BTreeMap<String, u64>,
    /// The first violations in words.
    pub objections: Vec<String>,
    /// Other reasons why the run failed.
    pub failures: Vec<String>,
}
