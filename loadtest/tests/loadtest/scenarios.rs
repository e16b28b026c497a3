//! The load-test harness: a short run of each scenario against real servers, judged by its auditor. No test measures
//! speed.

use std::process::Command;

use serde_json::Value;
use tilewire_harness::binaries;
use tilewire_harness::server::Server;
use tilewire_services::nats::Nats;
use tilewire_services::postgres::Postgres;

/// Runs the harness; returns its report. It must have nothing to object to.
fn load(arguments: &[&str]) -> Value {
    let report = measure(arguments);
    check_keys(&report);
    report
}

fn measure(arguments: &[&str]) -> Value {
    let server = binaries::server().to_str().expect("a path in UTF-8");
    measure_at(&["--server-bin", server], arguments)
}

/// The same with a server that is named in its own way.
fn measure_at(server: &[&str], arguments: &[&str]) -> Value {
    // These last as long as they need.
    let has_duration = !matches!(arguments[0], "restart" | "crash" | "mixed");
    let duration: &[&str] = if has_duration {
        &["--duration", "1.5"]
    } else {
        &[]
    };
    let output = Command::new(crate::LOADTEST)
        .args(arguments)
        .args(["--quiet", "--json", "-", "--warm-up", "0.5"])
        .args(duration)
        .args(server)
        // The server sheds no load if this machine stalls for a second.
        .env("TILEWIRE_OVERLOAD__LAG_MS", "60000")
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
    // Half way between two runs there may be half of something.
    let has_one_run = report["runs"]
        .as_array()
        .is_some_and(|runs| runs.len() == 1);
    let is_whole = |count: &Value| count.is_u64() || !has_one_run && count.is_f64();
    let counts = ["games_finished", "moves", "deliveries", "violations"];
    let whole = counts
        .into_iter()
        .chain(["server_rss_bytes", "games_audited", "errors"]);
    for key in whole {
        assert!(is_whole(&report[key]), "{scenario}: {key}");
    }
    for key in [
        "ack_latency_us",
        "push_latency_us",
        "flag_delay_us",
        "resume_latency_us",
        "join_latency_us",
        "send_delay_us",
        "service_time_us",
        "seek_latency_us",
        "lobby_latency_us",
        "disk_probe_us",
    ] {
        for field in ["count", "p50", "p90", "p99", "p999", "max"] {
            assert!(is_whole(&report[key][field]), "{scenario}: {key}.{field}");
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
    assert!(report["conditions"]["seed"].is_u64(), "{scenario}");
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
            "acknowledged",
            "lost",
            "duplicated",
        ],
        "crash" => &[
            "recovery_ms",
            "ready_ms",
            "crashes",
            "acknowledged",
            "lost",
            "duplicated",
        ],
        "mixed" => &[
            "recovery_ms",
            "crashes",
            "faults",
            "acknowledged",
            "lost",
            "duplicated",
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
        for key in ["ack_latency_us", "push_latency_us", "flag_delay_us"] {
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
    assert!(count(&report["send_delay_us"], "count") > 0);
    // Counted from a later moment.
    assert!(count(&report["service_time_us"], "count") > 0);
    assert!(count(&report["service_time_us"], "max") <= count(&report["ack_latency_us"], "max"));
}

/// The page contains the text and the plots, and loads no external resource.
#[test]
fn a_report_as_a_page() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("page.html");
    let games = ["matches", "--games", "4", "--flat-out", "--html"];
    let report = load(&[&games[..], &[file.to_str().expect("a path in UTF-8")]].concat());
    let page = std::fs::read_to_string(&file).expect("a page");
    let audited = format!("audited: {} games", count(&report, "games_audited"));
    let version = report["version"].as_str().expect("a version");
    let machine = report["machine"]["processor"]
        .as_str()
        .expect("a processor");
    let title = format!("<title>matches: tilewire {version}, {machine}");
    for wanted in [
        "games finished",
        &title,
        "acknowledgement latency",
        "push latency</span>",
        &audited,
        "<figcaption>Moves per second</figcaption>",
        "<figcaption>Latency by percentile, ms</figcaption>",
        "<svg",
        "99 %",
    ] {
        assert!(page.contains(wanted), "{wanted:?} in {page}");
    }
    // The only address in the page is the XML namespace of SVG.
    let addresses = page.matches("http").count();
    let names = page.matches("xmlns=\"http://www.w3.org/2000/svg\"").count();
    assert_eq!(addresses, names);
}

/// A server that already runs is loaded and audited like one started by the harness; unknown metrics are absent.
#[test]
fn a_server_that_is_running_already() {
    let limits = ["unauthenticated_per_address", "connections_per_address"];
    let limits = limits.map(|limit| format!("{limit} = 1000\n")).concat();
    let server = Server::start(&format!("[limits]\n{limits}"));
    let games = ["matches", "--games", "4", "--think", "100", "--seed", "7"];
    for (url, admin) in [(&server.url(), true), (&server.address, false)] {
        let admin: &[&str] = if admin {
            &["--admin", &server.admin]
        } else {
            &[]
        };
        let report = measure_at(&[&["--url", url], admin].concat(), &games);
        assert!(count(&report, "moves") > 0 && count(&report, "games_audited") > 0);
        assert_eq!(report["error_kinds"], serde_json::json!({}));
        assert_eq!(report["machine"]["server_cores"], serde_json::json!([]));
        let conditions = &report["conditions"];
        assert_eq!(conditions["url"], server.address.as_str());
        assert_eq!(conditions["seed"], 7);
        assert!(report["server_cpu_us_per_move"].is_null(), "{report}");
        assert_eq!(report["storage_batch"].is_number(), !admin.is_empty());
    }
    // It goes on.
    assert_eq!(server.admin_get("/readyz").0, 200);
}

#[test]
fn subscribers_of_the_lobby() {
    let games = ["matches", "--games", "4", "--flat-out", "--spectators", "0"];
    let report = load(&[&games[..], &["--followers", "60"]].concat());
    assert_eq!(report["connections"], 4 * 2 + 60);
    assert_eq!(count(&report["join_latency_us"], "count"), 60);
    for key in ["seek_latency_us", "lobby_latency_us"] {
        assert!(count(&report[key], "count") > 0, "{key}: {report}");
    }
    assert_eq!(report["error_kinds"], serde_json::json!({}));
}

/// More clients sign in than the server lets wait, so it refuses some of them.
#[test]
fn registrations_and_logins_beside_games() {
    let games = ["matches", "--games", "2", "--flat-out", "--spectators", "0"];
    let few = ["--sign-ins", "12", "--set", "limits.passwords_waiting = 4"];
    let report = load(&[&games[..], &few].concat());
    for key in ["moves", "sign_ins_per_s", "sign_ins_refused_per_s"] {
        assert!(
            report[key].as_f64().is_some_and(|found| found > 0.0),
            "{key}: {report}"
        );
    }
    assert!(
        count(&report["sign_in_latency_us"], "count") > 0,
        "{report}"
    );
    assert_eq!(report["error_kinds"], serde_json::json!({}));
}

#[test]
fn many_clients_connect_and_stall() {
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
    assert_eq!(count(&report["join_latency_us"], "count"), 40);
    assert_eq!(report["connections"], 42);
}

/// Spectators that attach at the same time share the encoded snapshot: far fewer encodings than spectators.
#[test]
fn connections_of_many_addresses_share_one_encoding() {
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

/// Each series of runs shows a row for each step, with its cost relative to the first.
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
        assert!(report["machine"]["processor"].is_string(), "{report}");
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

/// The report contains the counts, times and events of clients in other processes.
#[test]
fn clients_in_several_processes() {
    let matches = ["matches", "--games", "5", "--think", "50"];
    let report = load(&[&matches[..], &["--processes", "2"]].concat());
    assert!(count(&report, "games_audited") >= 5);
    assert!(count(&report, "moves") > 0 && count(&report["ack_latency_us"], "count") > 0);
    let alike = ["--join-within", "0.2", "--processes", "2"];
    let hot = ["hot", "--spectators", "20", "--rate", "20", "--storm"];
    let report = load(&[&hot[..], &alike].concat());
    assert_eq!(count(&report["join_latency_us"], "count"), 20);
    assert_eq!(count(&report["resume_latency_us"], "count"), 20);
    // Each event goes to both players and all spectators; the auditor checks every copy.
    assert!(count(&report, "deliveries") > 15 * count(&report, "moves"));
    assert!(count(&report, "events_audited") >= count(&report, "deliveries"));
    assert!(count(&report["push_latency_us"], "count") > 5 * count(&report, "moves"));
    for kind in ["connected", "lobby", "spectator"] {
        let idle = ["idle", "--connections", "21", "--kind", kind];
        let report = load(&[&idle[..], &alike].concat());
        assert_eq!(count(&report["join_latency_us"], "count"), 21, "{kind}");
        assert_eq!(count(&report, "errors"), 0, "{kind}");
    }
}

/// A witness reports the disk latency of another process.
#[test]
fn a_witness_of_the_disk() {
    let alone = load(&["hot", "--spectators", "2"]);
    assert_eq!(count(&alone["disk_probe_us"], "count"), 0);
    let report = load(&["hot", "--spectators", "2", "--disk-probe"]);
    let disk = &report["disk_probe_us"];
    assert!(count(disk, "count") > 0 && count(disk, "p50") > 0, "{disk}");
}

/// Spectators that the server refuses as busy retry at the given time, and the report counts them.
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
    assert_eq!(count(&report["join_latency_us"], "count"), 0);
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
        assert!(count(&report["flag_delay_us"], "count") > 0);
        assert_eq!(count(&report, "connections"), connections);
    }
}

#[test]
fn all_clients_reconnect_after_a_restart() {
    for flags in ["--kill", "--kill --processes 2", "", "--house-bots"] {
        let line = format!("restart --games 5 --turns 4 {flags}");
        let report = load(&line.split_whitespace().collect::<Vec<_>>());
        let clients = if flags == "--house-bots" { 5 } else { 10 };
        assert_eq!(count(&report["resume_latency_us"], "count"), clients);
        assert_eq!(count(&report, "lost") + count(&report, "duplicated"), 0);
        assert!(report["recovery_ms"].as_f64() >= report["ready_ms"].as_f64());
    }
}

#[test]
fn nothing_acknowledged_is_lost_in_crashes() {
    let report = load(&["crash", "--rounds", "4", "--games", "6", "--every", "400"]);
    assert!(count(&report, "acknowledged") > 0);
    assert_eq!(count(&report, "lost") + count(&report, "duplicated"), 0);
    assert_eq!(count(&report, "crashes"), 4);
}

/// One of three servers is killed, stopped in order, or held still beyond its lease. The history of each game, as all
/// clients saw it, is the one that is stored.
#[test]
fn nothing_acknowledged_is_lost_when_one_of_several_servers_is() {
    if !Postgres::is_installed() || !Nats::is_installed() {
        return;
    }
    for way in [None, Some("--drain"), Some("--partitions")] {
        let mut arguments = vec!["crash", "--nodes", "3", "--rounds", "2", "--games", "6"];
        arguments.extend(way);
        let report = measure(&arguments);
        assert!(count(&report, "acknowledged") > 0);
        assert!(count(&report, "histories") > 0);
        assert_eq!(count(&report, "lost") + count(&report, "duplicated"), 0);
        assert_eq!(count(&report, "crashes"), 2);
    }
}

/// Everything at once, with faults of every kind; judged while it runs.
#[test]
fn many_actions_at_once() {
    let report = load(&["mixed", crate::SMOKE_PROFILE]);
    let happened = "moves refusals resumes games_audited deliveries snapshots crashes acknowledged server_files_max stored_bytes";
    for happened in happened.split(' ') {
        assert!(count(&report, happened) > 0, "{happened}: {report}");
    }
    assert!(count(&report, "faults") > count(&report, "crashes"));
    assert_eq!(count(&report, "lost") + count(&report, "duplicated"), 0);
    assert!(report["rss_slope_kib_per_h"].is_number());
}
