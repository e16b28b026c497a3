//! The follows and blocks of players.

use tilewire_people::accounts::Account;
use tilewire_people::relations::{Act, OwnRelation, Relation};
use tilewire_rules::time::Timestamp;

use super::accounts::decoded;
use super::changes::Done;
use super::{Connection, Result, Row};
use tilewire_store::{Related, RelationChange, Relations, StoreError};

/// Whether a player follows another one, with an effect.
const FOLLOWS: &str = "SELECT EXISTS (SELECT 1 FROM follows
    WHERE identity = ?1 AND followed = ?2 AND has_ended IS NULL)";
/// Whether a player follows another one, as that player sees it.
const IS_FOLLOWED: &str =
    "SELECT EXISTS (SELECT 1 FROM follows WHERE identity = ?1 AND followed = ?2)";
/// Whether a player blocks another one.
const IS_BLOCKED: &str =
    "SELECT EXISTS (SELECT 1 FROM blocks WHERE identity = ?1 AND blocked = ?2)";

/// Reads all players whom a player follows or blocks.
pub(super) fn relations(db: &Connection, identity: &str) -> Result<Relations, StoreError> {
    let read = |list: &str| -> Result<Vec<Related>> {
        let rows = db
            .prepare_cached(list)?
            .query_map([identity], related)?
            .collect::<Result<Vec<_>>>()?;
        Ok(rows.into_iter().flatten().collect())
    };
    let followed = "SELECT account, since, has_ended IS NULL AND EXISTS (
            SELECT 1 FROM follows AS back
            WHERE back.identity = own.followed AND back.followed = own.identity AND back.has_ended IS NULL)
        FROM follows AS own JOIN accounts ON accounts.identity = own.followed
        WHERE own.identity = ?1 ORDER BY since, own.followed";
    let blocked = "SELECT account, since, FALSE
        FROM blocks AS own JOIN accounts ON accounts.identity = own.blocked
        WHERE own.identity = ?1 ORDER BY since, own.blocked";
    Ok(Relations {
        followed: read(followed).map_err(StoreError::from)?,
        blocked: read(blocked).map_err(StoreError::from)?,
    })
}

/// Reads what a player has set up about another one.
pub(super) fn relation(
    db: &Connection,
    identity: &str,
    other: &str,
) -> Result<Relation, StoreError> {
    let read = || -> Result<Relation> {
        Ok(Relation {
            is_followed: holds(db, IS_FOLLOWED, identity, other)?,
            is_friend: holds(db, FOLLOWS, identity, other)? && holds(db, FOLLOWS, other, identity)?,
            is_blocked: holds(db, IS_BLOCKED, identity, other)?,
        })
    };
    read().map_err(StoreError::from)
}

/// Reads all blocks.
pub(super) fn blocks(db: &Connection) -> Result<Vec<(String, String)>, StoreError> {
    pairs(
        db,
        "SELECT identity, blocked FROM blocks ORDER BY identity, blocked",
    )
}

/// Reads all follows that no block has ended.
pub(super) fn follows(db: &Connection) -> Result<Vec<(String, String)>, StoreError> {
    pairs(
        db,
        "SELECT identity, followed FROM follows WHERE has_ended IS NULL ORDER BY identity, followed",
    )
}

fn pairs(db: &Connection, select: &str) -> Result<Vec<(String, String)>, StoreError> {
    let read = || -> Result<Vec<(String, String)>> {
        db.prepare_cached(select)?
            .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect()
    };
    read().map_err(StoreError::from)
}

/// Stores what a player does about another one.
pub(super) fn relate(db: &Connection, change: &RelationChange) -> Result<Done> {
    let RelationChange {
        identity,
        other,
        act,
        at,
    } = change;
    // Every refusal comes before the first write: the transaction belongs to other changes too.
    if let Err(refusal) = act.check(&own_relation(db, identity, other)?) {
        return Ok(Done::Refused(refusal));
    }
    match act {
        Act::Follow => {
            let has_ended = holds(db, IS_BLOCKED, other, identity)?.then_some(true);
            db.prepare_cached(
                "INSERT INTO follows (identity, followed, since, has_ended) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (identity, followed) DO UPDATE SET has_ended = excluded.has_ended",
            )?
            .execute((identity, other, at.0, has_ended))?;
        }
        Act::Unfollow => unfollow(db, identity, other)?,
        Act::Block => {
            unfollow(db, identity, other)?;
            db.prepare_cached(
                "UPDATE follows SET has_ended = 1 WHERE identity = ?1 AND followed = ?2",
            )?
            .execute((other, identity))?;
            db.prepare_cached(
                "INSERT INTO blocks (identity, blocked, since) VALUES (?1, ?2, ?3)
                 ON CONFLICT (identity, blocked) DO NOTHING",
            )?
            .execute((identity, other, at.0))?;
        }
        Act::Unblock => {
            db.prepare_cached("DELETE FROM blocks WHERE identity = ?1 AND blocked = ?2")?
                .execute((identity, other))?;
        }
    }
    Ok(Done::Stored)
}

fn unfollow(db: &Connection, identity: &str, other: &str) -> Result<()> {
    db.prepare_cached("DELETE FROM follows WHERE identity = ?1 AND followed = ?2")?
        .execute((identity, other))?;
    Ok(())
}

fn own_relation(db: &Connection, identity: &str, other: &str) -> Result<OwnRelation> {
    let count = |list: &str| -> Result<usize> {
        db.prepare_cached(list)?
            .query_row([identity], |row| row.get(0))
    };
    Ok(OwnRelation {
        is_followed: holds(db, IS_FOLLOWED, identity, other)?,
        is_blocked: holds(db, IS_BLOCKED, identity, other)?,
        followed: count("SELECT count(*) FROM follows WHERE identity = ?1")?,
        blocked: count("SELECT count(*) FROM blocks WHERE identity = ?1")?,
    })
}

/// Asks a question about two players.
fn holds(db: &Connection, question: &str, identity: &str, other: &str) -> Result<bool> {
    db.prepare_cached(question)?
        .query_row((identity, other), |row| row.get(0))
}

/// Returns a player of a list; `None` for one without a handle, which no player of a relation is.
fn related(row: &Row<'_>) -> Result<Option<Related>> {
    let Account {
        identity,
        registration,
        ..
    } = decoded(&row.get::<_, Vec<u8>>(0)?)?;
    let (since, is_friend) = (Timestamp(row.get(1)?), row.get(2)?);
    Ok(registration.map(|registration| Related {
        identity,
        handle: registration.handle.to_string(),
        is_bot: registration.is_bot,
        since,
        is_friend,
    }))
}
