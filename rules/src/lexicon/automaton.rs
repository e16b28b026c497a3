//! A lexicon stored as a minimal automaton of the `fst` crate.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use fst::raw::Fst;
use fst::{IntoStreamer, Streamer};
use sha2::{Digest, Sha256};

use super::description::{self, Description, MARK};
use super::graphs::WordGraphs;
use super::soundness::{ByLength, Sound};
use super::{Lexicon, LexiconError};
use crate::alphabet::{Letter, TileSet};
use crate::movegen::WordGraph;

/// Words in an `fst` set whose keys are letter numbers, one byte per letter.
///
/// With numbers instead of text each tile is one step, even if its face has several characters. The numbers follow the
/// alphabet of the tile set that the lexicon was built for; keys that begin with byte 0 describe it. A set without such
/// keys is English.
///
/// Lookups use the set as it is stored. Only move generation uses the larger [`WordGraph`], because it visits many
/// branches; a verdict follows one path of a few nodes in a sixth of a microsecond.
///
/// Invariant: the set is sound, and every word has 2 to 21 letters of the alphabet.
pub struct FstLexicon {
    name: String,
    hash: [u8; 32],
    description: Description,
    by_length: ByLength,
    words: Fst<Cow<'static, [u8]>>,
    graphs: OnceLock<Arc<WordGraphs>>,
}

impl FstLexicon {
    /// The name of the built-in list.
    pub const BUILTIN: &str = "wordnik";

    /// Returns the built-in English lexicon: Wordnik's words of 2 to 21 letters.
    #[must_use]
    pub fn builtin() -> Arc<Self> {
        static BUILTIN: OnceLock<Arc<FstLexicon>> = OnceLock::new();
        let lexicon = BUILTIN.get_or_init(|| {
            let bytes = include_bytes!(concat!(env!("OUT_DIR"), "/wordnik.fst"));
            let built = Self::from_bytes(Self::BUILTIN, bytes.as_slice());
            Arc::new(built.expect("the build wrote a sound automaton"))
        });
        Arc::clone(lexicon)
    }

    /// Whether a text is a valid lexicon name: 1 to 40 of a-z, 0-9 and `-`.
    #[must_use]
    pub fn is_name(text: &str) -> bool {
        description::is_name(text)
    }

    /// Opens a lexicon: verifies its checksum, every node and every word; the hash is SHA-256 of the bytes.
    ///
    /// # Errors
    /// Names what is wrong with the name or the bytes.
    pub fn from_bytes(
        name: impl Into<String>,
        bytes: impl Into<Cow<'static, [u8]>>,
    ) -> Result<Self, LexiconError> {
        let (name, bytes) = (name.into(), bytes.into());
        if !description::is_name(&name) {
            return Err(LexiconError::Name(name));
        }
        let hash = Sha256::digest(&bytes).into();
        let set = Fst::new(bytes.as_ref())?;
        set.verify()?;
        let sound = Sound::new(&set, &bytes)?;
        let keys = match sound.description()? {
            Some(from) => sound.check_description(from)?,
            None => 0,
        };
        let (by_length, highest) = sound.count()?;
        // The crate may visit the nodes only after all of them were checked.
        let description = Description::read(&marked(&set, keys))?;
        let letters = description.alphabet.len();
        if usize::from(highest) > letters {
            let letter = highest;
            return Err(LexiconError::Letter { letter, letters });
        }
        let words: u64 = by_length.iter().sum();
        if words == 0 {
            return Err(LexiconError::NoWords);
        }
        if u64::try_from(set.len()).ok() != words.checked_add(keys) {
            return Err(LexiconError::Damaged(bytes.len()));
        }
        Ok(Self {
            name,
            hash,
            description,
            by_length,
            words: Fst::new(bytes)?,
            graphs: OnceLock::new(),
        })
    }

    /// Returns the faces of the letters, in the order of their numbers.
    #[must_use]
    pub fn alphabet(&self) -> &[String] {
        &self.description.alphabet
    }

    /// Returns the number of words of each length; the index is the length.
    #[must_use]
    pub fn by_length(&self) -> &[u64] {
        &self.by_length
    }

    /// Returns the size of the stored set in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.words.as_bytes().len()
    }

    /// Calls `visit` with every word in the order of the alphabet.
    pub fn for_each(&self, mut visit: impl FnMut(&[Letter])) {
        let mut stream = self.words.range().ge([MARK + 1]).into_stream();
        let mut word = Vec::new();
        while let Some((key, _)) = stream.next() {
            word.clear();
            word.extend(key.iter().filter_map(|number| Letter::from_number(*number)));
            visit(&word);
        }
    }
}

impl FstLexicon {
    /// Builds the graph of all words for move generation. Each call builds a new graph; [`Lexicon::graphs`] keeps one.
    #[must_use]
    pub fn to_graph(&self) -> WordGraph {
        WordGraph::from_words(|add| self.for_each(add))
    }
}

/// Returns the `count` keys of the description.
fn marked<D: AsRef<[u8]>>(set: &Fst<D>, count: u64) -> Vec<Vec<u8>> {
    let mut keys = Vec::new();
    if count == 0 {
        return keys;
    }
    let mut stream = set.range().lt([MARK + 1]).into_stream();
    while let Some((key, _)) = stream.next() {
        if !key.is_empty() {
            keys.push(key.to_vec());
        }
    }
    keys
}

impl Lexicon for FstLexicon {
    fn name(&self) -> &str {
        &self.name
    }

    fn language(&self) -> &str {
        &self.description.language
    }

    fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    fn words(&self) -> u64 {
        self.by_length.iter().sum()
    }

    fn graphs(&self) -> Option<Arc<WordGraphs>> {
        let graphs = self.graphs.get_or_init(|| Arc::new(WordGraphs::new(self)));
        Some(Arc::clone(graphs))
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

    fn fits(&self, tiles: &TileSet) -> bool {
        let faces = tiles.letters().map(|letter| tiles.face(letter));
        faces.eq(self.description.alphabet.iter().map(String::as_str))
    }
}

impl fmt::Debug for FstLexicon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("FstLexicon");
        shown
            .field("name", &self.name)
            .field("language", &self.description.language)
            .field("words", &self.words());
        shown.finish_non_exhaustive()
    }
}
