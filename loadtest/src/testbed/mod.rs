//! The testbed of a run: a server and clients, the warm-up, the measured phase, and the audit.

mod measurement;
mod nodes;
mod outage;
mod progress;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use tokio::task::JoinSet;
use tokio::time::{interval, timeout};

use crate::audit::docket::Docket;
use crate::cluster::Services;
use crate::disk_probe::DiskProbe;
use crate::fleet::{self, ClientPlan, Fleet, LEAVE_WITHIN};
use crate::host::{self, Cores};
use crate::options::CommonOptions;
use crate::process::{KernelMemory, Usage};
use crate::recorder::{Counter, Counts, Recorder};
use crate::results::{Metrics, RunResult};
use crate::server::{Home, Server};
use crate::server_config;
use crate::shared::{Behavior, Mode, Pairing, Shared};
use crate::stats::number;
pub(crate) use measurement::Measurement;
pub(crate) use nodes::Loss;
pub(crate) use outage::Shutdown;
use progress::Progress;

/// Time between two samples.
const SAMPLE_EVERY: Duration = Duration::from_millis(500);
/// Time after the measured phase in which at least one game must finish; otherwise the server counts as hung.
const FINISH_WITHIN: Duration = Duration::from_secs(60);
/// Time for client processes to start, before the first client is due.
const START_WITHIN: Duration = Duration::from_millis(500);

/// A server with clients.
#[derive(Debug)]
pub struct Testbed {
    /// The server.
    pub(crate) server: Server,
    /// The other servers that share its games.
    pub(crate) peers: Vec<Server>,
    /// The services that the servers share; they stop after the servers.
    pub(crate) services: Option<Services>,
    /// The state that its clients share.
    pub shared: Arc<Shared>,
    /// The clients' tasks.
    pub(crate) clients: JoinSet<()>,
    /// The client processes.
    fleet: Fleet,
    /// Use of the machine before any client connected.
    pub(crate) idle_usage: Usage,
    /// Memory of the kernel before any client connected.
    pub(crate) idle_kernel: KernelMemory,
    cores: Cores,
    progress: Progress,
    // Held only to end with this value.
    _disk_probe: Option<DiskProbe>,
    /// The result so far.
    pub(crate) result: RunResult,
    docket: Docket,
    restarts: u32,
    // Servers of several that ended because they had lost their lease.
    ended_by_themselves: u64,
}

impl Testbed {
    /// Starts a server, or uses the one that `--url` names.
    ///
    /// # Errors
    /// When the server does not start.
    pub async fn start(common: &CommonOptions, behavior: Behavior) -> Result<Self> {
        Self::start_with(common, behavior, "").await
    }

    /// The same with additional settings for the server.
    ///
    /// # Errors
    /// When the server does not start.
    pub(crate) async fn start_with(
        common: &CommonOptions,
        behavior: Behavior,
        settings: &str,
    ) -> Result<Self> {
        let cores = Cores::split(common.server_cores.as_deref())?;
        let server = match &common.url {
            Some(url) => Server::elsewhere(url.clone(), common.admin.clone()),
            None => {
                let program = common.server_program()?;
                let config = server_config::of(settings, &common.set)?;
                let mut server = Server::prepare(&program, &cores, Home::temporary()?, &config)?;
                if let Err(error) = server.start(&cores.clients).await {
                    return Err(server.with_log(&error));
                }
                server
            }
        };
        Self::of(server, Vec::new(), None, cores, common, behavior)
    }

    /// A testbed of servers that run already.
    fn of(
        server: Server,
        peers: Vec<Server>,
        services: Option<Services>,
        cores: Cores,
        common: &CommonOptions,
        behavior: Behavior,
    ) -> Result<Self> {
        let nodes = std::iter::once(&server).chain(&peers);
        let addresses = nodes.map(|node| node.address.clone()).collect();
        let shared = Shared::of_nodes(addresses, behavior);
        let home = server.home().filter(|_| common.disk_probe);
        Ok(Self {
            _disk_probe: home
                .map(|home| DiskProbe::begin(home, &shared))
                .transpose()?,
            idle_usage: server.usage(),
            idle_kernel: KernelMemory::read(),
            server,
            peers,
            services,
            shared,
            clients: JoinSet::new(),
            fleet: Fleet::default(),
            cores,
            progress: Progress::new(common.quiet),
            result: RunResult::default(),
            docket: Docket::default(),
            restarts: 0,
            ended_by_themselves: 0,
        })
    }

    /// The current usage of all servers; zeros for a server that the harness did not start.
    pub fn usage(&self) -> Usage {
        let nodes = std::iter::once(&self.server).chain(&self.peers);
        nodes.map(Server::usage).sum()
    }

    /// Starts the clients of a plan, in this process or in client processes; spectators watch `pairing`.
    ///
    /// # Errors
    /// When a process does not start.
    pub(crate) async fn come(
        &mut self,
        plan: ClientPlan,
        pairing: Option<&Arc<Pairing>>,
    ) -> Result<()> {
        let starting = if plan.processes > 0 {
            START_WITHIN
        } else {
            Duration::ZERO
        };
        let (began, shared) = (host::now() + starting, &self.shared);
        let began_us = i64::try_from(host::micros(starting))?.saturating_add(host::unix_us());
        self.fleet.start(shared, pairing, plan, began_us).await?;
        for number in plan.of(0) {
            let due = began + plan.due(number);
            fleet::spawn_client(&mut self.clients, shared, pairing, plan, number, due);
        }
        Ok(())
    }

