//! Idle connections: their memory, and the CPU that their heartbeats take.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;
use tilewire_protocol::{ChallengeKind, Clock, ClockKind};
use tilewire_rules::bot::BotLevel;

use crate::fleet::{ClientPlan, Role, TableSpec};
use crate::options::{CommonOptions, seconds};
use crate::player::{Part, Player};
use crate::process::KernelMemory;
use crate::recorder::{Counter, Recorder};
use crate::results::RunResult;
use crate::shared::{Behavior, Pacing, Pairing, options};
use crate::stats::{number, per};
use crate::testbed::Testbed;

/// Time for all connections to be established after the last one was due.
const COME_WITHIN: Duration = Duration::from_secs(120);

/// Flags of `idle`.
#[derive(Debug, Clone, Args, Serialize)]
pub(crate) struct IdleArgs {
    /// Kind of connection: connected only, lobby follower, spectator of a game without moves, or player in one
    #[arg(long, value_enum, value_name = "KIND", default_value = "connected")]
    kind: IdleKind,
    /// Connections
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    connections: u32,
    /// Time over which they connect
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    join_within: Duration,
    /// Number of client processes; 0 runs all connections in the main process
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=64))]
    processes: u32,
}

/// The kinds of idle connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum IdleKind {
    /// Connected, and nothing else.
    Connected,
    /// Followers of the lobby.
    Lobby,
    /// Spectators of one game without moves.
    Spectator,
    /// Players of two-player games without moves.
    Seated,
}

/// The behavior for a run without players.
pub(crate) fn no_players(seed: u64) -> Behavior {
    Behavior {
        level: BotLevel::Beginner,
        pacing: Pacing::Flat,
        turns_max: None,
        prefers_passing: false,
        budget_ms: (0, 0),
        illegal: 0.0,
        repeated: 0.0,
        dropped: 0.0,
        chat: 0.0,
        options: options(Clock::of(ClockKind::Untimed), ChallengeKind::Void),
        seed,
    }
}

/// One run.
///
/// # Errors
/// When the server does not start or stop as it should.
pub(crate) async fn run(args: &IdleArgs, common: &CommonOptions, seed: u64) -> Result<RunResult> {
    let mut testbed = Testbed::start(common, resting(seed)).await?;
    let plan = |role| ClientPlan {
        role,
        clients: args.connections,
        within: args.join_within,
        processes: args.processes,
    };
    let mut games = 0;
    match args.kind {
        IdleKind::Connected => testbed.come(plan(Role::Connected), None).await?,
        IdleKind::Lobby => testbed.come(plan(Role::Lobby), None).await?,
        IdleKind::Spectator => {
            let pairing = seat_two(&mut testbed);
            let role = Role::Spectators { stalled: 0.0 };
            testbed.come(plan(role), Some(&pairing)).await?;
        }
        IdleKind::Seated => {
            games = args.connections.div_ceil(2);
            let tables = Role::Tables(TableSpec::unwatched(false));
            let plan = ClientPlan {
                clients: games,
                ..plan(tables)
            };
            testbed.come(plan, None).await?;
        }
    }
    let all = u64::from(args.connections);
    let arrived = |recorder: &Recorder| {
        let counts = recorder.counts();
        counts.get(Counter::Joined) + 2 * counts.get(Counter::Started)
    };
    testbed
        .wait_until(
            "connections come",
            args.join_within + COME_WITHIN,
            |recorder| arrived(recorder) + recorder.counts().get(Counter::Errors) >= all,
        )
        .await;
    testbed.wait("settling", common.warm_up).await;
    let come = arrived(&testbed.shared.recorder);
    testbed.measure(common.duration, come).await?;
    let (rss, kernel) = (testbed.server.usage().rss_bytes, KernelMemory::read());
    testbed
        .finish(|metrics, testbed| {
            if testbed.idle_usage.rss_bytes > 0 {
                let user = rss.saturating_sub(testbed.idle_usage.rss_bytes);
                let kernel = kernel.bytes().saturating_sub(testbed.idle_kernel.bytes());
                metrics.bytes_per_connection = per(number(user), come);
                metrics.kernel_bytes_per_connection = per(number(kernel), come);
                metrics.bytes_per_game = per(number(user), u64::from(games));
            }
        })
        .await
}

/// The behavior of players that make no move and resign at the end.
fn resting(seed: u64) -> Behavior {
    Behavior {
        turns_max: Some(0),
        prefers_passing: true,
        ..no_players(seed)
    }
}

/// Starts a game between two players.
fn seat_two(testbed: &mut Testbed) -> Arc<Pairing> {
    let (pairing, offer, seeks) = Pairing::new();
    for (number, part) in (0..).zip([Part::Owner(offer), Part::Guest(seeks)]) {
        let player = Player::new(&testbed.shared, &pairing, part, number);
        testbed.clients.spawn(player.run());
    }
    pairing
}
