//! One game with many spectators: paced turns or bursts, reconnect storms, and spectators that do not read.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use tilewire_protocol::{ChallengeKind, Clock, ClockKind, EndCounts, EndOption};
use tilewire_rules::bot::BotLevel;
use tokio::time::sleep;

use crate::fleet::{ClientPlan, Role};
use crate::options::{CommonOptions, seconds, share};
use crate::player::{Part, Player};
use crate::process::KernelMemory;
use crate::recorder::{Counter, Recorder};
use crate::results::RunResult;
use crate::shared::{Behavior, Pacing, Pairing, options};
use crate::stats::{number, per};
use crate::testbed::Testbed;

/// Time for all spectators to attach after the last one was due.
const COME_WITHIN: Duration = Duration::from_secs(120);

/// Flags of `hot`.
#[derive(Debug, Clone, Args, Serialize)]
pub struct HotArgs {
    /// Spectators
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub spectators: u32,
    /// Mean number of turns per second (Poisson process); a pass is two events, a play four
    #[arg(long, value_name = "TURNS", default_value_t = 4.0, value_parser = rate, conflicts_with = "burst")]
    pub rate: f64,
    /// Turns per burst at full speed, instead of a rate
    #[arg(long, value_name = "TURNS")]
    pub burst: Option<u32>,
    /// Time between two bursts
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    pub burst_every: Duration,
    /// Time over which the spectators connect; 0 connects all at once
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    pub join_within: Duration,
    /// Number of client processes for the spectators; 0 runs them in the main process
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=64))]
    pub processes: u32,
    /// Drop all spectators' connections at once in the middle of the measured phase
    #[arg(long)]
    pub storm: bool,
    /// Reconnect them as new clients, which need a snapshot of the game
    #[arg(long, requires = "storm")]
    pub afresh: bool,
    /// Share of spectators that keep their connection but do not read from it
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share)]
    pub stalled: f64,
}

/// Parses a rate, such as `2.5`.
///
/// # Errors
/// When it is not a number, or out of range.
pub fn rate(text: &str) -> Result<f64, String> {
    let rate: f64 = text.parse().map_err(|_| "a number is expected")?;
    if (0.01..=10_000.0).contains(&rate) {
        Ok(rate)
    } else {
        Err("from 0.01 to 10000".to_owned())
    }
}

impl HotArgs {
    /// When the turns are due.
    pub fn pacing(&self) -> Pacing {
        match self.burst {
            Some(size) => Pacing::Bursts(size, self.burst_every),
            None => Pacing::Mean(Duration::from_secs_f64(1.0 / self.rate)),
        }
    }

    /// How the two players behave.
    pub fn behavior(&self, seed: u64) -> Behavior {
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
            chat: 0.0,
            options,
            seed,
        }
    }
}

/// Seats two players and waits until their game has begun.
///
/// # Errors
/// When it does not begin in time.
pub async fn seat_players(testbed: &mut Testbed) -> Result<Arc<Pairing>> {
    let (pairing, offer, seeks) = Pairing::new();
    for (number, part) in (0..).zip([Part::Owner(offer), Part::Guest(seeks)]) {
        let player = Player::new(&testbed.shared, &pairing, part, number);
        testbed.clients.spawn(player.run());
    }
    let has_begun = |recorder: &Recorder| recorder.counts().get(Counter::Started) > 0;
    if !testbed
        .wait_until("the game begins", COME_WITHIN, has_begun)
        .await
    {
        bail!("no game began: {:?}", testbed.shared.errors());
    }
    Ok(pairing)
}

/// One run.
///
/// # Errors
/// When the server does not start or stop as it should, or not all spectators can join.
pub async fn run(args: &HotArgs, common: &CommonOptions, seed: u64) -> Result<RunResult> {
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
    let have_come = |recorder: &Recorder| recorder.counts().get(Counter::Joined) >= all;
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
