//! Letters, tiles and the tile set of a language.
//!
//! A letter is a number, because a face may be longer than one character (`CH`, `L·L`): nothing outside this module
//! and [`crate::notation`] looks at faces. Numbers follow the collation order of the alphabet.

use std::num::NonZeroU8;

use serde::{Deserialize, Serialize};

use crate::quoted::quoted;

/// The face of a blank that stands for no letter: on a rack, in the bag, in an exchange.
pub const BLANK_FACE: &str = "?";

/// The mark of a square that a placement reads through because a tile lies there already.
pub const THROUGH_FACE: &str = ".";

/// A letter of a [`TileSet`], numbered from 1 in the order of the alphabet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Letter(NonZeroU8);

impl Letter {
    /// Makes the letter with this number; `None` for 0. [`TileSet::has_letter`] tells whether a tile set has it.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Self> {
        match NonZeroU8::new(number) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }

    /// The letter's number, counted from 1.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0.get()
    }
}

/// A tile as it is drawn from the bag: a letter or a blank.
///
/// The derived order is the order of the draw for first play: the blank beats every letter (R-SETUP-6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tile(u8);

impl Tile {
    /// The blank tile.
    pub const BLANK: Self = Self(0);

    /// The tile that shows `letter`.
    #[must_use]
    pub const fn of(letter: Letter) -> Self {
        Self(letter.number())
    }

    /// The letter on the tile; `None` for a blank.
    #[must_use]
    pub const fn letter(self) -> Option<Letter> {
        Letter::from_number(self.0)
    }

    /// Whether the tile is a blank.
    #[must_use]
    pub const fn is_blank(self) -> bool {
        self.0 == 0
    }

    /// Rank in the draw for first play: lower is better, the blank is 0 (R-SETUP-6).
    #[must_use]
    pub const fn draw_rank(self) -> u8 {
        self.0
    }

    /// Sort key of the canonical order of tiles: the alphabet, blanks last.
    #[must_use]
    pub const fn sort_rank(self) -> u8 {
        self.0.wrapping_sub(1)
    }
}

/// A tile as it lies on a square.
///
/// Invariant: `tile` is either the blank or the tile of `letter`; [`Placed::new`] and [`Placed::blank`] keep it, and
/// [`crate::play::Play::resolve`] refuses anything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Placed {
    /// The tile itself; the blank stays a blank (R-PLAY-9).
    pub tile: Tile,
    /// The letter the tile stands for on this square.
    pub letter: Letter,
}

impl Placed {
    /// A tile that shows its own letter.
    #[must_use]
    pub const fn new(letter: Letter) -> Self {
        Self {
            tile: Tile::of(letter),
            letter,
        }
    }

    /// A blank that stands for `letter`.
    #[must_use]
    pub const fn blank(letter: Letter) -> Self {
        Self {
            tile: Tile::BLANK,
            letter,
        }
    }

    /// Whether a blank lies here.
    #[must_use]
    pub const fn is_blank(self) -> bool {
        self.tile.is_blank()
    }
}

/// One letter of a tile set as its data states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetterSpec {
    /// Upper-case face, one or more characters.
    pub face: String,
    /// Number of tiles with this face.
    pub count: u32,
    /// Value of each in points.
    pub value: i32,
}

/// Why the data of a tile set is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TileSetError {
    /// No letters, or more than a byte can number.
    #[error("must have 1 to 255 letters, has {0}")]
    LetterCount(usize),
    /// A face that is empty, reserved, or does not change between upper and lower case.
    #[error("face {} is empty, reserved or has no lower case of its own", quoted(.0))]
    BadFace(String),
    /// Two letters with one face.
    #[error("face {} occurs twice", quoted(.0))]
    DuplicateFace(String),
    /// A letter value below zero.
    #[error("value of {} is negative", quoted(.0))]
    NegativeValue(String),
    /// No tiles, or more than fit a byte's worth of racks and boards.
    #[error("must have 1 to 1000 tiles, has {0}")]
    TileCount(u64),
}

