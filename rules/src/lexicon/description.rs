//! The description in a lexicon file: its language, and the faces of its letter numbers.
//!
//! The description is stored in the same set as the words, in keys that begin with byte 0. Letters are numbered from 1,
//! so no word begins with that byte and no lookup of a word can match such a key.

use std::collections::BTreeMap;

use super::LexiconError;

/// First byte of a key of the description.
pub(super) const MARK: u8 = 0;
/// The version of the format; a program refuses an unknown version.
const FORMAT: &str = "1";
/// The largest number of keys in a description, with room for later versions.
pub(super) const KEYS_MAX: u64 = 16;
/// The longest key, bytes.
pub(super) const KEY_MAX_BYTES: usize = 4_096;
/// Longest name of a lexicon or a language, bytes.
const NAME_MAX_BYTES: usize = 40;

/// Language and alphabet of a lexicon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Description {
    pub(super) language: String,
    /// Faces in the order of the letter numbers.
    pub(super) alphabet: Vec<String>,
}

impl Description {
    /// The description of a set without one: English.
    pub(super) fn english() -> Self {
        Self {
            language: "english".to_owned(),
            alphabet: ('A'..='Z').map(String::from).collect(),
        }
    }

    /// Returns the keys of the description, in the order of a set.
    pub(super) fn keys(&self) -> [Vec<u8>; 3] {
        let fields = [
            ("alphabet", self.alphabet.join(" ")),
            ("format", FORMAT.to_owned()),
            ("language", self.language.clone()),
        ];
        fields.map(|(name, value)| {
            let mut key = vec![MARK];
            key.extend(format!("{name}={value}").into_bytes());
            key
        })
    }

    /// Reads the keys that [`Description::keys`] wrote; no keys mean English. It ignores unknown names from later versions.
    pub(super) fn read(keys: &[Vec<u8>]) -> Result<Self, LexiconError> {
        if keys.is_empty() {
            return Ok(Self::english());
        }
        let mut fields = BTreeMap::new();
        for key in keys {
            let text = std::str::from_utf8(key.get(1..).unwrap_or_default());
            let field = text.ok().and_then(|text| text.split_once('='));
            let (name, value) = field.ok_or(LexiconError::Description("is unreadable"))?;
            if fields.insert(name, value).is_some() {
                return Err(LexiconError::Description("has a key twice"));
            }
        }
        let format = fields.get("format").copied().unwrap_or_default();
        if format != FORMAT {
            return Err(LexiconError::Format(format.to_owned()));
        }
        let language = fields.get("language").copied().unwrap_or_default();
        if !is_name(language) {
            return Err(LexiconError::Description("names no valid language"));
        }
        let alphabet = fields.get("alphabet").copied().unwrap_or_default();
        let alphabet: Vec<String> = alphabet.split(' ').map(str::to_owned).collect();
        let is_face = |face: &String| !face.is_empty() && !face.contains(char::is_control);
        let twice = |at: usize| alphabet[..at].contains(&alphabet[at]);
        if alphabet.len() > usize::from(u8::MAX)
            || !alphabet.iter().all(is_face)
            || (0..alphabet.len()).any(twice)
        {
            return Err(LexiconError::Description("names no valid alphabet"));
        }
        Ok(Self {
            language: language.to_owned(),
            alphabet,
        })
    }
}

/// Whether a text can name a lexicon or a language: 1 to 40 of a-z, 0-9 and `-`.
pub(super) fn is_name(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=NAME_MAX_BYTES).contains(&text.len()) && text.bytes().all(fits)
}
