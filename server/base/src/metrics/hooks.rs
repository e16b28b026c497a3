//! Metrics of webhooks.

use std::time::Duration;

use super::table::{
    HOOK_AGE, HOOK_FAILURES, HOOK_TIME, HOOKS_DELIVERED, HOOKS_FAILED, HOOKS_KEPT, HOOKS_WAITING,
};

/// A webhook has taken an event.
pub fn hook_delivered(kind: &'static str) {
    HOOKS_DELIVERED.count(&[kind]).increment(1);
}

/// A delivery failed at this step.
pub fn hook_failure(stage: &'static str) {
    HOOK_FAILURES.count(&[stage]).increment(1);
}

/// Counts events that have failed for good, unless an operator replays them.
pub fn hooks_failed(reason: &'static str, count: u64) {
    HOOKS_FAILED.count(&[reason]).increment(count);
}

/// A delivery has ended.
pub fn hook_delivery(took: Duration) {
    HOOK_TIME.spread(&[]).record(took.as_secs_f64());
}

/// Sets the numbers of events that wait and that have failed, and the age of the oldest event that could be delivered.
pub fn hooks_stored(waiting: u64, failed: u64, age: Duration) {
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    {
        HOOKS_WAITING.level(&[]).set(waiting as f64);
        HOOKS_KEPT.level(&[]).set(failed as f64);
    }
    HOOK_AGE.level(&[]).set(age.as_secs_f64());
}
