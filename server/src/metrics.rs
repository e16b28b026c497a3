//! Every figure the server counts, by name, in one place.
//!
//! The rest of the server calls these functions and knows no names. Before [`install`] nothing is counted.

use std::time::Duration;

use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use tilewire_protocol::{CloseCode, ErrorCode};

/// Upper bounds of the buckets for durations, seconds.
const SECONDS: &[f64] = &[
    0.000_1, 0.000_2, 0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0,
    10.0,
];

/// Upper bounds of the buckets for numbers of things done together.
const SIZES: &[f64] = &[
    1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0,
];

const CONNECTIONS: &str = "tilewire_connections";
const GAMES: &str = "tilewire_games";
const SPECTATORS: &str = "tilewire_spectators";
const SEEKS: &str = "tilewire_seeks";
const GAMES_CREATED: &str = "tilewire_games_created_total";
const GAMES_ENDED: &str = "tilewire_games_ended_total";
const REQUESTS: &str = "tilewire_requests_total";
const REQUEST_TIME: &str = "tilewire_request_seconds";
const CLOSED: &str = "tilewire_connections_closed_total";
const OVERFLOWS: &str = "tilewire_outbox_overflows_total";
const FRAMES: &str = "tilewire_frames_sent_total";
const BYTES: &str = "tilewire_bytes_sent_total";
const LAG: &str = "tilewire_lag_seconds";
const APPENDS: &str = "tilewire_storage_write_seconds";
const COMMITS: &str = "tilewire_storage_commit_seconds";
const BATCH: &str = "tilewire_storage_batch_size";

/// Starts counting for the whole process and returns what renders the figures.
///
/// The caller calls [`PrometheusHandle::run_upkeep`] every few seconds.
///
/// # Errors
/// When something counts already.
pub fn install() -> Result<PrometheusHandle, BuildError> {
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), SECONDS)?
        .set_buckets_for_metric(Matcher::Suffix("_size".to_owned()), SIZES)?
        .install_recorder()?;
    describe();
    Ok(handle)
}

fn describe() {
    describe_gauge!(CONNECTIONS, "Open WebSocket connections");
    describe_gauge!(GAMES, "Games in memory");
    describe_gauge!(
        SPECTATORS,
        "Connections that watch a game, each game counted"
    );
    describe_gauge!(SEEKS, "Open seeks");
    describe_counter!(GAMES_CREATED, "Games created");
    describe_counter!(GAMES_ENDED, "Games that ended, by reason");
    describe_counter!(
        REQUESTS,
        "Requests answered, by outcome: ok or the code of the error"
    );
    describe_histogram!(
        REQUEST_TIME,
        "From the receipt of a game command to its answer, the journal included"
    );
    describe_counter!(CLOSED, "Connections the server closed, by close code");
    describe_counter!(
        OVERFLOWS,
        "Times a client did not read fast enough, by what was done: closed or snapshot"
    );
    describe_counter!(FRAMES, "WebSocket messages sent");
    describe_counter!(BYTES, "Bytes sent in WebSocket messages");
    describe_histogram!(LAG, "Half the round trip of the server's pings");
    describe_histogram!(
        APPENDS,
        "From the queueing of a write to its being on the disk, by outcome: ok or failed"
    );
    describe_histogram!(COMMITS, "One transaction with its flush of the disk");
    describe_histogram!(BATCH, "Writes that shared one transaction");
}

/// Something there are now more or fewer of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// One more.
    Up,
    /// One less.
    Down,
}

fn step(name: &'static str, change: Change) {
    match change {
        Change::Up => gauge!(name).increment(1.0),
        Change::Down => gauge!(name).decrement(1.0),
    }
}

/// A connection was opened or has ended.
pub fn connections(change: Change) {
    step(CONNECTIONS, change);
}

/// A connection began or ceased to watch a game.
pub fn spectators(change: Change) {
    step(SPECTATORS, change);
}

/// So many games are in memory.
pub fn games(count: usize) {
    gauge!(GAMES).set(as_f64(count));
}

/// So many seeks are open.
pub fn seeks(count: usize) {
    gauge!(SEEKS).set(as_f64(count));
}

/// A game was created.
pub fn game_created() {
    counter!(GAMES_CREATED).increment(1);
}

/// A game ended; `reason` as the protocol names it.
pub fn game_ended(reason: &'static str) {
    counter!(GAMES_ENDED, "reason" => reason).increment(1);
}

/// A request was answered: with an error, or without.
pub fn request(error: Option<ErrorCode>) {
    let outcome = error.map_or("ok", |code| code.as_str());
    counter!(REQUESTS, "outcome" => outcome).increment(1);
}

/// A game command was answered so long after its receipt.
pub fn request_took(ms: i64) {
    histogram!(REQUEST_TIME).record(ms_as_seconds(ms));
}

/// The server closed a connection.
pub fn closed(code: CloseCode) {
    counter!(CLOSED, "code" => code.as_str()).increment(1);
}

/// A player's connection was closed because it did not read fast enough.
pub fn overflow_closed() {
    counter!(OVERFLOWS, "done" => "closed").increment(1);
}

/// A spectator that did not read fast enough goes on from a snapshot.
pub fn overflow_snapshot() {
    counter!(OVERFLOWS, "done" => "snapshot").increment(1);
}

/// Messages were handed to a socket.
pub fn sent(frames: usize, bytes: usize) {
    counter!(FRAMES).increment(as_u64(frames));
    counter!(BYTES).increment(as_u64(bytes));
}

/// A ping showed this lag.
pub fn lag(lag_ms: i64) {
    histogram!(LAG).record(ms_as_seconds(lag_ms));
}

/// A write was done so long after it was queued.
pub(crate) fn storage_write(took: Duration, is_ok: bool) {
    let outcome = if is_ok { "ok" } else { "failed" };
    histogram!(APPENDS, "outcome" => outcome).record(took.as_secs_f64());
}

/// So many writes shared one transaction that took so long.
pub(crate) fn storage_batch(writes: usize, took: Duration) {
    histogram!(BATCH).record(as_f64(writes));
    histogram!(COMMITS).record(took.as_secs_f64());
}

fn as_u64(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

fn ms_as_seconds(ms: i64) -> f64 {
    as_f64(usize::try_from(ms).unwrap_or(0)) / 1000.0
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
const fn as_f64(count: usize) -> f64 {
    count as f64
}
