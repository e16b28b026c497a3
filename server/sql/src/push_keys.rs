//! Key pairs of pushes.

use tilewire_rules::time::Timestamp;

use super::keys::{self, KID_CHARS};
use super::{Connection, OptionalExtension, Result};
use tilewire_base::ids::Ids;
use tilewire_base::vapid::PushSecret;
use tilewire_store::{PushKey, StoreError};

/// Makes the first key pair if there is none.
pub fn ensure_key(db: &Connection, now: Timestamp) -> Result<()> {
    let has_key: bool = db
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM push_keys)")?
        .query_row((), |row| row.get(0))?;
    match has_key {
        true => Ok(()),
        false => add_key(db, now).map(drop),
    }
}

/// Adds a key pair, which is the newest; returns its name.
pub(super) fn add_key(db: &Connection, now: Timestamp) -> Result<String> {
    let secret = PushSecret::fresh()
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
    let kid = Ids::system().base32(KID_CHARS);
    keys::add(db, keys::PUSHES, (&kid, &secret.0), now)?;
    Ok(kid)
}

/// Returns the key pair with a name, or the newest one.
pub(super) fn key(db: &Connection, kid: Option<&str>) -> Result<Option<PushKey>, StoreError> {
    let read = || {
        db.prepare_cached(
            "SELECT kid, secret FROM push_keys WHERE CAST(?1 AS TEXT) IS NULL OR kid = ?1
             ORDER BY created_at DESC, kid DESC LIMIT 1",
        )?
        .query_row([kid], |row| {
            Ok(PushKey {
                kid: row.get(0)?,
                secret: PushSecret(row.get(1)?),
            })
        })
        .optional()
    };
    read().map_err(StoreError::from)
}
