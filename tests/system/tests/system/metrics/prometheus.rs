//! Prometheus reads our metrics, rules and expressions.

use std::fs;
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};
use tilewire_harness::server::Server;

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
