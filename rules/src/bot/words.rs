//! The words bots play with: all of a lexicon, and the few a beginner knows.

use crate::alphabet::Letter;
use crate::lexicon::{FstLexicon, Lexicon};
use crate::movegen::Graph;

/// A lexicon laid out for bots; made once and shared by all of them.
#[derive(Debug)]
pub struct BotWords {
    all: Graph,
    few: Graph,
}

impl BotWords {
    /// Lays a lexicon out.
    #[must_use]
    pub fn new(lexicon: &FstLexicon) -> Self {
        Self {
            all: Graph::from_lexicon(lexicon),
            few: Graph::from_lexicon_where(lexicon, |word| is_known(lexicon, word)),
        }
    }

    /// Every word.
    #[must_use]
    pub const fn all(&self) -> &Graph {
        &self.all
    }

    /// The words a beginner knows.
    #[must_use]
    pub const fn few(&self) -> &Graph {
        &self.few
    }
}

/// How many of a hundred words of each length a beginner knows; nobody has counted how common words are, so chance
/// decides, the same way every time.
const KNOWN_PERCENT: [u32; 9] = [0, 0, 60, 45, 35, 28, 18, 10, 4];

fn is_known(lexicon: &FstLexicon, word: &[Letter]) -> bool {
    let percent = KNOWN_PERCENT.get(word.len()).copied().unwrap_or(0);
    // FNV-1a over the letters and a byte of the lexicon's hash: any fixed scattering will do.
    let bytes = word.iter().map(|letter| letter.number());
    let hash = bytes
        .chain([lexicon.hash()[0]])
        .fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
    (hash >> 8) % 100 < percent
}
