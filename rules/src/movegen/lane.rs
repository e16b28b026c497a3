//! One row or column as the search sees it: what lies there, what fits, and what each square is worth.
//!
//! Everything that does not depend on the tiles still to be laid is worked out here once, so that laying a tile costs
//! the search a few additions.

use crate::board::{Board, Direction, MAX_SIDE, Square};
use crate::ruleset::RuleSet;

use super::graph::{Cell, Cells};
use super::rack::Rack;

/// Squares of the longest lane and one beyond its end.
pub(super) const LANE: usize = MAX_SIDE as usize + 1;

/// What a square makes of the tile laid on it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Worth {
    /// Factor for the letter.
    pub(super) letter: i32,
    /// Factor for every word through the square.
    pub(super) word: i32,
    /// Factor for the letter's points in the crossing word; 0 if there is none.
    pub(super) crossing: i32,
    /// Points of the crossing word without the tile.
    pub(super) beside: i32,
}

/// An unbroken run of tiles on the board, found from its first square.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Run {
    /// The square after its last one; the square itself if no tile lies there.
    pub(super) end: usize,
    /// Sum of the values of its tiles.
    pub(super) points: i32,
}

/// A row or a column.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub(super) direction: Direction,
    /// The row or column, counted from 0.
    pub(super) number: u8,
    pub(super) len: usize,
    /// Letter numbers of the tiles; 0 on empty squares and beyond the end.
    pub(super) tiles: [u8; LANE],
    /// Letters of the rack that fit with the tiles beside the square; none where a tile lies and beyond the end.
    pub(super) fits: [u64; LANE],
    pub(super) worth: [Worth; LANE],
    /// Runs by their first square.
    pub(super) runs: [Run; LANE],
    /// Length of the crossing word that a tile on the square becomes part of; 1 if there is none.
    pub(super) crossing_len: [u8; LANE],
    /// Empty squares with a tile beside, before or after; on an empty board the start square (bit n = square n).
    pub(super) anchors: u32,
}

impl Lane {
    /// The square at this distance from the lane's beginning.
    pub(super) fn square(&self, at: usize) -> Square {
        square(self.direction, self.number, at)
    }
}

fn square(direction: Direction, number: u8, at: usize) -> Square {
    let at = u8::try_from(at).unwrap_or(u8::MAX);
    match direction {
        Direction::Across => Square::new(number, at),
        Direction::Down => Square::new(at, number),
    }
}

/// The tiles of a board in both readings, and the points of each.
#[derive(Debug)]
pub(super) struct Grid {
    rows: usize,
    cols: usize,
    /// Letter numbers, with an empty rim: before the first and after the last square of every row and column.
    letters: Vec<u8>,
    points: Vec<i32>,
}

const WIDTH: usize = MAX_SIDE as usize + 2;

impl Grid {
    pub(super) fn new() -> Self {
        Self {
            rows: 0,
            cols: 0,
            letters: vec![0; WIDTH * WIDTH],
            points: vec![0; WIDTH * WIDTH],
        }
    }

    /// Copies a board; what lies beyond [`MAX_SIDE`] is left out.
    pub(super) fn read(&mut self, rules: &RuleSet, board: &Board) {
        self.rows = usize::from(board.rows().min(MAX_SIDE));
        self.cols = usize::from(board.cols().min(MAX_SIDE));
        self.letters.fill(0);
        for (square, placed) in board.iter() {
            if square.row < MAX_SIDE && square.col < MAX_SIDE {
                let at = place(square);
                self.letters[at] = placed.letter.number();
                self.points[at] = points_of(rules, placed.tile);
            }
        }
    }
}

/// Index of a square in the grid.
fn place(square: Square) -> usize {
    (usize::from(square.row) + 1) * WIDTH + usize::from(square.col) + 1
}

/// Value of a tile; no more than 65,535, so that sums and products of a whole lane stay far below 2^31.
pub(super) fn points_of(rules: &RuleSet, tile: crate::alphabet::Tile) -> i32 {
    rules.tiles.value(tile).clamp(0, i32::from(u16::MAX))
}

