//! Plays as text: `8F HORN` runs across from row 8, column F; `H6 FA.M` runs down from column H, row 6.
//!
//! The coordinate can be in either case. The case of tiles matters: a lower-case face is a blank that stands for
//! the letter, `.` is a tile already on the board, and a face of several characters stands in brackets (`[CH]`).

use crate::alphabet::{
    BLANK_FACE, BracketError, Placed, THROUGH_FACE, Tile, TileSet, push_face, split_faces,
};
use crate::board::{Direction, Square, square_from_parts};
use crate::play::Placement;
use crate::quoted::quoted;

/// Why a text is not a play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// The text does not have two parts, a coordinate and tiles.
    #[error("expected a coordinate and tiles, such as: 8F HORN")]
    Shape,
    /// The coordinate does not name a square.
    #[error("{} is not a coordinate; 8F runs across, F8 runs down", quoted(.0))]
    Coordinate(String),
    /// The tile set does not have the face.
    #[error("{} is not a tile", quoted(.0))]
    UnknownTile(String),
    /// A blank has no letter.
    #[error("a blank needs its letter: write the letter in lower case")]
    BlankUnassigned,
    /// A bracket has no partner.
    #[error(transparent)]
    Bracket(#[from] BracketError),
}

/// Reads a play such as `8F HORN`.
pub fn parse(text: &str, tiles: &TileSet) -> Result<Placement, NotationError> {
    let mut words = text.split_whitespace();
    let (Some(coordinate), Some(faces), None) = (words.next(), words.next(), words.next()) else {
        return Err(NotationError::Shape);
    };
    let (start, direction) = parse_coordinate(coordinate)?;
    let tiles = split_faces(faces)?
        .into_iter()
        .map(|face| parse_cell(face, tiles))
        .collect::<Result<_, _>>()?;
    Ok(Placement {
        start,
        direction,
        tiles,
    })
}

/// Writes a play such as `8F HORN`.
#[must_use]
pub fn format(placement: &Placement, tiles: &TileSet) -> String {
    let mut text = format_coordinate(placement.start, placement.direction);
    text.push(' ');
    for cell in &placement.tiles {
        push_face(&mut text, &format_cell(*cell, tiles));
    }
    text
}

/// Reads a coordinate: row first (`8F`) runs across, column first (`F8`) runs down.
pub fn parse_coordinate(text: &str) -> Result<(Square, Direction), NotationError> {
    let bad = || NotationError::Coordinate(text.to_owned());
    let mut chars = text.chars();
    let first = chars.next().ok_or_else(bad)?;
    if !first.is_ascii_digit() {
        let square = square_from_parts(first, chars.as_str()).map_err(|_| bad())?;
        return Ok((square, Direction::Down));
    }
    let mut chars = text.chars();
    let last = chars.next_back().ok_or_else(bad)?;
    let square = square_from_parts(last, chars.as_str()).map_err(|_| bad())?;
    Ok((square, Direction::Across))
}

/// Writes a coordinate; the inverse of [`parse_coordinate`] on boards of up to 26 columns.
#[must_use]
pub fn format_coordinate(start: Square, direction: Direction) -> String {
    let text = start.to_string();
    match direction {
        Direction::Down => text,
        Direction::Across => {
            let row = text.trim_start_matches(|c: char| c.is_ascii_uppercase());
            let column = &text[..text.len() - row.len()];
            format!("{row}{column}")
        }
    }
}

/// Reads one face of a placement: a letter, a blank standing for a letter, or `.`.
pub fn parse_cell(face: &str, tiles: &TileSet) -> Result<Option<Placed>, NotationError> {
    match face {
        THROUGH_FACE => Ok(None),
        BLANK_FACE => Err(NotationError::BlankUnassigned),
        face => tiles
            .parse_placed(face)
            .map(Some)
            .ok_or_else(|| NotationError::UnknownTile(face.to_owned())),
    }
}

/// Writes one face of a placement; the inverse of [`parse_cell`].
#[must_use]
pub fn format_cell(cell: Option<Placed>, tiles: &TileSet) -> String {
    cell.map_or_else(
        || THROUGH_FACE.to_owned(),
        |placed| tiles.placed_face(placed),
    )
}

/// Reads tiles off the board, such as a rack: `AEI?`.
pub fn parse_rack(text: &str, tiles: &TileSet) -> Result<Vec<Tile>, NotationError> {
    split_faces(text)?
        .into_iter()
        .map(|face| {
            tiles
                .parse_tile(face)
                .ok_or_else(|| NotationError::UnknownTile(face.to_owned()))
        })
        .collect()
}

/// Writes tiles off the board; the inverse of [`parse_rack`].
#[must_use]
pub fn format_rack(rack: &[Tile], tiles: &TileSet) -> String {
    let mut text = String::new();
    for tile in rack {
        push_face(&mut text, tiles.tile_face(*tile));
    }
    text
}
