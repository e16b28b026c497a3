//! Keys of tokens and pushes, and revocations. Each change increments [`Credentials::version`].

use tilewire_base::ids::Ids;
use tilewire_rules::time::Timestamp;

use super::OperatorStorage;
use crate::keys::{self, KID_CHARS, KeyEntry};
use crate::{Connection, Result, credentials, push_keys, pushes, readers};
use tilewire_store::{Credentials, IdentityRow, StoreError};

/// Why keys or revocations were not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such key.
    #[error("there is no key {0}; tilewire-server keys list shows them")]
    UnknownKey(String),
    /// The key signs new tokens.
    #[error("the key {0} signs new tokens; make another one first: tilewire-server keys rotate")]
    Signs(String),
    /// No identity has this id.
    #[error("there is no identity {0}")]
    UnknownIdentity(String),
    /// The identity is not revoked.
    #[error("the identity {0} is not revoked")]
    NotRevoked(String),
}

impl OperatorStorage {
    /// Returns the keys that sign tokens, the newest first.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn token_keys(&self) -> Result<Vec<KeyEntry>, KeyError> {
        self.listed(keys::TOKENS)
    }

    /// Creates a key for tokens at `now` and returns its name. It is the newest key, even if `now` lies before the creation
    /// of another one.
    ///
    /// # Errors
    /// When the storage does not take it.
    pub fn rotate_token_key(&mut self, now: Timestamp) -> Result<String, KeyError> {
        let ids = Ids::system();
        let (kid, secret) = (ids.base32(KID_CHARS), ids.secret());
        self.change_credentials(|db| keys::add(db, keys::TOKENS, (&kid, &secret), now))?;
        Ok(kid)
    }

    /// Removes a key: the server refuses the tokens it signed.
    ///
    /// # Errors
    /// [`KeyError::UnknownKey`] when there is none; [`KeyError::Signs`] for the newest one.
    pub fn retire_token_key(&mut self, kid: &str) -> Result<(), KeyError> {
        self.check_retirable(keys::TOKENS, kid)?;
        self.change_credentials(|db| keys::remove(db, keys::TOKENS, kid))?;
        Ok(())
    }

    /// Returns the key pairs of pushes, the newest first.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn push_keys(&self) -> Result<Vec<KeyEntry>, KeyError> {
        self.listed(keys::PUSHES)
    }

    /// Creates a key pair for pushes at `now` and returns its name. It is the newest.
    ///
    /// # Errors
    /// When the storage does not take it.
    pub fn rotate_push_key(&mut self, now: Timestamp) -> Result<String, KeyError> {
        self.change_credentials(|db| push_keys::add_key(db, now))
    }

    /// Removes a key pair, and the devices that accept no other. Returns their number.
    ///
    /// # Errors
    /// [`KeyError::UnknownKey`] when there is none; [`KeyError::Signs`] for the newest one.
    pub fn retire_push_key(&mut self, kid: &str) -> Result<usize, KeyError> {
        self.check_retirable(keys::PUSHES, kid)?;
        self.change_credentials(|db| {
            let removed = pushes::remove_of_key(db, kid)?;
            keys::remove(db, keys::PUSHES, kid)?;
            Ok(removed)
        })
    }

    /// Returns all keys and revocations as of one moment.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn credentials(&self) -> Result<Credentials, KeyError> {
        Ok(credentials::credentials(&*self.connection)?)
    }

    /// Returns an identity.
    ///
    /// # Errors
    /// [`KeyError::UnknownIdentity`] when there is none.
    pub fn identity(&self, identity: &str) -> Result<IdentityRow, KeyError> {
        readers::identity(&*self.connection, identity)?
            .ok_or_else(|| KeyError::UnknownIdentity(identity.to_owned()))
    }

    /// Revokes an identity: the server refuses all its tokens and tells the player the reason. Revoking it again replaces
    /// the reason.
    ///
    /// # Errors
    /// [`KeyError::UnknownIdentity`] when there is none.
    pub fn revoke_identity(
        &mut self,
        identity: &str,
        reason: Option<&str>,
        now: Timestamp,
    ) -> Result<(), KeyError> {
        self.identity(identity)?;
        self.change_credentials(|db: &Connection| {
            db.prepare_cached(
                "INSERT INTO revoked_identities (identity, reason, at) VALUES (?1, ?2, ?3)
                 ON CONFLICT (identity) DO UPDATE SET reason = excluded.reason",
            )?
            .execute((identity, reason, now.0))?;
            pushes::remove_of_identity(db, identity)
        })?;
        Ok(())
    }

    /// Takes back the revocation of an identity.
    ///
    /// # Errors
    /// [`KeyError::NotRevoked`] when it is not revoked.
    pub fn restore_identity(&mut self, identity: &str) -> Result<(), KeyError> {
        let removed = self.change_credentials(|db| {
            db.prepare_cached("DELETE FROM revoked_identities WHERE identity = ?1")?
                .execute([identity])
        })?;
        match removed {
            0 => Err(KeyError::NotRevoked(identity.to_owned())),
            _ => Ok(()),
        }
    }

    /// Revokes a token family of `identity`. Revoking it again changes nothing.
    ///
    /// # Errors
    /// When the storage does not take it.
    pub fn revoke_family(
        &mut self,
        family: &str,
        identity: &str,
        now: Timestamp,
    ) -> Result<(), KeyError> {
        self.change_credentials(|db| credentials::revoke_family(db, family, identity, now))?;
        Ok(())
    }

    fn listed(&self, table: &str) -> Result<Vec<KeyEntry>, KeyError> {
        keys::listed(&*self.connection, table).map_err(|error| self.failed(&error))
    }

    /// Checks that a key may be removed: it is there, and it is not the newest.
    fn check_retirable(&self, table: &str, kid: &str) -> Result<(), KeyError> {
        match self.listed(table)?.iter().position(|key| key.kid == kid) {
            None => Err(KeyError::UnknownKey(kid.to_owned())),
            Some(0) => Err(KeyError::Signs(kid.to_owned())),
            Some(_) => Ok(()),
        }
    }
}
