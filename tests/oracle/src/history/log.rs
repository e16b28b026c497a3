//! The log of a finished game, from its native record.

use anyhow::{Context, Result};
use serde_json::{Map, Value};

/// An event of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// Its number.
    pub seq: u64,
    /// When it took effect, unix ms.
    pub at: i64,
    /// Its kind.
    pub kind: String,
    /// The seat that caused it.
    pub seat: Option<u64>,
    /// The turn that it belongs to.
    pub turn_no: Option<u64>,
    /// The play that it belongs to.
    pub play_id: Option<u64>,
    /// How long the game had stood still, ms, in an event that gives the time back.
    pub stood_still_ms: Option<u64>,
}

impl LogLine {
    /// Reads a native record: a line about the game, then a line for each event.
    ///
    /// # Errors
    /// When it has another form.
    pub fn read_all(record: &str) -> Result<Vec<Self>> {
        record.lines().skip(1).map(Self::read).collect()
    }

    fn read(line: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(line)?;
        let (mut kind, mut fields) = only(&value["event"]).context("no event")?;
        if kind == "public" {
            (kind, fields) = only(fields).context("no public event")?;
        }
        let time = |name: &str| fields[name].as_u64();
        Ok(Self {
            seq: value["seq"].as_u64().context("no seq")?,
            at: value["at"].as_i64().context("no time")?,
            kind: kind.clone(),
            seat: fields["seat"].as_u64(),
            turn_no: fields["turn_no"].as_u64(),
            play_id: fields["play_id"].as_u64(),
            stood_still_ms: time("resumed_at")
                .zip(time("stopped_at"))
                .map(|(to, from)| to.saturating_sub(from)),
        })
    }
}

/// The only entry of a map.
fn only(value: &Value) -> Option<(&String, &Value)> {
    value
        .as_object()
        .and_then(|map: &Map<_, _>| map.iter().next())
}
