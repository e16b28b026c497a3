//! The limit of wrong codes of private games and seeks, with the server's clock.
//!
//! On a WebSocket the count belongs to the identity, so reconnecting does not help. A request for a record has no
//! identity; there the count belongs to the address.

use std::borrow::Borrow;
use std::sync::{Mutex, PoisonError};

use tilewire_people::guesses::{self, GuessBounds};
use tilewire_rules::time::Millis;

use crate::address::ClientAddress;
use crate::clock::ServerClock;
use crate::config::Config;
use crate::metrics;

/// Clients that are counted at the same time.
const CLIENTS_MAX: usize = 100_000;

/// Counts wrong codes by client: an identity or an address.
#[derive(Debug)]
pub struct Guesses<Client> {
    clock: ServerClock,
    counts: Mutex<guesses::Guesses<Client>>,
}

/// Counts wrong codes by identity.
pub type GuessesByIdentity = Guesses<String>;

/// Counts wrong codes by address.
pub type GuessesByAddress = Guesses<ClientAddress>;

impl GuessesByIdentity {
    /// Returns an empty count with the limits of an identity.
    #[must_use]
    pub fn by_identity(config: &Config, clock: &ServerClock) -> Self {
        Self::new(config.limits.wrong_codes, config, clock)
    }
}

impl GuessesByAddress {
    /// Returns an empty count with the limits of an address.
    #[must_use]
    pub fn by_address(config: &Config, clock: &ServerClock) -> Self {
        Self::new(config.limits.wrong_codes_per_address, config, clock)
    }
}

impl<Client: Ord + Clone> Guesses<Client> {
    /// Returns an empty count. A client has to wait after `most` wrong codes.
    fn new(most: u32, config: &Config, clock: &ServerClock) -> Self {
        let bounds = GuessBounds {
            // The wait comes after the last free code, not before the next one is counted.
            free: most.saturating_sub(1),
            wait_ms: config.timing.wrong_code_wait_ms,
            wait_max_ms: config.timing.wrong_code_wait_max_ms,
            clients_max: CLIENTS_MAX,
        };
        Self {
            clock: clock.clone(),
            counts: Mutex::new(guesses::Guesses::new(bounds)),
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
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.admit(self.clock.now(), client)
    }

    /// Counts a wrong code.
    pub fn wrong(&self, client: Client) {
        metrics::wrong_code();
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.wrong(self.clock.now(), client);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewire_rules::time::Timestamp;

    #[test]
    fn the_wait_begins_with_the_last_code_of_the_setting() {
        let mut config = Config::default();
        config.limits.wrong_codes = 2;
        config.timing.wrong_code_wait_ms = Millis(100);
        let clock = ServerClock::manual(Timestamp(0));
        let guesses = Guesses::by_identity(&config, &clock);
        guesses.wrong("anna".to_owned());
        assert_eq!(guesses.admit("anna"), Ok(()));
        guesses.wrong("anna".to_owned());
        assert_eq!(guesses.admit("anna"), Err(Millis(100)));
        assert_eq!(guesses.admit("ben"), Ok(()));
        clock.advance(100);
        assert_eq!(guesses.admit("anna"), Ok(()));
    }
}
