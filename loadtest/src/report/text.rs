//! The report as a person reads it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::Result;
use serde_json::Value;

use super::Report;
use crate::stats::{Spread, spreads};

/// The figures shown, with what they are called, what they are divided by and their unit.
const LINES: &[(&str, &str, f64, &str)] = &[
    ("connections", "connections", 1.0, ""),
    ("games_finished", "games finished", 1.0, ""),
    ("moves_per_s", "moves", 1.0, "/s"),
    ("deliveries_per_s", "deliveries", 1.0, "/s"),
    ("server_cores_used", "server's processor", 1.0, "cores"),
    ("server_cpu_us_per_move", "  for each move", 1.0, "µs"),
    (
        "server_cpu_us_per_delivery",
        "  for each delivery",
        1.0,
        "µs",
    ),
    (
        "deliveries_per_cpu_s",
        "  deliveries per second of it",
        1.0,
        "",
    ),
    ("server_rss_bytes", "server's memory", 1_048_576.0, "MiB"),
    (
        "bytes_per_connection",
        "  for each connection",
        1_024.0,
        "KiB",
    ),
    (
        "kernel_bytes_per_connection",
        "  in the kernel, both ends",
        1_024.0,
        "KiB",
    ),
    ("bytes_per_game", "  for each game", 1_024.0, "KiB"),
    (
        "stored_bytes_per_move",
        "written for each move",
        1_024.0,
        "KiB",
    ),
    ("commit_us", "commit to the disk", 1_000.0, "ms"),
    ("storage_batch", "  changes in each", 1.0, ""),
    ("ready_ms", "ready after", 1.0, "ms"),
    ("recovery_ms", "all resumed after", 1.0, "ms"),
    ("crashes", "crashes", 1.0, ""),
    ("faults", "faults on purpose", 1.0, ""),
    ("live_games", "unfinished games", 1.0, ""),
    ("rss_slope_kib_per_h", "memory grows by", 1.0, "KiB/h"),
    ("server_files_max", "files open at most", 1.0, ""),
    ("server_threads_max", "threads at most", 1.0, ""),
    ("stored_bytes", "data directory", 1_048_576.0, "MiB"),
    ("acked", "acknowledged", 1.0, ""),
    ("lost", "lost", 1.0, ""),
    ("doubled", "doubled", 1.0, ""),
    ("refusals", "illegal plays refused", 1.0, ""),
    ("resumes", "connections dropped", 1.0, ""),
    ("errors", "errors", 1.0, ""),
];

/// The times shown.
const TIMES: &[(&str, &str)] = &[
    ("ack_latency_us", "command to answer"),
    ("push_latency_us", "command to others"),
    ("resume_latency_us", "resume"),
    ("join_latency_us", "join"),
    ("flag_delay_us", "flag falls late by"),
    ("send_delay_us", "harness late by"),
    ("service_time_us", "sent to answer"),
    ("seek_latency_us", "seek or seat"),
    ("lobby_latency_us", "game in the lobby"),
    ("disk_probe_us", "append by a witness"),
];

/// Writes the report.
///
/// # Errors
/// Never, as long as figures are numbers.
pub(super) fn render(report: &Report) -> Result<String> {
    let runs: Vec<Value> = report
        .results
        .iter()
        .map(|result| serde_json::to_value(&result.metrics))
        .collect::<Result<_, _>>()?;
    let metrics = spreads(&runs);
    let server = match report.conditions["url"].as_str() {
        Some(address) => format!("at {address}"),
        None => format!("on cores {:?}", report.machine.server_cores),
    };
    let mut text = format!(
        "{}, {} run{} of {:.0} s; server {server}, clients on cores {:?}\n",
        report.scenario,
        runs.len(),
        if runs.len() == 1 { "" } else { "s" },
        metrics.get("measured_s").map_or(0.0, |s| s.median),
        report.machine.client_cores,
    );
    for (name, title, divisor, unit) in LINES {
        if let Some(spread) = metrics
            .get(*name)
            .filter(|spread| spread.high != 0.0 || is_vital(name))
        {
            writeln!(
                text,
                "  {title:<32} {}",
                with_spread(*spread, *divisor, unit)
            )?;
        }
    }
    write_times(&mut text, &metrics, runs.len() > 1)?;
    for (kind, count) in report.errors() {
        writeln!(text, "  error: {kind} ({count})")?;
    }
    let judged = report.results.iter().map(|result| &result.metrics);
    let (games, events) = judged.fold((0, 0), |(games, events), metrics| {
        (
            games + metrics.games_audited,
            events + metrics.events_audited,
        )
    });
    writeln!(
        text,
        "judged: {games} games, {events} events, {} violations",
        report.violations()
    )?;
    let objections = report.results.iter().flat_map(|result| &result.objections);
    for objection in objections.take(20) {
        writeln!(text, "  {objection}")?;
    }
    for failure in report.results.iter().flat_map(|o| &o.failures) {
        writeln!(text, "FAILED: {failure}")?;
    }
    Ok(text.trim_end().to_owned())
}

