//! The words of a language: the only judge of a challenged play (R-WORD-1).

mod automaton;

pub use automaton::{FstLexicon, LexiconError};

use std::sync::Arc;

use crate::alphabet::Letter;
use crate::bot::BotWords;

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

    /// The words laid out for finding plays; made when it is first asked for. `None` where that cannot be done.
    fn laid_out(&self) -> Option<Arc<BotWords>> {
        None
    }

    /// Whether the word is in the list.
    fn contains(&self, word: &[Letter]) -> bool;
}
