//! The words that can still be played: a small graph for a search of many positions.

use crate::alphabet::{Letter, Tile};
use crate::board::{Board, MAX_SIDE};

use super::cells::{Cell, Cells, MAX_LETTER};
use super::graph::{Form, WordGraph};
use super::lane::letters;
use super::rack::LETTERS;

/// Lengths of words: no lane is longer.
const LENGTHS: usize = MAX_SIDE as usize + 2;
/// Most blanks for which words are left out.
const MAX_BLANKS: usize = 8;

/// The lanes in which a word can lie, one bit each, by how many letters of it need a blank at most.
type Lanes = [u64; MAX_BLANKS + 1];

impl WordGraph {
    /// Returns the graph of the words that these tiles and the tiles of one row or column can spell. While no other tiles come
    /// into the game, it finds the same plays as the whole graph.
    #[must_use]
    pub fn within_lines(&self, board: &Board, tiles: &[Tile]) -> Self {
        let supply = Supply::new(board, tiles);
        if supply.blanks > MAX_BLANKS {
            return self.clone();
        }
        match &self.form {
            Form::Narrow(cells) => supply.select(cells),
            Form::Wide(cells) => supply.select(cells),
        }
    }
}

/// The tiles that a word can consist of.
struct Supply {
    /// The lanes that have a letter at least so many times, by letter and number.
    have: Vec<[u64; LENGTHS]>,
    /// All lanes.
    all: u64,
    blanks: usize,
}

impl Supply {
    fn new(board: &Board, tiles: &[Tile]) -> Self {
        let (rows, cols) = (usize::from(board.rows()), usize::from(board.cols()));
        let lanes = (rows + cols).min(64);
        let mut counts = vec![[0_usize; LETTERS]; lanes];
        for (square, placed) in board.iter() {
            let letter = usize::from(placed.letter.number().min(MAX_LETTER));
            for lane in [usize::from(square.row), rows + usize::from(square.col)] {
                if let Some(counts) = counts.get_mut(lane) {
                    counts[letter] += 1;
                }
            }
        }
        let mut blanks = 0;
        for tile in tiles {
            match tile.letter() {
                Some(letter) => {
                    let letter = usize::from(letter.number().min(MAX_LETTER));
                    counts.iter_mut().for_each(|counts| counts[letter] += 1);
                }
                None => blanks += 1,
            }
        }
        let mut have = vec![[0; LENGTHS]; LETTERS];
        for (lane, counts) in counts.iter().enumerate() {
            for (have, count) in have.iter_mut().zip(counts) {
                let least = have.iter_mut().take(count + 1);
                least.for_each(|lanes| *lanes |= 1 << lane);
            }
        }
        Self {
            have,
            all: have_all(lanes),
            blanks,
        }
    }

    fn select<C: Cell>(&self, graph: &Cells<C>) -> WordGraph {
        WordGraph::from_words(|visit| {
            let mut lanes = [0; MAX_BLANKS + 1];
            lanes[..=self.blanks].fill(self.all);
            let mut word = Vec::new();
            self.follow(graph, graph.root, lanes, &mut word, visit);
        })
    }

    fn follow<C: Cell>(
        &self,
        graph: &Cells<C>,
        place: C,
        lanes: Lanes,
        word: &mut Vec<Letter>,
        visit: &mut dyn FnMut(&[Letter]),
    ) {
        if place.ends() && !word.is_empty() {
            visit(word);
        }
        if word.len() > usize::from(MAX_SIDE) {
            return;
        }
        for number in letters(place.follows() & !1) {
            let Some(letter) = u8::try_from(number).ok().and_then(Letter::from_number) else {
                continue;
            };
            let times = 1 + word.iter().filter(|other| **other == letter).count();
            let have = self.have[number as usize][times];
            let mut next = [0; MAX_BLANKS + 1];
            next[0] = lanes[0] & have;
            for blanks in 1..=self.blanks {
                next[blanks] = lanes[blanks] & have | lanes[blanks - 1] & !have;
            }
            if next[self.blanks] != 0 {
                word.push(letter);
                self.follow(graph, place.after(number, &graph.cells), next, word, visit);
                word.pop();
            }
        }
    }
}

const fn have_all(lanes: usize) -> u64 {
    match lanes {
        64 => u64::MAX,
        _ => (1 << lanes) - 1,
    }
}
