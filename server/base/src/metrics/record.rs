//! Records the metrics of the server: one function for each fact.

use std::sync::OnceLock;
use std::time::Duration;

use metrics::{Counter, Gauge, Histogram};
use tilewire_protocol::{CloseCode, ErrorCode};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::Millis;

use super::metric::{OWN_RULE_SET, TAKEN};
use super::table::*;
use crate::queue_level::QueueLevel;

/// Metrics of every turn and delivery. Looking a metric up by its name takes memory and time, so
/// [`install`](super::install) does it once.
static FREQUENT: OnceLock<Frequent> = OnceLock::new();

struct Frequent {
    frames_in: Counter,
    bytes_in: Counter,
    frames: Counter,
    bytes: Counter,
    messages_taken: Counter,
    turns: Counter,
    command_time: Histogram,
    appends: Histogram,
    commits: Histogram,
    batch: Histogram,
}

/// Looks the frequent metrics up.
pub(super) fn look_up() {
    FREQUENT.get_or_init(|| Frequent {
        frames_in: FRAMES_IN.count(&[]),
        bytes_in: BYTES_IN.count(&[]),
        frames: FRAMES.count(&[]),
        bytes: BYTES.count(&[]),
        messages_taken: MESSAGES.count(&[TAKEN]),
        turns: TURNS.count(&[]),
        command_time: COMMAND_TIME.spread(&[]),
        appends: APPENDS.spread(&["ok"]),
        commits: COMMITS.spread(&[]),
        batch: BATCH.spread(&[]),
    });
}

/// Updates a frequent metric.
fn often(count: impl FnOnce(&Frequent)) {
    if let Some(figures) = FREQUENT.get() {
        count(figures);
    }
}

/// The rule set and the kind of a game, as metrics name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameClass {
    rule_set: &'static str,
    kind: &'static str,
}

impl GameClass {
    /// Returns the class of a game. Rule sets that are not built in share one class, so that there are few.
    pub fn of(rule_set: &str, is_rated: bool) -> Self {
        let mut built_in = RuleSet::builtins().iter().map(|rules| rules.id.as_str());
        let known = built_in.find(|id| *id == rule_set);
        Self {
            rule_set: known.unwrap_or(OWN_RULE_SET),
            kind: if is_rated { RATED } else { CASUAL },
        }
    }

    const fn labels(self) -> [&'static str; 2] {
        [self.rule_set, self.kind]
    }
}

/// Counts one in a gauge for as long as it lives.
pub struct Counted(Gauge);

