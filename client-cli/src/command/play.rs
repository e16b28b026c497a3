//! Plays as typed, and in the form of the protocol.

use tilewire_client::GameView;
use tilewire_client::view::BLANK;
use tilewire_rules::board::{Direction, Square};
use tilewire_rules::notation;

use super::BadInput;

/// A play as typed: the start, and one face for each square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedPlay {
    pub(super) start: Square,
    pub(super) direction: Direction,
    pub(super) faces: Vec<String>,
}

/// A play in the form of the protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WirePlay {
    /// The start and direction, such as `8F`.
    pub start: String,
    /// One face for each square; `.` for a tile that is already on the board.
    pub tiles: Vec<String>,
}

impl std::fmt::Display for WirePlay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ", self.start)?;
        for face in &self.tiles {
            match face.chars().count() {
                1 => f.write_str(face)?,
                _ => write!(f, "[{face}]")?,
            }
        }
        Ok(())
    }
}

/// Splits a word into faces: single characters, or several characters in brackets.
pub(super) fn faces(word: &str) -> Result<Vec<String>, BadInput> {
    let mut faces = Vec::new();
    let mut rest = word.chars();
    while let Some(c) = rest.next() {
        match c {
            '[' => {
                let (face, after) = rest
                    .as_str()
                    .split_once(']')
                    .ok_or_else(|| BadInput("a [ needs a matching ]".to_owned()))?;
                if face.is_empty() || !face.chars().any(char::is_alphabetic) {
                    return Err(BadInput(format!("`[{face}]` is not a tile")));
                }
                faces.push(face.to_owned());
                rest = after.chars();
            }
            '.' | '?' => faces.push(c.to_string()),
            _ if c.is_alphabetic() => faces.push(c.to_string()),
            _ => return Err(BadInput(format!("`{c}` is not a tile"))),
        }
    }
    Ok(faces)
}

impl TypedPlay {
    /// The letters as typed, with the tiles of the board in place of `.`, in upper case.
    #[must_use]
    pub fn typed_word(&self, view: &GameView) -> String {
        let faces = self.faces.iter().enumerate();
        let letters = faces.map(|(steps, face)| match face.as_str() {
            "." => view.at(self.start.ahead(self.direction, steps)),
            face => Some(face),
        });
        letters.flatten().map(str::to_uppercase).collect()
    }

    /// The play in the form of the protocol, for this board and rack.
    ///
    /// A typed letter that is already on the board becomes `.`. A lower-case letter is a blank. But if all letters are in
    /// lower case and the rack has fewer blanks, the letters are the tiles of the rack, and blanks are used only for
    /// missing letters.
    #[must_use]
    pub fn resolve(&self, view: &GameView) -> WirePlay {
        let mut tiles: Vec<String> = Vec::with_capacity(self.faces.len());
        for (steps, face) in self.faces.iter().enumerate() {
            let there = view.at(self.start.ahead(self.direction, steps));
            let is_same = there.is_some_and(|there| there.to_uppercase() == face.to_uppercase());
            tiles.push(if is_same {
                ".".to_owned()
            } else {
                face.clone()
            });
        }
        let typed = || tiles.iter().filter(|face| *face != ".");
        let blanks = view.rack.iter().filter(|face| *face == BLANK).count();
        let is_lower = |face: &String| face.chars().any(char::is_lowercase);
        if typed().all(is_lower) && typed().count() > blanks {
            tiles = without_case(&tiles, &view.rack);
        }
        WirePlay {
            start: notation::format_coordinate(self.start, self.direction),
            tiles,
        }
    }
}

/// Interprets tiles typed in lower case: each letter is a tile of the rack if there is one, else a blank.
fn without_case(tiles: &[String], rack: &[String]) -> Vec<String> {
    let mut rack = rack.to_vec();
    let mut take = |face: &str| {
        let place = rack.iter().position(|tile| tile == face);
        place.map(|place| rack.remove(place)).is_some()
    };
    tiles
        .iter()
        .map(|face| {
            let upper = face.to_uppercase();
            if face == "." || take(&upper) {
                upper
            } else if take(BLANK) {
                face.clone()
            } else {
                upper
            }
        })
        .collect()
}
