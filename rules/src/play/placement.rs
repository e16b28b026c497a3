//! The placement that a player sends, and the rules that it can break.

use serde::{Deserialize, Serialize};

use crate::alphabet::{Placed, Tile};
use crate::board::{Direction, Square};

/// Tiles laid along one line, not yet checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placement {
    /// Square of the first entry of `tiles`.
    pub start: Square,
    /// The direction of the line.
    pub direction: Direction,
    /// One entry per square from `start` on; `None` is a square where a tile lies already.
    pub tiles: Vec<Option<Placed>>,
}

impl Placement {
    /// Makes a placement from tiles with their squares, in any order.
    ///
    /// Squares between them count as occupied. A single tile becomes a line across; [`super::Play::resolve`]
    /// turns it into the direction of its longer word.
    pub fn from_squares(laid: &[(Square, Placed)]) -> Result<Self, PlacementError> {
        let mut laid = laid.to_vec();
        laid.sort_by_key(|(square, _)| *square);
        let (Some(&(first, _)), Some(&(last, _))) = (laid.first(), laid.last()) else {
            return Err(PlacementError::NoTiles);
        };
        let direction = if laid.iter().all(|(square, _)| square.row == first.row) {
            Direction::Across
        } else if laid.iter().all(|(square, _)| square.col == first.col) {
            Direction::Down
        } else {
            return Err(PlacementError::NotInLine);
        };
        let offset = |square: Square| {
            usize::from(square.row - first.row) + usize::from(square.col - first.col)
        };
        let mut tiles = vec![None; offset(last) + 1];
        for &(square, placed) in &laid {
            let cell = &mut tiles[offset(square)];
            if cell.is_some() {
                return Err(PlacementError::Occupied { square });
            }
            *cell = Some(placed);
        }
        Ok(Self {
            start: first,
            direction,
            tiles,
        })
    }

    /// The tiles laid with their squares.
    pub fn squares(&self) -> impl Iterator<Item = (Square, Placed)> + '_ {
        let squares = (0..).map(|step| self.start.ahead(self.direction, step));
        squares
            .zip(&self.tiles)
            .filter_map(|(square, cell)| Some((square, (*cell)?)))
    }

    /// The tiles the placement takes from the rack.
    pub fn laid(&self) -> impl Iterator<Item = Placed> + '_ {
        self.tiles.iter().filter_map(|cell| *cell)
    }
}

/// The rule that a placement breaks, one variant per rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    /// The placement lays no tile (R-PLAY-1).
    #[error("no tile is laid")]
    NoTiles,
    /// The tiles lie in more than one row and column (R-PLAY-2).
    #[error("the tiles do not lie in one line")]
    NotInLine,
    /// A square is outside the board (R-PLAY-3).
    #[error("{square} is off the board")]
    OffBoard {
        /// First such square.
        square: Square,
    },
    /// A square already holds a tile (R-PLAY-8).
    #[error("{square} is occupied")]
    Occupied {
        /// First such square.
        square: Square,
    },
    /// The line has an empty square (R-PLAY-4).
    #[error("there is no tile on {square}, so the line has a gap")]
    Gap {
        /// First such square.
        square: Square,
    },
    /// The first play lays fewer tiles than the rule set asks for (R-PLAY-5).
    #[error("the first play needs at least {needed} tiles")]
    TooFewTiles {
        /// Tiles needed.
        needed: u8,
    },
    /// The first play misses the start square (R-PLAY-5).
    #[error("the first play must cover {start}")]
    CentreMissed {
        /// The start square.
        start: Square,
    },
    /// A later play touches no tile on the board (R-PLAY-6).
    #[error("the play does not touch a tile on the board")]
    NotAdjacent,
    /// The rack does not hold a tile of the play (R-PLAY-10).
    #[error("a tile of the play is not on the rack")]
    TileNotInRack {
        /// The missing tile.
        tile: Tile,
    },
    /// The play forms no word of two or more letters (R-PLAY-7).
    #[error("no word of at least two letters is formed")]
    WordTooShort,
}
