//! The load-test harness at work: a short run of each scenario against a real server, judged by its auditor. Nothing
//! here asks how fast anything is.

use std::process::Command;

use serde_json::Value;
use tilewire_tests::binaries;

/// Runs the harness; returns its report. It must have nothing to object to.
fn load(arguments: &[&str]) -> Value {
    let output = Command::new(binaries::loadtest())
        .args(arguments)
        .args(["--quiet", "--json", "-", "--warm-up", "0.5"])
        .args(["--duration", "1.5", "--server-bin"])
        .arg(binaries::server())
        .output()
        .expect("the harness starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(report["violations"], 0, "{said}");
    report
}

fn count(report: &Value, name: &str) -> u64 {
    report[name]
        .as_u64()
        .unwrap_or_else(|| panic!("{name} in {report}"))
}

#[test]
fn games_with_mischief() {
    let mischief = ["--illegal", "0.2", "--repeated", "0.2", "--dropped", "0.1"];
    for rule in ["void", "double"] {
        let mut arguments = vec!["matches", "--games", "4", "--flat-out", "--challenge", rule];
        arguments.extend(mischief);
        let report = load(&arguments);
        for happened in [
            "moves",
            "refusals",
            "resumes",
            "games_audited",
            "deliveries",
        ] {
            assert!(count(&report, happened) > 0, "{happened}: {report}");
        }
        assert_eq!(report["error_kinds"], serde_json::json!({}));
        for key in ["ack_us", "push_us", "flag_late_us"] {
            for field in ["p50", "p99", "p999"] {
                assert!(report[key][field].is_u64(), "{key}.{field}");
            }
        }
    }
}

#[test]
fn games_by_schedule() {
    let report = load(&["matches", "--games", "4", "--think", "100"]);
    assert!(count(&report, "moves") > 0);
    assert!(count(&report["harness_late_us"], "count") > 0);
}

#[test]
fn a_crowd_that_storms_and_stalls() {
    let report = load(&[
        "hot",
        "--spectators",
        "40",
        "--rate",
        "20",
        "--join-within",
        "0.2",
        "--storm",
        "--stalled",
        "0.1",
    ]);
    assert!(count(&report, "deliveries") > 0);
    assert_eq!(count(&report["join_us"], "count"), 40);
    assert_eq!(report["connections"], 42);
}

#[test]
fn a_crowd_and_the_floor() {
    for floor in ["relay", "framed"] {
        let report = load(&[
            "hot",
            "--spectators",
            "10",
            "--rate",
            "50",
            "--floor",
            floor,
            "--pairs",
            "2",
        ]);
        assert_eq!(report["runs"].as_array().map(Vec::len), Some(2));
        assert!(
            report["floor_ratio"]
                .as_f64()
                .is_some_and(|ratio| ratio > 0.0)
        );
    }
}

/// Peers are no part of the tests; who has not installed one is told how.
#[test]
fn a_peer_that_is_not_there() {
    let nowhere = tempfile::tempdir().expect("a directory");
    let output = Command::new(binaries::loadtest())
        .args([
            "peers",
            "--peer",
            "nchan",
            "--pairs",
            "1",
            "--spectators",
            "3",
            "--quiet",
        ])
        .args(["--warm-up", "0.2", "--duration", "0.5", "--server-bin"])
        .arg(binaries::server())
        .arg("--installed")
        .arg(nowhere.path())
        .output()
        .expect("the harness starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(said.contains("loadtest/peers/install nchan"), "{said}");
}

#[test]
fn connections_that_do_nothing() {
    let report = load(&["idle", "--connections", "50", "--join-within", "0.2"]);
    assert!(
        report["bytes_per_connection"]
            .as_f64()
            .is_some_and(|bytes| bytes > 0.0)
    );
    assert_eq!(count(&report, "connections"), 50);
}

#[test]
fn flags_fall() {
    let report = load(&["clocks", "--games", "10", "--budget", "200"]);
    assert!(count(&report["flag_late_us"], "count") > 0);
}

#[test]
fn everybody_comes_back_after_a_restart() {
    for how in [&["--kill"][..], &[]] {
        let mut arguments = vec!["restart", "--games", "5", "--turns", "4"];
        arguments.extend(how);
        let report = load(&arguments);
        assert_eq!(count(&report["resume_us"], "count"), 10);
        assert_eq!(count(&report, "lost") + count(&report, "doubled"), 0);
        assert!(report["recovery_ms"].as_f64() >= report["ready_ms"].as_f64());
    }
}

#[test]
fn nothing_acknowledged_is_lost_in_crashes() {
    let report = load(&["crash", "--rounds", "4", "--games", "6", "--every", "400"]);
    assert!(count(&report, "acked") > 0);
    assert_eq!(count(&report, "lost") + count(&report, "doubled"), 0);
    assert_eq!(count(&report, "crashes"), 4);
}

/// A report compared with itself has not changed; one that is much worse fails the comparison.
#[test]
fn reports_are_compared() {
    let directory = tempfile::tempdir().expect("a directory");
    let (before, after) = (directory.path().join("a"), directory.path().join("b"));
    let spread = |value: f64| serde_json::json!({ "low": value, "median": value, "high": value });
    let report = |rate: f64| {
        serde_json::json!({ "scenario": "matches", "spread": { "moves_per_s": spread(rate) } })
            .to_string()
    };
    std::fs::write(&before, report(100.0)).expect("written");
    let compared = |rate: f64| {
        std::fs::write(&after, report(rate)).expect("written");
        let output = Command::new(binaries::loadtest())
            .args(["compare", "--bound", "1.2"])
            .args([&before, &after])
            .output();
        output.expect("the harness starts").status.code()
    };
    assert_eq!(compared(100.0), Some(0));
    assert_eq!(compared(90.0), Some(0));
    assert_eq!(compared(70.0), Some(1));
}
