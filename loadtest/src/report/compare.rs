//! The changes between two reports.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Deserialize;
use serde_json::{Value, json};

use super::say;
use super::text::with_spread;
use crate::stats::Spread;

/// Flags of `compare`.
#[derive(Debug, Clone, Args)]
pub(crate) struct CompareArgs {
    /// The report to compare with
    before: PathBuf,
    /// The report to judge
    after: PathBuf,
    /// Fail if a figure became worse by more than this factor and the runs do not overlap
    #[arg(long, value_name = "FACTOR", default_value_t = 1.25)]
    bound: f64,
}

/// The kind of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// More of it is better.
    Yield,
    /// Less of it is better.
    Cost,
    /// A time: less of it is better, and where there is none something did not happen.
    Time,
}

/// The figures that are compared.
const COMPARED: &[(&str, Kind)] = &[
    ("moves_per_s", Kind::Yield),
    ("deliveries_per_s", Kind::Yield),
    ("deliveries_per_cpu_s", Kind::Yield),
    ("server_cpu_us_per_move", Kind::Cost),
    ("server_cpu_us_per_delivery", Kind::Cost),
    ("ack_latency_us.p50", Kind::Time),
    ("ack_latency_us.p99", Kind::Time),
    ("push_latency_us.p50", Kind::Time),
    ("push_latency_us.p99", Kind::Time),
    ("seek_latency_us.p50", Kind::Time),
    ("seek_latency_us.p99", Kind::Time),
    ("lobby_latency_us.p50", Kind::Time),
    ("resume_latency_us.p50", Kind::Time),
    ("join_latency_us.p50", Kind::Time),
    ("flag_delay_us.p50", Kind::Time),
    ("flag_delay_us.p99", Kind::Time),
    ("server_rss_bytes", Kind::Cost),
    ("bytes_per_connection", Kind::Cost),
    ("bytes_per_game", Kind::Cost),
    ("stored_bytes_per_move", Kind::Cost),
    ("ready_ms", Kind::Time),
    ("recovery_ms", Kind::Time),
    ("errors", Kind::Cost),
    ("lost", Kind::Cost),
    ("duplicated", Kind::Cost),
    ("violations", Kind::Cost),
];

/// The verdict that fails.
const WORSE: &str = "WORSE";
/// So many of the judge's objections are shown.
const OBJECTIONS_SHOWN: usize = 20;

/// Compares; says whether nothing became worse than allowed and nothing is wrong with the second report.
///
/// # Errors
/// When a file is no report, or the reports are about different scenarios.
pub(crate) fn run(args: &CompareArgs, json_to: Option<&str>) -> Result<bool> {
    let (before, after) = (read(&args.before)?, read(&args.after)?);
    let comparison = compare(&before, &after, args.bound)?;
    let report = || serde_json::to_string_pretty(&comparison.json());
    match json_to {
        Some("-") => say(&report()?),
        Some(file) => {
            fs::write(file, report()? + "\n")
                .with_context(|| format!("{file} cannot be written"))?;
            say(&comparison.text);
        }
        None => say(&comparison.text),
    }
    Ok(comparison.is_good)
}

/// The change of each metric.
#[derive(Debug)]
struct Comparison {
    text: String,
    rows: Vec<Value>,
    // Failures of the second report on its own.
    wrongs: Vec<String>,
    is_good: bool,
}

impl Comparison {
    fn json(&self) -> Value {
        json!({ "figures": self.rows, "wrong": self.wrongs, "good": self.is_good })
    }
}

