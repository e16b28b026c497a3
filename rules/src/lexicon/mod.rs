//! The words of a language: the only judge of a challenged play (R-WORD-1).

mod automaton;

pub use automaton::{FstLexicon, LexiconError};

use crate::alphabet::Letter;

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

    /// Whether the word is in the list.
    fn contains(&self, word: &[Letter]) -> bool;
}
