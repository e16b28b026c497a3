//! Keys that sign tokens and revocations.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_rules::time::Timestamp;

use super::keys::KID_CHARS;
use super::{Connection, OptionalExtension, Result, pushes};
use tilewire_base::ids::Ids;
use tilewire_store::{Credentials, StoreError, TokenKey};

/// Stores that a family of tokens is revoked, without counting the change. The device of its session gets no pushes any more.
pub(super) fn revoke_family(
    db: &Connection,
    family: &str,
    identity: &str,
    at: Timestamp,
) -> Result<usize> {
    pushes::remove_of_family(db, family)?;
    db.prepare_cached(
        "INSERT INTO revoked_tokens (family, identity, at) VALUES (?1, ?2, ?3)
         ON CONFLICT (family) DO NOTHING",
    )?
    .execute((family, identity, at.0))
}

/// Counts a change of keys or revocations, so that a running server reads them again.
pub(super) fn count_change(db: &Connection) -> Result<()> {
    db.prepare_cached("UPDATE credential_changes SET count = count + 1")?
        .execute(())?;
    Ok(())
}

/// Forgets revoked families of registered players that have no session, at most `limit`; returns their number. A token of such a
/// family is refused without the list. A family that the operator has revoked, and whose session goes on, stays.
pub(super) fn forget_ended_sessions(
    db: &Connection,
    before: Timestamp,
    limit: usize,
) -> Result<usize> {
    let forgotten = db
        .prepare_cached(
            "DELETE FROM revoked_tokens WHERE family IN (SELECT family FROM revoked_tokens WHERE at < ?1
             AND EXISTS (SELECT 1 FROM accounts WHERE accounts.identity = revoked_tokens.identity)
             AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.family = revoked_tokens.family) LIMIT ?2)",
        )?
        .execute((before.0, limit))?;
    if forgotten > 0 {
        count_change(db)?;
    }
    Ok(forgotten)
}

/// Makes the first key if there is none.
pub fn ensure_key(db: &Connection, now: Timestamp) -> Result<()> {
    let ids = Ids::system();
    db.prepare_cached(
        "INSERT INTO token_keys (kid, secret, created_at)
         SELECT ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM token_keys)",
    )?
    .execute((ids.base32(KID_CHARS), ids.secret(), now.0))?;
    Ok(())
}

/// Reads how often something was changed.
pub(super) fn version(db: &Connection) -> Result<u64, StoreError> {
    db.prepare_cached("SELECT count FROM credential_changes")
        .and_then(|mut query| query.query_row((), |row| row.get(0)).optional())
        .map(|count| count.unwrap_or(0))
        .map_err(StoreError::from)
}

/// Reads everything tokens are judged by.
pub(super) fn credentials(db: &Connection) -> Result<Credentials, StoreError> {
    let read = || -> Result<_> {
        let keys = db
            .prepare_cached(
                "SELECT kid, secret FROM token_keys ORDER BY created_at DESC, kid DESC",
            )?
            .query_map((), |row| {
                Ok(TokenKey {
                    kid: row.get(0)?,
                    secret: row.get(1)?,
                })
            })?
            .collect::<Result<Vec<_>>>()?;
        let identities = db
            .prepare_cached("SELECT identity, reason FROM revoked_identities")?
            .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<BTreeMap<String, Option<String>>>>()?;
        let families = db
            .prepare_cached("SELECT family FROM revoked_tokens")?
            .query_map((), |row| row.get(0))?
            .collect::<Result<BTreeSet<String>>>()?;
        Ok((keys, identities, families))
    };
    let version = version(db)?;
    let (keys, revoked_identities, revoked_families) = read().map_err(StoreError::from)?;
    if keys.is_empty() {
        return Err(StoreError::Corrupt("there is no key for tokens".to_owned()));
    }
    Ok(Credentials {
        version,
        keys,
        revoked_identities,
        revoked_families,
    })
}
