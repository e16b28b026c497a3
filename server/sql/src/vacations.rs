//! Vacations of players.

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_people::vacations::Vacations;

use super::access::Occasion;
use super::changes::{Change, Done};
use super::{Connection, OptionalExtension, Result, Row, SqlStorage, unreadable};
use tilewire_store::{AppendError, StoreError, VacationChange, VacationStore};

fn of(db: &Connection, identity: &str) -> Result<Vacations> {
    let found = db
        .prepare_cached("SELECT vacations FROM vacations WHERE identity = ?1")?
        .query_row([identity], |row| decoded(row, 0))
        .optional()?;
    Ok(found.unwrap_or_default())
}

fn to_apply(db: &Connection, most: usize) -> Result<Vec<(String, Vacations)>> {
    db.prepare_cached("SELECT identity, vacations FROM vacations WHERE is_applied = 0 LIMIT ?1")?
        .query_map([most], |row| Ok((row.get(0)?, decoded(row, 1)?)))?
        .collect()
}

/// Stores a change of vacations.
pub(super) fn change(db: &Connection, change: &VacationChange) -> Result<Done> {
    if of(db, &change.identity)? != change.before {
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

impl VacationStore for SqlStorage {
    fn vacations<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, std::result::Result<Vacations, StoreError>> {
        let identity = identity.to_owned();
        self.access
            .read(move |db| of(db, &identity).map_err(StoreError::from))
            .boxed()
    }

    fn to_apply(
        &self,
        most: usize,
    ) -> BoxFuture<'_, std::result::Result<Vec<(String, Vacations)>, StoreError>> {
        self.access
            .poll(Occasion::Poll, Vec::is_empty, move |db| {
                to_apply(db, most).map_err(StoreError::from)
            })
            .boxed()
    }

    fn change_vacations(
        &self,
        change: VacationChange,
    ) -> BoxFuture<'_, std::result::Result<bool, StoreError>> {
        async {
            let done = self.access.write(Change::Vacation(Box::new(change))).await;
            Ok(done.map_err(AppendError::into_store_error)? == Done::Stored)
        }
        .boxed()
    }
}
