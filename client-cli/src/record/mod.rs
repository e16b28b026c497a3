//! `tilewire record` and `tilewire verify`: records of games checked, converted and shown.
//!
//! Exit status: 0 for right and done, 1 for a record that is wrong, 2 for one that cannot be read, with the reason on
//! stderr.

mod check;
mod convert;
mod show;
mod source;
mod verify;

use std::io::{self, Write, stderr};
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use source::Problem;

/// Exit status when the record is wrong.
const EXIT_WRONG: u8 = 1;
/// Exit status when the input is at fault, as for wrong flags.
const EXIT_INPUT: u8 = 2;

const EXAMPLES: &str = "\
Examples:
  tilewire record check game.gcg --lexicon none
  tilewire record show game.gcg
  tilewire record fetch GAME -o game.jsonl         from the server, once the game is over
  tilewire record convert game.jsonl -o game.gcg
  tilewire verify game.jsonl

A file that begins with { is a native record (.jsonl), any other one GCG.";

/// What to do with records.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct RecordArgs {
    /// What.
    #[command(subcommand)]
    task: RecordTask,
}

#[derive(Debug, Clone, Subcommand)]
enum RecordTask {
    /// Replay a record and recompute every figure in it
    Check(CheckArgs),
    /// Write a record in another format: .gcg, .jsonl or, for its last position, .cgp
    Convert(ConvertArgs),
    /// Show a game move by move
    Show(ShowArgs),
    /// Get the record of a finished game from the server
    Fetch(FetchArgs),
}

/// A record and what it is read by.
#[derive(Debug, Clone, Args)]
struct RecordFile {
    /// The file, or the id of a finished game on the server
    #[arg(value_name = "FILE")]
    file: String,
    /// Rule set [default: what the record says, else classic, or super for 21 rows]
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// Language of the tiles [default: what the record says, else english]
    #[arg(long, value_name = "NAME")]
    language: Option<String>,
}

#[derive(Debug, Clone, Args)]
struct CheckArgs {
    #[command(flatten)]
    record: RecordFile,
    /// Look words up in the built-in lexicon (its name), a lexicon file, or none [default: what the record says, if it
    /// is here]
    #[arg(long, value_name = "NAME|FILE|none")]
    lexicon: Option<String>,
}

#[derive(Debug, Clone, Args)]
struct ConvertArgs {
    #[command(flatten)]
    record: RecordFile,
    /// Where to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The format [default: by the name of the file]
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<Format>,
}

#[derive(Debug, Clone, Args)]
struct ShowArgs {
    #[command(flatten)]
    record: RecordFile,
    /// Only the first so many lines of the score sheet, and the board after them
    #[arg(long = "move", value_name = "N")]
    moves: Option<usize>,
}

#[derive(Debug, Clone, Args)]
struct FetchArgs {
    /// The game
    game: String,
    /// Where to write; .gcg asks for that format
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The code of a private game
    #[arg(long, value_name = "CODE")]
    code: Option<String>,
}

/// Flags of `verify`.
#[derive(Debug, Clone, Args)]
pub struct VerifyArgs {
    /// A native record, or the id of a finished game on the server
    #[arg(value_name = "FILE|GAME")]
    file: String,
    /// The code of a private game
    #[arg(long, value_name = "CODE")]
    code: Option<String>,
}

/// A format of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The common format of annotated games.
    Gcg,
    /// The event log.
    Native,
    /// The last position.
    Cgp,
}

/// Carries out `tilewire record`; returns the exit status.
///
/// # Errors
/// When nobody takes the output.
pub(crate) fn run(args: &RecordArgs, server: &str, as_json: bool) -> io::Result<u8> {
    told(match &args.task {
        RecordTask::Check(args) => check::run(args, server, as_json),
        RecordTask::Convert(args) => convert::run(args, server),
        RecordTask::Show(args) => show::run(args, server),
        RecordTask::Fetch(args) => convert::fetch(args, server),
    })
}

/// Carries out `tilewire verify`; returns the exit status.
///
/// # Errors
/// When nobody takes the output.
pub(crate) fn run_verify(args: &VerifyArgs, server: &str, as_json: bool) -> io::Result<u8> {
    told(verify::run(args, server, as_json))
}

fn told(outcome: Result<u8, Problem>) -> io::Result<u8> {
    match outcome {
        Ok(status) => Ok(status),
        Err(Problem::Output(error)) => Err(error),
        Err(problem) => {
            // With stderr gone there is nobody left to tell.
            drop(writeln!(stderr(), "tilewire: {problem}"));
            Ok(EXIT_INPUT)
        }
    }
}
