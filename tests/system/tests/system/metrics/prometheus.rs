//! Prometheus reads our metrics, rules and expressions.

use std::fs;
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};
use tilewire_harness::server::Server;

use tilewire_system::alerts::{check_quiet, fired};

use super::{monitoring, play, read};

/// Runs `promtool` with a text on stdin.
fn promtool(args: &[&str], input: &str) -> Output {
    let mut child = Command::new("promtool")
        .args(args)
        .current_dir(monitoring())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("promtool runs; `tests/run tools` installs it");
    let mut stdin = child.stdin.take().expect("its input is piped");
    // It may end before it has read everything.
    drop(stdin.write_all(input.as_bytes()));
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

/// Checks that `promtool` accepts a text.
pub(super) fn accepted(args: &[&str], input: &str) {
    let output = promtool(args, input);
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(output.status.success(), "promtool {args:?}: {said}");
}

/// The rules, the configuration and every expression of the dashboard are correct.
#[test]
fn promtool_accepts_rules_and_expressions() {
    accepted(&["check", "config", "prometheus.yml"], "");
    accepted(&["check", "rules", "alerts.yml"], "");
    let dashboard: Value =
        serde_json::from_str(&read(&monitoring().join("grafana.json"))).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels").iter();
    let targets = panels.filter_map(|panel| panel["targets"].as_array());
    let expressions = targets.flatten().map(|target| {
        let expression = target["expr"].as_str().expect("an expression");
        // Grafana fills its variables in.
        let expression = expression.replace("$__rate_interval", "5m");
        expression.replace("$instance", ".*")
    });
    let rules: Vec<Value> = expressions
        .enumerate()
        .map(|(number, expr)| json!({ "record": format!("panel:{number}"), "expr": expr }))
        .collect();
    assert!(rules.len() > 30, "{} expressions", rules.len());
    let groups = json!({ "groups": [{ "name": "dashboard", "rules": rules }] });
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("dashboard.yml");
    fs::write(&file, groups.to_string()).expect("a file");
    accepted(&["check", "rules", file.to_str().expect("a path")], "");
    let wrong = groups.to_string().replace("rate(", "no_such_function(");
    fs::write(&file, wrong).expect("a file");
    let output = promtool(&["check", "rules", file.to_str().expect("a path")], "");
    assert!(!output.status.success(), "a wrong expression is found");
}

/// Alerts, and the metrics of three servers that fire each, in the notation of `promtool`.
const ALERTS: [(&str, &str, [&str; 3]); 11] = [
    ("TilewireDown", "up", ["1x180", "0x180", "1x180"]),
    (
        "TilewireNotReady",
        "tilewire_ready",
        ["1x180", "0x180", "1x180"],
    ),
    (
        "TilewireNatsAway",
        "tilewire_relay_reached",
        ["1x180", "1x180", "0x180"],
    ),
    (
        "TilewireMailAway",
        "tilewire_mail_reached",
        ["0x180", "_x180", "_x180"],
    ),
    (
        "TilewireLobbyWithoutOwner",
        "tilewire_cluster_lobby",
        ["0x180"; 3],
    ),
    (
        "TilewireShardsWithoutOwner",
        "tilewire_cluster_shards",
        ["85x180", "85x180", "_x180"],
    ),
    (
        "TilewirePartsMove",
        "tilewire_cluster_parts_taken_total",
        ["0+20x180"; 3],
    ),
    (
        "TilewireCutOff",
        "tilewire_cluster_cut_offs_total",
        ["0x180", "0+1x180", "0x180"],
    ),
    (
        "TilewireBackupOld",
        "tilewire_backup_newest_timestamp_seconds",
        ["-200000x180", "_x180", "_x180"],
    ),
    (
        "TilewireDiskNearlyFull",
        "tilewire_storage_free_bytes",
        ["500000000x180", "_x180", "_x180"],
    ),
    (
        "TilewireCertificateExpires",
        "tilewire_certificate_expiry_timestamp_seconds",
        ["864000x180", "_x180", "_x180"],
    ),
];
/// Metrics of three servers that share the parts.
const HEALTHY: [(&str, [&str; 3]); 3] = [
    ("tilewire_cluster_lobby", ["0x180", "1x180", "0x180"]),
    ("tilewire_cluster_shards", ["85x180", "85x180", "86x180"]),
    (
        "tilewire_cluster_parts_taken_total",
        ["85x180", "85x180", "86x180"],
    ),
];

/// Each rule about what a healthy server never shows fires when a server shows it, and none fires for a server as it is.
#[test]
fn alerts_fire_for_what_they_are_about() {
    let server = Server::start("");
    server.until_figure("tilewire_storage_free_bytes", |free| free >= 1.0);
    check_quiet(&[&server]);
    let of_three = |metric: &str, values: [&str; 3]| {
        let places = ["a", "b", "c"].into_iter().zip(values);
        let series = places.map(|(at, values)| {
            (
                format!("{metric}{{job=\"tilewire\",instance=\"{at}\"}}"),
                values.to_owned(),
            )
        });
        series.collect::<Vec<_>>()
    };
    for (alert, metric, values) in ALERTS {
        assert_eq!(fired(&of_three(metric, values)), [alert], "{metric}");
    }
    let failed = "tilewire_backups_total{job=\"tilewire\",instance=\"a\",outcome=\"failed\"}";
    let failed = fired(&[(failed.to_owned(), "0+1x180".to_owned())]);
    assert_eq!(failed, ["TilewireBackupsFail"]);
    for (metric, values) in HEALTHY {
        assert_eq!(fired(&of_three(metric, values)), [""; 0], "{metric}");
    }
}

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // A process that has ended cannot be killed.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// A real Prometheus scrapes a real server, with our rules. The long run runs it.
#[test]
#[ignore = "it needs the Debian package prometheus, and takes seconds"]
fn prometheus_scrapes_a_server() {
    let server = Server::start("");
    play(&server);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let settings = read(&monitoring().join("prometheus.yml"))
        .replace("15s", "1s")
        .replace("127.0.0.1:7781", &server.admin);
    fs::write(directory.path().join("prometheus.yml"), settings).expect("a file");
    fs::copy(
        monitoring().join("alerts.yml"),
        directory.path().join("alerts.yml"),
    )
    .expect("the rules");
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = free.local_addr().expect("an address").to_string();
    drop(free);
    let child = Command::new("prometheus")
        .arg("--config.file=prometheus.yml")
        .arg("--storage.tsdb.path=data")
        .arg(format!("--web.listen-address={address}"))
        .current_dir(directory.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let _prometheus = Running(child.expect("prometheus runs; `tests/run tools` installs it"));
    let games = until_scraped(
        &address,
        "tilewire_games_created_total%7Bkind%3D%22casual%22%7D",
    );
    let values = games.as_array().expect("a list of series").iter();
    let created: f64 = values
        .filter_map(|series| series["value"][1].as_str()?.parse::<f64>().ok())
        .sum();
    assert!(created >= 1.0, "{games}");
    let up = until_scraped(&address, "up");
    assert_eq!(up[0]["value"][1], "1", "{up}");
}

/// Asks Prometheus for a query until it has series.
#[expect(clippy::disallowed_methods, reason = "a test must not wait for ever")]
fn until_scraped(address: &str, query: &str) -> Value {
    let since = std::time::Instant::now();
    loop {
        let request = format!("GET /api/v1/query?query={query}");
        let answer = tilewire_harness::http::ask(address, &request, "", "");
        let body = answer.map(|answer| answer.body).unwrap_or_default();
        let found: Value = serde_json::from_str(&body).unwrap_or_default();
        let series = &found["data"]["result"];
        if series.as_array().is_some_and(|series| !series.is_empty()) {
            return series.clone();
        }
        assert!(since.elapsed() < tilewire_harness::PATIENCE, "{body}");
        std::thread::yield_now();
    }
}
