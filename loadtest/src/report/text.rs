//! The report as text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::Result;
use serde_json::Value;

use super::Report;
use super::terms::{LATENCIES, METRICS};
use crate::stats::{Spread, spreads};

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
    let mut text = format!(
        "{}\n{} run{} of {:.0} s; {}\n",
        report.title(),
        runs.len(),
        if runs.len() == 1 { "" } else { "s" },
        metrics.get("measured_s").map_or(0.0, |s| s.median),
        report.cores(),
    );
    for (name, title, divisor, unit) in METRICS {
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
    let audited = report.results.iter().map(|result| &result.metrics);
    let (games, events) = audited.fold((0, 0), |(games, events), metrics| {
        (
            games + metrics.games_audited,
            events + metrics.events_audited,
        )
    });
    writeln!(
        text,
        "audited: {games} games, {events} events, {} violations",
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

/// The percentiles of the report, and whether the spread over several runs is shown.
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
    let times: Vec<_> = LATENCIES
        .iter()
        .filter(|(name, _)| {
            metrics
                .get(&format!("{name}.count"))
                .is_some_and(|c| c.high > 0.0)
        })
        .collect();
    let width = |has_spread: bool| if has_spread && has_several { 30 } else { 10 };
    if !times.is_empty() {
        write!(text, "  {:<26}", "latency, ms")?;
        for (_, title, has_spread) in SHARES {
            write!(text, "{title:>10}{:1$}", "", width(has_spread) - 10)?;
        }
        text.truncate(text.trim_end().len());
        writeln!(text)?;
    }
    for (name, title) in times {
        write!(text, "  {title:<26}")?;
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

/// Whether the report shows the metric even if it is zero.
fn is_vital(name: &str) -> bool {
    matches!(name, "errors" | "lost" | "duplicated" | "acknowledged")
}

/// The median, with the smallest and the largest value in parentheses where they differ.
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
                "hot: tilewire ",
                "\n1 run of 3 s; server on cores [0], clients on cores [1]",
                "latency, ms                      p50       p90       p99     p99.9       max\n",
                "acknowledgement latency         1.00      1.00      2.00      2.00      2.00\n",
                "error: lost (2)",
                "audited: 3 games, 30 events, 0 violations",
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
                "audited: 12 games, 120 events, 0 violations",
            ],
        );
    }
}
