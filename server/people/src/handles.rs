//! Handles: the unique names of registered players.
//!
//! A display name can belong to several guests; a handle belongs to one account. Two handles clash if they are equal when
//! case is folded, or if they look alike: without accents, `-` and `_`, their skeletons by Unicode Technical Standard 39 are equal
//! when case is folded.

use std::fmt;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use tilewire_rules::time::Millis;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::{GeneralSecurityProfile, MixedScript, skeleton};

/// The fewest characters of a handle.
pub const MIN_CHARS: usize = 3;
/// The most characters of a handle.
pub const MAX_CHARS: usize = 20;
/// The time between two changes of a handle: 30 days.
pub const CHANGE_EVERY: Millis = Millis(30 * DAY_MS);
/// The time for which a handle stays reserved after its owner has changed it: 365 days.
pub const RESERVED_FOR: Millis = Millis(365 * DAY_MS);

const DAY_MS: i64 = 24 * 3_600_000;
/// Combining marks that may follow one character.
const MARKS_IN_A_ROW: usize = 2;
/// Longest text that is looked at, in bytes: NFKC can make a text 18 times as long.
const MAX_BYTES: usize = 256;
/// The names that neither handles nor the names of guests may have.
const OFFICIAL: &str = include_str!("../data/reserved-names.txt");
/// The handles that players cannot register, beside these.
const RESERVED: &str = include_str!("../data/reserved-handles.txt");

/// A handle that follows the rules. Whether it is free is a question to the store of accounts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Handle(String);

/// The two values by which handles clash. A store keeps both in columns of their own, each unique.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HandleKey {
    /// The handle in folded case.
    pub folded: String,
    /// The skeleton of the handle (UTS 39, section 4) without accents and signs, in folded case: equal for handles that look alike.
    pub skeleton: String,
}

/// Why a text is not a handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HandleError {
    /// It is too short.
    #[error("a handle has at least {MIN_CHARS} characters")]
    TooShort,
    /// It is too long.
    #[error("a handle has at most {MAX_CHARS} characters")]
    TooLong,
    /// It contains a character that handles do not have.
    #[error("a handle cannot contain the character U+{:04X} in this place", u32::from(*.0))]
    Character(char),
    /// It has no letter.
    #[error("a handle needs at least one letter")]
    NoLetter,
    /// It mixes letters of several scripts.
    #[error("the letters of a handle belong to one script")]
    MixedScripts,
    /// It is on the list of reserved handles.
    #[error("this handle is reserved")]
    Reserved,
}

impl HandleError {
    /// Returns the stable code of the error.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::TooShort => "handle_too_short",
            Self::TooLong => "handle_too_long",
            Self::Character(_) => "handle_character",
            Self::NoLetter => "handle_no_letter",
            Self::MixedScripts => "handle_mixed_scripts",
            Self::Reserved => "handle_reserved",
        }
    }
}

impl Handle {
    /// Reads a handle that a player wants. The text is normalised (NFKC); case is kept.
    ///
    /// A handle has letters and digits, `_` and `-`. The signs stand between letters or digits, one at a time.
    ///
    /// # Errors
    /// The first rule that the text breaks.
    pub fn parse(wanted: &str) -> Result<Self, HandleError> {
        let handle = Self::spelled(wanted)?;
        if is_official(&handle.0) || is_reserved(&handle.0) {
            return Err(HandleError::Reserved);
        }
        Ok(handle)
    }

    /// Reads a text that follows the rules of spelling, reserved or not: a list can grow after a registration.
    fn spelled(wanted: &str) -> Result<Self, HandleError> {
        if wanted.len() > MAX_BYTES {
            return Err(HandleError::TooLong);
        }
        let text: String = wanted.trim().nfkc().collect();
        let count = text.chars().count();
        if count < MIN_CHARS {
            return Err(HandleError::TooShort);
        }
        if count > MAX_CHARS {
            return Err(HandleError::TooLong);
        }
        check_characters(&text)?;
        if !text.chars().any(char::is_alphabetic) {
            return Err(HandleError::NoLetter);
        }
        if !text.as_str().is_single_script() {
            return Err(HandleError::MixedScripts);
        }
        Ok(Self(text))
    }

    /// Makes a handle from the name that an embedding site gives its user. `attempt` 0 has no suffix; attempt 1 and
    /// further ones end in `-2`, `-3` and so on, for a handle that is taken.
    ///
    /// Characters that handles do not have are left out. `None` if too few are left; the caller then makes a handle from
    /// the identity.
    #[must_use]
    pub fn from_site_name(name: &str, attempt: u32) -> Option<Self> {
        let suffix = match attempt {
            0 => String::new(),
            further => format!("-{}", further.saturating_add(1)),
        };
        let start: String = name.chars().take(MAX_BYTES).collect();
        let mut stem = String::new();
        for character in start.nfkc() {
            if character.is_alphabetic() && is_letter(character) || character.is_ascii_digit() {
                stem.push(character);
            } else if !stem.is_empty() && !stem.ends_with('-') && !is_combining_mark(character) {
                stem.push('-');
            }
        }
        let room = MAX_CHARS.saturating_sub(suffix.chars().count());
        let stem: String = stem.chars().take(room).collect();
        Self::parse(&format!("{}{suffix}", stem.trim_end_matches('-'))).ok()
    }

