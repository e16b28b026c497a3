//! The limits of wrong passwords and of registrations, with the server's clock.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tilewire_rules::time::{Millis, Timestamp};

use super::Failure;
use crate::identity::PerAddress;
use tilewire_base::address::{ClientAddress, ClientNetwork};
use tilewire_base::clock::ServerClock;
use tilewire_config::{Config, MailConfig};

/// Mailboxes and clients that are counted together at the same time.
const PAIRS_MAX: usize = 100_000;

/// The limits of codes by mail. A client is counted for what it asks, a mailbox for the letters that go to it because of
/// strangers: clients at addresses where its player was not signed in.
#[derive(Debug)]
pub(super) struct CodeLimits {
    clients: PerAddress,
    pairs: Mutex<Window<(String, ClientNetwork)>>,
    strangers: Mutex<Window<String>>,
    new_mailboxes: Mutex<Window<String>>,
}

impl CodeLimits {
    pub(super) fn new(config: &MailConfig) -> Self {
        let window = config.codes_ms;
        let (of_both, of_strangers) = (config.codes_per_mailbox, config.codes_of_strangers);
        Self {
            clients: PerAddress::new(config.codes_per_address, window),
            pairs: Mutex::new(Window::new(of_both, PAIRS_MAX, window)),
            strangers: Mutex::new(Window::new(of_strangers, PAIRS_MAX, window)),
            new_mailboxes: Mutex::new(Window::new(usize::MAX, config.codes_mailboxes, window)),
        }
    }

    /// Counts a code for a mailbox that a client asks for, whether or not a letter goes out.
    pub(super) fn ask(
        &self,
        from: ClientAddress,
        mailbox: &str,
        now: Timestamp,
    ) -> Result<(), Failure> {
        let asked = self.clients.enter(from, now);
        let pair = (mailbox.to_owned(), from.widest_network());
        let asked = asked.and_then(|()| locked(&self.pairs).enter(pair, now));
        asked.map_err(|wait_ms| Failure::TooManyCodes { wait_ms })
    }

    /// Counts a letter that a stranger sends to a mailbox by asking for a code. Returns whether it may go out; the stranger
    /// gets the same answer.
    pub(super) fn send_for_stranger(&self, mailbox: &str, now: Timestamp) -> bool {
        locked(&self.strangers)
            .enter(mailbox.to_owned(), now)
            .is_ok()
    }

    /// Counts a mailbox that a client claims to own.
    pub(super) fn claim(&self, mailbox: &str, now: Timestamp) -> Result<(), Failure> {
        let claimed = locked(&self.new_mailboxes).enter(mailbox.to_owned(), now);
        claimed.map_err(|wait_ms| Failure::TooManyCodes { wait_ms })
    }
}

/// Counts entries of each key in a window of time that begins with the first one.
#[derive(Debug)]
struct Window<Key> {
    most: usize,
    most_keys: usize,
    window_ms: Millis,
    counts: BTreeMap<Key, (usize, Timestamp)>,
}

impl<Key: Ord> Window<Key> {
    const fn new(most: usize, most_keys: usize, window_ms: Millis) -> Self {
        Self {
            most,
            most_keys,
            window_ms,
            counts: BTreeMap::new(),
        }
    }

    /// Counts an entry. The error is the time left to wait.
    fn enter(&mut self, key: Key, now: Timestamp) -> Result<(), Millis> {
        let counts = &mut self.counts;
        if counts.len() >= self.most_keys {
            counts.retain(|_, (_, until)| now < *until);
        }
        if counts.len() >= self.most_keys && !counts.contains_key(&key) {
            let first = counts.values().map(|(_, until)| *until).min();
            return Err(Millis(first.unwrap_or(now).since(now)));
        }
        let fresh = (0, now + self.window_ms);
        let (entries, until) = counts.entry(key).or_insert(fresh);
        if *until <= now {
            (*entries, *until) = fresh;
        }
        if *entries >= self.most {
            return Err(Millis(until.since(now)));
        }
        *entries += 1;
        Ok(())
    }
}

fn locked<T>(count: &Mutex<T>) -> MutexGuard<'_, T> {
    count.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The limits of what strangers can try.
#[derive(Debug)]
pub(super) struct TryLimits {
    clock: ServerClock,
    registrations: PerAddress,
    reports: PerAddress,
    exports: PerAddress,
    exports_of_games: PerAddress,
}

impl TryLimits {
    pub(super) fn new(config: &Config, clock: ServerClock) -> Self {
        let (limits, timing) = (&config.limits, &config.timing);
        Self {
            clock,
            registrations: PerAddress::new(
                limits.registrations_per_address,
                timing.registrations_ms,
            ),
            reports: PerAddress::new(limits.reports_per_address, timing.reports_ms),
            exports: PerAddress::new(limits.exports_per_address, timing.exports_ms),
            exports_of_games: PerAddress::new(
                limits.exports_of_games_per_address,
                timing.exports_ms,
            ),
        }
    }

    /// Counts a registration from this address.
    pub(super) fn register(&self, from: ClientAddress) -> Result<(), Failure> {
        let entered = self.registrations.enter(from, self.clock.now());
        entered.map_err(|wait_ms| Failure::TooManyRegistrations { wait_ms })
    }

    /// Counts a report of a player from this address.
    pub(super) fn report(&self, from: ClientAddress) -> Result<(), Failure> {
        let entered = self.reports.enter(from, self.clock.now());
        entered.map_err(|wait_ms| Failure::TooManyReports { wait_ms })
    }

    /// Counts an export to this address.
    pub(super) fn export(&self, from: ClientAddress) -> Result<(), Failure> {
        let entered = self.exports.enter(from, self.clock.now());
        entered.map_err(|wait_ms| Failure::TooManyExports { wait_ms })
    }

    /// Counts an export of finished games to this address.
    pub(super) fn export_games(&self, from: ClientAddress) -> Result<(), Failure> {
        let entered = self.exports_of_games.enter(from, self.clock.now());
        entered.map_err(|wait_ms| Failure::TooManyExports { wait_ms })
    }
}
