//! The contract for identities.

use std::fmt::Debug;

use futures::future::BoxFuture;
use tilewire_rules::time::Timestamp;

use super::StoreError;

/// An identity that the server has stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdentityRow {
    /// The id.
    pub identity: String,
    /// The display name.
    pub name: String,
    /// When the identity was made.
    pub created_at: Timestamp,
    /// When the identity was last seen. Not exact: it is stored seldom.
    pub seen_at: Timestamp,
}

/// Everybody the server knows.
pub trait IdentityStore: Send + Sync + Debug {
    /// Returns the stored row of `identity`.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn find<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Option<IdentityRow>, StoreError>>;

    /// Stores an identity, or its new name and when it was seen; the moment it was made stays.
    ///
    /// # Errors
    /// When the storage does not take it.
    fn put(&self, row: IdentityRow) -> BoxFuture<'_, Result<(), StoreError>>;
}
