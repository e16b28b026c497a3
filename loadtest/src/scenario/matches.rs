//! Many concurrent games: pairs of bots with spectators play one game after another.

use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use tilewire_protocol::{Clock, ClockKind};
use tilewire_rules::bot::BotLevel;

use super::hot::rate;
use crate::fleet::{ClientPlan, Role, TableSpec};
use crate::options::{ChallengeRule, CommonOptions, in_millis, level, level_name, millis, share};
use crate::results::RunResult;
use crate::shared::{Behavior, Pacing, options};
use crate::stats::{number, per};
use crate::testbed::Testbed;

/// A player's time budget for a game: 25 minutes.
pub const BUDGET_MS: i64 = 25 * 60 * 1_000;

/// Flags of `matches`.
#[derive(Debug, Clone, Args, Serialize)]
pub struct MatchesArgs {
    /// Concurrent games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    /// Servers that share the games, with a PostgreSQL and a nats-server that the harness starts; 1: one server on PostgreSQL;
    /// 0: one server on SQLite
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=16))]
    pub nodes: u32,
    /// Mean time between two turns of a game (Poisson process, independent of the server)
    #[arg(
        long,
        value_name = "MS",
        default_value = "2000",
        value_parser = millis,
        conflicts_with = "flat_out"
    )]
    #[serde(serialize_with = "in_millis")]
    pub think: Duration,
    /// Play each turn as soon as the previous one is known; there is no schedule and no send delay
    #[arg(long)]
    pub flat_out: bool,
    /// Spectators per game
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub spectators: u32,
    /// Number of client processes for the games; 0 runs them in the main process
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=64))]
    pub processes: u32,
    /// Additional clients that follow the lobby, in a process of their own
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(0..=1_000_000)
    )]
    pub followers: u32,
    /// Additional clients that register and log in without a pause, in a process of their own; one password in fifty is wrong
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(0..=10_000)
    )]
    pub sign_ins: u32,
    /// Additional clients in the lobby's chat room, in a process of their own; the first one writes
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(0..=1_000_000)
    )]
    pub chat_readers: u32,
    /// Lines per second that it writes
    #[arg(long, value_name = "LINES", default_value_t = 20.0, value_parser = rate)]
    pub chat_rate: f64,
    /// Share of turns after which the player writes a line to the opponent
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share)]
    pub chat: f64,
    /// Level of the bots: beginner, club or expert
    #[arg(long, value_name = "LEVEL", default_value = "beginner", value_parser = level)]
    #[serde(with = "level_name")]
    pub bots: BotLevel,
    /// Challenge rule
    #[arg(long, value_enum, value_name = "RULE", default_value = "void")]
    pub challenge: ChallengeRule,
    /// Share of turns that begin with an illegal play
    #[arg(long, value_name = "SHARE", default_value = "0.05", value_parser = share)]
    pub illegal: f64,
    /// Share of commands sent twice
    #[arg(long, value_name = "SHARE", default_value = "0.05", value_parser = share)]
    pub repeated: f64,
    /// Share of commands after which the connection is dropped and resumed
    #[arg(long, value_name = "SHARE", default_value = "0.01", value_parser = share)]
    pub dropped: f64,
}

impl MatchesArgs {
    /// How the players behave.
    pub fn behavior(&self, seed: u64) -> Behavior {
        let mut clock = Clock::of(ClockKind::SuddenDeath);
        clock.initial_ms = Some(BUDGET_MS);
        Behavior {
            level: self.bots,
            pacing: if self.flat_out {
                Pacing::Flat
            } else {
                Pacing::Mean(self.think)
            },
            turns_max: None,
            prefers_passing: false,
            budget_ms: (BUDGET_MS, BUDGET_MS),
            illegal: self.illegal,
            repeated: self.repeated,
            dropped: self.dropped,
            chat: self.chat,
            options: options(clock, self.challenge.kind()),
            seed,
        }
    }
}

/// One run.
///
/// # Errors
/// When the server does not start or stop as it should.
pub async fn run(args: &MatchesArgs, common: &CommonOptions, seed: u64) -> Result<RunResult> {
    let behavior = args.behavior(seed);
    let mut testbed = match args.nodes {
        0 => Testbed::start(common, behavior).await?,
        _ if common.url.is_some() || args.processes > 0 => {
            bail!(
                "--nodes starts servers, and this process alone knows all of them: it goes without --url and --processes"
            )
        }
        nodes => Testbed::start_nodes(common, behavior, nodes).await?,
    };
    let table_spec = TableSpec {
        spectators: args.spectators,
        dropped: args.dropped,
        has_house_bot: false,
    };
    for (role, clients) in [
        (Role::Lobby, args.followers),
        (Role::SignIns, args.sign_ins),
        (
            Role::Chat {
                lines_per_s: args.chat_rate,
            },
            args.chat_readers,
        ),
    ] {
        if clients > 0 {
            let plan = ClientPlan {
                role,
                clients,
                within: common.warm_up / 2,
                processes: 1,
            };
            testbed.come(plan, None).await?;
        }
    }
    let tables = ClientPlan {
        role: Role::Tables(table_spec),
        clients: args.games,
        within: common.warm_up / 2,
        processes: args.processes,
    };
    testbed.come(tables, None).await?;
    testbed.wait("warming up", common.warm_up).await;
    let connections = table_spec.connections(args.games) + u64::from(args.followers);
    testbed.measure(common.duration, connections).await?;
    let grown = testbed.server.usage().rss_bytes;
    let grown = number(grown.saturating_sub(testbed.idle_usage.rss_bytes));
    testbed
        .finish(|metrics, _| {
            metrics.bytes_per_game = per(grown, u64::from(args.games)).filter(|bytes| *bytes > 0.0);
            metrics.bytes_per_connection = per(grown, connections).filter(|bytes| *bytes > 0.0);
        })
        .await
}
