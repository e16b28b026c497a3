//! Every prefix of a word that a rack can spell (a stem), as a tree in one list.
//!
//! Squares without neighbours accept any letter, so the possible stems are the same in every lane. They are computed
//! once per rack. The blanks of a stem are chosen later.

use std::ops::Range;

use super::cells::{Cell, Cells};
use super::lane::letters;
use super::rack::{LETTERS, Left, Rack};

/// A prefix of a word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stem<C> {
    /// The place in the graph after the stem.
    pub(super) place: C,
    /// Index after the last stem that begins with this one.
    pub(super) skip: u32,
    /// Index of the stem without the last letter; meaningless for one letter.
    pub(super) parent: u32,
    /// The last letter.
    pub(super) letter: u8,
    /// Number of letters.
    pub(super) len: u8,
}

/// The stems of a rack, each followed by those that begin with it.
#[derive(Debug)]
pub(super) struct Stems<C> {
    pub(super) list: Vec<Stem<C>>,
    /// Indexes of stems, ordered by last letter and then by length.
    by_end: Vec<u32>,
    /// The letters that may follow the stems of `by_end`.
    follows: Vec<u64>,
    /// Where the stems of a letter and a length begin in `by_end`: at `row of the letter * width + length`.
    starts: Vec<u32>,
    rows: [u8; LETTERS],
    width: usize,
}

impl<C: Cell> Stems<C> {
    pub(super) const fn new() -> Self {
        Self {
            list: Vec::new(),
            by_end: Vec::new(),
            follows: Vec::new(),
            starts: Vec::new(),
            rows: [0; LETTERS],
            width: 1,
        }
    }

    /// Spells every stem of up to `longest` letters.
    pub(super) fn spell(&mut self, graph: &Cells<C>, rack: &Rack, longest: usize) {
        self.list.clear();
        self.width = longest + 1;
        if longest > 0 {
            let mut spelling = Spelling {
                list: &mut self.list,
                graph,
                rack,
                left: rack.tiles.clone(),
                longest,
            };
            spelling.grow(graph.root, u32::MAX, 0);
        }
        self.sort(rack);
    }

    /// Collects the stems that end with one of these letters after the given numbers of others (bit n = n letters) and
    /// can continue with one of the useful letters (bit 0: can end); returns their number.
    pub(super) fn choose(
        &self,
        ends: u64,
        befores: u32,
        useful: u64,
        chosen: &mut Vec<u32>,
    ) -> usize {
        if chosen.len() <= self.list.len() {
            chosen.resize(self.list.len() + 1, 0);
        }
        let mut count = 0;
        for letter in letters(ends) {
            let mut befores = befores & ((1 << (self.width - 1)) - 1);
            while befores != 0 {
                // Stems of neighbouring lengths are adjacent.
                let from = befores.trailing_zeros();
                let to = from + (befores >> from).trailing_ones();
                befores = befores >> (to - 1) >> 1 << (to - 1) << 1;
                let range = self.ending(letter, from as usize + 1..to as usize + 1);
                for (index, follows) in self.by_end[range.clone()].iter().zip(&self.follows[range])
                {
                    // The next stem overwrites an unwanted one: a branch would often be mispredicted.
                    chosen[count] = *index;
                    count += usize::from(follows & useful != 0);
                }
            }
        }
        count
    }

    /// The stems that end with this letter and have one of these lengths, as a range of `by_end`.
    fn ending(&self, letter: u32, lengths: Range<usize>) -> Range<usize> {
        let row = usize::from(self.rows[letter as usize]) * self.width;
        self.starts[row + lengths.start] as usize..self.starts[row + lengths.end] as usize
    }

    /// Sorts by counting.
    fn sort(&mut self, rack: &Rack) {
        let mut letters = rack.letters;
        let mut rows = 0;
        while letters != 0 {
            self.rows[letters.trailing_zeros() as usize] = rows;
            rows += 1;
            letters &= letters - 1;
        }
        self.starts.clear();
        self.starts.resize(usize::from(rows) * self.width + 1, 0);
        self.by_end.clear();
        self.by_end.resize(self.list.len(), 0);
        self.follows.clear();
        self.follows.resize(self.list.len(), 0);
        let (rows, width) = (&self.rows, self.width);
        let place = |stem: &Stem<C>| {
            usize::from(rows[usize::from(stem.letter)]) * width + usize::from(stem.len)
        };
        for stem in &self.list {
            self.starts[place(stem)] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        // Filling from the back turns the ends into beginnings.
        for (index, stem) in self.list.iter().enumerate().rev() {
            let start = &mut self.starts[place(stem)];
            *start -= 1;
            self.by_end[*start as usize] = count(index);
            self.follows[*start as usize] = stem.place.follows();
        }
    }
}

/// The tiles not yet used by the stem being spelled.
struct Spelling<'a, C> {
    list: &'a mut Vec<Stem<C>>,
    graph: &'a Cells<C>,
    rack: &'a Rack,
    left: Left,
    longest: usize,
}

impl<C: Cell> Spelling<'_, C> {
    /// Adds every stem that begins with the `len` letters that led to `place`.
    fn grow(&mut self, place: C, parent: u32, len: u8) {
        let mut letters = place.follows() & self.rack.can(&self.left);
        while letters != 0 {
            let letter = letters.trailing_zeros();
            letters &= letters - 1;
            let next = place.after(letter, &self.graph.cells);
            let index = self.list.len();
            let number = count(index);
            self.list.push(Stem {
                place: next,
                skip: number + 1,
                parent,
                letter: u8::try_from(letter).expect("a bit of 64"),
                len: len + 1,
            });
            if usize::from(len) + 1 < self.longest && next.follows() & !1 != 0 {
                let source = self.left.take(letter as usize);
                self.grow(next, number, len + 1);
                self.left.put_back(letter as usize, source);
                self.list[index].skip = count(self.list.len());
            }
        }
    }
}

fn count(stems: usize) -> u32 {
    u32::try_from(stems).expect("no more stems than prefixes of words")
}
