//! The alert rules beside the metrics of real servers, judged by `promtool test rules`.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};
use tilewire_harness::binaries::workspace;
use tilewire_harness::server::Server;

/// The rules look back hours, and a scrape is a minute.
const MINUTES: usize = 180;

/// Checks that no alert fires for servers of one cluster whose metrics stay as they are now.
///
/// # Panics
/// When one fires.
pub fn check_quiet(servers: &[&Server]) {
    let mut series = Vec::new();
    for server in servers {
        let (_, page) = server.admin_get("/metrics");
        let place = format!("job=\"tilewire\",instance=\"{}\"", server.admin);
        series.push((format!("up{{{place}}}"), format!("1x{MINUTES}")));
        for line in page.lines().filter(|line| !line.starts_with('#')) {
            let Some((name, value)) = line.rsplit_once(' ') else {
                continue;
            };
            let labelled = match name.strip_suffix('}') {
                Some(open) => format!("{open},{place}}}"),
                None => format!("{name}{{{place}}}"),
            };
            series.push((labelled, format!("{value}x{MINUTES}")));
        }
    }
    let fired = fired(&series);
    assert!(fired.is_empty(), "{fired:?} fire for sound servers");
}

/// Returns the alerts that fire after hours of these series and values, in the notation of `promtool`.
///
/// # Panics
/// When `promtool` is not installed, or does not take the rules.
#[must_use]
pub fn fired(series: &[(String, String)]) -> Vec<String> {
    let rules = workspace().join("docs/monitoring/alerts.yml");
    let text = fs::read_to_string(&rules).expect("the rules");
    let alerts = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- alert: "));
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("test.json");
    let series: Vec<Value> = series
        .iter()
        .map(|(series, values)| json!({ "series": series, "values": values }))
        .collect();
    // Each alert is expected to be silent: `promtool` says which are not.
    let expected: Vec<Value> = alerts
        .map(|alert| json!({ "eval_time": format!("{MINUTES}m"), "alertname": alert, "exp_alerts": [] }))
        .collect();
    let test = json!({
        "rule_files": [rules],
        "evaluation_interval": "1m",
        "tests": [{ "interval": "1m", "input_series": series, "alert_rule_test": expected }],
    });
    fs::write(&file, test.to_string()).expect("a file");
    let output = Command::new("promtool")
        .args(["test", "rules"])
        .arg(&file)
        .output()
        .expect("promtool runs; `tests/run tools` installs it");
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    let said = String::from_utf8_lossy(&said);
    let names = said.lines().filter_map(|line| {
        let (_, rest) = line.split_once("alertname: ")?;
        Some(rest.split(',').next()?.trim().to_owned())
    });
    let names: Vec<String> = names.collect();
    assert_eq!(names.is_empty(), output.status.success(), "{said}");
    names
}
