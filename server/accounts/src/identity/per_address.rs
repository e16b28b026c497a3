//! The limit of what comes from each address in a window of time: new guests, registrations.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use tilewire_rules::time::{Millis, Timestamp};

use tilewire_base::address::{ClientAddress, ClientNetwork};

/// Networks that are counted at the same time. When more come, expired counts are dropped first; beyond that, all further
/// networks share one count.
const NETWORKS_MAX: usize = 100_000;

/// Counts what comes from each address in a window of time.
#[derive(Debug)]
pub struct PerAddress {
    most: usize,
    window_ms: Millis,
    counts: Mutex<BTreeMap<CountKey, Count>>,
}

/// The key of a count: a network, or `None` for all networks beyond the size of the table.
type CountKey = Option<ClientNetwork>;

#[derive(Debug, Clone, Copy)]
struct Count {
    entries: usize,
    until: Timestamp,
}

impl PerAddress {
    /// Returns a limit of `most` entries per address in `window_ms`.
    #[must_use]
    pub const fn new(most: usize, window_ms: Millis) -> Self {
        Self {
            most,
            window_ms,
            counts: Mutex::new(BTreeMap::new()),
        }
    }

    /// Counts an entry from an address.
    ///
    /// # Errors
    /// When the address has reached its limit: the time in ms until the next entry is admitted.
    pub fn enter(&self, source: ClientAddress, now: Timestamp) -> Result<(), Millis> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = Count {
            entries: 0,
            until: now + self.window_ms,
        };
        let mut keys = Vec::new();
        for (network, times) in source.networks() {
            let key = key_of(&mut counts, network, now);
            let count = counts.entry(key).or_insert(fresh);
            if count.until <= now {
                *count = fresh;
            }
            if count.entries >= self.most.saturating_mul(times) {
                return Err(count.until - now);
            }
            keys.push(key);
        }
        for key in keys {
            counts.entry(key).or_insert(fresh).entries += 1;
        }
        Ok(())
    }
}

fn key_of(
    counts: &mut BTreeMap<CountKey, Count>,
    network: ClientNetwork,
    now: Timestamp,
) -> CountKey {
    let own = Some(network);
    if counts.len() >= NETWORKS_MAX && !counts.contains_key(&own) {
        counts.retain(|_, count| count.until > now);
        if counts.len() >= NETWORKS_MAX {
            return None;
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    #[test]
    fn each_address_has_its_own_count_and_time_ends_it() {
        let guests = PerAddress::new(2, Millis(1_000));
        let at = |text: &str| ClientAddress::from(text.parse::<IpAddr>().unwrap());
        for _ in 0..2 {
            assert_eq!(guests.enter(at("192.0.2.1"), Timestamp(0)), Ok(()));
        }
        assert_eq!(
            guests.enter(at("192.0.2.1"), Timestamp(400)),
            Err(Millis(600))
        );
        assert_eq!(
            guests.enter(at("::ffff:192.0.2.1"), Timestamp(999)),
            Err(Millis(1))
        );
        assert_eq!(guests.enter(at("192.0.2.2"), Timestamp(400)), Ok(()));
        assert_eq!(guests.enter(at("192.0.2.1"), Timestamp(1_000)), Ok(()));
        for host in 1..=2 {
            let address = at(&format!("2001:db8::{host}"));
            assert_eq!(guests.enter(address, Timestamp(0)), Ok(()));
        }
        assert_eq!(
            guests.enter(at("2001:db8::ffff"), Timestamp(0)),
            Err(Millis(1_000))
        );
        // The next 64 bits have their own count, and the 56 bits around both have twice the limit.
        for host in 1..=2 {
            let address = at(&format!("2001:db8:0:1::{host}"));
            assert_eq!(guests.enter(address, Timestamp(0)), Ok(()));
        }
        assert_eq!(
            guests.enter(at("2001:db8:0:2::1"), Timestamp(0)),
            Err(Millis(1_000))
        );
    }
}
