//! The words of a language: the only judge of a challenged play (R-WORD-1).
//!
//! A lexicon comes out of a word list ([`text`](decode) to [`Speller`] to [`Compiler`]), is kept as the bytes of one
//! set, and is read by [`FstLexicon`].

mod about;
mod automaton;
mod compile;
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

/// Shortest and longest word, in tiles: a word fills a row of the largest board at most (R-WORD-2).
pub const WORD_LENGTHS: RangeInclusive<usize> = 2..=21;

/// Most words of a lexicon; the longest lists of inflected languages have a fifth of that.
pub const WORDS_MAX: u64 = 16_000_000;

/// A fixed list of words over the letters of one tile set.
pub trait Lexicon: Send + Sync {
    /// Name that games are created with and people are shown.
    fn name(&self) -> &str;

    /// Language of the tiles its words are spelled with, such as `english`.
    fn language(&self) -> &str {
        "english"
    }

    /// Identifies the exact list, so that a record says which words were valid.
    fn hash(&self) -> &[u8; 32];

    /// Number of words.
    fn words(&self) -> u64;

    /// Returns the words laid out for finding plays, made on the first call; `None` if the list cannot be laid out.
    fn graphs(&self) -> Option<Arc<WordGraphs>> {
        None
    }

    /// Whether the word is in the list.
    fn contains(&self, word: &[Letter]) -> bool;

    /// Whether its letters are those of the tile set, in the same order; a list that knows no faces fits all.
    fn fits(&self, _tiles: &TileSet) -> bool {
        true
    }
}

/// Why bytes are no lexicon.
#[derive(Debug, thiserror::Error)]
pub enum LexiconError {
    /// A name that cannot be shown or typed everywhere.
    #[error("{0:?} is no name of a lexicon: 1 to 40 of a-z, 0-9 and -")]
    Name(String),
    /// Not an automaton, or one whose checksum does not hold.
    #[error("not a readable automaton: {0}")]
    Automaton(#[from] fst::Error),
    /// An automaton that leads astray; the position is in bytes.
    #[error("a damaged automaton (at byte {0})")]
    Damaged(usize),
    /// An automaton that does not say properly what it is.
    #[error("what it says about itself is {0}")]
    About(&'static str),
    /// Written by a later program.
    #[error("its format is {0:?}, this program reads 1")]
    Format(String),
    /// Nothing in it.
    #[error("it has no words")]
    NoWords,
    /// More than any language has.
    #[error("it has more than {WORDS_MAX} words")]
    TooManyWords,
    /// A word that is shorter or longer than words are.
    #[error(
        "it has a word that is not of {} to {} letters",
        WORD_LENGTHS.start(),
        WORD_LENGTHS.end()
    )]
    Length,
    /// A word with a zero where a letter belongs.
    #[error("it has a word with letter number 0, which is none")]
    NoLetter,
    /// A word with a letter that is not in the alphabet.
    #[error("it has a word with letter number {letter}; its alphabet has {letters} letters")]
    Letter {
        /// The number.
        letter: u8,
        /// How many letters there are.
        letters: usize,
    },
}