    /// Returns the handle as its owner spelled it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the values by which handles clash.
    #[must_use]
    pub fn key(&self) -> HandleKey {
        HandleKey::of(&self.0)
    }
}

impl HandleKey {
    /// Returns the key of any text: of a handle, or of a display name that must not imitate one.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let text: String = text.nfkc().collect();
        let bare: String = text.nfd().filter(|at| !is_accent_or_sign(*at)).collect();
        // Some letters are a letter and an accent to the eye.
        let bare: String = skeleton(&bare)
            .filter(|at| !is_accent_or_sign(*at))
            .collect();
        Self {
            folded: fold(&text),
            skeleton: fold(&bare),
        }
    }

    /// Returns whether two handles with these keys cannot both exist.
    #[must_use]
    pub fn clashes(&self, other: &Self) -> bool {
        self.folded == other.folded || self.skeleton == other.skeleton
    }

    /// Returns whether both are keys of one handle, written in any case.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.folded == other.folded
    }

    /// Returns whether a guest with the display name `name` would look like the player with this handle. Blanks do not
    /// count.
    #[must_use]
    pub fn is_imitated_by(&self, name: &str) -> bool {
        let bare: String = name.split_whitespace().collect();
        self.clashes(&Self::of(&bare))
    }
}

/// Returns whether a name looks like that of the operator, of a role or of a house bot: no handle and no guest may have it.
#[must_use]
pub fn is_official(name: &str) -> bool {
    static NAMES: OnceLock<Vec<Reservation>> = OnceLock::new();
    let official = NAMES.get_or_init(|| reservations(OFFICIAL, letters));
    let name = letters(name);
    // Letters that look alike differ with their case.
    [name.to_lowercase(), name.to_uppercase(), name]
        .iter()
        .any(|spelled| hits(official, spelled))
}

/// Returns whether no player may register this handle, although it is not official.
fn is_reserved(handle: &str) -> bool {
    static HANDLES: OnceLock<Vec<Reservation>> = OnceLock::new();
    hits(
        HANDLES.get_or_init(|| reservations(RESERVED, str::to_owned)),
        handle,
    )
}

fn hits(reserved: &[Reservation], name: &str) -> bool {
    let (key, shapes) = (HandleKey::of(name), shapes(name));
    reserved.iter().any(|reserved| match reserved {
        Reservation::Whole(whole) => whole.clashes(&key),
        Reservation::Start(starts) => shapes
            .iter()
            .zip(starts)
            .any(|(shape, start)| shape.starts_with(start)),
    })
}

/// Returns a name in folded case, and its skeleton in folded case, both with accents and signs.
fn shapes(name: &str) -> [String; 2] {
    let name: String = name.nfkc().collect();
    let bare: String = skeleton(&name).collect();
    [fold(&name), fold(&bare)]
}

/// Says whether a character alone does not make another handle: an accent, `-` or `_`.
const fn is_accent_or_sign(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '-' | '_')
}

/// Returns the letters, marks and digits of a name: what is between them does not make it another name.
fn letters(name: &str) -> String {
    let kept = |character: &char| character.is_alphanumeric() || is_combining_mark(*character);
    name.nfkc().filter(kept).collect()
}

enum Reservation {
    Whole(HandleKey),
    /// The start in folded case, and as it looks.
    Start([String; 2]),
}

/// Reads a list of reserved names, each in the form in which names are compared with it.
fn reservations(list: &str, form: fn(&str) -> String) -> Vec<Reservation> {
    let lines = list.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    // In capitals, other letters look alike.
    let spelled = lines.flat_map(|line| [line.to_owned(), line.to_uppercase()]);
    let reserved = spelled.map(|line| match line.strip_suffix('*') {
        Some(start) => Reservation::Start(shapes(&form(start))),
        None => Reservation::Whole(HandleKey::of(&form(&line))),
    });
    reserved.collect()
}

fn check_characters(text: &str) -> Result<(), HandleError> {
    let mut marks = 0;
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let is_mark = is_combining_mark(character);
        marks = if is_mark { marks + 1 } else { 0 };
        let is_allowed = match character {
            '_' | '-' => before.is_some_and(is_body) && rest.peek().copied().is_some_and(is_body),
            other => is_body(other) && (before.is_some() || !is_mark),
        };
        if !is_allowed || marks > MARKS_IN_A_ROW {
            return Err(HandleError::Character(character));
        }
        before = Some(character);
    }
    Ok(())
}

/// Says whether a character can stand anywhere in a handle. Only ASCII digits can: other digits look like letters.
fn is_body(character: char) -> bool {
    character.is_ascii_digit() || is_letter(character)
}

/// Says whether UTS 39 allows a letter or a mark in identifiers, and it is visible.
fn is_letter(character: char) -> bool {
    let is_visible = !matches!(character, '\u{200c}' | '\u{200d}');
    (character.is_alphabetic() || is_combining_mark(character))
        && is_visible
        && character.identifier_allowed()
}

/// Folds case: `ß` and `SS` become `ss`, and every form of sigma the same.
fn fold(text: &str) -> String {
    text.chars()
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .nfc()
        .collect()
}

impl TryFrom<String> for Handle {
    type Error = HandleError;

    fn try_from(text: String) -> Result<Self, HandleError> {
        Self::spelled(&text)
    }
}

impl From<Handle> for String {
    fn from(handle: Handle) -> Self {
        handle.0
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests;
