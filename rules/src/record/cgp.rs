//! CGP, a position on one line: `board rack/rack score/score scoreless [opcodes]`.
//!
//! Rows are separated by `/`; a number is a run of empty squares, upper case is a tile, lower case is a blank,
//! and a tile of several characters stands in brackets. The player on turn comes first.

use std::fmt::Write;

use crate::alphabet::{Placed, Tile, TileSet, push_face};
use crate::board::{Board, MAX_SIDE, Square};
use crate::notation::{self, NotationError};
use crate::quoted::quoted;

/// Most racks and scores of a position.
const MAX_PLAYERS: usize = 4;

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cgp {
    /// The board; the rows determine its size.
    pub board: Board,
    /// The racks, the player on turn first; empty where unknown.
    pub racks: Vec<Vec<Tile>>,
    /// The scores, in the same order.
    pub scores: Vec<i32>,
    /// Turns without score in a row.
    pub scoreless: u32,
    /// The unparsed rest, such as `lex NAME;`.
    pub opcodes: String,
}

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CgpError {
    /// The text does not have four parts.
    #[error("expected a board, racks, scores and the number of scoreless turns")]
    Shape,
    /// The board is not a rectangle of 1 to 26 squares a side.
    #[error("row {0} of the board differs in length from the first, or the board is too large")]
    Size(usize),
    /// The tile set does not have the face.
    #[error("{} is not a tile", quoted(.0))]
    Tile(String),
    /// A bracket has no partner.
    #[error("a bracket is not closed")]
    Bracket,
    /// The text is not a number.
    #[error("{} is not a number", quoted(.0))]
    Number(String),
    /// The numbers of racks and of scores differ.
    #[error("there are {racks} racks and {scores} scores")]
    Players {
        /// Racks.
        racks: usize,
        /// Scores.
        scores: usize,
    },
}

/// Reads a position.
///
/// # Errors
/// Names the part that cannot be read.
pub fn parse(text: &str, tiles: &TileSet) -> Result<Cgp, CgpError> {
    let mut parts = text.split_whitespace();
    let mut part = || parts.next().ok_or(CgpError::Shape);
    let (board, racks, scores, scoreless) = (part()?, part()?, part()?, part()?);
    let opcodes: Vec<&str> = parts.collect();
    let racks = racks
        .split('/')
        .map(|rack| {
            notation::parse_rack(rack, tiles).map_err(|error| match error {
                NotationError::UnknownTile(face) => CgpError::Tile(face),
                NotationError::Shape
                | NotationError::Coordinate(_)
                | NotationError::BlankUnassigned
                | NotationError::Bracket(_) => CgpError::Bracket,
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    let scores = scores
        .split('/')
        .map(number)
        .collect::<Result<Vec<i32>, _>>()?;
    if racks.len() != scores.len() || racks.len() > MAX_PLAYERS {
        return Err(CgpError::Players {
            racks: racks.len(),
            scores: scores.len(),
        });
    }
    Ok(Cgp {
        board: parse_board(board, tiles)?,
        racks,
        scores,
        scoreless: number(scoreless)?,
        opcodes: opcodes.join(" "),
    })
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, CgpError> {
    text.parse().map_err(|_| CgpError::Number(text.to_owned()))
}

/// Reads the first part of a position.
///
/// # Errors
/// Names the part that cannot be read.
pub fn parse_board(text: &str, tiles: &TileSet) -> Result<Board, CgpError> {
    let rows = text
        .split('/')
        .enumerate()
        .map(|(at, row)| {
            parse_row(row, tiles).map_err(|error| error.unwrap_or(CgpError::Size(at + 1)))
        })
        .collect::<Result<Vec<_>, _>>()?;
    let cols = rows.first().map_or(0, Vec::len);
    if let Some(odd) = rows.iter().position(|row| row.len() != cols) {
        return Err(CgpError::Size(odd + 1));
    }
    let side = |len: usize| {
        u8::try_from(len)
            .ok()
            .filter(|len| (1..=MAX_SIDE).contains(len))
    };
    let (Some(height), Some(width)) = (side(rows.len()), side(cols)) else {
        return Err(CgpError::Size(1));
    };
    let mut board = Board::new(height, width);
    for (row, cells) in (0..height).zip(&rows) {
        for (col, cell) in (0..width).zip(cells) {
            if let Some(placed) = cell {
                board.place(Square::new(row, col), *placed);
            }
        }
    }
    Ok(board)
}

/// Reads one row; the error is `None` if the row is too long.
fn parse_row(row: &str, tiles: &TileSet) -> Result<Vec<Option<Placed>>, Option<CgpError>> {
    let mut cells: Vec<Option<Placed>> = Vec::new();
    let mut rest = row;
    while let Some(first) = rest.chars().next() {
        if cells.len() > usize::from(MAX_SIDE) {
            return Err(None);
        }
        if first.is_ascii_digit() {
            let len = rest.bytes().take_while(u8::is_ascii_digit).count();
            let empty: usize = number(&rest[..len]).map_err(Some)?;
            if empty > usize::from(MAX_SIDE) {
                return Err(None);
            }
            cells.extend(std::iter::repeat_n(None, empty));
            rest = &rest[len..];
            continue;
        }
        let (face, tail) = if first == '[' {
            rest[1..].split_once(']').ok_or(Some(CgpError::Bracket))?
        } else {
            rest.split_at(first.len_utf8())
        };
        let placed = tiles.parse_placed(face);
        let placed = placed.ok_or_else(|| Some(CgpError::Tile(face.to_owned())))?;
        cells.push(Some(placed));
        rest = tail;
    }
    Ok(cells)
}

/// Writes a position.
#[must_use]
pub fn write(cgp: &Cgp, tiles: &TileSet) -> String {
    let racks: Vec<String> = cgp
        .racks
        .iter()
        .map(|rack| notation::format_rack(rack, tiles))
        .collect();
    let scores: Vec<String> = cgp.scores.iter().map(i32::to_string).collect();
    let text = format!(
        "{} {} {} {}",
        write_board(&cgp.board, tiles),
        racks.join("/"),
        scores.join("/"),
        cgp.scoreless
    );
    if cgp.opcodes.is_empty() {
        text
    } else {
        format!("{text} {}", cgp.opcodes)
    }
}

fn write_board(board: &Board, tiles: &TileSet) -> String {
    let mut text = String::new();
    for row in 0..board.rows() {
        if row > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for col in 0..board.cols() {
            match board.get(Square::new(row, col)) {
                None => empty += 1,
                Some(placed) => {
                    push_empty(&mut text, &mut empty);
                    push_face(&mut text, &tiles.placed_face(placed));
                }
            }
        }
        push_empty(&mut text, &mut empty);
    }
    text
}

fn push_empty(text: &mut String, empty: &mut u32) {
    if *empty > 0 {
        write!(text, "{empty}").expect("writing to a string cannot fail");
        *empty = 0;
    }
}
