//! `tilewire bot-train`: leave values learned from games the expert plays with itself.

use std::io::{Write, stderr};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Args;
use tilewire_rules::bot::{TrainingPlan, train};
use tilewire_rules::lexicon::{FstLexicon, WordGraphs};

use super::rule_set;

/// Flags of `bot-train`.
#[derive(Debug, Clone, Args)]
pub struct TrainArgs {
    /// Where to write the values
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Games of each round
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    games: u64,
    /// Rounds; each plays with what the one before has learned
    #[arg(long, value_name = "N", default_value_t = 4)]
    rounds: u32,
    /// Rule set
    #[arg(long, value_name = "NAME", default_value = "classic")]
    rules: String,
    /// What everything follows from
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

/// Learns and writes; returns the exit status.
///
/// # Errors
/// When there is no such rule set or the file cannot be written.
pub(crate) fn run(args: &TrainArgs) -> Result<u8> {
    let rules = rule_set(&args.rules)?;
    let lexicon = FstLexicon::builtin();
    let words = Arc::new(WordGraphs::new(&lexicon));
    let plan = TrainingPlan {
        rounds: args.rounds,
        games: args.games,
        seed: args.seed,
    };
    let table = train(&rules, &*lexicon, &words, plan, |round, games, average| {
        // With stderr gone there is nobody left to tell.
        drop(writeln!(
            stderr(),
            "round {round}: {games} games, {average:.2} points a turn"
        ));
    })?;
    let comment = "# What tiles kept on a rack are worth, in hundredths of a point; made by `tilewire bot-train`.\n";
    let text = format!("{comment}{}", toml::to_string(&table)?);
    std::fs::write(&args.output, text)
        .with_context(|| format!("{} cannot be written", args.output.display()))?;
    Ok(0)
}
