//! Pairs of runs of Tilewire and a bare server.

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use serde_json::{Value, to_value};
use tilewire_loadtest::host;
use tilewire_loadtest::options::CommonOptions;
use tilewire_loadtest::results::RunResult;
use tilewire_loadtest::scenario::hot::{self as hot_scenario, HotArgs};
use tilewire_loadtest::scenario::matches::{self as matches_scenario, MatchesArgs};

use super::{FloorKind, hot, matches};
use crate::pairs::{Comparison, Pairs, is_tilewire_first};

/// The bare server, and how often both are run.
#[derive(Debug, Clone, Copy, Args, Serialize)]
struct Floor {
    /// The bare server: relay or framed
    #[arg(long, value_enum, value_name = "KIND")]
    floor: FloorKind,
    /// Runs of each of the two servers, in turns
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pairs: u32,
}

/// Flags of `hot`.
#[derive(Debug, Clone, Args, Serialize)]
pub(crate) struct HotFloorArgs {
    #[command(flatten)]
    #[serde(flatten)]
    floor: Floor,
    #[command(flatten)]
    #[serde(flatten)]
    load: HotArgs,
}

/// Flags of `matches`.
#[derive(Debug, Clone, Args, Serialize)]
pub(crate) struct MatchesFloorArgs {
    #[command(flatten)]
    #[serde(flatten)]
    floor: Floor,
    #[command(flatten)]
    #[serde(flatten)]
    load: MatchesArgs,
}

/// Compares one game with many spectators.
///
/// # Errors
/// When a flag has no effect on a bare server, a server does not start, or a delivery is missing.
pub(crate) fn compare_hot(args: &HotFloorArgs, common: &CommonOptions) -> Result<()> {
    let load = &args.load;
    refuse(&[
        ("--processes", load.processes > 0),
        ("--storm", load.storm),
        ("--stalled", load.stalled > 0.0),
    ])?;
    let kind = args.floor.floor;
    compare(
        "hot",
        args.floor,
        to_value(args)?,
        common,
        async |seed| tilewire(hot_scenario::run(load, common, seed).await?),
        async |seed| Ok(to_value(hot::run(kind, load, common, seed).await?)?),
    )
}

/// Compares many games.
///
/// # Errors
/// When a flag has no effect on a bare server, a server does not start, or a delivery is missing.
pub(crate) fn compare_matches(args: &MatchesFloorArgs, common: &CommonOptions) -> Result<()> {
    let load = &args.load;
    refuse(&[
        ("--processes", load.processes > 0),
        ("--followers", load.followers > 0),
        ("--sign-ins", load.sign_ins > 0),
    ])?;
    let kind = args.floor.floor;
    compare(
        "matches",
        args.floor,
        to_value(args)?,
        common,
        async |seed| tilewire(matches_scenario::run(load, common, seed).await?),
        async |seed| Ok(to_value(matches::run(kind, load, common, seed).await?)?),
    )
}

fn compare(
    scenario: &'static str,
    floor: Floor,
    settings: Value,
    common: &CommonOptions,
    tilewire: impl AsyncFn(u64) -> Result<Value>,
    bare: impl AsyncFn(u64) -> Result<Value>,
) -> Result<()> {
    let (machine, runtime) = host::prepare(common.server_cores.as_deref())?;
    let mut pairs = Pairs::new(floor.floor.name(), None);
    for pair in 0..floor.pairs {
        let seed = common.seed.wrapping_add(u64::from(pair));
        let (own, theirs) = runtime.block_on(async {
            if is_tilewire_first(pair) {
                let own = tilewire(seed).await?;
                anyhow::Ok((own, bare(seed).await?))
            } else {
                let theirs = bare(seed).await?;
                Ok((tilewire(seed).await?, theirs))
            }
        })?;
        pairs.add(own, theirs);
    }
    let mut comparison = Comparison::new(scenario, settings, common, machine);
    comparison.add(pairs);
    comparison.write(common.json.as_deref())
}

/// The metrics of a run of Tilewire that passed its audit.
fn tilewire(result: RunResult) -> Result<Value> {
    if result.metrics.violations > 0 {
        bail!("Tilewire failed the audit: {:?}", result.objections);
    }
    if let Some(failure) = result.failures.first() {
        bail!("the run of Tilewire failed: {failure}");
    }
    Ok(to_value(result.metrics)?)
}

fn refuse(flags: &[(&str, bool)]) -> Result<()> {
    match flags.iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => bail!("{flag} has no effect on a bare server"),
        None => Ok(()),
    }
}
