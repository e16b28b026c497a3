//! All metrics of the server, with their names.
//!
//! The rest of the server calls these functions and knows no names. Before [`install`] nothing is counted.

mod backups;

use std::sync::OnceLock;
use std::time::Duration;
use tilewire_rules::time::Millis;

use metrics::{
    Counter, Histogram, counter, describe_counter, describe_gauge, describe_histogram, gauge,
    histogram,
};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use tilewire_protocol::{CloseCode, EndReason, ErrorCode};

pub use backups::{backup_ended, newest_backup};

/// Upper bounds of the buckets for durations, seconds.
const SECONDS: &[f64] = &[
    0.000_1, 0.000_2, 0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0,
    10.0,
];

/// Upper bounds of the buckets for batch sizes.
const SIZES: &[f64] = &[
    1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0,
];

const CONNECTIONS: &str = "tilewire_connections";
const REFUSED: &str = "tilewire_connections_refused_total";
const PAUSES: &str = "tilewire_reading_paused_total";
const CERTIFICATES: &str = "tilewire_certificates_read_total";
const OVERLOAD_LEVEL: &str = "tilewire_overload_level";
const PRESSURE: &str = "tilewire_overload_pressure_ratio";
const STALLS: &str = "tilewire_stall_seconds";
const OVERLOAD_REFUSED: &str = "tilewire_overload_refused_total";
const GAMES: &str = "tilewire_games";
const ASLEEP: &str = "tilewire_games_asleep";
const SPECTATORS: &str = "tilewire_spectators";
const SEEKS: &str = "tilewire_seeks";
const GAMES_CREATED: &str = "tilewire_games_created_total";
const GAMES_ENDED: &str = "tilewire_games_ended_total";
const MESSAGES: &str = "tilewire_messages_total";
const REFUSALS: &str = "tilewire_commands_refused_total";
const COMMAND_TIME: &str = "tilewire_command_seconds";
const WRONG_CODES: &str = "tilewire_wrong_codes_total";
const WRONG_PASSWORDS: &str = "tilewire_wrong_passwords_total";
const REGISTRATIONS: &str = "tilewire_registrations_total";
const CHAT_LINES: &str = "tilewire_chat_lines_total";
const CHAT_MEMBERS: &str = "tilewire_chat_members";
const RESULTS: &str = "tilewire_results_total";
const RESULTS_MISSING: &str = "tilewire_results_missing_total";
const TOKENS_REFUSED: &str = "tilewire_tokens_refused_total";
const CLOSED: &str = "tilewire_connections_closed_total";
const OVERFLOWS: &str = "tilewire_outbox_overflows_total";
const SNAPSHOTS: &str = "tilewire_spectator_snapshots_total";
const FRAMES: &str = "tilewire_frames_sent_total";
const BYTES: &str = "tilewire_bytes_sent_total";
const LAG: &str = "tilewire_lag_seconds";
const APPENDS: &str = "tilewire_storage_write_seconds";
const COMMITS: &str = "tilewire_storage_commit_seconds";
const BATCH: &str = "tilewire_storage_batch_size";

/// The reasons why a connection does not become a WebSocket.
const NO_SOCKET: [&str; 11] = [
    "server_full",
    "address_full",
    "server_unauthenticated",
    "address_unauthenticated",
    "server_rate",
    "address_rate",
    "tls_failed",
    "tls_timeout",
    "http_timeout",
    "http_malformed",
    "origin",
];

/// Metrics of every turn and delivery. Looking a metric up by its name takes memory and time, so [`install`] does it
/// once.
static FREQUENT: OnceLock<Frequent> = OnceLock::new();

struct Frequent {
    frames: Counter,
    bytes: Counter,
    messages_taken: Counter,
    command_time: Histogram,
    appends: Histogram,
    commits: Histogram,
    batch: Histogram,
}

impl Frequent {
    fn look_up() -> Self {
        Self {
            frames: counter!(FRAMES),
            bytes: counter!(BYTES),
            messages_taken: counter!(MESSAGES, "outcome" => "taken"),
            command_time: histogram!(COMMAND_TIME),
            appends: histogram!(APPENDS, "outcome" => "ok"),
            commits: histogram!(COMMITS),
            batch: histogram!(BATCH),
        }
    }
}

