//! Mixed load from a profile: many kinds of games, arrivals and departures, injected faults.

mod faults;
mod memory_growth;
mod participants;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use serde_json::{Value, to_value};
use tokio::time::{MissedTickBehavior, interval};

use super::BRISK_HOUSE_BOTS;
use super::idle::no_players;
use crate::options::CommonOptions;
use crate::profile::Profile;
use crate::recorder::Counter;
use crate::results::{Metrics, RunResult, Sample};
use crate::stats::{number, per};
use crate::testbed::{Measurement, Testbed};
use faults::Faults;

/// Interval at which finished games are audited.
const JUDGE_EVERY: Duration = Duration::from_secs(1);

/// Flags of `mixed`.
#[derive(Debug, Clone, Args, Serialize)]
pub(crate) struct MixedArgs {
    /// The profile of the load; loadtest/profiles has examples
    #[arg(value_name = "PROFILE")]
    profile: PathBuf,
    /// Measured time, such as 90s, 10m or 1h [default: run_s of the profile]
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    run_for: Option<Duration>,
}

/// Parses a time with its unit.
fn duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|letter: char| letter.is_ascii_alphabetic());
    let (count, unit) = text.split_at(split.unwrap_or(text.len()));
    let unit = match unit {
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3_600.0,
        _ => return Err("expected a number with s, m or h, such as 90s or 1h".to_owned()),
    };
    let count: f64 = count.parse().map_err(|_| "expected a number")?;
    let seconds = count * unit;
    if (1.0..=604_800.0).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("expected 1 s to 1 week".to_owned())
    }
}

/// The flags and the profile.
///
/// # Errors
/// When the profile is invalid.
pub(crate) fn settings(args: &MixedArgs) -> Result<Value> {
    let mut settings = to_value(args)?;
    settings["load"] = to_value(Profile::read(&args.profile)?)?;
    Ok(settings)
}

/// One run.
///
/// # Errors
/// When the profile is invalid, or the server does not start or stop as it should.
pub(crate) async fn run(args: &MixedArgs, common: &CommonOptions, seed: u64) -> Result<RunResult> {
    let profile = Profile::read(&args.profile)?;
    let time = args
        .run_for
        .unwrap_or_else(|| Duration::from_secs_f64(profile.run_s));
    let mut faults = Faults::new(&profile.faults);
    if common.url.is_some() && faults.are_any() {
        bail!(
            "the profile injects faults, which --url does not allow: the harness can kill or stop only a server that it started"
        );
    }
    let mut testbed = Testbed::start_with(common, no_players(seed), BRISK_HOUSE_BOTS).await?;
    let connections = participants::spawn(&mut testbed, &profile, seed, common.warm_up / 2)?;
    testbed.wait("warming up", common.warm_up).await;
    testbed.judge_finished().await?;
    let mut measurement = testbed.begin(Some(time)).await?;
    live(&mut testbed, &mut measurement, &mut faults, &profile, time).await?;
    testbed.end(measurement, connections).await?;
    judge_growth(&mut testbed, &profile, time);
    testbed
        .finish(|metrics, testbed| {
            metrics.faults = Some(faults.done());
            metrics.crashes = Some(faults.kills());
            metrics.ready_ms = faults.ready_ms();
            metrics.recovery_ms = faults.recovery_ms();
            metrics.acknowledged = Some(0);
            metrics.stored_bytes = Some(testbed.server.stored_bytes());
        })
        .await
}

/// Takes samples, audits finished games and injects faults until the time is over.
async fn live(
    testbed: &mut Testbed,
    measurement: &mut Measurement,
    faults: &mut Faults,
    profile: &Profile,
    time: Duration,
) -> Result<()> {
    let mut samples = interval(Duration::from_secs_f64(profile.sample_s));
    let mut verdicts = interval(JUDGE_EVERY);
    for ticks in [&mut samples, &mut verdicts] {
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    }
    while measurement.began.elapsed() < time {
        tokio::select! {
            _ = samples.tick() => testbed.sample("mixed", measurement),
            _ = verdicts.tick() => testbed.judge_finished().await?,
            fault = faults.next() => {
                let done = faults.commit(fault, testbed).await;
                done.map_err(|error| testbed.server.with_log(&error))?;
            }
            () = tokio::time::sleep(time.saturating_sub(measurement.began.elapsed())) => {}
        }
    }
    testbed.sample("mixed", measurement);
    Ok(())
}

/// Computes the growth of the server's memory, and fails the run if it exceeds the bound.
fn judge_growth(testbed: &mut Testbed, profile: &Profile, time: Duration) {
    let samples = std::mem::take(&mut testbed.result.samples);
    let slope = memory_growth::kib_per_hour(&samples, profile.settle_s);
    let counts = testbed.shared.recorder.counts();
    let metrics = &mut testbed.result.metrics;
    metrics.rss_slope_kib_per_h = slope;
    fill(metrics, &samples);
    let grown = number(metrics.server_rss_bytes).max(0.0)
        - number(testbed.idle_usage.rss_bytes).min(number(metrics.server_rss_bytes));
    let live = counts
        .get(Counter::Started)
        .saturating_sub(counts.get(Counter::Finished));
    metrics.bytes_per_game = per(grown, live).filter(|bytes| *bytes > 0.0);
    let seconds = time.as_secs_f64();
    let failure = match (slope, profile.slope_max_kib_per_h) {
        (Some(slope), Some(most)) if slope > most => Some(format!(
            "memory grows by {slope:.0} KiB/h, more than {most:.0} KiB/h, over {seconds:.0} s"
        )),
        (None, Some(_)) => Some(format!(
            "{seconds:.0} s with {} samples are not enough to compute the growth of memory",
            samples.len()
        )),
        (Some(_) | None, _) => None,
    };
    testbed.result.failures.extend(failure);
    testbed.result.samples = samples;
}

fn fill(metrics: &mut Metrics, samples: &[Sample]) {
    let live: u64 = samples.iter().map(|sample| sample.live_games).sum();
    let count = u64::try_from(samples.len()).unwrap_or(0);
    metrics.live_games = per(number(live), count);
    metrics.server_files_max = samples.iter().map(|sample| sample.files).max();
    metrics.server_threads_max = samples.iter().map(|sample| sample.threads).max();
}

#[cfg(test)]
mod tests {
    use super::duration;
    use std::time::Duration;

    #[test]
    fn times_have_units() {
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("0.5h"), Ok(Duration::from_secs(1_800)));
        assert_eq!(duration("10m"), Ok(Duration::from_secs(600)));
        for wrong in ["", "10", "m", "1d", "-1s", "1e9h", "0s"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
