//! One run: a server, clients, warm-up, the measured phase with samples of its course, and the judge at the end.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::args::Common;
use crate::audit::docket::Docket;
use crate::crowd::{self, Crowd, Order, Plan};
use crate::disk::Witness;
use crate::figures::{Figures, Outcome, Sample, per};
use crate::host::{self, Cores};
use crate::meter::{Count, Counts, Meter};
use crate::metrics::Reading;
use crate::process::{KernelMemory, Usage};
use crate::server::Server;
use crate::stage::{Act, Manner, Pair, Stage};

/// Time between two samples.
const SAMPLE_EVERY: Duration = Duration::from_millis(500);
/// How long games at hand may take to be finished after the measured phase.
const FINISH_WITHIN: Duration = Duration::from_secs(60);
/// How long clients may take to leave.
pub(crate) const LEAVE_WITHIN: Duration = Duration::from_secs(30);
/// Time for processes with clients to start, before the first client is due.
const START_WITHIN: Duration = Duration::from_millis(500);

/// A server with clients.
#[derive(Debug)]
pub(crate) struct Bench {
    /// The server.
    pub(crate) server: Server,
    /// What its clients share.
    pub(crate) stage: Arc<Stage>,
    /// The clients' tasks.
    pub(crate) clients: JoinSet<()>,
    /// Those in other processes.
    crowd: Crowd,
    /// Memory before any client came.
    pub(crate) at_rest: Usage,
    /// Memory of the kernel before any client came.
    pub(crate) kernel_at_rest: KernelMemory,
    cores: Cores,
    bar: ProgressBar,
    // Only kept: it ends when this does.
    _witness: Option<Witness>,
    /// What has been found out so far.
    pub(crate) outcome: Outcome,
    docket: Docket,
    restarts: u32,
}

/// Everything read at one moment.
#[derive(Debug, Default)]
pub(crate) struct Moment {
    usage: Usage,
    own_cpu_us: u64,
    counts: Counts,
    metrics: Reading,
    written: u64,
}

/// The measured phase.
#[derive(Debug)]
pub(crate) struct Course {
    /// When it began.
    pub(crate) began: tokio::time::Instant,
    restarts: u32,
    before: Moment,
    // The last sample: when, and what stood then.
    last: (tokio::time::Instant, Usage, Counts),
}

