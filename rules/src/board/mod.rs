//! The board: its layout of premium squares and the tiles lying on it.

mod layout;
mod square;

pub use layout::{Layout, LayoutError, MAX_SIDE, Premium};
pub(crate) use square::square_from_parts;
pub use square::{Direction, Square, SquareError};

use crate::alphabet::Placed;

/// The tiles on the squares of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    rows: u8,
    cols: u8,
    cells: Vec<Option<Placed>>,
    occupied: usize,
}

impl Board {
    /// An empty board.
    #[must_use]
    pub fn new(rows: u8, cols: u8) -> Self {
        Self {
            rows,
            cols,
            cells: vec![None; usize::from(rows) * usize::from(cols)],
            occupied: 0,
        }
    }

    /// Number of rows.
    #[must_use]
    pub const fn rows(&self) -> u8 {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub const fn cols(&self) -> u8 {
        self.cols
    }

    /// Whether the square lies on the board.
    #[must_use]
    pub const fn contains(&self, square: Square) -> bool {
        square.row < self.rows && square.col < self.cols
    }

    /// The tile on a square; `None` when it is empty or outside.
    #[must_use]
    pub fn get(&self, square: Square) -> Option<Placed> {
        if self.contains(square) {
            self.cells[self.index(square)]
        } else {
            None
        }
    }

    /// Whether no tile lies on the board.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.occupied == 0
    }

    /// Number of tiles on the board.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.occupied
    }

    /// Lays a tile on an empty square (R-PLAY-8).
    ///
    /// # Panics
    /// If the square is outside or occupied: only a resolved play lays tiles.
    pub fn place(&mut self, square: Square, placed: Placed) {
        assert!(self.contains(square), "{square} is on the board");
        let index = self.index(square);
        assert!(self.cells[index].is_none(), "{square} is empty");
        self.cells[index] = Some(placed);
        self.occupied += 1;
    }

    /// Takes the tile off a square; `None` when there is none.
    pub fn remove(&mut self, square: Square) -> Option<Placed> {
        if !self.contains(square) {
            return None;
        }
        let index = self.index(square);
        let taken = self.cells[index].take();
        self.occupied -= usize::from(taken.is_some());
        taken
    }

    /// Every occupied square with its tile, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Placed)> + '_ {
        let rows = self.cells.chunks(usize::from(self.cols));
        rows.zip(0_u8..).flat_map(|(cells, row)| {
            let cells = cells.iter().zip(0_u8..);
            cells.filter_map(move |(cell, col)| Some((Square::new(row, col), (*cell)?)))
        })
    }

    /// Every tile on the board, row by row.
    pub fn tiles(&self) -> impl Iterator<Item = Placed> + '_ {
        self.cells.iter().flatten().copied()
    }

    /// Every square, row by row.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let cols = self.cols;
        (0..self.rows).flat_map(move |row| (0..cols).map(move |col| Square::new(row, col)))
    }

    /// Whether a tile lies on one of the four squares that share an edge with this one.
    #[must_use]
    pub fn has_neighbour(&self, square: Square) -> bool {
        [Direction::Across, Direction::Down]
            .into_iter()
            .any(|direction| {
                let behind = square
                    .before(direction)
                    .is_some_and(|s| self.get(s).is_some());
                behind || self.get(square.ahead(direction, 1)).is_some()
            })
    }

    fn index(&self, square: Square) -> usize {
        usize::from(square.row) * usize::from(self.cols) + usize::from(square.col)
    }
}
