//! An event of a webhook, as the auditor knows it.

use std::collections::BTreeMap;

use tilewire_store::{NewWebhook, WebhookKey};

#[derive(Debug)]
pub(super) struct Row {
    pub(super) webhook: NewWebhook,
    pub(super) is_taken: bool,
    pub(super) has_failed: bool,
    /// Whether it waits no more.
    pub(super) is_over: bool,
    /// When it is tried again at the earliest. The clock can have been ahead when that was decided, and go back.
    pub(super) due_at: i64,
}

impl Row {
    pub(super) const fn is_done(&self) -> bool {
        self.is_taken || self.has_failed
    }
}

/// Says whether the lane of an event waits for a try at a time or later.
pub(super) fn waits(rows: &BTreeMap<WebhookKey, Row>, key: &WebhookKey, from: i64) -> bool {
    let of_lane = |other: &WebhookKey| (&other.target, &other.lane) == (&key.target, &key.lane);
    let mut rows = rows.iter();
    rows.any(|(other, row)| of_lane(other) && !row.is_over && row.due_at >= from)
}