impl Bench {
    /// Starts a server, or takes the one that is named.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) async fn raise(common: &Common, manner: Manner) -> Result<Self> {
        Self::raise_with(common, manner, "").await
    }

    /// The same with settings of its own for the server.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) async fn raise_with(
        common: &Common,
        manner: Manner,
        settings: &str,
    ) -> Result<Self> {
        let cores = Cores::split(common.server_cores.as_deref())?;
        let server = match &common.url {
            Some(url) => Server::elsewhere(address_of(url), common.admin.clone()),
            None => {
                let beside = std::env::current_exe()?.with_file_name("tilewire-server");
                let program = common.server_bin.clone().unwrap_or(beside);
                let settings = format!("{settings}\n{}\n", common.set.join("\n"));
                let mut server = Server::prepare(&program, &cores, &settings)?;
                if let Err(error) = server.start(&cores.clients).await {
                    return Err(server.with_log(&error));
                }
                server
            }
        };
        let stage = Stage::new(server.address.clone(), manner);
        let home = server.home().filter(|_| common.witness);
        Ok(Self {
            _witness: home.map(|home| Witness::begin(home, &stage)).transpose()?,
            at_rest: server.usage(),
            kernel_at_rest: KernelMemory::read(),
            server,
            stage,
            clients: JoinSet::new(),
            crowd: Crowd::default(),
            cores,
            bar: bar(common.quiet),
            outcome: Outcome::default(),
            docket: Docket::default(),
            restarts: 0,
        })
    }

    /// Starts the server again after it was killed or stopped; returns how long it took.
    ///
    /// # Errors
    /// When it does not come up.
    pub(crate) async fn start_again(&mut self) -> Result<Duration> {
        self.restarts += 1;
        self.server.start(&self.cores.clients).await
    }

    /// Lets clients come that are spread over processes, spectators of `pair` or others.
    ///
    /// # Errors
    /// When a process does not start.
    pub(crate) async fn come(&mut self, plan: Plan, pair: Option<&Arc<Pair>>) -> Result<()> {
        let starting = if plan.processes > 0 {
            START_WITHIN
        } else {
            Duration::ZERO
        };
        let (began, stage) = (host::now() + starting, &self.stage);
        let began_us = i64::try_from(host::micros(starting))?.saturating_add(host::unix_us());
        self.crowd.start(stage, pair, plan, began_us).await?;
        for number in plan.of(0) {
            let (stage, due) = (Arc::clone(stage), began + plan.due(number));
            let client = crowd::client(stage, pair.cloned(), plan, number, due);
            self.clients.spawn(client);
        }
        Ok(())
    }

    /// Lets time go by and shows what happens.
    pub(crate) async fn wait(&self, what: &str, time: Duration) {
        let began = host::now();
        let mut ticks = interval(SAMPLE_EVERY);
        let mut before = (began, self.stage.meter.counts());
        while began.elapsed() < time {
            let left = time.saturating_sub(began.elapsed());
            if timeout(left, ticks.tick()).await.is_err() {
                break;
            }
            before = self.show(what, before);
        }
    }

    /// Waits until something is so, at most for a time; says whether it is.
    pub(crate) async fn wait_until(
        &self,
        what: &str,
        at_most: Duration,
        is_so: impl Fn(&Meter) -> bool,
    ) -> bool {
        let began = host::now();
        let mut ticks = interval(Duration::from_millis(10));
        let mut before = (began, self.stage.meter.counts());
        while !is_so(&self.stage.meter) {
            if began.elapsed() > at_most {
                return false;
            }
            ticks.tick().await;
            if before.0.elapsed() > SAMPLE_EVERY {
                before = self.show(what, before);
            }
        }
        true
    }

    /// The measured phase. `connections` are open by now.
    ///
    /// # Errors
    /// When the server's figures cannot be had.
    pub(crate) async fn measure(&mut self, time: Duration, connections: u64) -> Result<()> {
        let mut course = self.begin().await?;
        let mut ticks = interval(SAMPLE_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks.tick().await;
        while course.began.elapsed() < time {
            let left = time.saturating_sub(course.began.elapsed());
            drop(timeout(left, ticks.tick()).await);
            self.sample("measuring", &mut course);
        }
        self.end(course, connections).await
    }

    /// Begins to measure.
    ///
    /// # Errors
    /// When the server's figures cannot be had.
    pub(crate) async fn begin(&mut self) -> Result<Course> {
        self.crowd.mark(&self.stage, Order::Begin).await?;
        let before = self.moment().await?;
        let began = host::now();
        self.stage.meter.begin();
        Ok(Course {
            began,
            restarts: self.restarts,
            last: (began, before.usage, before.counts),
            before,
        })
    }

    /// Takes a sample.
    pub(crate) fn sample(&mut self, what: &str, course: &mut Course) {
        let (now, usage) = (host::now(), self.server.usage());
        let (last, used, shown) = &course.last;
        let all = self.stage.meter.counts();
        let counts = all.since(shown);
        let passed = now.saturating_duration_since(*last).as_secs_f64();
        if passed < 0.05 {
            return;
        }
        let [ack, push, flag] = self.stage.meter.take_recent();
        let (started, finished) = (all.get(Count::Started), all.get(Count::Finished));
        self.outcome.samples.push(Sample {
            at_s: course.began.elapsed().as_secs_f64(),
            moves_per_s: number(counts.get(Count::Moves)) / passed,
            deliveries_per_s: number(counts.get(Count::Deliveries)) / passed,
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
        self.show(what, (*last, *shown));
        course.last = (now, usage, all);
    }

    /// Ends to measure; `connections` were open.
    ///
    /// # Errors
    /// When the server's figures cannot be had.
    pub(crate) async fn end(&mut self, mut course: Course, connections: u64) -> Result<()> {
        self.stage.meter.end();
        let elapsed = course.began.elapsed();
        self.crowd.mark(&self.stage, Order::End).await?;
        let after = self.moment().await?;
        if course.restarts != self.restarts {
            // A server counts from its start.
            course.before.metrics = Reading::default();
        }
        self.outcome.figures = figures(&self.stage.meter, elapsed, &course.before, &after);
        self.outcome.figures.connections = connections;
        let meter = &self.stage.meter;
        let named = [
            ("ack", &meter.ack),
            ("push", &meter.push),
            ("late flags", &meter.flag),
            ("resume", &meter.resume),
            ("seek or seat", &meter.lobby),
            ("append by a witness", &meter.disk),
        ];
        let curves = named.map(|(name, times)| (name, times.curve()));
        let curves = curves.into_iter().filter(|(_, curve)| !curve.is_empty());
        self.outcome.curves = curves.collect();
        Ok(())
    }

    /// Lets the games at hand be finished, sends everybody home, and judges.
    ///
    /// # Errors
    /// When the server does not stop in good order.
    pub(crate) async fn finish(
        mut self,
        fill: impl FnOnce(&mut Figures, &Self),
    ) -> Result<Outcome> {
        self.stage.tell(Act::Finishing);
        let is_over = |meter: &Meter| {
            let counts = meter.counts();
            counts.get(Count::Finished) >= counts.get(Count::Started)
        };
        self.wait_until("finishing the games", FINISH_WITHIN, is_over)
            .await;
        self.leave().await;
        let mut figures = std::mem::take(&mut self.outcome.figures);
        fill(&mut figures, &self);
        if self.server.pid().is_some() {
            self.server.stop().await?;
        }
        self.bar.set_message("judging what clients were told");
        self.judge_finished().await?;
        let docket = std::mem::take(&mut self.docket);
        let lexicon = Arc::clone(&self.stage.lexicon);
        let judging = move || docket.finish(&lexicon, host::now());
        let verdict = tokio::task::spawn_blocking(judging).await?;
        figures.games_audited = verdict.games;
        figures.events_audited = verdict.events;
        figures.violations = verdict.violations;
        if figures.acked.is_some() {
            figures.acked = Some(verdict.acked);
            figures.lost = Some(verdict.lost);
            figures.doubled = Some(verdict.doubled);
        }
        self.bar.finish_and_clear();
        Ok(Outcome {
            figures,
            objections: verdict.objections,
            errors: self.stage.errors(),
            ..self.outcome
        })
    }

    /// Judges the games that are over, and forgets what clients were told of them.
    ///
    /// # Errors
    /// When the judge fails.
    pub(crate) async fn judge_finished(&mut self) -> Result<()> {
        let (trails, faults) = self.stage.take_trails();
        let mut docket = std::mem::take(&mut self.docket);
        let lexicon = Arc::clone(&self.stage.lexicon);
        let judging = move || {
            docket.take(trails, faults, host::now());
            docket.judge(&lexicon, host::now());
            docket
        };
        self.docket = tokio::task::spawn_blocking(judging).await?;
        Ok(())
    }

    async fn leave(&mut self) {
        self.stage.tell(Act::Leaving);
        let left = timeout(LEAVE_WITHIN, async {
            while let Some(ended) = self.clients.join_next().await {
                if let Err(error) = ended {
                    self.stage
                        .fault(format!("a client of the harness failed: {error}"));
                }
            }
        });
        if left.await.is_err() {
            self.stage.fault("clients did not leave".to_owned());
            self.clients.abort_all();
        }
        self.crowd.leave(&self.stage).await;
    }

    async fn moment(&self) -> Result<Moment> {
        let metrics = match &self.server.admin {
            Some(admin) => Reading::take(admin).await?,
            None => Reading::default(),
        };
        Ok(Moment {
            usage: self.server.usage(),
            own_cpu_us: Usage::of(std::process::id()).cpu_us + self.crowd.cpu_us(),
            counts: self.stage.meter.counts(),
            metrics,
            written: self.server.usage().written_bytes,
        })
    }

    fn show(
        &self,
        what: &str,
        (at, before): (tokio::time::Instant, Counts),
    ) -> (tokio::time::Instant, Counts) {
        let counts = self.stage.meter.counts();
        let recent = counts.since(&before);
        let passed = at.elapsed().as_secs_f64().max(0.001);
        let rate = |count| number(recent.get(count)) / passed;
        self.bar.set_message(format!(
            "{what}: {:.0} moves/s, {:.0} deliveries/s, {} games, {} errors",
            rate(Count::Moves),
            rate(Count::Deliveries),
            counts.get(Count::Started)
                - counts.get(Count::Finished).min(counts.get(Count::Started)),
            counts.get(Count::Errors),
        ));
        self.bar.tick();
        (host::now(), counts)
    }
}

fn figures(meter: &Meter, elapsed: Duration, before: &Moment, after: &Moment) -> Figures {
    let counts = after.counts.since(&before.counts);
    let seconds = elapsed.as_secs_f64();
    let cpu_us = number(after.usage.cpu_us.saturating_sub(before.usage.cpu_us));
    let (moves, deliveries) = (counts.get(Count::Moves), counts.get(Count::Deliveries));
    let metrics = after.metrics.since(&before.metrics);
    let has_cpu = cpu_us > 0.0;
    let commits = metrics.sum("tilewire_storage_commit_seconds_count");
    let appends = metrics.sum("tilewire_storage_batch_size_sum");
    let command_us = |share| {
        let seconds = metrics.quantile("tilewire_command_seconds", share);
        seconds
            .map(|seconds| seconds * 1e6)
            .filter(|us| us.is_finite())
    };
    Figures {
        measured_s: seconds,
        games_started: counts.get(Count::Started),
        games_finished: counts.get(Count::Finished),
        moves,
        moves_per_s: number(moves) / seconds,
        refusals: counts.get(Count::Refusals),
        resumes: counts.get(Count::Resumes),
        errors: counts.get(Count::Errors),
        ack_us: meter.ack.percentiles(),
        push_us: meter.push.percentiles(),
        answer_us: meter.answer.percentiles(),
        lobby_us: meter.lobby.percentiles(),
        news_us: meter.news.percentiles(),
        harness_late_us: meter.late.percentiles(),
        resume_us: meter.resume.percentiles(),
        join_us: meter.join.percentiles(),
        flag_late_us: meter.flag.percentiles(),
        disk_us: meter.disk.percentiles(),
        deliveries,
        deliveries_per_s: number(deliveries) / seconds,
        bytes_per_s: number(counts.get(Count::Bytes)) / seconds,
        snapshots: counts.get(Count::Snapshots),
        spectator_snapshots_encoded: metrics
            .sum_where("tilewire_spectator_snapshots_total", "encoded"),
        spectator_snapshots_sent: metrics.sum_where("tilewire_spectator_snapshots_total", "sent"),
        server_cpu_s: cpu_us / 1e6,
        server_cores_used: cpu_us / 1e6 / seconds,
        deliveries_per_cpu_s: has_cpu.then(|| number(deliveries) / (cpu_us / 1e6)),
        server_cpu_us_per_move: per(cpu_us, moves).filter(|_| has_cpu),
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
        ..Figures::default()
    }
}

/// A count as a number to divide.
#[expect(
    clippy::cast_precision_loss,
    reason = "far fewer than 2^52 of anything"
)]
pub(crate) const fn number(count: u64) -> f64 {
    count as f64
}

/// Only the address matters: the path and the protocol are always the same.
fn address_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest).to_owned()
}

fn bar(is_quiet: bool) -> ProgressBar {
    let target = if is_quiet {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr()
    };
    let bar = ProgressBar::with_draw_target(None, target);
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}
