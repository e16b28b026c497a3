//! Wrong passwords and codes, with the server's clock. Each of several servers counts the entries at all of them, so guessing at
//! another server does not help.
//!
//! The code of a private game or seek counts for the identity, so reconnecting does not help either. A request for a record
//! has no identity; there the code counts for the address. A password, or a code in its place, counts as [`SignInLimits`] says.

use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use tilewire_people::accounts::{Refusal, SignInBounds, SignInLimits, TYPED_MAX_CHARS, Try};
use tilewire_people::guesses::{GuessBounds, Guesses};
use tilewire_rules::time::Millis;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use tilewire_base::address::ClientAddress;
use tilewire_base::clock::ServerClock;
use tilewire_base::metrics;
use tilewire_config::Config;

/// Clients whose codes the server counts at the same time.
const CLIENTS_MAX: usize = 100_000;
/// Wrong entries that wait until the other servers are told. The other servers do not count those beyond that.
const WAITING_MAX: usize = 1_024;

/// A wrong password or code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrongEntry {
    /// The code of a private game or seek, on a WebSocket.
    Code {
        /// The identity of the client.
        identity: String,
    },
    /// The code of a private game, in a request for its record.
    RecordCode {
        /// The address of the client.
        from: IpAddr,
    },
    /// A password, or a code in its place.
    SignIn {
        /// The start of the handle as it was typed.
        handle: String,
        /// The address of the client.
        from: IpAddr,
    },
}

/// Counts wrong entries.
#[derive(Debug)]
pub struct WrongEntries {
    clock: ServerClock,
    codes: Mutex<Guesses<String>>,
    record_codes: Mutex<Guesses<ClientAddress>>,
    sign_ins: Mutex<SignInLimits<ClientAddress>>,
    /// The entries for the other servers, of a server among several.
    others: Option<Sender<WrongEntry>>,
}

impl WrongEntries {
    /// Returns the two ends for the entries that the other servers are told.
    #[must_use]
    pub fn to_tell() -> (Sender<WrongEntry>, Receiver<WrongEntry>) {
        channel(WAITING_MAX)
    }

    /// Returns empty counts. `others` takes the entries for the other servers, if there are any.
    #[must_use]
    pub fn new(config: &Config, clock: ServerClock, others: Option<Sender<WrongEntry>>) -> Self {
        let (limits, timing) = (&config.limits, &config.timing);
        // The wait comes after the last free code, not before the next one is counted.
        let codes = |most: u32| GuessBounds {
            free: most.saturating_sub(1),
            wait_ms: timing.wrong_code_wait_ms,
            wait_max_ms: timing.wrong_code_wait_max_ms,
            clients_max: CLIENTS_MAX,
        };
        let passwords = |free: u32, usual: GuessBounds| GuessBounds {
            free,
            wait_ms: timing.wrong_password_wait_ms,
            wait_max_ms: timing.wrong_password_wait_max_ms,
            ..usual
        };
        let by_identity = codes(limits.wrong_codes);
        let by_address = codes(limits.wrong_codes_per_address);
        Self {
            clock,
            codes: Mutex::new(Guesses::new(by_identity)),
            record_codes: Mutex::new(Guesses::new(by_address)),
            sign_ins: Mutex::new(SignInLimits::new(SignInBounds {
                own: passwords(limits.wrong_passwords, GuessBounds::ACCOUNT),
                strangers: passwords(limits.wrong_passwords_of_strangers, GuessBounds::STRANGERS),
                address: passwords(limits.wrong_passwords_per_address, GuessBounds::ADDRESS),
            })),
            others,
        }
    }

    /// Checks whether an identity may enter the code of a private game or seek now.
    ///
    /// # Errors
    /// After too many wrong codes: the time left to wait.
    pub fn admit_code(&self, identity: &str) -> Result<(), Millis> {
        locked(&self.codes).admit(self.clock.now(), identity)
    }

    /// Checks whether a client at this address may now enter the code of a private game for its record.
    ///
    /// # Errors
    /// After too many wrong codes: the time left to wait.
    pub fn admit_record_code(&self, from: &ClientAddress) -> Result<(), Millis> {
        locked(&self.record_codes).admit(self.clock.now(), from)
    }

