//! Errors of the load-test harness, and their messages.

use std::path::Path;
use std::process::Command;

use tilewire_harness::binaries;

/// A server is named as its user sees it, although it is started in a directory of its own; one that does not come up says
/// why.
#[test]
fn a_server_with_a_relative_path() {
    let server = binaries::server();
    let load = |setting: &str| {
        Command::new(crate::LOADTEST)
            .args(["idle", "--connections", "2", "--join-within", "0"])
            .args(["--warm-up", "0", "--duration", "0.2", "--quiet"])
            .args(["--set", "[timing]", "--set", setting, "--server-bin"])
            .arg(Path::new(".").join(server.file_name().expect("a file")))
            .current_dir(server.parent().expect("a directory"))
            .output()
            .expect("the harness starts")
    };
    let output = load("heartbeat_ms = 5000");
    assert!(output.status.success(), "{output:?}");
    let output = load("heartbeat = 5000");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("its log ends with:\n"), "{said}");
    assert!(said.contains("heartbeat"), "{said}");
}

/// The harness refuses a profile with unknown settings or beyond its bound.
#[test]
fn a_mixed_load_fails_where_it_must() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("profile.toml");
    let smoke = std::fs::read_to_string(crate::SMOKE_PROFILE).expect("a profile");
    let run = |text: &str| {
        std::fs::write(&file, text).expect("written");
        let output = Command::new(crate::LOADTEST)
            .args(["mixed", "--quiet", "--warm-up", "0.5", "--for", "3s"])
            .arg("--server-bin")
            .arg(binaries::server())
            .arg(&file)
            .output()
            .expect("the harness starts");
        let said = [output.stdout, output.stderr].concat();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8_lossy(&said).into_owned()
    };
    let unknown = run(&smoke.replace("hold_s", "hold_seconds"));
    assert!(unknown.contains("hold_seconds"), "{unknown}");
    // No run meets a bound of minus one terabyte an hour.
    let bound = "slope_max_kib_per_h = -1e9\nmatches";
    let growth = run(&smoke
        .replacen("matches", bound, 1)
        .replace("kill_every_s", "# "));
    assert!(growth.contains("FAILED: memory grows"), "{growth}");
    // Without enough samples, the bound counts as exceeded.
    let bound = "slope_max_kib_per_h = 1e9\nmatches";
    let unsettled = run(&smoke
        .replacen("matches", bound, 1)
        .replace("settle_s = 0.2", "settle_s = 60"));
    assert!(
        unsettled.contains("are not enough to compute the growth of memory"),
        "{unsettled}"
    );
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
        let output = Command::new(crate::LOADTEST)
            .args(["compare", "--bound", "1.2"])
            .args([&before, &after])
            .output();
        output.expect("the harness starts").status.code()
    };
    assert_eq!(compared(100.0), Some(0));
    assert_eq!(compared(90.0), Some(0));
    assert_eq!(compared(70.0), Some(1));
}
