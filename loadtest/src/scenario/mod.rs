//! What the server is loaded with, one module each.

pub(crate) mod matches;

use anyhow::Result;
use serde_json::{Value, to_value};

use crate::args::Task;

/// Name and settings of a scenario, for the report.
///
/// # Errors
/// Never, as long as settings are numbers and texts.
pub(crate) fn describe(task: &Task) -> Result<(&'static str, Value)> {
    Ok(match task {
        Task::Matches(args) => ("matches", to_value(args)?),
        Task::Compare(_) => ("compare", Value::Null),
    })
}