    /// Begins a try of a password or code for this handle by a client at this address.
    ///
    /// # Errors
    /// [`Refusal::TooManyTries`].
    pub fn try_sign_in(&self, handle: &str, from: ClientAddress) -> Result<SignInTry<'_>, Refusal> {
        let tried = locked(&self.sign_ins).pay(self.clock.now(), handle, &from)?;
        let entry = WrongEntry::SignIn {
            handle: start_of(handle),
            from: from.ip(),
        };
        Ok(self.begun(tried, Some(entry)))
    }

    /// Begins a try of a code that names no handle.
    ///
    /// # Errors
    /// [`Refusal::TooManyTries`].
    pub fn try_code(&self, from: ClientAddress) -> Result<SignInTry<'_>, Refusal> {
        let tried = locked(&self.sign_ins).pay_for_code(self.clock.now(), &from)?;
        Ok(self.begun(tried, None))
    }

    /// Begins a try of the password in a session of its player.
    ///
    /// # Errors
    /// [`Refusal::TooManyTries`].
    pub fn try_in_session(&self, session: &str) -> Result<SignInTry<'_>, Refusal> {
        let tried = locked(&self.sign_ins).pay_in_session(self.clock.now(), session)?;
        Ok(self.begun(tried, None))
    }

    const fn begun(&self, tried: Try<ClientAddress>, entry: Option<WrongEntry>) -> SignInTry<'_> {
        SignInTry {
            entries: self,
            tried,
            entry,
            is_right: false,
        }
    }

    /// Notes that the player of a handle is signed in at this address: strangers cannot make the player wait there.
    pub fn signed_in(&self, handle: &str, from: ClientAddress) {
        locked(&self.sign_ins).signed_in(self.clock.now(), handle, &from);
    }

    /// Says whether the player of a handle has signed in from this address.
    pub fn knows(&self, handle: &str, from: ClientAddress) -> bool {
        locked(&self.sign_ins).knows(handle, &from)
    }

    /// Counts a wrong code of a private game or seek, on a WebSocket.
    pub fn wrong_code(&self, identity: &str) {
        metrics::wrong_code();
        self.enter(WrongEntry::Code {
            identity: identity.to_owned(),
        });
    }

    /// Counts a wrong code in a request for a record.
    pub fn wrong_record_code(&self, from: ClientAddress) {
        metrics::wrong_code();
        self.enter(WrongEntry::RecordCode { from: from.ip() });
    }

    /// Counts an entry at this server, and lets the others count it.
    fn enter(&self, entry: WrongEntry) {
        self.count(entry.clone());
        self.tell(entry);
    }

    fn tell(&self, entry: WrongEntry) {
        if let Some(others) = &self.others
            && others.try_send(entry).is_err()
        {
            tracing::warn!("the other servers do not count a wrong password or code");
        }
    }

    /// Counts an entry at another server.
    pub fn count(&self, entry: WrongEntry) {
        let now = self.clock.now();
        match entry {
            WrongEntry::Code { identity } => locked(&self.codes).wrong(now, identity),
            WrongEntry::RecordCode { from } => locked(&self.record_codes).wrong(now, from.into()),
            WrongEntry::SignIn { handle, from } => {
                locked(&self.sign_ins).wrong_elsewhere(now, &handle, &from.into());
            }
        }
    }
}

/// A try of a password or code that has begun. Unless its outcome is said, it was wrong: a client that does not wait for the
/// answer pays for the work all the same.
#[derive(Debug)]
pub struct SignInTry<'a> {
    entries: &'a WrongEntries,
    tried: Try<ClientAddress>,
    entry: Option<WrongEntry>,
    is_right: bool,
}

impl SignInTry<'_> {
    /// Says whether the client is a stranger to the handle.
    #[must_use]
    pub const fn is_strange(&self) -> bool {
        self.tried.is_strange()
    }

    /// Ends the try as one that was right, or that came to no outcome.
    pub fn does_not_count(mut self) {
        self.is_right = true;
    }
}

impl Drop for SignInTry<'_> {
    fn drop(&mut self) {
        let (entries, now) = (self.entries, self.entries.clock.now());
        if self.is_right {
            return locked(&entries.sign_ins).was_right(now, &self.tried);
        }
        metrics::wrong_password();
        locked(&entries.sign_ins).was_wrong(now, &self.tried);
        if let Some(entry) = self.entry.take() {
            entries.tell(entry);
        }
    }
}

/// Returns the start of a typed handle. No handle is longer.
fn start_of(handle: &str) -> String {
    handle.trim().chars().take(TYPED_MAX_CHARS).collect()
}

fn locked<T>(counts: &Mutex<T>) -> MutexGuard<'_, T> {
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewire_rules::time::Timestamp;

    fn entries(clock: &ServerClock, others: Option<Sender<WrongEntry>>) -> WrongEntries {
        let mut config = Config::default();
        config.limits.wrong_codes = 2;
        config.limits.wrong_codes_per_address = 2;
        config.limits.wrong_passwords = 1;
        config.timing.wrong_code_wait_ms = Millis(100);
        WrongEntries::new(&config, clock.clone(), others)
    }

    #[test]
    fn the_wait_begins_with_the_last_code_of_the_setting() {
        let clock = ServerClock::manual(Timestamp(0));
        let entries = entries(&clock, None);
        entries.wrong_code("anna");
        assert_eq!(entries.admit_code("anna"), Ok(()));
        entries.wrong_code("anna");
        assert_eq!(entries.admit_code("anna"), Err(Millis(100)));
        assert_eq!(entries.admit_code("ben"), Ok(()));
        clock.advance(100);
        assert_eq!(entries.admit_code("anna"), Ok(()));
    }

    #[test]
    fn a_server_counts_the_entries_of_others_and_tells_them_only_of_its_own() {
        let clock = ServerClock::manual(Timestamp(0));
        let (others, mut told) = WrongEntries::to_tell();
        let (here, there) = (entries(&clock, Some(others)), entries(&clock, None));
        let from = ClientAddress::from(IpAddr::from([192, 0, 2, 1]));
        for _ in 0..2 {
            here.wrong_code("anna");
            here.wrong_record_code(from);
            drop(here.try_sign_in("Anna", from).unwrap());
        }
        while let Ok(entry) = told.try_recv() {
            there.count(entry);
        }
        assert!(there.admit_code("anna").is_err());
        assert!(there.admit_record_code(&from).is_err());
        assert!(there.try_sign_in("ANNA", from).is_err());
        here.count(WrongEntry::RecordCode { from: from.ip() });
        assert!(told.try_recv().is_err(), "others know it already");
    }
}
