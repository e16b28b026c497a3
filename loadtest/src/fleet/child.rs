//! A client process: runs clients on the parent's commands.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Stdout};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, timeout};

use super::{
    Assignment, ChildReport, LEAVE_WITHIN, REPORT_EVERY, Role, SpectatorTranscript, spawn_client,
};
use crate::audit::docket::Docket;
use crate::host;
use crate::recorder::Counts;
use crate::shared::{Mode, Pairing, ParentMessage, Shared};

/// Runs until the parent sends `stop` or closes the pipe.
///
/// # Errors
/// When a message of the parent cannot be parsed.
pub(crate) fn run() -> Result<()> {
    host::raise_open_files();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(serve())
}

async fn serve() -> Result<()> {
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let first = lines.next_line().await?.context("no job")?;
    let job: Assignment = serde_json::from_str(&first)?;
    let mut child = Child::new(&job);
    let mut clients = JoinSet::new();
    let began = moment(job.began_us);
    for number in job.plan.of(job.process) {
        let due = began + job.plan.due(number);
        let pairing = Some(&child.pairing);
        spawn_client(&mut clients, &child.shared, pairing, job.plan, number, due);
    }
    let mut ticks = interval(REPORT_EVERY);
    loop {
        tokio::select! {
            _ = ticks.tick() => child.say(ChildReport::default()).await?,
            line = lines.next_line() => {
                // The parent has exited.
                let Some(line) = line? else { return Ok(()) };
                match serde_json::from_str(&line)? {
                    ParentMessage::Mode(Mode::Leaving) => break,
                    order @ (ParentMessage::Begin | ParentMessage::End) => {
                        child.take(order);
                        child.marks += 1;
                        child.say(ChildReport::default()).await?;
                    }
                    other => child.take(other),
                }
            }
        }
    }
    child.shared.set_mode(Mode::Leaving);
    let left = timeout(LEAVE_WITHIN, async {
        while let Some(ended) = clients.join_next().await {
            if let Err(error) = ended {
                child
                    .shared
                    .fault(format!("a client of the harness failed: {error}"));
            }
        }
    });
    if left.await.is_err() {
        child.shared.fault("clients did not stop".to_owned());
    }
    let said = child.last_words(job.plan.role);
    child.say(said).await
}

/// Converts a Unix time, which may be in the future, to a monotonic time.
fn moment(unix_us: i64) -> Instant {
    let ahead = unix_us - host::unix_us();
    let away = Duration::from_micros(ahead.unsigned_abs());
    if ahead < 0 {
        host::now() - away
    } else {
        host::now() + away
    }
}

struct Child {
    shared: Arc<Shared>,
    pairing: Arc<Pairing>,
    output: Stdout,
    /// The counters of the last report.
    decoded: Counts,
    /// How often the measured phase has started or ended.
    marks: u32,
}

impl Child {
    fn new(job: &Assignment) -> Self {
        let (pairing, ..) = Pairing::new();
        if let Some(game) = &job.game {
            pairing.begin(game.clone(), 0);
        }
        Self {
            shared: Shared::new(job.address.clone(), job.behavior.clone()),
            pairing,
            output: tokio::io::stdout(),
            decoded: Counts::default(),
            marks: 0,
        }
    }

    fn take(&self, order: ParentMessage) {
        let shared = &self.shared;
        match order {
            ParentMessage::Game(game) => self.pairing.begin(game, 0),
            ParentMessage::Due(turn, unix_us) => {
                let ago = u64::try_from(host::unix_us() - unix_us).unwrap_or(0);
                let now = shared.recorder.moment_us(host::now());
                self.pairing
                    .turn_due(turn, now.saturating_sub(ago).max(1), Duration::ZERO);
            }
            ParentMessage::Begin => shared.recorder.begin(),
            ParentMessage::Storm(forgets) => {
                shared.forgets_in_storms.store(forgets, Ordering::Relaxed);
                shared.storm();
            }
            ParentMessage::End => shared.recorder.end(),
            ParentMessage::Mode(mode) => shared.set_mode(mode),
        }
    }

    /// The last report: transcripts for the audit in the main process or, for tables, the verdict of the audit here.
    fn last_words(&self, role: Role) -> ChildReport {
        let (transcripts, faults) = self.shared.take_transcripts();
        if let Role::Tables(_) = role {
            let (lexicon, now) = (&self.shared.lexicon, host::now());
            let mut docket = Docket::default();
            docket.take(transcripts, faults, now);
            return ChildReport {
                verdict: docket.finish(lexicon, now),
                ..ChildReport::default()
            };
        }
        ChildReport {
            transcripts: transcripts
                .into_iter()
                .filter_map(SpectatorTranscript::of)
                .collect(),
            faults,
            ..ChildReport::default()
        }
    }

    /// Sends a report with the changes since the last one.
    async fn say(&mut self, mut said: ChildReport) -> Result<()> {
        let recorder = &self.shared.recorder;
        let counts = recorder.counts();
        said.counts = counts.since(&self.decoded).into_array();
        self.decoded = counts;
        said.times = recorder.take_recorded();
        said.marks = self.marks;
        // `attached` is read first: a client that detaches meanwhile counts as interrupted.
        said.attached = recorder.presence.attached();
        said.interrupted = recorder.presence.interrupted();
        said.errors = self.shared.errors().into_iter().collect();
        let mut line = serde_json::to_string(&said)?;
        line.push('\n');
        self.output.write_all(line.as_bytes()).await?;
        self.output.flush().await?;
        Ok(())
    }
}
