//! The limit of new guests per address.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};

use tilewire_rules::time::{Millis, Timestamp};

use crate::address::ClientAddress;

/// Addresses that are counted at the same time. When more come, expired counts are dropped first; beyond that, all further
/// addresses share one count.
const ADDRESSES_MAX: usize = 100_000;

/// Counts the new guests of each address in a window of time.
#[derive(Debug)]
pub struct NewGuests {
    most: usize,
    window_ms: Millis,
    counts: Mutex<BTreeMap<ClientAddress, Count>>,
}

#[derive(Debug, Clone, Copy)]
struct Count {
    guests: usize,
    until: Timestamp,
}

impl NewGuests {
    /// Returns a limit of `most` new guests per address in `window_ms`.
    #[must_use]
    pub const fn new(most: usize, window_ms: Millis) -> Self {
        Self {
            most,
            window_ms,
            counts: Mutex::new(BTreeMap::new()),
        }
    }

    /// Counts a new guest from an address.
    ///
    /// # Errors
    /// When the address has reached its limit: the time in ms until the next guest is admitted.
    pub fn enter(&self, source: ClientAddress, now: Timestamp) -> Result<(), Millis> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut place = source;
        if counts.len() >= ADDRESSES_MAX && !counts.contains_key(&place) {
            counts.retain(|_, count| count.until > now);
            if counts.len() >= ADDRESSES_MAX {
                place = ClientAddress::from(IpAddr::V6(Ipv6Addr::UNSPECIFIED));
            }
        }
        let fresh = Count {
            guests: 0,
            until: now + self.window_ms,
        };
        let count = counts.entry(place).or_insert(fresh);
        if count.until <= now {
            *count = fresh;
        }
        if count.guests >= self.most {
            return Err(count.until - now);
        }
        count.guests += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_has_its_own_count_and_time_ends_it() {
        let guests = NewGuests::new(2, Millis(1_000));
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
        assert_eq!(guests.enter(at("2001:db8:0:1::1"), Timestamp(0)), Ok(()));
    }
}
