//! Many running clocks: the delay until flags fall.

use std::time::Duration;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tilewire_protocol::{ChallengeKind, Clock, ClockKind};
use tilewire_rules::bot::BotLevel;

use super::settings_for;
use crate::fleet::{ClientPlan, Role, TableSpec};
use crate::options::CommonOptions;
use crate::results::RunResult;
use crate::shared::{Behavior, Pacing, options};
use crate::testbed::Testbed;

/// Flags of `clocks`.
#[derive(Debug, Clone, Args, Serialize)]
pub(crate) struct ClocksArgs {
    /// Concurrent games; each ends when a flag falls, and the next one begins
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Shortest time budget of a player; the longest is twice that
    #[arg(long, value_name = "MS", default_value_t = 3_000, value_parser = clap::value_parser!(i64).range(100..=3_600_000))]
    budget: i64,
    /// Turns per game before both players stop moving
    #[arg(long, value_name = "N", default_value_t = 4)]
    turns: u32,
    /// House bots as opponents; halves the number of connections
    #[arg(long)]
    house_bots: bool,
    /// Number of client processes for the players; 0 runs them in the main process
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=64))]
    processes: u32,
}

/// One run.
///
/// # Errors
/// When the server does not start or stop as it should.
pub(crate) async fn run(args: &ClocksArgs, common: &CommonOptions, seed: u64) -> Result<RunResult> {
    let mut clock = Clock::of(ClockKind::SuddenDeath);
    clock.initial_ms = Some(args.budget);
    let behavior = Behavior {
        level: BotLevel::Beginner,
        pacing: Pacing::Mean(Duration::from_millis(100)),
        turns_max: Some(args.turns),
        prefers_passing: false,
        budget_ms: (args.budget, args.budget * 2),
        illegal: 0.0,
        repeated: 0.0,
        dropped: 0.0,
        chat: 0.0,
        options: options(clock, ChallengeKind::Void),
        seed,
    };
    let mut testbed = Testbed::start_with(common, behavior, settings_for(args.house_bots)).await?;
    let table_spec = TableSpec::unwatched(args.house_bots);
    let tables = ClientPlan {
        role: Role::Tables(table_spec),
        clients: args.games,
        within: common.warm_up / 2,
        processes: args.processes,
    };
    testbed.come(tables, None).await?;
    testbed.wait("warming up", common.warm_up).await;
    testbed
        .measure(common.duration, table_spec.players(args.games))
        .await?;
    testbed.finish(|_, _| {}).await
}