fn compare(before: &Value, after: &Value, bound: f64) -> Result<Comparison> {
    if before["scenario"] != after["scenario"] {
        bail!(
            "{} and {} are different scenarios",
            before["scenario"],
            after["scenario"]
        );
    }
    let mut text = String::new();
    let differing: Vec<String> = ["settings", "conditions"]
        .into_iter()
        .flat_map(|part| differing(&before[part], &after[part]))
        .collect();
    if !differing.is_empty() {
        writeln!(text, "the settings differ: {}", differing.join(", "))?;
    }
    writeln!(
        text,
        "{:<28}{:<34}{:<34}{:>6}  verdict",
        "", "    before", "    after", "ratio"
    )?;
    let wrongs = wrongs(after);
    let mut is_good = wrongs.is_empty();
    let mut rows = Vec::new();
    for (name, kind) in COMPARED {
        let (first, second) = (spread(before, name), spread(after, name));
        let Some((ratio, verdict)) = judge(*kind, first, second, bound) else {
            continue;
        };
        is_good &= verdict != WORSE;
        let shown = |side: Option<Spread>| {
            side.map_or("         -".to_owned(), |it| with_spread(it, 1.0, ""))
        };
        let by = ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.3}"));
        writeln!(
            text,
            "{name:<28}{:<34}{:<34}{by:>6}  {verdict}",
            shown(first),
            shown(second)
        )?;
        let values = |side: Option<Spread>| side.map(|it| [it.low, it.median, it.high]);
        rows.push(json!({ "name": name, "ratio": ratio, "verdict": verdict,
            "before": values(first), "after": values(second) }));
    }
    for wrong in &wrongs {
        writeln!(text, "{wrong}")?;
    }
    text.truncate(text.trim_end().len());
    Ok(Comparison {
        text,
        rows,
        wrongs,
        is_good,
    })
}

/// The names under which two objects hold different values. A report from before there was such an object says nothing.
fn differing(before: &Value, after: &Value) -> Vec<String> {
    let (Some(first), Some(second)) = (before.as_object(), after.as_object()) else {
        return Vec::new();
    };
    let names: BTreeSet<&String> = first.keys().chain(second.keys()).collect();
    let names = names.into_iter();
    names
        .filter(|name| first.get(*name) != second.get(*name))
        .cloned()
        .collect()
}

/// The conditions that fail a run without a comparison.
fn wrongs(report: &Value) -> Vec<String> {
    let texts = |name: &str| report[name].as_array().into_iter().flatten();
    let said = |text: &Value| text.as_str().map_or(text.to_string(), str::to_owned);
    let violations = report["violations"].as_u64().filter(|count| *count > 0);
    let violations = violations.map(|count| format!("FAILED: {count} violations"));
    let failures = texts("failures").map(|failure| format!("FAILED: {}", said(failure)));
    let objections = texts("objections").take(OBJECTIONS_SHOWN);
    let objections = objections.map(|objection| format!("FAILED: {}", said(objection)));
    violations
        .into_iter()
        .chain(failures)
        .chain(objections)
        .collect()
}

/// The ratio of the medians and the verdict: a metric has changed only if the runs do not overlap. A missing metric is
/// worse unless it is a cost.
fn judge(
    kind: Kind,
    before: Option<Spread>,
    after: Option<Spread>,
    bound: f64,
) -> Option<(Option<f64>, &'static str)> {
    // A time of zero is one; nothing moved, or no error, is none.
    let is_there = |side: &Spread| kind == Kind::Time || side.high > 0.0;
    let is_known = before.is_some() && after.is_some();
    let (before, after) = match (before.filter(is_there), after.filter(is_there)) {
        (None, None) => return None,
        (None, Some(_)) if !is_known => return Some((None, "new")),
        (Some(_), None) if !is_known && kind == Kind::Cost => return Some((None, "gone")),
        (Some(_), None) if kind != Kind::Cost => return Some((None, WORSE)),
        (before, after) => (before.unwrap_or_default(), after.unwrap_or_default()),
    };
    let ratio = (before.median > 0.0).then(|| after.median / before.median);
    let overlap = after.low <= before.high && before.low <= after.high;
    let (worse_by, has_stopped) = match kind {
        Kind::Yield => (before.median / after.median, after.median == 0.0),
        Kind::Cost | Kind::Time => (after.median / before.median, false),
    };
    let verdict = if has_stopped && before.median > 0.0 {
        WORSE
    } else if overlap {
        "same"
    } else if worse_by > bound {
        WORSE
    } else if worse_by > 1.0 {
        "worse, within the bound"
    } else {
        "better"
    };
    Some((ratio, verdict))
}

/// A figure of all runs; `None` for times without a sample.
fn spread(report: &Value, name: &str) -> Option<Spread> {
    let spreads = &report["spread"];
    if let Some((times, _)) = name.split_once('.') {
        let count = &spreads[format!("{times}.count")]["high"];
        if count.as_f64() == Some(0.0) {
            return None;
        }
    }
    Spread::deserialize(&spreads[name]).ok()
}

