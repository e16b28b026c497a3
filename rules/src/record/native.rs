//! The native record: the event log as JSON lines.
//!
//! The first line names the format, the game, its rule set (with its file if it is an operator's own), language and
//! lexicon; each further line is one [`Record`] without its command: the ids of commands belong to the players' programs
//! and are not published. The record has every event completely, and the secret in its last event proves the bag.
//! `docs/records.md` describes the lines.

use serde::{Deserialize, Serialize};

use crate::event::{Event, PublicEvent, Record};
use crate::ruleset::RuleSet;

/// The name of the format in the first line.
pub const FORMAT: &str = "tilewire-record";
/// The version written, and the newest that can be read.
pub const VERSION: u32 = 1;
/// The largest number of lines: far more than any game has.
const MAX_LINES: usize = 100_000;

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`].
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The game's id.
    pub game: String,
    /// Id of the rule set.
    pub rule_set: String,
    /// Language of the tiles.
    pub language: String,
    /// Name of the lexicon.
    pub lexicon: String,
    /// The file of the rule set, if it is an operator's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
}

/// Why a file is not a native record, and the line, counted from 1.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct NativeError {
    /// The line.
    pub line: usize,
    /// The problem with the line.
    pub problem: NativeProblem,
}

/// A problem with a line.
#[derive(Debug, thiserror::Error)]
pub enum NativeProblem {
    /// The file is not valid UTF-8.
    #[error("the file is not valid UTF-8")]
    NotUtf8,
    /// The line is not JSON, or has the wrong form.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// The format is another, or its version is newer.
    #[error("expected a {FORMAT} of version {VERSION} or older")]
    Format,
    /// The first event does not create the game that the first line names.
    #[error("the first event does not create the game of the first line")]
    Creation,
    /// The file has too many lines.
    #[error("there are more than {MAX_LINES} lines")]
    TooLong,
}

/// Writes a log; `None` when it does not begin with the creation of a game. A rule set that is not built in is written
/// with it, so that every reader has the rules.
#[must_use]
pub fn write(records: &[Record], rules: Option<&RuleSet>) -> Option<String> {
    let own = rules.filter(|rules| !rules.is_builtin());
    let header = header(records, own.map(|rules| rules.source.to_string()))?;
    let mut text = serde_json::to_string(&header).ok()?;
    text.push('\n');
    for record in records {
        text.push_str(&serde_json::to_string(&published(record)).ok()?);
        text.push('\n');
    }
    Some(text)
}

fn header(records: &[Record], rules: Option<String>) -> Option<Header> {
    let Event::Created(created) = &records.first()?.event else {
        return None;
    };
    Some(Header {
        format: FORMAT.to_owned(),
        version: VERSION,
        game: created.game.clone(),
        rule_set: created.options.rule_set.clone(),
        language: created.options.language.clone(),
        lexicon: created.options.lexicon.clone(),
        rules,
    })
}

/// Returns an entry of a log as a native record has it: without the command that caused it.
#[must_use]
pub fn published(record: &Record) -> Record {
    Record {
        command: None,
        ..record.clone()
    }
}

/// Returns whether bytes look like a native record.
#[must_use]
pub fn is_native(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"{")
}

/// Reads a record.
///
/// # Errors
/// Names the first line that cannot be read.
pub fn read(bytes: &[u8]) -> Result<(Header, Vec<Record>), NativeError> {
    let at = |line: usize| move |problem: NativeProblem| NativeError { line, problem };
    let text = std::str::from_utf8(bytes).map_err(|_| at(1)(NativeProblem::NotUtf8))?;
    let mut lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let (number, first) = lines.next().unwrap_or((1, ""));
    let found: Header = serde_json::from_str(first).map_err(|error| at(number)(error.into()))?;
    if found.format != FORMAT || found.version > VERSION {
        return Err(at(number)(NativeProblem::Format));
    }
    let mut records = Vec::new();
    for (number, line) in lines {
        if number > MAX_LINES {
            return Err(at(number)(NativeProblem::TooLong));
        }
        let record = serde_json::from_str(line).map_err(|error| at(number)(error.into()))?;
        records.push(published(&record));
    }
    if header(&records, found.rules.clone()).as_ref() != Some(&found) {
        return Err(at(2)(NativeProblem::Creation));
    }
    Ok((found, records))
}

/// Returns whether the log contains the end of its game.
#[must_use]
pub fn is_finished(records: &[Record]) -> bool {
    let last = records.last().map(|record| &record.event);
    matches!(last, Some(Event::Public(PublicEvent::Ended(_))))
}

/// Returns the line of an event in a native record: the header is one line.
pub(super) fn line_of(record: &Record) -> usize {
    usize::try_from(record.seq.0)
        .unwrap_or(usize::MAX)
        .saturating_add(1)
}
