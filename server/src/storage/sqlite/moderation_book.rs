//! Moderation for the operator's commands, in SQLite.

use rusqlite::TransactionBehavior;
use tilewire_people::audit::Entry;

use super::changes::Done;
use super::reader::from_sqlite;
use super::storage::numbered;
use super::{SqliteKeyring, conduct, moderation};
use crate::storage::{
    ModerationBook, ModerationChange, ModerationError, ReportPlace, StoreError, StoredConduct,
    StoredReport,
};

impl ModerationBook for SqliteKeyring {
    fn reports(&self, behind: ReportPlace, most: usize) -> Result<Vec<StoredReport>, StoreError> {
        moderation::reports(&self.connection, behind, most)
    }

    fn report(&self, number: u64) -> Result<Option<StoredReport>, StoreError> {
        moderation::report(&self.connection, number)
    }

    fn entries(
        &self,
        target: Option<&str>,
        before: Option<u64>,
        most: usize,
    ) -> Result<Vec<Entry>, StoreError> {
        moderation::entries(&self.connection, target, before, most)
    }

    fn entry(&self, number: u64) -> Result<Option<Entry>, StoreError> {
        moderation::one_entry(&self.connection, number)
    }

    fn conduct(&self, identity: &str) -> Result<StoredConduct, StoreError> {
        conduct::of(&self.connection, identity)
    }

    fn moderate(&mut self, change: ModerationChange) -> Result<u64, ModerationError> {
        let mut stored = || -> rusqlite::Result<Done> {
            let transaction = self
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done = moderation::moderate(&transaction, &change)?;
            transaction.commit()?;
            Ok(done)
        };
        numbered(stored().map_err(from_sqlite)?)
    }
}
