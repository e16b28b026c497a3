//! The limits of wrong passwords and codes: by handle and address, by address, by handle for strangers, and by session.
//!
//! A limit that is keyed by the handle alone would let strangers lock its player out. So the handle counts together with the
//! address, and the count of all strangers binds strangers only: an address from which the player of the handle has signed in
//! lately is none.

use std::collections::BTreeMap;

use tilewire_rules::time::{Millis, Timestamp};

use super::Refusal;
use crate::guesses::{GuessBounds, Guesses, Step};
use crate::handles::HandleKey;

/// Characters of a typed handle that are looked at. No handle is longer.
pub const TYPED_MAX_CHARS: usize = 2 * crate::handles::MAX_CHARS;
/// Addresses that are remembered with the handles that signed in from them. Beyond that, those unused for the longest time go.
const KNOWN_MAX: usize = 100_000;
/// Addresses that are remembered for one handle.
const KNOWN_OF_HANDLE: usize = 16;

/// The bounds of wrong entries by whom they are counted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignInBounds {
    /// Of a handle at an address, and of a session.
    pub own: GuessBounds,
    /// Of a handle at all addresses that are strange to it.
    pub strangers: GuessBounds,
    /// Of an address.
    pub address: GuessBounds,
}

/// Counts wrong passwords and codes, whether or not the typed handle belongs to an account. A try pays before any costly work:
/// tries at the same time cannot be more than the wrong ones that are left.
#[derive(Debug, Clone)]
pub struct SignInLimits<Address> {
    by_both: Guesses<(String, Address)>,
    by_handle: Guesses<String>,
    by_address: Guesses<Address>,
    by_session: Guesses<String>,
    known: Known<Address>,
}

/// A try that has paid: the counts that it is in. The caller gives it back with its outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Try<Address> {
    both: Option<(String, Address)>,
    handle: Option<String>,
    address: Option<Address>,
    session: Option<String>,
}

impl<Address: Clone> Try<Address> {
    /// A try of a client to whom the handle is known counts for both together only.
    fn for_handle(both: (String, Address), is_known: bool) -> Self {
        let (handle, address) = both.clone();
        Self {
            both: Some(both),
            handle: (!is_known).then_some(handle),
            address: (!is_known).then_some(address),
            session: None,
        }
    }

    /// Says whether the client is a stranger.
    pub const fn is_strange(&self) -> bool {
        self.address.is_some()
    }
}

impl<Address: Ord + Clone> SignInLimits<Address> {
    /// Returns empty counts with these bounds.
    #[must_use]
    pub const fn new(bounds: SignInBounds) -> Self {
        Self {
            by_both: Guesses::new(bounds.own),
            by_handle: Guesses::new(bounds.strangers),
            by_address: Guesses::new(bounds.address),
            by_session: Guesses::new(bounds.own),
            known: Known(BTreeMap::new()),
        }
    }

    /// Pays for a try of a client at this address to sign in or to recover.
    ///
    /// # Errors
    /// [`Refusal::TooManyTries`] with the longest wait.
    pub fn pay(
        &mut self,
        now: Timestamp,
        typed_handle: &str,
        address: &Address,
    ) -> Result<Try<Address>, Refusal> {
        let tried = self.of_handle(typed_handle, address);
        self.begin(now, tried)
    }

    /// Pays for a try of a client at this address with a code that names no handle.
    ///
    /// # Errors
    /// As for [`Self::pay`].
    pub fn pay_for_code(
        &mut self,
        now: Timestamp,
        address: &Address,
    ) -> Result<Try<Address>, Refusal> {
        let tried = Try {
            both: None,
            handle: None,
            address: Some(address.clone()),
            session: None,
        };
        self.begin(now, tried)
    }

