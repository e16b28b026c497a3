//! A storage for the operator's commands, beside a running server.

use std::fmt;

use tilewire_rules::time::Timestamp;

use super::keys::{self, KID_CHARS, retirable};
use super::{Connection, Error, Result, changes, credentials, in_one_change, pushes, readers};
use tilewire_base::ids::Ids;
use tilewire_store::{
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
    pub fn new(connection: Box<Connection>, place: String) -> Self {
        Self { place, connection }
    }

    /// Makes one change and counts it, in one transaction. Returns the number of changed rows.
    pub(super) fn change(
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

    pub(super) fn failed(&self, error: &Error) -> KeyringError {
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
        keys::listed(&*self.connection, keys::TOKENS).map_err(|error| self.failed(&error))
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
        self.change(|db| keys::add(db, keys::TOKENS, (&kid, &secret), now))?;
        Ok(kid)
    }

    fn retire(&mut self, kid: &str) -> Result<(), KeyringError> {
        self.keys().and_then(|keys| retirable(&keys, kid))?;
        self.change(|db| keys::remove(db, keys::TOKENS, kid))?;
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
            .execute((identity, reason, now.0))?;
            pushes::remove_of_identity(db, identity)?;
            Ok(1)
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
