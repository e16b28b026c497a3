//! Hints in words.

use tilewire_protocol::{Hint, HintTheme};

use super::printable;

/// Returns the words of a hint, in one sentence.
#[must_use]
pub fn hint_text(hint: &Hint) -> String {
    let tiles = || printable(&hint.tiles.concat());
    if let Some(start) = &hint.start {
        let points = hint.score.unwrap_or(0);
        return format!("Hint: {} {} for {points}.", printable(start), tiles());
    }
    let theme = match hint.theme {
        HintTheme::Bonus => "find a play with the bonus for many tiles",
        HintTheme::WordPremium => "find a play on a word premium square",
        HintTheme::SeveralWords => "find a play that forms several words",
        HintTheme::Play | HintTheme::Unknown => "find a play",
        HintTheme::Pass => "pass",
        HintTheme::Exchange if hint.tiles.is_empty() => "exchange tiles",
        HintTheme::Exchange => return format!("Hint: exchange {}.", tiles()),
    };
    match hint.line.as_deref() {
        None => format!("Hint: {theme}."),
        Some(row) if row.starts_with(|first: char| first.is_ascii_digit()) => {
            format!("Hint: {theme}, in row {}.", printable(row))
        }
        Some(column) => format!("Hint: {theme}, in column {}.", printable(column)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_grade_says_as_much_as_it_may() {
        let theme = Hint {
            game: "game1".into(),
            turn_no: 1,
            grade: 1,
            theme: HintTheme::Bonus,
            line: None,
            start: None,
            tiles: Vec::new(),
            words: Vec::new(),
            score: None,
        };
        let line = |line: &str| Hint {
            line: Some(line.to_owned()),
            ..theme.clone()
        };
        let faces = |faces: &[&str]| faces.iter().map(|face| (*face).to_owned()).collect();
        let turn = Hint {
            start: Some("8F".to_owned()),
            tiles: faces(&["H", "o", "R", "N"]),
            score: Some(14),
            ..line("8")
        };
        let exchange = Hint {
            theme: HintTheme::Exchange,
            tiles: faces(&["Q", "V"]),
            ..theme.clone()
        };
        for (hint, text) in [
            (&theme, "Hint: find a play with the bonus for many tiles."),
            (
                &line("8"),
                "Hint: find a play with the bonus for many tiles, in row 8.",
            ),
            (
                &line("F"),
                "Hint: find a play with the bonus for many tiles, in column F.",
            ),
            (&turn, "Hint: 8F HoRN for 14."),
            (&exchange, "Hint: exchange QV."),
        ] {
            assert_eq!(hint_text(hint), text);
        }
    }
}
