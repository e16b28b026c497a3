//! What the server is loaded with, one module each.

pub(crate) mod clocks;
pub(crate) mod crash;
pub(crate) mod hot;
pub(crate) mod idle;
pub(crate) mod matches;
pub(crate) mod mixed;
pub(crate) mod restart;

use anyhow::Result;
use serde_json::{Value, to_value};

use crate::args::{Common, Scenario};
use crate::results::RunResult;

/// House bots that think for seconds would make games of hours.
const BRISK_HOUSE_BOTS: &str = "[timing]\nbot_pause_min_ms = 20\nbot_pause_max_ms = 200\n";

/// The settings a server needs for these opponents.
const fn settings_for(house_bots: bool) -> &'static str {
    if house_bots { BRISK_HOUSE_BOTS } else { "" }
}

/// Name and settings of a scenario, for the report.
///
/// # Errors
/// When a profile is none.
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
/// When the server does not do what it must for the test to mean anything.
pub(crate) async fn run(scenario: &Scenario, common: &Common, seed: u64) -> Result<RunResult> {
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
            result.failures.push("no game was judged".to_owned());
        }
        result
    })
}
