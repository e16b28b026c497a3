//! A play that the player considers: the tiles it lays, the words it forms and the points it scores.
//!
//! The rules crate computes everything, from the view of the player. A draft says nothing about the lexicon.

use tilewire_rules::board::Square;
use tilewire_rules::notation::NotationError;
use tilewire_rules::play::{PlacementError, Play};

use crate::position::Position;
use crate::rules::SetupError;
use crate::view::{GameView, tile_face};

/// A legal placement that is not played yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The tiles it lays, as faces on the board.
    pub laid: Vec<(Square, String)>,
    /// The words with their points, the main word first.
    pub words: Vec<(String, i32)>,
    /// The bonus for the number of tiles.
    pub bonus: i32,
    /// The points of the whole play.
    pub score: i32,
}

/// The reason why a play is not a draft.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DraftError {
    /// The client has no seat.
    #[error("you have no seat in this game")]
    NoSeat,
    /// The rules of the game cannot be read.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The text is not a play.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The rack lacks a tile.
    #[error("you don't have the tile {0}")]
    MissingTile(String),
    /// The play breaks another rule of placing.
    #[error(transparent)]
    Placement(PlacementError),
}

impl Draft {
    /// The draft of a play of the client's seat, described as in a command: the start, and one face for each square.
    ///
    /// # Errors
    /// The reason why the play is not legal on the board of the view.
    pub fn of(view: &GameView, start: &str, cells: &[String]) -> Result<Self, DraftError> {
        let position = Position::of(view, view.seat.ok_or(DraftError::NoSeat)?)?;
        let placement = position.placement(start, cells)?;
        let rules = &position.rules;
        let play =
            Play::resolve(rules, &position.board, &position.rack, &placement).map_err(|error| {
                match error {
                    PlacementError::TileNotInRack { tile } => {
                        DraftError::MissingTile(rules.tiles.tile_face(tile).to_owned())
                    }
                    error => DraftError::Placement(error),
                }
            })?;
        let laid = play.placed().iter();
        let words = play.words().iter();
        Ok(Self {
            laid: laid
                .map(|(square, placed)| (*square, rules.tiles.placed_face(*placed)))
                .collect(),
            words: words.map(|word| (word.text.clone(), word.score)).collect(),
            bonus: play.bonus(),
            score: play.score(),
        })
    }

    /// The face that the draft lays on a square.
    #[must_use]
    pub fn at(&self, square: Square) -> Option<&str> {
        let mut laid = self.laid.iter();
        let (_, face) = laid.find(|(own, _)| *own == square)?;
        Some(face)
    }

    /// The faces that the tiles of the draft have on the rack.
    #[must_use]
    pub fn rack_faces(&self) -> Vec<&str> {
        self.laid.iter().map(|(_, face)| tile_face(face)).collect()
    }

    /// The main word.
    #[must_use]
    pub fn main_word(&self) -> &str {
        self.words.first().map_or("", |(word, _)| word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{Story, faces};

    #[test]
    fn words_and_points_come_from_the_rules() {
        let mut story = Story::started(&["Anna", "Ben"], Some(0), "FARMOS?");
        story.play(1, "8F", "HORN", &[("HORN", 14)], 0, None);
        let draft = |start: &str, cells: &str| Draft::of(story.view(), start, &faces(cells));
        // The R of HORN is part of the word.
        let down = draft("H6", "FA.M").unwrap();
        assert_eq!(down.words, [("FARM".to_owned(), 9)]);
        assert_eq!(down.rack_faces(), ["F", "A", "M"]);
        assert_eq!(
            down.at("H9".parse().unwrap()),
            Some("M"),
            "the third tile lies beyond the R"
        );
        // The main word is longer than the input, and the blank is worth nothing.
        let longer = draft("8J", "s").unwrap();
        assert_eq!((longer.main_word(), longer.score), ("HORNs", 7));
        assert_eq!(longer.rack_faces(), ["?"]);
        for (start, cells, why) in [
            ("8J", "Z", "you don't have the tile Z"),
            ("8G", "F", "G8 is occupied"),
            ("1A", "FARM", "the play does not touch a tile on the board"),
            (
                "8J",
                "?",
                "a blank needs its letter: write the letter in lower case",
            ),
        ] {
            let error = draft(start, cells).unwrap_err().to_string();
            assert_eq!(error, why, "{start} {cells}");
        }
        let watching = Story::started(&["Anna", "Ben"], None, "");
        let refused = Draft::of(watching.view(), "8H", &faces("FARM"));
        assert_eq!(refused, Err(DraftError::NoSeat));
    }
}
