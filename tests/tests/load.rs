//! The load-test harness at work: a short run of each scenario against a real server, judged by its auditor. Nothing
//! here asks how fast anything is.

use std::process::Command;

use serde_json::Value;
use tilewire_tests::binaries;

/// Runs the harness; returns its report. It must have nothing to object to.
fn load(arguments: &[&str]) -> Value {
    let report = measure(arguments);
    check_keys(&report);
    report
}

fn measure(arguments: &[&str]) -> Value {
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

/// Keys that every report of a scenario has, with their types; others may come, these stay.
fn check_keys(report: &Value) {
    let scenario = report["scenario"].as_str().expect("a scenario");
    let counts = ["games_finished", "moves", "deliveries", "violations"];
    let whole = counts
        .into_iter()
        .chain(["server_rss_bytes", "games_audited", "errors"]);
    for key in whole {
        assert!(report[key].is_u64(), "{scenario}: {key}");
    }
    for key in [
        "ack_us",
        "push_us",
        "flag_late_us",
        "resume_us",
        "join_us",
        "harness_late_us",
        "answer_us",
        "lobby_us",
        "news_us",
        "disk_us",
    ] {
        for field in ["count", "p50", "p90", "p99", "p999", "max"] {
            assert!(report[key][field].is_u64(), "{scenario}: {key}.{field}");
        }
    }
    let of_moves = [
        "server_cpu_us_per_move",
        "server_cpu_us_per_delivery",
        "deliveries_per_cpu_s",
    ];
    let own = own_keys(scenario);
    let plays = matches!(scenario, "matches" | "hot" | "clocks" | "mixed");
    let own = own.iter().chain(of_moves.iter().filter(|_| plays));
    for key in own.chain(&["moves_per_s", "measured_s"]) {
        assert!(report[*key].is_number(), "{scenario}: {key} in {report}");
    }
    assert!(report["objections"].is_array() && report["failures"].is_array());
    assert!(report["settings"].is_object() && report["machine"].is_object());
}

/// The keys of one scenario beyond those of all.
fn own_keys(scenario: &str) -> &'static [&'static str] {
    match scenario {
        "matches" => &["bytes_per_game", "bytes_per_connection"],
        "hot" => &[
            "bytes_per_connection",
            "kernel_bytes_per_connection",
            "spectator_snapshots_sent",
            "spectator_snapshots_encoded",
        ],
        "idle" => &["bytes_per_connection", "kernel_bytes_per_connection"],
        "restart" => &[
            "recovery_ms",
            "ready_ms",
            "bytes_per_game",
            "acked",
            "lost",
            "doubled",
        ],
        "crash" => &[
            "recovery_ms",
            "ready_ms",
            "crashes",
            "acked",
            "lost",
            "doubled",
        ],
        "mixed" => &[
            "recovery_ms",
            "crashes",
            "faults",
            "acked",
            "lost",
            "doubled",
            "live_games",
            "rss_slope_kib_per_h",
            "server_files_max",
            "server_threads_max",
            "stored_bytes",
        ],
        _ => &[],
    }
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
    // Counted from a later moment.
    assert!(count(&report["answer_us"], "count") > 0);
    assert!(count(&report["answer_us"], "max") <= count(&report["ack_us"], "max"));
}

