//! Reads the rows of a player for an export.

use rusqlite::types::ValueRef;
use serde_json::{Map, Value, json};
use tilewire_people::audit::Entry;
use tilewire_people::moderation::Report;
use tilewire_people::ratings::PlayerRating;
use tilewire_protocol::{Codec, GameId, decode_server, encode_server};

use super::accounts::decoded;
use super::personal::{Form, Removal, TABLES, Table};
use super::{Connection, Error, Result, Row};
use tilewire_store::codec::decode_result;
use tilewire_store::{PersonalRows, StoreError};

/// Reads rows of a table as their player may have them; `None` behind the last table.
pub(super) fn rows(
    db: &Connection,
    identity: &str,
    number: usize,
    skip: usize,
    most: usize,
) -> Result<Option<PersonalRows>, StoreError> {
    let Some(table) = TABLES.get(number) else {
        return Ok(None);
    };
    let mut found = PersonalRows {
        table: table.name,
        rows: Vec::new(),
        withheld: table.withheld,
        kept: match table.erasure {
            Removal::Kept(reason) => Some(reason),
            _ => None,
        },
    };
    let Some((condition, order)) = table.export else {
        return Ok(Some(found));
    };
    let decoded = table.decoded.iter().map(|(column, _)| *column);
    let columns: Vec<&str> = table.shown.iter().copied().chain(decoded).collect();
    let query = format!(
        "SELECT {} FROM {} WHERE {condition} ORDER BY {order} LIMIT ?2 OFFSET ?3",
        columns.join(", "),
        table.name
    );
    let read = || -> Result<Vec<Value>> {
        db.prepare_cached(&query)?
            .query_map((identity, most, skip), |row| shown(table, row, identity))?
            .collect()
    };
    found.rows = read().map_err(StoreError::from)?;
    Ok(Some(found))
}

/// Reads the ids of the games of a player.
pub(super) fn games(
    db: &Connection,
    identity: &str,
    behind: Option<&GameId>,
    most: usize,
) -> Result<Vec<GameId>, StoreError> {
    let behind = behind.map_or("", GameId::as_str);
    let read = || -> Result<Vec<GameId>> {
        db.prepare_cached(
            "SELECT DISTINCT game FROM seats WHERE identity = ?1 AND game > ?2 ORDER BY game LIMIT ?3",
        )?
        .query_map((identity, behind, most), |row| row.get(0).map(GameId))?
        .collect()
    };
    read().map_err(StoreError::from)
}

fn shown(table: &Table, row: &Row<'_>, identity: &str) -> Result<Value> {
    let mut all = Map::new();
    for (number, column) in table.shown.iter().enumerate() {
        let value = match row.get_ref(number)? {
            ValueRef::Null => continue,
            ValueRef::Integer(value) => json!(value),
            ValueRef::Real(value) => json!(value),
            ValueRef::Text(text) => json!(String::from_utf8_lossy(text)),
            ValueRef::Blob(bytes) => json!(String::from_utf8_lossy(bytes)),
        };
        all.insert((*column).to_owned(), value);
    }
    for ((column, form), number) in table.decoded.iter().zip(table.shown.len()..) {
        let stored = row.get_ref(number)?;
        let value = form.of(stored, identity).map_err(Error::Unreadable)?;
        all.insert((*column).to_owned(), value);
    }
    Ok(Value::Object(all))
}

type Unreadable = Box<dyn std::error::Error + Send + Sync>;

impl Form {
    /// Returns the exported form of a stored value.
    fn of(self, stored: ValueRef<'_>, identity: &str) -> std::result::Result<Value, Unreadable> {
        let bytes = stored.as_bytes()?;
        Ok(match self {
            Self::Account => {
                let mut account = serde_json::to_value(decoded(bytes)?)?;
                if let Some(registration) = account["registration"].as_object_mut() {
                    registration.remove("password");
                    registration.remove("recovery");
                }
                account
            }
            Self::Result => {
                let result = decode_result(bytes)?;
                let mut shown = serde_json::to_value(&result)?;
                shown["decision"]["words"] = result.words().into();
                shown
            }
            Self::Rating => serde_json::to_value(PlayerRating::decode(bytes)?)?,
            Self::Answer => {
                let (id, answer) = decode_server(Codec::MsgPack, bytes)?;
                serde_json::from_slice(&encode_server(Codec::Json, id, &answer))?
            }
            Self::Seek => serde_json::from_slice(bytes)?,
            Self::Entry => {
                let entry: Entry = serde_json::from_slice(bytes)?;
                let is_own =
                    [identity, "operator", "server"].contains(&entry.action.actor.as_str());
                let mut entry = serde_json::to_value(entry)?;
                if let (false, Some(fields)) = (is_own, entry.as_object_mut()) {
                    fields.remove("actor");
                }
                entry
            }
            // The lines of others are for moderators only: the player may not read them any more, or could never.
            Self::Report => {
                let mut report: Report = serde_json::from_slice(bytes)?;
                report.context.clear();
                serde_json::to_value(report)?
            }
        })
    }
}
