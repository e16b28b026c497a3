//! The command line.

mod parse;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use tilewire_protocol::causes;

use crate::cluster::up::{self, ClusterArgs};
use crate::fleet;
use crate::options::CommonOptions;
use crate::report::compare::CompareArgs;
use crate::report::{compare, complain};
use crate::scenario::{self, Scenario};
use crate::series::{self, DisturbArgs, GrowthArgs, MemoryArgs};

const EXAMPLES: &str = "\
Examples:
  tilewire-loadtest matches --games 500 --think 2000
      500 concurrent games, one turn every two seconds in each, measured for 30 seconds
  tilewire-loadtest matches --games 50 --flat-out --illegal 0.05 --repeated 0.05 --dropped 0.02
      50 games at full speed, with illegal plays, repeated commands and dropped connections
  tilewire-loadtest matches --games 100 --json before.json --repeat 5
      Five runs; the report is kept for a comparison
  tilewire-loadtest hot --spectators 2000 --rate 5
      One game with 2000 spectators and five turns per second
  tilewire-loadtest mixed loadtest/profiles/soak.toml --for 1h --html soak.html
      An hour of mixed load with faults; fails if the server's memory keeps growing
  tilewire-loadtest compare before.json after.json --bound 1.1
      The differences between two reports; fails if a metric is more than 10 % worse

Every run is audited: the auditor replays each game by the rules from the events that the clients received. The exit
status is 1 if it finds a violation. loadtest/rivals compares Tilewire with other products.";

/// Loads a Tilewire server, measures it, and audits what it sends.
///
/// Each run starts its own server, pinned to its own cores, with an empty data directory. With --url, the load goes to
/// a server that is already running. The load follows a schedule that does not wait for the server, and latencies count
/// from the moment a command was due.
#[derive(Debug, Parser)]
#[command(name = "tilewire-loadtest", version, after_help = EXAMPLES, max_term_width = 100)]
struct Cli {
    /// The task.
    #[command(subcommand)]
    task: Task,
    /// The options that all tasks share.
    #[command(flatten)]
    common: CommonOptions,
}

/// A task.
#[derive(Debug, Subcommand)]
enum Task {
    /// Load a server with a scenario and measure it
    #[command(flatten)]
    Load(Scenario),
    /// CPU per move and per delivery with rising numbers of games and spectators
    Growth(GrowthArgs),
    /// Memory per connection and per game, by kind of connection
    Memory(MemoryArgs),
    /// One game undisturbed, during a reconnect storm, and with spectators that do not read
    Disturb(DisturbArgs),
    /// Start several servers without load, with a PostgreSQL and a nats-server, until Ctrl-C
    Cluster(ClusterArgs),
    /// The differences between two reports
    Compare(CompareArgs),
    /// Run clients for a parent process
    #[command(hide = true)]
    ClientProcess,
}

/// Runs the command line; the exit status says whether the run passed.
pub fn run(words: impl Iterator<Item = OsString>) -> ExitCode {
    let cli = parse::parse(words).unwrap_or_else(|error| error.exit());
    match dispatch(&cli) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            complain(&format!("tilewire-loadtest: {}", causes(error.as_ref())));
            ExitCode::FAILURE
        }
    }
}

/// Runs the task; returns whether it passed.
fn dispatch(cli: &Cli) -> Result<bool> {
    let common = &cli.common;
    match &cli.task {
        Task::Load(scenario) => {
            let report = scenario::measure(scenario, common)?;
            report.write(common)?;
            Ok(report.is_good())
        }
        Task::Growth(args) => series::run("growth", &args.series(), common),
        Task::Memory(args) => series::run("memory", &[args.series()], common),
        Task::Disturb(args) => series::run("disturb", &[args.series()], common),
        Task::Cluster(args) => up::run(args, common),
        Task::Compare(args) => compare::run(args, common.json.as_deref()),
        Task::ClientProcess => fleet::run().map(|()| true),
    }
}
