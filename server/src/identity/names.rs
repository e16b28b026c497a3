//! The rules for display names.
//!
//! Names need not be unique, because identities are. But a name must look like what it is: no invisible characters, no
//! change of the text's direction, no stacks of combining marks.

use tilewire_protocol::limits;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Combining marks that may follow one character.
const MARKS_IN_A_ROW: usize = 2;

/// Characters of the identity in a guest's name: enough to tell the guests of one game apart.
const GUEST_CHARS: usize = 5;

/// The reasons why a name cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// It has no letter and no digit.
    #[error("a name needs at least one letter or digit")]
    Empty,
    /// It is too long.
    #[error("a name has at most {} characters", limits::NAME_MAX_CHARS)]
    TooLong,
    /// It contains an invisible character, or one that changes how other text looks.
    #[error("a name cannot contain the character U+{:04X} in this place", u32::from(*.0))]
    Character(char),
}

/// Returns a name as it is shown: compatibility characters unified (NFKC), blanks trimmed and collapsed.
///
/// # Errors
/// The reason why the name cannot be used.
pub fn check(wanted: &str) -> Result<String, NameError> {
    if wanted.len() > limits::NAME_MAX_BYTES * 2 {
        return Err(NameError::TooLong);
    }
    let name: String = wanted
        .nfkc()
        .collect::<String>()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let mut marks = 0;
    for character in name.chars() {
        marks = if is_combining_mark(character) {
            marks + 1
        } else {
            0
        };
        if marks > MARKS_IN_A_ROW || !is_shown(character) {
            return Err(NameError::Character(character));
        }
    }
    if !name.chars().any(char::is_alphanumeric) {
        return Err(NameError::Empty);
    }
    if name.chars().count() > limits::NAME_MAX_CHARS || name.len() > limits::NAME_MAX_BYTES {
        return Err(NameError::TooLong);
    }
    Ok(name)
}

/// Returns the name of a guest that gave none, made from its identity.
#[must_use]
pub fn of_guest(identity: &str) -> String {
    // The part before a hyphen is the same for all identities of a kind.
    let own = identity.split_once('-').map_or(identity, |(_, own)| own);
    let start: String = own.chars().take(GUEST_CHARS).collect();
    format!("Guest-{start}")
}

/// Says whether a character is visible and has no effect on others.
fn is_shown(character: char) -> bool {
    let is_format = matches!(
        u32::from(character),
        0xad                            // soft hyphen
        | 0x34f                         // grapheme joiner
        | 0x61c | 0x200b..=0x200f       // direction marks, zero-width characters
        | 0x202a..=0x202e | 0x2060..=0x206f // embeddings, isolates, invisible operators
        | 0x115f | 0x1160 | 0x3164 | 0xffa0 // fillers
        | 0x180b..=0x180f | 0xfe00..=0xfe0f // variation selectors
        | 0xfeff | 0xfff0..=0xfffd      // byte order mark, specials
        | 0xe000..=0xf8ff               // private use
        | 0xe0000..=0x0010_ffff         // tags, supplementary private use
    );
    !character.is_control() && !is_format
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_get_a_name_that_may_be_used() {
        let name = of_guest(&crate::ids::Ids::system().identity_id());
        assert_eq!(check(&name), Ok(name.clone()));
        assert_ne!(name, of_guest(&crate::ids::Ids::system().identity_id()));
    }

    #[test]
    fn names_are_tidied() {
        for (wanted, shown) in [
            ("anna", "anna"),
            ("  Anna \t B. ", "Anna B."),
            ("Ａｎｎａ", "Anna"),
            ("Zoe\u{308}", "Zoë"),
            ("Ольга", "Ольга"),
            ("名人", "名人"),
        ] {
            assert_eq!(check(wanted).as_deref(), Ok(shown));
        }
    }

    #[test]
    fn names_that_are_not_what_they_look_like_are_refused() {
        for wanted in ["", "   ", "...", "-", "_"] {
            assert_eq!(check(wanted), Err(NameError::Empty), "{wanted:?}");
        }
        for wanted in [
            "an\u{200b}na",
            "an\u{202e}na",
            "an\u{7}na",
            "\u{3164}",
            "a\u{e0041}",
            "a\u{323}\u{323}\u{323}\u{323}\u{323}b",
        ] {
            assert!(
                matches!(check(wanted), Err(NameError::Character(_))),
                "{wanted:?}"
            );
        }
        assert_eq!(check(&"a".repeat(25)), Err(NameError::TooLong));
        assert_eq!(check(&"a".repeat(100_000)), Err(NameError::TooLong));
        assert_eq!(
            check(&"a".repeat(24)).as_deref(),
            Ok("a".repeat(24).as_str())
        );
        // One character that NFKC turns into eighteen.
        assert_eq!(check(&"\u{fdfa}".repeat(10)), Err(NameError::TooLong));
    }
}
