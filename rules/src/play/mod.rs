//! From the placement that a player sends to a legal play with its words and score.
//!
//! A [`Placement`] is unchecked. [`Play::resolve`] is the only way to a [`Play`], and a play contains everything
//! that the turn needs: the tiles with their squares, every word formed, every score. It does not look up words: in
//! games with challenges the lexicon is not consulted before a verdict, so legality and validity are separate.

mod placement;
mod resolve;

pub use crate::board::Direction;
pub use placement::{Placement, PlacementError};

use serde::{Deserialize, Serialize};

use crate::alphabet::{Letter, Placed};
use crate::board::Square;

/// One word formed by a play, with its score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordScore {
    /// First square of the word.
    pub start: Square,
    /// The direction of the word.
    pub direction: Direction,
    /// The tiles of the word, including those that lay there before.
    pub tiles: Vec<Placed>,
    /// Points for this word.
    pub score: i32,
    /// The word as [`crate::alphabet::TileSet::word_text`] writes it: lower case for blanks.
    pub text: String,
}

impl WordScore {
    /// The letters of the word, blanks included: the spelling to look up in a lexicon.
    #[must_use]
    pub fn spelling(&self) -> Vec<Letter> {
        self.tiles.iter().map(|placed| placed.letter).collect()
    }
}

/// A legal placement with its words and score; only [`Play::resolve`] makes one.
///
/// Invariant: every placed square is empty on the board the play was resolved against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    start: Square,
    direction: Direction,
    tiles: Vec<Option<Placed>>,
    placed: Vec<(Square, Placed)>,
    words: Vec<WordScore>,
    bonus: i32,
    score: i32,
}

impl Play {
    /// First square of the main word.
    #[must_use]
    pub const fn start(&self) -> Square {
        self.start
    }

    /// The direction of the main word.
    #[must_use]
    pub const fn direction(&self) -> Direction {
        self.direction
    }

    /// The main word square by square; `None` where a tile lay before.
    #[must_use]
    pub fn tiles(&self) -> &[Option<Placed>] {
        &self.tiles
    }

    /// The play written as a placement; resolving it again gives the same play.
    #[must_use]
    pub fn placement(&self) -> Placement {
        Placement {
            start: self.start,
            direction: self.direction,
            tiles: self.tiles.clone(),
        }
    }

    /// The tiles laid and their squares, in the order of the line.
    #[must_use]
    pub fn placed(&self) -> &[(Square, Placed)] {
        &self.placed
    }

    /// Every word formed: the main word, then the cross words in the order of the line (R-PLAY-7).
    #[must_use]
    pub fn words(&self) -> &[WordScore] {
        &self.words
    }

    /// Bonus for the number of tiles laid, in points (R-SCORE-8).
    #[must_use]
    pub const fn bonus(&self) -> i32 {
        self.bonus
    }

    /// Score of the turn in points: all words and the bonus.
    #[must_use]
    pub const fn score(&self) -> i32 {
        self.score
    }
}
