//! Squares, their notation, and the two directions of a word.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A square, counted from 0 at the top left; written `H8` (column letter, row number).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Square {
    /// Row, 0 at the top.
    pub row: u8,
    /// Column, 0 at the left.
    pub col: u8,
}

impl Square {
    /// The square in this row and column, both counted from 0.
    #[must_use]
    pub const fn new(row: u8, col: u8) -> Self {
        Self { row, col }
    }

    /// The square `steps` further right or down; saturates far outside any board.
    #[must_use]
    pub fn ahead(self, direction: Direction, steps: usize) -> Self {
        let steps = u8::try_from(steps).unwrap_or(u8::MAX);
        match direction {
            Direction::Across => Self::new(self.row, self.col.saturating_add(steps)),
            Direction::Down => Self::new(self.row.saturating_add(steps), self.col),
        }
    }

    /// The square just before this one, left or above; `None` at the edge.
    #[must_use]
    pub fn before(self, direction: Direction) -> Option<Self> {
        match direction {
            Direction::Across => Some(Self::new(self.row, self.col.checked_sub(1)?)),
            Direction::Down => Some(Self::new(self.row.checked_sub(1)?, self.col)),
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.col >= 26 {
            write!(f, "{}", char::from(b'A' + self.col / 26 - 1))?;
        }
        write!(
            f,
            "{}{}",
            char::from(b'A' + self.col % 26),
            u16::from(self.row) + 1
        )
    }
}

/// The error for a text that is not a square such as `H8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a square: a column letter and a row number are expected, such as H8")]
pub struct SquareError;

impl FromStr for Square {
    type Err = SquareError;

    /// Reads `H8`, letter in either case.
    fn from_str(text: &str) -> Result<Self, SquareError> {
        let mut chars = text.chars();
        let column = chars.next().ok_or(SquareError)?;
        square_from_parts(column, chars.as_str())
    }
}

/// Joins a column letter and a row number counted from 1.
pub(crate) fn square_from_parts(column: char, row: &str) -> Result<Square, SquareError> {
    let column = u8::try_from(column)
        .map_err(|_| SquareError)?
        .to_ascii_uppercase();
    if !column.is_ascii_uppercase()
        || row.is_empty()
        || row.len() > 2
        || !row.bytes().all(|b| b.is_ascii_digit())
    {
        return Err(SquareError);
    }
    let number: u8 = row.parse().map_err(|_| SquareError)?;
    let row = number.checked_sub(1).ok_or(SquareError)?;
    Ok(Square::new(row, column - b'A'))
}

/// The two directions of a word (R-PLAY-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Left to right.
    Across,
    /// Top to bottom.
    Down,
}

impl Direction {
    /// The other direction.
    #[must_use]
    pub const fn crossing(self) -> Self {
        match self {
            Self::Across => Self::Down,
            Self::Down => Self::Across,
        }
    }
}