/// Updates a frequent metric.
fn often(count: impl FnOnce(&Frequent)) {
    if let Some(figures) = FREQUENT.get() {
        count(figures);
    }
}

/// Starts counting for the whole process, and returns the renderer of the metrics.
///
/// The caller calls [`PrometheusHandle::run_upkeep`] every few seconds.
///
/// # Errors
/// When a recorder is installed already.
pub fn install() -> Result<PrometheusHandle, BuildError> {
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), SECONDS)?
        .set_buckets_for_metric(Matcher::Suffix("_size".to_owned()), SIZES)?
        .install_recorder()?;
    describe();
    FREQUENT.get_or_init(Frequent::look_up);
    show_zeros();
    Ok(handle)
}

/// Shows every metric from the start, so that a missing one is not mistaken for zero and the first event is an increase.
fn show_zeros() {
    connections(0);
    spectators(0);
    games(0);
    games_asleep(0);
    seeks(0);
    overload_level(0);
    pressure(0, 0, 0);
    backups::show_zeros();
    for counter in [
        counter!(GAMES_CREATED),
        counter!(WRONG_CODES),
        counter!(WRONG_PASSWORDS),
        counter!(REGISTRATIONS),
        counter!(RESULTS),
        counter!(RESULTS_MISSING),
    ] {
        counter.increment(0);
    }
    let codes = ErrorCode::ALL.iter().map(|code| code.as_str());
    let closings = CloseCode::ALL.iter().map(|code| code.as_str());
    let reasons = EndReason::ALL.iter().map(|reason| reason.as_str());
    for (name, label, values) in [
        (REFUSED, "reason", NO_SOCKET.to_vec()),
        (PAUSES, "budget", vec!["connection", "identity", "address"]),
        (CERTIFICATES, "outcome", vec!["changed", "refused"]),
        (OVERLOAD_REFUSED, "what", vec!["spectator", "game"]),
        (GAMES_ENDED, "reason", reasons.collect()),
        (MESSAGES, "outcome", codes.clone().collect()),
        (REFUSALS, "code", codes.collect()),
        (
            TOKENS_REFUSED,
            "why",
            vec!["foreign", "expired", "early", "revoked"],
        ),
        (CLOSED, "code", closings.collect()),
        (OVERFLOWS, "done", vec!["closed", "snapshot_later"]),
        (SNAPSHOTS, "done", vec!["encoded", "sent"]),
    ] {
        for value in values {
            counter!(name, label => value).increment(0);
        }
    }
}

fn describe_limits() {
    describe_counter!(
        PAUSES,
        "Pauses in reading from a connection, by the budget that was used up: connection, identity or address"
    );
    describe_gauge!(
        OVERLOAD_LEVEL,
        "Level of load shedding: 0 nothing, 1 new spectators, 2 immediate updates to spectators, 3 presence, 4 new games"
    );
    describe_gauge!(
        PRESSURE,
        "Load as a part of its bound (1 is the bound), by measure: lag, journal or lobby"
    );
    describe_counter!(
        OVERLOAD_REFUSED,
        "Requests refused by load shedding, by kind: spectator or game"
    );
}

fn describe_people() {
    describe_counter!(WRONG_CODES, "Wrong codes of private seeks and games");
    describe_counter!(
        WRONG_PASSWORDS,
        "Logins, recoveries and changes with a wrong password or code"
    );
    describe_counter!(REGISTRATIONS, "Guests who registered");
    describe_counter!(CHAT_LINES, "Lines of chat rooms stored");
    describe_gauge!(
        CHAT_MEMBERS,
        "Connections in chat rooms, one for each of its rooms"
    );
    describe_counter!(RESULTS, "Results of finished games that were stored");
    describe_counter!(
        RESULTS_MISSING,
        "Finished games that get no result: their logs cannot be read"
    );
    describe_counter!(
        TOKENS_REFUSED,
        "Tokens refused, by reason: foreign, expired, early or revoked"
    );
}

