//! The conduct of players.

use tilewire_people::conduct::Conduct;
use tilewire_people::moderation::{Deed, Restraint};
use tilewire_rules::time::Timestamp;

use super::operator::PlayerConduct;
use super::{Connection, OptionalExtension, Result, Row, credentials, moderation};
use tilewire_store::{ConductRow, NewWait, StoreError, StoredConduct};

/// Reads the conduct of players.
pub(super) fn of_all(
    db: &Connection,
    identities: &[String],
) -> std::result::Result<Vec<StoredConduct>, StoreError> {
    let all = identities.iter().map(|identity| read(db, identity));
    all.collect::<Result<_>>().map_err(StoreError::from)
}

/// Reads the conduct of a player.
pub(super) fn of(
    db: &Connection,
    identity: &str,
) -> std::result::Result<StoredConduct, StoreError> {
    read(db, identity).map_err(StoreError::from)
}

/// Says whether the stored conduct is that from which these rows were computed.
pub(super) fn is_current(db: &Connection, rows: &[ConductRow]) -> Result<bool> {
    for row in rows {
        if read(db, &row.identity)?.version != row.expected {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Stores the conduct of players, and the waiting times that begin.
pub(super) fn write(db: &Connection, rows: &[ConductRow], waits: &[NewWait]) -> Result<()> {
    for row in rows {
        put(db, &row.identity, &row.conduct)?;
    }
    for wait in waits {
        moderation::enter(db, wait.at, &wait.action, &Deed::Restrain(Restraint::Wait))?;
    }
    if !waits.is_empty() {
        // A running server looks at this count.
        credentials::count_change(db)?;
    }
    Ok(())
}

/// Says whether there is conduct to forgive.
pub(super) fn has_any(db: &Connection, identity: &str) -> Result<bool> {
    Ok(read(db, identity)?.conduct != Conduct::default())
}

/// Stores that everything is forgiven: no result until now counts.
pub(super) fn forgive(db: &Connection, identity: &str) -> Result<()> {
    put(db, identity, &Conduct::default())?;
    db.prepare_cached(
        "UPDATE conduct SET forgiven = (SELECT coalesce(max(number), 0) FROM results) WHERE identity = ?1",
    )?
    .execute([identity])?;
    Ok(())
}

/// Reads the conduct of all players, for the operator's commands.
pub(super) fn of_everybody(db: &Connection) -> Result<Vec<PlayerConduct>> {
    let player = |row: &Row<'_>| {
        Ok(PlayerConduct {
            stored: stored(row)?,
            identity: row.get(5)?,
            forgiven: row.get(6)?,
        })
    };
    db.prepare_cached(
        "SELECT version, points, clean, waits, until, identity, forgiven FROM conduct ORDER BY identity",
    )?
    .query_map((), player)?
    .collect()
}

fn put(db: &Connection, identity: &str, conduct: &Conduct) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO conduct (identity, version, points, clean, waits, until) VALUES (?1, 1, ?2, ?3, ?4, ?5)
         ON CONFLICT (identity) DO UPDATE SET version = conduct.version + 1, points = excluded.points,
         clean = excluded.clean, waits = excluded.waits, until = excluded.until",
    )?
    .execute((
        identity,
        conduct.points,
        conduct.clean,
        conduct.waits,
        conduct.until.map(|until| until.0),
    ))?;
    Ok(())
}

fn read(db: &Connection, identity: &str) -> Result<StoredConduct> {
    let found = db
        .prepare_cached(
            "SELECT version, points, clean, waits, until FROM conduct WHERE identity = ?1",
        )?
        .query_row([identity], stored)
        .optional()?;
    Ok(found.unwrap_or_default())
}

/// Reads the first five columns: version, points, clean, waits, until.
fn stored(row: &Row<'_>) -> Result<StoredConduct> {
    Ok(StoredConduct {
        version: row.get(0)?,
        conduct: Conduct {
            points: row.get(1)?,
            clean: row.get(2)?,
            waits: row.get(3)?,
            until: row.get::<_, Option<i64>>(4)?.map(Timestamp),
        },
    })
}
