//! `tilewire position`: the best turns of one position.

use std::io::{self, Read, Write, stderr, stdin, stdout};
use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use tilewire_rules::alphabet::TileSet;
use tilewire_rules::analysis::{
    BeforeEnd, BeforeEndBudget, BudgetError, EndingBudget, Engine, MAX_CANDIDATES, MAX_PLIES,
    MAX_SAMPLES, Proof, Reason, SampleBudget, Simulation, decided,
};
use tilewire_rules::bot::{BotTurn, Candidate};
use tilewire_rules::lexicon::{FstLexicon, WordGraphs};
use tilewire_rules::movegen::Scored;
use tilewire_rules::notation;
use tilewire_rules::ruleset::RuleSet;

use super::given::{Given, PositionError};
use super::listing::{Outcome, Turn, write_text};
use super::simulate::{MAX_THREADS, all_threads, engines, simulate};
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
  tilewire position \"15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 ABDEIRT/ 0/0 0\" --samples 2000

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
    /// Positions to search when the bag has at most four tiles; about 100,000 a second
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = clap::value_parser!(u64).range(1..=MAX_NODES as u64))]
    nodes: u64,
    /// Simulate the best turns in up to this number of samples each, unless the bag is empty
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SAMPLES)))]
    samples: Option<u32>,
    /// Number of turns to simulate, the best by score and leave
    #[arg(long, value_name = "N", default_value = "15", requires = "samples", value_parser = clap::value_parser!(u64).range(1..=MAX_CANDIDATES as u64))]
    candidates: u64,
    /// Turns to look ahead in a sample; the whole rest of the game when few tiles are unseen
    #[arg(long, value_name = "N", default_value = "2", requires = "samples", value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_PLIES)))]
    plies: u8,
    /// Seed of the samples: the same seed gives the same answer
    #[arg(long, value_name = "NUMBER", default_value = "1", requires = "samples")]
    seed: u64,
    /// Threads; the answer is the same with any number [default: all]
    #[arg(long, value_name = "N", requires = "samples", value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: Option<u64>,
}