/// The tiles of a language: faces, counts and values, in the order of the alphabet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileSet {
    letters: Vec<LetterSpec>,
    /// Faces of blanks that stand for a letter, index = letter number - 1.
    lower: Vec<String>,
    blanks: u32,
}

impl TileSet {
    /// Checks the data and numbers the letters in the order given.
    pub fn new(letters: Vec<LetterSpec>, blanks: u32) -> Result<Self, TileSetError> {
        if letters.is_empty() || letters.len() > usize::from(u8::MAX) {
            return Err(TileSetError::LetterCount(letters.len()));
        }
        let mut lower: Vec<String> = Vec::with_capacity(letters.len());
        for (index, spec) in letters.iter().enumerate() {
            let lowered = spec.face.to_lowercase();
            if !is_valid_face(&spec.face)
                || lowered == spec.face
                || lowered.to_uppercase() != spec.face
            {
                return Err(TileSetError::BadFace(spec.face.clone()));
            }
            if letters[..index].iter().any(|other| other.face == spec.face) {
                return Err(TileSetError::DuplicateFace(spec.face.clone()));
            }
            if spec.value < 0 {
                return Err(TileSetError::NegativeValue(spec.face.clone()));
            }
            lower.push(lowered);
        }
        let total = letters
            .iter()
            .map(|spec| u64::from(spec.count))
            .sum::<u64>()
            + u64::from(blanks);
        if !(1..=1000).contains(&total) {
            return Err(TileSetError::TileCount(total));
        }
        Ok(Self {
            letters,
            lower,
            blanks,
        })
    }

