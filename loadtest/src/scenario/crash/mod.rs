//! Kills the server repeatedly during play. No acknowledged command may be lost or duplicated.

mod nodes;

use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use tokio::time::sleep;

use super::restart::behavior;
use crate::fleet::{ClientPlan, Role, TableSpec};
use crate::options::CommonOptions;
use crate::results::RunResult;
use crate::rng::Rng;
use crate::shared::Pacing;
use crate::stats::median;
use crate::testbed::{Shutdown, Testbed};

/// Time for all clients to reconnect.
const PATIENCE: Duration = Duration::from_secs(120);

/// Flags of `crash`.
#[derive(Debug, Clone, Args, Serialize)]
pub(crate) struct CrashArgs {
    /// How often the server is killed
    #[arg(long, value_name = "N", default_value_t = 20)]
    rounds: u32,
    /// Concurrent games
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Mean time between two turns of a game
    #[arg(long, value_name = "MS", default_value_t = 100)]
    think: u64,
    /// Longest time between two kills; the time is random
    #[arg(long, value_name = "MS", default_value_t = 1_500, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    every: u64,
    /// Servers that share their games, with a PostgreSQL and a nats-server that the harness starts. Each round one of them is
    /// killed, and starts again up to 5 s later
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    nodes: u32,
    /// Stop servers in order instead of killing them
    #[arg(long, requires = "nodes", conflicts_with = "partitions")]
    drain: bool,
    /// Hold servers still beyond their lease instead of killing them
    #[arg(long, requires = "nodes")]
    partitions: bool,
}

/// The tables of a run.
const TABLES: TableSpec = TableSpec {
    spectators: 1,
    dropped: 0.0,
    has_house_bot: false,
};

/// Brings the clients, and waits until they play.
async fn come(testbed: &mut Testbed, games: u32, common: &CommonOptions) -> Result<()> {
    let tables = ClientPlan {
        role: Role::Tables(TABLES),
        clients: games,
        within: common.warm_up / 2,
        processes: 0,
    };
    testbed.come(tables, None).await?;
    testbed.wait("warming up", common.warm_up).await;
    Ok(())
}

/// One run.
///
/// # Errors
/// When the server does not start again, or the clients do not come back.
pub(crate) async fn run(args: &CrashArgs, common: &CommonOptions, seed: u64) -> Result<RunResult> {
    if common.url.is_some() {
        bail!(
            "--url has no effect with `crash`: the harness can kill only a server that it started"
        );
    }
    let pacing = Pacing::Mean(Duration::from_millis(args.think));
    let behavior = behavior(None, pacing, seed);
    if args.nodes > 1 {
        return nodes::run(args, common, behavior).await;
    }
    if args.drain || args.partitions {
        bail!("--drain and --partitions need --nodes 2 or more");
    }
    let mut testbed = Testbed::start(common, behavior).await?;
    come(&mut testbed, args.games, common).await?;
    let mut rng = Rng::new(seed, u64::MAX);
    let mut recoveries = Vec::new();
    let mut readies = Vec::new();
    let mut measurement = testbed.begin(None).await?;
    for round in 1..=args.rounds {
        sleep(Duration::from_millis(rng.below(args.every))).await;
        testbed.sample("playing", &mut measurement);
        let what = format!("crash {round} of {}", args.rounds);
        let recovery = testbed.outage(&what, Shutdown::Killed, PATIENCE).await?;
        let Some(all_back) = recovery.all_back else {
            bail!("after crash {round}, {}", testbed.missing());
        };
        readies.push(recovery.ready.as_secs_f64() * 1_000.0);
        recoveries.push(all_back.as_secs_f64() * 1_000.0);
    }
    testbed
        .end(measurement, TABLES.connections(args.games))
        .await?;
    testbed
        .finish(|metrics, _| {
            metrics.ready_ms = median(&readies);
            metrics.recovery_ms = median(&recoveries);
            metrics.acknowledged = Some(0);
            metrics.crashes = Some(u64::from(args.rounds));
        })
        .await
}
