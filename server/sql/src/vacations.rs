//! Vacations of players.

use tilewire_people::vacations::Vacations;

use super::changes::Done;
use super::{Connection, OptionalExtension, Result, Row, unreadable};
use tilewire_store::{StoreError, VacationChange};

/// Returns the vacations of a player.
pub(super) fn of(db: &Connection, identity: &str) -> Result<Vacations, StoreError> {
    Ok(read(db, identity)?)
}

fn read(db: &Connection, identity: &str) -> Result<Vacations> {
    let found = db
        .prepare_cached("SELECT vacations FROM vacations WHERE identity = ?1")?
        .query_row([identity], |row| decoded(row, 0))
        .optional()?;
    Ok(found.unwrap_or_default())
}

/// Returns the vacations that some games do not have yet.
pub(super) fn to_apply(
    db: &Connection,
    most: usize,
) -> Result<Vec<(String, Vacations)>, StoreError> {
    let found: Result<Vec<_>> = db
        .prepare_cached("SELECT identity, vacations FROM vacations WHERE is_applied = 0 LIMIT ?1")?
        .query_map([most], |row| Ok((row.get(0)?, decoded(row, 1)?)))?
        .collect();
    Ok(found?)
}

/// Stores a change of vacations.
pub(super) fn change(db: &Connection, change: &VacationChange) -> Result<Done> {
    if read(db, &change.identity)? != change.before {
        return Ok(Done::Stale);
    }
    let text = serde_json::to_string(&change.after).expect("vacations are plain data");
    db.prepare_cached(
        "INSERT INTO vacations (identity, is_applied, vacations) VALUES (?1, ?2, ?3)
         ON CONFLICT (identity) DO UPDATE SET is_applied = excluded.is_applied,
         vacations = excluded.vacations",
    )?
    .execute((&change.identity, change.is_applied, text))?;
    Ok(Done::Stored)
}

fn decoded(row: &Row<'_>, column: usize) -> Result<Vacations> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(unreadable)
}