impl Counted {
    fn new(gauge: Gauge) -> Self {
        gauge.increment(1.0);
        Self(gauge)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}

/// Says whether the server takes players.
pub fn ready(is_ready: bool) {
    READY.level(&[]).set(f64::from(u8::from(is_ready)));
}

/// A connection was opened (`1`) or has ended (`-1`).
pub fn connections(change: i32) {
    CONNECTIONS.level(&[]).increment(f64::from(change));
}

/// A connection was refused, or ended before it was a WebSocket.
pub fn connection_refused(reason: &'static str) {
    REFUSED.count(&[reason]).increment(1);
}

/// Counts a pause in reading from a connection, by the owner of the budget that was used up.
pub fn reading_paused(budget: &'static str) {
    PAUSES.count(&[budget]).increment(1);
}

/// The certificate files were read again: the new pair is in use (`changed`) or cannot be used (`refused`).
pub fn certificate_read(outcome: &'static str) {
    CERTIFICATES.count(&[outcome]).increment(1);
}

/// The certificate in use expires at this time, seconds since the Unix epoch.
pub fn certificate_expires(at: u64) {
    CERTIFICATE_EXPIRY.level(&[]).set(as_f64(at));
}

/// Sets the number of identities with a connection.
pub fn players_online(count: usize) {
    PLAYERS.level(&[]).set(as_f64(as_u64(count)));
}

/// The level of a queue: `storage`, `lobby` or `chat`.
pub fn queue(name: &'static str, level: QueueLevel) {
    QUEUE_LENGTH
        .level(&[name])
        .set(as_f64(as_u64(level.length)));
    QUEUE_CAPACITY
        .level(&[name])
        .set(as_f64(as_u64(level.capacity)));
}

/// The level of load shedding, as a number.
pub fn overload_level(level: u8) {
    OVERLOAD_LEVEL.level(&[]).set(f64::from(level));
}

/// The pressure, percent of the bounds.
pub fn pressure(lag: u32, journal: u32, lobby: u32) {
    for (of, percent) in [("lag", lag), ("journal", journal), ("lobby", lobby)] {
        PRESSURE.level(&[of]).set(f64::from(percent) / 100.0);
    }
}

/// The server stood still for so long.
pub(crate) fn stalled(time: Millis) {
    STALLS.spread(&[]).record(as_seconds(time));
}

/// A request was shed: `spectator`, `game` or `chat`.
pub fn overload_refused(what: &'static str) {
    OVERLOAD_REFUSED.count(&[what]).increment(1);
}

/// Connections began (`1`) or stopped (`-1`) watching a game.
pub fn spectators(change: i32) {
    SPECTATORS.level(&[]).increment(f64::from(change));
}

/// The number of games in memory.
pub fn games(count: usize) {
    GAMES.level(&[]).set(as_f64(as_u64(count)));
}

/// The number of games that sleep in the storage.
pub fn games_asleep(count: usize) {
    ASLEEP.level(&[]).set(as_f64(as_u64(count)));
}

/// The number of open seeks.
pub fn seeks(count: usize) {
    SEEKS.level(&[]).set(as_f64(as_u64(count)));
}

/// An unfinished game came into memory (`1`), or has ended or left it (`-1`).
pub fn games_running(class: GameClass, change: i32) {
    GAMES_RUNNING
        .level(&class.labels())
        .increment(f64::from(change));
}

/// A game was created.
pub fn game_created(class: GameClass) {
    GAMES_CREATED.count(&class.labels()).increment(1);
}

/// Counts turns that began.
pub fn turns(began: u32) {
    often(|figures| figures.turns.increment(u64::from(began)));
}

/// A house bot computes for as long as the result lives.
pub fn bot_thinks() -> Counted {
    Counted::new(BOTS_THINKING.level(&[]))
}

/// A house bot waits for others to compute, for as long as the result lives.
pub fn bot_waits() -> Counted {
    Counted::new(BOTS_WAITING.level(&[]))
}

/// A game ended; `reason` as the protocol names it.
pub fn game_ended(reason: &'static str) {
    GAMES_ENDED.count(&[reason]).increment(1);
}

/// A message of a client was accepted.
pub fn message_taken() {
    often(|figures| figures.messages_taken.increment(1));
}

/// A message of a client was refused, or could not be read.
pub fn message_refused(code: ErrorCode) {
    MESSAGES.count(&[code.as_str()]).increment(1);
}

/// The rules refused a game command.
pub fn command_refused(code: ErrorCode) {
    REFUSALS.count(&[code.as_str()]).increment(1);
}

/// The time from the receipt of a game command to its answer.
pub fn command_took(took: Millis) {
    often(|figures| figures.command_time.record(as_seconds(took)));
}

/// A code of a private seek or game was wrong.
pub fn wrong_code() {
    WRONG_CODES.count(&[]).increment(1);
}

/// A login, a recovery or a change came with a wrong password or code.
pub fn wrong_password() {
    WRONG_PASSWORDS.count(&[]).increment(1);
}

/// Lines of chat rooms were stored.
pub fn chat_lines(lines: usize) {
    CHAT_LINES
        .count(&[])
        .increment(u64::try_from(lines).unwrap_or(u64::MAX));
}

/// Sets the number of connections in chat rooms.
pub fn chat_members(members: usize) {
    CHAT_MEMBERS.level(&[]).set(as_f64(as_u64(members)));
}

/// A guest registered.
pub fn registered() {
    REGISTRATIONS.count(&[]).increment(1);
}

/// Counts finished games whose results were stored.
pub fn results_written(results: usize) {
    RESULTS
        .count(&[])
        .increment(results.try_into().unwrap_or(u64::MAX));
}

/// A finished game gets no result.
pub fn result_missing() {
    RESULTS_MISSING.count(&[]).increment(1);
}

/// A token was refused; `why` is one word.
pub fn token_refused(why: &'static str) {
    TOKENS_REFUSED.count(&[why]).increment(1);
}

/// The server closed a connection.
pub fn closed(code: CloseCode) {
    CLOSED.count(&[code.as_str()]).increment(1);
}

/// A client read too slowly; `done` is the consequence: `closed` or `snapshot_later`.
pub fn outbox_overflow(done: &'static str) {
    OVERFLOWS.count(&[done]).increment(1);
}

/// A snapshot for spectators was encoded.
pub fn snapshot_encoded() {
    SNAPSHOTS.count(&["encoded"]).increment(1);
}

/// A snapshot was sent to a spectator; usually many spectators share one encoding.
pub fn snapshot_sent() {
    SNAPSHOTS.count(&["sent"]).increment(1);
}

/// A message arrived from a client.
pub fn received(bytes: usize) {
    often(|figures| {
        figures.frames_in.increment(1);
        figures.bytes_in.increment(as_u64(bytes));
    });
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
    LAG.spread(&[]).record(as_seconds(lag));
}

/// The time from the queueing of a write to its end.
pub fn storage_write(took: Duration, is_ok: bool) {
    if !is_ok {
        APPENDS.spread(&["failed"]).record(took.as_secs_f64());
    } else {
        often(|figures| figures.appends.record(took.as_secs_f64()));
    }
}

/// A number of writes shared one transaction of this length.
pub fn storage_batch(writes: usize, took: Duration) {
    often(|figures| {
        figures.batch.record(as_f64(as_u64(writes)));
        figures.commits.record(took.as_secs_f64());
    });
}

/// The database was flushed during a checkpoint.
pub fn storage_flush(took: Duration) {
    FLUSHES.spread(&[]).record(took.as_secs_f64());
}

/// A checkpoint has ended.
pub fn storage_checkpoint(took: Duration) {
    CHECKPOINTS.spread(&[]).record(took.as_secs_f64());
}

/// The sizes of the database and its log, and the free space of their disk, bytes.
pub fn storage_bytes(database: u64, log: u64, free: u64) {
    DATABASE_BYTES.level(&[]).set(as_f64(database));
    LOG_BYTES.level(&[]).set(as_f64(log));
    FREE_BYTES.level(&[]).set(as_f64(free));
}

fn as_u64(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

fn as_seconds(span: Millis) -> f64 {
    span.to_duration().as_secs_f64()
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
const fn as_f64(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;

    /// Checks that these lines are on the page after some facts.
    fn check(facts: impl FnOnce(), lines: &[&str]) {
        let recorder = PrometheusBuilder::new().build_recorder();
        metrics::with_local_recorder(&recorder, facts);
        let page = recorder.handle().render();
        for line in lines {
            assert!(page.lines().any(|found| found == *line), "{line} in {page}");
        }
    }

    /// A ratio of 1 is the bound.
    #[test]
    fn pressure_is_shown_as_a_ratio() {
        check(
            || pressure(150, 50, 0),
            &[
                "tilewire_overload_pressure_ratio{of=\"lag\"} 1.5",
                "tilewire_overload_pressure_ratio{of=\"journal\"} 0.5",
                "tilewire_overload_pressure_ratio{of=\"lobby\"} 0",
            ],
        );
    }

    /// An operator's rule sets share a value of the label, so that the number of series has a bound.
    #[test]
    fn games_are_counted_by_class() {
        check(
            || {
                games_running(GameClass::of("classic", true), 1);
                games_running(GameClass::of("my-own", false), 1);
                games_running(GameClass::of("another", false), 1);
                games_running(GameClass::of("classic", true), -1);
            },
            &[
                "tilewire_games_running{rule_set=\"classic\",kind=\"rated\"} 0",
                "tilewire_games_running{rule_set=\"own\",kind=\"casual\"} 2",
            ],
        );
    }

    #[test]
    fn bots_count_as_long_as_they_think() {
        check(
            || {
                let first = bot_thinks();
                let second = bot_thinks();
                drop(first);
                std::mem::forget(second); // it still thinks when the page is made
            },
            &["tilewire_bots_thinking 1"],
        );
    }
}
