//! The contract for accounts: registrations with their handles and sessions, and the audit.
//!
//! A server and the operator's commands, in another process, change accounts at the same time. Every change names the version
//! of the account that it was computed from, so none is lost.

use std::fmt::Debug;

use futures::future::BoxFuture;
use tilewire_people::accounts::{Account, Effect, Holder};
use tilewire_people::handles::HandleKey;
use tilewire_rules::time::Timestamp;

use super::StoreError;

/// An account as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAccount {
    /// The number of its changes.
    pub version: u64,
    /// The account, with its sessions.
    pub account: Account,
}

/// The session of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSession {
    /// The identity that it belongs to.
    pub identity: String,
    /// When it was used last. Not exact: it is stored seldom.
    pub used_at: Timestamp,
}

/// A new state of an account, and what follows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountChange {
    /// The version of the account from which the change was computed; 0 if it was not stored.
    pub expected: u64,
    /// The account after the change.
    pub account: Account,
    /// Effects that are stored with the account: handles, revoked families, letters and entries of the audit. The store ignores
    /// other effects.
    pub effects: Vec<Effect>,
    /// When the change was made.
    pub at: Timestamp,
}

/// Why a change of an account was not stored. Nothing was stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccountError {
    /// The account has changed since it was read. Read it again and compute the change anew.
    #[error("the account has changed meanwhile")]
    Stale,
    /// Another account has a handle that clashes, or has it reserved.
    #[error("another account has the handle")]
    HandleTaken,
    /// Another account has the mail address.
    #[error("another account has the mail address")]
    MailTaken,
    /// The storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AccountChange {
    /// Returns the keys of the handles that the change claims.
    pub fn claims(&self) -> impl Iterator<Item = &HandleKey> {
        self.effects.iter().filter_map(|effect| match effect {
            Effect::ClaimHandle(key) => Some(key),
            Effect::ReserveHandle { .. }
            | Effect::IssueToken { .. }
            | Effect::RevokeFamilies(_)
            | Effect::Notify(_)
            | Effect::Audit(_) => None,
        })
    }
}

/// Accounts for a running server.
pub trait AccountStore: Send + Sync + Debug {
    /// Returns the account of an identity; `None` for a guest.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn account<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Option<StoredAccount>, StoreError>>;

    /// Returns the account that has a handle with this folded key now.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn account_of<'a>(
        &'a self,
        handle: &'a HandleKey,
    ) -> BoxFuture<'a, Result<Option<StoredAccount>, StoreError>>;

    /// Returns accounts by the start of the handle that they have now, at most `most`: first those whose handle begins so, in
    /// the order of the folded keys, then those whose handle looks as if it did, in the order of the skeletons. They have no
    /// sessions.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn search<'a>(
        &'a self,
        start: &'a HandleKey,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<Account>, StoreError>>;

    /// Returns the accounts that have, or have reserved, a handle that clashes with this key: at most one for each part of
    /// the key. A reservation can be over.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn holders<'a>(&'a self, key: &'a HandleKey) -> BoxFuture<'a, Result<Vec<Holder>, StoreError>>;

    /// Returns the identities of the players who have switched chat off, in order.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn without_chat(&self) -> BoxFuture<'_, Result<Vec<String>, StoreError>>;

    /// Returns the session with this family of tokens.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn session<'a>(
        &'a self,
        family: &'a str,
    ) -> BoxFuture<'a, Result<Option<StoredSession>, StoreError>>;

    /// Stores that a session was used. It is no new version of the account. A session that has ended stays so.
    ///
    /// # Errors
    /// When the storage does not take it.
    fn session_used<'a>(
        &'a self,
        family: &'a str,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Stores an account with the effects of a change, in one transaction. An account with a handle of this server's own
    /// gets the handle as the display name of its identity.
    ///
    /// # Errors
    /// When the account has changed meanwhile, a handle is taken, or the storage fails.
    fn apply(&self, change: AccountChange) -> BoxFuture<'_, Result<(), AccountError>>;
}
