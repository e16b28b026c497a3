//! The keys that sign tokens, and revocations.
//!
//! The operator's commands change credentials in another process, while the server runs. Every change increments a counter; the
//! server polls the counter.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Debug};

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
