//! `tilewire analyze`: the report of a finished game, or of all games in a directory.

use std::io::{Write, stderr, stdout};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use clap::Args;
use tilewire_rules::analysis::{
    Effort, Evaluation, Figures, Grade, Judged, MAX_CANDIDATES, MAX_PLIES, MAX_SAMPLES, figures,
    grade,
};
use tilewire_rules::bot::BotTurn;
use tilewire_rules::lexicon::WordGraphs;
use tilewire_rules::record::MadeTurn;
use tilewire_rules::ruleset::RuleSet;

use super::game::{Game, GameError};
use super::simulate::{MAX_THREADS, all_threads};
use super::{show, work};
use crate::record::RecordFile;

/// Exit status of invalid input, the same as for invalid flags.
const EXIT_INPUT: u8 = 2;
/// Most positions of an ending in a quick report.
const QUICK_NODES: u64 = 50_000;
/// Racks that the luck of a draw is measured with.
const RACKS: u32 = 200;
/// Most games of a directory.
const MAX_GAMES: usize = 10_000;

const EXAMPLES: &str = "\
Examples:
  tilewire analyze game.gcg
  tilewire analyze game.jsonl --quick
  tilewire analyze GAME                   a finished game on the server
  tilewire analyze games/ --seat 0 --json

Marks: ?! a small mistake (at least 0.5 % of the chance to win), ? a medium one (3 %), ?? a large one (7 %).
Endings are graded by points: 1, 7 and 15; a move that gives a win or a tie away is a large mistake.
Ctrl-C ends the analysis and shows the turns that are done.";

/// Flags of `analyze`.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct AnalyzeArgs {
    #[command(flatten)]
    record: RecordFile,
    /// Lexicon: the built-in one (by its name), or a file [default: that of the record, or the built-in one]
    #[arg(long, value_name = "NAME|FILE")]
    lexicon: Option<String>,
    /// Compare turns by score and leave, without a simulation; endings are searched less
    #[arg(long, conflicts_with_all = ["samples", "candidates", "plies", "nodes"])]
    quick: bool,
    /// Only the turns of this seat; the player who began has seat 0
    #[arg(long, value_name = "N")]
    seat: Option<usize>,
    /// Most samples of a turn
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SAMPLES)))]
    samples: u32,
    /// Turns to simulate in a position, the best by score and leave; the move that was made comes in addition
    #[arg(long, value_name = "N", default_value = "15", value_parser = clap::value_parser!(u64).range(1..MAX_CANDIDATES as u64))]
    candidates: u64,
    /// Turns to look ahead in a sample; the whole rest of the game when few tiles are unseen
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_PLIES)))]
    plies: u8,
    /// Positions to search in an ending, twice for each turn
    #[arg(long, value_name = "N", default_value = "200000", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Seed of the samples: the same seed gives the same report
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    seed: u64,
    /// Threads; the report is the same with any number [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: Option<u64>,
}

/// A game and its evaluations.
pub(super) struct Analysed<'a> {
    pub(super) game: &'a Game,
    pub(super) effort: Effort,
    pub(super) turns: Vec<TurnReport<'a>>,
    pub(super) figures: Vec<Figures>,
    /// Whether every turn was evaluated that can be.
    pub(super) is_complete: bool,
}

/// A turn of the report.
pub(super) struct TurnReport<'a> {
    pub(super) made: &'a MadeTurn,
    pub(super) evaluation: Option<Evaluation>,
    pub(super) grade: Option<Grade>,
    pub(super) time_ms: Option<i64>,
}

/// Prints the report; returns the exit status.
///
/// # Errors
/// Returns an error if stdout is closed.
pub(crate) fn run(args: &AnalyzeArgs, server: &str, as_json: bool) -> Result<u8> {
    let files = match files(&args.record.file) {
        Ok(files) => files,
        Err(reason) => {
            // An error of stderr cannot be reported.
            drop(writeln!(stderr(), "tilewire: {reason}"));
            return Ok(EXIT_INPUT);
        }
    };
    let stop = work::interruptible();
    let mut status = 0;
    let mut words: Option<([u8; 32], Arc<WordGraphs>)> = None;
    for (number, file) in (0..).zip(files) {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let mut record = args.record.clone();
        record.file = file;
        let loaded = Game::load(&record, args.lexicon.as_deref(), server)
            .and_then(|game| game.check_seat(args.seat).map(|()| game));
        let game = match loaded {
            Ok(game) => game,
            Err(refused) => {
                drop(writeln!(stderr(), "tilewire: {refused}"));
                status = EXIT_INPUT;
                continue;
            }
        };
        let graphs = graphs(&mut words, &game);
        let analysed = analyse(args, &game, &graphs, &stop);
        let mut out = stdout().lock();
        if as_json {
            writeln!(out, "{}", show::json(&analysed))?;
        } else {
            if number > 0 {
                writeln!(out)?;
            }
            show::write_text(&mut out, &analysed)?;
        }
    }
    Ok(status)
}

