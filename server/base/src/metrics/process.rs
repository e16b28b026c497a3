//! The metrics of the process itself, read for each request of the page.
//!
//! They are text of their own: the counters of the recorder are whole numbers, and processor time is not.

use std::fmt::Write as _;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use super::metric::Metric;
use super::table::{CPU, MEMORY, OPEN_FILES, OPEN_FILES_MAX, START_TIME, THREADS, VIRTUAL_MEMORY};

/// When the server started, seconds since the Unix epoch.
static STARTED: OnceLock<f64> = OnceLock::new();

/// Notes that the server starts.
#[expect(
    clippy::disallowed_methods,
    reason = "the machine's clock: other programs compare it with theirs"
)]
pub(super) fn note_start() {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    STARTED.get_or_init(|| since.unwrap_or_default().as_secs_f64());
}

/// Returns the metrics of this process as text for Prometheus, without those that the system does not tell.
pub(super) fn page() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kibibytes = |key| field(&status, key).map(|value| value * 1_024.0);
    let (open, most) = files();
    render(&[
        (CPU, processor_seconds()),
        (MEMORY, kibibytes("VmRSS")),
        (VIRTUAL_MEMORY, kibibytes("VmSize")),
        (THREADS, field(&status, "Threads")),
        (OPEN_FILES, open),
        (OPEN_FILES_MAX, most),
        (START_TIME, STARTED.get().copied()),
    ])
}

/// Returns the number behind a key of `/proc/self/status`.
fn field(status: &str, key: &str) -> Option<f64> {
    let values = status.lines().find_map(|line| {
        let (found, values) = line.split_once(':')?;
        (found == key).then_some(values)
    });
    values?.split_whitespace().next()?.parse().ok()
}

#[cfg(target_os = "linux")]
#[expect(
    clippy::cast_precision_loss,
    reason = "a process does not run for 2^53 seconds"
)]
fn processor_seconds() -> Option<f64> {
    use rustix::time::{ClockId, clock_gettime};
    let used = clock_gettime(ClockId::ProcessCPUTime);
    Some(used.tv_sec as f64 + used.tv_nsec as f64 / 1e9)
}

#[cfg(not(target_os = "linux"))]
const fn processor_seconds() -> Option<f64> {
    None
}

/// Returns how many files the process has open, and how many it may have open.
#[cfg(unix)]
#[expect(clippy::cast_precision_loss, reason = "a process has few files")]
fn files() -> (Option<f64>, Option<f64>) {
    use rustix::process::{Resource, getrlimit};
    let most = getrlimit(Resource::Nofile).current;
    let open = std::fs::metadata("/proc/self/fd").ok().and_then(|folder| {
        // Linux counts them since 6.2; before, the size is 0.
        match folder.len() {
            0 => Some(std::fs::read_dir("/proc/self/fd").ok()?.count() as f64),
            files => Some(files as f64),
        }
    });
    (open, most.map(|most| most as f64))
}

#[cfg(not(unix))]
const fn files() -> (Option<f64>, Option<f64>) {
    (None, None)
}

fn render(readings: &[(Metric, Option<f64>)]) -> String {
    let mut text = String::new();
    for (metric, value) in readings {
        let Some(value) = value else { continue };
        let (name, help, kind) = (metric.name, metric.help, metric.kind.name());
        // Writing to a string does not fail.
        writeln!(
            text,
            "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n"
        )
        .ok();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_of_the_status_is_found() {
        let status = "Name:\ttilewire-server\nVmHWM:\t  900 kB\nVmRSS:\t  812 kB\nThreads:\t7\n";
        let check = |key, expected| assert_eq!(field(status, key), expected, "{key}");
        check("VmRSS", Some(812.0));
        check("Threads", Some(7.0));
        check("Name", None);
        check("VmSwap", None);
    }

    #[test]
    fn a_reading_is_text_and_a_missing_one_is_left_out() {
        let page = render(&[(CPU, Some(1.25)), (THREADS, None)]);
        let expected = "# HELP tilewire_process_cpu_seconds_total Processor time that the process has used\n\
                        # TYPE tilewire_process_cpu_seconds_total counter\n\
                        tilewire_process_cpu_seconds_total 1.25\n\n";
        assert_eq!(page, expected);
    }

    /// This process has used time and memory, and has files open.
    #[test]
    #[cfg(target_os = "linux")]
    fn the_system_tells_all_of_them() {
        note_start();
        let page = page();
        for metric in super::super::table::OF_PROCESS {
            let line = page.lines().find(|line| line.starts_with(metric.name));
            let value = line.and_then(|line| line.rsplit_once(' ')?.1.parse().ok());
            assert!(value.is_some_and(|value: f64| value > 0.0), "{page}");
        }
    }
}
