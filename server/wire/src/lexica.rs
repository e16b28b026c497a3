//! The lexica of the server, by name: the built-in one and the operator's.
//!
//! Invariant: a name stands for one list of words as long as the server runs. A game also keeps the hash of its list,
//! so that no other list ever judges it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use data_encoding::HEXLOWER;
use tilewire_rules::lexicon::{FstLexicon, Lexicon, LexiconError};

use tilewire_config::Limits;

/// The extension of a lexicon's file; other files are ignored.
const EXTENSION: &str = "fst";
/// Bytes of a hash in logs and messages.
const SHOWN_HASH_BYTES: usize = 8;

/// All lexica that the server offers. Clones share them.
#[derive(Clone)]
pub struct Lexica {
    by_name: Arc<BTreeMap<String, Arc<dyn Lexicon>>>,
}

/// The reasons why an operator's lexica cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LexicaError {
    /// A file or the folder cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is larger than a lexicon may be.
    #[error("{}: larger than limits.lexicon_bytes, {max} bytes", path.display())]
    TooLarge {
        /// Which.
        path: PathBuf,
        /// The setting.
        max: u64,
    },
    /// There are too many files.
    #[error("{}: more lexica than limits.lexica, {max}", folder.display())]
    TooMany {
        /// Where.
        folder: PathBuf,
        /// The setting.
        max: usize,
    },
    /// A file is not a lexicon.
    #[error("{} is not a lexicon: {source}; build it again, or remove it", path.display())]
    Lexicon {
        /// Which.
        path: PathBuf,
        /// The error.
        source: LexiconError,
    },
    /// A file has the name of the built-in lexicon.
    #[error("{}: this is the name of the built-in lexicon; choose another", .0.display())]
    Builtin(PathBuf),
}

impl Lexica {
    /// Name of the built-in lexicon.
    pub const BUILTIN: &str = FstLexicon::BUILTIN;

    /// Returns the built-in lexica.
    #[must_use]
    pub fn builtin() -> Self {
        Self::of([FstLexicon::builtin() as Arc<dyn Lexicon>])
    }

    /// Returns these lexica; of two with one name, the last counts.
    #[must_use]
    pub fn of(lexica: impl IntoIterator<Item = Arc<dyn Lexicon>>) -> Self {
        let by_name = lexica
            .into_iter()
            .map(|lexicon| (lexicon.name().to_owned(), lexicon))
            .collect();
        Self {
            by_name: Arc::new(by_name),
        }
    }

    /// Adds every `NAME.fst` of a folder, if the folder exists.
    ///
    /// # Errors
    /// Names the first file that cannot be loaded.
    pub fn with_files_of(mut self, folder: &Path, limits: &Limits) -> Result<Self, LexicaError> {
        let files = files(folder)?;
        if files.len() > limits.lexica {
            return Err(LexicaError::TooMany {
                folder: folder.to_owned(),
                max: limits.lexica,
            });
        }
        for path in files {
            let lexicon = open(&path, limits.lexicon_bytes)?;
            if lexicon.name() == Self::BUILTIN {
                return Err(LexicaError::Builtin(path));
            }
            let name = lexicon.name().to_owned();
            Arc::make_mut(&mut self.by_name).insert(name, Arc::new(lexicon));
        }
        Ok(self)
    }

    /// Returns the lexicon of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Arc<dyn Lexicon>> {
        self.by_name.get(name)
    }

    /// Returns all lexica, by name.
    pub fn all(&self) -> impl Iterator<Item = &Arc<dyn Lexicon>> {
        self.by_name.values()
    }
}

impl std::fmt::Debug for Lexica {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.by_name.keys()).finish()
    }
}

/// Returns the beginning of a lexicon's hash, for logs and messages.
#[must_use]
pub fn shown_hash(hash: &[u8; 32]) -> String {
    HEXLOWER.encode(&hash[..SHOWN_HASH_BYTES])
}

