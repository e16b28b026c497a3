//! `tilewire position`: the best turns of one position.

use std::io::{self, Read, Write, stderr, stdin, stdout};
use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tilewire_rules::alphabet::TileSet;
use tilewire_rules::analysis::{EndingBudget, EndingSearch, Proof};
use tilewire_rules::bot::{Bot, BotLevel, BotTurn};
use tilewire_rules::lexicon::{FstLexicon, WordGraphs};
use tilewire_rules::movegen::{Generator, Scored};
use tilewire_rules::notation;
use tilewire_rules::ruleset::RuleSet;

use super::given::{Given, PositionError};
use crate::output::STANDARD;
use crate::record::source::{Problem, lexicon, named};

/// Exit status of invalid input, the same as for invalid flags.
const EXIT_INPUT: u8 = 2;
/// Longest position that is read from stdin, bytes.
const MAX_TEXT: u64 = 64 * 1024;
/// Most turns of a list.
const MAX_TURNS: i64 = 1_000;
/// Most positions of a search.
const MAX_NODES: i64 = 1_000_000_000;

const EXAMPLES: &str = "\
Examples:
  tilewire position \"15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 ABDEIRT/ 0/0 0\"
  tilewire record convert game.gcg --to cgp -o - | tilewire position -

The rack of the player on turn comes first; the other one may be missing. With an empty bag the turns are
solved: `value` is what the player still gains over the other, with unplayed tiles.";

/// Flags of `position`.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct PositionArgs {
    /// The position in CGP; `-` reads it from stdin
    #[arg(value_name = "CGP")]
    position: String,
    /// Rule set: a built-in one, or the file of an operator's [default: classic, or super for 21 rows]
    #[arg(long, value_name = "NAME|FILE")]
    rules: Option<String>,
    /// Language of the tiles [default: that of the rule set]
    #[arg(long, value_name = "NAME")]
    language: Option<String>,
    /// Lexicon: the built-in one (by its name), or a file [default: the built-in one]
    #[arg(long, value_name = "NAME|FILE")]
    lexicon: Option<String>,
    /// Number of turns to list
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u64).range(1..=MAX_TURNS as u64))]
    turns: u64,
    /// Positions to search when the bag is empty; about 100,000 a second
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = clap::value_parser!(u64).range(1..=MAX_NODES as u64))]
    nodes: u64,
}

/// The answer.
#[derive(Debug, Serialize)]
struct Outcome {
    /// `exact`, `depth` or `static`.
    proof: &'static str,
    /// How many turns deep the search was, if it did not prove the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u8>,
    /// Positions searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    turns: Vec<Turn>,
    /// The best play of both, if the value is proved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    line: Vec<String>,
}

/// A turn, as in GCG.
#[derive(Debug, Serialize)]
struct Turn {
    #[serde(rename = "move")]
    text: String,
    score: i32,
    /// Points: score and leave; in an ending the value.
    equity: f64,
    /// Points still gained over the other, in an ending.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<i32>,
}

