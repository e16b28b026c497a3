//! The words of a lexicon as graphs for finding plays: all of them, and the common ones.

use super::{FstLexicon, Lexicon};
use crate::alphabet::Letter;
use crate::movegen::WordGraph;

/// A lexicon laid out for finding plays; made once and shared by everything that searches.
#[derive(Debug)]
pub struct WordGraphs {
    all: WordGraph,
    common: WordGraph,
}

impl WordGraphs {
    /// Lays a lexicon out.
    #[must_use]
    pub fn new(lexicon: &FstLexicon) -> Self {
        Self {
            all: lexicon.to_graph(),
            common: WordGraph::from_words(|add| {
                lexicon.for_each(|word| {
                    if is_common(lexicon, word) {
                        add(word);
                    }
                });
            }),
        }
    }

    /// Returns the graph of every word.
    #[must_use]
    pub const fn all(&self) -> &WordGraph {
        &self.all
    }

    /// Returns the graph of the common words: those that a beginner knows.
    #[must_use]
    pub const fn common(&self) -> &WordGraph {
        &self.common
    }
}

/// The percentage of the words of each length that are common. No list says how common words are, so a hash selects
/// them, the same ones every time.
const COMMON_PERCENT: [u32; 9] = [0, 0, 60, 45, 35, 28, 18, 10, 4];

fn is_common(lexicon: &FstLexicon, word: &[Letter]) -> bool {
    let percent = COMMON_PERCENT.get(word.len()).copied().unwrap_or(0);
    // FNV-1a over the letters and a byte of the lexicon's hash: any fixed scattering will do.
    let bytes = word.iter().map(|letter| letter.number());
    let hash = bytes
        .chain([lexicon.hash()[0]])
        .fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
    (hash >> 8) % 100 < percent
}
