//! A child process: clients without a server, who do what the parent says.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Stdout};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, timeout};

use super::{Job, Order, Role, SAYS_EVERY, Said, Told, bring};
use crate::audit::docket::Docket;
use crate::bench::LEAVE_WITHIN;
use crate::host;
use crate::meter::Counts;
use crate::stage::{Act, Pair, Stage};

/// Runs until the parent says to leave, or is gone.
///
/// # Errors
/// When the parent says nothing that can be understood.
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
    let job: Job = serde_json::from_str(&first)?;
    let mut child = Child::new(&job);
    let mut clients = JoinSet::new();
    let began = moment(job.began_us);
    for number in job.plan.of(job.process) {
        let due = began + job.plan.due(number);
        let pair = Some(&child.pair);
        bring(&mut clients, &child.stage, pair, job.plan, number, due);
    }
    let mut ticks = interval(SAYS_EVERY);
    loop {
        tokio::select! {
            _ = ticks.tick() => child.say(Said::default()).await?,
            line = lines.next_line() => {
                // Without a parent there is nobody to tell.
                let Some(line) = line? else { return Ok(()) };
                match serde_json::from_str(&line)? {
                    Order::Act(Act::Leaving) => break,
                    order @ (Order::Begin | Order::End) => {
                        child.take(order);
                        child.marks += 1;
                        child.say(Said::default()).await?;
                    }
                    other => child.take(other),
                }
            }
        }
    }
    child.stage.tell(Act::Leaving);
    let left = timeout(LEAVE_WITHIN, async {
        while let Some(ended) = clients.join_next().await {
            if let Err(error) = ended {
                child
                    .stage
                    .fault(format!("a client of the harness failed: {error}"));
            }
        }
    });
    if left.await.is_err() {
        child.stage.fault("clients did not leave".to_owned());
    }
    let said = child.last_words(job.plan.role);
    child.say(said).await
}

/// The moment of a time of day, which may be still to come.
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
    stage: Arc<Stage>,
    pair: Arc<Pair>,
    output: Stdout,
    /// What was counted when the last line was said.
    told: Counts,
    /// How often a measured phase has begun or ended.
    marks: u32,
}

impl Child {
    fn new(job: &Job) -> Self {
        let (pair, ..) = Pair::new();
        if let Some(game) = &job.game {
            pair.begin(game.clone(), 0);
        }
        Self {
            stage: Stage::new(job.address.clone(), job.manner.clone()),
            pair,
            output: tokio::io::stdout(),
            told: Counts::default(),
            marks: 0,
        }
    }

    fn take(&self, order: Order) {
        let stage = &self.stage;
        match order {
            Order::Game(game) => self.pair.begin(game, 0),
            Order::Due(turn, unix_us) => {
                let ago = u64::try_from(host::unix_us() - unix_us).unwrap_or(0);
                let now = stage.meter.moment_us(host::now());
                self.pair
                    .turn_due(turn, now.saturating_sub(ago).max(1), Duration::ZERO);
            }
            Order::Begin => stage.meter.begin(),
            Order::Storm(forgets) => {
                stage.forgets_in_storms.store(forgets, Ordering::Relaxed);
                stage.storm();
            }
            Order::End => stage.meter.end(),
            Order::Act(act) => stage.tell(act),
        }
    }

    /// What its clients were told, for the one judge or, of tables, judged here.
    fn last_words(&self, role: Role) -> Said {
        let (trails, faults) = self.stage.take_trails();
        if let Role::Tables(_) = role {
            let (lexicon, now) = (&self.stage.lexicon, host::now());
            let mut docket = Docket::default();
            docket.take(trails, faults, now);
            return Said {
                verdict: docket.finish(lexicon, now),
                ..Said::default()
            };
        }
        Said {
            trails: trails.into_iter().filter_map(Told::of).collect(),
            faults,
            ..Said::default()
        }
    }

    /// Says what is new.
    async fn say(&mut self, mut said: Said) -> Result<()> {
        let meter = &self.stage.meter;
        let counts = meter.counts();
        said.counts = counts.since(&self.told).into_array();
        self.told = counts;
        said.times = meter.take_recorded();
        said.marks = self.marks;
        // Whoever is not there any more is away by the time that is read.
        said.there = meter.attendance.there();
        said.away = meter.attendance.away();
        said.errors = self.stage.errors().into_iter().collect();
        let mut line = serde_json::to_string(&said)?;
        line.push('\n');
        self.output.write_all(line.as_bytes()).await?;
        self.output.flush().await?;
        Ok(())
    }
}
