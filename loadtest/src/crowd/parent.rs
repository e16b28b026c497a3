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
use crate::audit::Verdict;
use crate::bench::LEAVE_WITHIN;
use crate::process::Usage;
use crate::stage::{Act, Pair, Stage};

/// How long a child may take to say what it has counted.
const MARK_WITHIN: Duration = Duration::from_secs(10);

/// The child processes of a run.
#[derive(Debug, Default)]
pub(crate) struct Crowd {
    children: Vec<Child>,
    tasks: JoinSet<Result<Verdict>>,
    /// What each child has said last.
    said: Vec<watch::Receiver<State>>,
    /// How often one has.
    marks: u32,
}

/// How things stand with a child.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    /// How often a measured phase had begun or ended.
    marks: u32,
    /// Clients that follow a game.
    there: u64,
    /// Clients that were thrown out of one.
    away: u64,
}

impl Crowd {
    /// Starts the processes beside the first. `began_us` is when the first client is due, microseconds since 1970.
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
                manner: stage.manner.as_ref().clone(),
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
            let (sender, said) = watch::channel(State::default());
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
            let said = timeout(MARK_WITHIN, said.wait_for(|said| said.marks >= marks)).await;
            if !matches!(said, Ok(Ok(_))) {
                bail!("a process with clients does not say what it counted");
            }
        }
        Ok(())
    }

    /// Clients in children that follow a game, by what was last heard of them.
    pub(crate) fn there(&self) -> u64 {
        self.said.iter().map(|said| said.borrow().there).sum()
    }

    /// Those that were thrown out of one.
    pub(crate) fn away(&self) -> u64 {
        self.said.iter().map(|said| said.borrow().away).sum()
    }

    /// Waits until all children are gone and everything they said is taken in; returns what they judged.
    pub(crate) async fn leave(&mut self, stage: &Stage) -> Verdict {
        let mut verdict = Verdict::default();
        let leaving = async {
            while let Some(ended) = self.tasks.join_next().await {
                match ended.map_err(Into::into).and_then(|ended| ended) {
                    Ok(own) => verdict.add(own),
                    Err(error) => {
                        stage.fault(format!("a process with clients failed: {error:#}"));
                    }
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
        verdict
    }
}

/// Hands orders on, the last of which is to leave.
async fn order(
    mut input: ChildStdin,
    job: String,
    mut orders: broadcast::Receiver<Order>,
) -> Result<Verdict> {
    input.write_all(format!("{job}\n").as_bytes()).await?;
    loop {
        let order = orders.recv().await?;
        let line = serde_json::to_string(&order)?;
        input.write_all(format!("{line}\n").as_bytes()).await?;
        if order == Order::Act(Act::Leaving) {
            return Ok(Verdict::default());
        }
    }
}

/// Takes in what a child says until it is gone; returns what it judged.
async fn hear(
    mut lines: Lines<BufReader<ChildStdout>>,
    stage: Arc<Stage>,
    state: watch::Sender<State>,
) -> Result<Verdict> {
    let mut verdict = Verdict::default();
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
        verdict.add(said.verdict);
        state.send_replace(State {
            marks: said.marks,
            there: said.there,
            away: said.away,
        });
    }
    Ok(verdict)
}
