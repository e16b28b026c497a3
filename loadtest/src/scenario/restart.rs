//! Restarts the server with many unfinished games; all players reconnect at once.

use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use tilewire_protocol::{ChallengeKind, Clock, ClockKind};
use tilewire_rules::bot::BotLevel;

use super::matches::BUDGET_MS;
use super::settings_for;
use crate::fleet::{ClientPlan, Role, TableSpec};
use crate::options::CommonOptions;
use crate::recorder::{Counter, Recorder};
use crate::results::{Metrics, RunResult};
use crate::shared::{Behavior, Pacing, options};
use crate::stats::{number, per};
use crate::testbed::{Shutdown, Testbed};

/// Time to set up the games, and time for all clients to reconnect.
const PATIENCE: Duration = Duration::from_secs(300);

/// Flags of `restart`.
#[derive(Debug, Clone, Args, Serialize)]
pub(crate) struct RestartArgs {
    /// Unfinished games
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Turns per game
    #[arg(long, value_name = "N", default_value_t = 10)]
    turns: u32,
    /// Kill the server instead of stopping it gracefully
    #[arg(long)]
    kill: bool,
    /// House bots as opponents; halves the number of connections
    #[arg(long)]
    house_bots: bool,
    /// Number of client processes for the players; 0 runs them in the main process
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=64))]
    processes: u32,
}

/// The behavior of players that make some turns and then wait.
pub(crate) fn behavior(turns: Option<u32>, pacing: Pacing, seed: u64) -> Behavior {
    let mut clock = Clock::of(ClockKind::SuddenDeath);
    clock.initial_ms = Some(BUDGET_MS);
    Behavior {
        level: BotLevel::Beginner,
        pacing,
        turns_max: turns,
        prefers_passing: false,
        budget_ms: (BUDGET_MS, BUDGET_MS),
        illegal: 0.0,
        repeated: 0.0,
        dropped: 0.0,
        chat: 0.0,
        options: options(clock, ChallengeKind::Void),
        seed,
    }
}

/// One run.
///
/// # Errors
/// When the server does not start or stop as it should, or a client does not come back.
pub(crate) async fn run(
    args: &RestartArgs,
    common: &CommonOptions,
    seed: u64,
) -> Result<RunResult> {
    if common.url.is_some() {
        bail!(
            "--url has no effect with `restart`: the harness can restart only a server that it started"
        );
    }
    if args.house_bots && args.turns % 2 == 1 {
        bail!("--turns must be even with --house-bots: each side plays half of them");
    }
    let behavior = behavior(Some(args.turns), Pacing::Flat, seed);
    let mut testbed = Testbed::start_with(common, behavior, settings_for(args.house_bots)).await?;
    let table_spec = TableSpec::unwatched(args.house_bots);
    let tables = ClientPlan {
        role: Role::Tables(table_spec),
        clients: args.games,
        within: common.warm_up,
        processes: args.processes,
    };
    testbed.come(tables, None).await?;
    let players = table_spec.players(args.games);
    let wanted = players * u64::from(args.turns) / 2;
    let are_set_up = |recorder: &Recorder| recorder.counts().get(Counter::Moves) >= wanted;
    if !testbed
        .wait_until("setting games up", PATIENCE, are_set_up)
        .await
    {
        bail!(
            "the games could not be set up: {:?}",
            testbed.shared.errors()
        );
    }
    let grown = testbed.server.usage().rss_bytes;
    let grown = number(grown.saturating_sub(testbed.idle_usage.rss_bytes));
    let exit = if args.kill {
        Shutdown::Killed
    } else {
        Shutdown::Stopped
    };
    let measurement = testbed.begin(None).await?;
    let recovery = testbed.outage("clients come back", exit, PATIENCE).await?;
    let Some(all_back) = recovery.all_back else {
        bail!("{}", testbed.missing());
    };
    testbed.end(measurement, players).await?;
    testbed
        .finish(|metrics, _| {
            // There is no play in this phase; rates of moves and deliveries would be meaningless.
            *metrics = Metrics {
                measured_s: metrics.measured_s,
                connections: players,
                resume_latency_us: metrics.resume_latency_us,
                errors: metrics.errors,
                server_cpu_s: metrics.server_cpu_s,
                server_rss_bytes: metrics.server_rss_bytes,
                harness_cpu_s: metrics.harness_cpu_s,
                ..Metrics::default()
            };
            metrics.ready_ms = Some(recovery.ready.as_secs_f64() * 1_000.0);
            metrics.recovery_ms = Some(all_back.as_secs_f64() * 1_000.0);
            metrics.bytes_per_game = per(grown, u64::from(args.games));
            metrics.acknowledged = Some(0);
        })
        .await
}
