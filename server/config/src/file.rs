//! The configuration file: its values, and the line of each key.

use std::collections::HashMap;
use std::ops::Range;

use toml::Table;
use toml::de::{DeTable, DeValue, Error};

/// The values of a file.
pub(super) struct File {
    /// The values.
    pub(super) values: Table,
    /// The line of every key and section, by its dotted name; the first line is 1.
    pub(super) lines: HashMap<String, usize>,
}

/// A place where a file is not TOML.
pub(super) struct SyntaxError {
    /// The line; the first is 1.
    pub(super) line: usize,
    /// The error.
    pub(super) reason: String,
}

/// Reads the text of a file.
///
/// # Errors
/// Every place where the text is not TOML.
pub(super) fn parse(text: &str) -> Result<File, Vec<SyntaxError>> {
    let (root, mut errors) = DeTable::parse_recoverable(text);
    let mut lines = HashMap::new();
    note_lines(text, root.get_ref(), "", &mut lines);
    let values = text.parse().map_err(|error: Error| {
        if errors.is_empty() {
            errors.push(error);
        }
        let syntax = |error: Error| SyntaxError {
            line: error.span().map_or(1, |span| line_of(text, &span)),
            reason: error.message().to_owned(),
        };
        errors.into_iter().map(syntax).collect::<Vec<_>>()
    })?;
    Ok(File { values, lines })
}

fn note_lines(text: &str, table: &DeTable<'_>, section: &str, lines: &mut HashMap<String, usize>) {
    for (name, value) in table {
        let key = format!("{section}{}", name.get_ref());
        lines.insert(key.clone(), line_of(text, &name.span()));
        if let DeValue::Table(inner) = value.get_ref() {
            note_lines(text, inner, &format!("{key}."), lines);
        }
    }
}

fn line_of(text: &str, span: &Range<usize>) -> usize {
    let before = text.as_bytes().iter().take(span.start);
    before.filter(|byte| **byte == b'\n').count() + 1
}
