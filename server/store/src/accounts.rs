//! The contract for identities and accounts: registrations with their handles and sessions, vacations, and the audit.
//!
//! A server and the operator's commands, in another process, change accounts at the same time. Every change names the version
//! of the account that it was computed from, so none is lost.

use std::fmt::Debug;

use futures::future::BoxFuture;
use tilewire_people::accounts::{Account, Effect, Holder};
use tilewire_people::handles::HandleKey;
use tilewire_people::vacations::Vacations;
use tilewire_rules::time::Timestamp;

use super::{StoreError, StoreFuture};

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

/// A change of the vacations of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VacationChange {
    /// The player.
    pub identity: String,
    /// The vacations from which the change was computed.
    pub before: Vacations,
    /// The vacations after it.
    pub after: Vacations,
    /// Whether all games of the player have them.
    pub is_applied: bool,
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
            | Effect::MovePushes { .. }
            | Effect::RevokeFamilies(_)
            | Effect::Notify(_)
            | Effect::Audit(_) => None,
        })
    }
}

/// Everybody the server knows: identities, their accounts with sessions and handles, and their vacations.
pub trait AccountStore: Send + Sync + Debug {
    /// Returns the stored row of `identity`.
    fn identity<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Option<IdentityRow>>;

    /// Stores an identity, or its new name and when it was seen; the moment it was made stays.
    fn put_identity(&self, row: IdentityRow) -> StoreFuture<'_, ()>;

    /// Returns the account of an identity; `None` for a guest.
    fn account<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Option<StoredAccount>>;

    /// Returns the account that has a handle with this folded key now.
    fn account_of<'a>(&'a self, handle: &'a HandleKey) -> StoreFuture<'a, Option<StoredAccount>>;

    /// Returns accounts by the start of the handle that they have now, at most `most`: first those whose handle begins so, in
    /// the order of the folded keys, then those whose handle looks as if it did, in the order of the skeletons. They have no
    /// sessions.
    fn search<'a>(&'a self, start: &'a HandleKey, most: usize) -> StoreFuture<'a, Vec<Account>>;

    /// Returns the accounts that have, or have reserved, a handle that clashes with this key: at most one for each part of
    /// the key. A reservation can be over.
    fn holders<'a>(&'a self, key: &'a HandleKey) -> StoreFuture<'a, Vec<Holder>>;

    /// Returns the identities of the players who have switched chat off, in order.
    fn without_chat(&self) -> StoreFuture<'_, Vec<String>>;

    /// Returns the session with this family of tokens.
    fn session<'a>(&'a self, family: &'a str) -> StoreFuture<'a, Option<StoredSession>>;

    /// Stores that a session was used. It is no new version of the account. A session that has ended stays so.
    fn session_used<'a>(&'a self, family: &'a str, at: Timestamp) -> StoreFuture<'a, ()>;

    /// Stores an account with the effects of a change, in one transaction. An account with a handle of this server's own
    /// gets the handle as the display name of its identity.
    ///
    /// # Errors
    /// When the account has changed meanwhile, a handle is taken, or the storage fails.
    fn apply(&self, change: AccountChange) -> BoxFuture<'_, Result<(), AccountError>>;

    /// Returns the vacations of a player.
    fn vacations<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Vacations>;

    /// Returns the vacations that some games do not have yet, of at most `most` players.
    fn vacations_to_apply(&self, most: usize) -> StoreFuture<'_, Vec<(String, Vacations)>>;

    /// Stores a change of vacations; returns false, and stores nothing, if the vacations are no longer those before it.
    fn change_vacations(&self, change: VacationChange) -> StoreFuture<'_, bool>;
}
