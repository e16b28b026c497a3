//! Reads word lists: bytes to text, text to entries.

use std::borrow::Cow;

/// The encoding of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    Utf8,
    /// ISO-8859-1, the encoding of every list that is not UTF-8.
    Latin1,
}

impl Encoding {
    /// Returns the name of the encoding.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Latin1 => "ISO-8859-1",
        }
    }
}

/// The part of a line that is the entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Columns {
    /// The whole line.
    #[default]
    All,
    /// The text before the first white space; definitions or numbers follow it.
    First,
}

/// Why bytes are not a word list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// The encoding is UTF-16.
    #[error("it is UTF-16; convert it to UTF-8")]
    Utf16,
    /// The bytes contain a zero byte.
    #[error("it is not text (a zero byte at {0})")]
    Binary(usize),
}

/// Reads a list as UTF-8, else as ISO-8859-1.
///
/// # Errors
/// If it is neither.
pub fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, Encoding), TextError> {
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Err(TextError::Utf16);
    }
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err(TextError::Binary(at));
    }
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => {
            let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
            (Cow::Borrowed(text), Encoding::Utf8)
        }
        // The first 256 characters are those of ISO-8859-1.
        Err(_) => {
            let text = bytes.iter().map(|byte| char::from(*byte)).collect();
            (Cow::Owned(text), Encoding::Latin1)
        }
    })
}

/// Returns the entries of a list: its lines except empty ones and those that begin with `#`.
pub fn entries(text: &str, columns: Columns) -> impl Iterator<Item = &str> {
    let lines = text.split(['\n', '\r']).map(str::trim);
    let entries = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    entries.map(move |line| match columns {
        Columns::All => line,
        Columns::First => line.split_whitespace().next().unwrap_or(line),
    })
}
