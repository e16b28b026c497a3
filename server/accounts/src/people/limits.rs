//! The limits of wrong passwords and of registrations, with the server's clock.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use tilewire_rules::time::{Millis, Timestamp};

use super::Failure;
use crate::identity::PerAddress;
use tilewire_base::address::ClientAddress;
use tilewire_base::clock::ServerClock;
use tilewire_config::{Config, MailConfig};

/// The limits of codes: by the address of the client, by the mail address, and the number of mail addresses.
#[derive(Debug)]
pub(super) struct CodeLimits {
    clients: PerAddress,
    mailboxes: Mutex<BTreeMap<String, (usize, Timestamp)>>,
    most: usize,
    most_mailboxes: usize,
    window_ms: Millis,
}

impl CodeLimits {
    pub(super) fn new(config: &MailConfig) -> Self {
        Self {
            clients: PerAddress::new(config.codes_per_address, config.codes_ms),
            mailboxes: Mutex::default(),
            most: config.codes_per_mailbox,
            most_mailboxes: config.codes_mailboxes,
            window_ms: config.codes_ms,
        }
    }

    /// Counts a code for a mail address that a client asks for.
    pub(super) fn enter(
        &self,
        from: ClientAddress,
        address_key: &str,
        now: Timestamp,
    ) -> Result<(), Failure> {
        let refused = |wait_ms| Failure::TooManyCodes { wait_ms };
        self.clients.enter(from, now).map_err(refused)?;
        let mut mailboxes = self
            .mailboxes
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if mailboxes.len() >= self.most_mailboxes {
            mailboxes.retain(|_, (_, until)| now < *until);
        }
        if mailboxes.len() >= self.most_mailboxes && !mailboxes.contains_key(address_key) {
            let first = mailboxes.values().map(|(_, until)| *until).min();
            return Err(refused(Millis(first.unwrap_or(now).since(now))));
        }
        let fresh = (0, now + self.window_ms);
        let counted = mailboxes.entry(address_key.to_owned()).or_insert(fresh);
        if counted.1 <= now {
            *counted = fresh;
        }
        if counted.0 >= self.most {
            return Err(refused(Millis(counted.1.since(now))));
        }
        counted.0 += 1;
        Ok(())
    }
}

/// The limits of what strangers can try.
#[derive(Debug)]
pub(super) struct TryLimits {
    clock: ServerClock,
    registrations: PerAddress,
    exports: PerAddress,
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
            exports: PerAddress::new(limits.exports_per_address, timing.exports_ms),
        }
    }

    /// Counts a registration from this address.
    pub(super) fn register(&self, from: ClientAddress) -> Result<(), Failure> {
        let entered = self.registrations.enter(from, self.clock.now());
        entered.map_err(|wait_ms| Failure::TooManyRegistrations { wait_ms })
    }

    /// Counts an export to this address.
    pub(super) fn export(&self, from: ClientAddress) -> Result<(), Failure> {
        let entered = self.exports.enter(from, self.clock.now());
        entered.map_err(|wait_ms| Failure::TooManyExports { wait_ms })
    }
}