/// Shares of the times that are shown, and whether those of several runs are beside the one in the middle.
const SHARES: [(&str, &str, bool); 5] = [
    ("p50", "p50", true),
    ("p90", "p90", false),
    ("p99", "p99", true),
    ("p999", "p99.9", false),
    ("max", "max", false),
];

fn write_times(
    text: &mut String,
    metrics: &BTreeMap<String, Spread>,
    has_several: bool,
) -> Result<()> {
    let times: Vec<_> = TIMES
        .iter()
        .filter(|(name, _)| {
            metrics
                .get(&format!("{name}.count"))
                .is_some_and(|c| c.high > 0.0)
        })
        .collect();
    let width = |has_spread: bool| if has_spread && has_several { 30 } else { 10 };
    if !times.is_empty() {
        write!(text, "  {:<20}", "ms")?;
        for (_, title, has_spread) in SHARES {
            write!(text, "{title:>10}{:1$}", "", width(has_spread) - 10)?;
        }
        text.truncate(text.trim_end().len());
        writeln!(text)?;
    }
    for (name, title) in times {
        write!(text, "  {title:<20}")?;
        for (field, _, has_spread) in SHARES {
            let ms = metrics.get(&format!("{name}.{field}")).copied();
            let ms = ms.unwrap_or_default().divided(1_000.0);
            let mut shown = format!("{:>10.2}", ms.median);
            if has_spread && has_several {
                shown += &format!(" ({:.2} to {:.2})", ms.low, ms.high);
            }
            write!(text, "{shown:<0$}", width(has_spread))?;
        }
        writeln!(text)?;
    }
    Ok(())
}

/// Figures whose zero is the point.
fn is_vital(name: &str) -> bool {
    matches!(name, "errors" | "lost" | "doubled" | "acked")
}

/// The one in the middle, with the smallest and the largest where they are others.
pub(super) fn with_spread(spread: Spread, divisor: f64, unit: &str) -> String {
    let show = |value: f64| {
        let value = value / divisor;
        let digits = if value == value.round() || value.abs() >= 1_000.0 {
            0
        } else {
            2
        };
        format!("{value:.digits$}")
    };
    let mut text = format!("{:>10}", show(spread.median));
    if !unit.is_empty() {
        text += &format!(" {unit}");
    }
    if spread.low != spread.high {
        text += &format!(" ({} to {})", show(spread.low), show(spread.high));
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::host::{Cores, Machine};
    use crate::recorder::Percentiles;
    use crate::results::{Metrics, RunResult};

    #[test]
    fn several_runs_are_one_summary() {
        let run = |p50: u64, games: u64, errors: &[(&str, u64)]| RunResult {
            metrics: Metrics {
                measured_s: 3.0,
                games_audited: games,
                events_audited: games * 10,
                ack_latency_us: Percentiles {
                    count: 9,
                    p50,
                    p90: p50,
                    p99: 2 * p50,
                    p999: 2 * p50,
                    max: 2 * p50,
                },
                ..Metrics::default()
            },
            errors: errors
                .iter()
                .map(|(kind, count)| ((*kind).to_owned(), *count))
                .collect(),
            ..RunResult::default()
        };
        let check = |url: Option<&str>, runs: Vec<RunResult>, wanted: &[&str]| {
            let cores = Cores {
                server: if url.is_some() { Vec::new() } else { vec![0] },
                clients: vec![1],
            };
            let conditions = json!({ "url": url });
            let report = Report::new("hot", json!({}), conditions, Machine::look(&cores), runs);
            let text = render(&report).expect("text");
            for wanted in wanted {
                assert!(text.contains(wanted), "{wanted:?} in {text}");
            }
        };
        let first = run(1_000, 3, &[("lost", 2)]);
        check(
            None,
            vec![first.clone()],
            &[
                "1 run of 3 s; server on cores [0], clients on cores [1]",
                "ms                         p50       p90       p99     p99.9       max\n",
                "command to answer         1.00      1.00      2.00      2.00      2.00\n",
                "error: lost (2)",
                "judged: 3 games, 30 events, 0 violations",
            ],
        );
        let others = [
            run(3_000, 4, &[("lost", 5), ("busy", 1)]),
            run(2_000, 5, &[]),
        ];
        let all = [first].into_iter().chain(others).collect();
        check(
            Some("10.0.0.1:7780"),
            all,
            &[
                "3 runs of 3 s; server at 10.0.0.1:7780, clients on cores [1]",
                "p50                           p90       p99                         p99.9       max\n",
                "2.00 (1.00 to 3.00)           2.00      4.00 (2.00 to 6.00)           4.00      4.00\n",
                "error: busy (1)\n  error: lost (7)\n",
                "judged: 12 games, 120 events, 0 violations",
            ],
        );
    }
}
