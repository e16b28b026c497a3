//! One game that everybody watches: paced turns, bursts, spectators who all come at once, and some who do not read.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use tilewire_protocol::{ChallengeKind, Clock, ClockKind, EndCounts, EndOption};
use tilewire_rules::bot::BotLevel;
use tokio::time::sleep;

use crate::args::{Common, seconds, share};
use crate::bench::{Bench, number};
use crate::crowd::{Plan, Role};
use crate::figures::{Outcome, per};
use crate::floor::{self, Beside};
use crate::meter::Count;
use crate::player::{Part, Player};
use crate::process::KernelMemory;
use crate::stage::{Manner, Pace, Pair, options};

/// How long all spectators may take to come after the last one was due.
const COME_WITHIN: Duration = Duration::from_secs(120);

/// Flags of `hot`.
#[derive(Debug, Clone, Args, Serialize)]
pub(crate) struct HotArgs {
    /// Spectators
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) spectators: u32,
    /// Turns in a second, by chance; each is two events, or four when tiles are played
    #[arg(long, value_name = "TURNS", default_value_t = 4.0, value_parser = rate, conflicts_with = "burst")]
    pub(crate) rate: f64,
    /// Turns that follow each other as fast as they go, in place of a rate
    #[arg(long, value_name = "TURNS")]
    pub(crate) burst: Option<u32>,
    /// Time between two bursts
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    pub(crate) burst_every: Duration,
    /// Time within which the spectators come; 0: all at once
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    pub(crate) join_within: Duration,
    /// Processes the spectators are spread over, beside that of the players; 0: all are in one
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        conflicts_with = "floor",
        value_parser = clap::value_parser!(u32).range(0..=64)
    )]
    pub(crate) processes: u32,
    /// All spectators lose their connection at once in the middle of the measured phase
    #[arg(long, conflicts_with = "floor")]
    pub(crate) storm: bool,
    /// They come back from it as strangers, who need a snapshot of the game
    #[arg(long, requires = "storm")]
    pub(crate) afresh: bool,
    /// Share of spectators that keep their connection but do not read from it
    #[arg(
        long,
        value_name = "SHARE",
        default_value = "0",
        conflicts_with = "floor",
        value_parser = share
    )]
    pub(crate) stalled: f64,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) beside: Beside,
}

/// Reads a rate, such as `2.5`.
///
/// # Errors
/// When it is none, or out of all measure.
pub(crate) fn rate(text: &str) -> Result<f64, String> {
    let rate: f64 = text.parse().map_err(|_| "a number is expected")?;
    if (0.01..=10_000.0).contains(&rate) {
        Ok(rate)
    } else {
        Err("from 0.01 to 10000".to_owned())
    }
}

impl HotArgs {
    /// When the turns are due.
    pub(crate) fn pace(&self) -> Pace {
        match self.burst {
            Some(size) => Pace::Bursts(size, self.burst_every),
            None => Pace::Mean(Duration::from_secs_f64(1.0 / self.rate)),
        }
    }

    /// How the two players behave.
    pub(crate) fn manner(&self, seed: u64) -> Manner {
        // Passes make a game last; now and then a play, before the rules end it.
        let mut options = options(Clock::of(ClockKind::Untimed), ChallengeKind::Void);
        options.end = Some(EndOption {
            limit: 100,
            per_seat: false,
            counts: EndCounts::Passes,
            unless_all_zero: false,
        });
        Manner {
            level: BotLevel::Beginner,
            pace: self.pace(),
            rest_after: None,
            dawdles: true,
            budget_ms: (0, 0),
            illegal: 0.0,
            repeated: 0.0,
            dropped: 0.0,
            options,
            seed,
        }
    }
}

/// One run, and one of the floor it is compared with.
///
/// # Errors
/// When the server does not start or stop as it should, or not everybody can watch.
pub(crate) async fn run(args: &HotArgs, common: &Common, seed: u64) -> Result<Outcome> {
    let Some(kind) = args.beside.floor else {
        return ours(args, common, seed).await;
    };
    let (mut outcome, floor) = if floor::is_ours_first(common, seed) {
        let outcome = ours(args, common, seed).await?;
        (outcome, floor::hot(kind, args, common, seed).await?)
    } else {
        let floor = floor::hot(kind, args, common, seed).await?;
        (ours(args, common, seed).await?, floor)
    };
    outcome.figures.floor_deliveries_per_cpu_s = floor.deliveries_per_cpu_s;
    outcome.figures.floor_push_us_p50 = Some(number(floor.push_us.p50));
    outcome.figures.floor_push_us_p99 = Some(number(floor.push_us.p99));
    if let (Some(own), Some(floor)) = (
        outcome.figures.deliveries_per_cpu_s,
        floor.deliveries_per_cpu_s,
    ) {
        outcome.figures.floor_ratio = Some(own / floor);
    }
    Ok(outcome)
}

/// Seats two players and waits until their game has begun.
///
/// # Errors
/// When it does not begin in time.
pub(crate) async fn seat_players(bench: &mut Bench) -> Result<Arc<Pair>> {
    let (pair, offer, seeks) = Pair::new();
    for (number, part) in (0..).zip([Part::Owner(offer), Part::Guest(seeks)]) {
        let player = Player::new(&bench.stage, &pair, part, number);
        bench.clients.spawn(player.run());
    }
    let has_begun = |meter: &crate::meter::Meter| meter.counts().get(Count::Started) > 0;
    if !bench
        .wait_until("the game begins", COME_WITHIN, has_begun)
        .await
    {
        bail!("no game began: {:?}", bench.stage.errors());
    }
    Ok(pair)
}

async fn ours(args: &HotArgs, common: &Common, seed: u64) -> Result<Outcome> {
    let mut bench = Bench::raise(common, args.manner(seed)).await?;
    let pair = seat_players(&mut bench).await?;
    let plan = Plan {
        role: Role::Spectators {
            stalled: args.stalled,
        },
        clients: args.spectators,
        within: args.join_within,
        processes: args.processes,
    };
    bench.come(plan, Some(&pair)).await?;
    let all = u64::from(args.spectators);
    let have_come = |meter: &crate::meter::Meter| meter.counts().get(Count::Joined) >= all;
    if !bench
        .wait_until("spectators come", args.join_within + COME_WITHIN, have_come)
        .await
    {
        bail!(
            "not all {all} spectators could join: {:?}",
            bench.stage.errors()
        );
    }
    bench.wait("warming up", common.warm_up).await;
    if args.storm {
        let stage = Arc::clone(&bench.stage);
        let middle = common.duration / 2;
        stage
            .forgets_in_storms
            .store(args.afresh, std::sync::atomic::Ordering::Relaxed);
        bench.clients.spawn(async move {
            sleep(middle).await;
            stage.storm();
        });
    }
    bench.measure(common.duration, all + 2).await?;
    let (rss, kernel) = (bench.server.usage().rss_bytes, KernelMemory::read());
    bench
        .finish(|figures, bench| {
            let user = rss.saturating_sub(bench.at_rest.rss_bytes);
            let kernel = kernel.bytes().saturating_sub(bench.kernel_at_rest.bytes());
            if bench.at_rest.rss_bytes > 0 {
                figures.bytes_per_connection = per(number(user), all);
                figures.kernel_bytes_per_connection = per(number(kernel), all);
            }
        })
        .await
}
