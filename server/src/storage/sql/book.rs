//! A storage for the operator's commands, beside a running server.

use std::fmt;

use tilewire_rules::time::Timestamp;

use super::credentials::{self, KID_CHARS};
use super::{Connection, Error, Result, changes, in_one_change, readers};
use crate::ids::Ids;
use crate::storage::{
    ClockRecord, Credentials, IdentityRow, KeyEntry, Keyring, KeyringError, Liveness, StoreError,
};

/// A connection for the operator's commands, beside a running server.
pub struct SqlBook {
    /// The database, as messages name it.
    place: String,
    pub(super) connection: Box<Connection>,
}

impl SqlBook {
    /// Makes a book of an open database; messages name it `place`.
    pub(in crate::storage) fn new(connection: Box<Connection>, place: String) -> Self {
        Self { place, connection }
    }

    /// Makes one change and counts it, in one transaction. Returns the number of changed rows.
    fn change(
        &mut self,
        change: impl FnOnce(&Connection) -> Result<usize>,
    ) -> Result<usize, KeyringError> {
        let counted = |db: &Connection| {
            let rows = change(db)?;
            credentials::count_change(db)?;
            Ok(rows)
        };
        in_one_change(&*self.connection, counted, |_| true).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &Error) -> KeyringError {
        let why = format!("cannot use the database {}: {error}", self.place);
        StoreError::Unavailable(why).into()
    }
}

impl fmt::Debug for SqlBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqlBook")
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

impl ClockRecord for SqlBook {
    fn liveness(&self) -> Result<Liveness, StoreError> {
        readers::liveness(&*self.connection)
    }

    fn jumped(&mut self, at: Timestamp) -> Result<(), StoreError> {
        changes::jump(&*self.connection, at)?;
        Ok(())
    }
}

impl Keyring for SqlBook {
    fn keys(&self) -> Result<Vec<KeyEntry>, KeyringError> {
        let read = || -> Result<_> {
            self.connection
                .prepare_cached(
                    "SELECT kid, created_at FROM token_keys ORDER BY created_at DESC, kid DESC",
                )?
                .query_map((), |row| {
                    Ok(KeyEntry {
                        kid: row.get(0)?,
                        created_at: Timestamp(row.get(1)?),
                    })
                })?
                .collect()
        };
        read().map_err(|error| self.failed(&error))
    }

    fn credentials(&self) -> Result<Credentials, KeyringError> {
        Ok(credentials::credentials(&*self.connection)?)
    }

    fn identity(&self, identity: &str) -> Result<IdentityRow, KeyringError> {
        readers::identity(&*self.connection, identity)?
            .ok_or_else(|| KeyringError::UnknownIdentity(identity.to_owned()))
    }

    fn rotate(&mut self, now: Timestamp) -> Result<String, KeyringError> {
        let ids = Ids::system();
        let (kid, secret) = (ids.base32(KID_CHARS), ids.secret());
        // Even at the same moment the new key is the newest.
        self.change(|db| {
            db.prepare_cached(
                "INSERT INTO token_keys (kid, secret, created_at) SELECT ?1, ?2,
                 coalesce(max(CASE WHEN created_at < ?3 THEN ?3 ELSE created_at + 1 END), ?3) FROM token_keys",
            )?
            .execute((&kid, secret, now.0))
        })?;
        Ok(kid)
    }

    fn retire(&mut self, kid: &str) -> Result<(), KeyringError> {
        let keys = self.keys()?;
        match keys.iter().position(|key| key.kid == kid) {
            None => return Err(KeyringError::UnknownKey(kid.to_owned())),
            Some(0) => return Err(KeyringError::Signs(kid.to_owned())),
            Some(_) => {}
        }
        self.change(|db| {
            db.prepare_cached("DELETE FROM token_keys WHERE kid = ?1")?
                .execute([kid])
        })?;
        Ok(())
    }

    fn revoke_identity(
        &mut self,
        identity: &str,
        reason: Option<&str>,
        now: Timestamp,
    ) -> Result<(), KeyringError> {
        self.identity(identity)?;
        self.change(|db| {
            db.prepare_cached(
                "INSERT INTO revoked_identities (identity, reason, at) VALUES (?1, ?2, ?3)
                 ON CONFLICT (identity) DO UPDATE SET reason = excluded.reason",
            )?
            .execute((identity, reason, now.0))
        })?;
        Ok(())
    }

    fn restore_identity(&mut self, identity: &str) -> Result<(), KeyringError> {
        let removed = self.change(|db| {
            db.prepare_cached("DELETE FROM revoked_identities WHERE identity = ?1")?
                .execute([identity])
        })?;
        if removed == 0 {
            return Err(KeyringError::NotRevoked(identity.to_owned()));
        }
        Ok(())
    }

    fn revoke_family(
        &mut self,
        family: &str,
        identity: &str,
        now: Timestamp,
    ) -> Result<(), KeyringError> {
        self.change(|db| credentials::revoke_family(db, family, identity, now))?;
        Ok(())
    }
}
