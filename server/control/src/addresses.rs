//! Address ranges that admins have blocked. They are a fold of the entries of the audit about them, so they survive a restart.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use ipnet::IpNet;
use tilewire_people::audit::Entry;
use tilewire_people::moderation::operation;
use tilewire_rules::time::Timestamp;
use tokio::sync::{Mutex, MutexGuard};

use tilewire_store::{ModerationStore, StoreError};

/// The most blocks in force.
pub const BLOCKS_MOST: usize = 1_000;
/// The widest ranges: the first bits that a range names at least, for IPv4 and for IPv6.
const BITS_LEAST: (u8, u8) = (8, 16);
/// Entries of the audit that are read at once.
const PAGE: usize = 1_000;

/// A blocked range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressBlock {
    /// The number of the entry of the audit.
    pub number: u64,
    /// The addresses.
    pub network: IpNet,
    /// When it was blocked.
    pub at: Timestamp,
    /// The admin that blocked it.
    pub actor: String,
    /// The reason, for admins.
    pub reason: String,
    /// When the block ends; `None`: when somebody lifts it.
    pub until: Option<Timestamp>,
}

impl AddressBlock {
    fn is_in_force(&self, now: Timestamp) -> bool {
        self.until.is_none_or(|until| now < until)
    }
}

/// The reasons why a text is no range that can be blocked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NetworkFault {
    /// It is no range.
    #[error("a range is an address, or a network such as 203.0.113.0/24")]
    NoNetwork,
    /// It has too many addresses.
    #[error("a range has at least the first {} bits of IPv4, or {} bits of IPv6", BITS_LEAST.0, BITS_LEAST.1)]
    TooWide,
}

/// Reads a range: one address, or a network.
///
/// # Errors
/// When the text is none, or the range is too wide.
pub fn network(text: &str) -> Result<IpNet, NetworkFault> {
    let one = text.parse::<IpAddr>();
    let network = one
        .map(|address| IpNet::from(address.to_canonical()))
        .or_else(|_| text.parse::<IpNet>())
        .map_err(|_| NetworkFault::NoNetwork)?
        .trunc();
    let least = match network {
        IpNet::V4(_) => BITS_LEAST.0,
        IpNet::V6(_) => BITS_LEAST.1,
    };
    match network.prefix_len() < least {
        true => Err(NetworkFault::TooWide),
        false => Ok(network),
    }
}

/// All blocked ranges.
#[derive(Debug, Default)]
pub struct AddressBlocks {
    known: RwLock<Vec<AddressBlock>>,
    /// The number of the newest entry of the audit that was read.
    newest: AtomicU64,
    /// Held from the entry of the audit to the change here, so that both have one order.
    changing: Mutex<()>,
}

impl AddressBlocks {
    /// The target of the entries of the audit.
    pub const TARGET: &'static str = "addresses";
    /// The operation that blocks a range. The range follows.
    pub const BLOCKED: &'static str = "address_blocked";
    /// The operation that lifts a block. The range follows.
    pub const LIFTED: &'static str = "address_lifted";

    /// Reads the blocks from the audit.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn read(store: &dyn ModerationStore) -> Result<Self, StoreError> {
        let blocks = Self::default();
        blocks.follow(store).await?;
        Ok(blocks)
    }

    /// Reads the blocks from the audit again, if it has a newer entry: another server may have changed them.
    ///
    /// # Errors
    /// When the storage does not answer; everything stays as it is.
    pub async fn follow(&self, store: &dyn ModerationStore) -> Result<(), StoreError> {
        let _one_at_a_time = self.begin().await;
        let newest = store.entries(Some(Self::TARGET), None, 1).await?;
        let newest = newest.first().map_or(0, |entry| entry.number);
        if newest <= self.newest.load(Ordering::Relaxed) {
            return Ok(());
        }
        let (mut entries, mut before) = (Vec::new(), None);
        loop {
            let page = store.entries(Some(Self::TARGET), before, PAGE).await?;
            before = page.last().map(|entry| entry.number);
            let is_last = page.len() < PAGE;
            entries.extend(page);
            if is_last {
                break;
            }
        }
        let mut known = Vec::new();
        for entry in entries.iter().rev() {
            apply(&mut known, entry);
        }
        *self.to_change() = known;
        self.newest.store(newest, Ordering::Relaxed);
        Ok(())
    }

    /// Says whether an address is blocked.
    #[must_use]
    pub fn has(&self, address: IpAddr, now: Timestamp) -> bool {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if known.is_empty() {
            return false;
        }
        let address = address.to_canonical();
        let mut fitting = known
            .iter()
            .filter(|block| block.network.contains(&address));
        fitting.any(|block| block.is_in_force(now))
    }

    /// Returns the blocks in force, the oldest first.
    #[must_use]
    pub fn all(&self, now: Timestamp) -> Vec<AddressBlock> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let in_force = known.iter().filter(|block| block.is_in_force(now));
        in_force.cloned().collect()
    }

    /// Waits until no other block is changed.
    pub async fn begin(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().await
    }

    /// Adds a block whose entry is stored. It replaces a block of the same range.
    pub fn add(&self, block: AddressBlock) {
        put(&mut self.to_change(), block);
    }

    /// Lifts the block of a range.
    pub fn lift(&self, network: IpNet) {
        self.to_change().retain(|block| block.network != network);
    }

    fn to_change(&self) -> std::sync::RwLockWriteGuard<'_, Vec<AddressBlock>> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }
}

