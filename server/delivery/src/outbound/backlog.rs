//! The bytes that wait for clients that do not read: bounded for each network and in all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tilewire_base::address::{ClientAddress, ClientNetwork};
use tilewire_config::Limits;

/// Bytes that wait for any connection and do not count. A client that reads has no more for long, so the clients of a network
/// are not closed because of others there.
const FREE: usize = 64 * 1024;

/// The bytes that wait for all connections.
#[derive(Debug)]
pub struct Backlogs {
    most: usize,
    most_per_address: usize,
    waiting: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    all: usize,
    networks: HashMap<ClientNetwork, usize>,
}

/// The bytes that wait for one connection.
#[derive(Debug)]
pub struct Backlog {
    backlogs: Arc<Backlogs>,
    address: Option<ClientAddress>,
    counted: usize,
}

impl Backlogs {
    /// Returns the count of a server with these limits.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self {
            most: limits.backlog_bytes,
            most_per_address: limits.backlog_bytes_per_address,
            waiting: Mutex::default(),
        }
    }

    /// Returns the count of a new connection from an address.
    #[must_use]
    pub fn of(self: &Arc<Self>, address: Option<ClientAddress>) -> Backlog {
        Backlog {
            backlogs: Arc::clone(self),
            address,
            counted: 0,
        }
    }
}

impl Backlog {
    /// Counts the bytes that wait now. Returns false if they are more than before and too many together with those of other
    /// connections.
    pub(super) fn set(&mut self, waiting: usize) -> bool {
        let (before, now) = (self.counted, waiting.saturating_sub(FREE));
        if now == before {
            return true;
        }
        self.counted = now;
        let backlogs = &self.backlogs;
        let mut counts = backlogs
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        counts.all = counts.all + now - before;
        let mut fits = counts.all <= backlogs.most;
        for (network, times) in self.address.into_iter().flat_map(ClientAddress::networks) {
            let count = counts.networks.entry(network).or_default();
            *count = *count + now - before;
            fits &= *count <= backlogs.most_per_address.saturating_mul(times);
            if *count == 0 {
                counts.networks.remove(&network);
            }
        }
        fits || now < before
    }
}

impl Drop for Backlog {
    fn drop(&mut self) {
        self.set(0);
    }
}
