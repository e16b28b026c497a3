//! A server that starts again with many unfinished games, and all their players come back at once.

use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use tilewire_protocol::{ChallengeKind, Clock, ClockKind};
use tilewire_rules::bot::BotLevel;

use super::matches::BUDGET_MS;
use super::settings_for;
use crate::args::Common;
use crate::bench::{Bench, Exit, number};
use crate::crowd::{Crew, Plan, Role};
use crate::figures::{Figures, Outcome, per};
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
    /// House bots as opponents: half as many connections
    #[arg(long)]
    house_bots: bool,
    /// Processes the players are spread over, beside the first; 0: all are in that one
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=64))]
    processes: u32,
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
    if args.house_bots && args.turns % 2 == 1 {
        bail!("--turns must be even beside --house-bots: each side has half of them");
    }
    let manner = manner(Some(args.turns), Pace::Flat, seed);
    let mut bench = Bench::raise_with(common, manner, settings_for(args.house_bots)).await?;
    let crew = Crew::unwatched(args.house_bots);
    let tables = Plan {
        role: Role::Tables(crew),
        clients: args.games,
        within: common.warm_up,
        processes: args.processes,
    };
    bench.come(tables, None).await?;
    let players = crew.players(args.games);
    let wanted = players * u64::from(args.turns) / 2;
    let are_set_up = |meter: &Meter| meter.counts().get(Count::Moves) >= wanted;
    if !bench
        .wait_until("setting games up", PATIENCE, are_set_up)
        .await
    {
        bail!("the games could not be set up: {:?}", bench.stage.errors());
    }
    let grown = bench.server.usage().rss_bytes;
    let grown = number(grown.saturating_sub(bench.at_rest.rss_bytes));
    let exit = if args.kill {
        Exit::Killed
    } else {
        Exit::Stopped
    };
    let course = bench.begin(None).await?;
    let recovery = bench.outage("clients come back", exit, PATIENCE).await?;
    let Some(everybody) = recovery.everybody else {
        bail!("{}", bench.missing());
    };
    bench.end(course, players).await?;
    bench
        .finish(|figures, _| {
            // Nobody plays: what is counted in turns and deliveries would say nothing.
            *figures = Figures {
                measured_s: figures.measured_s,
                connections: players,
                resume_us: figures.resume_us,
                errors: figures.errors,
                server_cpu_s: figures.server_cpu_s,
                server_rss_bytes: figures.server_rss_bytes,
                harness_cpu_s: figures.harness_cpu_s,
                ..Figures::default()
            };
            figures.ready_ms = Some(recovery.ready.as_secs_f64() * 1_000.0);
            figures.recovery_ms = Some(everybody.as_secs_f64() * 1_000.0);
            figures.bytes_per_game = per(grown, u64::from(args.games));
            figures.acked = Some(0);
        })
        .await
}
