//! The measured phase: readings at its beginning and end, and samples between.

use std::time::Duration;

use anyhow::Result;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::{SAMPLE_EVERY, Testbed};
use crate::cluster::Services;
use crate::host;
use crate::process::Usage;
use crate::prometheus::Reading;
use crate::recorder::{Counter, Counts, Recorder};
use crate::results::{Metrics, Sample};
use crate::shared::ParentMessage;
use crate::stats::{number, per};

/// A reading of all sources at one moment.
#[derive(Debug, Default)]
pub(crate) struct Moment {
    usage: Usage,
    /// The processor time of PostgreSQL and of the nats-server.
    services_cpu_us: [u64; 2],
    own_cpu_us: u64,
    counts: Counts,
    metrics: Reading,
    written: u64,
}

/// The measured phase.
#[derive(Debug)]
pub(crate) struct Measurement {
    /// When it began.
    pub(crate) began: tokio::time::Instant,
    // How long it is to last, if that is known.
    length: Option<Duration>,
    restarts: u32,
    before: Moment,
    // The last sample: when, and what stood then.
    last: (tokio::time::Instant, Usage, Counts),
}

impl Testbed {
    /// Runs the measured phase; `connections` are open.
    ///
    /// # Errors
    /// When the server's metrics cannot be read.
    pub(crate) async fn measure(&mut self, time: Duration, connections: u64) -> Result<()> {
        let mut measurement = self.begin(Some(time)).await?;
        let mut ticks = interval(SAMPLE_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks.tick().await;
        while measurement.began.elapsed() < time {
            let left = time.saturating_sub(measurement.began.elapsed());
            drop(timeout(left, ticks.tick()).await);
            self.sample("measuring", &mut measurement);
        }
        self.end(measurement, connections).await
    }

    /// Begins the measured phase; `length` is its duration, if known.
    ///
    /// # Errors
    /// When the server's metrics cannot be read.
    pub(crate) async fn begin(&mut self, length: Option<Duration>) -> Result<Measurement> {
        self.fleet.mark(&self.shared, ParentMessage::Begin).await?;
        let before = self.moment().await?;
        let began = host::now();
        self.shared.recorder.begin();
        Ok(Measurement {
            began,
            length,
            restarts: self.restarts,
            last: (began, before.usage, before.counts),
            before,
        })
    }

    /// Takes a sample.
    pub(crate) fn sample(&mut self, what: &str, measurement: &mut Measurement) {
        let (now, usage) = (host::now(), self.usage());
        let (last, used, shown) = &measurement.last;
        let all = self.shared.recorder.counts();
        let counts = all.since(shown);
        let passed = now.saturating_duration_since(*last).as_secs_f64();
        if passed < 0.05 {
            return;
        }
        let [ack, push, flag] = self.shared.recorder.take_recent();
        let (started, finished) = (all.get(Counter::Started), all.get(Counter::Finished));
        self.result.samples.push(Sample {
            at_s: measurement.began.elapsed().as_secs_f64(),
            moves_per_s: number(counts.get(Counter::Moves)) / passed,
            deliveries_per_s: number(counts.get(Counter::Deliveries)) / passed,
            ack,
            push,
            flag,
            rss_bytes: usage.rss_bytes,
            cores: number(usage.cpu_us.saturating_sub(used.cpu_us)) / 1e6 / passed,
            files: usage.files,
            threads: usage.threads,
            stored_bytes: self.server.stored_bytes(),
            live_games: started.saturating_sub(finished),
            restarts: self.restarts,
        });
        let part = measurement
            .length
            .map(|length| (measurement.began.elapsed(), length));
        self.show(what, part, (*last, *shown));
        measurement.last = (now, usage, all);
    }

    /// Ends the measured phase; `connections` were open.
    ///
    /// # Errors
    /// When the server's metrics cannot be read.
    pub(crate) async fn end(
        &mut self,
        mut measurement: Measurement,
        connections: u64,
    ) -> Result<()> {
        self.shared.recorder.end();
        let elapsed = measurement.began.elapsed();
        self.fleet.mark(&self.shared, ParentMessage::End).await?;
        let after = self.moment().await?;
        if measurement.restarts != self.restarts {
            // A server counts from its start.
            measurement.before.metrics = Reading::default();
        }
        self.result.metrics = metrics(&self.shared.recorder, elapsed, &measurement.before, &after);
        self.result.metrics.connections = connections;
        let recorder = &self.shared.recorder;
        let named = [
            ("ack_latency_us", &recorder.ack),
            ("push_latency_us", &recorder.push),
            ("service_time_us", &recorder.service),
            ("send_delay_us", &recorder.send_delay),
            ("resume_latency_us", &recorder.resume),
            ("takeover_us", &recorder.takeover),
            ("stall_us", &recorder.stall),
            ("join_latency_us", &recorder.join),
            ("seek_latency_us", &recorder.seek),
            ("lobby_latency_us", &recorder.lobby),
            ("sign_in_latency_us", &recorder.sign_in),
            ("flag_delay_us", &recorder.flag),
            ("disk_probe_us", &recorder.disk),
        ];
        let curves = named.map(|(name, times)| (name, times.curve()));
        let curves = curves.into_iter().filter(|(_, curve)| !curve.is_empty());
        self.result.curves = curves.collect();
        Ok(())
    }

    async fn moment(&self) -> Result<Moment> {
        let mut metrics = Reading::default();
        for node in std::iter::once(&self.server).chain(&self.peers) {
            if let Some(admin) = &node.admin {
                metrics.add(&Reading::take(admin).await?);
            }
        }
        let services = self.services.as_ref();
        Ok(Moment {
            usage: self.usage(),
            services_cpu_us: services.map(Services::cpu_us).unwrap_or_default(),
            own_cpu_us: Usage::of(std::process::id()).cpu_us + self.fleet.cpu_us(),
            counts: self.shared.recorder.counts(),
            metrics,
            written: self.usage().written_bytes,
        })
    }
}

/// Returns what PostgreSQL and the nats-server used for each move.
fn services_cpu_us_per_move(before: &Moment, after: &Moment, moves: u64) -> [Option<f64>; 2] {
    [0, 1].map(|service: usize| {
        let used = |moment: &Moment| moment.services_cpu_us[service];
        let used_us = used(after).saturating_sub(used(before));
        per(number(used_us), moves).filter(|_| used_us > 0)
    })
}

fn metrics(recorder: &Recorder, elapsed: Duration, before: &Moment, after: &Moment) -> Metrics {
    let counts = after.counts.since(&before.counts);
    let seconds = elapsed.as_secs_f64();
    let cpu_us = number(after.usage.cpu_us.saturating_sub(before.usage.cpu_us));
    let (moves, deliveries) = (counts.get(Counter::Moves), counts.get(Counter::Deliveries));
    let metrics = after.metrics.since(&before.metrics);
    let [database, broker] = services_cpu_us_per_move(before, after, moves);
    let relayed = metrics.sum("tilewire_relay_sent_bytes_total");
    let has_cpu = cpu_us > 0.0;
    let commits = metrics.sum("tilewire_storage_commit_seconds_count");
    let appends = metrics.sum("tilewire_storage_batch_size_sum");
    let command_us = |share| {
        let seconds = metrics.quantile("tilewire_command_seconds", share);
        seconds
            .map(|seconds| seconds * 1e6)
            .filter(|us| us.is_finite())
    };
    Metrics {
        measured_s: seconds,
        games_started: counts.get(Counter::Started),
        games_finished: counts.get(Counter::Finished),
        moves,
        moves_per_s: number(moves) / seconds,
        refusals: counts.get(Counter::Refusals),
        resumes: counts.get(Counter::Resumes),
        errors: counts.get(Counter::Errors),
        ack_latency_us: recorder.ack.percentiles(),
        push_latency_us: recorder.push.percentiles(),
        service_time_us: recorder.service.percentiles(),
        seek_latency_us: recorder.seek.percentiles(),
        lobby_latency_us: recorder.lobby.percentiles(),
        sign_ins_per_s: number(counts.get(Counter::SignIns)) / seconds,
        sign_ins_refused_per_s: number(counts.get(Counter::SignInsRefused)) / seconds,
        sign_in_latency_us: recorder.sign_in.percentiles(),
        chat_lines_per_s: number(counts.get(Counter::ChatLines)) / seconds,
        send_delay_us: recorder.send_delay.percentiles(),
        resume_latency_us: recorder.resume.percentiles(),
        takeover_us: recorder.takeover.percentiles(),
        stall_us: recorder.stall.percentiles(),
        join_latency_us: recorder.join.percentiles(),
        flag_delay_us: recorder.flag.percentiles(),
        disk_probe_us: recorder.disk.percentiles(),
        deliveries,
        deliveries_per_s: number(deliveries) / seconds,
        bytes_per_s: number(counts.get(Counter::Bytes)) / seconds,
        snapshots: counts.get(Counter::Snapshots),
        spectator_snapshots_encoded: metrics
            .sum_where("tilewire_spectator_snapshots_total", "encoded"),
        spectator_snapshots_sent: metrics.sum_where("tilewire_spectator_snapshots_total", "sent"),
        server_cpu_s: cpu_us / 1e6,
        server_cores_used: cpu_us / 1e6 / seconds,
        deliveries_per_cpu_s: has_cpu.then(|| number(deliveries) / (cpu_us / 1e6)),
        server_cpu_us_per_move: per(cpu_us, moves).filter(|_| has_cpu),
        database_cpu_us_per_move: database,
        broker_cpu_us_per_move: broker,
        relayed_bytes_per_move: per(relayed, moves).filter(|bytes| *bytes > 0.0),
        server_cpu_us_per_delivery: per(cpu_us, deliveries).filter(|_| has_cpu),
        server_command_us_p50: command_us(0.5),
        server_command_us_p99: command_us(0.99),
        storage_batch: (commits > 0.0).then(|| appends / commits),
        commit_us: (commits > 0.0)
            .then(|| metrics.sum("tilewire_storage_commit_seconds_sum") * 1e6 / commits),
        harness_cpu_s: number(after.own_cpu_us.saturating_sub(before.own_cpu_us)) / 1e6,
        server_rss_bytes: after.usage.rss_bytes,
        stored_bytes_per_move: per(number(after.written.saturating_sub(before.written)), moves)
            .filter(|bytes| *bytes > 0.0),
        ..Metrics::default()
    }
}
