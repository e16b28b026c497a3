//! A lexicon stored as a minimal automaton of the `fst` crate.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use fst::raw::Fst;
use fst::{IntoStreamer, Streamer};
use sha2::{Digest, Sha256};

use super::Lexicon;
use crate::alphabet::Letter;
use crate::bot::BotWords;

/// Why bytes are no lexicon.
#[derive(Debug, thiserror::Error)]
pub enum LexiconError {
    /// Not an automaton, or a damaged one.
    #[error("not a readable automaton")]
    Automaton(#[from] fst::Error),
}

/// Words in an `fst` set whose keys are letter numbers, one byte per letter.
///
/// Numbers instead of text make one tile one step, also where a face has several characters. A key belongs to the
/// order of letters of the tile set it was built for.
///
/// The set is searched as it is stored. Expanding it into a flat array pays for move generation, which walks many
/// branches; a verdict walks one path of a few nodes in a sixth of a microsecond, and the array, at several megabytes
/// and a tenth of a second to build, would save a tenth of one.
pub struct FstLexicon {
    name: String,
    hash: [u8; 32],
    words: Fst<Cow<'static, [u8]>>,
    laid_out: OnceLock<Arc<BotWords>>,
}

impl FstLexicon {
    /// The English list built into the program: Wordnik's words of 2 to 21 letters.
    #[must_use]
    pub fn builtin() -> Arc<Self> {
        static BUILTIN: OnceLock<Arc<FstLexicon>> = OnceLock::new();
        let lexicon = BUILTIN.get_or_init(|| {
            let bytes = include_bytes!(concat!(env!("OUT_DIR"), "/wordnik.fst"));
            let built = Self::from_bytes("wordnik", bytes.as_slice());
            Arc::new(built.expect("the build wrote a sound automaton"))
        });
        Arc::clone(lexicon)
    }

    /// Opens a lexicon and verifies its checksum; the hash is SHA-256 of the bytes.
    pub fn from_bytes(
        name: impl Into<String>,
        bytes: impl Into<Cow<'static, [u8]>>,
    ) -> Result<Self, LexiconError> {
        let bytes = bytes.into();
        let hash = Sha256::digest(&bytes).into();
        let words = Fst::new(bytes)?;
        words.verify()?;
        Ok(Self {
            name: name.into(),
            hash,
            words,
            laid_out: OnceLock::new(),
        })
    }

    /// Calls `visit` with every word in the order of the alphabet.
    pub fn for_each(&self, mut visit: impl FnMut(&[Letter])) {
        let mut stream = (&self.words).into_stream();
        let mut word = Vec::new();
        while let Some((key, _)) = stream.next() {
            word.clear();
            word.extend(key.iter().filter_map(|number| Letter::from_number(*number)));
            visit(&word);
        }
    }
}

impl Lexicon for FstLexicon {
    fn name(&self) -> &str {
        &self.name
    }

    fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    fn words(&self) -> u64 {
        u64::try_from(self.words.len()).expect("a length fits 64 bits")
    }

    fn laid_out(&self) -> Option<Arc<BotWords>> {
        let words = self.laid_out.get_or_init(|| Arc::new(BotWords::new(self)));
        Some(Arc::clone(words))
    }

    fn contains(&self, word: &[Letter]) -> bool {
        let mut node = self.words.root();
        for letter in word {
            let Some(index) = node.find_input(letter.number()) else {
                return false;
            };
            node = self.words.node(node.transition_addr(index));
        }
        node.is_final()
    }
}

impl fmt::Debug for FstLexicon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("FstLexicon");
        shown
            .field("name", &self.name)
            .field("words", &self.words.len());
        shown.finish_non_exhaustive()
    }
}
