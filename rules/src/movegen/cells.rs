//! The cells of the word graph.
//!
//! A node of the word graph stands for a prefix of some words. The array has one cell per edge, and a cell describes
//! the node that it leads to: the letters that may follow, whether a word ends there, and where the cells of the
//! following letters are. The cells of one node are spread (`first + letter`) and cells of other nodes fill the gaps. A
//! search never reads a cell of another node, because it checks the set of letters first.

use crate::alphabet::Letter;

/// Highest letter number the graph can hold: one bit of a 64-bit set each, and one for the end of a word.
pub const MAX_LETTER: u8 = 63;

/// A place in the graph: what may follow the letters read so far.
pub(super) trait Cell: Copy {
    /// Makes the cell from its letters (bit n = letter n; bit 0 = a word ends here) and its first index.
    fn new(follows: u64, first: u32) -> Self;

    /// Letters that may follow, with bit 0 set if a word ends here.
    fn follows(self) -> u64;

    /// Index of the cell for letter 0, if there were one.
    fn first(self) -> usize;

    /// Whether the letters so far are a word.
    #[inline]
    fn ends(self) -> bool {
        self.follows() & 1 != 0
    }

    /// The place after one more letter; meaningful only for a letter that may follow.
    #[inline]
    fn after(self, letter: u32, cells: &[Self]) -> Self {
        cells[self.first() + letter as usize]
    }

    /// The place after one more letter, if it may follow.
    #[inline]
    fn step(self, letter: u8, cells: &[Self]) -> Option<Self> {
        let follows = letter <= MAX_LETTER && letter > 0 && self.follows() >> letter & 1 != 0;
        follows.then(|| self.after(u32::from(letter), cells))
    }
}

/// A cell for alphabets of at most 31 letters.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Narrow {
    follows: u32,
    first: u32,
}

/// A cell for alphabets of at most 63 letters.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wide {
    follows: u64,
    first: u32,
}

impl Cell for Narrow {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the narrow form is chosen only when every letter fits"
    )]
    fn new(follows: u64, first: u32) -> Self {
        Self {
            follows: follows as u32,
            first,
        }
    }

    #[inline]
    fn follows(self) -> u64 {
        u64::from(self.follows)
    }

    #[inline]
    fn first(self) -> usize {
        self.first as usize
    }
}

impl Cell for Wide {
    fn new(follows: u64, first: u32) -> Self {
        Self { follows, first }
    }

    #[inline]
    fn follows(self) -> u64 {
        self.follows
    }

    #[inline]
    fn first(self) -> usize {
        self.first as usize
    }
}

/// All cells and the place before the first letter.
#[derive(Clone, Debug)]
pub(super) struct Cells<C> {
    pub(super) root: C,
    pub(super) cells: Vec<C>,
}

impl<C: Cell> Cells<C> {
    pub(super) fn contains(&self, word: &[Letter]) -> bool {
        let mut place = self.root;
        for letter in word {
            match place.step(letter.number(), &self.cells) {
                Some(next) => place = next,
                None => return false,
            }
        }
        place.ends()
    }
}
