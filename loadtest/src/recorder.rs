//! Records counters and latencies while clients run.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hdrhistogram::Histogram;
use serde::Serialize;
use tokio::time::Instant;

use crate::host;
use crate::presence::PresenceCounts;

/// Largest value of a histogram, microseconds; longer times count as this.
const LONGEST_US: u64 = 600_000_000;
/// Points of a curve for each halving of the distance to 100 %.
const TICKS_PER_HALF_DISTANCE: u32 = 5;
/// Significant decimal digits of each value.
const DIGITS: u8 = 3;

/// Latencies of one kind: one histogram for the measured phase and one since the last sample.
#[derive(Debug)]
pub struct Latencies(Mutex<(Histogram<u64>, Histogram<u64>)>);

/// Percentiles of a histogram, microseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Percentiles {
    /// Number of values.
    pub count: u64,
    /// The median.
    pub p50: u64,
    /// The 90th percentile.
    pub p90: u64,
    /// The 99th percentile.
    pub p99: u64,
    /// The 99.9th percentile.
    pub p999: u64,
    /// The largest value.
    pub max: u64,
}

impl Latencies {
    fn new() -> Self {
        Self(Mutex::new((histogram(), histogram())))
    }

    fn add(&self, time: Duration) {
        let time = host::micros(time).min(LONGEST_US);
        let mut both = lock(&self.0);
        both.0.saturating_record(time);
        both.1.saturating_record(time);
    }

    /// Percentiles of the measured phase.
    pub fn percentiles(&self) -> Percentiles {
        Percentiles::of(&lock(&self.0).0)
    }

    /// The distribution as percentiles and values, as HdrHistogram lists it: the steps halve towards 100 %.
    pub fn curve(&self) -> Vec<(f64, u64)> {
        let all = &lock(&self.0).0;
        let steps = all.iter_quantiles(TICKS_PER_HALF_DISTANCE);
        let points = steps.map(|step| {
            (
                step.quantile_iterated_to() * 100.0,
                step.value_iterated_to(),
            )
        });
        points.collect()
    }

    fn take_recent(&self) -> Percentiles {
        let mut both = lock(&self.0);
        let recent = Percentiles::of(&both.1);
        both.1.reset();
        recent
    }

    /// Values and counts since the last call, for the parent process.
    fn take_recorded(&self) -> Recorded {
        let mut both = lock(&self.0);
        let steps = both.1.iter_recorded();
        let recorded =
            steps.map(|step| (step.value_iterated_to(), step.count_since_last_iteration()));
        let recorded = recorded.collect();
        both.1.reset();
        recorded
    }

    fn add_recorded(&self, recorded: &[(u64, u64)]) {
        let mut both = lock(&self.0);
        for (time, count) in recorded {
            both.0.saturating_record_n(*time, *count);
            both.1.saturating_record_n(*time, *count);
        }
    }

    fn clear(&self) {
        let mut both = lock(&self.0);
        both.0.reset();
        both.1.reset();
    }
}

impl Percentiles {
    fn of(times: &Histogram<u64>) -> Self {
        if times.is_empty() {
            return Self::default();
        }
        Self {
            count: times.len(),
            p50: times.value_at_quantile(0.5),
            p90: times.value_at_quantile(0.9),
            p99: times.value_at_quantile(0.99),
            p999: times.value_at_quantile(0.999),
            max: times.max(),
        }
    }
}

/// The counters, in the order of [`Counts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    /// Moves: plays, exchanges and passes.
    Moves,
    /// Illegal plays that the server refused.
    Refusals,
    /// Events that reached a client.
    Deliveries,
    /// Bytes of messages that reached a client.
    Bytes,
    /// Games started.
    Started,
    /// Games finished.
    Finished,
    /// Unplanned losses of connections, and answers that the server is busy.
    Errors,
    /// Connections that clients dropped on purpose and resumed.
    Resumes,
    /// Snapshots that reached a client.
    Snapshots,
    /// Clients that have joined: spectators with their first game, idle connections, followers.
    Joined,
    /// Registrations and logins that the server accepted.
    SignIns,
    /// Registrations and logins that the server refused: too many at once, or too many wrong passwords.
    SignInsRefused,
    /// Lines of the lobby's chat that reached a client.
    ChatLines,
    /// Turns that a server refused because it was busy.
    TurnsRefused,
}

