//! `tilewire bot-train`: leave values, learned from games of the expert bot against itself.

use std::io::{Write, stderr, stdout};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use serde_json::json;
use tilewire_rules::bot::{TrainingPlan, train};
use tilewire_rules::lexicon::{FstLexicon, WordGraphs};

use super::rule_set;
use crate::output::{self, Existing};

/// Flags of `bot-train`.
#[derive(Debug, Clone, Args)]
pub struct TrainArgs {
    /// File to write the values to
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
    /// Games in each round
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    games: u64,
    /// Rounds; each uses the values of the previous round
    #[arg(long, value_name = "N", default_value_t = 4)]
    rounds: u32,
    /// Rule set
    #[arg(long, value_name = "NAME", default_value = "classic")]
    rules: String,
    /// Seed of all games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

/// Trains and writes the values to the file; returns the exit status.
///
/// # Errors
/// Returns an error if the rule set is unknown or the file cannot be written.
pub(crate) fn run(args: &TrainArgs, as_json: bool) -> Result<u8> {
    let existing = Existing::with_force(args.force);
    existing.check(&args.output)?;
    let rules = rule_set(&args.rules)?;
    let lexicon = FstLexicon::builtin();
    let words = Arc::new(WordGraphs::new(&lexicon));
    let plan = TrainingPlan {
        rounds: args.rounds,
        games: args.games,
        seed: args.seed,
    };
    let table = train(&rules, &*lexicon, &words, plan, |round, games, average| {
        // The progress is optional, so an error of stderr does not matter.
        drop(writeln!(
            stderr(),
            "round {round}: {games} games, {average:.2} points per turn"
        ));
    })?;
    let comment = "# Values of the tiles kept on a rack, in hundredths of a point; written by `tilewire bot-train`.\n";
    let text = format!("{comment}{}", toml::to_string(&table)?);
    output::write(&args.output, text.as_bytes(), existing)?;
    if as_json {
        let trained = json!({ "file": args.output, "rounds": args.rounds, "games": args.games });
        writeln!(stdout(), "{trained}")?;
    }
    Ok(0)
}
