//! Measures the disk alone: how long appends take, one after another.

use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use hdrhistogram::Histogram;

use tilewire_loadtest::disk_probe::AppendLog;
use tilewire_loadtest::host::{micros, now};
use tilewire_loadtest::report::say;

/// Appends `bytes` bytes `appends` times, with a pause before each append, and prints how long the appends took.
///
/// # Errors
/// If writing to the disk fails.
pub(super) fn run(dir: Option<&Path>, bytes: u32, appends: u32, pause: Duration) -> Result<()> {
    let own = match dir {
        Some(dir) => tempfile::tempdir_in(dir),
        None => tempfile::tempdir(),
    };
    let own = own.context("no directory to write to")?;
    let mut log = AppendLog::create(&own.path().join("log"), usize::try_from(bytes)?)?;
    let mut times = Histogram::<u64>::new_with_max(60_000_000, 3)?;
    let began = now();
    for _ in 0..appends {
        thread::sleep(pause);
        times.saturating_record(micros(log.append()?));
    }
    let rate = f64::from(appends) / began.elapsed().as_secs_f64();
    say(&format!(
        "{appends} appends of {bytes} bytes with fdatasync: {rate:.0}/s; p50 {} µs, p99 {} µs, max {} µs",
        times.value_at_quantile(0.5),
        times.value_at_quantile(0.99),
        times.max()
    ));
    Ok(())
}
