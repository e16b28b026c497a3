//! Shares: what one network may have of something that all clients share, and lists in which everybody appears.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use tilewire_base::address::{ClientAddress, ClientNetwork};
use tilewire_config::Limits;

/// The number of things that clients of each network have.
#[derive(Debug, Clone, Default)]
pub struct Shares {
    counts: Arc<Mutex<HashMap<ClientNetwork, usize>>>,
}

impl Shares {
    /// Counts one more for an address, until the share is dropped; `None` when one of its networks has as many as it may.
    /// An unknown address counts nowhere. `most` is the limit of an address.
    pub fn take(&self, address: Option<ClientAddress>, most: usize) -> Option<Share> {
        let mut counts = self.lock();
        let networks = || address.into_iter().flat_map(ClientAddress::networks);
        for (network, times) in networks() {
            let count = counts.get(&network).copied().unwrap_or(0);
            if count >= most.saturating_mul(times) {
                return None;
            }
        }
        for (network, _) in networks() {
            *counts.entry(network).or_default() += 1;
        }
        drop(counts);
        Some(Share {
            shares: self.clone(),
            address,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ClientNetwork, usize>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One of the things that a network has; dropping it makes room.
#[derive(Debug)]
pub struct Share {
    shares: Shares,
    address: Option<ClientAddress>,
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut counts = self.shares.lock();
        for (network, _) in self.address.into_iter().flat_map(ClientAddress::networks) {
            if let Some(count) = counts.get_mut(&network) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(&network);
                }
            }
        }
    }
}

/// A pool of slots that all clients share, with a limit for each address.
#[derive(Debug)]
pub struct Slots {
    all: Arc<Semaphore>,
    shares: Shares,
    per_address: usize,
}

/// One of [`Slots`]; dropping it makes room.
#[derive(Debug)]
pub struct Slot {
    _permit: OwnedSemaphorePermit,
    _share: Share,
}

impl Slots {
    /// Returns the slots for reading records.
    #[must_use]
    pub fn of_records(limits: &Limits) -> Self {
        Self::new(limits.records_read, limits.records_per_address)
    }

    /// Returns the slots in which only moderators read, for when others have taken those of records.
    #[must_use]
    pub fn of_moderators(limits: &Limits) -> Self {
        Self::new(limits.moderators_reading, limits.moderators_reading)
    }

    /// Returns the slots for exports that are sent.
    #[must_use]
    pub fn of_exports(limits: &Limits) -> Self {
        Self::new(limits.exports_sent, limits.exports_sent_per_address)
    }

    /// Returns the slots for passwords that are hashed or wait for it.
    #[must_use]
    pub fn of_passwords(limits: &Limits) -> Self {
        Self::new(
            limits.passwords_waiting,
            limits.passwords_waiting_per_address,
        )
    }

    /// Returns a pool of this size, in which an address may have `per_address` slots at a time.
    fn new(all: usize, per_address: usize) -> Self {
        Self {
            all: Arc::new(Semaphore::new(all)),
            shares: Shares::default(),
            per_address,
        }
    }

    /// Takes a slot for an address, if there is one left.
    pub fn try_take(&self, address: Option<ClientAddress>) -> Option<Slot> {
        let share = self.shares.take(address, self.per_address)?;
        let permit = Arc::clone(&self.all).try_acquire_owned().ok()?;
        Some(Slot {
            _permit: permit,
            _share: share,
        })
    }
}

/// The owner of entries in a list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ListOwner {
    /// All clients of a network.
    Network(ClientNetwork),
    /// An identity whose address is not known.
    Identity(String),
}

impl ListOwner {
    /// Returns the owner of what an identity has opened from an address.
    pub fn of(address: Option<ClientAddress>, identity: &str) -> Self {
        match address {
            Some(address) => Self::Network(address.widest_network()),
            None => Self::Identity(identity.to_owned()),
        }
    }
}

/// Returns at most `most` of `items`, in their order. When there are more, every owner gets one before any gets two.
pub fn fair<T, K: Eq + Hash>(items: Vec<T>, most: usize, owner: impl Fn(&T) -> K) -> Vec<T> {
    if items.len() <= most {
        return items;
    }
    let mut of_owner: HashMap<K, usize> = HashMap::new();
    let mut rounds: Vec<(usize, usize)> = items
        .iter()
        .enumerate()
        .map(|(at, item)| {
            let before = of_owner.entry(owner(item)).or_default();
            *before += 1;
            (*before, at)
        })
        .collect();
    rounds.select_nth_unstable(most);
    rounds.truncate(most);
    let mut is_taken = vec![false; items.len()];
    for (_, at) in rounds {
        is_taken[at] = true;
    }
    let taken = items.into_iter().zip(is_taken);
    taken
        .filter_map(|(item, is_taken)| is_taken.then_some(item))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    #[test]
    fn a_network_has_its_share_until_something_is_given_back() {
        let shares = Shares::default();
        let take = |text: &str| {
            let address = ClientAddress::from(text.parse::<IpAddr>().unwrap());
            shares.take(Some(address), 2)
        };
        let first = [take("192.0.2.1"), take("192.0.2.1")];
        assert!(take("192.0.2.1").is_none());
        assert!(take("192.0.2.2").is_some());
        drop(first);
        assert!(take("192.0.2.1").is_some());
        // 64 bits have two, 56 bits four, 48 bits eight.
        let held: Vec<Share> = (0..1_000)
            .filter_map(|network| take(&format!("2001:db8:0:{network:x}::1")))
            .collect();
        assert_eq!(held.len(), 8);
        assert!((0..100).all(|_| shares.take(None, 2).is_some()));
        drop(held);
        assert!(shares.lock().is_empty());
    }

    #[test]
    fn an_address_leaves_places_for_others() {
        let slots = Slots::new(3, 2);
        let address = |last: u8| Some(ClientAddress::from(IpAddr::from([192, 0, 2, last])));
        let first = [slots.try_take(address(1)), slots.try_take(address(1))];
        assert!(first.iter().all(Option::is_some));
        assert!(slots.try_take(address(1)).is_none());
        let other = slots.try_take(address(2));
        assert!(other.is_some());
        assert!(slots.try_take(address(3)).is_none(), "all are taken");
        drop(first);
        assert!(slots.try_take(address(3)).is_some());
    }

    #[test]
    fn everybody_appears_in_a_list_before_anybody_appears_twice() {
        let check = |items: &[(char, u32)], most: usize, expected: &[u32]| {
            let found = fair(items.to_vec(), most, |(owner, _)| *owner);
            let numbers: Vec<u32> = found.into_iter().map(|(_, number)| number).collect();
            assert_eq!(numbers, expected, "{most} of {items:?}");
        };
        let flood = [('a', 1), ('a', 2), ('a', 3), ('b', 4), ('a', 5), ('c', 6)];
        check(&flood, 6, &[1, 2, 3, 4, 5, 6]);
        check(&flood, 4, &[1, 2, 4, 6]);
        check(&flood, 3, &[1, 4, 6]);
        check(&flood, 2, &[1, 4]);
        check(&flood, 0, &[]);
        check(&[], 3, &[]);
    }
}
