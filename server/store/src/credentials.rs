//! The contracts for the keys that sign tokens and for revocations.
//!
//! The server reads credentials through [`CredentialStore`]. The operator's commands change them through [`Keyring`], in
//! another process, while the server runs. Every change increments a counter; the server polls the counter.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Debug};

use futures::future::BoxFuture;
use tilewire_rules::time::Timestamp;

use super::{IdentityRow, StoreError};

/// A key that signs tokens.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenKey {
    /// Its name, part of every token it signs.
    pub kid: String,
    /// The key itself.
    pub secret: [u8; 32],
}

impl Debug for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenKey")
            .field("kid", &self.kid)
            .finish_non_exhaustive()
    }
}

/// Everything that decides whether the server accepts a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    /// Number of changes so far.
    pub version: u64,
    /// The keys, the newest first. The newest key signs; all keys verify. Never empty.
    pub keys: Vec<TokenKey>,
    /// Identities that the server refuses, with the operator's reason if there is one.
    pub revoked_identities: BTreeMap<String, Option<String>>,
    /// Token families that the server refuses.
    pub revoked_families: BTreeSet<String>,
}

/// Reads keys and revocations for a running server.
pub trait CredentialStore: Send + Sync + Debug {
    /// Returns all keys and revocations as of one moment. An open storage always has a key.
    ///
    /// # Errors
    /// When the storage does not answer, or there is no key.
    fn credentials(&self) -> BoxFuture<'_, Result<Credentials, StoreError>>;

    /// Returns the current [`Credentials::version`]. Cheap: the server polls it.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn credential_changes(&self) -> BoxFuture<'_, Result<u64, StoreError>>;
}

/// A key as the operator sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyEntry {
    /// Its name.
    pub kid: String,
    /// When it was created.
    pub created_at: Timestamp,
}

/// Why keys or revocations were not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyringError {
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

/// Changes keys and revocations for the operator's commands.
///
/// Calls block. A server may use the same storage at the same time. Each change is stored, with its increment of
/// [`Credentials::version`], when the call returns.
pub trait Keyring: Debug {
    /// Returns the keys, the newest first.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn keys(&self) -> Result<Vec<KeyEntry>, KeyringError>;

    /// Returns all keys and revocations as of one moment.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn credentials(&self) -> Result<Credentials, KeyringError>;

    /// Returns an identity.
    ///
    /// # Errors
    /// [`KeyringError::UnknownIdentity`] when there is none.
    fn identity(&self, identity: &str) -> Result<IdentityRow, KeyringError>;

    /// Creates a key at `now` and returns its name. It is the newest key, even if `now` lies before the creation
    /// of another one.
    ///
    /// # Errors
    /// When the storage does not take it.
    fn rotate(&mut self, now: Timestamp) -> Result<String, KeyringError>;

    /// Removes a key: the server refuses the tokens it signed.
    ///
    /// # Errors
    /// [`KeyringError::UnknownKey`] when there is none; [`KeyringError::Signs`] for the newest one.
    fn retire(&mut self, kid: &str) -> Result<(), KeyringError>;

    /// Revokes an identity: the server refuses all its tokens and tells the player the reason. Revoking it again replaces
    /// the reason.
    ///
    /// # Errors
    /// [`KeyringError::UnknownIdentity`] when there is none.
    fn revoke_identity(
        &mut self,
        identity: &str,
        reason: Option<&str>,
        now: Timestamp,
    ) -> Result<(), KeyringError>;

    /// Takes back the revocation of an identity.
    ///
    /// # Errors
    /// [`KeyringError::NotRevoked`] when it is not revoked.
    fn restore_identity(&mut self, identity: &str) -> Result<(), KeyringError>;

    /// Revokes a token family of `identity`. Revoking it again changes nothing.
    ///
    /// # Errors
    /// When the storage does not take it.
    fn revoke_family(
        &mut self,
        family: &str,
        identity: &str,
        now: Timestamp,
    ) -> Result<(), KeyringError>;
}
