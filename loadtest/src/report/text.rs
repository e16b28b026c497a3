//! The report as a person reads it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::Result;
use serde_json::Value;

use super::{Report, Spread, spreads};

/// The figures shown, with what they are called, what they are divided by and their unit.
const LINES: &[(&str, &str, f64, &str)] = &[
    ("connections", "connections", 1.0, ""),
    ("games_finished", "games finished", 1.0, ""),
    ("moves_per_s", "moves", 1.0, "/s"),
    ("deliveries_per_s", "deliveries", 1.0, "/s"),
    ("server_cores_used", "server's processor", 1.0, "cores"),
    ("server_cpu_us_per_move", "  for each move", 1.0, "µs"),
    (
        "floor_cpu_us_per_move",
        "  for each move, the floor",
        1.0,
        "µs",
    ),
    ("floor_move_ratio", "  ours to the floor's", 1.0, ""),
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
    ("floor_ratio", "  ours to the floor's", 1.0, ""),
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
    (
        "floor_push_us_p50",
        "command to others, the floor, p50",
        1_000.0,
        "ms",
    ),
    ("floor_push_us_p99", "  p99", 1_000.0, "ms"),
    ("refusals", "illegal plays refused", 1.0, ""),
    ("resumes", "connections dropped", 1.0, ""),
    ("errors", "errors", 1.0, ""),
];

/// The times shown.
const TIMES: &[(&str, &str)] = &[
    ("ack_us", "command to answer"),
    ("push_us", "command to others"),
    ("resume_us", "resume"),
    ("join_us", "join"),
    ("flag_late_us", "flag falls late by"),
    ("harness_late_us", "harness late by"),
    ("answer_us", "sent to answer"),
    ("lobby_us", "seek or seat"),
    ("news_us", "game in the lobby"),
    ("disk_us", "append by a witness"),
];

/// Writes the report.
///
/// # Errors
/// Never, as long as figures are numbers.
pub(super) fn render(report: &Report) -> Result<String> {
    let runs: Vec<Value> = report
        .outcomes
        .iter()
        .map(|outcome| serde_json::to_value(&outcome.figures))
        .collect::<Result<_, _>>()?;
    let figures = spreads(&runs);
    let mut text = format!(
        "{}, {} run{} of {:.0} s; server on cores {:?}, clients on {:?}\n",
        report.scenario,
        runs.len(),
        if runs.len() == 1 { "" } else { "s" },
        figures.get("measured_s").map_or(0.0, |s| s.median),
        report.machine.server_cores,
        report.machine.client_cores,
    );
    for (name, title, divisor, unit) in LINES {
        if let Some(spread) = figures
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
    write_times(&mut text, &figures)?;
    for (kind, count) in report.outcomes.iter().flat_map(|outcome| &outcome.errors) {
        writeln!(text, "  error: {kind} ({count})")?;
    }
    let count = |name: &str| figures.get(name).map_or(0.0, |spread| spread.median);
    writeln!(
        text,
        "judged: {:.0} games, {:.0} events, {} violations",
        count("games_audited"),
        count("events_audited"),
        report.violations()
    )?;
    let objections = report
        .outcomes
        .iter()
        .flat_map(|outcome| &outcome.objections);
    for objection in objections.take(20) {
        writeln!(text, "  {objection}")?;
    }
    for failure in report.outcomes.iter().flat_map(|o| &o.failures) {
        writeln!(text, "FAILED: {failure}")?;
    }
    Ok(text.trim_end().to_owned())
}

fn write_times(text: &mut String, figures: &BTreeMap<String, Spread>) -> Result<()> {
    let times: Vec<_> = TIMES
        .iter()
        .filter(|(name, _)| {
            figures
                .get(&format!("{name}.count"))
                .is_some_and(|c| c.high > 0.0)
        })
        .collect();
    if !times.is_empty() {
        writeln!(
            text,
            "  {:<20}{:>10}{:>10}{:>10}{:>10}{:>10}",
            "ms", "p50", "p90", "p99", "p99.9", "max"
        )?;
    }
    for (name, title) in times {
        write!(text, "  {title:<20}")?;
        for field in ["p50", "p90", "p99", "p999", "max"] {
            let us = figures
                .get(&format!("{name}.{field}"))
                .map_or(0.0, |s| s.median);
            write!(text, "{:>10.2}", us / 1_000.0)?;
        }
        writeln!(text)?;
    }
    Ok(())
}

/// Figures whose zero is the point.
fn is_vital(name: &str) -> bool {
    matches!(name, "errors" | "lost" | "doubled" | "acked")
}

fn with_spread(spread: Spread, divisor: f64, unit: &str) -> String {
    let show = |value: f64| {
        let value = value / divisor;
        let digits = if value == value.round() || value.abs() >= 1_000.0 {
            0
        } else {
            2
        };
        format!("{value:.digits$}")
    };
    let mut text = format!("{:>10} {unit}", show(spread.median));
    if spread.low != spread.high {
        text += &format!(" ({} to {})", show(spread.low), show(spread.high));
    }
    text.trim_end().to_owned()
}
