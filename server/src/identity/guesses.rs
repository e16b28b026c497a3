//! The limit of wrong codes: a client that enters too many has to wait, longer each time.
//!
//! On a WebSocket the count belongs to the identity, so reconnecting does not help. A request for a record has no
//! identity; there the count belongs to the address. A right code does not reset the count: a guesser could have one of
//! its own.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use tilewire_rules::time::{Millis, Timestamp};

use crate::address::ClientAddress;
use crate::clock::ServerClock;
use crate::config::Config;
use crate::metrics;

/// Clients that are counted at the same time. Beyond that, the oldest counts are dropped.
const CLIENTS_MAX: usize = 100_000;

/// The limits of wrong codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GuessBounds {
    /// Wrong codes after which the client has to wait.
    pub free: u32,
    /// The wait after them; it doubles with each further one.
    pub wait_ms: Millis,
    /// The longest wait. After this time without a wrong code, one is forgiven.
    pub wait_max_ms: Millis,
}

impl GuessBounds {
    const fn after(free: u32, config: &Config) -> Self {
        Self {
            free,
            wait_ms: config.timing.wrong_code_wait_ms,
            wait_max_ms: config.timing.wrong_code_wait_max_ms,
        }
    }
}

/// Counts wrong codes by client: an identity or an address.
#[derive(Debug)]
pub struct Guesses<Client> {
    bounds: GuessBounds,
    clock: ServerClock,
    counts: Mutex<BTreeMap<Client, Count>>,
}

/// Counts wrong codes by identity.
pub type GuessesByIdentity = Guesses<String>;

/// Counts wrong codes by address.
pub type GuessesByAddress = Guesses<ClientAddress>;

#[derive(Debug, Clone, Copy)]
struct Count {
    wrong: u32,
    /// The time of the last wrong code, or of the last one that was forgiven.
    at: Timestamp,
    /// No code is accepted before this time.
    until: Timestamp,
}

impl GuessesByIdentity {
    /// Returns an empty count with the limits of an identity.
    #[must_use]
    pub fn by_identity(config: &Config, clock: &ServerClock) -> Self {
        let bounds = GuessBounds::after(config.limits.wrong_codes, config);
        Self::new(bounds, clock.clone())
    }
}

impl GuessesByAddress {
    /// Returns an empty count with the limits of an address.
    #[must_use]
    pub fn by_address(config: &Config, clock: &ServerClock) -> Self {
        let bounds = GuessBounds::after(config.limits.wrong_codes_per_address, config);
        Self::new(bounds, clock.clone())
    }
}

impl<Client: Ord + Clone> Guesses<Client> {
    /// Returns an empty count.
    #[must_use]
    pub const fn new(bounds: GuessBounds, clock: ServerClock) -> Self {
        Self {
            bounds,
            clock,
            counts: Mutex::new(BTreeMap::new()),
        }
    }

    /// Checks whether a client may enter a code now.
    ///
    /// # Errors
    /// When it has entered too many wrong codes: the time left to wait.
    pub fn admit<Id>(&self, client: &Id) -> Result<(), Millis>
    where
        Client: Borrow<Id>,
        Id: Ord + ?Sized,
    {
        let now = self.clock.now();
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        match counts.get(client) {
            Some(count) if count.until > now => Err(count.until - now),
            _ => Ok(()),
        }
    }

    /// Counts a wrong code.
    pub fn wrong(&self, client: Client) {
        metrics::wrong_code();
        let (now, bounds) = (self.clock.now(), &self.bounds);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() >= CLIENTS_MAX && !counts.contains_key(&client) {
            make_room(&mut counts, now, bounds);
        }
        let count = counts.entry(client).or_insert(Count {
            wrong: 0,
            at: now,
            until: now,
        });
        count.forget(now, bounds);
        count.wrong = count.wrong.saturating_add(1);
        count.at = now;
        if let Some(over) = count.wrong.checked_sub(bounds.free) {
            let wait = bounds.wait_ms * (1 << over.min(40));
            count.until = now + wait.min(bounds.wait_max_ms);
        }
    }
}

impl Count {
    /// Forgives wrong codes that are old enough.
    fn forget(&mut self, now: Timestamp, bounds: &GuessBounds) {
        let forgotten = (now - self.at).0 / bounds.wait_max_ms.0.max(1);
        self.at += bounds.wait_max_ms * forgotten;
        self.wrong = self
            .wrong
            .saturating_sub(u32::try_from(forgotten).unwrap_or(u32::MAX));
    }
}

fn make_room<Client: Ord + Clone>(
    counts: &mut BTreeMap<Client, Count>,
    now: Timestamp,
    bounds: &GuessBounds,
) {
    counts.retain(|_, count| {
        count.forget(now, bounds);
        count.wrong > 0
    });
    if counts.len() >= CLIENTS_MAX {
        let oldest = counts.iter().min_by_key(|(_, count)| count.at);
        if let Some(oldest) = oldest.map(|(client, _)| client.clone()) {
            counts.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: GuessBounds = GuessBounds {
        free: 2,
        wait_ms: Millis(100),
        wait_max_ms: Millis(1_000),
    };

    #[test]
    fn each_wrong_code_too_many_doubles_the_wait_and_time_forgives() {
        let clock = ServerClock::manual(Timestamp(0));
        let guesses = GuessesByIdentity::new(BOUNDS, clock.clone());
        let wrong = |identity: &str| guesses.wrong(identity.to_owned());
        wrong("anna");
        assert_eq!(guesses.admit("anna"), Ok(()));
        for wait in [100, 200, 400, 800, 1_000, 1_000] {
            wrong("anna");
            assert_eq!(guesses.admit("anna"), Err(Millis(wait)));
            assert_eq!(guesses.admit("ben"), Ok(()), "the count is anna's alone");
            clock.advance(u32::try_from(wait).unwrap() - 1);
            assert_eq!(guesses.admit("anna"), Err(Millis(1)));
            clock.advance(1);
            assert_eq!(guesses.admit("anna"), Ok(()));
        }
        // Seven codes were wrong, and the longest wait has forgiven one. Six seconds forgive the others.
        clock.advance(5_000);
        wrong("anna");
        assert_eq!(guesses.admit("anna"), Ok(()));
        wrong("anna");
        assert_eq!(guesses.admit("anna"), Err(Millis(100)));
    }
}
