//! Finds the tiles that spell a written word.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::alphabet::Letter;
use crate::quoted::quoted;
use crate::tile_sets::{NamedTileSet, Spelling};

/// The dot in the middle of a Catalan tile.
const MIDDLE_DOT: char = '\u{B7}';
/// The character that people type instead.
const MIDDLE_DOTS: [char; 5] = ['.', '\u{2022}', '\u{2027}', '\u{2219}', '\u{22C5}'];

/// Why the tiles cannot spell a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unspelled {
    /// Several words in one, or an abbreviation.
    #[error("it has a hyphen, an apostrophe, a dot or a space")]
    Separated,
    /// No tile shows the character.
    #[error("no tile shows the character {}", quoted(.0))]
    Unknown(char),
    /// Tiles show each character, but not in this order: a Catalan q without its u.
    #[error("no tile shows its {}", quoted(.0))]
    Unspellable(char),
}

/// Spells words with the tiles of a language, the longest tile first: a Spanish `ch` is one tile, never two.
///
/// Case does not matter. Accents are dropped where the language says so, except from letters of its own alphabet.
#[derive(Clone, Debug)]
pub struct Speller {
    /// The spellings by their first character, the longest first.
    written: BTreeMap<char, Vec<Written>>,
    /// Every character that a spelling uses.
    known: BTreeSet<char>,
    strip_marks: bool,
}

/// Characters, and the letters they become.
#[derive(Clone, Debug)]
struct Written {
    chars: Vec<char>,
    letters: Vec<Letter>,
}

impl Speller {
    /// Returns the speller of a tile set.
    #[must_use]
    pub fn new(set: &NamedTileSet) -> Self {
        let faces = set.tiles.letters().map(|letter| set.tiles.face(letter));
        Self::of_faces(faces, &set.spelling)
    }

    /// Returns a speller for these faces; the first is letter 1.
    pub fn of_faces<'a>(faces: impl IntoIterator<Item = &'a str>, spelling: &Spelling) -> Self {
        let mut speller = Self {
            written: BTreeMap::new(),
            known: BTreeSet::new(),
            strip_marks: spelling.strip_marks,
        };
        for (face, number) in faces.into_iter().zip(1..=u8::MAX) {
            speller.add(face, Letter::from_number(number).into_iter().collect());
        }
        let faces_only = speller.clone();
        for (written, instead) in &spelling.replace {
            if let Ok(letters) = faces_only.spell(instead) {
                speller.add(written, letters);
            }
        }
        speller
    }

    fn add(&mut self, written: &str, letters: Vec<Letter>) {
        let chars: Vec<char> = written.nfkc().map(fold).collect();
        let Some(first) = chars.first() else {
            return;
        };
        self.known.extend(&chars);
        let alike = self.written.entry(*first).or_default();
        alike.push(Written { chars, letters });
        alike.sort_by_key(|written| Reverse(written.chars.len()));
    }

    /// Spells a word of any length.
    ///
    /// # Errors
    /// Names the characters that no tile shows.
    pub fn spell(&self, word: &str) -> Result<Vec<Letter>, Unspelled> {
        let text = self.simplified(word);
        let mut rest = text.as_slice();
        let mut letters = Vec::with_capacity(text.len());
        while let Some(first) = rest.first() {
            if *first == '[' {
                let (letters_of_tile, after) =
                    self.bracketed(rest).ok_or(Unspelled::Unknown('['))?;
                letters.extend(letters_of_tile);
                rest = after;
                continue;
            }
            let mut alike = self.written.get(first).into_iter().flatten();
            let Some(written) = alike.find(|written| rest.starts_with(&written.chars)) else {
                return Err(self.problem(*first, word));
            };
            letters.extend(&written.letters);
            rest = &rest[written.chars.len()..];
        }
        Ok(letters)
    }

    /// Reads one tile in brackets: `[ll]`.
    fn bracketed<'a>(&self, text: &'a [char]) -> Option<(&[Letter], &'a [char])> {
        let end = text.iter().position(|c| *c == ']')?;
        let (inner, after) = (text.get(1..end)?, &text[end + 1..]);
        let mut alike = self.written.get(inner.first()?)?.iter();
        let tile = alike.find(|written| written.chars == inner && written.letters.len() == 1)?;
        Some((&tile.letters, after))
    }

    /// Returns the characters of a word in the case of the faces, without the accents to drop.
    fn simplified(&self, word: &str) -> Vec<char> {
        let has_dots = self.known.contains(&MIDDLE_DOT);
        if word.is_ascii() && !has_dots {
            return word.chars().map(fold).collect();
        }
        let mut text = Vec::with_capacity(word.len());
        // Compatible forms are decomposed: a ligature ĳ is two characters, an ŀ has its dot.
        for c in word.nfkc().map(fold) {
            if self.known.contains(&c) {
                text.push(c);
            } else if has_dots && MIDDLE_DOTS.contains(&c) {
                text.push(MIDDLE_DOT);
            } else if self.strip_marks {
                let bare = [c].into_iter().nfd().filter(|c| !is_combining_mark(*c));
                text.extend(bare.map(fold));
            } else {
                text.push(c);
            }
        }
        text
    }

    /// Returns whether a word loses accents that no tile shows.
    pub(super) fn drops_accents(&self, word: &str) -> bool {
        let is_dropped =
            |c: char| !self.known.contains(&c) && [c].into_iter().nfd().any(is_combining_mark);
        self.strip_marks && !word.is_ascii() && word.nfkc().map(fold).any(is_dropped)
    }

    fn problem(&self, c: char, word: &str) -> Unspelled {
        if is_separator(c) {
            Unspelled::Separated
        } else if self.known.contains(&c) {
            Unspelled::Unspellable(c)
        } else if word.chars().any(char::is_whitespace) {
            // A line with spaces is several words, even if its first unknown character is not a separator.
            Unspelled::Separated
        } else {
            Unspelled::Unknown(c)
        }
    }
}

/// The upper-case form of a character if that form is one character. `ß` has a form of two characters and stays `ß`.
fn fold(c: char) -> char {
    let lower = only(c.to_lowercase()).unwrap_or(c);
    only(lower.to_uppercase()).unwrap_or(lower)
}

fn only(mut chars: impl Iterator<Item = char>) -> Option<char> {
    let first = chars.next()?;
    chars.next().is_none().then_some(first)
}

/// Whether a character joins or ends words.
fn is_separator(c: char) -> bool {
    c.is_whitespace()
        || MIDDLE_DOTS.contains(&c)
        || matches!(
            c,
            MIDDLE_DOT | '-' | '\'' | '`' | '\u{B4}' | '\u{2BC}' | '\u{2010}'
                ..='\u{2015}' | '\u{2018}' | '\u{2019}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_hold_one_tile() {
        let speller = Speller::of_faces(["A", "L", "LL", "M"], &Spelling::default());
        assert_eq!(speller.spell("[ll]ama"), speller.spell("llama"));
        assert!(speller.spell("[ll]ama").is_ok());
        for word in ["[l", "[]ama", "[la]ma", "[ll", "ll]ama"] {
            assert!(speller.spell(word).is_err(), "{word}");
        }
    }

    #[test]
    fn a_dropped_accent_is_known() {
        let spelling = Spelling {
            strip_marks: true,
            ..Spelling::default()
        };
        let speller = Speller::of_faces(["A", "C", "E", "F"], &spelling);
        assert!(speller.drops_accents("caf\u{e9}") && !speller.drops_accents("cafe"));
    }
}
