//! Loses one of several servers after the other. The others play its games on, and no acknowledged command is lost or doubled.

use std::time::Duration;

use anyhow::Result;
use tokio::time::sleep;

use super::{CrashArgs, TABLES, come};
use crate::options::CommonOptions;
use crate::results::RunResult;
use crate::rng::Rng;
use crate::shared::Behavior;
use crate::testbed::{Loss, Testbed};

/// Longest time until a lost server starts again, ms. A lease ends before or after that.
const AWAY_MS: u64 = 5_000;
/// Shortest time for which a server is held still, ms: longer than the lease.
const HELD_MS: u64 = 3_000;

/// One run.
///
/// # Errors
/// When a server does not start, or a game does not go on.
pub(super) async fn run(
    args: &CrashArgs,
    common: &CommonOptions,
    behavior: Behavior,
) -> Result<RunResult> {
    let mut rng = Rng::new(behavior.seed, u64::MAX);
    let mut testbed = Testbed::start_nodes(common, behavior, args.nodes).await?;
    come(&mut testbed, args.games, common).await?;
    let (loss, name) = match (args.drain, args.partitions) {
        (true, _) => (Loss::Drained, "drain"),
        (_, true) => (Loss::Held, "partition"),
        _ => (Loss::Killed, "crash"),
    };
    let before = testbed.services()?.wal_bytes().await?;
    let mut measurement = testbed.begin(None).await?;
    for round in 1..=args.rounds {
        sleep(Duration::from_millis(rng.below(args.every))).await;
        let what = format!("{name} {round} of {}", args.rounds);
        testbed.sample(&what, &mut measurement);
        // Every second loss hits the server with the lobby, which makes the games.
        let place = match rng.below(2) {
            0 => testbed.services()?.lobby().await?.saturating_sub(1),
            _ => usize::try_from(rng.below(args.nodes.into()))?,
        };
        let away = match loss {
            Loss::Killed => rng.below(AWAY_MS),
            Loss::Drained => 0,
            Loss::Held => HELD_MS + rng.below(AWAY_MS),
        };
        testbed
            .lose(place, loss, Duration::from_millis(away))
            .await?;
        testbed.judge_finished().await?;
    }
    testbed
        .end(measurement, TABLES.connections(args.games))
        .await?;
    let moves = testbed.result.metrics.moves;
    testbed.result.metrics.wal_bytes_per_move = testbed.wal_bytes_per_move(before, moves).await?;
    testbed
        .finish(|metrics, _| {
            metrics.acknowledged = Some(0);
            metrics.crashes = Some(u64::from(args.rounds));
        })
        .await
}
