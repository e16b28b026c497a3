//! The tiles of a board in a form that rows and columns can read alike.

use crate::board::{Board, Direction, MAX_SIDE, Square};
use crate::ruleset::RuleSet;

/// Squares from one row of the grid to the next: the longest row and an empty border on either side.
const WIDTH: usize = MAX_SIDE as usize + 2;

/// The tiles of a board, their points, and the occupied squares.
#[derive(Debug)]
pub(super) struct Grid {
    rows: usize,
    cols: usize,
    /// Letter numbers; 0 on empty squares and on the border around the board.
    pub(super) letters: Vec<u8>,
    /// Points of the tiles; undefined on empty squares.
    pub(super) points: Vec<i32>,
    /// Occupied squares of each row and each column (bit n = square n), with an empty lane before the first.
    taken: [[u32; WIDTH]; 2],
}

/// The position of one lane in a grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// Index of its first square.
    first: usize,
    pub(super) len: usize,
    /// Distance to the next square.
    along: usize,
    /// Distance to the next lane.
    pub(super) across: usize,
    /// Occupied squares of the lane.
    pub(super) taken: u32,
    /// Occupied squares of the lanes on either side.
    pub(super) beside: u32,
}

impl View {
    /// Index of a square.
    pub(super) const fn index(&self, at: usize) -> usize {
        self.first + at * self.along
    }
}

impl Grid {
    pub(super) fn new() -> Self {
        Self {
            rows: 0,
            cols: 0,
            letters: vec![0; WIDTH * WIDTH],
            points: vec![0; WIDTH * WIDTH],
            taken: [[0; WIDTH]; 2],
        }
    }

    /// Copies a board; squares beyond [`MAX_SIDE`] are left out.
    pub(super) fn read(&mut self, rules: &RuleSet, board: &Board) {
        self.rows = usize::from(board.rows().min(MAX_SIDE));
        self.cols = usize::from(board.cols().min(MAX_SIDE));
        self.letters.fill(0);
        self.taken = [[0; WIDTH]; 2];
        for (square, placed) in board.iter() {
            if square.row < MAX_SIDE && square.col < MAX_SIDE {
                let at = place(square);
                self.letters[at] = placed.letter.number();
                self.points[at] = rules.tiles.value(placed.tile);
                let (row, col) = (usize::from(square.row), usize::from(square.col));
                self.taken[0][row + 1] |= 1 << col;
                self.taken[1][col + 1] |= 1 << row;
            }
        }
    }

    /// Makes every tile worth nothing.
    pub(super) fn forget_points(&mut self) {
        self.points.fill(0);
    }

    pub(super) fn view(&self, direction: Direction, number: u8) -> View {
        let (len, along, across) = match direction {
            Direction::Across => (self.cols, 1, WIDTH),
            Direction::Down => (self.rows, WIDTH, 1),
        };
        let taken = &self.taken[usize::from(direction == Direction::Down)];
        let number = usize::from(number);
        View {
            first: match direction {
                Direction::Across => (number + 1) * WIDTH + 1,
                Direction::Down => WIDTH + number + 1,
            },
            len,
            along,
            across,
            taken: taken[number + 1],
            beside: taken[number] | taken[number + 2],
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

/// Index of a square in the grid.
fn place(square: Square) -> usize {
    (usize::from(square.row) + 1) * WIDTH + usize::from(square.col) + 1
}
