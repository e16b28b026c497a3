//! One row or column as the search uses it: its tiles, the letters that fit, and the value of each square.
//!
//! Everything that does not depend on the tiles still to be laid is computed here once, so that laying a tile costs the
//! search a few additions.

use crate::board::{Direction, MAX_SIDE, Square};

use super::cells::{Cell, Cells};
use super::grid::{Grid, View};
use super::rack::Rack;

/// Squares of the longest lane and one beyond its end.
pub(super) const LANE: usize = MAX_SIDE as usize + 1;

/// The effect of a square on the tile laid on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worth {
    /// Factor for the letter.
    pub(super) letter: i32,
    /// Factor for every word through the square.
    pub(super) word: i32,
    /// Factor for the letter's points in the cross word; 0 without a cross word.
    pub(super) crossing: i32,
    /// Points of the cross word without the tile.
    pub(super) beside: i32,
}

/// An unbroken run of tiles on the board, found from its first square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The square after its last one; the square itself if no tile lies there.
    pub(super) end: u32,
    /// Sum of the values of its tiles.
    pub(super) points: i32,
}

/// A row or a column.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub(super) direction: Direction,
    /// The row or column, counted from 0.
    pub(super) number: u8,
    /// Letter numbers of the tiles; 0 on empty squares and beyond the end.
    pub(super) tiles: [u8; LANE],
    /// Letters of the rack that form a valid cross word on the square; none on occupied squares and beyond the end.
    pub(super) fits: [u64; LANE],
    pub(super) worth: [Worth; LANE],
    /// Runs by their first square.
    pub(super) runs: [Run; LANE],
    /// Length of the cross word through the square; 1 without a cross word.
    pub(super) crossing_len: [u8; LANE],
    /// The anchors: empty squares next to a tile; on an empty board the start square (bit n = square n).
    pub(super) anchors: u32,
}

/// No runs.
const EMPTY: [Run; LANE] = {
    let mut runs = [Run { end: 0, points: 0 }; LANE];
    let mut at = 0;
    while at < MAX_SIDE {
        at += 1;
        runs[at as usize].end = at as u32;
    }
    runs
};

impl Lane {
    pub(super) const fn new() -> Self {
        Self {
            direction: Direction::Across,
            number: 0,
            tiles: [0; LANE],
            fits: [0; LANE],
            worth: [Worth::PLAIN; LANE],
            runs: EMPTY,
            crossing_len: [1; LANE],
            anchors: 0,
        }
    }

    /// The square at this distance from the lane's beginning.
    pub(super) fn square(&self, at: usize) -> Square {
        square(self.direction, self.number, at)
    }

    /// Anchors on which a tile of the rack fits.
    pub(super) fn live_anchors(&self) -> impl Iterator<Item = usize> + '_ {
        bits(self.anchors).filter(|at| self.fits[*at] != 0)
    }

    /// The first square of the run of tiles that ends just before a square; the square itself without a run.
    pub(super) fn run_before(&self, at: usize) -> usize {
        let mut start = at;
        while start > 0 && self.tiles[start - 1] != 0 {
            start -= 1;
        }
        start
    }

    /// The number of empty squares without a neighbour just before an anchor that does not follow a run.
    pub(super) fn free_before(&self, anchor: usize) -> usize {
        let before = self.anchors & ((1 << anchor) - 1);
        anchor - (u32::BITS - before.leading_zeros()) as usize
    }

    /// Reads the lane with this number for this rack; a lane without anchors is not read completely.
    pub(super) fn read<C: Cell>(
        &mut self,
        grid: &Grid,
        (direction, number): (Direction, u8),
        worth: &[Worth; LANE],
        graph: &Cells<C>,
        rack: &Rack,
    ) {
        let view = grid.view(direction, number);
        (self.direction, self.number) = (direction, number);
        let free = !view.taken & ((1 << view.len) - 1);
        let crossed = view.beside & free;
        self.anchors = crossed | (view.taken << 1 | view.taken >> 1) & free;
        if self.anchors != 0 {
            self.open(&view, worth, rack);
            self.lay(grid, &view);
            for at in bits(crossed) {
                self.cross(at, grid, &view, graph, rack);
            }
        }
    }

    /// Makes this a lane whose only anchor is the start square of an empty board.
    pub(super) fn begin(&mut self, grid: &Grid, start: u8, worth: &[Worth; LANE], rack: &Rack) {
        let view = grid.view(self.direction, self.number);
        if usize::from(start) < view.len {
            self.open(&view, worth, rack);
            self.anchors = 1 << start;
        }
    }

    /// Clears all squares.
    fn open(&mut self, view: &View, worth: &[Worth; LANE], rack: &Rack) {
        self.tiles = [0; LANE];
        self.fits = [rack.letters; LANE];
        self.fits[view.len] = 0;
        self.worth = *worth;
        self.runs = EMPTY;
        self.crossing_len = [1; LANE];
    }

    /// Lays the tiles of the board.
    fn lay(&mut self, grid: &Grid, view: &View) {
        let mut taken = view.taken;
        while taken != 0 {
            let at = taken.ilog2() as usize;
            taken ^= 1 << at;
            let index = view.index(at);
            self.tiles[at] = grid.letters[index];
            self.fits[at] = 0;
            self.runs[at] = self.runs[at + 1];
            self.runs[at].points += grid.points[index];
            if self.tiles[at + 1] == 0 {
                self.runs[at].points = grid.points[index];
            }
        }
    }

    /// Computes which letters form a valid cross word on each square, and its points.
    fn cross<C: Cell>(
        &mut self,
        at: usize,
        grid: &Grid,
        view: &View,
        graph: &Cells<C>,
        rack: &Rack,
    ) {
        let index = view.index(at);
        let (mut points, mut len) = (0, 1);
        let mut first = index;
        while grid.letters[first - view.across] != 0 {
            first -= view.across;
        }
        let mut place = Some(graph.root);
        for tile in (first..index).step_by(view.across) {
            place = place.and_then(|place| place.step(grid.letters[tile], &graph.cells));
            points += grid.points[tile];
            len += 1;
        }
        let mut end = index + view.across;
        while grid.letters[end] != 0 {
            points += grid.points[end];
            len += 1;
            end += view.across;
        }
        let after = || (index + view.across..end).step_by(view.across);
        let mut fits = 0;
        if let Some(place) = place {
            for letter in letters(place.follows() & rack.letters) {
                let word = after().try_fold(place.after(letter, &graph.cells), |place, tile| {
                    place.step(grid.letters[tile], &graph.cells)
                });
                fits |= u64::from(word.is_some_and(Cell::ends)) << letter;
            }
        }
        self.fits[at] = fits;
        self.crossing_len[at] = len;
        let worth = &mut self.worth[at];
        worth.crossing = worth.word;
        worth.beside = worth.word * points;
    }
}

pub(super) fn square(direction: Direction, number: u8, at: usize) -> Square {
    let at = u8::try_from(at).unwrap_or(u8::MAX);
    match direction {
        Direction::Across => Square::new(number, at),
        Direction::Down => Square::new(at, number),
    }
}

/// The squares of a set, in order.
pub(super) fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        next
    })
}

/// The letters of a set, in order.
pub(super) fn letters(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let next = (set != 0).then(|| set.trailing_zeros());
        set &= set.wrapping_sub(1);
        next
    })
}