/// A position or its rules that cannot be used.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("{0} ({code})", code = .0.code())]
    Position(#[from] PositionError),
    #[error("{0} ({code})", code = .0.code())]
    Budget(#[from] BudgetError),
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
    match (given.last_rack(), args.samples) {
        (Some(other), _) => Ok(solve(&given, other, words, (most, args.nodes))),
        (None, Some(samples)) => sampled(args, &given, &words, (most, samples)),
        (None, None) => Ok(unseen(&given, words, (most, args.nodes))),
    }
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
    words: Arc<WordGraphs>,
    (turns, nodes): (usize, u64),
) -> Outcome {
    let seen = given.seen();
    let position = seen.ending(other);
    let budget = EndingBudget {
        turns,
        nodes,
        stop: &|| false,
    };
    let ending = Engine::new(words, &given.rules).ending(&position, budget);
    let tiles = &given.rules.tiles;
    let turns = ending.turns.iter().map(|turn| Turn {
        equity: f64::from(turn.value),
        win: Some(decided(seen.lead().saturating_add(turn.value))),
        value: Some(turn.value),
        ..Turn::new(
            play_text(turn.play.as_ref(), tiles),
            turn.play.as_ref().map_or(0, |play| play.score),
        )
    });
    let line = ending.line.iter();
    let line = line.map(|play| play_text(play.as_ref(), tiles)).collect();
    let (proof, depth, line) = match ending.proof {
        Proof::Exact => ("exact", None, line),
        Proof::Depth(depth) => ("depth", Some(depth), Vec::new()),
    };
    Outcome {
        depth,
        nodes: Some(ending.nodes),
        line,
        ..Outcome::new(proof, turns.collect())
    }
}

/// Plays every draw if few tiles are in the bag, else lists by score and leave.
fn unseen(given: &Given, words: Arc<WordGraphs>, (most, nodes): (usize, u64)) -> Outcome {
    let seen = given.seen();
    let mut engine = Engine::new(words, &given.rules);
    let budget = BeforeEndBudget {
        kept: None,
        nodes,
        stop: &|| false,
    };
    // A race is decided by its target (R-END-13).
    let has_points = given.rules.targets.is_none();
    if let Some(found) = has_points
        .then(|| engine.before_end(&seen, budget))
        .flatten()
    {
        return before_end(given, &found, most);
    }
    let candidates = engine.list(&seen, most);
    let turns = candidates.iter().map(|turn| listed(turn, given));
    Outcome::new("static", turns.collect())
}

fn before_end(given: &Given, found: &BeforeEnd, most: usize) -> Outcome {
    let turns = found.turns.iter().take(most).map(|turn| Turn {
        win: Some(turn.win),
        sure: turn.sure,
        lead: Some(points(turn.lead)),
        ..listed(&turn.candidate, given)
    });
    let (proof, depth) = match found.is_proved() {
        true => ("exact", None),
        false => ("depth", Some(found.stage)),
    };
    Outcome {
        depth,
        nodes: Some(found.nodes),
        stages: Some(BeforeEnd::STAGES),
        ..Outcome::new(proof, turns.collect())
    }
}

fn sampled(
    args: &PositionArgs,
    given: &Given,
    words: &Arc<WordGraphs>,
    (most, samples): (usize, u32),
) -> Result<Outcome, Refused> {
    let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let threads = args.threads.map_or_else(all_threads, count);
    let mut engines = engines(words, &given.rules, threads);
    let seen = given.seen();
    let candidates = engines[0].list(&seen, count(args.candidates));
    let of = Simulation {
        seen: &seen,
        candidates: &candidates,
        plies: args.plies,
        seed: args.seed,
    };
    let budget = SampleBudget {
        samples,
        kept: None,
    };
    let simulated = simulate(&mut engines, &of, &budget, &|| false)?;
    let estimates = simulated.tallies.estimates();
    let turns = estimates.iter().take(most).map(|estimate| Turn {
        win: Some(estimate.win),
        error: Some(estimate.error),
        equal: Some(estimate.is_equal),
        lead: Some(points(estimate.lead)),
        samples: Some(estimate.samples),
        ..listed(&candidates[estimate.candidate], given)
    });
    Ok(Outcome {
        samples: Some(simulated.tallies.samples()),
        reason: simulated.reason.map(Reason::name),
        ..Outcome::new("sampled", turns.collect())
    })
}

/// A turn of a list.
fn listed(turn: &Candidate, given: &Given) -> Turn {
    Turn {
        equity: f64::from(turn.equity) / 100.0,
        ..Turn::new(turn_text(&turn.turn, &given.rules.tiles), turn.score)
    }
}

/// Hundredths of a point as points, with one decimal place.
#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn points(hundredths: i64) -> f64 {
    (hundredths / 10) as f64 / 10.0
}

/// A turn as in GCG.
pub(super) fn turn_text(turn: &BotTurn, tiles: &TileSet) -> String {
    match turn {
        BotTurn::Play(placement) => notation::format(placement, tiles),
        BotTurn::Exchange(out) => format!("-{}", notation::format_rack(out, tiles)),
        BotTurn::Pass => play_text(None, tiles),
    }
}

/// A play as in GCG; a pass is a hyphen.
fn play_text(play: Option<&Scored>, tiles: &TileSet) -> String {
    play.map_or_else(
        || "-".to_owned(),
        |play| notation::format(&play.placement, tiles),
    )
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

    fn check(args: &[&str], due: &str) -> String {
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
        found
    }

    #[test]
    fn a_script_reads_moves_values_and_proof() {
        check(&[ENDING], r#"{"proof":"exact","nodes":"#);
        check(&[ENDING], r#""win":0,"value":14}"#);
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
        let sampled = |threads| {
            let flags = [
                "--samples",
                "100",
                "--candidates",
                "3",
                "--turns",
                "2",
                "--threads",
                threads,
            ];
            let due = r#""proof":"sampled","samples":100,"reason":"samples","turns":[{"move":"8G TRIBADE","score":74,"equity":"#;
            check(&[&[OPENING][..], &flags].concat(), due)
        };
        let one = sampled("1");
        assert_eq!(one, sampled("3"));
        assert!(
            one.contains(r#""win":"#) && one.contains(r#""equal":true"#),
            "{one}"
        );
        check(&["15/15 A/B 0/0 0"], "(board_size)");
        check(&[ENDING, "--lexicon", "/nowhere"], "/nowhere: ");
        check(&[ENDING, "--rules", "nothing"], "unknown rule set");
    }
}
