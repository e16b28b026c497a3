//! The text of a line: what is kept of what a player wrote.

use tilewire_protocol::limits::CHAT_TEXT_MAX_CHARS;

/// The text is empty, or longer than a line may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum TextError {
    /// Nothing is left of it.
    #[error("the line is empty")]
    Empty,
    /// It is too long.
    #[error("a line has at most {CHAT_TEXT_MAX_CHARS} characters; this one has {0}")]
    TooLong(usize),
}

/// Returns a text as it is stored: on one line, without control characters and without characters that change the
/// direction or the order of the text around it. Markup stays: it is text.
pub(super) fn clean(text: &str) -> Result<String, TextError> {
    let words = text.split_whitespace();
    let words: Vec<String> = words
        .map(|word| word.chars().filter(|c| is_kept(*c)).collect())
        .filter(|word: &String| !word.is_empty())
        .collect();
    let line = words.join(" ");
    match line.chars().count() {
        _ if line.chars().all(is_blank) => Err(TextError::Empty),
        0..=CHAT_TEXT_MAX_CHARS => Ok(line),
        long => Err(TextError::TooLong(long)),
    }
}

/// Says whether a character shows nothing by itself: blanks, joiners, fillers, tags and selectors of variants.
fn is_blank(character: char) -> bool {
    character.is_whitespace()
        || matches!(
            character,
            '\u{ad}'
                | '\u{34f}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{17b4}'
                | '\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200c}'
                | '\u{200d}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{ffa0}'
                | '\u{1d159}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0020}'..='\u{e01ef}'
        )
}

/// Says whether a character of a line is kept. Joiners stay: emoji and several scripts need them.
fn is_kept(character: char) -> bool {
    !character.is_control()
        && !matches!(
            character,
            '\u{61c}'
                | '\u{200b}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e001f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line_of_plain_text() {
        for (written, kept) in [
            ("gg", Ok("gg")),
            ("  nice\tone \r\n again ", Ok("nice one again")),
            ("<b>&amp;</b> **x**", Ok("<b>&amp;</b> **x**")),
            ("a\u{0}b\u{1b}[31mc\u{7f}\u{9b}", Ok("ab[31mc")),
            ("ab\u{202e}cd\u{2066}e\u{200f}", Ok("abcde")),
            (
                "\u{1f469}\u{200d}\u{1f52c} \u{e9}",
                Ok("\u{1f469}\u{200d}\u{1f52c} \u{e9}"),
            ),
            (
                "\u{5e9}\u{5dc}\u{5d5}\u{5dd}",
                Ok("\u{5e9}\u{5dc}\u{5d5}\u{5dd}"),
            ),
            ("", Err(TextError::Empty)),
            (" \n\u{200b}\u{202e} ", Err(TextError::Empty)),
            ("\u{2800}", Err(TextError::Empty)),
            ("\u{3164} \u{ffa0}\u{115f}", Err(TextError::Empty)),
            ("\u{200d}\u{200c}\u{fe0f}\u{ad}", Err(TextError::Empty)),
            ("\u{e0061}\u{e007f}", Err(TextError::Empty)),
            ("a\u{3164}", Ok("a\u{3164}")),
        ] {
            assert_eq!(clean(written), kept.map(str::to_owned), "{written:?}");
        }
    }

    #[test]
    fn a_line_has_at_most_300_characters() {
        let long = "\u{1f642}".repeat(CHAT_TEXT_MAX_CHARS);
        assert_eq!(clean(&long), Ok(long.clone()));
        let longer = format!("{long}!");
        assert_eq!(clean(&longer), Err(TextError::TooLong(301)));
    }
}
