//! The log of a finished game, from its native record.

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};
use tilewire_protocol::GameId;
use tokio::time::sleep;

use crate::http;
use crate::link::{AGAIN_AFTER, connect};

/// How often a busy server is asked again.
const TRIES: u32 = 10;

/// An event of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LogLine {
    /// Its number.
    pub(crate) seq: u64,
    /// When it took effect, unix ms.
    pub(crate) at: i64,
    /// Its kind.
    pub(crate) kind: String,
    /// The seat that caused it.
    pub(crate) seat: Option<u64>,
    /// The turn that it belongs to.
    pub(crate) turn_no: Option<u64>,
    /// The play that it belongs to.
    pub(crate) play_id: Option<u64>,
    /// How long the game had stood still, ms, in an event that gives the time back.
    pub(crate) stood_still_ms: Option<u64>,
}

impl LogLine {
    /// Reads a native record: a line about the game, then a line for each event.
    ///
    /// # Errors
    /// When it has another form.
    pub(crate) fn read_all(record: &str) -> Result<Vec<Self>> {
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

/// Asks the servers for the record of a game, one after the other; `None` if it is not over.
///
/// # Errors
/// When none of them answers as it should.
pub(crate) async fn fetch(addresses: &[String], game: &GameId) -> Result<Option<Vec<LogLine>>> {
    let mut last = String::new();
    for _ in 0..TRIES {
        for address in addresses {
            // An answer of HTTP 1.0 has no chunks.
            let request = format!(
                "GET /games/{}.jsonl HTTP/1.0\r\nHost: {address}\r\n\r\n",
                game.as_str()
            );
            let Ok(stream) = connect(address).await else {
                continue;
            };
            match http::ask(stream, &request).await? {
                (200, record) => return LogLine::read_all(&record).map(Some),
                (409, _) => return Ok(None),
                (status, said) => last = format!("{status} {}", said.trim()),
            }
        }
        sleep(AGAIN_AFTER).await;
    }
    bail!("no record of game {}: {last}", game.as_str())
}