/// The words of a game; games with the same lexicon share them.
fn graphs(known: &mut Option<([u8; 32], Arc<WordGraphs>)>, game: &Game) -> Arc<WordGraphs> {
    use tilewire_rules::lexicon::Lexicon;
    let hash = *game.lexicon.hash();
    match known {
        Some((other, words)) if *other == hash => Arc::clone(words),
        _ => {
            let words = Arc::new(WordGraphs::new(&game.lexicon));
            *known = Some((hash, Arc::clone(&words)));
            words
        }
    }
}

/// The records of a directory, by name; or the file itself.
fn files(name: &str) -> Result<Vec<String>, GameError> {
    use crate::record::source::Problem;
    let path = Path::new(name);
    if !path.is_dir() {
        return Ok(vec![name.to_owned()]);
    }
    let problem = |source| {
        GameError::Source(Problem::Read {
            path: path.to_owned(),
            source,
        })
    };
    let mut files = Vec::new();
    for entry in path.read_dir().map_err(problem)?.take(MAX_GAMES) {
        let path = entry.map_err(problem)?.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        if matches!(extension, Some("gcg" | "jsonl")) {
            files.push(path.to_string_lossy().into_owned());
        }
    }
    files.sort();
    match files.is_empty() {
        true => Err(GameError::NoTurns(name.to_owned())),
        false => Ok(files),
    }
}

fn effort(args: &AnalyzeArgs) -> Effort {
    let full = Effort {
        samples: args.samples,
        candidates: usize::try_from(args.candidates).unwrap_or(MAX_CANDIDATES),
        plies: args.plies,
        nodes: args.nodes,
        racks: RACKS,
        seed: args.seed,
    };
    match args.quick {
        true => Effort {
            samples: 0,
            candidates: 1,
            nodes: QUICK_NODES,
            racks: 0,
            ..full
        },
        false => full,
    }
}

/// Evaluates a game and judges its turns.
fn analyse<'a>(
    args: &AnalyzeArgs,
    game: &'a Game,
    words: &Arc<WordGraphs>,
    stop: &AtomicBool,
) -> Analysed<'a> {
    let effort = effort(args);
    let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let threads = args.threads.map_or_else(all_threads, count);
    let evaluations = work::evaluate(game, words, (&effort, args.seat), threads, stop);
    let times = game.times.iter().copied().map(Some);
    let times = times.chain(std::iter::repeat(None));
    let turns: Vec<TurnReport<'_>> = game
        .turns
        .iter()
        .zip(evaluations)
        .zip(times)
        .map(|((made, evaluation), time_ms)| TurnReport {
            made,
            grade: evaluation.as_ref().map(grade),
            evaluation,
            time_ms,
        })
        .collect();
    let judged: Vec<Judged<'_>> = turns.iter().map(|turn| judged(game, turn)).collect();
    Analysed {
        game,
        effort,
        figures: figures(game.players.len(), &judged),
        is_complete: !stop.load(Ordering::Relaxed),
        turns,
    }
}

fn judged<'a>(game: &Game, turn: &'a TurnReport<'_>) -> Judged<'a> {
    let evaluation = turn.evaluation.as_ref();
    Judged {
        seat: turn.made.seat,
        evaluation,
        is_bingo: turn
            .made
            .turn
            .as_ref()
            .is_some_and(|own| is_bingo(&game.rules, own)),
        best_is_bingo: evaluation.is_some_and(|of| is_bingo(&game.rules, &of.best.turn)),
        is_phony: !turn.made.phonies.is_empty(),
        is_off: turn.made.is_off,
        time_ms: turn.time_ms,
    }
}

/// Whether a turn is a play for a bonus.
pub(super) fn is_bingo(rules: &RuleSet, turn: &BotTurn) -> bool {
    match turn {
        BotTurn::Play(placement) => rules.bingo_bonus(placement.laid().count()) > 0,
        BotTurn::Exchange(_) | BotTurn::Pass => false,
    }
}

#[cfg(test)]
#[path = "analyze_tests.rs"]
mod tests;