    /// Waits for a time and shows the progress.
    pub(crate) async fn wait(&self, what: &str, time: Duration) {
        let began = host::now();
        let mut ticks = interval(SAMPLE_EVERY);
        let mut before = (began, self.shared.recorder.counts());
        while began.elapsed() < time {
            let left = time.saturating_sub(began.elapsed());
            if timeout(left, ticks.tick()).await.is_err() {
                break;
            }
            before = self.show(what, Some((began.elapsed(), time)), before);
        }
    }

    /// Waits until a condition holds, at most for a time; returns whether it holds.
    pub(crate) async fn wait_until(
        &self,
        what: &str,
        at_most: Duration,
        is_so: impl Fn(&Recorder) -> bool,
    ) -> bool {
        let began = host::now();
        let mut ticks = interval(Duration::from_millis(10));
        let mut before = (began, self.shared.recorder.counts());
        while !is_so(&self.shared.recorder) {
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

    /// Finishes the games, stops the clients and the server, and audits.
    ///
    /// # Errors
    /// When the server does not stop gracefully.
    pub async fn finish(mut self, fill: impl FnOnce(&mut Metrics, &Self)) -> Result<RunResult> {
        self.shared.set_mode(Mode::Finishing);
        self.finish_games().await;
        self.leave().await;
        let mut metrics = std::mem::take(&mut self.result.metrics);
        fill(&mut metrics, &self);
        let findings = self.compare_histories(&mut metrics).await?;
        self.stop_nodes().await?;
        self.progress.show(None, "auditing".to_owned());
        self.judge_finished().await?;
        let docket = std::mem::take(&mut self.docket);
        let lexicon = Arc::clone(&self.shared.lexicon);
        let judging = move || docket.finish(&lexicon, host::now());
        let verdict = tokio::task::spawn_blocking(judging).await?;
        metrics.games_audited = verdict.games;
        metrics.events_audited = verdict.events;
        metrics.violations = verdict.violations + number_of(&findings.faults);
        if metrics.acknowledged.is_some() {
            metrics.acknowledged = Some(verdict.acked);
            metrics.lost = Some(verdict.lost + findings.lost);
            metrics.duplicated = Some(verdict.doubled + findings.doubled);
        }
        self.progress.clear();
        Ok(RunResult {
            metrics,
            objections: findings
                .faults
                .into_iter()
                .chain(verdict.objections)
                .collect(),
            errors: self.shared.errors(),
            ..self.result
        })
    }

    /// Waits until all games are finished, as long as some game finishes now and then.
    async fn finish_games(&mut self) {
        let left = |recorder: &Recorder| {
            let counts = recorder.counts();
            let started = counts.get(Counter::Started);
            started.saturating_sub(counts.get(Counter::Finished))
        };
        let before = loop {
            let before = left(&self.shared.recorder);
            let is_over = |recorder: &Recorder| left(recorder) == 0;
            let what = "finishing the games";
            if self.wait_until(what, FINISH_WITHIN, is_over).await {
                return;
            }
            if left(&self.shared.recorder) >= before {
                break before;
            }
        };
        let patience = FINISH_WITHIN.as_secs();
        let failure = format!("{before} games hang: none of them ended within {patience} s");
        self.result.failures.push(failure);
    }

    /// Audits the finished games and drops their transcripts.
    ///
    /// # Errors
    /// When the audit task fails.
    pub(crate) async fn judge_finished(&mut self) -> Result<()> {
        let (transcripts, faults) = self.shared.take_transcripts();
        let mut docket = std::mem::take(&mut self.docket);
        let lexicon = Arc::clone(&self.shared.lexicon);
        let judging = move || {
            docket.take(transcripts, faults, host::now());
            docket.judge(&lexicon, host::now());
            docket
        };
        self.docket = tokio::task::spawn_blocking(judging).await?;
        Ok(())
    }

    async fn leave(&mut self) {
        self.shared.set_mode(Mode::Leaving);
        let left = timeout(LEAVE_WITHIN, async {
            while let Some(ended) = self.clients.join_next().await {
                if let Err(error) = ended {
                    self.shared
                        .fault(format!("a client of the harness failed: {error}"));
                }
            }
        });
        if left.await.is_err() {
            self.shared.fault("clients did not stop".to_owned());
            self.clients.abort_all();
        }
        self.docket.add(self.fleet.leave(&self.shared).await);
    }

    fn show(
        &self,
        what: &str,
        part: Option<(Duration, Duration)>,
        (at, before): (tokio::time::Instant, Counts),
    ) -> (tokio::time::Instant, Counts) {
        let counts = self.shared.recorder.counts();
        let recent = counts.since(&before);
        let since = at.elapsed().as_secs_f64().max(0.001);
        let rate = |count| number(recent.get(count)) / since;
        let (started, finished) = (counts.get(Counter::Started), counts.get(Counter::Finished));
        let message = format!(
            "{what}: {:.0} moves/s, {:.0} deliveries/s, {} games, {} errors",
            rate(Counter::Moves),
            rate(Counter::Deliveries),
            started.saturating_sub(finished),
            counts.get(Counter::Errors),
        );
        self.progress.show(part, message);
        (host::now(), counts)
    }
}

fn number_of(faults: &[String]) -> u64 {
    u64::try_from(faults.len()).unwrap_or(u64::MAX)
}
