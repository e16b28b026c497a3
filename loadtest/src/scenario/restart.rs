//! A server that starts again with many unfinished games, and all their players come back at once.

use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use tilewire_protocol::{ChallengeKind, Clock, ClockKind};
use tilewire_rules::bot::BotLevel;

use super::matches::{BUDGET_MS, Crew, seat_all};
use crate::args::Common;
use crate::bench::{Bench, number};
use crate::figures::{Outcome, per};
use crate::host;
use crate::meter::{Count, Meter};
use crate::stage::{Manner, Pace, options};

/// How long games may take to be set up, and clients to come back.
const PATIENCE: Duration = Duration::from_secs(300);

/// Flags of `restart`.
#[derive(Debug, Clone, Args, Serialize)]
pub(crate) struct RestartArgs {
    /// Unfinished games
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Turns played in each
    #[arg(long, value_name = "N", default_value_t = 10)]
    turns: u32,
    /// Kill the server instead of stopping it in good order
    #[arg(long)]
    kill: bool,
}

/// How players play a few turns and then wait.
pub(crate) fn manner(turns: Option<u32>, pace: Pace, seed: u64) -> Manner {
    let mut clock = Clock::of(ClockKind::SuddenDeath);
    clock.initial_ms = Some(BUDGET_MS);
    Manner {
        level: BotLevel::Beginner,
        pace,
        rest_after: turns,
        dawdles: false,
        budget_ms: (BUDGET_MS, BUDGET_MS),
        illegal: 0.0,
        repeated: 0.0,
        dropped: 0.0,
        options: options(clock, ChallengeKind::Void),
        seed,
    }
}

/// One run.
///
/// # Errors
/// When the server does not start or stop as it should, or somebody does not come back.
pub(crate) async fn run(args: &RestartArgs, common: &Common, seed: u64) -> Result<Outcome> {
    if common.url.is_some() {
        bail!("only a server of our own can be started again");
    }
    let manner = manner(Some(args.turns), Pace::Flat, seed);
    let mut bench = Bench::raise(common, manner).await?;
    let crew = Crew {
        games: args.games,
        spectators: 0,
        dropped: 0.0,
        house_bots: &[],
    };
    seat_all(&mut bench, crew, common.warm_up);
    let wanted = u64::from(args.games) * u64::from(args.turns);
    let are_set_up = |meter: &Meter| meter.counts().get(Count::Moves) >= wanted;
    if !bench
        .wait_until("setting games up", PATIENCE, are_set_up)
        .await
    {
        bail!("the games could not be set up: {:?}", bench.stage.errors());
    }
    let grown = bench.server.usage().rss_bytes;
    let grown = number(grown.saturating_sub(bench.at_rest.rss_bytes));
    bench.stage.meter.begin();
    let used = bench.server.usage().cpu_us;
    if args.kill {
        bench.server.kill()?;
    } else {
        bench.server.stop().await?;
    }
    let before = bench.stage.meter.counts().get(Count::Resumed);
    let began = host::now();
    let ready = bench.start_again().await?;
    let all = u64::from(args.games) * 2;
    let are_back = |meter: &Meter| meter.counts().get(Count::Resumed) - before >= all;
    if !bench
        .wait_until("clients come back", PATIENCE, are_back)
        .await
    {
        bail!("not everybody came back: {:?}", bench.stage.errors());
    }
    let recovery = began.elapsed();
    let cpu_s = number(bench.server.usage().cpu_us.saturating_sub(used)) / 1e6;
    bench.stage.meter.end();
    let resume = bench.stage.meter.resume.percentiles();
    let rss = bench.server.usage().rss_bytes;
    bench
        .finish(|figures, _| {
            figures.connections = all;
            figures.ready_ms = Some(ready.as_secs_f64() * 1_000.0);
            figures.recovery_ms = Some(recovery.as_secs_f64() * 1_000.0);
            figures.measured_s = recovery.as_secs_f64();
            figures.resume_us = resume;
            figures.server_cpu_s = cpu_s;
            figures.server_rss_bytes = rss;
            figures.bytes_per_game = per(grown, u64::from(args.games));
            figures.acked = Some(0);
        })
        .await
}
