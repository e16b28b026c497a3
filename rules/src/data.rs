//! Checks of data files: rule sets and tile sets.

use crate::alphabet::TileSetError;
use crate::board::LayoutError;
use crate::choices::OptionsError;
use crate::quoted::quoted;

/// Why the data of a rule set or a tile set is invalid: the file and the field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleSetError {
    /// Not TOML, or a field is missing, unknown or of the wrong type (the message names it).
    #[error("{file}: {source}")]
    Toml {
        /// Name of the data.
        file: String,
        /// The parser's report, with line and field.
        source: toml::de::Error,
    },
    /// A field's value breaks a rule.
    #[error("{file}: {field}: {problem}")]
    Field {
        /// Name of the data.
        file: String,
        /// Path of the field.
        field: &'static str,
        /// The problem with the field.
        problem: FieldProblem,
    },
}

/// A problem with one field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldProblem {
    /// The text is empty.
    #[error("must not be empty")]
    Empty,
    /// The id is not made of lower-case words joined by hyphens.
    #[error("must be made of a-z, 0-9 and hyphens, is {}", quoted(.0))]
    Id(String),
    /// The number is outside its range.
    #[error("must be {min} to {max}, is {found}")]
    Range {
        /// Smallest allowed value.
        min: i64,
        /// Largest allowed value.
        max: i64,
        /// Value in the data.
        found: i64,
    },
    /// The number differs from the number of items that it counts.
    #[error("is {declared}, the data adds up to {found}")]
    Count {
        /// Number stated.
        declared: i64,
        /// Number counted.
        found: i64,
    },
    /// The text is not a square.
    #[error("must be a square such as H8, is {}", quoted(.0))]
    Square(String),
    /// The value occurs twice.
    #[error("{} occurs twice", quoted(.0))]
    Twice(String),
    /// The name is unknown.
    #[error("there is no {}", quoted(.0))]
    Unknown(String),
    /// The layout is invalid.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The tile set is invalid.
    #[error(transparent)]
    Tiles(#[from] TileSetError),
    /// The rule set does not allow its own usual options.
    #[error("the usual options cannot be played: {0}")]
    Options(#[from] OptionsError),
}

/// The outcome of a check: the value, or the field and what is wrong with it.
pub(crate) type Checked<T> = Result<T, (&'static str, FieldProblem)>;

pub(crate) fn not_empty(field: &'static str, text: &str) -> Checked<()> {
    if text.trim().is_empty() {
        return Err((field, FieldProblem::Empty));
    }
    Ok(())
}

/// Checks an id: ids are file names, arguments of commands and labels of metrics.
pub(crate) fn is_id(field: &'static str, text: &str) -> Checked<()> {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if text.is_empty() || text.len() > MAX_ID_BYTES || !text.bytes().all(fits) {
        return Err((field, FieldProblem::Id(text.to_owned())));
    }
    Ok(())
}

/// Longest id, bytes.
const MAX_ID_BYTES: usize = 40;

pub(crate) fn in_range(
    field: &'static str,
    found: impl Into<i64>,
    min: impl Into<i64>,
    max: impl Into<i64>,
) -> Checked<()> {
    let (found, min, max) = (found.into(), min.into(), max.into());
    if (min..=max).contains(&found) {
        return Ok(());
    }
    Err((field, FieldProblem::Range { min, max, found }))
}

pub(crate) fn adds_up(field: &'static str, declared: i64, found: i64) -> Checked<()> {
    if declared == found {
        return Ok(());
    }
    Err((field, FieldProblem::Count { declared, found }))
}
