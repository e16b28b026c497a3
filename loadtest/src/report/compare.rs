//! What changed between two reports.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::{Value, json};

use super::say;

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

/// The figures that are compared, and whether more of it is better.
const COMPARED: &[(&str, bool)] = &[
    ("moves_per_s", true),
    ("deliveries_per_s", true),
    ("deliveries_per_cpu_s", true),
    ("server_cpu_us_per_move", false),
    ("server_cpu_us_per_delivery", false),
    ("ack_us.p50", false),
    ("ack_us.p99", false),
    ("push_us.p50", false),
    ("push_us.p99", false),
    ("lobby_us.p50", false),
    ("lobby_us.p99", false),
    ("news_us.p50", false),
    ("resume_us.p50", false),
    ("join_us.p50", false),
    ("flag_late_us.p50", false),
    ("flag_late_us.p99", false),
    ("server_rss_bytes", false),
    ("bytes_per_connection", false),
    ("bytes_per_game", false),
    ("stored_bytes_per_move", false),
    ("ready_ms", false),
    ("recovery_ms", false),
];

/// Compares; says whether nothing became worse than allowed.
///
/// # Errors
/// When a file is no report, or the reports are about different scenarios.
pub(crate) fn run(args: &CompareArgs, json_to: Option<&str>) -> Result<bool> {
    let (before, after) = (read(&args.before)?, read(&args.after)?);
    if before["scenario"] != after["scenario"] {
        bail!(
            "{} and {} are different scenarios",
            before["scenario"],
            after["scenario"]
        );
    }
    let mut text = format!(
        "{:<30}{:>12}{:>12}{:>8}  {}\n",
        "", "before", "after", "ratio", "verdict"
    );
    if before["settings"] != after["settings"] {
        text.insert_str(0, "the settings differ\n");
    }
    let mut rows = Vec::new();
    let mut is_good = true;
    for (name, is_more_better) in COMPARED {
        let (Some(first), Some(second)) = (spread(&before, name), spread(&after, name)) else {
            continue;
        };
        let row = judge(first, second, *is_more_better, args.bound);
        let Some((ratio, verdict)) = row else {
            continue;
        };
        is_good &= verdict != "WORSE";
        writeln!(
            text,
            "{name:<30}{:>12.1}{:>12.1}{ratio:>8.3}  {verdict}",
            first.1, second.1
        )?;
        rows.push(json!({ "name": name, "ratio": ratio, "verdict": verdict,
            "before": [first.0, first.1, first.2], "after": [second.0, second.1, second.2] }));
    }
    let violations = after["violations"].as_u64().unwrap_or(0);
    if violations > 0 {
        is_good = false;
        writeln!(text, "violations: {violations}")?;
    }
    match json_to {
        Some("-") => say(&serde_json::to_string_pretty(
            &json!({ "figures": rows, "good": is_good }),
        )?),
        Some(file) => {
            fs::write(
                file,
                serde_json::to_string_pretty(&json!({ "figures": rows, "good": is_good }))?,
            )?;
            say(text.trim_end());
        }
        None => say(text.trim_end()),
    }
    Ok(is_good)
}

/// Lowest, middle and highest of a figure.
type Values = (f64, f64, f64);

/// Ratio of the medians, and what to make of it: only runs that do not overlap have changed.
fn judge(
    before: Values,
    after: Values,
    is_more_better: bool,
    bound: f64,
) -> Option<(f64, &'static str)> {
    if before.1 <= 0.0 || after.1 <= 0.0 {
        return None;
    }
    let ratio = after.1 / before.1;
    let overlap = after.0 <= before.2 && before.0 <= after.2;
    let worse_by = if is_more_better { 1.0 / ratio } else { ratio };
    let verdict = if overlap {
        "same"
    } else if worse_by > bound {
        "WORSE"
    } else if worse_by > 1.0 {
        "worse, within the bound"
    } else {
        "better"
    };
    Some((ratio, verdict))
}

fn spread(report: &Value, name: &str) -> Option<Values> {
    let spread = &report["spread"][name];
    Some((
        spread["low"].as_f64()?,
        spread["median"].as_f64()?,
        spread["high"].as_f64()?,
    ))
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
    use super::judge;

    #[test]
    fn only_what_does_not_overlap_has_changed() {
        let verdict = |after, more| judge((9.0, 10.0, 11.0), after, more, 1.25).map(|row| row.1);
        assert_eq!(verdict((10.0, 13.0, 14.0), false), Some("same"));
        assert_eq!(
            verdict((11.5, 12.0, 13.0), false),
            Some("worse, within the bound")
        );
        assert_eq!(verdict((12.0, 13.0, 14.0), false), Some("WORSE"));
        assert_eq!(verdict((12.0, 13.0, 14.0), true), Some("better"));
        assert_eq!(verdict((6.0, 7.0, 8.0), true), Some("WORSE"));
        assert_eq!(verdict((0.0, 0.0, 0.0), true), None);
    }
}
