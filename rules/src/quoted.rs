//! Quotes the texts of others in messages for people: marks where they begin and end, and shows no control characters.

use std::fmt;

/// A text in quotation marks.
#[derive(Debug, Clone, Copy)]
pub struct Quoted<T>(T);

/// Quotes input for a message.
#[must_use]
pub const fn quoted<T: fmt::Display>(text: T) -> Quoted<T> {
    Quoted(text)
}

impl<T: fmt::Display> fmt::Display for Quoted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.to_string().escape_debug())
    }
}
