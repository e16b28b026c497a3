//! Parts of HTTP that both listeners use.

use axum::http::HeaderValue;
use tilewire_rules::time::Millis;

/// Returns the value of `Retry-After` for a wait: whole seconds, rounded up.
pub const fn retry_after_s(wait: Millis) -> i64 {
    wait.0.saturating_add(999) / 1_000
}

/// The scheme of a token in `Authorization`, in lower case.
const SCHEME: &[u8] = b"bearer";

/// Returns the token in a value of `Authorization`, if it has one.
pub fn bearer(value: &HeaderValue) -> Option<&[u8]> {
    let (scheme, token) = value.as_bytes().split_at_checked(SCHEME.len())?;
    let token = token.strip_prefix(b" ")?;
    scheme
        .eq_ignore_ascii_case(SCHEME)
        .then_some(token.trim_ascii())
}