#[test]
fn people_who_follow_the_lobby() {
    let games = ["matches", "--games", "4", "--flat-out", "--spectators", "0"];
    let report = load(&[&games[..], &["--followers", "60"]].concat());
    assert_eq!(report["connections"], 4 * 2 + 60);
    assert_eq!(count(&report["join_us"], "count"), 60);
    for key in ["lobby_us", "news_us"] {
        assert!(count(&report[key], "count") > 0, "{key}: {report}");
    }
    assert_eq!(report["error_kinds"], serde_json::json!({}));
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

/// Strangers who all come at once need the game as it stands: far fewer encodings than spectators.
#[test]
fn strangers_share_one_encoding() {
    let report = load(&[
        "hot",
        "--spectators",
        "60",
        "--rate",
        "5",
        "--join-within",
        "0.2",
        "--storm",
        "--afresh",
    ]);
    let (sent, encoded) = (
        count(&report, "spectator_snapshots_sent"),
        count(&report, "spectator_snapshots_encoded"),
    );
    assert!(sent >= 60 && encoded > 0 && encoded < sent / 2, "{report}");
}

/// Each series of runs shows a row for each step, with what it costs against the first.
#[test]
fn series_of_runs() {
    let series: [(&[&str], &[usize]); 3] = [
        (
            &[
                "growth",
                "--games",
                "2,4",
                "--moves-per-s",
                "20",
                "--spectators",
                "5,10",
            ],
            &[2, 2],
        ),
        (&["memory", "--connections", "20"], &[5]),
        (&["disturb", "--spectators", "20", "--rate", "10"], &[4]),
    ];
    for (arguments, rows) in series {
        let report = measure(arguments);
        let tables = report["tables"].as_array().expect("tables");
        let found = tables
            .iter()
            .map(|table| table["rows"].as_array().map_or(0, Vec::len));
        assert_eq!(found.collect::<Vec<_>>(), rows);
        for row in tables
            .iter()
            .flat_map(|table| table["rows"].as_array())
            .flatten()
        {
            assert!(row["command"].is_string() && row["figures"]["connections"].is_number());
            assert!(
                row["ratio_to_first"].is_object() && row["violations"] == 0,
                "{row}"
            );
        }
    }
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

#[test]
fn games_and_the_floor() {
    for floor in ["relay", "framed"] {
        let report = load(&[
            "matches", "--games", "3", "--think", "50", "--floor", floor, "--pairs", "2",
        ]);
        assert_eq!(report["runs"].as_array().map(Vec::len), Some(2));
        for run in report["runs"].as_array().expect("runs") {
            let figure = |name: &str| run[name].as_f64().filter(|figure| *figure > 0.0);
            let figure = |name: &str| figure(name).unwrap_or_else(|| panic!("{name} in {run}"));
            let ratio = figure("server_cpu_us_per_move") / figure("floor_cpu_us_per_move");
            assert!((ratio / figure("floor_move_ratio") - 1.0).abs() < 1e-9);
            assert!(figure("floor_moves_per_s") > 0.0);
            assert!(figure("floor_push_us_p99") >= figure("floor_push_us_p50"));
        }
    }
}

/// What clients in other processes count, time and are told is in the report as if there were one.
#[test]
fn clients_in_several_processes() {
    let alike = ["--join-within", "0.2", "--processes", "2"];
    let hot = ["hot", "--spectators", "20", "--rate", "20", "--storm"];
    let report = load(&[&hot[..], &alike].concat());
    assert_eq!(count(&report["join_us"], "count"), 20);
    assert_eq!(count(&report["resume_us"], "count"), 20);
    // Each event is told to both players and all spectators; all of it is judged.
    assert!(count(&report, "deliveries") > 15 * count(&report, "moves"));
    assert!(count(&report, "events_audited") >= count(&report, "deliveries"));
    assert!(count(&report["push_us"], "count") > 5 * count(&report, "moves"));
    for kind in ["connected", "lobby", "spectator"] {
        let idle = ["idle", "--connections", "21", "--kind", kind];
        let report = load(&[&idle[..], &alike].concat());
        assert_eq!(count(&report["join_us"], "count"), 21, "{kind}");
        assert_eq!(count(&report, "errors"), 0, "{kind}");
    }
}

/// Whoever asks for a witness learns how long the disk took for somebody else.
#[test]
fn a_witness_of_the_disk() {
    let alone = load(&["hot", "--spectators", "2"]);
    assert_eq!(count(&alone["disk_us"], "count"), 0);
    let report = load(&["hot", "--spectators", "2", "--witness"]);
    let disk = &report["disk_us"];
    assert!(count(disk, "count") > 0 && count(disk, "p50") > 0, "{disk}");
}

/// Spectators whom the server has no time for ask again when they are told to, and the report names them.
#[test]
fn spectators_who_are_refused() {
    let report = measure(&[
        "idle",
        "--kind",
        "spectator",
        "--connections",
        "5",
        "--join-within",
        "0",
        "--set",
        "[overload]",
        "--set",
        "least_level = 1",
        "--set",
        "retry_after_ms = 100",
    ]);
    assert!(count(&report["error_kinds"], "watching refused: busy") > 20);
    assert_eq!(count(&report["join_us"], "count"), 0);
}

#[test]
fn connections_that_do_nothing() {
    let idle = [
        "idle",
        "--connections",
        "50",
        "--join-within",
        "0.2",
        "--kind",
    ];
    for (kind, players) in [
        ("connected", 0),
        ("lobby", 0),
        ("seated", 0),
        ("spectator", 2),
    ] {
        let report = load(&[&idle[..], &[kind]].concat());
        assert!(
            report["bytes_per_connection"]
                .as_f64()
                .is_some_and(|bytes| bytes > 0.0)
        );
        assert_eq!(count(&report, "connections"), 50 + players, "{kind}");
        assert_eq!(count(&report, "moves"), 0, "{kind}");
    }
}

#[test]
fn flags_fall() {
    for (opponents, connections) in [(&[][..], 20), (&["--house-bots"], 10)] {
        let mut arguments = vec!["clocks", "--games", "10", "--budget", "200"];
        arguments.extend(opponents);
        let report = load(&arguments);
        assert!(count(&report["flag_late_us"], "count") > 0);
        assert_eq!(count(&report, "connections"), connections);
    }
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

/// Everything at once, with faults of every kind; judged while it runs.
#[test]
fn everything_at_once() {
    let report = load(&["mixed", binaries::SMOKE_PROFILE]);
    for happened in [
        "moves",
        "refusals",
        "resumes",
        "games_audited",
        "deliveries",
        "snapshots",
        "crashes",
        "acked",
        "server_files_max",
        "stored_bytes",
    ] {
        assert!(count(&report, happened) > 0, "{happened}: {report}");
    }
    assert!(count(&report, "faults") > count(&report, "crashes"));
    assert_eq!(count(&report, "lost") + count(&report, "doubled"), 0);
    assert!(report["rss_slope_kib_per_h"].is_number());
}
