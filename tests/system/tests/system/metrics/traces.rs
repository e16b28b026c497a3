//! A collector gets the traces of a game.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tilewire_harness::binaries::{self, tools, workspace};

/// A program that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Starts a program; returns it and the lines that it prints.
fn start(command: &mut Command) -> (Running, impl Iterator<Item = String> + use<>) {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let lines = BufReader::new(child.stdout.take().expect("its output is piped")).lines();
    (Running(child), lines.map_while(Result::ok))
}

#[test]
#[ignore = "needs a server with the feature otlp; tests/run --full builds it"]
fn a_collector_gets_the_traces_of_a_game() {
    let server = std::env::var_os("TRACING_SERVER").map(PathBuf::from);
    let server = server.expect("TRACING_SERVER names a server with the feature otlp");
    let place = tempfile::tempdir().expect("a temporary directory");
    let stub = workspace().join("tests/tools/collector.py");
    let mut python = Command::new(tools().join("bin/python"));
    let (_collector, mut spans) = start(python.arg(stub));
    let port = spans.next().expect("a port");

    let mut program = Command::new(server);
    let program = program
        .args(["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"])
        .arg("--data-dir")
        .arg(place.path().join("server"))
        .env(
            "TILEWIRE_LOG__TRACES",
            format!("http://127.0.0.1:{port}/v1/traces"),
        );
    let (_server, mut lines) = start(program);
    let address = lines.find_map(|line| {
        let (_, rest) = line.split_once("ws://")?;
        Some(format!("ws://{}", rest.split_whitespace().next()?))
    });
    let played = Command::new(binaries::client())
        .args(["--server", &address.expect("an address"), "--data-dir"])
        .arg(place.path().join("client"))
        .args(["bot", "--bot", "beginner", "--pause", "0ms,1ms"])
        .output()
        .expect("the client runs");
    assert!(played.status.success(), "{played:?}");

    let (mut names, mut inputs, mut is_child) = (BTreeSet::new(), BTreeSet::new(), false);
    for span in spans {
        let span: Value = serde_json::from_str(&span).expect("JSON");
        assert_eq!(span["service"], "tilewire-server");
        assert_eq!(span["path"], "/v1/traces");
        let name = span["name"].as_str().expect("a name").to_owned();
        let fields = span["fields"].as_object().expect("fields");
        let known = [
            "game", "name", "changes", "busy_ns", "idle_ns", "level", "target",
        ];
        let known = |field: &String| known.contains(&field.as_str());
        assert!(fields.keys().all(known), "nothing else is told: {span}");
        if let Some(input) = fields.get("name") {
            inputs.insert(input.as_str().expect("text").to_owned());
        }
        is_child |= name == "append" && span["parent"] != "";
        names.insert(name);
        if names.len() == 3 && inputs.contains("play") && is_child {
            break;
        }
    }
    let all = ["append", "commit", "input"].map(str::to_owned);
    assert!(names.into_iter().eq(all), "the spans that are documented");
    assert!(is_child, "an append is part of the input that caused it");
}
