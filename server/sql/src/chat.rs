//! The lines of chat rooms.

use tilewire_people::accounts::Account;
use tilewire_rules::time::Timestamp;

use super::accounts::decoded;
use super::changes::Done;
use super::{Connection, OptionalExtension, Result, Row};
use tilewire_store::{ChatChange, DirectLine, StoreError, StoredLine};

/// The newest lines of a room after a number, the newest first.
const LINES: &str = "SELECT room, line, at, identity, name, seat, cmd_id, text, hidden IS NOT NULL
    FROM chat_lines WHERE room = ?1 AND line > ?2 ORDER BY line DESC LIMIT ?3";
/// The lines of a room from one number to another.
const BETWEEN: &str =
    "SELECT room, line, at, identity, name, seat, cmd_id, text, hidden IS NOT NULL
    FROM chat_lines WHERE room = ?1 AND line BETWEEN ?2 AND ?3 ORDER BY line";
/// The direct rooms of an identity, the one with the newest line first.
const DIRECT_ROOMS: &str = "SELECT rooms.room, account, rooms.last, rooms.at FROM (
        SELECT room, other AS identity, last, at FROM chat_pairs WHERE one = ?1
        UNION ALL SELECT room, one, last, at FROM chat_pairs WHERE other = ?1
    ) AS rooms JOIN accounts ON accounts.identity = rooms.identity
    ORDER BY rooms.at DESC, rooms.room LIMIT ?2";

/// Reads the newest lines of a room after a number, the oldest first.
pub(super) fn lines(
    db: &Connection,
    room: &str,
    after: u64,
    most: usize,
) -> Result<Vec<StoredLine>, StoreError> {
    let read = || -> Result<Vec<StoredLine>> {
        db.prepare_cached(LINES)?
            .query_map((room, after, most), line)?
            .collect()
    };
    let mut lines = read().map_err(StoreError::from)?;
    lines.reverse();
    Ok(lines)
}

fn line(row: &Row<'_>) -> Result<StoredLine> {
    Ok(StoredLine {
        room: row.get(0)?,
        line: row.get(1)?,
        at: Timestamp(row.get(2)?),
        identity: row.get(3)?,
        name: row.get(4)?,
        seat: row.get(5)?,
        cmd_id: row.get(6)?,
        text: row.get(7)?,
        is_hidden: row.get(8)?,
    })
}

/// Reads the lines of a room from one number to another, the oldest first.
pub(super) fn between(
    db: &Connection,
    room: &str,
    first: u64,
    last: u64,
) -> Result<Vec<StoredLine>> {
    db.prepare_cached(BETWEEN)?
        .query_map((room, first, last), line)?
        .collect()
}

/// Says whether a line is there, written by an identity, and not hidden.
pub(super) fn is_shown(db: &Connection, room: &str, line: u64, identity: &str) -> Result<bool> {
    db.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM chat_lines
         WHERE room = ?1 AND line = ?2 AND identity = ?3 AND hidden IS NULL)",
    )?
    .query_row((room, line, identity), |row| row.get(0))
}

/// Hides a line of an identity; `entry` is the number of the entry of the audit.
pub(super) fn hide(
    db: &Connection,
    room: &str,
    line: u64,
    identity: &str,
    entry: u64,
) -> Result<usize> {
    db.prepare_cached(
        "UPDATE chat_lines SET hidden = ?4
         WHERE room = ?1 AND line = ?2 AND identity = ?3 AND hidden IS NULL",
    )?
    .execute((room, line, identity, entry))
}

/// Shows the lines again that an entry of the audit hid.
pub(super) fn show(db: &Connection, entry: u64) -> Result<usize> {
    db.prepare_cached("UPDATE chat_lines SET hidden = NULL WHERE hidden = ?1")?
        .execute([entry])
}

/// Reads the direct rooms of an identity.
pub(super) fn direct_rooms(
    db: &Connection,
    identity: &str,
    most: usize,
) -> Result<Vec<DirectLine>, StoreError> {
    let read = || -> Result<Vec<Option<DirectLine>>> {
        db.prepare_cached(DIRECT_ROOMS)?
            .query_map((identity, most), direct)?
            .collect()
    };
    Ok(read()
        .map_err(StoreError::from)?
        .into_iter()
        .flatten()
        .collect())
}

/// Returns a direct room; `None` if the other player has no handle any more.
fn direct(row: &Row<'_>) -> Result<Option<DirectLine>> {
    let Account {
        identity,
        registration,
        ..
    } = decoded(&row.get::<_, Vec<u8>>(1)?)?;
    let (room, last, at) = (row.get(0)?, row.get(2)?, Timestamp(row.get(3)?));
    Ok(registration.map(|registration| DirectLine {
        room,
        other: identity,
        handle: registration.handle.to_string(),
        last,
        at,
    }))
}

/// Stores lines.
pub(super) fn say(db: &Connection, change: &ChatChange) -> Result<Done> {
    // Before the first write: the transaction belongs to other changes too.
    let mut known =
        db.prepare_cached("SELECT identity, cmd_id FROM chat_lines WHERE room = ?1 AND line = ?2")?;
    for line in &change.lines {
        let found = known
            .query_row((&line.room, line.line), |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()?;
        if found.is_some_and(|found| found != (line.identity.clone(), line.cmd_id.clone())) {
            return Ok(Done::Conflict { head: line.line });
        }
    }
    let mut insert = db.prepare_cached(
        "INSERT INTO chat_lines (room, line, at, identity, name, seat, cmd_id, text)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (room, line) DO NOTHING",
    )?;
    for line in &change.lines {
        insert.execute((
            &line.room,
            line.line,
            line.at.0,
            &line.identity,
            &line.name,
            line.seat,
            &line.cmd_id,
            &line.text,
        ))?;
    }
    let mut pair = db.prepare_cached(
        "INSERT INTO chat_pairs (room, one, other, last, at)
         SELECT ?1, ?2, ?3, line, at FROM chat_lines WHERE room = ?1 ORDER BY line DESC LIMIT 1
         ON CONFLICT (room) DO UPDATE SET last = excluded.last, at = excluded.at",
    )?;
    for direct in &change.pairs {
        let [one, other] = &direct.pair;
        pair.execute((&direct.room, one, other))?;
    }
    Ok(Done::Stored)
}

/// Removes up to `most` lines written before a time, and the pairs whose lines are gone; returns the number of lines.
pub(super) fn remove(db: &Connection, before: Timestamp, most: usize) -> Result<usize> {
    let removed = db
        .prepare_cached(
            "DELETE FROM chat_lines WHERE (room, line) IN
             (SELECT room, line FROM chat_lines WHERE at < ?1 ORDER BY at LIMIT ?2)",
        )?
        .execute((before.0, most))?;
    db.prepare_cached(
        "DELETE FROM chat_pairs WHERE at < ?1 AND room IN
         (SELECT room FROM chat_pairs WHERE at < ?1 ORDER BY at LIMIT ?2)",
    )?
    .execute((before.0, most))?;
    Ok(removed)
}
