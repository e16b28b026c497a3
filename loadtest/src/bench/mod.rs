//! One run: a server, clients, warm-up, the measured phase, and the judge at the end.

mod course;
mod outage;
mod progress;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use tokio::task::JoinSet;
use tokio::time::{interval, timeout};

use crate::args::Common;
use crate::audit::docket::Docket;
use crate::config;
use crate::crowd::{self, Crowd, Plan};
use crate::disk::Witness;
use crate::figures::{Figures, Outcome};
use crate::host::{self, Cores};
use crate::meter::{Count, Counts, Meter};
use crate::process::{KernelMemory, Usage};
use crate::server::Server;
use crate::stage::{Act, Manner, Pair, Stage};
pub(crate) use course::Course;
pub(crate) use outage::Exit;
use progress::Progress;

/// Time between two samples.
const SAMPLE_EVERY: Duration = Duration::from_millis(500);
/// How long none of the games at hand may be finished after the measured phase before the server is said to hang.
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
    progress: Progress,
    // Only kept: it ends when this does.
    _witness: Option<Witness>,
    /// What has been found out so far.
    pub(crate) outcome: Outcome,
    docket: Docket,
    restarts: u32,
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
            Some(url) => Server::elsewhere(url.clone(), common.admin.clone()),
            None => {
                let beside = std::env::current_exe()?.with_file_name("tilewire-server");
                let program = common.server_bin.clone().unwrap_or(beside);
                let config = config::of(settings, &common.set)?;
                let mut server = Server::prepare(&program, &cores, &config)?;
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
            progress: Progress::new(common.quiet),
            outcome: Outcome::default(),
            docket: Docket::default(),
            restarts: 0,
        })
    }

    /// Lets clients come that may be spread over processes, spectators of `pair` or others.
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
            let due = began + plan.due(number);
            crowd::bring(&mut self.clients, stage, pair, plan, number, due);
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
            before = self.show(what, Some((began.elapsed(), time)), before);
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
                before = self.show(what, None, before);
            }
        }
        true
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
        self.finish_games().await;
        self.leave().await;
        let mut figures = std::mem::take(&mut self.outcome.figures);
        fill(&mut figures, &self);
        if self.server.pid().is_some() {
            self.server.stop().await?;
        }
        self.progress
            .show(None, "judging what clients were told".to_owned());
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
        self.progress.clear();
        Ok(Outcome {
            figures,
            objections: verdict.objections,
            errors: self.stage.errors(),
            ..self.outcome
        })
    }

    /// Waits for the games at hand as long as some of them are finished now and then.
    async fn finish_games(&mut self) {
        let left = |meter: &Meter| {
            let counts = meter.counts();
            let started = counts.get(Count::Started);
            started.saturating_sub(counts.get(Count::Finished))
        };
        let before = loop {
            let before = left(&self.stage.meter);
            let is_over = |meter: &Meter| left(meter) == 0;
            let what = "finishing the games";
            if self.wait_until(what, FINISH_WITHIN, is_over).await {
                return;
            }
            if left(&self.stage.meter) >= before {
                break before;
            }
        };
        let patience = FINISH_WITHIN.as_secs();
        let failure = format!("{before} games do not go on: none of them ended in {patience} s");
        self.outcome.failures.push(failure);
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
        self.docket.add(self.crowd.leave(&self.stage).await);
    }

    fn show(
        &self,
        what: &str,
        part: Option<(Duration, Duration)>,
        (at, before): (tokio::time::Instant, Counts),
    ) -> (tokio::time::Instant, Counts) {
        let counts = self.stage.meter.counts();
        let recent = counts.since(&before);
        let since = at.elapsed().as_secs_f64().max(0.001);
        let rate = |count| number(recent.get(count)) / since;
        let (started, finished) = (counts.get(Count::Started), counts.get(Count::Finished));
        let message = format!(
            "{what}: {:.0} moves/s, {:.0} deliveries/s, {} games, {} errors",
            rate(Count::Moves),
            rate(Count::Deliveries),
            started.saturating_sub(finished),
            counts.get(Count::Errors),
        );
        self.progress.show(part, message);
        (host::now(), counts)
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
