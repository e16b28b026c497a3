//! `tilewire-loadtest`: loads a server with games, measures it, and judges everything it says.
//!
//! Load is open loop: clients act by a schedule that does not wait for the server, and a time counts from when
//! something was due, so that a server that stalls cannot hide it. Every client writes down what it is told; after the
//! measured phase a judge that shares nothing with the server but the rules of placing and scoring compares it all.

mod args;
mod audit;
mod disk_probe;
mod flags;
mod fleet;
mod floor;
mod follower;
mod host;
mod link;
mod lobby;
mod median;
mod peers;
mod player;
mod presence;
mod process;
mod profile;
mod prometheus;
mod public_state;
mod recorder;
mod report;
mod results;
mod rng;
mod scenario;
mod series;
mod server;
mod server_config;
mod shared;
mod spectator;
mod testbed;
mod transcript;

use std::process::ExitCode;

use anyhow::Result;

use args::{Common, Scenario, Task};
use report::Report;

fn main() -> ExitCode {
    let cli = flags::parse(std::env::args_os()).unwrap_or_else(|error| error.exit());
    let done = match &cli.task {
        Task::Compare(args) => report::compare::run(args, cli.common.json.as_deref()),
        Task::Peers(args) => peers::run(args, &cli.common).map(|()| true),
        Task::Floor(args) => floor::run(args).map(|()| true),
        Task::ClientProcess => fleet::run().map(|()| true),
        Task::Load(scenario) => load(scenario, &cli.common),
        Task::Growth(args) => series::run("growth", &args.series(), &cli.common),
        Task::Memory(args) => series::run("memory", &[args.series()], &cli.common),
        Task::Disturb(args) => series::run("disturb", &[args.series()], &cli.common),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            report::complain(&format!("tilewire-loadtest: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Runs a scenario as often as asked and reports; says whether the judge had nothing to object to.
fn load(scenario: &Scenario, common: &Common) -> Result<bool> {
    let report = measure(scenario, common)?;
    report.write(common)?;
    Ok(report.is_good())
}

/// Runs a scenario as often as asked.
///
/// # Errors
/// When the server does not do what it must for the test to mean anything.
pub(crate) fn measure(scenario: &Scenario, common: &Common) -> Result<Report> {
    let (name, settings) = scenario::describe(scenario)?;
    let (mut machine, runtime) = host::prepare(common.server_cores.as_deref())?;
    if common.url.is_some() {
        // That server may be on another machine.
        machine.server_cores.clear();
    }
    let mut results = Vec::new();
    for round in 0..common.runs(scenario) {
        let seed = common.seed.wrapping_add(u64::from(round));
        results.push(runtime.block_on(scenario::run(scenario, common, seed))?);
    }
    let conditions = flags::conditions(name, common);
    Ok(Report::new(name, settings, conditions, machine, results))
}