fn describe() {
    describe_limits();
    describe_people();
    backups::describe();
    describe_gauge!(CONNECTIONS, "Open connections, WebSockets or not yet");
    describe_counter!(
        REFUSED,
        "Connections refused or ended before they were WebSockets, by reason"
    );
    describe_counter!(
        CERTIFICATES,
        "Changed certificate files that were read, by outcome: changed or refused"
    );
    describe_gauge!(GAMES, "Games in memory");
    describe_gauge!(
        ASLEEP,
        "Games that sleep in the storage, as of the last check (timing.wake_poll_ms)"
    );
    describe_gauge!(
        SPECTATORS,
        "Connections that watch a game, each game counted"
    );
    describe_gauge!(SEEKS, "Open seeks");
    describe_counter!(GAMES_CREATED, "Games created");
    describe_counter!(GAMES_ENDED, "Games that ended, by reason");
    describe_counter!(
        MESSAGES,
        "Messages of clients, by outcome: taken, or the code of the error"
    );
    describe_counter!(REFUSALS, "Game commands the rules refused, by code");
    describe_histogram!(
        COMMAND_TIME,
        "Time from the receipt of a game command to its answer, including the journal"
    );
    describe_counter!(CLOSED, "Connections the server closed, by close code");
    describe_counter!(
        OVERFLOWS,
        "Clients that read too slowly, by consequence: closed or snapshot_later"
    );
    describe_counter!(
        SNAPSHOTS,
        "Snapshots for spectators: encoded, or sent to one of them"
    );
    describe_counter!(FRAMES, "WebSocket messages sent");
    describe_counter!(BYTES, "Bytes sent in WebSocket messages");
    describe_histogram!(STALLS, "Times in which the server stood still");
    describe_histogram!(LAG, "Half the round trip of the server's pings");
    describe_histogram!(
        APPENDS,
        "Time from the queueing of a write to its end on the disk, by outcome: ok or failed"
    );
    describe_histogram!(
        COMMITS,
        "Time of one transaction with its flush of the disk"
    );
    describe_histogram!(BATCH, "Writes that shared one transaction");
}

/// A connection was opened (`1`) or has ended (`-1`).
pub fn connections(change: i32) {
    gauge!(CONNECTIONS).increment(f64::from(change));
}

/// A connection was refused, or ended before it was a WebSocket.
pub fn connection_refused(reason: &'static str) {
    counter!(REFUSED, "reason" => reason).increment(1);
}

/// Counts a pause in reading from a connection, by the owner of the budget that was used up.
pub(crate) fn reading_paused(budget: &'static str) {
    counter!(PAUSES, "budget" => budget).increment(1);
}

/// The certificate files were read again: the new pair is in use (`changed`) or cannot be used (`refused`).
pub fn certificate_read(outcome: &'static str) {
    counter!(CERTIFICATES, "outcome" => outcome).increment(1);
}

/// The level of load shedding, as a number.
pub(crate) fn overload_level(level: u8) {
    gauge!(OVERLOAD_LEVEL).set(f64::from(level));
}

/// The pressure, percent of the bounds.
pub(crate) fn pressure(lag: u32, journal: u32, lobby: u32) {
    for (of, percent) in [("lag", lag), ("journal", journal), ("lobby", lobby)] {
        gauge!(PRESSURE, "of" => of).set(f64::from(percent) / 100.0);
    }
}

/// The server stood still for so long.
pub(crate) fn stalled(time: Millis) {
    histogram!(STALLS).record(as_seconds(time));
}

/// A request was shed: `spectator` or `game`.
pub(crate) fn overload_refused(what: &'static str) {
    counter!(OVERLOAD_REFUSED, "what" => what).increment(1);
}

/// Connections began (`1`) or stopped (`-1`) watching a game.
pub fn spectators(change: i32) {
    gauge!(SPECTATORS).increment(f64::from(change));
}

/// The number of games in memory.
pub fn games(count: usize) {
    gauge!(GAMES).set(as_f64(count));
}

/// The number of games that sleep in the storage.
pub(crate) fn games_asleep(count: usize) {
    gauge!(ASLEEP).set(as_f64(count));
}

/// The number of open seeks.
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