/// Number of counters.
pub const COUNTS: usize = 14;
/// Number of latencies.
pub const LATENCIES: usize = 13;

/// Recorded values of another process: microseconds and counts.
pub type Recorded = Vec<(u64, u64)>;

/// A reading of all counters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts([u64; COUNTS]);

impl Counts {
    /// One counter.
    pub const fn get(&self, count: Counter) -> u64 {
        self.0[count as usize]
    }

    /// All counters.
    pub const fn into_array(self) -> [u64; COUNTS] {
        self.0
    }

    /// Returns the increase since `before`.
    pub fn since(&self, before: &Self) -> Self {
        let mut difference = *self;
        for (own, earlier) in difference.0.iter_mut().zip(before.0) {
            *own = own.saturating_sub(earlier);
        }
        difference
    }
}

/// The counters and latencies of one run, shared by all its clients.
#[derive(Debug)]
pub struct Recorder {
    origin: Instant,
    /// The clients of this process that follow a game, and those whose connection was lost.
    pub(crate) presence: Arc<PresenceCounts>,
    is_measuring: AtomicBool,
    counts: [AtomicU64; COUNTS],
    /// Acknowledgement latency: from the moment a command was due to its answer.
    pub ack: Latencies,
    /// Service time: from sending a command to its answer.
    pub service: Latencies,
    /// Seek latency: from opening or joining a seek to the answer.
    pub seek: Latencies,
    /// Lobby latency: from the start of a game until a lobby follower received it.
    pub lobby: Latencies,
    /// Sign-in latency: from sending a registration or login until it was accepted.
    pub sign_in: Latencies,
    /// Push latency: from the moment a command was due to the arrival of its event at another client.
    pub push: Latencies,
    /// Send delay: how much later than due the harness sent a command.
    pub send_delay: Latencies,
    /// Resume latency: from the loss of a connection until its game was resumed.
    pub resume: Latencies,
    /// Flag delay: from the deadline of a clock until a client received the end of the game.
    pub flag: Latencies,
    /// Time of an append and flush by the disk probe.
    pub disk: Latencies,
    /// Takeover: from the loss of one of several servers until a client saw the next event of a game that it had.
    pub takeover: Latencies,
    /// Stall: the time for which a game stood still, as its log says.
    pub stall: Latencies,
    /// Join latency: from the moment a client was due until it had joined; recorded during warm-up, too.
    pub join: Latencies,
}

impl Default for Recorder {
    fn default() -> Self {
        Self::new()
    }
}

impl Recorder {
    /// A recorder at zero that does not record latencies yet.
    pub fn new() -> Self {
        Self {
            origin: host::now(),
            presence: Arc::default(),
            is_measuring: AtomicBool::new(false),
            counts: std::array::from_fn(|_| AtomicU64::new(0)),
            ack: Latencies::new(),
            service: Latencies::new(),
            seek: Latencies::new(),
            lobby: Latencies::new(),
            sign_in: Latencies::new(),
            push: Latencies::new(),
            send_delay: Latencies::new(),
            resume: Latencies::new(),
            flag: Latencies::new(),
            disk: Latencies::new(),
            takeover: Latencies::new(),
            stall: Latencies::new(),
            join: Latencies::new(),
        }
    }

    /// Begins the measured phase.
    pub fn begin(&self) {
        for latencies in self.measured() {
            latencies.clear();
        }
        self.is_measuring.store(true, Ordering::Relaxed);
    }

    /// Ends the measured phase.
    pub fn end(&self) {
        self.is_measuring.store(false, Ordering::Relaxed);
    }

    /// Records a latency, if this is the measured phase.
    pub fn record(&self, latencies: &Latencies, time: Duration) {
        if self.is_measuring.load(Ordering::Relaxed) {
            latencies.add(time);
        }
    }

    /// Records a latency in every phase of a run.
    pub(crate) fn note(latencies: &Latencies, time: Duration) {
        latencies.add(time);
    }

    /// Records the join latency of a client.
    pub fn joined(&self, time: Duration) {
        self.join.add(time);
        self.count(Counter::Joined);
    }

