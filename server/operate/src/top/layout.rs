//! The view as lines of text, at most 24 of at most 80 characters.

use std::net::SocketAddr;

use super::interval::Interval;
use tilewire_base::metrics::Metric;
use tilewire_base::metrics::table as of;

/// The lines of a terminal.
pub(super) const ROWS: usize = 24;
/// The characters of a line.
pub(super) const COLUMNS: usize = 80;

/// The width of the first column.
const HEADING: usize = 10;
/// The width of the others, without the space between them.
const CELL: usize = 16;

/// The work that each level of load shedding leaves out.
const LEFT_OUT: [&str; 5] = [
    "nothing",
    "new spectators",
    "immediate updates to spectators",
    "presence",
    "new games",
];

/// The latencies that are shown.
const LATENCIES: [(&str, Metric); 6] = [
    ("command", of::COMMAND_TIME),
    ("write", of::APPENDS),
    ("commit", of::COMMITS),
    ("flush", of::FLUSHES),
    ("lag", of::LAG),
    ("stall", of::STALLS),
];

/// Returns the view of a server at a time, seconds since the Unix epoch.
pub(super) fn lay_out(seen: &Interval<'_>, address: SocketAddr, now: f64) -> Vec<String> {
    let version = seen.label(&of::BUILD_INFO, "version").unwrap_or("?");
    let up = now - seen.level(&of::START_TIME);
    let mut lines = vec![
        format!("tilewire-server {version} on {address}, up {}", span(up)),
        String::new(),
    ];
    let whole = |metric: &Metric| seen.known(metric).map_or_else(unknown, count);
    let rate = |metric: &Metric| format!("{}/s", amount(seen.rate(metric)));
    lines.push(row(
        "players",
        &[
            ("online", whole(&of::PLAYERS)),
            ("sockets", whole(&of::CONNECTIONS)),
            ("watching", whole(&of::SPECTATORS)),
            ("in chat", whole(&of::CHAT_MEMBERS)),
        ],
    ));
    lines.push(row(
        "games",
        &[
            ("memory", whole(&of::GAMES)),
            ("running", whole(&of::GAMES_RUNNING)),
            ("asleep", whole(&of::ASLEEP)),
            ("seeks", whole(&of::SEEKS)),
        ],
    ));
    lines.push(row(
        "play",
        &[
            ("turns", rate(&of::TURNS)),
            ("begin", rate(&of::GAMES_CREATED)),
            ("end", rate(&of::GAMES_ENDED)),
        ],
    ));
    lines.push(row(
        "frames",
        &[
            ("in", rate(&of::FRAMES_IN)),
            ("out", rate(&of::FRAMES)),
            ("in", format!("{}/s", bytes(seen.rate(&of::BYTES_IN)))),
            ("out", format!("{}/s", bytes(seen.rate(&of::BYTES)))),
        ],
    ));
    lines.push(String::new());
    lines.extend(latencies(seen));
    lines.push(String::new());
    lines.extend(load(seen));
    lines.extend(machine(seen, now));
    lines.push(String::new());
    lines.push("q ends".to_owned());
    lines.iter().map(|line| cut(line)).collect()
}

/// Stands for a value that is not known.
fn unknown() -> String {
    "-".to_owned()
}

/// Returns the view of a server that does not answer.
pub(super) fn absent(address: SocketAddr, error: &str) -> Vec<String> {
    let lines = [
        format!("tilewire-server on {address}"),
        String::new(),
        error.to_owned(),
        String::new(),
        "q ends".to_owned(),
    ];
    lines.iter().map(|line| cut(line)).collect()
}

/// Returns the table of latencies.
fn latencies(seen: &Interval<'_>) -> Vec<String> {
    let line = |name: &str, cells: [&str; 3]| {
        let [values, half, most] = cells;
        format!("{name:HEADING$}{values:>12}{half:>12}{most:>12}")
    };
    let mut lines = vec![line("latency", ["per second", "p50", "p99"])];
    for (name, metric) in LATENCIES {
        let at = |share| {
            seen.quantile(&metric, share)
                .map_or("-".to_owned(), duration)
        };
        let values = amount(seen.values(&metric));
        lines.push(line(name, [&values, &at(0.5), &at(0.99)]));
    }
    lines
}

