//! Moderation for the operator's commands.

use tilewire_people::audit::Entry;

use super::storage::numbered;
use super::{Connection, SqlBook, conduct, in_one_change, moderation};
use tilewire_store::{
    ModerationBook, ModerationChange, ModerationError, ReportPlace, StoreError, StoredConduct,
    StoredReport,
};

impl ModerationBook for SqlBook {
    fn reports(&self, behind: ReportPlace, most: usize) -> Result<Vec<StoredReport>, StoreError> {
        moderation::reports(&*self.connection, behind, most)
    }

    fn report(&self, number: u64) -> Result<Option<StoredReport>, StoreError> {
        moderation::report(&*self.connection, number)
    }

    fn entries(
        &self,
        target: Option<&str>,
        before: Option<u64>,
        most: usize,
    ) -> Result<Vec<Entry>, StoreError> {
        moderation::entries(&*self.connection, target, before, most)
    }

    fn entry(&self, number: u64) -> Result<Option<Entry>, StoreError> {
        moderation::one_entry(&*self.connection, number)
    }

    fn conduct(&self, identity: &str) -> Result<StoredConduct, StoreError> {
        conduct::of(&*self.connection, identity)
    }

    fn moderate(&mut self, change: ModerationChange) -> Result<u64, ModerationError> {
        let stored = |db: &Connection| moderation::moderate(db, &change);
        let done = in_one_change(&*self.connection, stored, |_| true);
        numbered(done.map_err(StoreError::from)?)
    }
}