    /// Adds 1 to a counter.
    pub fn count(&self, count: Counter) {
        self.count_many(count, 1);
    }

    /// Adds `many` to a counter.
    pub fn count_many(&self, count: Counter, many: u64) {
        self.counts[count as usize].fetch_add(many, Ordering::Relaxed);
    }

    /// All counters.
    pub fn counts(&self) -> Counts {
        Counts(std::array::from_fn(|at| {
            self.counts[at].load(Ordering::Relaxed)
        }))
    }

    /// A moment as microseconds since the recorder was created.
    pub fn moment_us(&self, moment: Instant) -> u64 {
        host::micros(moment.saturating_duration_since(self.origin))
    }

    /// The moment of a number of microseconds.
    pub fn moment(&self, us: u64) -> Instant {
        self.origin + Duration::from_micros(us)
    }

    /// Percentiles of acknowledgements, pushes and flags since the last call.
    pub fn take_recent(&self) -> [Percentiles; 3] {
        [&self.ack, &self.push, &self.flag].map(Latencies::take_recent)
    }

    /// All values since the last call, for the parent process; replaces [`Recorder::take_recent`] there.
    pub fn take_recorded(&self) -> [Recorded; LATENCIES] {
        self.all().map(Latencies::take_recorded)
    }

    /// Adds the counters and values of another process.
    pub fn add(&self, counts: &[u64; COUNTS], times: &[Recorded; LATENCIES]) {
        for (own, more) in self.counts.iter().zip(counts) {
            own.fetch_add(*more, Ordering::Relaxed);
        }
        for (own, more) in self.all().into_iter().zip(times) {
            own.add_recorded(more);
        }
    }

    /// The latencies of the measured phase.
    const fn measured(&self) -> [&Latencies; LATENCIES - 1] {
        [
            &self.ack,
            &self.service,
            &self.push,
            &self.send_delay,
            &self.resume,
            &self.flag,
            &self.disk,
            &self.seek,
            &self.lobby,
            &self.sign_in,
            &self.takeover,
            &self.stall,
        ]
    }

    /// All latencies.
    const fn all(&self) -> [&Latencies; LATENCIES] {
        let [
            ack,
            service,
            push,
            send_delay,
            resume,
            flag,
            disk,
            seek,
            lobby,
            sign_in,
            takeover,
            stall,
        ] = self.measured();
        [
            ack, service, push, send_delay, resume, flag, disk, seek, lobby, sign_in, takeover,
            stall, &self.join,
        ]
    }
}

fn histogram() -> Histogram<u64> {
    Histogram::new_with_max(LONGEST_US, DIGITS).expect("bounds in order")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_a_sorted_list() {
        let recorder = Recorder::new();
        recorder.record(&recorder.ack, Duration::from_micros(1));
        recorder.begin();
        for us in 1..=1_000 {
            recorder.record(&recorder.ack, Duration::from_micros(us));
        }
        recorder.end();
        recorder.record(&recorder.ack, Duration::from_secs(9));
        let ack = recorder.ack.percentiles();
        assert_eq!(
            (ack.count, ack.p50, ack.p99, ack.p999, ack.max),
            (1_000, 500, 990, 999, 1_000)
        );
        assert_eq!(recorder.take_recent()[0], ack);
        assert_eq!(recorder.take_recent()[0], Percentiles::default());
    }

    #[test]
    fn values_of_another_process_count_as_own() {
        let (here, there, alone) = (Recorder::new(), Recorder::new(), Recorder::new());
        for recorder in [&here, &there, &alone] {
            recorder.begin();
        }
        for us in (1..2_000_000).step_by(977) {
            let time = Duration::from_micros(us);
            let recorder = if us.is_multiple_of(2) { &here } else { &there };
            recorder.record(&recorder.push, time);
            recorder.count(Counter::Deliveries);
            alone.record(&alone.push, time);
            alone.count(Counter::Deliveries);
        }
        here.add(&there.counts().into_array(), &there.take_recorded());
        assert_eq!(here.push.percentiles(), alone.push.percentiles());
        assert_eq!(here.counts(), alone.counts());
        assert!(there.take_recorded().iter().all(Vec::is_empty));
    }
}