fn read(path: &Path) -> Result<Value> {
    let text =
        fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let report: Value =
        serde_json::from_str(&text).with_context(|| format!("{} is no report", path.display()))?;
    if !report["spread"].is_object() {
        bail!("{} is no report", path.display());
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_does_not_overlap_has_changed() {
        use Kind::{Cost, Time, Yield};
        let values = |(low, median, high)| Spread { low, median, high };
        let check = |kind, before: Option<_>, after: Option<_>, wanted: Option<&str>| {
            let verdict = judge(kind, before.map(values), after.map(values), 1.25);
            let verdict = verdict.map(|(_, verdict)| verdict);
            assert_eq!(verdict, wanted, "{kind:?}: {before:?} to {after:?}");
        };
        let (ten, none) = (Some((9.0, 10.0, 11.0)), Some((0.0, 0.0, 0.0)));
        check(Cost, ten, Some((10.0, 13.0, 14.0)), Some("same"));
        let within = Some("worse, within the bound");
        check(Cost, ten, Some((11.5, 12.0, 13.0)), within);
        check(Cost, ten, Some((12.0, 13.0, 14.0)), Some(WORSE));
        check(Time, ten, Some((12.0, 13.0, 14.0)), Some(WORSE));
        check(Yield, ten, Some((12.0, 13.0, 14.0)), Some("better"));
        check(Yield, ten, Some((6.0, 7.0, 8.0)), Some(WORSE));
        // The metric fell to zero, even if one run overlaps, or is missing.
        for gone in [none, None] {
            check(Yield, ten, gone, Some(WORSE));
        }
        check(Yield, ten, Some((0.0, 0.0, 10.0)), Some(WORSE));
        check(Time, ten, None, Some(WORSE));
        check(Time, none, None, Some(WORSE));
        check(Cost, ten, None, Some("gone"));
        check(Cost, ten, none, Some("better"));
        // The metric is new.
        check(Cost, none, Some((1.0, 1.0, 2.0)), Some(WORSE));
        check(Cost, none, Some((0.0, 1.0, 2.0)), Some("same"));
        check(Yield, none, ten, Some("better"));
        for kind in [Cost, Time, Yield] {
            check(kind, None, ten, Some("new"));
            check(kind, None, None, None);
        }
        for kind in [Cost, Yield] {
            check(kind, none, none, None);
            check(kind, none, None, None);
        }
    }

    #[test]
    fn what_is_wrong_with_the_second_report_fails() {
        let spread = |low: f64, high: f64| json!({ "low": low, "median": low, "high": high });
        let moves = json!({ "moves_per_s": spread(10.0, 12.0) });
        let before = json!({ "scenario": "hot", "settings": { "rate": 4 }, "spread": moves });
        let check = |more: Value, is_good: bool, said: &[&str]| {
            let mut after = before.clone();
            for (name, value) in more.as_object().into_iter().flatten() {
                after[name] = value.clone();
            }
            let found = compare(&before, &after, 1.25).expect("a comparison");
            assert_eq!(found.is_good, is_good, "{more}: {}", found.text);
            assert_eq!(found.json()["good"], is_good);
            for said in said {
                assert!(found.text.contains(said), "{said} in {}", found.text);
            }
        };
        let both = "        10 (10 to 12)                     10 (10 to 12)";
        check(json!({}), true, &[both, "1.000  same"]);
        let other = json!({ "rate": 5, "burst": null });
        let said = "the settings differ: burst, rate\n";
        check(json!({ "settings": other }), true, &[said]);
        let said = "FAILED: 2 violations";
        check(json!({ "violations": 2 }), false, &[said]);
        check(json!({ "violations": 0 }), true, &[]);
        let said = "FAILED: games do not go on";
        check(
            json!({ "failures": ["games do not go on"] }),
            false,
            &[said],
        );
        check(
            json!({ "objections": ["a gap"] }),
            false,
            &["FAILED: a gap"],
        );
        // The new run has no measurements.
        let times = |count: f64, p50: f64| json!({ "ack_latency_us.count": spread(count, count), "ack_latency_us.p50": spread(p50, p50) });
        let (timed, untimed) = (times(9.0, 800.0), times(0.0, 0.0));
        let report = |spread: &Value| json!({ "scenario": "hot", "spread": spread });
        let found = compare(&report(&timed), &report(&untimed), 1.25).expect("a comparison");
        assert!(
            !found.is_good && found.text.contains("-  WORSE"),
            "{}",
            found.text
        );
    }
}
