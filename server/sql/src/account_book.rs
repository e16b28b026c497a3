//! Accounts and the audit for the operator's commands.

use tilewire_people::accounts::Account;
use tilewire_people::audit::Entry;
use tilewire_people::handles::HandleKey;

use super::changes::Done;
use super::{Connection, SqlBook, accounts, in_one_change};
use tilewire_store::{AccountBook, AccountChange, AccountError, StoreError, StoredAccount};

impl AccountBook for SqlBook {
    fn account(&self, identity: &str) -> Result<Option<StoredAccount>, StoreError> {
        accounts::account(&*self.connection, identity)
    }

    fn account_of(&self, handle: &HandleKey) -> Result<Option<StoredAccount>, StoreError> {
        accounts::account_of(&*self.connection, handle)
    }

    fn with_roles(&self) -> Result<Vec<Account>, StoreError> {
        accounts::with_roles(&*self.connection)
    }

    fn audit(&self) -> Result<Vec<Entry>, StoreError> {
        accounts::audit(&*self.connection)
    }

    fn apply(&mut self, change: AccountChange) -> Result<(), AccountError> {
        let stored = |db: &Connection| accounts::apply(db, &change);
        let done = in_one_change(&*self.connection, stored, |_| true);
        match done.map_err(StoreError::from)? {
            Done::Stale => Err(AccountError::Stale),
            Done::HandleTaken => Err(AccountError::HandleTaken),
            Done::MailTaken => Err(AccountError::MailTaken),
            _ => Ok(()),
        }
    }
}
