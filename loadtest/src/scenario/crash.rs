//! A server that is killed again and again in the middle of everything: nothing acknowledged may be lost or doubled.

use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use tokio::time::sleep;

use super::matches::{Crew, seat_all};
use super::restart::manner;
use crate::args::Common;
use crate::bench::{Bench, number};
use crate::chance::Chance;
use crate::figures::Outcome;
use crate::host;
use crate::meter::{Count, Meter};
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
        games: args.games,
        spectators: 1,
        dropped: 0.0,
        house_bots: &[],
    };
    seat_all(&mut bench, crew, common.warm_up / 2);
    bench.wait("warming up", common.warm_up).await;
    let mut chance = Chance::new(seed, u64::MAX);
    let mut recoveries = Vec::new();
    let mut readies = Vec::new();
    bench.stage.meter.begin();
    let began = host::now();
    for round in 1..=args.rounds {
        sleep(Duration::from_millis(chance.below(args.every))).await;
        let what = format!("crash {round} of {}", args.rounds);
        bench.server.kill()?;
        let resumed = bench.stage.meter.counts().get(Count::Resumed);
        let killed = host::now();
        let ready = bench.start_again().await?;
        // Whoever was between two games has nothing to resume; nearly all must be back before the next crash.
        let most = u64::from(args.games) * 2;
        let are_back =
            |meter: &Meter| meter.counts().get(Count::Resumed) - resumed >= most - most.div_ceil(4);
        if !bench.wait_until(&what, PATIENCE, are_back).await {
            bail!(
                "nobody came back after crash {round}: {:?}",
                bench.stage.errors()
            );
        }
        readies.push(ready.as_secs_f64() * 1_000.0);
        recoveries.push(killed.elapsed().as_secs_f64() * 1_000.0);
    }
    bench.stage.meter.end();
    let elapsed = began.elapsed().as_secs_f64();
    readies.sort_by(f64::total_cmp);
    recoveries.sort_by(f64::total_cmp);
    let middle = |times: &[f64]| times.get(times.len() / 2).copied();
    bench
        .finish(|figures, bench| {
            let meter = &bench.stage.meter;
            let moves = meter.counts().get(Count::Moves);
            figures.measured_s = elapsed;
            figures.moves = moves;
            figures.moves_per_s = number(moves) / elapsed;
            figures.games_finished = meter.counts().get(Count::Finished);
            figures.resume_us = meter.resume.percentiles();
            figures.ack_us = meter.ack.percentiles();
            figures.ready_ms = middle(&readies);
            figures.recovery_ms = middle(&recoveries);
            figures.acked = Some(0);
            figures.crashes = Some(u64::from(args.rounds));
        })
        .await
}
