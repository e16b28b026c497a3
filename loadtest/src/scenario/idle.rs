//! Connections that do nothing: what they cost in memory and, for their heartbeats, in time.

use std::time::Duration;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tilewire_protocol::{ChallengeKind, Clock, ClockKind};
use tilewire_rules::bot::BotLevel;
use tokio::time::sleep;

use crate::args::{Common, seconds};
use crate::bench::{Bench, number};
use crate::figures::{Outcome, per};
use crate::host;
use crate::link::{Heard, Link};
use crate::meter::Count;
use crate::process::KernelMemory;
use crate::stage::{Act, Manner, Pace, options};

/// How long all connections may take after the last one was due.
const COME_WITHIN: Duration = Duration::from_secs(120);

/// Flags of `idle`.
#[derive(Debug, Clone, Args, Serialize)]
pub(crate) struct IdleArgs {
    /// Connections
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    connections: u32,
    /// Time within which they come
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    join_within: Duration,
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
    let mut bench = Bench::raise(common, nobody(seed)).await?;
    let began = host::now();
    for number in 0..args.connections {
        let place = f64::from(number) / f64::from(args.connections);
        let due = began + args.join_within.mul_f64(place);
        let stage = std::sync::Arc::clone(&bench.stage);
        bench.clients.spawn(async move {
            sleep(due.saturating_duration_since(host::now())).await;
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
        });
    }
    let all = u64::from(args.connections);
    bench
        .wait_until(
            "connections come",
            args.join_within + COME_WITHIN,
            |meter| meter.counts().get(Count::Joined) + meter.counts().get(Count::Errors) >= all,
        )
        .await;
    bench.wait("settling", common.warm_up).await;
    let come = bench.stage.meter.counts().get(Count::Joined);
    bench.measure(common.duration, come).await?;
    let (rss, kernel) = (bench.server.usage().rss_bytes, KernelMemory::read());
    bench
        .finish(|figures, bench| {
            if bench.at_rest.rss_bytes > 0 {
                let user = rss.saturating_sub(bench.at_rest.rss_bytes);
                let kernel = kernel.bytes().saturating_sub(bench.kernel_at_rest.bytes());
                figures.bytes_per_connection = per(number(user), come);
                figures.kernel_bytes_per_connection = per(number(kernel), come);
            }
        })
        .await
}
