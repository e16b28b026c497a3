//! Connections that do nothing: what they cost in memory and, for their heartbeats, in time.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;
use tilewire_protocol::{ChallengeKind, Clock, ClockKind};
use tilewire_rules::bot::BotLevel;
use tokio::time::Instant;

use crate::args::{Common, seconds};
use crate::bench::{Bench, number};
use crate::crowd::{Crew, Plan, Role};
use crate::figures::{Outcome, per};
use crate::link::{Heard, Link};
use crate::meter::{Count, Meter};
use crate::player::{Part, Player};
use crate::process::KernelMemory;
use crate::stage::{Act, Manner, Pace, Pair, Stage, options};

/// How long all connections may take after the last one was due.
const COME_WITHIN: Duration = Duration::from_secs(120);

/// Flags of `idle`.
#[derive(Debug, Clone, Args, Serialize)]
pub(crate) struct IdleArgs {
    /// What they are: connected only, followers of the lobby, spectators of a game that stands, players of such games
    #[arg(long, value_enum, value_name = "KIND", default_value = "connected")]
    kind: IdleKind,
    /// Connections
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    connections: u32,
    /// Time within which they come
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    join_within: Duration,
    /// Processes they are spread over, beside the first; 0: all are in that one
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=64))]
    processes: u32,
}

/// What connections that do nothing are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum IdleKind {
    /// Connected, and nothing else.
    Connected,
    /// Followers of the lobby.
    Lobby,
    /// Spectators of one game in which nobody moves.
    Spectator,
    /// Players of games of two in which nobody moves.
    Seated,
}

/// How players behave where none play.
pub(crate) fn nobody(seed: u64) -> Manner {
    Manner {
        level: BotLevel::Beginner,
        pace: Pace::Flat,
        rest_after: None,
        dawdles: false,
        budget_ms: (0, 0),
        illegal: 0.0,
        repeated: 0.0,
        dropped: 0.0,
        options: options(Clock::of(ClockKind::Untimed), ChallengeKind::Void),
        seed,
    }
}

/// One run.
///
/// # Errors
/// When the server does not start or stop as it should.
pub(crate) async fn run(args: &IdleArgs, common: &Common, seed: u64) -> Result<Outcome> {
    let mut bench = Bench::raise(common, resting(seed)).await?;
    let plan = |role| Plan {
        role,
        clients: args.connections,
        within: args.join_within,
        processes: args.processes,
    };
    let mut games = 0;
    match args.kind {
        IdleKind::Connected => bench.come(plan(Role::Connected), None).await?,
        IdleKind::Lobby => bench.come(plan(Role::Lobby), None).await?,
        IdleKind::Spectator => {
            let pair = seat_two(&mut bench);
            let role = Role::Spectators { stalled: 0.0 };
            bench.come(plan(role), Some(&pair)).await?;
        }
        IdleKind::Seated => {
            games = args.connections.div_ceil(2);
            let tables = Role::Tables(Crew::unwatched(false));
            let plan = Plan {
                clients: games,
                ..plan(tables)
            };
            bench.come(plan, None).await?;
        }
    }
    let all = u64::from(args.connections);
    let arrived = |meter: &Meter| {
        let counts = meter.counts();
        counts.get(Count::Joined) + 2 * counts.get(Count::Started)
    };
    bench
        .wait_until(
            "connections come",
            args.join_within + COME_WITHIN,
            |meter| arrived(meter) + meter.counts().get(Count::Errors) >= all,
        )
        .await;
    bench.wait("settling", common.warm_up).await;
    let come = arrived(&bench.stage.meter);
    bench.measure(common.duration, come).await?;
    let (rss, kernel) = (bench.server.usage().rss_bytes, KernelMemory::read());
    bench
        .finish(|figures, bench| {
            if bench.at_rest.rss_bytes > 0 {
                let user = rss.saturating_sub(bench.at_rest.rss_bytes);
                let kernel = kernel.bytes().saturating_sub(bench.kernel_at_rest.bytes());
                figures.bytes_per_connection = per(number(user), come);
                figures.kernel_bytes_per_connection = per(number(kernel), come);
                figures.bytes_per_game = per(number(user), u64::from(games));
            }
        })
        .await
}

/// How players behave who sit there, and resign when everybody leaves.
fn resting(seed: u64) -> Manner {
    Manner {
        rest_after: Some(0),
        dawdles: true,
        ..nobody(seed)
    }
}

/// Is connected until everybody leaves.
pub(crate) async fn rest(stage: Arc<Stage>, due: Instant) {
    let mut acts = stage.acts();
    let Ok((mut link, _)) = Link::enter(&stage.address, None).await else {
        return stage.error("no connection");
    };
    stage.meter.joined(due.elapsed());
    loop {
        tokio::select! {
            heard = link.next() => if matches!(heard, Heard::Closed(_)) {
                return stage.error("connection lost");
            },
            () = async { drop(acts.wait_for(|act| *act == Act::Leaving).await) } => {
                return link.close().await;
            }
        }
    }
}

/// Lets two players begin a game.
fn seat_two(bench: &mut Bench) -> Arc<Pair> {
    let (pair, offer, seeks) = Pair::new();
    for (number, part) in (0..).zip([Part::Owner(offer), Part::Guest(seeks)]) {
        let player = Player::new(&bench.stage, &pair, part, number);
        bench.clients.spawn(player.run());
    }
    pair
}
