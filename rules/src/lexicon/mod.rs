//! The words of a language: the only judge of a challenged play (R-WORD-1).
//!
//! [`decode`], [`Speller`] and [`Compiler`] turn a word list into the bytes of one set; [`FstLexicon`] reads them.

mod automaton;
mod compile;
mod description;
mod graphs;
mod report;
mod soundness;
mod spelling;
mod text;

use std::ops::RangeInclusive;
use std::sync::Arc;

pub use automaton::FstLexicon;
pub use compile::{Capitalised, CompileError, Compiled, Compiler};
pub use graphs::WordGraphs;
pub use report::{LeftOut, Reason, Report};
pub use spelling::{Speller, Unspelled};
pub use text::{Columns, Encoding, TextError, decode, entries};

use crate::alphabet::{Letter, TileSet};
use crate::quoted::quoted;

/// The shortest and the longest word, in tiles: the longest fills a row of the largest board (R-WORD-2).
pub const WORD_LENGTHS: RangeInclusive<usize> = 2..=21;

/// The largest number of words; the longest lists of inflected languages have a fifth of it.
pub const WORDS_MAX: u64 = 16_000_000;

/// A fixed list of words over the letters of one tile set.
pub trait Lexicon: Send + Sync {
    /// Returns the name, as options of games and clients use it.
    fn name(&self) -> &str;

    /// Returns the language of the tiles that spell its words, such as `english`.
    fn language(&self) -> &str {
        "english"
    }

    /// Returns the SHA-256 of the exact list, so that a record names the words that were valid.
    fn hash(&self) -> &[u8; 32];

    /// Returns the number of words.
    fn words(&self) -> u64;

    /// Returns the words laid out for finding plays, made on the first call; `None` if the list cannot be laid out.
    fn graphs(&self) -> Option<Arc<WordGraphs>> {
        None
    }

    /// Returns whether the word is in the list (R-WORD-1).
    fn contains(&self, word: &[Letter]) -> bool;

    /// Returns whether its letters are those of the tile set, in the same order; a list without faces fits every set.
    fn fits(&self, _tiles: &TileSet) -> bool {
        true
    }
}

/// Why bytes are not a lexicon.
#[derive(Debug, thiserror::Error)]
pub enum LexiconError {
    /// The name is not valid.
    #[error("{} is not a lexicon name; use 1 to 40 of a-z, 0-9 and -", quoted(.0))]
    Name(String),
    /// The bytes are not an automaton, or their checksum is wrong.
    #[error("not a readable automaton: {0}")]
    Automaton(#[from] fst::Error),
    /// The automaton is damaged at this byte.
    #[error("a damaged automaton (at byte {0})")]
    Damaged(usize),
    /// The description in the lexicon is invalid.
    #[error("its description {0}")]
    Description(&'static str),
    /// A later version wrote the lexicon.
    #[error("its format is {}; this program reads format 1", quoted(.0))]
    Format(String),
    /// The lexicon has no words.
    #[error("it has no words")]
    NoWords,
    /// The lexicon has too many words.
    #[error("it has more than {WORDS_MAX} words")]
    TooManyWords,
    /// A word is too short or too long.
    #[error(
        "it has a word that is not of {} to {} letters",
        WORD_LENGTHS.start(),
        WORD_LENGTHS.end()
    )]
    Length,
    /// A word contains letter number 0.
    #[error("it has a word with letter number 0; letters are numbered from 1")]
    NoLetter,
    /// A word contains a letter that is not in the alphabet.
    #[error("it has a word with letter number {letter}; its alphabet has {letters} letters")]
    Letter {
        /// The number.
        letter: u8,
        /// The number of letters in the alphabet.
        letters: usize,
    },
}
