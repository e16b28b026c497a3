//! Limits of connections: their number, by address and in all, authenticated or not, and their rate.
//!
//! A connection takes a [`Slot`] before anything is read from it, and keeps it to its end. The limits of its address
//! are checked first, so that a flood from one address does not use up the limits of all.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;
use tilewire_rules::time::{Millis, Timestamp};

use tilewire_base::address::{ClientAddress, ClientNetwork};
use tilewire_base::http::retry_after_s;
use tilewire_base::metrics;
use tilewire_config::Limits;
use tilewire_delivery::session::Bucket;

/// Networks that are remembered before those without connections are dropped.
const SWEEP_FROM: usize = 1_024;

/// When a client of a blocked address may retry. A block can end earlier or later.
const BLOCKED_RETRY: Millis = Millis(3_600_000);
/// When a client may retry after the server had too many connections.
const FULL_RETRY: Millis = Millis(5_000);

/// The reasons why a connection is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The server has too many connections.
    Full,
    /// The address has too many connections.
    AddressFull,
    /// The server has too many unauthenticated connections.
    Unauthenticated,
    /// The address has too many unauthenticated connections.
    AddressUnauthenticated,
    /// The server got too many connections in a short time; the wait until it accepts one again, ms.
    TooFast(Millis),
    /// An admin has blocked the address.
    AddressBlocked,
    /// The address opened too many connections in a short time; the wait until it may open one again, ms.
    AddressTooFast(Millis),
}

impl Refusal {
    /// The name in metrics and answers.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Full => "server_full",
            Self::AddressFull => "address_full",
            Self::Unauthenticated => "server_unauthenticated",
            Self::AddressUnauthenticated => "address_unauthenticated",
            Self::AddressBlocked => "address_blocked",
            Self::TooFast(_) => "server_rate",
            Self::AddressTooFast(_) => "address_rate",
        }
    }

    pub(super) const fn meaning(self) -> &'static str {
        match self {
            Self::Full => "the server has too many connections",
            Self::AddressFull => "your address has too many connections",
            Self::Unauthenticated => "too many connections have not authenticated yet",
            Self::AddressUnauthenticated => {
                "too many connections of your address have not authenticated yet"
            }
            Self::AddressBlocked => "the operator has blocked your address",
            Self::TooFast(_) => "too many connections in a short time",
            Self::AddressTooFast(_) => "too many connections from your address in a short time",
        }
    }

    /// The status says whether the client or the server has too many.
    pub(super) const fn status(self) -> StatusCode {
        match self {
            Self::AddressBlocked => StatusCode::FORBIDDEN,
            Self::Full | Self::Unauthenticated | Self::TooFast(_) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::AddressFull | Self::AddressUnauthenticated | Self::AddressTooFast(_) => {
                StatusCode::TOO_MANY_REQUESTS
            }
        }
    }

    /// For `Retry-After`: whole seconds, at least one.
    pub(super) const fn retry_after_s(self) -> i64 {
        retry_after_s(match self {
            Self::TooFast(wait) | Self::AddressTooFast(wait) => wait,
            Self::AddressBlocked => BLOCKED_RETRY,
            Self::Full
            | Self::AddressFull
            | Self::Unauthenticated
            | Self::AddressUnauthenticated => FULL_RETRY,
        })
    }
}

/// All connections.
#[derive(Debug)]
pub struct Connections {
    limits: Limits,
    counts: Mutex<Counts>,
    /// WebSockets whose connection has not ended.
    sockets: AtomicUsize,
}

#[derive(Debug)]
struct Counts {
    all: Tally,
    networks: HashMap<ClientNetwork, Tally>,
    sweep_at: usize,
}

/// The count of one address, or of all.
#[derive(Debug, Clone, Copy)]
struct Tally {
    open: usize,
    unauthenticated: usize,
    rate: Bucket,
}

impl Tally {
    const fn new(rate: Bucket) -> Self {
        Self {
            open: 0,
            unauthenticated: 0,
            rate,
        }
    }

    fn is_worth_knowing(&self, now: Timestamp) -> bool {
        self.open > 0 || !self.rate.is_full(now)
    }
}

impl Connections {
    /// Returns an empty count with these limits, at `now`.
    #[must_use]
    pub fn new(limits: &Limits, now: Timestamp) -> Self {
        let rate = Bucket::full(now, limits.accepts_per_second, limits.accept_burst);
        Self {
            limits: limits.clone(),
            counts: Mutex::new(Counts {
                all: Tally::new(rate),
                networks: HashMap::new(),
                sweep_at: SWEEP_FROM,
            }),
            sockets: AtomicUsize::new(0),
        }
    }

    /// Returns the number of connections.
    #[must_use]
    pub fn count(&self) -> usize {
        self.lock().all.open
    }

    /// Returns the number of WebSockets whose connection has not ended.
    #[must_use]
    pub fn sockets(&self) -> usize {
        self.sockets.load(Ordering::Acquire)
    }

    pub(super) fn socket(self: &Arc<Self>) -> OpenSocket {
        self.sockets.fetch_add(1, Ordering::AcqRel);
        OpenSocket(Arc::clone(self))
    }

