//! Reports and acts of moderators for the operator's commands, as [`tilewire_store::ModerationStore`] has them for a server.

use tilewire_people::audit::Entry;

use super::OperatorStorage;
use crate::storage::numbered;
use crate::{Result, conduct, moderation};
use tilewire_store::{
    ModerationChange, ModerationError, ReportPosition, StoreError, StoredConduct, StoredReport,
};

impl OperatorStorage {
    /// Returns a page of reports behind a place, at most `most`: open ones first, then closed ones, each the newest first.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn reports(
        &self,
        behind: ReportPosition,
        most: usize,
    ) -> Result<Vec<StoredReport>, StoreError> {
        moderation::reports(&*self.connection, behind, most)
    }

    /// Returns a report.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn report(&self, number: u64) -> Result<Option<StoredReport>, StoreError> {
        moderation::report(&*self.connection, number)
    }

    /// Returns entries of the audit before a number, at most `most`, the newest first; with a target, only its own.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn entries(
        &self,
        target: Option<&str>,
        before: Option<u64>,
        most: usize,
    ) -> Result<Vec<Entry>, StoreError> {
        moderation::entries(&*self.connection, target, before, most)
    }

    /// Returns an entry of the audit.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn entry(&self, number: u64) -> Result<Option<Entry>, StoreError> {
        moderation::one_entry(&*self.connection, number)
    }

    /// Returns the conduct of a player.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn conduct(&self, identity: &str) -> Result<StoredConduct, StoreError> {
        conduct::of(&*self.connection, identity)
    }

    /// Stores an act with its effect and returns the number of its entry of the audit.
    ///
    /// # Errors
    /// When nothing would change, the account has changed meanwhile, a handle is taken, or the storage fails.
    pub fn moderate(&mut self, change: &ModerationChange) -> Result<u64, ModerationError> {
        let done = self.change(|db| moderation::moderate(db, change));
        numbered(done.map_err(StoreError::from)?)
    }
}