/// A message of a client was accepted.
pub fn message_taken() {
    often(|figures| figures.messages_taken.increment(1));
}

/// A message of a client was refused, or could not be read.
pub fn message_refused(code: ErrorCode) {
    counter!(MESSAGES, "outcome" => code.as_str()).increment(1);
}

/// The rules refused a game command.
pub fn command_refused(code: ErrorCode) {
    counter!(REFUSALS, "code" => code.as_str()).increment(1);
}

/// The time from the receipt of a game command to its answer.
pub fn command_took(took: Millis) {
    often(|figures| figures.command_time.record(as_seconds(took)));
}

/// A code of a private seek or game was wrong.
pub fn wrong_code() {
    counter!(WRONG_CODES).increment(1);
}

/// A login, a recovery or a change came with a wrong password or code.
pub fn wrong_password() {
    counter!(WRONG_PASSWORDS).increment(1);
}

/// Lines of chat rooms were stored.
pub fn chat_lines(lines: usize) {
    counter!(CHAT_LINES).increment(u64::try_from(lines).unwrap_or(u64::MAX));
}

/// So many connections are in chat rooms.
pub fn chat_members(members: usize) {
    gauge!(CHAT_MEMBERS).set(as_f64(members));
}

/// A guest registered.
pub fn registered() {
    counter!(REGISTRATIONS).increment(1);
}

/// The results of so many finished games were stored.
pub fn results_written(results: usize) {
    counter!(RESULTS).increment(results.try_into().unwrap_or(u64::MAX));
}

/// A finished game gets no result.
pub fn result_missing() {
    counter!(RESULTS_MISSING).increment(1);
}

/// A token was refused; `why` is one word.
pub fn token_refused(why: &'static str) {
    counter!(TOKENS_REFUSED, "why" => why).increment(1);
}

/// The server closed a connection.
pub fn closed(code: CloseCode) {
    counter!(CLOSED, "code" => code.as_str()).increment(1);
}

/// A client read too slowly; `done` is the consequence: `closed` or `snapshot_later`.
pub fn outbox_overflow(done: &'static str) {
    counter!(OVERFLOWS, "done" => done).increment(1);
}

/// A snapshot for spectators was encoded.
pub fn snapshot_encoded() {
    counter!(SNAPSHOTS, "done" => "encoded").increment(1);
}

/// A snapshot was sent to a spectator; usually many spectators share one encoding.
pub fn snapshot_sent() {
    counter!(SNAPSHOTS, "done" => "sent").increment(1);
}

/// Messages were handed to a socket.
pub fn sent(frames: usize, bytes: usize) {
    often(|figures| {
        figures.frames.increment(as_u64(frames));
        figures.bytes.increment(as_u64(bytes));
    });
}

/// A ping measured this lag.
pub fn lag(lag: Millis) {
    histogram!(LAG).record(as_seconds(lag));
}

/// The time from the queueing of a write to its end.
pub(crate) fn storage_write(took: Duration, is_ok: bool) {
    if !is_ok {
        histogram!(APPENDS, "outcome" => "failed").record(took.as_secs_f64());
    } else {
        often(|figures| figures.appends.record(took.as_secs_f64()));
    }
}

/// A number of writes shared one transaction of this length.
pub(crate) fn storage_batch(writes: usize, took: Duration) {
    often(|figures| {
        figures.batch.record(as_f64(writes));
        figures.commits.record(took.as_secs_f64());
    });
}

fn as_u64(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

fn as_seconds(span: Millis) -> f64 {
    span.to_duration().as_secs_f64()
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
const fn as_f64(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ratio of 1 is the bound.
    #[test]
    fn pressure_is_shown_as_a_ratio() {
        let recorder = PrometheusBuilder::new().build_recorder();
        metrics::with_local_recorder(&recorder, || pressure(150, 50, 0));
        let page = recorder.handle().render();
        for (measure, ratio) in [("lag", "1.5"), ("journal", "0.5"), ("lobby", "0")] {
            let line = format!("{PRESSURE}{{of=\"{measure}\"}} {ratio}");
            assert!(page.lines().any(|found| found == line), "{line} in {page}");
        }
    }
}
