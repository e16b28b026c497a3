//! The budgets for what arrives: of a connection, of an identity, and of the networks of an address.
//!
//! Everything that a client sends has a cost: each request by its kind, each control frame, and each byte of any frame.
//! A budget refills all the time. When one is overdrawn, the server reads nothing more from the connection until it has
//! refilled: a flood then waits in the sender's socket and costs nothing.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tilewire_protocol::{ClientMessage, GameScope};
use tilewire_rules::time::{Millis, Timestamp};

use tilewire_base::address::{ClientAddress, ClientNetwork};
use tilewire_base::clock::ServerClock;
use tilewire_base::metrics;
use tilewire_config::Limits;
use tilewire_delivery::outbound::PeerId;
use tilewire_delivery::session::Bucket;

#[cfg(test)]
mod tests;

/// The budget of a connection, in multiples of its messages: requests that cost more than the simplest one.
const CONNECTION_TIMES: u32 = 4;
/// The budget of an identity, in multiples of the messages of a connection.
const IDENTITY_TIMES: u32 = 8;
/// Budgets that are remembered before full ones without a connection are dropped.
const SWEEP_FROM: usize = 1_024;

/// Shortest time between two lines of the log that name a flood.
const LOG_EVERY_MS: Millis = Millis(1_000);

/// A cost, in thousandths of the simplest request. One byte costs one thousandth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost(i64);

impl Cost {
    /// The simplest request, and a control frame.
    pub(super) const ONE: Self = Self::requests(1);
    /// A record over HTTP, for which the server reads and replays a whole game, and a request for the API.
    pub(super) const RECORD: Self = Self::requests(20);

    /// An export over HTTP, for which the server reads, replays and compresses hundreds of games.
    pub(super) const EXPORT: Self = Self::requests(500);

    /// Lists of finished games, look-ups and rematches, in simple requests: the server reads stored games.
    const STORED_GAMES: i64 = 20;

    const fn requests(count: i64) -> Self {
        Self(count * 1_000)
    }

    fn bytes(count: usize) -> Self {
        Self(i64::try_from(count).unwrap_or(i64::MAX))
    }

    /// Returns the cost of a request: about how much processor time it takes, compared with the simplest one.
    pub(super) fn of(message: &ClientMessage) -> Self {
        Self::requests(match message {
            ClientMessage::ListGames(list) => match list.scope {
                GameScope::Finished => Self::STORED_GAMES,
                GameScope::Mine | GameScope::Live | GameScope::Unknown => 4,
            },
            ClientMessage::LookUp(_) | ClientMessage::OfferRematch(_) => Self::STORED_GAMES,
            // A room that nobody is in is read from the storage.
            ClientMessage::LobbySubscribe(_) | ClientMessage::ChatJoin(_) => 4,
            ClientMessage::RuleSet(_)
            | ClientMessage::Attach(_)
            | ClientMessage::Rename(_)
            | ClientMessage::FindSeek(_) => 2,
            ClientMessage::Invite(_) => 4,
            // Each excluded player is looked up.
            ClientMessage::Seek(body) => {
                let excluded = body.criteria.iter().map(|criteria| criteria.exclude.len());
                2 + 2 * i64::try_from(excluded.sum::<usize>()).unwrap_or(i64::MAX / 4)
            }
            other if other.seek_command().is_some() => 2,
            _ => 1,
        })
    }
}

/// The owner of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Connection,
    Identity,
    Network,
}

impl Owner {
    /// The name in metrics and logs.
    const fn name(self) -> &'static str {
        match self {
            Self::Connection => "connection",
            Self::Identity => "identity",
            Self::Network => "address",
        }
    }
}

/// A budget that several connections may share.
#[derive(Debug)]
struct Budget {
    owner: Owner,
    bucket: Mutex<Bucket>,
}

impl Budget {
    fn charge(&self, now: Timestamp, cost: Cost) -> Millis {
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        bucket.charge(now, cost.0)
    }

    fn is_full(&self, now: Timestamp) -> bool {
        let bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        bucket.is_full(now)
    }
}

/// The budgets of all identities and networks.
#[derive(Debug)]
pub struct Budgets {
    limits: Limits,
    clock: ServerClock,
    identities: Mutex<Shared<String>>,
    networks: Mutex<Shared<ClientNetwork>>,
    /// When the log last named a flood.
    logged_at: AtomicI64,
}

/// The budgets of one kind of owner.
#[derive(Debug)]
struct Shared<K> {
    budgets: HashMap<K, Arc<Budget>>,
    sweep_at: usize,
}

impl<K: Eq + Hash> Shared<K> {
    fn new() -> Self {
        Self {
            budgets: HashMap::new(),
            sweep_at: SWEEP_FROM,
        }
    }

    /// Returns the budget of an owner. Whenever the number of budgets has doubled, those that say nothing are dropped.
    fn of<Q>(&mut self, key: &Q, now: Timestamp, new: impl FnOnce() -> Budget) -> Arc<Budget>
    where
        K: Borrow<Q>,
        Q: ToOwned<Owned = K> + Eq + Hash + ?Sized,
    {
        if let Some(known) = self.budgets.get(key) {
            return Arc::clone(known);
        }
        if self.budgets.len() >= self.sweep_at {
            self.budgets
                .retain(|_, budget| Arc::strong_count(budget) > 1 || !budget.is_full(now));
            self.sweep_at = (2 * self.budgets.len()).max(SWEEP_FROM);
        }
        let budget = Arc::new(new());
        self.budgets.insert(key.to_owned(), Arc::clone(&budget));
        budget
    }
}

