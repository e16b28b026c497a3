//! Files with lexica and word lists.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, stdin};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tilewire_rules::lexicon::{
    CompileError, FstLexicon, Lexicon, LexiconError, Report, Speller, TextError,
};
use tilewire_rules::quoted::quoted;
use tilewire_rules::ruleset::RuleSetError;
use tilewire_rules::tile_sets::{NamedTileSet, Spelling};

use crate::output::{STANDARD, WriteError};

/// The largest file that is read, in bytes.
const FILE_MAX_BYTES: u64 = 1 << 30;
/// The extension of a lexicon file.
const EXTENSION: &str = "fst";

/// The reason why a command failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Problem {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot read {}: it has more than {FILE_MAX_BYTES} bytes", .0.display())]
    TooLarge(PathBuf),
    #[error("cannot read {}: {source}", path.display())]
    Text { path: PathBuf, source: TextError },
    #[error("{} is not a lexicon: {source}", path.display())]
    Lexicon { path: PathBuf, source: LexiconError },
    #[error(
        "{}: the name of a lexicon file is NAME.fst, where NAME has up to 40 characters of a-z, 0-9 and -",
        .0.display()
    )]
    Name(PathBuf),
    #[error("unknown lexicon {}; the built-in lexicon is {}, and files are named NAME.fst", quoted(.0), quoted(FstLexicon::BUILTIN))]
    Unknown(String),
    #[error("unknown language {}; there are tiles for {known}", quoted(.language))]
    Language { language: String, known: String },
    #[error(transparent)]
    Tiles(#[from] RuleSetError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("{}: {}", path.display(), nothing(report))]
    NoWords { path: PathBuf, report: Box<Report> },
    #[error("{}: {source}", path.display())]
    Compile { path: PathBuf, source: CompileError },
    #[error("{one} and {other} have different alphabets")]
    Alphabets { one: String, other: String },
    /// The output cannot be written.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// The reasons why a list contains no words.
fn nothing(report: &Report) -> String {
    let mut text = format!("no words in {} entries", report.entries);
    for left in &report.left_out {
        text.push_str(&format!("; {} {}", left.count, left.reason));
    }
    text
}

/// Opens a lexicon: a file, or the built-in one by its name.
pub(super) fn open(lexicon: &Path) -> Result<Arc<FstLexicon>, Problem> {
    if lexicon.as_os_str() == FstLexicon::BUILTIN {
        return Ok(FstLexicon::builtin());
    }
    // A single word that is not a file is probably the name of a built-in lexicon.
    if lexicon.extension().is_none() && lexicon.components().count() == 1 && !lexicon.exists() {
        return Err(Problem::Unknown(lexicon.display().to_string()));
    }
    let name = name(lexicon)?;
    let bytes = read(lexicon)?;
    opened(lexicon, name, bytes).map(Arc::new)
}

/// Parses the bytes of a lexicon file.
pub(super) fn opened(path: &Path, name: &str, bytes: Vec<u8>) -> Result<FstLexicon, Problem> {
    FstLexicon::from_bytes(name, bytes).map_err(|source| Problem::Lexicon {
        path: path.to_owned(),
        source,
    })
}

/// The name of the lexicon in a file: the file name without `.fst`.
pub(super) fn name(path: &Path) -> Result<&str, Problem> {
    let stem = path.file_stem().and_then(OsStr::to_str);
    let fits = path
        .extension()
        .is_some_and(|extension| extension == EXTENSION);
    stem.filter(|stem| fits && FstLexicon::is_name(stem))
        .ok_or_else(|| Problem::Name(path.to_owned()))
}

/// Reads a whole file, or stdin if the path is `-`.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Problem> {
    let read_error = |source| Problem::Read {
        path: path.to_owned(),
        source,
    };
    let mut bytes = Vec::new();
    let read = if path.as_os_str() == STANDARD {
        stdin()
            .lock()
            .take(FILE_MAX_BYTES + 1)
            .read_to_end(&mut bytes)
    } else {
        let file = File::open(path).map_err(read_error)?;
        file.take(FILE_MAX_BYTES + 1).read_to_end(&mut bytes)
    };
    read.map_err(read_error)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > FILE_MAX_BYTES) {
        return Err(Problem::TooLarge(path.to_owned()));
    }
    Ok(bytes)
}

/// The tiles of a language.
pub(super) fn tiles(language: &str) -> Result<Arc<NamedTileSet>, Problem> {
    NamedTileSet::builtin(language).ok_or_else(|| {
        let sets = NamedTileSet::builtins().iter();
        let plain = sets.filter(|set| set.id == set.language);
        let known: Vec<&str> = plain.map(|set| set.id.as_str()).collect();
        Problem::Language {
            language: language.to_owned(),
            known: known.join(", "),
        }
    })
}

/// The speller of a lexicon: that of its language if the letters match, else a plain one.
pub(super) fn speller(lexicon: &FstLexicon) -> Speller {
    let mut sets = NamedTileSet::builtins().iter();
    let fitting = sets.find(|set| set.language == lexicon.language() && lexicon.fits(&set.tiles));
    match fitting {
        Some(set) => Speller::new(set),
        None => {
            let faces = lexicon.alphabet().iter().map(String::as_str);
            Speller::of_faces(faces, &Spelling::default())
        }
    }
}
