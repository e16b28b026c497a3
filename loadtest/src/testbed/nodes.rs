//! Several servers that share their games: the loss of one, and what clients saw of it.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures::future::try_join_all;
use tokio::time::sleep;

use super::Testbed;
use crate::cluster::{self, Services, StoredGame};
use crate::host::{self, Cores};
use crate::options::CommonOptions;
use crate::recorder::{Counter, Recorder};
use crate::results::Metrics;
use crate::server::{Home, Server};
use crate::server_config;
use crate::shared::Behavior;
use crate::stats::{number, per};
use crate::witness::Findings;

/// Time until all games of a lost server go on.
const PATIENCE: Duration = Duration::from_secs(90);
/// Time for a server that stood still to find out that it has lost its lease.
const NOTICES_WITHIN: Duration = Duration::from_secs(10);
/// Interval of the checks whether a server has ended.
const CHECK_EVERY: Duration = Duration::from_millis(10);
/// How often a server that has ended is started again before the run gives up.
const STARTS: u32 = 3;

/// How a server is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loss {
    /// Killed, as in a power cut.
    Killed,
    /// Stopped in order: it gives its games away first.
    Drained,
    /// Held still, as a machine out of memory would, and let go on.
    Held,
}

impl Testbed {
    /// Starts several servers, and the PostgreSQL and nats-server that they share. A single server uses PostgreSQL alone.
    ///
    /// # Errors
    /// When something is not installed or does not start.
    pub(crate) async fn start_nodes(
        common: &CommonOptions,
        behavior: Behavior,
        count: u32,
    ) -> Result<Self> {
        let cores = Cores::split(common.server_cores.as_deref())?;
        let program = common.server_program()?;
        let services = Services::start(None)?;
        let mut nodes = Vec::new();
        for number in 1..=usize::try_from(count)? {
            let settings = match count {
                1 => services.settings_alone(),
                _ => services.settings(number),
            };
            let config = server_config::of(&settings, &common.set)?;
            nodes.push(Server::prepare(
                &program,
                &cores,
                Home::temporary()?,
                &config,
            )?);
        }
        cluster::start(&mut nodes, &cores.clients).await?;
        if count > 1 {
            services.until_owned().await?;
        }
        let first = nodes.remove(0);
        let testbed = Self::of(first, nodes, Some(services), cores, common, behavior)?;
        testbed.shared.witness.begin();
        Ok(testbed)
    }

    /// Loses the server at a place, and starts it again `pause` later. Returns when all of its games go on and every part has
    /// a server; records how long each game took.
    ///
    /// # Errors
    /// When a game does not go on, or a server does not start.
    pub(crate) async fn lose(&mut self, place: usize, loss: Loss, pause: Duration) -> Result<()> {
        let number = place + 1;
        let mut held = self.services()?.held_by(number).await?;
        let since = host::now();
        match loss {
            Loss::Killed => self.node(place)?.kill()?,
            Loss::Drained => {
                if let Err(error) = self.node(place)?.stop().await {
                    return Err(self.node(place)?.with_log(&error));
                }
            }
            Loss::Held => self.node(place)?.hold()?,
        }
        if loss != Loss::Drained {
            // The games that it held until its end.
            held = self.services()?.held_by(number).await?;
        }
        held.retain(|held| self.shared.witness.is_played(&held.game));
        let mut is_up = false;
        while !held.is_empty() || !is_up {
            if !is_up && since.elapsed() >= pause {
                if loss == Loss::Held {
                    self.let_go_on(place).await?;
                }
                self.start_node(place).await?;
                is_up = true;
            }
            held.retain(|held| {
                let continued = self.shared.witness.continued(&held.game, held.head);
                if let Some(continued) = continued.filter(|_| loss != Loss::Drained) {
                    let time = continued.saturating_duration_since(since);
                    Recorder::note(&self.shared.recorder.takeover, time);
                }
                continued.is_none()
            });
            if since.elapsed() > PATIENCE {
                return Err(self.stuck(number, &held));
            }
            sleep(CHECK_EVERY).await;
            self.revive().await?;
        }
        self.services()?.until_owned().await
    }

