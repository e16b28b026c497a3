//! The tile sets of languages and sites, as data (R-SET-5).
//!
//! Sets of one language have the same letters in the same order, so that one lexicon serves them all;
//! a test checks that.

use std::sync::{Arc, OnceLock};

use serde::Deserialize;

use crate::alphabet::{LetterSpec, TileSet};
use crate::data::{Checked, FieldProblem, RuleSetError, adds_up, is_id, not_empty};

/// A tile set with its names and its spelling rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedTileSet {
    /// Stable identifier, such as `wordfeud-swedish`.
    pub id: String,
    /// The language, such as `swedish`; lexica use the same name.
    pub language: String,
    /// Name for people.
    pub name: String,
    /// Letters, blanks and values.
    pub tiles: TileSet,
    /// How the words of a list are spelled with these tiles.
    pub spelling: Spelling,
}

/// The BCP 47 tag of every language with a built-in tile set.
const LANGUAGE_TAGS: [(&str, &str); 12] = [
    ("catalan", "ca"),
    ("danish", "da"),
    ("dutch", "nl"),
    ("english", "en"),
    ("french", "fr"),
    ("german", "de"),
    ("norwegian", "no"),
    ("polish", "pl"),
    ("portuguese", "pt"),
    ("slovene", "sl"),
    ("spanish", "es"),
    ("swedish", "sv"),
];

/// Returns the BCP 47 tag of a language; `None` for a language that only an operator's own tile set has.
#[must_use]
pub fn language_tag(language: &str) -> Option<&'static str> {
    LANGUAGE_TAGS
        .iter()
        .find(|(name, _)| *name == language)
        .map(|(_, tag)| *tag)
}

/// How written words become tiles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spelling {
    /// Whether accents are dropped from characters that are not letters of this alphabet.
    pub strip_marks: bool,
    /// Replacements of a text (lower case) by letters (upper case), such as `ß` by `SS`.
    pub replace: Vec<(String, String)>,
}

macro_rules! data {
    ($($name:literal),* $(,)?) => {
        &[$((concat!($name, ".toml"), include_str!(concat!("../data/tiles/", $name, ".toml")))),*]
    };
}

/// Every built-in tile set: its file and the text of it.
const DATA: &[(&str, &str)] = data![
    "english",
    "catalan",
    "danish",
    "dutch",
    "french",
    "german",
    "norwegian",
    "polish",
    "portuguese",
    "slovene",
    "spanish",
    "swedish",
    "super-english",
    "words-with-friends-english",
    "wordfeud-english",
    "wordfeud-dutch",
    "wordfeud-norwegian",
    "wordfeud-swedish",
];

impl NamedTileSet {
    /// Every built-in tile set, the plain set of each language before those of sites.
    #[must_use]
    pub fn builtins() -> &'static [Arc<Self>] {
        static BUILTINS: OnceLock<Vec<Arc<NamedTileSet>>> = OnceLock::new();
        BUILTINS.get_or_init(|| {
            let sets = DATA.iter().map(|(file, text)| Self::parse(text, file));
            sets.map(|set| Arc::new(set.expect("the data in the tree is tested")))
                .collect()
        })
    }

    /// The built-in tile set with this id. The plain set of a language has the language's name.
    #[must_use]
    pub fn builtin(id: &str) -> Option<Arc<Self>> {
        Self::builtins().iter().find(|set| set.id == id).cloned()
    }

    /// Reads and checks a tile set; `file` names the data in errors.
    ///
    /// # Errors
    /// Names the field that is wrong.
    pub fn parse(text: &str, file: &str) -> Result<Self, RuleSetError> {
        let raw: RawTileSet = toml::from_str(text).map_err(|source| RuleSetError::Toml {
            file: file.to_owned(),
            source,
        })?;
        raw.check().map_err(|(field, problem)| RuleSetError::Field {
            file: file.to_owned(),
            field,
            problem,
        })
    }
}

/// The file format of a tile set.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawTileSet {
    id: String,
    language: String,
    name: String,
    total: u32,
    points: i64,
    blanks: u32,
    letters: Vec<(String, u32, i32)>,
    #[serde(default)]
    strip_marks: bool,
    #[serde(default)]
    replace: Vec<(String, String)>,
}

impl RawTileSet {
    pub(crate) fn check(self) -> Checked<NamedTileSet> {
        is_id("tiles.id", &self.id)?;
        is_id("tiles.language", &self.language)?;
        not_empty("tiles.name", &self.name)?;
        let letters = self
            .letters
            .into_iter()
            .map(|(face, count, value)| LetterSpec { face, count, value })
            .collect();
        let tiles = TileSet::new(letters, self.blanks)
            .map_err(|problem| ("tiles.letters", FieldProblem::from(problem)))?;
        adds_up(
            "tiles.total",
            i64::from(self.total),
            i64::from(tiles.total()),
        )?;
        adds_up("tiles.points", self.points, tiles.points())?;
        Ok(NamedTileSet {
            id: self.id,
            language: self.language,
            name: self.name,
            tiles,
            spelling: Spelling {
                strip_marks: self.strip_marks,
                replace: self.replace,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_language_has_a_tag_of_its_own() {
        for set in NamedTileSet::builtins() {
            assert!(language_tag(&set.language).is_some(), "{}", set.language);
        }
        let languages: std::collections::BTreeSet<&str> = LANGUAGE_TAGS.map(|(_, tag)| tag).into();
        assert_eq!(languages.len(), LANGUAGE_TAGS.len());
        assert_eq!(language_tag("made-up"), None);
    }
}
