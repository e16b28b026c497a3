//! Parts of HTTP answers that both listeners send.

use tilewire_rules::time::Millis;

/// Returns the value of `Retry-After` for a wait: whole seconds, rounded up.
pub(crate) const fn retry_after_s(wait: Millis) -> i64 {
    wait.0.saturating_add(999) / 1_000
}
