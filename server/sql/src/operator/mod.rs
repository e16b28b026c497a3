//! The storage for the operator's commands, beside a running server.

mod accounts;
mod keys;
mod moderation;
mod results;
mod webhooks;

use std::fmt;

use tilewire_rules::time::Timestamp;

use super::{Connection, Result, changes, credentials, in_one_change, readers};
use tilewire_store::{Liveness, StoreError};

pub use keys::KeyError;
pub use results::{Correction, PlayerConduct, StoredRating};

/// The storage for the operator's commands: a connection of its own. Calls block. A server may use the same database at the
/// same time, and reads the changes.
pub struct OperatorStorage {
    /// The database, as messages name it.
    place: String,
    connection: Box<Connection>,
}

impl OperatorStorage {
    /// Takes the connection of an open database; messages name it `place`.
    #[must_use]
    pub fn new(connection: Box<Connection>, place: String) -> Self {
        Self { place, connection }
    }

    /// Returns when a server ran last, and when the machine's clock jumped last.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn liveness(&self) -> Result<Liveness, StoreError> {
        readers::liveness(&*self.connection)
    }

    /// Stores that the machine's clock jumped to `at`. It replaces the last jump.
    ///
    /// # Errors
    /// When the storage does not take it.
    pub fn jumped(&mut self, at: Timestamp) -> Result<(), StoreError> {
        changes::jump(&*self.connection, at)?;
        Ok(())
    }

    /// Makes one change in one transaction, whatever it returns.
    fn change<T>(&mut self, change: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        in_one_change(&*self.connection, change, |_| true)
    }

    /// Makes one change that servers have to read again with the credentials.
    fn change_credentials<T>(
        &mut self,
        change: impl FnOnce(&Connection) -> Result<T>,
    ) -> Result<T, KeyError> {
        let counted = |db: &Connection| {
            let changed = change(db)?;
            credentials::count_change(db)?;
            Ok(changed)
        };
        let done = self.change(counted);
        done.map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &super::Error) -> KeyError {
        let why = format!("cannot use the database {}: {error}", self.place);
        StoreError::Unavailable(why).into()
    }
}

impl fmt::Debug for OperatorStorage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OperatorStorage")
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}
