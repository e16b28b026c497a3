//! The limits of wrong passwords and codes, by account and by address.

use tilewire_rules::time::Timestamp;

use super::Refusal;
use crate::guesses::{GuessBounds, Guesses};
use crate::handles::HandleKey;

/// Characters of a typed handle that are looked at. No handle is longer.
pub const TYPED_MAX_CHARS: usize = 2 * crate::handles::MAX_CHARS;

/// Counts wrong passwords and codes by the handle that was typed, whether or not it belongs to an account, and by address.
#[derive(Debug, Clone)]
pub struct SignInLimits<Address> {
    by_handle: Guesses<String>,
    by_address: Guesses<Address>,
}

impl<Address: Ord + Clone> SignInLimits<Address> {
    /// Returns empty counts with these bounds.
    #[must_use]
    pub const fn new(account: GuessBounds, address: GuessBounds) -> Self {
        Self {
            by_handle: Guesses::new(account),
            by_address: Guesses::new(address),
        }
    }

    /// Checks whether a client at this address may now try to log in or to recover. Call it before a password is verified.
    ///
    /// # Errors
    /// [`Refusal::TooManyTries`] with the longer of the two waits.
    pub fn admit(
        &self,
        now: Timestamp,
        typed_handle: &str,
        address: &Address,
    ) -> Result<(), Refusal> {
        let waits = [
            self.by_handle.admit(now, &key(typed_handle)),
            self.by_address.admit(now, address),
        ];
        let longest = waits.into_iter().filter_map(Result::err).max();
        longest.map_or(Ok(()), |wait_ms| Err(Refusal::TooManyTries { wait_ms }))
    }

    /// Counts a try that ended with [`Refusal::BadCredentials`].
    pub fn wrong(&mut self, now: Timestamp, typed_handle: &str, address: Address) {
        self.by_handle.wrong(now, key(typed_handle));
        self.by_address.wrong(now, address);
    }
}

/// The same for every way of typing a handle.
fn key(typed: &str) -> String {
    let start: String = typed.trim().chars().take(TYPED_MAX_CHARS).collect();
    HandleKey::of(&start).folded
}
