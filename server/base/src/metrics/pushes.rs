//! Metrics of pushes to browsers.

use std::time::Duration;

use super::table::{PUSH_FAILURES, PUSH_TIME, PUSHES_DROPPED, PUSHES_SENT, PUSHES_WAITING};

/// A push service has taken a push.
pub fn push_sent(kind: &'static str) {
    PUSHES_SENT.count(&[kind]).increment(1);
}

/// A push is not sent.
pub fn push_dropped(kind: &'static str, reason: &'static str) {
    PUSHES_DROPPED.count(&[kind, reason]).increment(1);
}

/// Sets the number of pushes that wait.
pub fn pushes_waiting(count: u64) {
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    PUSHES_WAITING.level(&[]).set(count as f64);
}

/// A request to a push service failed at this step.
pub fn push_failed(stage: &'static str) {
    PUSH_FAILURES.count(&[stage]).increment(1);
}

/// A request to a push service has ended.
pub fn push_request(took: Duration) {
    PUSH_TIME.spread(&[]).record(took.as_secs_f64());
}