/// The files of lexica in a folder, by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>, LexicaError> {
    let read_error = |source| LexicaError::Read {
        path: folder.to_owned(),
        source,
    };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(read_error(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(read_error)?.path();
        if path.extension().is_some_and(|found| found == EXTENSION) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn open(path: &Path, max_bytes: u64) -> Result<FstLexicon, LexicaError> {
    let read_error = |source| LexicaError::Read {
        path: path.to_owned(),
        source,
    };
    // Opening a pipe would block until a writer comes.
    if !fs::metadata(path).map_err(read_error)?.is_file() {
        return Err(read_error(io::Error::other("not a file")));
    }
    let file = File::open(path).map_err(read_error)?;
    let mut bytes = Vec::new();
    let read = file
        .take(max_bytes.saturating_add(1))
        .read_to_end(&mut bytes);
    read.map_err(read_error)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > max_bytes) {
        return Err(LexicaError::TooLarge {
            path: path.to_owned(),
            max: max_bytes,
        });
    }
    // A file name that is not UTF-8 cannot name a lexicon; it is shown as far as possible.
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    FstLexicon::from_bytes(name, bytes).map_err(|source| LexicaError::Lexicon {
        path: path.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use tilewire_rules::lexicon::{Capitalised, Compiler};
    use tilewire_rules::tile_sets::NamedTileSet;

    use super::*;

    fn bytes(language: &str, words: &[&str]) -> Vec<u8> {
        let tiles = NamedTileSet::builtin(language).unwrap();
        let mut compiler = Compiler::new(&tiles, Capitalised::Names);
        for word in words {
            compiler.entry(word).unwrap();
        }
        compiler.finish().unwrap().bytes
    }

    fn limits() -> Limits {
        Limits {
            lexica: 2,
            lexicon_bytes: 10_000,
            ..Limits::default()
        }
    }

    fn of(files: &[(&str, Vec<u8>)]) -> Result<Lexica, LexicaError> {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        Lexica::builtin().with_files_of(folder.path(), &limits())
    }

    #[test]
    fn an_operators_lexica_are_offered_beside_the_built_in_one() {
        let lexica = of(&[
            ("tiny.fst", bytes("english", &["cat", "dog"])),
            ("tiny-es.fst", bytes("spanish", &["chico"])),
            ("notes.txt", b"not a lexicon".to_vec()),
            ("tiny.fst.123.tmp", b"half of one".to_vec()),
        ]);
        let lexica = lexica.unwrap();
        let offered: Vec<_> = lexica
            .all()
            .map(|lexicon| (lexicon.name(), lexicon.language(), lexicon.words()))
            .collect();
        assert_eq!(
            offered,
            [
                ("tiny", "english", 2),
                ("tiny-es", "spanish", 1),
                ("wordnik", "english", 198_355),
            ]
        );
    }

    #[test]
    fn a_folder_that_is_not_there_holds_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let lexica = Lexica::builtin().with_files_of(&folder.path().join("none"), &limits());
        assert_eq!(lexica.unwrap().all().count(), 1);
    }

    #[test]
    fn a_file_that_cannot_be_offered_is_named() {
        let sound = || bytes("english", &["cat", "dog"]);
        let mut cut = sound();
        cut.truncate(cut.len() - 5);
        for (files, says) in [
            (vec![("cut.fst", cut)], "cut.fst is not a lexicon"),
            (
                vec![("list.fst", b"cat\ndog\n".to_vec())],
                "list.fst is not a lexicon",
            ),
            (
                vec![("My List.fst", sound())],
                "\"My List\" is not a lexicon name",
            ),
            (
                vec![("wordnik.fst", sound())],
                "wordnik.fst: this is the name",
            ),
            (
                vec![("big.fst", vec![0; 10_001])],
                "limits.lexicon_bytes, 10000",
            ),
            (
                vec![("a.fst", sound()), ("b.fst", sound()), ("c.fst", sound())],
                "limits.lexica, 2",
            ),
        ] {
            let error = of(&files).unwrap_err().to_string();
            assert!(error.contains(says), "{says}: {error}");
        }
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("folder.fst")).unwrap();
        let error = Lexica::builtin().with_files_of(folder.path(), &limits());
        assert!(
            error
                .unwrap_err()
                .to_string()
                .ends_with("folder.fst: not a file")
        );
    }
}