/// A position or its rules that cannot be used.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("{0} ({code})", code = .0.code())]
    Position(#[from] PositionError),
    #[error("{0}")]
    Source(#[from] Problem),
    #[error("{0}")]
    Input(io::Error),
}

/// Prints the best turns of a position; returns the exit status.
///
/// # Errors
/// Returns an error if stdout is closed.
pub(crate) fn run(args: &PositionArgs, as_json: bool) -> Result<u8> {
    let outcome = match outcome(args) {
        Ok(outcome) => outcome,
        Err(refused) => {
            // An error of stderr cannot be reported.
            drop(writeln!(stderr(), "tilewire: {refused}"));
            return Ok(EXIT_INPUT);
        }
    };
    let mut out = stdout().lock();
    match as_json {
        true => writeln!(out, "{}", serde_json::to_string(&outcome)?)?,
        false => write_text(&mut out, &outcome)?,
    }
    Ok(0)
}

fn outcome(args: &PositionArgs) -> Result<Outcome, Refused> {
    let text = match args.position.as_str() {
        STANDARD => {
            let mut text = String::new();
            let mut input = stdin().lock().take(MAX_TEXT);
            input.read_to_string(&mut text).map_err(Refused::Input)?;
            text
        }
        text => text.to_owned(),
    };
    let given = Given::new(&text, rules(args, &text)?)?;
    let wanted = args.lexicon.as_deref();
    let builtin = FstLexicon::builtin();
    let words = lexicon(wanted, given.lexicon())?.unwrap_or(builtin);
    let words = Arc::new(WordGraphs::new(&words));
    let most = usize::try_from(args.turns).unwrap_or(usize::MAX);
    Ok(match given.last_rack() {
        Some(other) => solve(&given, other, &words, (most, args.nodes)),
        None => list(&given, words, most),
    })
}

fn rules(args: &PositionArgs, text: &str) -> Result<Arc<RuleSet>, Problem> {
    let is_large = || {
        text.split_whitespace()
            .next()
            .is_some_and(|board| board.split('/').count() == 21)
    };
    let usual = || if is_large() { "super" } else { "classic" };
    let rules = named(args.rules.as_deref().unwrap_or_else(usual))?;
    match &args.language {
        None => Ok(rules),
        Some(language) => {
            let problem = || Problem::Language(rules.id.clone(), language.clone());
            Ok(Arc::new(rules.in_language(language).ok_or_else(problem)?))
        }
    }
}

fn solve(
    given: &Given,
    other: &[tilewire_rules::alphabet::Tile],
    words: &WordGraphs,
    (turns, nodes): (usize, u64),
) -> Outcome {
    let seen = given.seen();
    let position = seen.ending(other);
    let budget = EndingBudget {
        turns,
        nodes,
        stop: &|| false,
    };
    let mut generator = Generator::new();
    let ending = EndingSearch::new().solve(&mut generator, words.all(), &position, budget);
    let tiles = &given.rules.tiles;
    let turns = ending.turns.iter().map(|turn| Turn {
        text: play_text(turn.play.as_ref(), tiles),
        score: turn.play.as_ref().map_or(0, |play| play.score),
        equity: f64::from(turn.value),
        value: Some(turn.value),
    });
    let line = ending.line.iter();
    let line = line.map(|play| play_text(play.as_ref(), tiles)).collect();
    let (proof, depth, line) = match ending.proof {
        Proof::Exact => ("exact", None, line),
        Proof::Depth(depth) => ("depth", Some(depth), Vec::new()),
    };
    Outcome {
        proof,
        depth,
        nodes: Some(ending.nodes),
        turns: turns.collect(),
        line,
    }
}

fn list(given: &Given, words: Arc<WordGraphs>, most: usize) -> Outcome {
    let seen = given.seen();
    let mut bot = Bot::new(BotLevel::Expert, words);
    let tiles = &given.rules.tiles;
    let turns = bot.candidates(&seen, most).into_iter().map(|turn| Turn {
        text: match &turn.turn {
            BotTurn::Play(placement) => notation::format(placement, tiles),
            BotTurn::Exchange(out) => format!("-{}", notation::format_rack(out, tiles)),
            BotTurn::Pass => play_text(None, tiles),
        },
        score: turn.score,
        equity: f64::from(turn.equity) / 100.0,
        value: None,
    });
    Outcome {
        proof: "static",
        depth: None,
        nodes: None,
        turns: turns.collect(),
        line: Vec::new(),
    }
}

/// A play as in GCG; a pass is a hyphen.
fn play_text(play: Option<&Scored>, tiles: &TileSet) -> String {
    play.map_or_else(
        || "-".to_owned(),
        |play| notation::format(&play.placement, tiles),
    )
}

fn write_text(out: &mut impl Write, outcome: &Outcome) -> io::Result<()> {
    let Outcome {
        proof,
        depth,
        nodes,
        turns,
        line,
    } = outcome;
    match (*proof, depth, nodes) {
        ("exact", _, Some(nodes)) => writeln!(out, "Solved after {nodes} positions.")?,
        ("depth", Some(depth), Some(nodes)) => writeln!(
            out,
            "Not solved after {nodes} positions, {depth} turns deep; --nodes sets the limit."
        )?,
        _ => writeln!(out, "By score and leave, without looking ahead.")?,
    }
    let width = turns
        .iter()
        .map(|turn| turn.text.chars().count())
        .max()
        .unwrap_or(0);
    let last = if turns.iter().any(|turn| turn.value.is_some()) {
        "value"
    } else {
        "equity"
    };
    writeln!(
        out,
        "{:>4}  {:width$}  {:>5}  {last:>7}",
        "", "move", "score"
    )?;
    for (rank, turn) in (1..).zip(turns) {
        let worth = match turn.value {
            Some(value) => format!("{value:+}"),
            None => format!("{:.1}", turn.equity),
        };
        let Turn { text, score, .. } = turn;
        writeln!(out, "{rank:>4}  {text:width$}  {score:>5}  {worth:>7}")?;
    }
    if line.len() > 1 {
        writeln!(out, "Best play: {}", line.join(", "))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Cli, Tool, Work};

    const ENDING: &str = "7B2PULAO/7E1FEH1J1/7D4QIN/7YONI1A1A/6REFUTED1R/5ZA5I1C/3AIAIA6O/VELDT2EVERY2S/\
        1WOO4A4PE/8G4H1/3C4ON3O1/3I3STATURES/3L3WON3BE/1dELIRIUM4EX/KIDS3My5T RTN/GGN 439/465 0";
    const OPENING: &str =
        "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 ABDEIRT/ 0/0 0 lex wordnik;";

    fn check(args: &[&str], due: &str) {
        let args = ["tilewire", "position"].iter().chain(args);
        let cli = Cli::try_parse_from(args).unwrap();
        let Work::Offline(Tool::Position(args)) = cli.work else {
            panic!("another task");
        };
        let found = match outcome(&args) {
            Ok(outcome) => serde_json::to_string(&outcome).unwrap(),
            Err(refused) => refused.to_string(),
        };
        assert!(found.contains(due), "{found}");
    }

    #[test]
    fn a_script_reads_moves_values_and_proof() {
        check(&[ENDING], r#"{"proof":"exact","nodes":"#);
        check(&[ENDING], r#""value":14}"#);
        check(&[ENDING, "--nodes", "1"], r#""proof":"depth","depth":"#);
        check(
            &[OPENING, "--turns", "1"],
            r#"{"proof":"static","turns":[{"move":"8G TRIBADE","score":74,"equity":"#,
        );
        // A race is decided by its target, so no value is proved.
        check(
            &[ENDING, "--rules", "classic-finish-line"],
            r#""proof":"static""#,
        );
        check(&["15/15 A/B 0/0 0"], "(board_size)");
        check(&[ENDING, "--lexicon", "/nowhere"], "/nowhere: ");
        check(&[ENDING, "--rules", "nothing"], "unknown rule set");
    }
}
