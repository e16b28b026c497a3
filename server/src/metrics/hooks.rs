//! What the server counts about webhooks.

use std::time::Duration;

use tilewire_rules::time::Timestamp;

use super::table::{
    HOOK_AGE, HOOK_FAILURES, HOOK_TIME, HOOKS_DELIVERED, HOOKS_FAILED, HOOKS_KEPT, HOOKS_WAITING,
};
use crate::config::HookEvent;
use crate::storage::HookCount;

/// A webhook has taken an event.
pub(crate) fn hook_delivered(kind: &str) {
    // A kind of another version of the server has no counter.
    if let Ok(kind) = kind.parse::<HookEvent>() {
        HOOKS_DELIVERED.count(&[kind.name()]).increment(1);
    }
}

/// A delivery failed at this step.
pub(crate) fn hook_failure(stage: &'static str) {
    HOOK_FAILURES.count(&[stage]).increment(1);
}

/// So many events have failed for good, unless an operator replays them.
pub(crate) fn hooks_failed(reason: &'static str, count: u64) {
    HOOKS_FAILED.count(&[reason]).increment(count);
}

/// A delivery has ended.
pub(crate) fn hook_delivery(took: Duration) {
    HOOK_TIME.spread(&[]).record(took.as_secs_f64());
}

/// So many events of each webhook are stored.
pub(crate) fn hooks_stored(counts: &[HookCount], now: Timestamp) {
    let waiting: u64 = counts.iter().map(|count| count.waiting).sum();
    let kept: u64 = counts.iter().map(|count| count.failed).sum();
    let oldest = counts.iter().filter_map(|count| count.oldest).min();
    let age_ms = oldest.map_or(0, |oldest| now.since(oldest).max(0));
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    {
        HOOKS_WAITING.level(&[]).set(waiting as f64);
        HOOKS_KEPT.level(&[]).set(kept as f64);
        HOOK_AGE.level(&[]).set(age_ms as f64 / 1_000.0);
    }
}