fn put(known: &mut Vec<AddressBlock>, block: AddressBlock) {
    // A block that is over is dropped, so that the list stays short.
    known.retain(|other| other.network != block.network && other.is_in_force(block.at));
    known.push(block);
}

/// Applies an entry of the audit.
fn apply(known: &mut Vec<AddressBlock>, entry: &Entry) {
    let Some((name, Some(range))) = operation(&entry.action.action) else {
        return;
    };
    let Ok(network) = network(range) else {
        return;
    };
    match name {
        AddressBlocks::BLOCKED => put(
            known,
            AddressBlock {
                number: entry.number,
                network,
                at: entry.at,
                actor: entry.action.actor.clone(),
                reason: entry.action.reason.clone(),
                until: entry.action.until,
            },
        ),
        AddressBlocks::LIFTED => known.retain(|block| block.network != network),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use tilewire_people::audit::Action;

    use super::*;

    const NOW: Timestamp = Timestamp(1_000);

    fn entry(number: u64, action: &str, until: Option<Timestamp>) -> Entry {
        let action = Action {
            actor: "operator".to_owned(),
            action: action.to_owned(),
            target: AddressBlocks::TARGET.to_owned(),
            reason: "a flood".to_owned(),
            until,
        };
        Entry {
            number,
            ..Entry::after(None, Timestamp(500), action)
        }
    }

    fn folded(entries: &[Entry]) -> AddressBlocks {
        let mut known = Vec::new();
        for entry in entries {
            apply(&mut known, entry);
        }
        AddressBlocks {
            known: RwLock::new(known),
            newest: AtomicU64::default(),
            changing: Mutex::default(),
        }
    }

    #[track_caller]
    fn check(blocks: &AddressBlocks, address: &str, expected: bool) {
        let address = address.parse().expect("an address");
        assert_eq!(blocks.has(address, NOW), expected, "{address}");
    }

    #[test]
    fn the_blocks_are_a_fold_of_the_audit() {
        let blocks = folded(&[
            entry(1, "operation:address_blocked:203.0.113.0/24", None),
            entry(2, "operation:address_blocked:2001:db8::/32", None),
            entry(3, "operation:address_blocked:198.51.100.7/32", Some(NOW)),
            entry(4, "operation:address_blocked:192.0.2.1/32", None),
            entry(5, "operation:address_lifted:192.0.2.1/32", None),
            entry(6, "operation:else:192.0.2.2/32", None),
        ]);
        check(&blocks, "203.0.113.255", true);
        check(&blocks, "::ffff:203.0.113.1", true);
        check(&blocks, "203.0.114.0", false);
        check(&blocks, "2001:db8:1::1", true);
        check(&blocks, "198.51.100.7", false);
        check(&blocks, "192.0.2.1", false);
        check(&blocks, "192.0.2.2", false);
        let numbers: Vec<u64> = blocks.all(NOW).iter().map(|block| block.number).collect();
        assert_eq!(numbers, [1, 2]);
        blocks.lift(network("203.0.113.9/24").expect("a range"));
        check(&blocks, "203.0.113.255", false);
    }

    #[test]
    fn a_range_is_not_too_wide() {
        for (text, expected) in [
            ("192.0.2.1", Ok("192.0.2.1/32")),
            ("::ffff:192.0.2.1", Ok("192.0.2.1/32")),
            ("10.1.2.3/8", Ok("10.0.0.0/8")),
            ("2001:db8::1/64", Ok("2001:db8::/64")),
            ("0.0.0.0/0", Err(NetworkFault::TooWide)),
            ("10.0.0.0/7", Err(NetworkFault::TooWide)),
            ("::/15", Err(NetworkFault::TooWide)),
            ("example", Err(NetworkFault::NoNetwork)),
            ("", Err(NetworkFault::NoNetwork)),
        ] {
            let found = network(text).map(|network| network.to_string());
            assert_eq!(found, expected.map(str::to_owned), "{text}");
        }
    }
}
