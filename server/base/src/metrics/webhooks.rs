//! Metrics of webhooks.

use std::time::Duration;

use super::table::{
    WEBHOOK_AGE, WEBHOOK_FAILURES, WEBHOOK_TIME, WEBHOOKS_DELIVERED, WEBHOOKS_FAILED,
    WEBHOOKS_KEPT, WEBHOOKS_WAITING,
};

/// A webhook has taken an event.
pub fn webhook_delivered(kind: &'static str) {
    WEBHOOKS_DELIVERED.count(&[kind]).increment(1);
}

/// A delivery failed at this step.
pub fn webhook_failure(stage: &'static str) {
    WEBHOOK_FAILURES.count(&[stage]).increment(1);
}

/// Counts events that have failed for good, unless an operator replays them.
pub fn webhooks_failed(reason: &'static str, count: u64) {
    WEBHOOKS_FAILED.count(&[reason]).increment(count);
}

/// A delivery has ended.
pub fn webhook_delivery(took: Duration) {
    WEBHOOK_TIME.spread(&[]).record(took.as_secs_f64());
}

/// Sets the numbers of events that wait and that have failed, and the age of the oldest event that could be delivered.
pub fn webhooks_stored(waiting: u64, failed: u64, age: Duration) {
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    {
        WEBHOOKS_WAITING.level(&[]).set(waiting as f64);
        WEBHOOKS_KEPT.level(&[]).set(failed as f64);
    }
    WEBHOOK_AGE.level(&[]).set(age.as_secs_f64());
}
