//! Accounts and the audit for the operator's commands.

use tilewire_people::accounts::Account;
use tilewire_people::audit::Entry;
use tilewire_people::handles::HandleKey;

use super::OperatorStorage;
use crate::storage::account_outcome;
use crate::{Result, accounts};
use tilewire_store::{AccountChange, AccountError, StoreError, StoredAccount};

impl OperatorStorage {
    /// Returns the account of an identity; `None` for a guest.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn account(&self, identity: &str) -> Result<Option<StoredAccount>, StoreError> {
        accounts::account(&*self.connection, identity)
    }

    /// Returns the account that has a handle with this folded key now.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn account_of(&self, handle: &HandleKey) -> Result<Option<StoredAccount>, StoreError> {
        accounts::account_of(&*self.connection, handle)
    }

    /// Returns the accounts that have a role.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn with_roles(&self) -> Result<Vec<Account>, StoreError> {
        accounts::with_roles(&*self.connection)
    }

    /// Returns the audit, oldest entry first.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn audit(&self) -> Result<Vec<Entry>, StoreError> {
        accounts::audit(&*self.connection)
    }

    /// Stores an account, as [`tilewire_store::AccountStore::apply`] does.
    ///
    /// # Errors
    /// When the account has changed meanwhile, a handle is taken, or the storage fails.
    pub fn apply(&mut self, change: &AccountChange) -> Result<(), AccountError> {
        let done = self.change(|db| accounts::apply(db, change));
        account_outcome(done.map_err(StoreError::from)?)
    }
}
