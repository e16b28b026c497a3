//! Which tiles of a word are blanks.
//!
//! The search lays letters and only sees to it that the rack has enough tiles for them. Every choice of squares for
//! the blanks is a play of its own; all of them share the word and differ in points.

use std::ops::{ControlFlow, Range};

use crate::alphabet::Placed;

use super::Found;
use super::graph::Cell;
use super::lane::LANE;
use super::rack::LETTERS;
use super::search::Search;

/// The tiles of one word while some are chosen to be blanks.
struct Choice {
    word: Range<usize>,
    laid: usize,
    /// Squares of the tiles laid, with what each counts for.
    squares: [(usize, i64); LANE],
    /// Tiles of the rack that show the letter and are not used yet.
    shown: [u8; LETTERS],
    /// Squares still to be looked at, by letter.
    wanted: [u8; LETTERS],
}

impl<C, V> Search<'_, C, V>
where
    C: Cell,
    V: FnMut(Found<'_>) -> ControlFlow<()>,
{
    /// Reports a word once for every choice of blanks; `points` counts every tile as if it showed its letter.
    pub(super) fn with_blanks(
        &mut self,
        word: Range<usize>,
        laid: usize,
        points: i64,
        factor: i64,
    ) -> ControlFlow<()> {
        let rack = self.position.rack;
        let mut choice = Choice {
            word: word.clone(),
            laid,
            squares: [(0, 0); LANE],
            shown: rack.tiles.counts,
            wanted: [0; LETTERS],
        };
        let mut short: u8 = 0;
        let mut count = 0;
        for at in word {
            let Some(placed) = self.line[at] else {
                continue;
            };
            let letter = usize::from(placed.letter.number());
            let worth = self.lane.worth[at];
            let points = i64::from(rack.points[letter]) * i64::from(worth.letter);
            let counts_for = points
                .saturating_mul(factor)
                .saturating_add(points * i64::from(worth.crossing));
            choice.squares[count] = (at, counts_for);
            choice.wanted[letter] += 1;
            short += u8::from(choice.wanted[letter] > choice.shown[letter]);
            count += 1;
        }
        self.choose(&mut choice, 0, rack.tiles.blanks, short, points)
    }

    /// Chooses for one square after the other; `short` of the blanks left must stand for letters that run out.
    fn choose(
        &mut self,
        choice: &mut Choice,
        index: usize,
        blanks: u8,
        short: u8,
        points: i64,
    ) -> ControlFlow<()> {
        if blanks == 0 || index == choice.laid {
            return self.report(choice.word.clone(), choice.laid, points);
        }
        let (at, counts_for) = choice.squares[index];
        let Some(placed) = self.line[at] else {
            return ControlFlow::Continue(());
        };
        let letter = usize::from(placed.letter.number());
        let runs_out = choice.wanted[letter] > choice.shown[letter];
        choice.wanted[letter] -= 1;
        let mut flow = ControlFlow::Continue(());
        if choice.shown[letter] > 0 {
            choice.shown[letter] -= 1;
            flow = self.choose(choice, index + 1, blanks, short, points);
            choice.shown[letter] += 1;
        }
        let short = short - u8::from(runs_out);
        if flow.is_continue() && short < blanks {
            self.line[at] = Some(Placed::blank(placed.letter));
            flow = self.choose(choice, index + 1, blanks - 1, short, points - counts_for);
            self.line[at] = Some(placed);
        }
        choice.wanted[letter] += 1;
        flow
    }
}
