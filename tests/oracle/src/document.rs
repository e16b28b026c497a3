//! Reading the JSON documents of events.

use anyhow::{Context as _, Result};
use serde::Serialize;
use serde_json::Value;

/// A row and a column, counted from 0. Squares outside the board can be named.
pub type Square = (i32, i32);

/// Returns a typed event or snapshot of the wire as its JSON document.
///
/// # Errors
/// When the value has no JSON form.
pub fn document_of(typed: &impl Serialize) -> Result<Value> {
    Ok(serde_json::to_value(typed)?)
}

/// Returns the unsigned integer in a field.
///
/// # Errors
/// When the field has another type or is missing.
pub fn number(value: &Value, field: &str) -> Result<u64> {
    value[field]
        .as_u64()
        .with_context(|| format!("{field} is missing: {value}"))
}

/// Returns the integer in a field.
pub(crate) fn integer(value: &Value, field: &str) -> Result<i64> {
    value[field]
        .as_i64()
        .with_context(|| format!("{field} is missing: {value}"))
}

/// Returns the text in a field.
pub(crate) fn text<'a>(value: &'a Value, field: &str) -> Result<&'a str> {
    value[field]
        .as_str()
        .with_context(|| format!("{field} is missing: {value}"))
}

/// Returns the list in a field.
pub(crate) fn list<'a>(value: &'a Value, field: &str) -> Result<&'a [Value]> {
    value[field]
        .as_array()
        .map(Vec::as_slice)
        .with_context(|| format!("{field} is missing: {value}"))
}

/// Returns the integers of a list.
pub(crate) fn integers(value: &Value, field: &str) -> Result<Vec<i64>> {
    let values = list(value, field)?.iter().map(Value::as_i64);
    values.collect::<Option<_>>().context("integers")
}

/// Returns the texts of a list.
///
/// # Errors
/// When the value is not a list of texts.
pub fn texts(value: &Value) -> Result<Vec<String>> {
    let values = value.as_array().context("a list")?;
    values
        .iter()
        .map(|text| Ok(text.as_str().context("text")?.to_owned()))
        .collect()
}

/// Returns the first square of a play and whether it runs across: `8F` is row 8, column F, across; `F8` runs down.
pub(crate) fn start(play: &Value) -> Result<(Square, bool)> {
    let start = text(play, "start")?;
    let is_across = start.starts_with(|c: char| c.is_ascii_digit());
    Ok((square(start)?, is_across))
}

/// Reads a square, its row and column in either order.
pub(crate) fn square(text: &str) -> Result<Square> {
    let row: String = text.chars().filter(char::is_ascii_digit).collect();
    let col = text.chars().find(char::is_ascii_alphabetic);
    let col = u32::from(col.context("a column")?.to_ascii_uppercase()) - u32::from('A');
    Ok((row.parse::<i32>()? - 1, i32::try_from(col)?))
}

/// Returns every square of a play with its face; `.` stands for a tile that lay there already.
pub(crate) fn cells(play: &Value) -> Result<Vec<(Square, String)>> {
    let ((row, col), is_across) = start(play)?;
    let step = if is_across { (0, 1) } else { (1, 0) };
    let faces = texts(&play["tiles"])?.into_iter().zip(0..);
    let cells = faces.map(|(face, at)| ((row + step.0 * at, col + step.1 * at), face));
    Ok(cells.collect())
}

/// Returns the squares that a play covers with new tiles, and their faces.
///
/// # Errors
/// When the document is not a play.
pub fn laid(play: &Value) -> Result<Vec<(String, String)>> {
    let laid = cells(play)?.into_iter().filter(|(_, face)| face != ".");
    laid.map(|(square, face)| Ok((named(square)?, face)))
        .collect()
}

/// Returns the name of a square: `F8`.
pub(crate) fn named((row, col): Square) -> Result<String> {
    let col = u32::from('A') + u32::try_from(col)?;
    let col = char::from_u32(col).context("a column")?;
    Ok(format!("{col}{}", row + 1))
}

/// Returns the face on the rack of a tile laid as `face`: a blank shows a letter in lower case.
pub(crate) fn on_rack(face: &str) -> &str {
    if face.chars().any(char::is_lowercase) {
        "?"
    } else {
        face
    }
}