/// Returns the queues, the bots and the level of load shedding.
fn load(seen: &Interval<'_>) -> Vec<String> {
    let queue = |name: &'static str| {
        let level = |metric| count(seen.level_of(metric, "queue", name));
        let text = format!(
            "{}/{}",
            level(&of::QUEUE_LENGTH),
            level(&of::QUEUE_CAPACITY)
        );
        (name, text)
    };
    let level = seen.level(&of::OVERLOAD_LEVEL);
    let mut known = LEFT_OUT.iter().zip(0_u8..);
    let left_out = known.find(|(_, number)| f64::from(*number) == level);
    let left_out = left_out.map_or("?", |(name, _)| name);
    vec![
        row("queues", &["storage", "lobby", "chat"].map(queue)),
        row(
            "bots",
            &[
                ("thinking", count(seen.level(&of::BOTS_THINKING))),
                ("waiting", count(seen.level(&of::BOTS_WAITING))),
            ],
        ),
        format!(
            "{:HEADING$}level {}, leaves out {left_out}",
            "overload",
            count(level)
        ),
    ]
}

/// Returns the storage and the process.
fn machine(seen: &Interval<'_>, now: f64) -> Vec<String> {
    let size = |metric: &Metric| seen.known(metric).map_or_else(unknown, bytes);
    let files = format!(
        "{}/{}",
        count(seen.level(&of::OPEN_FILES)),
        count(seen.level(&of::OPEN_FILES_MAX))
    );
    let mut lines = vec![
        row(
            "disk",
            &[
                ("data", size(&of::DATABASE_BYTES)),
                ("log", size(&of::LOG_BYTES)),
                ("free", size(&of::FREE_BYTES)),
            ],
        ),
        row(
            "process",
            &[
                ("cpu", format!("{:.0} %", 100.0 * seen.rate(&of::CPU))),
                ("memory", size(&of::MEMORY)),
                ("threads", count(seen.level(&of::THREADS))),
                ("files", files),
            ],
        ),
    ];
    let expiry = seen.level(&of::CERTIFICATE_EXPIRY);
    if expiry > 0.0 {
        lines.push(format!(
            "{:HEADING$}expires in {}",
            "tls",
            span(expiry - now)
        ));
    }
    lines
}

/// Returns a line of names and values.
fn row(heading: &str, cells: &[(&str, String)]) -> String {
    let cells = cells.iter();
    // A wide cell moves the next ones, and stays apart from them.
    let cells = cells.map(|(name, value)| format!("{:CELL$} ", format!("{name} {value}")));
    let line = format!("{heading:HEADING$}{}", cells.collect::<String>());
    line.trim_end().to_owned()
}

fn cut(line: &str) -> String {
    line.chars().take(COLUMNS).collect()
}

/// Returns a whole number.
fn count(value: f64) -> String {
    format!("{value:.0}")
}

/// Returns a number with one digit behind the point if it is small.
fn amount(value: f64) -> String {
    if value > 0.0 && value < 99.95 {
        format!("{value:.1}")
    } else {
        format!("{value:.0}")
    }
}

fn bytes(value: f64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = value;
    let mut units = UNITS.iter();
    let mut unit = units.next();
    while value >= 1_023.5 {
        let Some(next) = units.next() else { break };
        unit = Some(next);
        value /= 1_024.0;
    }
    format!("{} {}", amount(value), unit.unwrap_or(&"B"))
}

/// Returns a latency.
fn duration(seconds: f64) -> String {
    if seconds < 0.000_999_5 {
        format!("{:.0} µs", seconds * 1e6)
    } else if seconds < 0.999_5 {
        format!("{} ms", amount(seconds * 1e3))
    } else {
        format!("{} s", amount(seconds))
    }
}

/// Returns a long time.
fn span(seconds: f64) -> String {
    let minutes = (seconds / 60.0).floor().max(0.0);
    let (days, minutes) = ((minutes / 1_440.0).floor(), minutes % 1_440.0);
    let (hours, minutes) = ((minutes / 60.0).floor(), minutes % 60.0);
    if days > 0.0 {
        format!("{days} d {hours} h")
    } else {
        format!("{hours} h {minutes} min")
    }
}
