//! `tilewire lexicon`: builds lexica from word lists, and inspects them. Works without a server.
//!
//! Exit status: 0 for success, 1 for a negative answer (an invalid word, different lexica), 2 for invalid input, with the
//! reason on stderr.

mod build;
mod diff;
mod file;
mod show;

use std::io::{self, Write, stderr, stdout};
use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};
use tilewire_rules::lexicon::{Capitalised, Columns, FstLexicon};

use file::Problem;

/// Exit status of a negative answer.
pub(crate) const EXIT_NO: u8 = 1;
/// Exit status of invalid input, the same as for invalid flags.
const EXIT_INPUT: u8 = 2;

const EXAMPLES: &str = "\
Examples:
  tilewire lexicon build enable1.txt -o enable.fst
  tilewire lexicon build liste.txt -o ods.fst --language french
  tilewire lexicon info enable.fst
  tilewire lexicon check --lexicon enable.fst qi za zax
  tilewire lexicon diff wordnik enable.fst
  tilewire lexicon export wordnik > words.txt

A server offers every lexicon in the folder `lexica` of its data directory.";

const BUILD: &str = "\
A word list is plain text in UTF-8 or ISO-8859-1 with one entry per line. Empty lines and lines that start with # are
ignored. Each entry is split into tiles of the language, longest tiles first; case does not matter. The build skips and
counts entries with fewer than 2 or more than 21 tiles, entries with a hyphen, an apostrophe, a dot or a space, entries
with characters that are on no tile, and capitalised entries in a list that is otherwise in lower case.

The same words always give the same file; their order does not matter.";

/// The flags of `lexicon`.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct LexiconArgs {
    /// The task.
    #[command(subcommand)]
    task: LexiconTask,
}

#[derive(Debug, Clone, Subcommand)]
enum LexiconTask {
    /// Build a lexicon from a word list
    #[command(after_long_help = BUILD)]
    Build(BuildArgs),
    /// Describe a lexicon: language, words by length, hash, alphabet
    Info {
        /// The file, or the name of the built-in lexicon
        #[arg(value_name = "FILE|NAME")]
        lexicon: PathBuf,
    },
    /// Check words; the exit status is 1 if a word is invalid
    Check {
        /// The file, or the name of the built-in lexicon
        #[arg(long, value_name = "FILE|NAME", default_value = FstLexicon::BUILTIN)]
        lexicon: PathBuf,
        /// The words; case does not matter
        #[arg(value_name = "WORD", required = true)]
        words: Vec<String>,
    },
    /// List the words that only one of two lexica contains; the exit status is 1 if there are any
    Diff {
        /// The first file, or the name of the built-in lexicon
        #[arg(value_name = "A")]
        one: PathBuf,
        /// The second file, or the name of the built-in lexicon
        #[arg(value_name = "B")]
        other: PathBuf,
    },
    /// Write the words of a lexicon as plain text, in the order of the alphabet
    Export {
        /// The file, or the name of the built-in lexicon
        #[arg(value_name = "FILE|NAME")]
        lexicon: PathBuf,
    },
}

#[derive(Debug, Clone, Args)]
struct BuildArgs {
    /// The word list, or - for stdin
    #[arg(value_name = "WORDS")]
    words: PathBuf,
    /// The output file; its name without `.fst` is the name of the lexicon
    #[arg(short, long, value_name = "FILE.fst")]
    output: PathBuf,
    /// The language of the tiles
    #[arg(long, value_name = "NAME", default_value = "english")]
    language: String,
    /// A file with your own tiles, instead of --language
    #[arg(long, value_name = "FILE.toml", conflicts_with = "language")]
    tiles: Option<PathBuf>,
    /// Read only the first word of each line, for lists with definitions
    #[arg(long)]
    first_column: bool,
    /// Include capitalised entries, such as German nouns
    #[arg(long)]
    keep_capitalised: bool,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
}

impl BuildArgs {
    const fn columns(&self) -> Columns {
        if self.first_column {
            Columns::First
        } else {
            Columns::All
        }
    }

    const fn capitalised(&self) -> Capitalised {
        if self.keep_capitalised {
            Capitalised::Words
        } else {
            Capitalised::Names
        }
    }
}

/// Runs the task; returns the exit status.
///
/// # Errors
/// Returns an error if the output cannot be written.
pub(crate) fn run(args: &LexiconArgs, as_json: bool) -> Result<u8> {
    let mut out = io::BufWriter::new(stdout().lock());
    let done = match &args.task {
        LexiconTask::Build(build) => build::run(build, &mut out, as_json),
        LexiconTask::Info { lexicon } => show::info(lexicon, &mut out, as_json),
        LexiconTask::Check { lexicon, words } => show::check(lexicon, words, &mut out, as_json),
        LexiconTask::Diff { one, other } => diff::run((one, other), &mut out, as_json),
        LexiconTask::Export { lexicon } => show::export(lexicon, &mut out, as_json),
    };
    let done = done.and_then(|status| {
        out.flush()?;
        Ok(status)
    });
    match done {
        Ok(status) => Ok(status),
        Err(Problem::Output(error)) => Err(error.into()),
        Err(problem) => {
            writeln!(stderr(), "tilewire: {problem}")?;
            Ok(EXIT_INPUT)
        }
    }
}
