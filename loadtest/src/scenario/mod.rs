//! The scenarios that load a server, one module each.

pub(crate) mod clocks;
pub(crate) mod crash;
pub mod hot;
pub(crate) mod idle;
pub mod matches;
pub(crate) mod mixed;
pub(crate) mod restart;

use anyhow::Result;
use clap::Subcommand;
use serde_json::{Value, to_value};

use crate::host;
use crate::options::{CommonOptions, conditions};
use crate::report::Report;
use crate::results::RunResult;
use clocks::ClocksArgs;
use crash::CrashArgs;
use hot::HotArgs;
use idle::IdleArgs;
use matches::MatchesArgs;
use mixed::MixedArgs;
use restart::RestartArgs;

/// A scenario.
#[derive(Debug, Subcommand)]
pub(crate) enum Scenario {
    /// Many concurrent games between bots, with spectators
    Matches(MatchesArgs),
    /// One game with many spectators
    Hot(HotArgs),
    /// Idle connections: their memory and CPU
    Idle(IdleArgs),
    /// Many running clocks: the delay until flags fall
    Clocks(ClocksArgs),
    /// Restart the server with many unfinished games; all clients reconnect
    Restart(RestartArgs),
    /// Kill the server repeatedly; no acknowledged command may be lost or duplicated
    Crash(CrashArgs),
    /// Mixed load from a profile: many kinds of games, arrivals and departures, injected faults
    Mixed(MixedArgs),
}

/// Short pauses of house bots; with the defaults a game would last hours.
const BRISK_HOUSE_BOTS: &str = "[timing]\nbot_pause_min_ms = 20\nbot_pause_max_ms = 200\n";

/// The server settings for these opponents.
const fn settings_for(house_bots: bool) -> &'static str {
    if house_bots { BRISK_HOUSE_BOTS } else { "" }
}

/// The name and the settings of a scenario for the report.
///
/// # Errors
/// When the profile is invalid.
pub(crate) fn describe(scenario: &Scenario) -> Result<(&'static str, Value)> {
    Ok(match scenario {
        Scenario::Matches(args) => ("matches", to_value(args)?),
        Scenario::Hot(args) => ("hot", to_value(args)?),
        Scenario::Idle(args) => ("idle", to_value(args)?),
        Scenario::Clocks(args) => ("clocks", to_value(args)?),
        Scenario::Restart(args) => ("restart", to_value(args)?),
        Scenario::Crash(args) => ("crash", to_value(args)?),
        Scenario::Mixed(args) => ("mixed", mixed::settings(args)?),
    })
}

/// Runs a scenario once.
///
/// # Errors
/// When the server fails in a way that makes the run meaningless.
pub(crate) async fn run(
    scenario: &Scenario,
    common: &CommonOptions,
    seed: u64,
) -> Result<RunResult> {
    let result = match scenario {
        Scenario::Matches(args) => matches::run(args, common, seed).await,
        Scenario::Hot(args) => hot::run(args, common, seed).await,
        Scenario::Idle(args) => idle::run(args, common, seed).await,
        Scenario::Clocks(args) => clocks::run(args, common, seed).await,
        Scenario::Restart(args) => restart::run(args, common, seed).await,
        Scenario::Crash(args) => crash::run(args, common, seed).await,
        Scenario::Mixed(args) => mixed::run(args, common, seed).await,
    };
    result.map(|mut result| {
        let plays = !matches!(scenario, Scenario::Idle(_));
        if plays && result.metrics.games_audited == 0 {
            result.failures.push("no game was audited".to_owned());
        }
        result
    })
}

/// Runs a scenario as often as `common` says and returns the report.
///
/// # Errors
/// When the server fails in a way that makes the run meaningless.
pub(crate) fn measure(scenario: &Scenario, common: &CommonOptions) -> Result<Report> {
    let (name, settings) = describe(scenario)?;
    let (mut machine, runtime) = host::prepare(common.server_cores.as_deref())?;
    if common.url.is_some() {
        // That server may be on another machine.
        machine.server_cores.clear();
    }
    let mut results = Vec::new();
    for round in 0..common.repeat {
        let seed = common.seed.wrapping_add(u64::from(round));
        results.push(runtime.block_on(run(scenario, common, seed))?);
    }
    let conditions = conditions(name, common);
    Ok(Report::new(name, settings, conditions, machine, results))
}
