//! The rules for display names.
//!
//! Names need not be unique, because identities are. But a name must look like what it is: only characters that Unicode
//! recommends for identifiers (UTS 39) and a few punctuation marks, and no stacks of combining marks.

use tilewire_protocol::limits;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::GeneralSecurityProfile;

use super::handles::NameRight;
use tilewire_delivery::session::Pass;
use tilewire_store::IdentityRow;

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
    /// It contains a character that names do not have.
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
        if marks > MARKS_IN_A_ROW || !is_allowed(character) {
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

/// Says whether names may have a character: the general security profile of UTS 39 allows it, and it is visible. The profile
/// has the letters and digits of the scripts in use; it leaves out symbols, fillers, and marks of direction.
fn is_allowed(character: char) -> bool {
    match character {
        ' ' | '-' | '\'' | '’' | '.' => true,
        // Joiners, which earlier versions of the profile allow in some scripts.
        '\u{200c}' | '\u{200d}' => false,
        other => other.identifier_allowed(),
    }
}

/// Returns the name that an identity gets, if it gets another one.
pub(super) fn new_name(
    pass: &Pass,
    right: NameRight,
    wanted: Option<String>,
    identity: &IdentityRow,
) -> Option<String> {
    let other = |name: &String| *name != identity.name;
    if pass.is_named_by_site {
        // The user of a site that gives names has no choice. A name that breaks the rules changes nothing: by way of such a
        // name a user could still choose another.
        let given = pass.name.as_deref();
        return given.and_then(|name| check(name).ok()).filter(other);
    }
    match right {
        // The name of a registered player is the handle, whatever the program asks for.
        NameRight::Own => None,
        NameRight::Free => wanted.filter(other),
        // The handle was registered after the guest had chosen the name.
        NameRight::Imitation => {
            let wanted = wanted.filter(other);
            Some(wanted.unwrap_or_else(|| of_guest(&identity.identity)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_get_a_name_that_may_be_used() {
        let name = of_guest(&tilewire_base::ids::Ids::system().identity_id());
        assert_eq!(check(&name), Ok(name.clone()));
        assert_ne!(
            name,
            of_guest(&tilewire_base::ids::Ids::system().identity_id())
        );
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
            ("Anne-Marie O'Neil", "Anne-Marie O'Neil"),
            ("Zoë O’Neil_7", "Zoë O’Neil_7"),
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
            // Blanks, and letters and notes without a shape.
            "an\u{2800}na",
            "an\u{17b4}na",
            "an\u{17b5}na",
            "an\u{1d159}na",
            "an\u{1d173}na",
            // Joiners, which only some scripts show.
            "an\u{200c}na",
            "an\u{200d}na",
            // Symbols that look like letters.
            "\u{1f170}nna",
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
