//! Many games at once: pairs of bots, each with its spectators, one game after the other.

use std::time::Duration;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tilewire_protocol::{Clock, ClockKind};
use tilewire_rules::bot::BotLevel;
use tokio::time::sleep;

use crate::args::{ChallengeRule, Common, level, share};
use crate::bench::{Bench, number};
use crate::crowd::{Plan, Role};
use crate::figures::{Outcome, per};
use crate::floor::{self, Beside};
use crate::host;
use crate::player::{Part, Player};
use crate::spectator::{Habit, Spectator};
use crate::stage::{Manner, Pace, Pair, options};

/// A player's time for a game: the usual 25 minutes.
pub(crate) const BUDGET_MS: i64 = 25 * 60 * 1_000;

/// Flags of `matches`.
#[derive(Debug, Clone, Args, Serialize)]
pub(crate) struct MatchesArgs {
    /// Games at once
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) games: u32,
    /// Mean time between two turns of a game; they come by chance, independent of the server
    #[arg(
        long,
        value_name = "MS",
        default_value_t = 2_000,
        conflicts_with = "flat_out"
    )]
    pub(crate) think: u64,
    /// Each turn at once when the one before is known; there is no schedule then, and no lateness
    #[arg(long)]
    pub(crate) flat_out: bool,
    /// Spectators of each game
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) spectators: u32,
    /// Others who follow the lobby meanwhile, in a process of their own
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(crate) followers: u32,
    /// How well the bots play: beginner, club or expert
    #[arg(long, value_name = "LEVEL", default_value = "beginner", value_parser = level)]
    #[serde(serialize_with = "level_name")]
    pub(crate) bots: BotLevel,
    /// What challenges cost
    #[arg(long, value_enum, value_name = "RULE", default_value = "void")]
    #[serde(skip)]
    pub(crate) challenge: ChallengeRule,
    /// Share of turns with an illegal play before the legal one
    #[arg(long, value_name = "SHARE", default_value = "0.05", value_parser = share)]
    pub(crate) illegal: f64,
    /// Share of commands sent twice
    #[arg(long, value_name = "SHARE", default_value = "0.05", value_parser = share)]
    pub(crate) repeated: f64,
    /// Share of commands after which the connection is dropped and resumed
    #[arg(long, value_name = "SHARE", default_value = "0.01", value_parser = share)]
    pub(crate) dropped: f64,
    #[command(flatten)]
    #[serde(skip)]
    pub(crate) beside: Beside,
}

fn level_name<S: serde::Serializer>(level: &BotLevel, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(level.name())
}

impl MatchesArgs {
    /// How the players behave.
    pub(crate) fn manner(&self, seed: u64) -> Manner {
        let mut clock = Clock::of(ClockKind::SuddenDeath);
        clock.initial_ms = Some(BUDGET_MS);
        Manner {
            level: self.bots,
            pace: if self.flat_out {
                Pace::Flat
            } else {
                Pace::Mean(Duration::from_millis(self.think))
            },
            rest_after: None,
            dawdles: false,
            budget_ms: (BUDGET_MS, BUDGET_MS),
            illegal: self.illegal,
            repeated: self.repeated,
            dropped: self.dropped,
            options: options(clock, self.challenge.kind()),
            seed,
        }
    }
}

/// One run, and one of the floor it is compared with.
///
/// # Errors
/// When the server does not start or stop as it should, or the floor does not tell everybody.
pub(crate) async fn run(args: &MatchesArgs, common: &Common, seed: u64) -> Result<Outcome> {
    let Some(kind) = args.beside.floor else {
        return ours(args, common, seed).await;
    };
    let (mut outcome, floor) = if floor::is_ours_first(common, seed) {
        let outcome = ours(args, common, seed).await?;
        (outcome, floor::matches(kind, args, common, seed).await?)
    } else {
        let floor = floor::matches(kind, args, common, seed).await?;
        (ours(args, common, seed).await?, floor)
    };
    let figures = &mut outcome.figures;
    figures.floor_cpu_us_per_move = floor.server_cpu_us_per_move;
    figures.floor_moves_per_s = Some(floor.moves_per_s);
    figures.floor_push_us_p50 = Some(number(floor.push_us.p50));
    figures.floor_push_us_p99 = Some(number(floor.push_us.p99));
    if let (Some(own), Some(floor)) = (
        figures.server_cpu_us_per_move,
        figures.floor_cpu_us_per_move,
    ) {
        figures.floor_move_ratio = Some(own / floor);
    }
    Ok(outcome)
}

async fn ours(args: &MatchesArgs, common: &Common, seed: u64) -> Result<Outcome> {
    let mut bench = Bench::raise(common, args.manner(seed)).await?;
    let crew = Crew {
        games: args.games,
        spectators: args.spectators,
        dropped: args.dropped,
        house_bots: &[],
    };
    if args.followers > 0 {
        let followers = Plan {
            role: Role::Lobby,
            clients: args.followers,
            within: common.warm_up / 2,
            processes: 1,
        };
        bench.come(followers, None).await?;
    }
    seat_all(&mut bench, crew, common.warm_up / 2);
    bench.wait("warming up", common.warm_up).await;
    let connections =
        u64::from(args.games) * u64::from(2 + args.spectators) + u64::from(args.followers);
    bench.measure(common.duration, connections).await?;
    let grown = bench.server.usage().rss_bytes;
    let grown = number(grown.saturating_sub(bench.at_rest.rss_bytes));
    bench
        .finish(|figures, _| {
            figures.bytes_per_game = per(grown, u64::from(args.games)).filter(|bytes| *bytes > 0.0);
            figures.bytes_per_connection = per(grown, connections).filter(|bytes| *bytes > 0.0);
        })
        .await
}

/// Who comes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crew {
    /// Pairs of players.
    pub(crate) games: u32,
    /// Spectators of each.
    pub(crate) spectators: u32,
    /// Share of events after which a spectator drops its connection.
    pub(crate) dropped: f64,
    /// House bots that sit down in the place of the second player of each pair.
    pub(crate) house_bots: &'static [&'static str],
}

/// Lets all pairs and their spectators come, one after the other within a time.
pub(crate) fn seat_all(bench: &mut Bench, crew: Crew, within: Duration) {
    let began = host::now();
    let house_bots: Vec<String> = crew.house_bots.iter().map(ToString::to_string).collect();
    for number in 0..crew.games {
        let due = began + within.mul_f64(f64::from(number) / f64::from(crew.games));
        let (pair, offer, seeks) = Pair::new();
        let first = u64::from(number) * 2;
        let owner = Player::new(&bench.stage, &pair, Part::Owner(offer), first);
        let guest = Player::new(&bench.stage, &pair, Part::Guest(seeks), first + 1);
        let guest = house_bots.is_empty().then_some(guest);
        for player in [Some(owner.inviting(&house_bots)), guest]
            .into_iter()
            .flatten()
        {
            bench.clients.spawn(async move {
                sleep(due.saturating_duration_since(host::now())).await;
                player.run().await;
            });
        }
        for spectator in 0..crew.spectators {
            let own = number * crew.spectators + spectator;
            let spectator = Spectator::new(&bench.stage, &pair, own, Habit::Drops(crew.dropped));
            bench.clients.spawn(async move {
                sleep(due.saturating_duration_since(host::now())).await;
                spectator.run(due).await;
            });
        }
    }
}
