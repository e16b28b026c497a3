//! The metrics of a real server that plays a game, and `tilewire-server top`.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_base::metrics::{self, Metric};
use tilewire_harness::server::Server;

use super::play;
use super::prometheus::accepted;

/// The metrics without a sample at first that a server with SQLite knows soon.
const OF_SQLITE: [&str; 4] = [
    "tilewire_games_asleep",
    "tilewire_storage_database_bytes",
    "tilewire_storage_log_bytes",
    "tilewire_storage_free_bytes",
];

/// The names and the kinds of all metrics on a page.
fn kinds(page: &str) -> BTreeMap<String, String> {
    let lines = page.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    let kinds = lines.filter_map(|line| line.split_once(' '));
    kinds
        .map(|(name, kind)| (name.to_owned(), kind.to_owned()))
        .collect()
}

/// The names of all series on a page, with their labels.
fn series(page: &str) -> BTreeSet<String> {
    let lines = page.lines().filter(|line| !line.starts_with('#'));
    let series = lines.filter_map(|line| Some(line.rsplit_once(' ')?.0.to_owned()));
    series.collect()
}

#[test]
fn a_server_shows_what_is_documented_and_counts_a_game() {
    let server = Server::start("");
    server.until_figure("tilewire_storage_free_bytes", |free| free >= 1.0);
    let (_, before) = server.admin_get("/metrics");
    // A value that is not known has no sample; with SQLite and without other servers that is as documented.
    let is_shown = |metric: &&Metric| !metric.is_known_later || OF_SQLITE.contains(&metric.name);
    let expected: BTreeMap<String, String> = metrics::all()
        .iter()
        .filter(is_shown)
        .map(|metric| (metric.name.to_owned(), metric.kind.name().to_owned()))
        .collect();
    assert_eq!(kinds(&before), expected);
    for metric in metrics::all().iter().filter(is_shown) {
        let help = format!("# HELP {} {}", metric.name, metric.help);
        assert!(before.lines().any(|line| line == help), "{help}");
    }

    let refused = play(&server);
    let version = env!("CARGO_PKG_VERSION");
    let of_classic = "{rule_set=\"classic\",kind=\"casual\"}";
    for (name, wanted) in [
        (format!("tilewire_games_created_total{of_classic}"), 1.0),
        (format!("tilewire_games_running{of_classic}"), 0.0),
        (
            format!("tilewire_commands_refused_total{{code=\"{refused}\"}}"),
            1.0,
        ),
        (
            format!("tilewire_build_info{{version=\"{version}\",profile=\"debug\"}}"),
            1.0,
        ),
        ("tilewire_bots_thinking".to_owned(), 0.0),
        ("tilewire_bots_waiting".to_owned(), 0.0),
    ] {
        assert_eq!(server.figure(&name), wanted, "{name}");
    }
    for (name, least) in [
        ("tilewire_turns_total", 2.0),
        ("tilewire_frames_received_total", 8.0),
        ("tilewire_bytes_received_total", 200.0),
        ("tilewire_frames_sent_total", 8.0),
        ("tilewire_command_seconds_count", 2.0),
        ("tilewire_storage_commit_seconds_count", 3.0),
        ("tilewire_process_cpu_seconds_total", 0.001),
        ("tilewire_process_resident_memory_bytes", 1e6),
        ("tilewire_process_open_files", 5.0),
        ("tilewire_process_start_time_seconds", 1.6e9),
        ("tilewire_queue_capacity{queue=\"storage\"}", 1.0),
        ("tilewire_queue_capacity{queue=\"lobby\"}", 1.0),
        ("tilewire_queue_capacity{queue=\"chat\"}", 1.0),
        ("tilewire_storage_database_bytes", 1.0),
        ("tilewire_storage_log_bytes", 1.0),
        ("tilewire_storage_free_bytes", 1.0),
    ] {
        server.until_figure(name, |value| value >= least);
    }
    let (_, after) = server.admin_get("/metrics");
    assert_eq!(series(&after), series(&before), "no series is new");
    assert_eq!(kinds(&after), expected);
    accepted(&["check", "metrics"], &after);
}

#[test]
fn the_page_of_top_shows_the_server() {
    let server = Server::start("");
    play(&server);
    let page = server.operate(&["top", "--once"], "").expect("a page");
    let version = env!("CARGO_PKG_VERSION");
    let first = format!("tilewire-server {version} on {}, up 0 h ", server.admin);
    assert!(page.starts_with(&first), "{page}");
    for heading in [
        "players", "games", "latency", "command", "queues", "disk", "overload",
    ] {
        let is_there = page.lines().any(|line| line.starts_with(heading));
        assert!(is_there, "{heading} in {page}");
    }
    assert!(page.lines().count() <= 24, "{page}");
    let said = server.operate(&["top"], "").expect_err("no terminal");
    assert!(said.contains("top --once"), "{said}");
}