impl Budgets {
    /// Returns the budgets that follow from these limits.
    #[must_use]
    pub fn new(limits: &Limits, clock: ServerClock) -> Self {
        Self {
            limits: limits.clone(),
            clock,
            identities: Mutex::new(Shared::new()),
            networks: Mutex::new(Shared::new()),
            logged_at: AtomicI64::new(i64::MIN),
        }
    }

    /// Says whether the log may name a flood now: a flood must not fill the log.
    pub(super) fn may_log(&self) -> bool {
        let now = self.clock.now();
        let last = self.logged_at.load(Ordering::Relaxed);
        let is_due = last == i64::MIN || now - Timestamp(last) >= LOG_EVERY_MS;
        is_due
            && self
                .logged_at
                .compare_exchange(last, now.0, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
    }

    /// Returns the meter of a new connection from this address, if it is known.
    pub(super) fn meter(
        self: &Arc<Self>,
        connection: PeerId,
        address: Option<ClientAddress>,
    ) -> Meter {
        let own = self.of_messages(Owner::Connection, CONNECTION_TIMES);
        let mut charged = vec![Arc::new(own)];
        charged.extend(
            address
                .into_iter()
                .flat_map(|address| self.of_networks(address)),
        );
        Meter {
            budgets: Arc::clone(self),
            connection,
            address,
            identity: OnceLock::new(),
            charged: Mutex::new(charged),
            paused_until: AtomicI64::new(i64::MIN),
        }
    }

    /// Charges the networks of an address for a request over HTTP; returns the time to wait before it is answered.
    pub(super) fn charge_address(&self, address: ClientAddress, cost: Cost) -> Millis {
        let now = self.clock.now();
        let waits = self
            .of_networks(address)
            .into_iter()
            .map(|budget| budget.charge(now, cost));
        waits.max().unwrap_or(Millis::ZERO)
    }

    fn of_networks(&self, address: ClientAddress) -> Vec<Arc<Budget>> {
        let now = self.clock.now();
        let mut shared = self.networks.lock().unwrap_or_else(PoisonError::into_inner);
        let networks = address.networks();
        networks
            .map(|(network, times)| shared.of(&network, now, || self.of_network(times)))
            .collect()
    }

    fn of_network(&self, times: usize) -> Budget {
        let times = u32::try_from(times).unwrap_or(u32::MAX);
        let limits = &self.limits;
        let (rate, burst) = (
            limits.budget_per_second_per_address,
            limits.budget_burst_per_address,
        );
        self.budget(Owner::Network, (rate, burst), times)
    }

    fn of_messages(&self, owner: Owner, times: u32) -> Budget {
        let limits = &self.limits;
        let messages = (limits.messages_per_second, limits.message_burst);
        self.budget(owner, messages, times)
    }

    fn budget(&self, owner: Owner, (per_second, burst): (u32, u32), times: u32) -> Budget {
        let (per_second, burst) = (
            per_second.saturating_mul(times),
            burst.saturating_mul(times),
        );
        Budget {
            owner,
            bucket: Mutex::new(Bucket::full(self.clock.now(), per_second, burst)),
        }
    }
}

/// Counts what arrives on one connection, and says when the next bytes may be read.
#[derive(Debug)]
pub(super) struct Meter {
    budgets: Arc<Budgets>,
    connection: PeerId,
    address: Option<ClientAddress>,
    identity: OnceLock<String>,
    charged: Mutex<Vec<Arc<Budget>>>,
    paused_until: AtomicI64,
}

impl Meter {
    /// Charges the budget of this identity too, from now on.
    pub(super) fn belongs_to(&self, identity: &str) {
        let budgets = &self.budgets;
        let now = budgets.clock.now();
        let mut shared = budgets
            .identities
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let new = || budgets.of_messages(Owner::Identity, IDENTITY_TIMES);
        let budget = shared.of(identity, now, new);
        self.charged().push(budget);
        // A connection authenticates once.
        drop(self.identity.set(identity.to_owned()));
    }

    /// Charges all budgets of the connection; reading pauses while one of them is overdrawn.
    pub(super) fn charge(&self, cost: Cost) {
        let now = self.budgets.clock.now();
        let charged = self.charged();
        let waits = charged
            .iter()
            .map(|budget| (budget.charge(now, cost), budget.owner));
        let longest = waits.max_by_key(|(wait, _)| *wait);
        if let Some((wait, owner)) = longest.filter(|(wait, _)| *wait > Millis::ZERO) {
            let until = (now + wait).0;
            if self.paused_until.fetch_max(until, Ordering::Relaxed) <= now.0 {
                self.pauses(owner);
            }
        }
    }

    fn pauses(&self, owner: Owner) {
        metrics::reading_paused(owner.name());
        if self.budgets.may_log() {
            tracing::warn!(
                connection = self.connection.0,
                address = self.address.map(tracing::field::display),
                identity = self.identity.get(),
                budget = owner.name(),
                "a client sends too much; the server reads slowly from it"
            );
        }
    }

    /// Returns the number of the connection.
    pub(super) const fn connection(&self) -> PeerId {
        self.connection
    }

    /// Charges bytes that were read.
    pub(super) fn charge_bytes(&self, count: usize) {
        self.charge(Cost::bytes(count));
    }

    /// Returns the time until bytes may be read again, if that is not now.
    pub(super) fn pause(&self) -> Option<Millis> {
        let until = Timestamp(self.paused_until.load(Ordering::Relaxed));
        if until == Timestamp(i64::MIN) {
            return None;
        }
        let left = until - self.budgets.clock.now();
        (left > Millis::ZERO).then_some(left)
    }

    fn charged(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Budget>>> {
        self.charged.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
