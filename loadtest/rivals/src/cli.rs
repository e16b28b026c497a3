//! The command line.

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};
use tilewire_loadtest::options::CommonOptions;

use crate::floor::{self, FloorArgs, HotFloorArgs, MatchesFloorArgs};
use crate::products::{self, ProductsArgs};

const EXAMPLES: &str = "\
Examples:
  tilewire-rivals products --product nchan --spectators 1000 --rate 10 --pairs 5
      One game with 1000 spectators: Tilewire and Nchan in turns; ./install nchan installs Nchan
  tilewire-rivals products --product colyseus --rooms 100 --room-rate 100 --pairs 5
      100 rooms of two players: Tilewire and Colyseus in turns
  tilewire-rivals hot --floor framed --pairs 5 --spectators 2000 --rate 5
      One game with 2000 spectators, in turns with a server that only forwards frames
  tilewire-rivals matches --floor relay --pairs 5 --games 100
      100 games, in turns with a server that forwards the same frames without rules and disk
  tilewire-rivals floor disk
      1000 appends with fdatasync";

/// Compares Tilewire with other products and with bare servers.
///
/// Each pair runs both servers one after the other on the same cores with the same clients; ratios are taken within
/// pairs. A run with a missing or repeated delivery is an error.
#[derive(Debug, Parser)]
#[command(name = "tilewire-rivals", version, after_help = EXAMPLES, max_term_width = 100)]
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
    /// Compare with other products
    Products(ProductsArgs),
    /// One game with many spectators, compared with a bare server
    Hot(HotFloorArgs),
    /// Many games, compared with a bare server
    Matches(MatchesFloorArgs),
    /// Run a bare server, or measure the disk
    Floor(FloorArgs),
}

/// Runs the command line.
///
/// # Errors
/// When a flag has no effect, a server does not start, or a delivery is missing or repeated.
pub(crate) fn run() -> Result<()> {
    let cli = Cli::parse();
    check(&cli.common)?;
    let common = &cli.common;
    match &cli.task {
        Task::Products(args) => products::run(args, common),
        Task::Hot(args) => floor::compare_hot(args, common),
        Task::Matches(args) => floor::compare_matches(args, common),
        Task::Floor(args) => floor::run(args),
    }
}

/// Refuses the common options that have no effect here.
fn check(common: &CommonOptions) -> Result<()> {
    let useless = [
        (
            "--url",
            common.url.is_some(),
            "each pair starts its own server",
        ),
        (
            "--html",
            common.html.is_some(),
            "the report is text or JSON",
        ),
        (
            "--repeat",
            common.repeat != 1,
            "--pairs sets the number of runs",
        ),
        (
            "--disk-probe",
            common.disk_probe,
            "the report has no disk latency",
        ),
    ];
    for (flag, is_given, why) in useless {
        if is_given {
            bail!("{flag} has no effect: {why}");
        }
    }
    Ok(())
}
