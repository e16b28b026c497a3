//! `tilewire bot-train`: leave values and chances to win, learned from games of the expert bot against itself.

use std::collections::BTreeMap;
use std::io::{Write, stderr, stdout};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use serde_json::json;
use tilewire_rules::analysis::{ChanceTables, Chances};
use tilewire_rules::bot::{Lesson, TrainingPlan, chance_lessons, learn_chances, tenths, train};
use tilewire_rules::lexicon::{FstLexicon, WordGraphs};
use tilewire_rules::ruleset::RuleSet;

use super::rule_set;
use crate::output::{self, Existing};

/// Flags of `bot-train`.
#[derive(Debug, Clone, Args)]
pub struct TrainArgs {
    /// File to write the values to
    #[arg(short, long, value_name = "FILE", required_unless_present = "check")]
    output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
    /// Learn the chances to win instead, for every rule set or those given with --rules
    #[arg(long, conflicts_with = "rounds")]
    chances: bool,
    /// Learn nothing: compare the chances of this program with the results of games
    #[arg(long, requires = "chances", conflicts_with = "output")]
    check: bool,
    /// Games in each round, or of each rule set with --chances
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    games: u64,
    /// Rounds; each uses the values of the previous round
    #[arg(long, value_name = "N", default_value_t = 4)]
    rounds: u32,
    /// Rule set [default: classic, or all with --chances]
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
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
    if let Some(file) = &args.output {
        existing.check(file)?;
    }
    let Some(file) = &args.output else {
        return check(args, as_json);
    };
    let (title, values) = match args.chances {
        true => (
            "How far leads still move, in tenths of a point",
            chances(args)?,
        ),
        false => {
            let title = "What tiles kept on a rack are worth, in hundredths of a point";
            (title, leaves(args)?)
        }
    };
    let text = format!("# {title}; made by `tilewire bot-train`.\n{values}");
    output::write(file, text.as_bytes(), existing)?;
    if as_json {
        let trained = json!({ "file": file, "rounds": args.rounds, "games": args.games });
        writeln!(stdout(), "{trained}")?;
    }
    Ok(0)
}

fn leaves(args: &TrainArgs) -> Result<String> {
    let rules = rule_set(args.rules.as_deref().unwrap_or("classic"))?;
    let lexicon = FstLexicon::builtin();
    let words = Arc::new(WordGraphs::new(&lexicon));
    let plan = TrainingPlan {
        rounds: args.rounds,
        games: args.games,
        seed: args.seed,
    };
    let table = train(&rules, &*lexicon, &words, plan, |round, games, average| {
        tell(format_args!(
            "round {round}: {games} games, {average:.2} points per turn"
        ));
    })?;
    Ok(toml::to_string(&table)?)
}

/// Tells the progress, which is optional: an error of stderr does not matter.
fn tell(progress: std::fmt::Arguments<'_>) {
    drop(writeln!(stderr(), "{progress}"));
}

fn chances(args: &TrainArgs) -> Result<String> {
    let made_by = format!("{} games of each rule set, seed {}", args.games, args.seed);
    let mut tables = ChanceTables {
        language: "english".to_owned(),
        made_by,
        tables: BTreeMap::new(),
    };
    for (rules, lessons) in lessons(args)? {
        tell(format_args!("{}: {} turns", rules.id, lessons.len()));
        tables
            .tables
            .insert(rules.id.clone(), learn_chances(&lessons));
    }
    // A table like that of `classic` need not be there.
    let classic = tables.tables.get("classic").cloned();
    tables
        .tables
        .retain(|id, rows| id == "classic" || Some(&*rows) != classic.as_ref());
    // The file has a line for each row of the table.
    Ok(toml::to_string(&tables)?.replace("], [", "],\n["))
}

/// Plays the games of the rule sets, one after the other.
fn lessons(args: &TrainArgs) -> Result<impl Iterator<Item = (Arc<RuleSet>, Vec<Lesson>)>> {
    let rules = match &args.rules {
        Some(name) => vec![rule_set(name)?],
        None => RuleSet::builtins().to_vec(),
    };
    let lexicon = FstLexicon::builtin();
    let words = Arc::new(WordGraphs::new(&lexicon));
    let seeds = args.seed..args.seed.saturating_add(args.games);
    // A rule set that demands challenges is left out: bots play it as `classic`.
    Ok(rules.into_iter().filter_map(move |rules| {
        let lessons = chance_lessons(&rules, &*lexicon, &words, seeds.clone());
        lessons.ok().map(|lessons| (rules, lessons))
    }))
}

/// Prints how often the side on turn won, beside its chance, by tenths of the chance.
fn check(args: &TrainArgs, as_json: bool) -> Result<u8> {
    let mut out = stdout().lock();
    for (rules, lessons) in lessons(args)? {
        let tenths = tenths(&Chances::of(&rules), &lessons);
        if as_json {
            let rows = tenths.map(
                |of| json!({ "positions": of.positions, "expected": of.expected, "won": of.won }),
            );
            writeln!(
                out,
                "{}",
                json!({ "rules": rules.id, "games": args.games, "tenths": rows })
            )?;
            continue;
        }
        writeln!(out, "{}, {} games", rules.id, args.games)?;
        writeln!(
            out,
            "  {:>9}  {:>8}  {:>6}  {:>5}",
            "positions", "expected", "won", "error"
        )?;
        for of in tenths.iter().filter(|of| of.positions > 0) {
            let [expected, won] = [of.expected, of.won].map(|sum| percent(sum, of.positions));
            let (positions, error) = (of.positions, won - expected);
            writeln!(
                out,
                "  {positions:>9}  {expected:>8.2}  {won:>6.2}  {error:>+5.2}"
            )?;
        }
    }
    Ok(0)
}

/// The mean of a sum of chances, in percent.
#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn percent(sum: u64, count: u64) -> f64 {
    sum as f64 / count as f64 / 100.0
}
