//! `tilewire record` and `tilewire verify`: check, convert, show and verify game records.
//!
//! Exit status: 0 for success, 1 for a wrong record, 2 for an unreadable record, with the reason on stderr.

mod check;
mod convert;
mod final_scores;
mod show;
pub(crate) mod source;
mod verify;

use std::io::{self, Write, stderr};
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::output::WriteError;
use source::Problem;

/// Exit status of a wrong record.
const EXIT_WRONG: u8 = 1;
/// Exit status of invalid input, the same as for invalid flags.
const EXIT_INPUT: u8 = 2;

const EXAMPLES: &str = "\
Examples:
  tilewire record check game.gcg --lexicon none
  tilewire record show game.gcg
  tilewire record fetch GAME -o game.jsonl         from the server, once the game is over
  tilewire record convert game.jsonl -o game.gcg
  tilewire verify game.jsonl

A file that starts with { is a native record (.jsonl); any other file is GCG.";

/// The flags of `record`.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct RecordArgs {
    /// The task.
    #[command(subcommand)]
    task: RecordTask,
}

#[derive(Debug, Clone, Subcommand)]
enum RecordTask {
    /// Replay a record and recompute every number in it
    Check(CheckArgs),
    /// Convert a record: to .gcg, to .jsonl, or its last position to .cgp
    Convert(ConvertArgs),
    /// Show a game move by move
    Show(ShowArgs),
    /// Download the record of a finished game from the server
    Fetch(FetchArgs),
}

/// A record, and the rules to read it with.
#[derive(Debug, Clone, Args)]
pub(crate) struct RecordFile {
    /// The file, or the id of a finished game on the server
    #[arg(value_name = "FILE|GAME")]
    pub(crate) file: String,
    /// Rule set: a built-in one, or the file of an operator's [default: that of the record; else classic, or super for
    /// 21 rows]
    #[arg(long, value_name = "NAME|FILE")]
    rules: Option<String>,
    /// Language of the tiles [default: that of the record; else english]
    #[arg(long, value_name = "NAME")]
    language: Option<String>,
    /// The code of a private game on the server
    #[arg(long, value_name = "CODE")]
    code: Option<String>,
}

#[derive(Debug, Clone, Args)]
struct CheckArgs {
    #[command(flatten)]
    record: RecordFile,
    /// Lexicon to check words with: the built-in one (by its name), a file, or none [default: that of the record, if
    /// it is built in]
    #[arg(long, value_name = "NAME|FILE|none")]
    lexicon: Option<String>,
    /// Also fail (exit status 1) if there are remarks
    #[arg(long)]
    strict: bool,
}

#[derive(Debug, Clone, Args)]
struct ConvertArgs {
    #[command(flatten)]
    record: RecordFile,
    /// The output file; `-` is stdout
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
    /// The format [default: by the file name]
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<Format>,
}

#[derive(Debug, Clone, Args)]
struct ShowArgs {
    #[command(flatten)]
    record: RecordFile,
    /// Show only the first N lines of the score sheet, and the board after them
    #[arg(long = "move", value_name = "N")]
    moves: Option<usize>,
}

#[derive(Debug, Clone, Args)]
struct FetchArgs {
    /// The game
    game: String,
    /// The output file; the extension .gcg selects that format; `-` is stdout
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
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
    /// Rule set: a built-in one, or the file of an operator's [default: that of the record]
    #[arg(long, value_name = "NAME|FILE")]
    rules: Option<String>,
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

/// Runs `tilewire record`; returns the exit status.
///
/// # Errors
/// Returns an error if the output cannot be written.
pub(crate) fn run(args: &RecordArgs, server: &str, as_json: bool) -> io::Result<u8> {
    told(match &args.task {
        RecordTask::Check(args) => check::run(args, server, as_json),
        RecordTask::Convert(args) => convert::run(args, server, as_json),
        RecordTask::Show(args) => show::run(args, server, as_json),
        RecordTask::Fetch(args) => convert::fetch(args, server, as_json),
    })
}

/// Runs `tilewire verify`; returns the exit status.
///
/// # Errors
/// Returns an error if the output cannot be written.
pub(crate) fn run_verify(args: &VerifyArgs, server: &str, as_json: bool) -> io::Result<u8> {
    told(verify::run(args, server, as_json))
}

fn told(outcome: Result<u8, Problem>) -> io::Result<u8> {
    match outcome {
        Ok(status) => Ok(status),
        Err(Problem::Output(error) | Problem::Write(WriteError::Output(error))) => Err(error),
        Err(problem) => {
            // An error of stderr cannot be reported.
            drop(writeln!(stderr(), "tilewire: {problem}"));
            Ok(EXIT_INPUT)
        }
    }
}
