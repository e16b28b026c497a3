//! Compiles the entries of a word list into the bytes of a lexicon.
//!
//! The same words give the same bytes, regardless of their order and of duplicates.

use super::description::Description;
use super::report::{Reason, Report, Tally};
use super::{LexiconError, Speller, WORD_LENGTHS, WORDS_MAX, description};
use crate::alphabet::Letter;
use crate::tile_sets::NamedTileSet;

const LONGEST: usize = *WORD_LENGTHS.end();

/// Letter numbers, padded with zeros: no letter is 0, so keys sort as the words do.
type Key = [u8; LONGEST];

/// The meaning of a capital in a list that is otherwise in lower case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Capitalised {
    /// A name or an abbreviation, which the compiler leaves out (R-WORD-2).
    #[default]
    Names,
    /// An ordinary word, such as a German noun.
    Words,
}

/// Why a list does not become a lexicon.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// No entry is a word.
    #[error("no entry of the list is a word")]
    NoWords(Box<Report>),
    /// The list has too many words.
    #[error("the list has more than {WORDS_MAX} words")]
    TooMany,
    /// The language or the alphabet cannot be stored.
    #[error(transparent)]
    Description(LexiconError),
    /// The `fst` crate could not build the automaton.
    #[error("the automaton cannot be built: {0}")]
    Automaton(#[from] fst::Error),
}

/// A compiled lexicon and its report.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The bytes, for [`FstLexicon::from_bytes`](super::FstLexicon::from_bytes).
    pub bytes: Vec<u8>,
    /// The number of entries by result.
    pub report: Report,
}

/// Compiles the entries of a word list, one by one.
#[derive(Clone, Debug)]
pub struct Compiler {
    description: Description,
    speller: Speller,
    capitalised: Capitalised,
    /// Entries without a capital.
    plain: Taken,
    /// Entries with a capital: whether they are words is known at the end.
    capital: Taken,
    /// All entries with a capital, as names.
    names: Tally,
    /// Entries without a lower-case letter.
    upper: u64,
    /// Entries that lose an accent.
    unaccented: u64,
}

#[derive(Clone, Debug, Default)]
struct Taken {
    entries: u64,
    keys: Vec<Key>,
    left_out: Tally,
}

impl Compiler {
    /// Returns a compiler for the tiles of a language.
    #[must_use]
    pub fn new(set: &NamedTileSet, capitalised: Capitalised) -> Self {
        let tiles = &set.tiles;
        Self {
            description: Description {
                language: set.language.clone(),
                alphabet: tiles
                    .letters()
                    .map(|letter| tiles.face(letter).to_owned())
                    .collect(),
            },
            speller: Speller::new(set),
            capitalised,
            plain: Taken::default(),
            capital: Taken::default(),
            names: Tally::default(),
            upper: 0,
            unaccented: 0,
        }
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// If there are more words than a lexicon can have.
    pub fn entry(&mut self, entry: &str) -> Result<(), CompileError> {
        let taken = if entry.contains(char::is_uppercase) {
            self.names.add(Reason::Capitalised, entry);
            if !entry.contains(char::is_lowercase) {
                self.upper += 1;
            }
            &mut self.capital
        } else {
            &mut self.plain
        };
        taken.entries += 1;
        self.unaccented += u64::from(self.speller.drops_accents(entry));
        match spelled(&self.speller, entry) {
            Ok(key) => taken.keys.push(key),
            Err(reason) => taken.left_out.add(reason, entry),
        }
        let words = taken.keys.len();
        if u64::try_from(words).is_ok_and(|words| words > WORDS_MAX) {
            return Err(CompileError::TooMany);
        }
        Ok(())
    }

    /// Builds the lexicon.
    ///
    /// # Errors
    /// If no entry is a word.
    pub fn finish(self) -> Result<Compiled, CompileError> {
        let are_names = self.capitalised == Capitalised::Names && self.plain.entries > self.upper;
        let entries = self.plain.entries + self.capital.entries;
        let Taken {
            mut keys,
            mut left_out,
            ..
        } = self.plain;
        if are_names {
            left_out.absorb(self.names);
        } else {
            keys.extend(self.capital.keys);
            left_out.absorb(self.capital.left_out);
        }
        let spelled = keys.len();
        keys.sort_unstable();
        keys.dedup();
        let mut by_length = vec![0; LONGEST + 1];
        for key in &keys {
            by_length[length(key)] += 1;
        }
        let report = Report {
            entries,
            words: count(keys.len()),
            duplicates: count(spelled - keys.len()),
            unaccented: self.unaccented,
            by_length,
            left_out: left_out.listed(),
        };
        if keys.is_empty() {
            return Err(CompileError::NoWords(Box::new(report)));
        }
        if report.words > WORDS_MAX {
            return Err(CompileError::TooMany);
        }
        let bytes = build(&self.description, &keys)?;
        Ok(Compiled { bytes, report })
    }
}

fn build(description: &Description, keys: &[Key]) -> Result<Vec<u8>, CompileError> {
    let stored = description.keys();
    let readable = stored
        .iter()
        .all(|key| key.len() <= description::KEY_MAX_BYTES);
    if !readable || Description::read(&stored).map_err(CompileError::Description)? != *description {
        return Err(CompileError::Description(LexiconError::Description(
            "is too long",
        )));
    }
    let mut builder = fst::SetBuilder::memory();
    for key in stored {
        builder.insert(key)?;
    }
    for key in keys {
        builder.insert(&key[..length(key)])?;
    }
    Ok(builder.into_inner()?)
}

fn spelled(speller: &Speller, entry: &str) -> Result<Key, Reason> {
    let letters = speller.spell(entry)?;
    if letters.len() < *WORD_LENGTHS.start() {
        return Err(Reason::TooShort);
    }
    let mut key = [0; LONGEST];
    let places = key.get_mut(..letters.len()).ok_or(Reason::TooLong)?;
    for (place, letter) in places.iter_mut().zip(letters) {
        *place = Letter::number(letter);
    }
    Ok(key)
}

fn length(key: &Key) -> usize {
    key.iter()
        .position(|number| *number == 0)
        .unwrap_or(LONGEST)
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
