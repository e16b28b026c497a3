//! Compares a real server with the bare servers, in short runs. The tests check the report, not the speed.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Builds the server of the main workspace and returns its path, which is beside this workspace's programs.
fn server() -> std::path::PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let rivals = Path::new(env!("CARGO_BIN_EXE_tilewire-rivals"));
    let target = rivals
        .parent()
        .and_then(Path::parent)
        .expect("a target folder");
    let status = Command::new(env!("CARGO"))
        .args(["build", "--locked", "-p", "tilewire-server", "--target-dir"])
        .arg(target)
        .current_dir(root)
        .status();
    assert!(status.expect("cargo runs").success());
    rivals.with_file_name("tilewire-server")
}

fn compare(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_tilewire-rivals"))
        .args(arguments)
        .args(["--pairs", "2", "--quiet", "--json", "-"])
        .args(["--warm-up", "0.5", "--duration", "1.5", "--server-bin"])
        .arg(server())
        .env("TILEWIRE_OVERLOAD__LAG_MS", "60000")
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    serde_json::from_slice(&output.stdout).expect("a report")
}

/// Returns the metrics of both servers, pair by pair.
fn pairs(report: &Value) -> Vec<(&Value, &Value)> {
    let rival = &report["rivals"][0];
    let runs = |side: &str| rival[side]["runs"].as_array().expect("runs").iter();
    runs("tilewire").zip(runs("theirs")).collect()
}

#[test]
fn one_game_beside_a_bare_server() {
    for floor in ["relay", "framed"] {
        let report = compare(&[
            "hot",
            "--floor",
            floor,
            "--spectators",
            "10",
            "--rate",
            "50",
        ]);
        assert_eq!(pairs(&report).len(), 2);
        let ratio = &report["rivals"][0]["ratio_of_pairs"]["deliveries_per_cpu_s"]["median"];
        assert!(ratio.as_f64().is_some_and(|ratio| ratio > 0.0), "{report}");
    }
}

#[test]
fn many_games_beside_a_bare_server() {
    for floor in ["relay", "framed"] {
        let report = compare(&["matches", "--floor", floor, "--games", "3", "--think", "50"]);
        let found = pairs(&report);
        assert_eq!(found.len(), 2);
        for side in found.into_iter().flat_map(|(own, theirs)| [own, theirs]) {
            for name in ["server_cpu_us_per_move", "moves_per_s"] {
                let value = side[name].as_f64();
                assert!(value.is_some_and(|value| value > 0.0), "{name} in {side}");
            }
            let push = &side["push_latency_us"];
            assert!(push["p99"].as_u64() >= push["p50"].as_u64(), "{push}");
        }
    }
}

#[test]
fn flags_without_effect_are_refused() {
    let refused = |line: &str, why: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_tilewire-rivals"))
            .args(line.split(' '))
            .output()
            .expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && said.contains(why),
            "{line}: {said}"
        );
    };
    for flag in ["--storm", "--stalled 0.1", "--processes 1"] {
        refused(
            &format!("hot --floor relay {flag}"),
            "has no effect on a bare server",
        );
    }
    refused(
        "matches --floor relay --followers 3",
        "has no effect on a bare server",
    );
    refused("matches --floor relay --repeat 2", "--repeat has no effect");
    refused("products --url 127.0.0.1:1", "--url has no effect");
    refused("hot --floor relay --html page", "--html has no effect");
}
