//! The terms of the reports: text, JSON and HTML use the same words for the same metric.

/// A metric as reports show it: its key, its name, the divisor of its value, and the unit after the division.
pub(super) type Term = (&'static str, &'static str, f64, &'static str);

/// The metrics in the order of the report.
pub(super) const METRICS: &[Term] = &[
    ("connections", "connections", 1.0, ""),
    ("games_finished", "games finished", 1.0, ""),
    ("moves_per_s", "moves", 1.0, "/s"),
    ("deliveries_per_s", "deliveries", 1.0, "/s"),
    ("server_cores_used", "server CPU", 1.0, "cores"),
    ("server_cpu_us_per_move", "  CPU per move", 1.0, "µs"),
    ("database_cpu_us_per_move", "  of PostgreSQL", 1.0, "µs"),
    ("broker_cpu_us_per_move", "  of the nats-server", 1.0, "µs"),
    (
        "relayed_bytes_per_move",
        "  sent to other servers per move",
        1.0,
        "bytes",
    ),
    (
        "server_cpu_us_per_delivery",
        "  CPU per delivery",
        1.0,
        "µs",
    ),
    (
        "deliveries_per_cpu_s",
        "  deliveries per CPU second",
        1.0,
        "",
    ),
    ("server_rss_bytes", "server memory", 1_048_576.0, "MiB"),
    ("bytes_per_connection", "  per connection", 1_024.0, "KiB"),
    (
        "kernel_bytes_per_connection",
        "  in the kernel, both ends",
        1_024.0,
        "KiB",
    ),
    ("bytes_per_game", "  per game", 1_024.0, "KiB"),
    ("rss_slope_kib_per_h", "  growth", 1.0, "KiB/h"),
    (
        "stored_bytes_per_move",
        "written to disk per move",
        1_024.0,
        "KiB",
    ),
    ("commit_us", "commit to disk", 1_000.0, "ms"),
    ("storage_batch", "  changes per commit", 1.0, ""),
    ("ready_ms", "server ready after", 1.0, "ms"),
    ("recovery_ms", "all clients resumed after", 1.0, "ms"),
    ("crashes", "kills", 1.0, ""),
    ("turns_refused", "  turns refused as busy", 1.0, ""),
    ("ended_by_themselves", "  servers without lease", 1.0, ""),
    ("histories", "histories compared", 1.0, ""),
    (
        "wal_bytes_per_move",
        "log of PostgreSQL per move",
        1_024.0,
        "KiB",
    ),
    ("faults", "injected faults", 1.0, ""),
    ("live_games", "unfinished games", 1.0, ""),
    ("server_files_max", "open files, maximum", 1.0, ""),
    ("server_threads_max", "threads, maximum", 1.0, ""),
    ("stored_bytes", "data directory", 1_048_576.0, "MiB"),
    ("acknowledged", "acknowledged commands", 1.0, ""),
    ("lost", "  lost", 1.0, ""),
    ("duplicated", "  duplicated", 1.0, ""),
    ("sign_ins_per_s", "registrations and logins", 1.0, "/s"),
    ("sign_ins_refused_per_s", "  refused", 1.0, "/s"),
    ("chat_lines_per_s", "lines of chat delivered", 1.0, "/s"),
    ("refusals", "illegal plays refused", 1.0, ""),
    ("resumes", "connections dropped on purpose", 1.0, ""),
    ("errors", "errors", 1.0, ""),
];

/// The latencies in the order of the report: key and name.
pub(super) const LATENCIES: &[(&str, &str)] = &[
    ("ack_latency_us", "acknowledgement latency"),
    ("push_latency_us", "push latency"),
    ("service_time_us", "service time"),
    ("send_delay_us", "send delay of the harness"),
    ("resume_latency_us", "resume latency"),
    ("takeover_us", "takeover of a game"),
    ("stall_us", "stall of a game by its log"),
    ("join_latency_us", "join latency"),
    ("seek_latency_us", "seek latency"),
    ("lobby_latency_us", "lobby latency"),
    ("sign_in_latency_us", "sign-in latency"),
    ("flag_delay_us", "flag delay"),
    ("disk_probe_us", "disk probe"),
];

/// The name of a latency.
pub(super) fn latency(key: &str) -> &'static str {
    let mut known = LATENCIES.iter();
    known
        .find(|(known, _)| *known == key)
        .map_or("latency", |(_, name)| name)
}
