//! The set of connected identities.

use std::collections::BTreeSet;
use std::fmt::Debug;

/// Answers who is online. One process answers from its own connections; several would answer for all of them.
pub trait Presence: Debug + Send + Sync {
    /// Says whether an identity has a connection.
    fn is_online(&self, identity: &str) -> bool;

    /// Returns how many identities have a connection.
    fn online(&self) -> usize;

    /// Returns the identities whose last connection was closed by their client since the last call. Some may have
    /// come back.
    fn take_departed(&self) -> BTreeSet<String>;
}
