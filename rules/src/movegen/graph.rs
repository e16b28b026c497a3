//! The words of a lexicon as a graph: one flat array of cells, in which a step from letter to letter is a single read.

use crate::alphabet::Letter;

use super::cells::{Cells, Narrow, Wide};
use super::pack::Builder;
use super::spellings::{self, Spellings};

/// Highest letter number of the narrow form.
const MAX_NARROW: u8 = 31;

/// The words of a lexicon as a graph for finding plays.
///
/// Built once when a lexicon is loaded and then shared by any number of [`super::Generator`]s.
#[derive(Clone, Debug)]
pub struct WordGraph {
    pub(super) form: Form,
    pub(super) spellings: Spellings,
}

/// The two widths of the array.
#[derive(Clone, Debug)]
pub(super) enum Form {
    Narrow(Cells<Narrow>),
    Wide(Cells<Wide>),
}

impl WordGraph {
    /// Builds the graph; `for_each` calls its argument with every word, in the order of the letters' numbers.
    ///
    /// Words with a letter above `MAX_LETTER` are left out.
    #[must_use]
    pub fn from_words(for_each: impl FnOnce(&mut dyn FnMut(&[Letter]))) -> Self {
        let mut builder = Builder::new();
        let mut word = Vec::new();
        let mut spellings = Vec::new();
        for_each(&mut |letters| {
            word.clear();
            word.extend(letters.iter().map(|letter| letter.number()));
            builder.insert(&word);
            let keys = word.iter().map(|letter| spellings::key(*letter));
            spellings.push(keys.fold(0, u64::wrapping_add));
        });
        let nodes = builder.finish();
        let form = if nodes.highest_letter() <= MAX_NARROW {
            Form::Narrow(nodes.pack())
        } else {
            Form::Wide(nodes.pack())
        };
        Self {
            form,
            spellings: Spellings::new(&spellings),
        }
    }

    /// Returns whether the word is in the graph.
    #[must_use]
    pub fn contains(&self, word: &[Letter]) -> bool {
        match &self.form {
            Form::Narrow(cells) => cells.contains(word),
            Form::Wide(cells) => cells.contains(word),
        }
    }

    /// Returns the memory that the graph occupies, bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let cells = match &self.form {
            Form::Narrow(cells) => size_of_val(cells.cells.as_slice()),
            Form::Wide(cells) => size_of_val(cells.cells.as_slice()),
        };
        cells + self.spellings.bytes()
    }
}