    /// Lets a server go on, and waits until it has noticed that it has no lease; one that still has its lease stays.
    async fn let_go_on(&mut self, place: usize) -> Result<()> {
        self.node(place)?.go_on()?;
        let since = host::now();
        while since.elapsed() < NOTICES_WITHIN {
            if self.node(place)?.ended()?.is_some() {
                self.ended_by_themselves += 1;
                return Ok(());
            }
            sleep(CHECK_EVERY).await;
        }
        Ok(())
    }

    /// Starts servers again that have ended because they had lost their lease, as a service manager does.
    async fn revive(&mut self) -> Result<()> {
        for place in 0..=self.peers.len() {
            if self.node(place)?.ended()?.is_some() {
                self.ended_by_themselves += 1;
                self.start_node(place).await?;
            }
        }
        Ok(())
    }

    /// Starts a server, unless it runs.
    async fn start_node(&mut self, place: usize) -> Result<()> {
        let clients = self.cores.clients.clone();
        self.restarts += 1;
        let node = self.node(place)?;
        if node.pid().is_some() {
            return Ok(());
        }
        for _ in 1..STARTS {
            if node.start(&clients).await.is_ok() {
                return Ok(());
            }
        }
        let started = node.start(&clients).await;
        started.map(drop).map_err(|error| node.with_log(&error))
    }

    fn stuck(&self, number: usize, held: &[StoredGame]) -> anyhow::Error {
        let games: Vec<String> = held
            .iter()
            .map(|held| format!("{} after event {}", held.game.as_str(), held.head))
            .collect();
        anyhow::anyhow!(
            "{} games of server {number} do not go on: {}",
            held.len(),
            games.join(", ")
        )
    }

    /// Compares what all clients saw with the stored logs, and fills in the figures of several servers.
    ///
    /// # Errors
    /// When no server has a game.
    pub(super) async fn compare_histories(&mut self, metrics: &mut Metrics) -> Result<Findings> {
        if self.services.is_none() {
            return Ok(Findings::default());
        }
        let findings = self.shared.witness.judge(&self.shared.nodes).await?;
        for ms in &findings.stood_still_ms {
            Recorder::note(&self.shared.recorder.stall, Duration::from_millis(*ms));
        }
        metrics.takeover_us = self.shared.recorder.takeover.percentiles();
        metrics.stall_us = self.shared.recorder.stall.percentiles();
        metrics.histories = Some(findings.games);
        metrics.ended_by_themselves = Some(self.ended_by_themselves);
        metrics.turns_refused = Some(self.shared.recorder.counts().get(Counter::TurnsRefused));
        if findings.unfinished > 0 {
            let failure = format!(
                "{} games did not end, and have no stored log to compare with",
                findings.unfinished
            );
            self.result.failures.push(failure);
        }
        Ok(findings)
    }

    /// Stops all servers at once.
    ///
    /// # Errors
    /// When one of them ends badly.
    pub(super) async fn stop_nodes(&mut self) -> Result<()> {
        let nodes = std::iter::once(&mut self.server).chain(&mut self.peers);
        let running = nodes.filter(|node| node.pid().is_some());
        let stopping = running.map(|node| async {
            let stopped = node.stop().await;
            stopped.map_err(|error| node.with_log(&error))
        });
        try_join_all(stopping).await?;
        Ok(())
    }

    /// The bytes that PostgreSQL has written to its log so far, per turn since `before` of the measured phase.
    ///
    /// # Errors
    /// When the database does not answer.
    pub(crate) async fn wal_bytes_per_move(&self, before: u64, moves: u64) -> Result<Option<f64>> {
        let bytes = self.services()?.wal_bytes().await?.saturating_sub(before);
        Ok(per(number(bytes), moves))
    }

    /// Returns the services that the servers share.
    ///
    /// # Errors
    /// When there is only one.
    pub(crate) fn services(&self) -> Result<&Services> {
        self.services.as_ref().context("one server shares nothing")
    }

    fn node(&mut self, place: usize) -> Result<&mut Server> {
        match place.checked_sub(1) {
            None => Ok(&mut self.server),
            Some(peer) => match self.peers.get_mut(peer) {
                Some(node) => Ok(node),
                None => bail!("there is no server {}", place + 1),
            },
        }
    }
}
