//! Chooses which tiles of a word are blanks.
//!
//! The search lays letters and only checks that the rack has enough tiles for them. Every choice of squares for the
//! blanks is a separate play with the same word and a different score.

use std::ops::{ControlFlow, Range};

use crate::alphabet::Placed;

use super::cells::Cell;
use super::lane::LANE;
use super::rack::{LETTERS, Rack};
use super::search::{Search, Visit};

/// The tiles of one word while blanks are chosen.
#[derive(Debug)]
pub(super) struct Choice {
    /// Squares of the tiles laid.
    squares: [Laid; LANE],
    /// Tiles of the rack that show the letter and are not used yet.
    shown: [u8; LETTERS],
    /// Squares still to be visited, by letter; all 0 between two words.
    wanted: [u8; LETTERS],
}

/// A tile that may be a blank.
#[derive(Clone, Copy, Debug)]
struct Laid {
    at: usize,
    letter: usize,
    /// Points lost if it is a blank.
    counts_for: i32,
}

impl Choice {
    pub(super) const fn new(rack: &Rack) -> Self {
        Self {
            squares: [Laid {
                at: 0,
                letter: 0,
                counts_for: 0,
            }; LANE],
            shown: rack.tiles.counts,
            wanted: [0; LETTERS],
        }
    }
}

/// A word with its score if no tile were a blank.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) squares: Range<usize>,
    pub(super) laid: usize,
    pub(super) points: i32,
    /// Its factor.
    pub(super) factor: i32,
}

impl<C, V> Search<'_, C, V>
where
    C: Cell,
    V: Visit,
{
    /// Reports a word once for every choice of blanks.
    pub(super) fn with_blanks(&mut self, word: &Word) -> ControlFlow<()> {
        let rack = self.position.rack;
        let mut short: u8 = 0;
        let mut count = 0;
        for at in word.squares.clone() {
            let Some(placed) = self.line[at] else {
                continue;
            };
            let letter = usize::from(placed.letter.number());
            let worth = self.lane.worth[at];
            let points = rack.points[letter] * worth.letter;
            self.choice.squares[count] = Laid {
                at,
                letter,
                counts_for: points * (word.factor + worth.crossing),
            };
            self.choice.wanted[letter] += 1;
            short += u8::from(self.choice.wanted[letter] > self.choice.shown[letter]);
            count += 1;
        }
        let flow = if rack.tiles.blanks == 1 {
            self.one_blank(word, short)
        } else {
            self.choose(word, 0, rack.tiles.blanks, short, word.points)
        };
        for index in 0..count {
            self.choice.wanted[self.choice.squares[index].letter] = 0;
        }
        flow
    }

    /// The only blank stands for any letter, or for the letter that the rack lacks.
    fn one_blank(&mut self, word: &Word, short: u8) -> ControlFlow<()> {
        if short == 0 {
            self.report(word.squares.clone(), word.laid, word.points)?;
        }
        for index in 0..word.laid {
            let Laid {
                at,
                letter,
                counts_for,
            } = self.choice.squares[index];
            if short == 0 || self.choice.wanted[letter] > self.choice.shown[letter] {
                let placed = self.line[at];
                self.line[at] = placed.map(|placed| Placed::blank(placed.letter));
                let points = word.points - counts_for;
                let flow = self.report(word.squares.clone(), word.laid, points);
                self.line[at] = placed;
                flow?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Chooses for each square in turn; `short` of the remaining blanks must stand for letters that the rack lacks.
    fn choose(
        &mut self,
        word: &Word,
        index: usize,
        blanks: u8,
        short: u8,
        points: i32,
    ) -> ControlFlow<()> {
        if blanks == 0 || index == word.laid {
            return self.report(word.squares.clone(), word.laid, points);
        }
        let Laid {
            at,
            letter,
            counts_for,
        } = self.choice.squares[index];
        let runs_out = self.choice.wanted[letter] > self.choice.shown[letter];
        self.choice.wanted[letter] -= 1;
        let mut flow = ControlFlow::Continue(());
        if self.choice.shown[letter] > 0 {
            self.choice.shown[letter] -= 1;
            flow = self.choose(word, index + 1, blanks, short, points);
            self.choice.shown[letter] += 1;
        }
        let short = short - u8::from(runs_out);
        if flow.is_continue() && short < blanks {
            let placed = self.line[at];
            self.line[at] = placed.map(|placed| Placed::blank(placed.letter));
            flow = self.choose(word, index + 1, blanks - 1, short, points - counts_for);
            self.line[at] = placed;
        }
        self.choice.wanted[letter] += 1;
        flow
    }
}
