//! The parent of the client processes: starts them, sends them messages, and adds their reports to its own counters.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{broadcast, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::{Assignment, ChildReport, ClientPlan, LEAVE_WITHIN, SpectatorTranscript};
use crate::audit::Verdict;
use crate::process::Usage;
use crate::shared::{Mode, Pairing, ParentMessage, Shared};

/// Time for a client process to send a report.
const MARK_WITHIN: Duration = Duration::from_secs(10);

/// The client processes of a run.
#[derive(Debug, Default)]
pub(crate) struct Fleet {
    children: Vec<Child>,
    tasks: JoinSet<Result<Verdict>>,
    /// The last state of each client process.
    said: Vec<watch::Receiver<State>>,
    /// How often a measured phase has begun or ended.
    marks: u32,
}

/// The state of a client process.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    /// How often a measured phase had begun or ended.
    marks: u32,
    /// Clients that are attached to a game.
    attached: u64,
    /// Clients whose connection to a game was lost.
    interrupted: u64,
}

impl Fleet {
    /// Starts the client processes. `began_us` is when the first client is due, microseconds since 1970.
    ///
    /// # Errors
    /// When a process does not start.
    pub(crate) async fn start(
        &mut self,
        shared: &Arc<Shared>,
        pairing: Option<&Arc<Pairing>>,
        plan: ClientPlan,
        began_us: i64,
    ) -> Result<()> {
        if let Some(pairing) = pairing {
            pairing.tell(shared);
        }
        for process in 1..=plan.processes {
            // Subscribes before the process starts, so that no message is lost.
            let orders = shared.relay.subscribe();
            let job = Assignment {
                address: shared.address.clone(),
                behavior: shared.behavior.as_ref().clone(),
                plan,
                process,
                began_us,
                game: pairing.and_then(|pairing| pairing.game.borrow().clone()),
            };
            let mut child = Command::new(std::env::current_exe()?)
                .arg("client-process")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .kill_on_drop(true)
                .spawn()
                .context("a client process does not start")?;
            let input = child.stdin.take().context("its input is piped")?;
            let output = child.stdout.take().context("its output is piped")?;
            let (sender, said) = watch::channel(State::default());
            self.said.push(said);
            self.tasks
                .spawn(order(input, serde_json::to_string(&job)?, orders));
            let lines = BufReader::new(output).lines();
            self.tasks.spawn(hear(lines, Arc::clone(shared), sender));
            self.children.push(child);
        }
        Ok(())
    }

    /// Processor time of all client processes, microseconds.
    pub(crate) fn cpu_us(&self) -> u64 {
        let pids = self.children.iter().filter_map(Child::id);
        pids.map(|pid| Usage::of(pid).cpu_us).sum()
    }

    /// Tells all client processes that the measured phase begins or ends, and waits for a report of each.
    ///
    /// # Errors
    /// When a report does not come in time.
    pub(crate) async fn mark(&mut self, shared: &Shared, order: ParentMessage) -> Result<()> {
        shared.broadcast(order);
        self.marks += 1;
        for said in &mut self.said {
            let marks = self.marks;
            let said = timeout(MARK_WITHIN, said.wait_for(|said| said.marks >= marks)).await;
            if !matches!(said, Ok(Ok(_))) {
                bail!("a client process did not report in time");
            }
        }
        Ok(())
    }

    /// Attached clients of all client processes, by their last reports.
    pub(crate) fn attached(&self) -> u64 {
        self.said.iter().map(|said| said.borrow().attached).sum()
    }

    /// Interrupted clients of all client processes.
    pub(crate) fn interrupted(&self) -> u64 {
        self.said.iter().map(|said| said.borrow().interrupted).sum()
    }

    /// Waits until all client processes have ended; returns the sum of their verdicts.
    pub(crate) async fn leave(&mut self, shared: &Shared) -> Verdict {
        let mut verdict = Verdict::default();
        let leaving = async {
            while let Some(ended) = self.tasks.join_next().await {
                match ended.map_err(Into::into).and_then(|ended| ended) {
                    Ok(own) => verdict.add(own),
                    Err(error) => {
                        shared.fault(format!("a client process failed: {error:#}"));
                    }
                }
            }
            for child in &mut self.children {
                drop(child.wait().await);
            }
        };
        if timeout(2 * LEAVE_WITHIN, leaving).await.is_err() {
            shared.fault("client processes did not stop".to_owned());
        }
        *self = Self::default();
        verdict
    }
}

/// Forwards messages to a client process; the last one tells it to stop.
async fn order(
    mut input: ChildStdin,
    job: String,
    mut orders: broadcast::Receiver<ParentMessage>,
) -> Result<Verdict> {
    input.write_all(format!("{job}\n").as_bytes()).await?;
    loop {
        let order = orders.recv().await?;
        let line = serde_json::to_string(&order)?;
        input.write_all(format!("{line}\n").as_bytes()).await?;
        if order == ParentMessage::Mode(Mode::Leaving) {
            return Ok(Verdict::default());
        }
    }
}

/// Reads the reports of a client process until it ends; returns its verdict.
async fn hear(
    mut lines: Lines<BufReader<ChildStdout>>,
    shared: Arc<Shared>,
    state: watch::Sender<State>,
) -> Result<Verdict> {
    let mut verdict = Verdict::default();
    let mut known: Vec<(String, u64)> = Vec::new();
    while let Some(line) = lines.next_line().await? {
        let said: ChildReport = serde_json::from_str(&line)?;
        shared.recorder.add(&said.counts, &said.times);
        shared.add_errors(&known, &said.errors);
        known = said.errors;
        for decoded in said.transcripts {
            shared.add_transcript(SpectatorTranscript::into_trail(decoded));
        }
        for fault in said.faults {
            shared.fault(fault);
        }
        verdict.add(said.verdict);
        state.send_replace(State {
            marks: said.marks,
            attached: said.attached,
            interrupted: said.interrupted,
        });
    }
    Ok(verdict)
}
