//! A server that is killed again and again in the middle of everything: nothing acknowledged may be lost or doubled.

use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use tokio::time::sleep;

use super::restart::manner;
use crate::args::Common;
use crate::bench::{Bench, Exit};
use crate::chance::Chance;
use crate::crowd::{Crew, Plan, Role};
use crate::figures::Outcome;
use crate::median;
use crate::stage::Pace;

/// How long everybody may take to come back.
const PATIENCE: Duration = Duration::from_secs(120);

/// Flags of `crash`.
#[derive(Debug, Clone, Args, Serialize)]
pub(crate) struct CrashArgs {
    /// How often the server is killed
    #[arg(long, value_name = "N", default_value_t = 20)]
    rounds: u32,
    /// Games at once
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Mean time between two turns of a game
    #[arg(long, value_name = "MS", default_value_t = 100)]
    think: u64,
    /// Longest time between two crashes; chance decides
    #[arg(long, value_name = "MS", default_value_t = 1_500, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    every: u64,
}

/// One run.
///
/// # Errors
/// When the server does not start again, or nobody comes back.
pub(crate) async fn run(args: &CrashArgs, common: &Common, seed: u64) -> Result<Outcome> {
    if common.url.is_some() {
        bail!("only a server of our own can be killed");
    }
    let pace = Pace::Mean(Duration::from_millis(args.think));
    let mut bench = Bench::raise(common, manner(None, pace, seed)).await?;
    let crew = Crew {
        spectators: 1,
        ..Crew::default()
    };
    let tables = Plan {
        role: Role::Tables(crew),
        clients: args.games,
        within: common.warm_up / 2,
        processes: 0,
    };
    bench.come(tables, None).await?;
    bench.wait("warming up", common.warm_up).await;
    let mut chance = Chance::new(seed, u64::MAX);
    let mut recoveries = Vec::new();
    let mut readies = Vec::new();
    let mut course = bench.begin(None).await?;
    for round in 1..=args.rounds {
        sleep(Duration::from_millis(chance.below(args.every))).await;
        bench.sample("playing", &mut course);
        let what = format!("crash {round} of {}", args.rounds);
        let recovery = bench.outage(&what, Exit::Killed, PATIENCE).await?;
        let Some(everybody) = recovery.everybody else {
            bail!("after crash {round}, {}", bench.missing());
        };
        readies.push(recovery.ready.as_secs_f64() * 1_000.0);
        recoveries.push(everybody.as_secs_f64() * 1_000.0);
    }
    bench.end(course, crew.connections(args.games)).await?;
    bench
        .finish(|figures, _| {
            figures.ready_ms = median::of(&readies);
            figures.recovery_ms = median::of(&recoveries);
            figures.acked = Some(0);
            figures.crashes = Some(u64::from(args.rounds));
        })
        .await
}