    /// All letters in the order of the alphabet.
    pub fn letters(&self) -> impl ExactSizeIterator<Item = Letter> + '_ {
        (0..self.letters.len()).map(letter_at)
    }

    /// Whether the set has this letter; false for a letter of a longer alphabet.
    #[must_use]
    pub fn has_letter(&self, letter: Letter) -> bool {
        self.spec(letter).is_some()
    }

    /// Upper-case face of a letter; `"?"` for a letter of a longer alphabet.
    #[must_use]
    pub fn face(&self, letter: Letter) -> &str {
        self.spec(letter).map_or(BLANK_FACE, |spec| &spec.face)
    }

    /// Face of a tile off the board: the letter's, or `"?"` for a blank.
    #[must_use]
    pub fn tile_face(&self, tile: Tile) -> &str {
        tile.letter().map_or(BLANK_FACE, |letter| self.face(letter))
    }

    /// Face of a tile on the board: lower case where a blank stands for the letter.
    #[must_use]
    pub fn placed_face(&self, placed: Placed) -> String {
        if placed.is_blank() {
            let lowered = self.lower.get(index_of(placed.letter));
            lowered.map_or_else(|| BLANK_FACE.to_owned(), Clone::clone)
        } else {
            self.face(placed.letter).to_owned()
        }
    }

    /// Value of a tile in points; 0 for a blank (R-SCORE-1).
    #[must_use]
    pub fn value(&self, tile: Tile) -> i32 {
        tile.letter()
            .and_then(|letter| self.spec(letter))
            .map_or(0, |spec| spec.value)
    }

    /// How many tiles of this kind the full bag holds.
    #[must_use]
    pub fn count(&self, tile: Tile) -> u32 {
        match tile.letter() {
            None => self.blanks,
            Some(letter) => self.spec(letter).map_or(0, |spec| spec.count),
        }
    }

    /// Number of tiles in the full bag, blanks included.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.letters.iter().map(|spec| spec.count).sum::<u32>() + self.blanks
    }

    /// Sum of the values of all tiles in points.
    #[must_use]
    pub fn points(&self) -> i64 {
        self.letters
            .iter()
            .map(|spec| i64::from(spec.count) * i64::from(spec.value))
            .sum()
    }

    /// Sum of the values of `tiles` in points, as the final adjustment counts a rack (R-END-7).
    #[must_use]
    pub fn sum(&self, tiles: &[Tile]) -> i32 {
        tiles.iter().map(|&tile| self.value(tile)).sum()
    }

    /// Every kind of tile in canonical order: the alphabet, then the blank.
    pub fn kinds(&self) -> impl Iterator<Item = Tile> + '_ {
        self.letters().map(Tile::of).chain([Tile::BLANK])
    }

    /// The full bag in canonical order: the alphabet, blanks last (R-BAG-3).
    #[must_use]
    pub fn all(&self) -> Vec<Tile> {
        self.kinds()
            .flat_map(|tile| (0..self.count(tile)).map(move |_| tile))
            .collect()
    }

    /// The letter with this upper-case face.
    #[must_use]
    pub fn parse_face(&self, face: &str) -> Option<Letter> {
        self.letters
            .iter()
            .position(|spec| spec.face == face)
            .map(letter_at)
    }

    /// The tile with this face: an upper-case face or `"?"`.
    #[must_use]
    pub fn parse_tile(&self, face: &str) -> Option<Tile> {
        if face == BLANK_FACE {
            return Some(Tile::BLANK);
        }
        self.parse_face(face).map(Tile::of)
    }

    /// The tile on a square with this face: upper case, or lower case for a blank standing for the letter.
    #[must_use]
    pub fn parse_placed(&self, face: &str) -> Option<Placed> {
        if let Some(letter) = self.parse_face(face) {
            return Some(Placed::new(letter));
        }
        self.lower
            .iter()
            .position(|lowered| lowered == face)
            .map(|index| Placed::blank(letter_at(index)))
    }

    /// Writes tiles of the board as one text: `PLAYs`, `[CH]ICO`.
    #[must_use]
    pub fn word_text(&self, word: &[Placed]) -> String {
        let mut text = String::new();
        for placed in word {
            push_face(&mut text, &self.placed_face(*placed));
        }
        text
    }

    /// The letters of a text written by [`TileSet::word_text`], whether blanks stand for them or not.
    #[must_use]
    pub fn parse_word(&self, text: &str) -> Option<Vec<Letter>> {
        let faces = split_faces(text).ok()?;
        faces
            .into_iter()
            .map(|face| self.parse_placed(face).map(|placed| placed.letter))
            .collect()
    }

    fn spec(&self, letter: Letter) -> Option<&LetterSpec> {
        self.letters.get(index_of(letter))
    }
}

fn index_of(letter: Letter) -> usize {
    usize::from(letter.number()) - 1
}

fn letter_at(index: usize) -> Letter {
    u8::try_from(index + 1)
        .ok()
        .and_then(Letter::from_number)
        .expect("a tile set has at most 255 letters")
}

fn is_valid_face(face: &str) -> bool {
    !face.is_empty()
        && !face
            .chars()
            .any(|c| c.is_whitespace() || c.is_control() || "?.[]".contains(c))
}

/// The error for a bracket without its partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a bracket is not closed")]
pub struct BracketError;

/// Appends a face, in brackets if it has several characters.
pub(crate) fn push_face(text: &mut String, face: &str) {
    if face.chars().nth(1).is_some() {
        text.push('[');
        text.push_str(face);
        text.push(']');
    } else {
        text.push_str(face);
    }
}

/// Splits a text into faces: single characters, or the text in brackets.
pub(crate) fn split_faces(text: &str) -> Result<Vec<&str>, BracketError> {
    let mut faces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (face, tail) = match first {
            '[' => rest[1..].split_once(']').ok_or(BracketError)?,
            ']' => return Err(BracketError),
            _ => rest.split_at(first.len_utf8()),
        };
        faces.push(face);
        rest = tail;
    }
    Ok(faces)
}
