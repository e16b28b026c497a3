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
use crate::fleet::{ClientPlan, Role};
use crate::floor::{self, Beside};
use crate::player::{Part, Player};
use crate::process::KernelMemory;
use crate::recorder::Counter;
use crate::results::{RunResult, per};
use crate::shared::{Behavior, Pacing, Pairing, options};
use crate::testbed::{Testbed, number};

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
    pub(crate) fn pacing(&self) -> Pacing {
        match self.burst {
            Some(size) => Pacing::Bursts(size, self.burst_every),
            None => Pacing::Mean(Duration::from_secs_f64(1.0 / self.rate)),
        }
    }

    /// How the two players behave.
    pub(crate) fn behavior(&self, seed: u64) -> Behavior {
        // Passes make a game last; now and then a play, before the rules end it.
        let mut options = options(Clock::of(ClockKind::Untimed), ChallengeKind::Void);
        options.end = Some(EndOption {
            limit: 100,
            per_seat: false,
            counts: EndCounts::Passes,
            unless_all_zero: false,
        });
        Behavior {
            level: BotLevel::Beginner,
            pacing: self.pacing(),
            turns_max: None,
            prefers_passing: true,
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
pub(crate) async fn run(args: &HotArgs, common: &Common, seed: u64) -> Result<RunResult> {
    let Some(kind) = args.beside.floor else {
        return ours(args, common, seed).await;
    };
    let (mut result, floor) = if floor::is_ours_first(common, seed) {
        let result = ours(args, common, seed).await?;
        (result, floor::hot(kind, args, common, seed).await?)
    } else {
        let floor = floor::hot(kind, args, common, seed).await?;
        (ours(args, common, seed).await?, floor)
    };
    result.metrics.floor_deliveries_per_cpu_s = floor.deliveries_per_cpu_s;
    result.metrics.floor_push_us_p50 = Some(number(floor.push_us.p50));
    result.metrics.floor_push_us_p99 = Some(number(floor.push_us.p99));
    if let (Some(own), Some(floor)) = (
        result.metrics.deliveries_per_cpu_s,
        floor.deliveries_per_cpu_s,
    ) {
        result.metrics.floor_ratio = Some(own / floor);
    }
    Ok(result)
}

/// Seats two players and waits until their game has begun.
///
/// # Errors
/// When it does not begin in time.
pub(crate) async fn seat_players(testbed: &mut Testbed) -> Result<Arc<Pairing>> {
    let (pairing, offer, seeks) = Pairing::new();
    for (number, part) in (0..).zip([Part::Owner(offer), Part::Guest(seeks)]) {
        let player = Player::new(&testbed.shared, &pairing, part, number);
        testbed.clients.spawn(player.run());
    }
    let has_begun =
        |recorder: &crate::recorder::Recorder| recorder.counts().get(Counter::Started) > 0;
    if !testbed
        .wait_until("the game begins", COME_WITHIN, has_begun)
        .await
    {
        bail!("no game began: {:?}", testbed.shared.errors());
    }
    Ok(pairing)
}

async fn ours(args: &HotArgs, common: &Common, seed: u64) -> Result<RunResult> {
    let mut testbed = Testbed::start(common, args.behavior(seed)).await?;
    let pairing = seat_players(&mut testbed).await?;
    let plan = ClientPlan {
        role: Role::Spectators {
            stalled: args.stalled,
        },
        clients: args.spectators,
        within: args.join_within,
        processes: args.processes,
    };
    testbed.come(plan, Some(&pairing)).await?;
    let all = u64::from(args.spectators);
    let have_come =
        |recorder: &crate::recorder::Recorder| recorder.counts().get(Counter::Joined) >= all;
    if !testbed
        .wait_until("spectators come", args.join_within + COME_WITHIN, have_come)
        .await
    {
        bail!(
            "not all {all} spectators could join: {:?}",
            testbed.shared.errors()
        );
    }
    testbed.wait("warming up", common.warm_up).await;
    if args.storm {
        let shared = Arc::clone(&testbed.shared);
        let middle = common.duration / 2;
        shared
            .forgets_in_storms
            .store(args.afresh, std::sync::atomic::Ordering::Relaxed);
        testbed.clients.spawn(async move {
            sleep(middle).await;
            shared.storm();
        });
    }
    testbed.measure(common.duration, all + 2).await?;
    let (rss, kernel) = (testbed.server.usage().rss_bytes, KernelMemory::read());
    testbed
        .finish(|metrics, testbed| {
            let user = rss.saturating_sub(testbed.idle_usage.rss_bytes);
            let kernel = kernel.bytes().saturating_sub(testbed.idle_kernel.bytes());
            if testbed.idle_usage.rss_bytes > 0 {
                metrics.bytes_per_connection = per(number(user), all);
                metrics.kernel_bytes_per_connection = per(number(kernel), all);
            }
        })
        .await
}
