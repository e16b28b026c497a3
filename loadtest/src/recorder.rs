//! Everything counted and timed while clients run, and the course of it over time.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hdrhistogram::Histogram;
use serde::Serialize;
use tokio::time::Instant;

use crate::host;
use crate::presence::PresenceCounts;

/// Longest time a histogram tells apart, microseconds; longer ones count as this.
const LONGEST_US: u64 = 600_000_000;
/// Points of a curve for each halving of the distance to 100 %.
const TICKS_PER_HALF_DISTANCE: u32 = 5;
/// Decimal digits kept of every time.
const DIGITS: u8 = 3;

/// Times of one kind: those of the whole measured phase and those since somebody last looked.
#[derive(Debug)]
pub struct Latencies(Mutex<(Histogram<u64>, Histogram<u64>)>);

/// What a histogram says, microseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Percentiles {
    /// How many times were taken.
    pub count: u64,
    /// Half were at most this.
    pub p50: u64,
    /// 90 of 100.
    pub p90: u64,
    /// 99 of 100.
    pub p99: u64,
    /// 999 of 1000.
    pub p999: u64,
    /// All of them.
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

    /// All times of the measured phase.
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

    /// The same, as another process needs them to have the same distribution.
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

/// What is counted; the order is that of [`Counts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    /// Turns that were played: plays, exchanges, passes.
    Moves,
    /// Commands refused as they should be.
    Refusals,
    /// Events that reached a client.
    Deliveries,
    /// Bytes of messages that reached a client.
    Bytes,
    /// Games begun.
    Started,
    /// Games played to their end.
    Finished,
    /// Connections lost that nobody meant to lose, and answers that say the server is too busy.
    Errors,
    /// Connections that were dropped on purpose, to be resumed.
    Resumes,
    /// Snapshots that reached a client.
    Snapshots,
    /// Spectators that have come to their first game.
    Joined,
}

/// How many of them there are.
pub const COUNTS: usize = 10;
/// Kinds of times.
pub const LATENCIES: usize = 10;

/// Times as another process tells of them: microseconds, and how many.
pub type Recorded = Vec<(u64, u64)>;

/// A reading of everything that is counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts([u64; COUNTS]);

impl Counts {
    /// One of them.
    pub const fn get(&self, count: Counter) -> u64 {
        self.0[count as usize]
    }

    /// All of them.
    pub const fn into_array(self) -> [u64; COUNTS] {
        self.0
    }

    /// What was counted since `before`.
    pub fn since(&self, before: &Self) -> Self {
        let mut difference = *self;
        for (own, earlier) in difference.0.iter_mut().zip(before.0) {
            *own = own.saturating_sub(earlier);
        }
        difference
    }
}

/// The instruments of one run; shared by all its clients.
#[derive(Debug)]
pub struct Recorder {
    origin: Instant,
    /// Who follows a game in this process, and who was thrown out of one.
    pub(crate) presence: Arc<PresenceCounts>,
    is_measuring: AtomicBool,
    counts: [AtomicU64; COUNTS],
    /// From when a command should have been sent to its answer.
    pub ack: Latencies,
    /// From when a command was sent to its answer.
    pub service: Latencies,
    /// From when a seek was opened or joined to the answer; the game is made by then.
    pub seek: Latencies,
    /// From when a game began until somebody who follows the lobby knew, by the server's milliseconds.
    pub lobby: Latencies,
    /// From when a command should have been sent to its event's arrival at somebody else.
    pub push: Latencies,
    /// How much later than it should have a client sent a command: the harness's own lateness.
    pub send_delay: Latencies,
    /// From the loss of a connection until its games were resumed.
    pub resume: Latencies,
    /// From a flag's deadline until a client knew of its fall.
    pub flag: Latencies,
    /// What somebody else's append to the server's disk took, flush included, where there is a witness.
    pub disk: Latencies,
    /// From when a spectator should have come until it had the game; kept from the beginning, not only while measuring.
    pub join: Latencies,
}

impl Recorder {
    /// Instruments at zero that do not measure yet.
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
            push: Latencies::new(),
            send_delay: Latencies::new(),
            resume: Latencies::new(),
            flag: Latencies::new(),
            disk: Latencies::new(),
            join: Latencies::new(),
        }
    }

    /// Begins to keep times.
    pub fn begin(&self) {
        for latencies in self.measured() {
            latencies.clear();
        }
        self.is_measuring.store(true, Ordering::Relaxed);
    }

    /// Ends to keep times.
    pub fn end(&self) {
        self.is_measuring.store(false, Ordering::Relaxed);
    }

    /// Keeps a time, if this is the measured phase.
    pub fn record(&self, latencies: &Latencies, time: Duration) {
        if self.is_measuring.load(Ordering::Relaxed) {
            latencies.add(time);
        }
    }

    /// Keeps how long a spectator took to come.
    pub fn joined(&self, time: Duration) {
        self.join.add(time);
        self.count(Counter::Joined);
    }

    /// Counts one.
    pub fn count(&self, count: Counter) {
        self.count_many(count, 1);
    }

    /// Counts several.
    pub fn count_many(&self, count: Counter, many: u64) {
        self.counts[count as usize].fetch_add(many, Ordering::Relaxed);
    }

    /// Everything counted so far.
    pub fn counts(&self) -> Counts {
        Counts(std::array::from_fn(|at| {
            self.counts[at].load(Ordering::Relaxed)
        }))
    }

    /// A moment as the microseconds since these instruments were made.
    pub fn moment_us(&self, moment: Instant) -> u64 {
        host::micros(moment.saturating_duration_since(self.origin))
    }

    /// The moment of so many microseconds.
    pub fn moment(&self, us: u64) -> Instant {
        self.origin + Duration::from_micros(us)
    }

    /// Percentiles of acks, pushes and flags since the last call.
    pub fn take_recent(&self) -> [Percentiles; 3] {
        [&self.ack, &self.push, &self.flag].map(Latencies::take_recent)
    }

    /// All times since the last call, in place of [`Recorder::take_recent`]: for the process this one works for.
    pub fn take_recorded(&self) -> [Recorded; LATENCIES] {
        self.all().map(Latencies::take_recorded)
    }

    /// Adds what another process has counted and timed.
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
        ] = self.measured();
        [
            ack, service, push, send_delay, resume, flag, disk, seek, lobby, &self.join,
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
    fn what_another_process_timed_is_as_if_it_had_been_timed_here() {
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
