//! The parent of child processes: starts them, tells them what happens, and adds what they say to its own.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{broadcast, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::{Job, Order, Plan, Said, Told};
use crate::bench::LEAVE_WITHIN;
use crate::process::Usage;
use crate::stage::{Pair, Stage};

/// How long a child may take to say what it has counted.
const MARK_WITHIN: Duration = Duration::from_secs(10);

/// The child processes of a run.
#[derive(Debug, Default)]
pub(crate) struct Crowd {
    children: Vec<Child>,
    tasks: JoinSet<Result<()>>,
    /// For each child, how often it has said that a measured phase began or ended.
    said: Vec<watch::Receiver<u32>>,
    /// How often one has.
    marks: u32,
}

impl Crowd {
    /// Starts the processes beside the first. `began_us` is when the first client was due, microseconds since 1970.
    ///
    /// # Errors
    /// When one does not start.
    pub(crate) async fn start(
        &mut self,
        stage: &Arc<Stage>,
        pair: Option<&Arc<Pair>>,
        plan: Plan,
        began_us: i64,
    ) -> Result<()> {
        if let Some(pair) = pair {
            pair.tell(stage);
        }
        for process in 1..=plan.processes {
            // Whatever happens from here on is heard.
            let orders = stage.relay.subscribe();
            let job = Job {
                address: stage.address.clone(),
                seed: stage.manner.seed,
                plan,
                process,
                began_us,
                game: pair.and_then(|pair| pair.game.borrow().clone()),
            };
            let mut child = Command::new(std::env::current_exe()?)
                .arg("crowd")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .kill_on_drop(true)
                .spawn()
                .context("a process with clients does not start")?;
            let input = child.stdin.take().context("its input is piped")?;
            let output = child.stdout.take().context("its output is piped")?;
            let (sender, said) = watch::channel(0);
            self.said.push(said);
            self.tasks
                .spawn(order(input, serde_json::to_string(&job)?, orders));
            let lines = BufReader::new(output).lines();
            self.tasks.spawn(hear(lines, Arc::clone(stage), sender));
            self.children.push(child);
        }
        Ok(())
    }

    /// Processor time of all children, microseconds.
    pub(crate) fn cpu_us(&self) -> u64 {
        let pids = self.children.iter().filter_map(Child::id);
        pids.map(|pid| Usage::of(pid).cpu_us).sum()
    }

    /// Tells every child that the measured phase begins or ends, and waits until it has said what it counted until then.
    ///
    /// # Errors
    /// When one does not.
    pub(crate) async fn mark(&mut self, stage: &Stage, order: Order) -> Result<()> {
        stage.order(order);
        self.marks += 1;
        for said in &mut self.said {
            let marks = self.marks;
            let said = timeout(MARK_WITHIN, said.wait_for(|said| *said >= marks)).await;
            if !matches!(said, Ok(Ok(_))) {
                bail!("a process with clients does not say what it counted");
            }
        }
        Ok(())
    }

    /// Waits until all children are gone and everything they said is taken in.
    pub(crate) async fn leave(&mut self, stage: &Stage) {
        let leaving = async {
            while let Some(ended) = self.tasks.join_next().await {
                let ended = ended.map_err(Into::into).and_then(|ended| ended);
                if let Err(error) = ended {
                    stage.fault(format!("a process with clients failed: {error:#}"));
                }
            }
            for child in &mut self.children {
                drop(child.wait().await);
            }
        };
        if timeout(2 * LEAVE_WITHIN, leaving).await.is_err() {
            stage.fault("processes with clients did not leave".to_owned());
        }
        *self = Self::default();
    }
}

/// Hands orders on, the last of which is to leave.
async fn order(
    mut input: ChildStdin,
    job: String,
    mut orders: broadcast::Receiver<Order>,
) -> Result<()> {
    input.write_all(format!("{job}\n").as_bytes()).await?;
    loop {
        let order = orders.recv().await?;
        let line = serde_json::to_string(&order)?;
        input.write_all(format!("{line}\n").as_bytes()).await?;
        if order == Order::Leave {
            return Ok(());
        }
    }
}

/// Takes in what a child says until it is gone.
async fn hear(
    mut lines: Lines<BufReader<ChildStdout>>,
    stage: Arc<Stage>,
    marks: watch::Sender<u32>,
) -> Result<()> {
    let mut known: Vec<(String, u64)> = Vec::new();
    while let Some(line) = lines.next_line().await? {
        let said: Said = serde_json::from_str(&line)?;
        stage.meter.add(&said.counts, &said.times);
        stage.add_errors(&known, &said.errors);
        known = said.errors;
        for told in said.trails {
            stage.keep(Told::into_trail(told));
        }
        for fault in said.faults {
            stage.fault(fault);
        }
        marks.send_replace(said.marks);
    }
    Ok(())
}