    /// Counts a new connection. A proxy's connection has no address yet; [`Slot::comes_from`] counts its client.
    pub(super) fn enter(
        self: &Arc<Self>,
        address: Option<ClientAddress>,
        now: Timestamp,
    ) -> Result<Slot, Refusal> {
        let mut counts = self.lock();
        if let Some(address) = address {
            counts.check_address(&self.limits, address, now, Stage::Unauthenticated)?;
        }
        counts.check_all(&self.limits, now)?;
        counts.all.open += 1;
        counts.all.unauthenticated += 1;
        if let Some(address) = address {
            counts.add(address, Stage::Unauthenticated);
        }
        drop(counts);
        metrics::connections(1);
        Ok(Slot {
            connections: Arc::clone(self),
            held: Mutex::new(SlotState {
                address,
                stage: Stage::Unauthenticated,
            }),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    fn check_address(
        &mut self,
        limits: &Limits,
        address: ClientAddress,
        now: Timestamp,
        stage: Stage,
    ) -> Result<(), Refusal> {
        self.sweep(now);
        let is_waiting = stage == Stage::Unauthenticated;
        for (network, times) in address.networks() {
            let tally = self
                .networks
                .entry(network)
                .or_insert_with(|| Tally::new(address_rate(limits, times, now)));
            if tally.open >= limits.connections_per_address.saturating_mul(times) {
                return Err(Refusal::AddressFull);
            }
            let unauthenticated = limits.unauthenticated_per_address.saturating_mul(times);
            if is_waiting && tally.unauthenticated >= unauthenticated {
                return Err(Refusal::AddressUnauthenticated);
            }
            tally.rate.take(now).map_err(Refusal::AddressTooFast)?;
        }
        Ok(())
    }

    fn check_all(&mut self, limits: &Limits, now: Timestamp) -> Result<(), Refusal> {
        if self.all.open >= limits.connections {
            return Err(Refusal::Full);
        }
        if self.all.unauthenticated >= limits.unauthenticated {
            return Err(Refusal::Unauthenticated);
        }
        self.all.rate.take(now).map_err(Refusal::TooFast)
    }

    fn add(&mut self, address: ClientAddress, stage: Stage) {
        self.each(address, |tally| {
            tally.open += 1;
            tally.unauthenticated += usize::from(stage == Stage::Unauthenticated);
        });
    }

    fn remove(&mut self, address: ClientAddress, stage: Stage) {
        self.each(address, |tally| {
            tally.open -= 1;
            tally.unauthenticated -= usize::from(stage == Stage::Unauthenticated);
        });
    }

    /// Changes the counts of a client's networks.
    fn each(&mut self, address: ClientAddress, change: impl Fn(&mut Tally)) {
        for (network, _) in address.networks() {
            if let Some(tally) = self.networks.get_mut(&network) {
                change(tally);
            }
        }
    }

    /// Drops the counts that say nothing, whenever the number of networks has doubled.
    fn sweep(&mut self, now: Timestamp) {
        if self.networks.len() >= self.sweep_at {
            self.networks.retain(|_, tally| tally.is_worth_knowing(now));
            self.sweep_at = (2 * self.networks.len()).max(SWEEP_FROM);
        }
    }
}

/// Returns the rate limit of new connections for a network: a multiple of the limit for an address.
fn address_rate(limits: &Limits, times: usize, now: Timestamp) -> Bucket {
    let times = u32::try_from(times).unwrap_or(u32::MAX);
    Bucket::full(
        now,
        limits.accepts_per_second_per_address.saturating_mul(times),
        limits.accept_burst_per_address.saturating_mul(times),
    )
}

/// The stage of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Unauthenticated,
    Authenticated,
}

/// The slot of one connection; dropping it frees the slot.
#[derive(Debug)]
pub(super) struct Slot {
    connections: Arc<Connections>,
    held: Mutex<SlotState>,
}

#[derive(Debug, Clone, Copy)]
struct SlotState {
    address: Option<ClientAddress>,
    stage: Stage,
}

impl Slot {
    /// Returns the client's address, once it is known.
    pub(super) fn address(&self) -> Option<ClientAddress> {
        self.held().address
    }

    /// Counts the connection for the client that a proxy names.
    pub(super) fn comes_from(&self, address: ClientAddress, now: Timestamp) -> Result<(), Refusal> {
        let mut held = self.held();
        let mut counts = self.connections.lock();
        if held.address == Some(address) {
            return Ok(());
        }
        counts.check_address(&self.connections.limits, address, now, held.stage)?;
        counts.add(address, held.stage);
        if let Some(former) = held.address.replace(address) {
            counts.remove(former, held.stage);
        }
        Ok(())
    }

    /// Notes that the client has authenticated.
    pub(super) fn authenticated(&self) {
        let mut held = self.held();
        if held.stage == Stage::Authenticated {
            return;
        }
        held.stage = Stage::Authenticated;
        let mut counts = self.connections.lock();
        counts.all.unauthenticated -= 1;
        if let Some(address) = held.address {
            counts.each(address, |tally| tally.unauthenticated -= 1);
        }
    }

    fn held(&self) -> MutexGuard<'_, SlotState> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let held = *self.held();
        let mut counts = self.connections.lock();
        counts.all.open -= 1;
        counts.all.unauthenticated -= usize::from(held.stage == Stage::Unauthenticated);
        if let Some(address) = held.address {
            counts.remove(address, held.stage);
        }
        drop(counts);
        metrics::connections(-1);
    }
}

/// Counts one WebSocket until it is dropped.
#[derive(Debug)]
pub(super) struct OpenSocket(Arc<Connections>);

impl Drop for OpenSocket {
    fn drop(&mut self) {
        self.0.sockets.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests;
