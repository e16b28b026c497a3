//! Premium squares and the layout of a board.

use super::square::Square;
use crate::quoted::quoted;

/// Most rows or columns a layout may have.
pub const MAX_SIDE: u8 = 26;

/// The effect of a square on the tile that is first laid on it (R-SCORE-3, R-SCORE-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Premium {
    /// Nothing.
    Plain,
    /// Multiplies the letter's value.
    Letter(u8),
    /// Multiplies the word's value.
    Word(u8),
}

impl Premium {
    /// All kinds with their symbols in layouts.
    pub const SYMBOLS: [(char, Self); 7] = [
        ('.', Self::Plain),
        ('\'', Self::Letter(2)),
        ('"', Self::Letter(3)),
        ('^', Self::Letter(4)),
        ('-', Self::Word(2)),
        ('=', Self::Word(3)),
        ('~', Self::Word(4)),
    ];

    /// The kind a layout symbol stands for.
    #[must_use]
    pub fn from_symbol(symbol: char) -> Option<Self> {
        Self::SYMBOLS
            .iter()
            .find(|(s, _)| *s == symbol)
            .map(|(_, kind)| *kind)
    }

    /// The layout symbol of this kind; `'.'` for a multiplier that has none.
    #[must_use]
    pub fn symbol(self) -> char {
        Self::SYMBOLS
            .iter()
            .find(|(_, kind)| *kind == self)
            .map_or('.', |(symbol, _)| *symbol)
    }

    /// Factor for the letter on the square.
    #[must_use]
    pub fn letter_factor(self) -> i32 {
        match self {
            Self::Letter(factor) => i32::from(factor),
            Self::Plain | Self::Word(_) => 1,
        }
    }

    /// Factor for each word through the square.
    #[must_use]
    pub fn word_factor(self) -> i32 {
        match self {
            Self::Word(factor) => i32::from(factor),
            Self::Plain | Self::Letter(_) => 1,
        }
    }
}

/// Why the data of a layout is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// A side of length 0 or above [`MAX_SIDE`].
    #[error("rows and columns must be 1 to {MAX_SIDE}")]
    Size,
    /// The number of lines differs from the number of rows.
    #[error("has {found} lines, expected {expected}")]
    Lines {
        /// Lines in the data.
        found: usize,
        /// Rows declared.
        expected: u8,
    },
    /// The length of a line differs from the number of columns.
    #[error("line {line} has {found} squares, expected {expected}")]
    Width {
        /// Line, counted from 1.
        line: usize,
        /// Squares in the line.
        found: usize,
        /// Columns declared.
        expected: u8,
    },
    /// An unknown symbol.
    #[error("line {line} has the unknown symbol {}", quoted(.symbol))]
    Symbol {
        /// Line, counted from 1.
        line: usize,
        /// The symbol.
        symbol: char,
    },
    /// The start square lies outside.
    #[error("the start square {0} is not on the board")]
    Start(Square),
}

/// The premium squares and the start square of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    rows: u8,
    cols: u8,
    start: Square,
    premiums: Vec<Premium>,
}

impl Layout {
    /// Reads a layout drawn as one line per row with the symbols of [`Premium::SYMBOLS`].
    pub fn parse(rows: u8, cols: u8, start: Square, drawing: &str) -> Result<Self, LayoutError> {
        if !(1..=MAX_SIDE).contains(&rows) || !(1..=MAX_SIDE).contains(&cols) {
            return Err(LayoutError::Size);
        }
        let lines = drawing.lines().count();
        if lines != usize::from(rows) {
            return Err(LayoutError::Lines {
                found: lines,
                expected: rows,
            });
        }
        let mut premiums = Vec::with_capacity(usize::from(rows) * usize::from(cols));
        for (line, text) in (1..).zip(drawing.lines()) {
            let found = text.chars().count();
            if found != usize::from(cols) {
                return Err(LayoutError::Width {
                    line,
                    found,
                    expected: cols,
                });
            }
            for symbol in text.chars() {
                premiums.push(
                    Premium::from_symbol(symbol).ok_or(LayoutError::Symbol { line, symbol })?,
                );
            }
        }
        if start.row >= rows || start.col >= cols {
            return Err(LayoutError::Start(start));
        }
        Ok(Self {
            rows,
            cols,
            start,
            premiums,
        })
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

    /// The square the first play covers (R-PLAY-5).
    #[must_use]
    pub const fn start(&self) -> Square {
        self.start
    }

    /// Whether the square lies on the board.
    #[must_use]
    pub const fn contains(&self, square: Square) -> bool {
        square.row < self.rows && square.col < self.cols
    }

    /// The premium of a square; plain outside the board.
    #[must_use]
    pub fn premium(&self, square: Square) -> Premium {
        if self.contains(square) {
            self.premiums
                [usize::from(square.row) * usize::from(self.cols) + usize::from(square.col)]
        } else {
            Premium::Plain
        }
    }

    /// Number of squares of this kind.
    #[must_use]
    pub fn count(&self, premium: Premium) -> usize {
        self.premiums
            .iter()
            .filter(|kind| **kind == premium)
            .count()
    }

    /// Whether both layouts have the same number of premium squares of each kind, and the same premium on the start
    /// square.
    #[must_use]
    pub(crate) fn has_premiums_of(&self, other: &Self) -> bool {
        let sorted = |layout: &Self| {
            let mut symbols: Vec<char> = layout.premiums.iter().map(|p| p.symbol()).collect();
            symbols.sort_unstable();
            symbols
        };
        self.premium(self.start) == other.premium(other.start) && sorted(self) == sorted(other)
    }

    /// Returns the layout with its premium squares in the order that `shuffle` gives them; the start square does not
    /// change (R-SET-3).
    ///
    /// `shuffle` gets the premiums row by row, without the start square.
    #[must_use]
    pub(crate) fn redrawn(&self, shuffle: impl FnOnce(&mut [Premium])) -> Self {
        let start =
            usize::from(self.start.row) * usize::from(self.cols) + usize::from(self.start.col);
        let mut premiums = self.premiums.clone();
        let at_start = premiums.remove(start);
        shuffle(&mut premiums);
        premiums.insert(start, at_start);
        Self {
            premiums,
            ..self.clone()
        }
    }

    /// One string of symbols per row, top row first.
    #[must_use]
    pub fn drawing(&self) -> Vec<String> {
        self.premiums
            .chunks(usize::from(self.cols))
            .map(|row| row.iter().map(|premium| premium.symbol()).collect())
            .collect()
    }
}
