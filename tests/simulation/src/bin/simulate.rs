//! Runs seeds of the simulation until it is stopped, and prints the seeds that break a promise.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use tilewire_simulation::flaws::Flaw;
use tilewire_simulation::{Options, REPEAT};

/// After so many seeds the progress is printed.
const PROGRESS: u64 = 1_000;

/// Runs the whole server under a time and a chance of its own.
#[derive(Debug, Parser)]
struct Args {
    /// How many seeds.
    #[arg(long, default_value_t = 1_000)]
    seeds: u64,
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    start: u64,
    /// One line of JSON at the end.
    #[arg(long)]
    json: bool,
    /// The name of a bug to put in on purpose, as the source has it.
    #[arg(long)]
    flaw: Option<String>,
    /// Several servers in every seed, not in some.
    #[arg(long)]
    nodes: bool,
    /// Print everything that happens; for one seed.
    #[arg(long)]
    tell: bool,
}

#[expect(
    clippy::disallowed_methods,
    reason = "seeds per second are measured here"
)]
fn main() -> ExitCode {
    let args = Args::parse();
    let flaw = args.flaw.as_ref().map(|wanted| {
        let mut all = Flaw::ALL.into_iter().chain(Flaw::OF_NODES);
        let found = all.find(|flaw| format!("{flaw:?}") == *wanted);
        found.expect("the name of a flaw")
    });
    let began = Instant::now();
    let (mut failing, mut games, mut events, mut checked, mut starts) = (Vec::new(), 0, 0, 0, 0);
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    for (done, seed) in (0..args.seeds).zip(args.start..) {
        if done > 0 && done % PROGRESS == 0 {
            let (seconds, bad) = (began.elapsed().as_secs(), failing.len());
            writeln!(err, "{done} seeds in {seconds} s, {bad} failing").ok();
        }
        let options = Options {
            flaw,
            is_told: args.tell,
            several_nodes: args.nodes.then_some(true),
            ..Options::default()
        };
        let outcome = tilewire_simulation::run(seed, options);
        for line in &outcome.lines {
            writeln!(out, "{line}").ok();
        }
        games += outcome.games;
        events += outcome.events;
        checked += outcome.checked;
        starts += outcome.starts;
        if let Some(broken) = outcome.broken {
            writeln!(out, "seed {seed}: {broken}").ok();
            let nodes = if args.nodes { " --nodes" } else { "" };
            writeln!(out, "repeat it with {REPEAT}{nodes} --start {seed}").ok();
            failing.push(seed);
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    let rate = f64::from(u32::try_from(args.seeds).unwrap_or(u32::MAX)) / seconds.max(0.001);
    if args.json {
        let report = serde_json::json!({
            "seeds": args.seeds, "start": args.start, "failing": failing, "games": games, "events": events,
            "checked": checked, "starts": starts, "seconds": seconds, "seeds_per_second": rate,
        });
        writeln!(out, "{report}").ok();
    } else {
        let bad = failing.len();
        let text =
            format!("{games} games, {events} events, {checked} messages checked, {starts} servers");
        writeln!(
            out,
            "{} seeds in {seconds:.1} s, {rate:.1} per second, {bad} failing: {text}",
            args.seeds
        )
        .ok();
    }
    if failing.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
