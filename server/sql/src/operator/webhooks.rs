//! The outbox of webhooks for the operator's commands.

use tilewire_rules::time::Timestamp;

use super::OperatorStorage;
use crate::{Result, webhooks};
use tilewire_store::{StoreError, WebhookCount};

impl OperatorStorage {
    /// Counts the events of each webhook that has some.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub fn webhook_counts(&self, now: Timestamp) -> Result<Vec<WebhookCount>, StoreError> {
        webhooks::counts(&*self.connection, now)
    }

    /// Lets failed events of a webhook that happened from `since` on wait again, until `until`. Returns their number.
    ///
    /// # Errors
    /// When the storage does not take it.
    pub fn replay_webhooks(
        &mut self,
        target: &str,
        since: Timestamp,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<u64, StoreError> {
        let count = self.change(|db| webhooks::replay(db, target, since, (now, until)))?;
        Ok(u64::try_from(count).unwrap_or(u64::MAX))
    }
}