    /// Pays for a try in a session: nobody outside it can make its player wait.
    ///
    /// # Errors
    /// As for [`Self::pay`].
    pub fn pay_in_session(
        &mut self,
        now: Timestamp,
        session: &str,
    ) -> Result<Try<Address>, Refusal> {
        let tried = Try {
            both: None,
            handle: None,
            address: None,
            session: Some(session.to_owned()),
        };
        self.begin(now, tried)
    }

    /// Ends a try that was wrong, or whose outcome its client did not wait for.
    pub fn was_wrong(&mut self, now: Timestamp, tried: &Try<Address>) {
        self.take(now, tried, Step::Wrong);
    }

    /// Ends a try that was right, or that came to no outcome.
    pub fn was_right(&mut self, now: Timestamp, tried: &Try<Address>) {
        self.take(now, tried, Step::Right);
    }

    /// Counts a wrong try of a client at this address at another server.
    pub fn wrong_elsewhere(&mut self, now: Timestamp, typed_handle: &str, address: &Address) {
        let tried = self.of_handle(typed_handle, address);
        self.take(now, &tried, Step::WrongElsewhere);
    }

    /// Notes that the player of a handle is signed in at this address.
    pub fn signed_in(&mut self, now: Timestamp, handle: &str, address: &Address) {
        self.known.note(now, &key(handle), address);
    }

    /// Says whether the player of a handle has signed in from this address.
    pub fn knows(&self, handle: &str, address: &Address) -> bool {
        self.known.has(&key(handle), address)
    }

    fn of_handle(&self, typed: &str, address: &Address) -> Try<Address> {
        let handle = key(typed);
        let is_known = self.known.has(&handle, address);
        Try::for_handle((handle, address.clone()), is_known)
    }

    fn begin(&mut self, now: Timestamp, tried: Try<Address>) -> Result<Try<Address>, Refusal> {
        let wait_ms = self.take(now, &tried, Step::Ask);
        if wait_ms > Millis::ZERO {
            return Err(Refusal::TooManyTries { wait_ms });
        }
        self.take(now, &tried, Step::Begin);
        Ok(tried)
    }

    /// Takes a step in all counts of a try; returns the longest wait.
    fn take(&mut self, now: Timestamp, tried: &Try<Address>, step: Step) -> Millis {
        let waits = [
            self.by_both.take(now, tried.both.as_ref(), step),
            self.by_handle.take(now, tried.handle.as_ref(), step),
            self.by_address.take(now, tried.address.as_ref(), step),
            self.by_session.take(now, tried.session.as_ref(), step),
        ];
        waits.into_iter().max().unwrap_or(Millis::ZERO)
    }
}

/// The addresses from which the players of handles signed in, each with the last time.
#[derive(Debug, Clone)]
struct Known<Address>(BTreeMap<String, Vec<(Address, Timestamp)>>);

impl<Address: Ord + Clone> Known<Address> {
    fn has(&self, handle: &str, address: &Address) -> bool {
        let known = self.0.get(handle);
        known.is_some_and(|known| known.iter().any(|(one, _)| one == address))
    }

    fn note(&mut self, now: Timestamp, handle: &str, address: &Address) {
        if self.0.len() >= KNOWN_MAX && !self.0.contains_key(handle) {
            let last_use =
                |known: &Vec<(Address, Timestamp)>| known.iter().map(|(_, at)| *at).max();
            let oldest = self.0.iter().min_by_key(|(_, known)| last_use(known));
            if let Some(oldest) = oldest.map(|(handle, _)| handle.clone()) {
                self.0.remove(&oldest);
            }
        }
        let known = self.0.entry(handle.to_owned()).or_default();
        known.retain(|(one, _)| one != address);
        if known.len() >= KNOWN_OF_HANDLE {
            known.remove(0);
        }
        known.push((address.clone(), now));
    }
}

/// The same for every way of typing a handle.
fn key(typed: &str) -> String {
    let start: String = typed.trim().chars().take(TYPED_MAX_CHARS).collect();
    HandleKey::of(&start).folded
}
