//! `tilewire lexicon`: word lists become lexica, and lexica are looked at. Needs no server.
//!
//! Exit status: 0 for yes and done, 1 for no (a word that is not valid, lexica that differ), 2 when the input is at
//! fault, with the reason on stderr.

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

/// Exit status when the answer is no.
const EXIT_NO: u8 = 1;
/// Exit status when the input is at fault, as for wrong flags.
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
A word list is plain text, UTF-8 or ISO-8859-1, one entry a line; empty lines and lines that begin with # are no
entries. An entry becomes the tiles of the language, the longest first, in whatever case. Left out and counted are
entries of less than 2 or more than 21 tiles, with a hyphen, an apostrophe, a dot or a space, with characters that are on
no tile, and capitalised ones in a list that is otherwise in lower case.

The same words give the same file, in whatever order they come.";

/// What to do with a lexicon.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct LexiconArgs {
    /// What.
    #[command(subcommand)]
    task: LexiconTask,
}

#[derive(Debug, Clone, Subcommand)]
enum LexiconTask {
    /// Make a lexicon of a word list
    #[command(after_long_help = BUILD)]
    Build(BuildArgs),
    /// Say what a lexicon is: language, words by length, hash, alphabet
    Info {
        /// The file, or the name of the built-in lexicon
        #[arg(value_name = "FILE|NAME")]
        lexicon: PathBuf,
    },
    /// Say of words whether they are valid; the exit status is 1 if one is not
    Check {
        /// The file, or the name of the built-in lexicon
        #[arg(long, value_name = "FILE|NAME", default_value = FstLexicon::BUILTIN)]
        lexicon: PathBuf,
        /// The words, in whatever case
        #[arg(value_name = "WORD", required = true)]
        words: Vec<String>,
    },
    /// List the words that only one of two lexica has; the exit status is 1 if there are any
    Diff {
        /// The one file, or the name of the built-in lexicon
        #[arg(value_name = "A")]
        one: PathBuf,
        /// The other
        #[arg(value_name = "B")]
        other: PathBuf,
    },
    /// Write the words of a lexicon as a plain list, in the order of the alphabet
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
    /// The file to make; a server offers the lexicon by the name before `.fst`
    #[arg(short, long, value_name = "FILE.fst")]
    output: PathBuf,
    /// The language of the tiles
    #[arg(long, value_name = "NAME", default_value = "english")]
    language: String,
    /// A file with tiles of your own, instead of --language
    #[arg(long, value_name = "FILE.toml", conflicts_with = "language")]
    tiles: Option<PathBuf>,
    /// Take what stands before the first white space of a line; definitions follow
    #[arg(long)]
    first_column: bool,
    /// Take capitalised entries for words, such as German nouns
    #[arg(long)]
    keep_capitalised: bool,
    /// Replace the file if it is there
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

/// Does what is asked; returns the exit status.
///
/// # Errors
/// When what is found out cannot be written.
pub(crate) fn run(args: &LexiconArgs, as_json: bool) -> Result<u8> {
    let mut out = io::BufWriter::new(stdout().lock());
    let done = match &args.task {
        LexiconTask::Build(build) => build::run(build, &mut out, as_json),
        LexiconTask::Info { lexicon } => show::info(lexicon, &mut out, as_json),
        LexiconTask::Check { lexicon, words } => show::check(lexicon, words, &mut out, as_json),
        LexiconTask::Diff { one, other } => diff::run((one, other), &mut out, as_json),
        LexiconTask::Export { lexicon } => show::export(lexicon, &mut out),
    };
    let done = done.and_then(|status| {
        out.flush()?;
        Ok(status)
    });
    match done {
        Ok(status) => Ok(status),
        // Whoever reads has read enough.
        Err(Problem::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(0),
        Err(Problem::Output(error)) => Err(error.into()),
        Err(problem) => {
            writeln!(stderr(), "tilewire: {problem}")?;
            Ok(EXIT_INPUT)
        }
    }
}