impl Lane {
    pub(super) const fn new() -> Self {
        Self {
            direction: Direction::Across,
            number: 0,
            len: 0,
            tiles: [0; LANE],
            fits: [0; LANE],
            worth: [Worth {
                letter: 1,
                word: 1,
                crossing: 0,
                beside: 0,
            }; LANE],
            runs: [Run { end: 0, points: 0 }; LANE],
            crossing_len: [1; LANE],
            anchors: 0,
        }
    }

    /// Makes this the lane with that number, for that rack.
    pub(super) fn read<C: Cell>(
        &mut self,
        rules: &RuleSet,
        grid: &Grid,
        (direction, number): (Direction, u8),
        graph: &Cells<C>,
        rack: &Rack,
    ) {
        let view = grid.view(direction, number);
        (self.direction, self.number, self.len) = (direction, number, view.len);
        self.anchors = 0;
        self.tiles[view.len] = 0;
        self.fits[view.len] = 0;
        self.runs[view.len] = Run {
            end: view.len,
            points: 0,
        };
        for at in (0..view.len).rev() {
            let index = view.index(at);
            let letter = grid.letters[index];
            self.tiles[at] = letter;
            self.runs[at] = Run { end: at, points: 0 };
            if letter != 0 {
                self.fits[at] = 0;
                let rest = self.runs[at + 1];
                self.runs[at] = Run {
                    end: rest.end,
                    points: rest.points + grid.points[index],
                };
                continue;
            }
            let premium = rules.layout.premium(self.square(at));
            self.worth[at] = Worth {
                letter: premium.letter_factor(),
                word: premium.word_factor(),
                crossing: 0,
                beside: 0,
            };
            self.fits[at] = rack.letters;
            self.crossing_len[at] = 1;
            let neighbours = [index - view.across, index + view.across].map(|i| grid.letters[i]);
            if neighbours != [0, 0] {
                self.anchors |= 1 << at;
                self.cross(at, &view, grid, graph, rack);
            }
            if grid.letters[index - view.along] != 0 || grid.letters[index + view.along] != 0 {
                self.anchors |= 1 << at;
            }
        }
    }

    /// Works out which letters make a word across the lane, and for how many points.
    fn cross<C: Cell>(
        &mut self,
        at: usize,
        view: &View,
        grid: &Grid,
        graph: &Cells<C>,
        rack: &Rack,
    ) {
        let index = view.index(at);
        let mut first = index;
        while grid.letters[first - view.across] != 0 {
            first -= view.across;
        }
        let mut points = 0;
        let mut place = Some(graph.root);
        let mut len = 1;
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
        let mut letters = place.map_or(0, |place| place.follows() & rack.letters);
        while let (Some(place), true) = (place, letters != 0) {
            let letter = letters.trailing_zeros();
            letters &= letters - 1;
            let word = after().try_fold(place.after(letter, &graph.cells), |place, tile| {
                place.step(grid.letters[tile], &graph.cells)
            });
            fits |= u64::from(word.is_some_and(Cell::ends)) << letter;
        }
        self.fits[at] = fits;
        self.crossing_len[at] = len;
        let worth = &mut self.worth[at];
        worth.crossing = worth.word;
        worth.beside = worth.word * points;
    }
}

/// How one lane lies in a grid.
struct View {
    first: usize,
    len: usize,
    along: usize,
    across: usize,
}

impl View {
    const fn index(&self, at: usize) -> usize {
        self.first + at * self.along
    }
}

impl Grid {
    fn view(&self, direction: Direction, number: u8) -> View {
        let (len, along, across) = match direction {
            Direction::Across => (self.cols, 1, WIDTH),
            Direction::Down => (self.rows, WIDTH, 1),
        };
        View {
            first: place(square(direction, number, 0)),
            len,
            along,
            across,
        }
    }

    /// Squares of the longest row or column.
    pub(super) fn longest_side(&self) -> usize {
        self.rows.max(self.cols)
    }

    /// Every row, then every column.
    pub(super) fn lanes(&self) -> impl Iterator<Item = (Direction, u8)> + Clone + use<> {
        let numbers = |count: usize| 0..u8::try_from(count).unwrap_or(MAX_SIDE);
        let rows = numbers(self.rows).map(|number| (Direction::Across, number));
        rows.chain(numbers(self.cols).map(|number| (Direction::Down, number)))
    }
}
