//! Who may connect: how many there are, from where, how far they are and how fast they come.
//!
//! A connection takes a [`Slot`] before anything is read from it and keeps it to its end. The address comes first: who
//! floods from one address runs into its own limits before it can use up anybody else's share.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;

use crate::address::ClientAddress;
use crate::config::Limits;
use crate::metrics;
use crate::session::Bucket;

/// Sources that may be remembered before those are forgotten that have nothing open and have rested.
const SWEEP_FROM: usize = 1_024;

/// When somebody may come again who was refused because there are too many connections, ms.
const FULL_RETRY_MS: i64 = 5_000;

/// Why a connection is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The server has as many connections as it may.
    Full,
    /// The address has.
    AddressFull,
    /// Too many connections of the whole server are nobody's yet.
    Unauthenticated,
    /// Too many connections of the address are nobody's yet.
    AddressUnauthenticated,
    /// Too many came to the server in a short time; there is room again in so many ms.
    TooFast(i64),
    /// Too many came from the address in a short time; there is room again in so many ms.
    AddressTooFast(i64),
}

impl Refusal {
    /// The name in figures and answers.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Full => "server_full",
            Self::AddressFull => "address_full",
            Self::Unauthenticated => "server_unauthenticated",
            Self::AddressUnauthenticated => "address_unauthenticated",
            Self::TooFast(_) => "server_rate",
            Self::AddressTooFast(_) => "address_rate",
        }
    }

    pub(super) const fn meaning(self) -> &'static str {
        match self {
            Self::Full => "the server has as many connections as it may",
            Self::AddressFull => "your address has as many connections as it may",
            Self::Unauthenticated => "too many connections have not authenticated yet",
            Self::AddressUnauthenticated => {
                "too many connections of your address have not authenticated yet"
            }
            Self::TooFast(_) => "too many connections come at once",
            Self::AddressTooFast(_) => "too many connections come from your address at once",
        }
    }

    /// Whether the client or the server has too much.
    pub(super) const fn status(self) -> StatusCode {
        match self {
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
        let ms = match self {
            Self::TooFast(ms) | Self::AddressTooFast(ms) => ms,
            Self::Full
            | Self::AddressFull
            | Self::Unauthenticated
            | Self::AddressUnauthenticated => FULL_RETRY_MS,
        };
        (ms + 999) / 1_000
    }
}

/// All connections there are.
#[derive(Debug)]
pub struct Connections {
    limits: Limits,
    counts: Mutex<Counts>,
    /// Those that have become WebSockets and have not said goodbye yet.
    sockets: AtomicUsize,
}

#[derive(Debug)]
struct Counts {
    all: Tally,
    sources: HashMap<ClientAddress, Tally>,
    sweep_at: usize,
}

/// What is known of one address, or of all.
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

    fn is_worth_knowing(&self, now: i64) -> bool {
        self.open > 0 || !self.rate.is_full(now)
    }
}

impl Connections {
    /// Returns the count of no connections under these limits, at `now`, unix ms.
    #[must_use]
    pub fn new(limits: &Limits, now: i64) -> Self {
        let rate = Bucket::full(now, limits.accepts_per_second, limits.accept_burst);
        Self {
            limits: limits.clone(),
            counts: Mutex::new(Counts {
                all: Tally::new(rate),
                sources: HashMap::new(),
                sweep_at: SWEEP_FROM,
            }),
            sockets: AtomicUsize::new(0),
        }
    }

    /// Returns how many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.lock().all.open
    }

    /// Returns how many of them are WebSockets that have not said goodbye yet.
    #[must_use]
    pub fn sockets(&self) -> usize {
        self.sockets.load(Ordering::Acquire)
    }

    pub(super) fn socket(self: &Arc<Self>) -> OpenSocket {
        self.sockets.fetch_add(1, Ordering::AcqRel);
        OpenSocket(Arc::clone(self))
    }

    /// Takes a new connection in. That of a proxy has no source: its client's is counted when that is known, by
    /// [`Slot::comes_from`].
    pub(super) fn enter(
        self: &Arc<Self>,
        source: Option<ClientAddress>,
        now: i64,
    ) -> Result<Slot, Refusal> {
        let mut counts = self.lock();
        if let Some(source) = source {
            counts.check_source(&self.limits, source, now, Stage::Unauthenticated)?;
        }
        counts.check_all(&self.limits, now)?;
        counts.all.open += 1;
        counts.all.unauthenticated += 1;
        if let Some(source) = source {
            counts.add(source, Stage::Unauthenticated);
        }
        drop(counts);
        metrics::connections(1);
        Ok(Slot {
            connections: Arc::clone(self),
            held: Mutex::new(Held {
                source,
                stage: Stage::Unauthenticated,
            }),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    fn check_source(
        &mut self,
        limits: &Limits,
        source: ClientAddress,
        now: i64,
        stage: Stage,
    ) -> Result<(), Refusal> {
        self.sweep(now);
        let tally = self.sources.entry(source).or_insert_with(|| {
            Tally::new(Bucket::full(
                now,
                limits.accepts_per_second_per_address,
                limits.accept_burst_per_address,
            ))
        });
        if tally.open >= limits.connections_per_address {
            return Err(Refusal::AddressFull);
        }
        let is_waiting = stage == Stage::Unauthenticated;
        if is_waiting && tally.unauthenticated >= limits.unauthenticated_per_address {
            return Err(Refusal::AddressUnauthenticated);
        }
        tally.rate.take(now).map_err(Refusal::AddressTooFast)
    }

    fn check_all(&mut self, limits: &Limits, now: i64) -> Result<(), Refusal> {
        if self.all.open >= limits.connections {
            return Err(Refusal::Full);
        }
        if self.all.unauthenticated >= limits.unauthenticated {
            return Err(Refusal::Unauthenticated);
        }
        self.all.rate.take(now).map_err(Refusal::TooFast)
    }

    fn add(&mut self, source: ClientAddress, stage: Stage) {
        if let Some(tally) = self.sources.get_mut(&source) {
            tally.open += 1;
            tally.unauthenticated += usize::from(stage == Stage::Unauthenticated);
        }
    }

    /// Forgets who has gone and rested, whenever the number of those remembered has doubled.
    fn sweep(&mut self, now: i64) {
        if self.sources.len() >= self.sweep_at {
            self.sources.retain(|_, tally| tally.is_worth_knowing(now));
            self.sweep_at = (2 * self.sources.len()).max(SWEEP_FROM);
        }
    }
}

/// How far a connection is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Unauthenticated,
    Somebody,
}

/// One connection's place; free again when dropped.
#[derive(Debug)]
pub(super) struct Slot {
    connections: Arc<Connections>,
    held: Mutex<Held>,
}

#[derive(Debug, Clone, Copy)]
struct Held {
    source: Option<ClientAddress>,
    stage: Stage,
}

impl Slot {
    /// Returns from where the client comes, once that is known.
    pub(super) fn source(&self) -> Option<ClientAddress> {
        self.held().source
    }

    /// Counts the connection for the client a proxy asks for.
    pub(super) fn comes_from(&self, source: ClientAddress, now: i64) -> Result<(), Refusal> {
        let mut held = self.held();
        let mut counts = self.connections.lock();
        if held.source == Some(source) {
            return Ok(());
        }
        counts.check_source(&self.connections.limits, source, now, held.stage)?;
        counts.add(source, held.stage);
        if let Some(former) = held.source.replace(source) {
            counts.remove(former, held.stage);
        }
        Ok(())
    }

    /// Says that the connection is somebody's.
    pub(super) fn authenticated(&self) {
        let mut held = self.held();
        if held.stage == Stage::Somebody {
            return;
        }
        held.stage = Stage::Somebody;
        let mut counts = self.connections.lock();
        counts.all.unauthenticated -= 1;
        let tally = held
            .source
            .and_then(|source| counts.sources.get_mut(&source));
        if let Some(tally) = tally {
            tally.unauthenticated -= 1;
        }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    fn remove(&mut self, source: ClientAddress, stage: Stage) {
        if let Some(tally) = self.sources.get_mut(&source) {
            tally.open -= 1;
            tally.unauthenticated -= usize::from(stage == Stage::Unauthenticated);
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let held = *self.held();
        let mut counts = self.connections.lock();
        counts.all.open -= 1;
        counts.all.unauthenticated -= usize::from(held.stage == Stage::Unauthenticated);
        if let Some(source) = held.source {
            counts.remove(source, held.stage);
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
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn connections(change: impl FnOnce(&mut Limits)) -> Arc<Connections> {
        let mut limits = Limits {
            connections: 6,
            connections_per_address: 3,
            unauthenticated: 5,
            unauthenticated_per_address: 2,
            accepts_per_second: 10,
            accept_burst: 100,
            accepts_per_second_per_address: 10,
            accept_burst_per_address: 100,
            ..Limits::default()
        };
        change(&mut limits);
        Arc::new(Connections::new(&limits, 0))
    }

    fn source(last: u8) -> Option<ClientAddress> {
        Some(ClientAddress::from(IpAddr::from([192, 0, 2, last])))
    }

    fn refusal(connections: &Arc<Connections>, last: u8) -> Option<Refusal> {
        connections.enter(source(last), 0).err()
    }

    #[test]
    fn an_address_runs_into_its_own_limits_and_leaves_room_for_others() {
        let all = connections(|_| {});
        let first = all.enter(source(1), 0).unwrap();
        let second = all.enter(source(1), 0).unwrap();
        assert_eq!(refusal(&all, 1), Some(Refusal::AddressUnauthenticated));
        first.authenticated();
        first.authenticated();
        let third = all.enter(source(1), 0).unwrap();
        second.authenticated();
        assert_eq!(refusal(&all, 1), Some(Refusal::AddressFull));
        assert_eq!(refusal(&all, 2), None);
        drop(third);
        assert_eq!(refusal(&all, 1), None);
        drop((first, second));
        assert_eq!(all.count(), 0);
        assert_eq!(all.lock().all.unauthenticated, 0);
    }

    #[test]
    fn the_whole_server_has_limits_too() {
        let all = connections(|limits| limits.connections = 5);
        let slots: Vec<_> = (0..5)
            .map(|last| all.enter(source(last), 0).unwrap())
            .collect();
        assert_eq!(refusal(&all, 9), Some(Refusal::Full));
        drop(slots);
        let all = connections(|_| {});
        let slots: Vec<_> = (0..5)
            .map(|last| all.enter(source(last), 0).unwrap())
            .collect();
        assert_eq!(refusal(&all, 9), Some(Refusal::Unauthenticated));
        slots[0].authenticated();
        assert_eq!(refusal(&all, 9), None);
    }

    #[test]
    fn a_flood_from_one_address_does_not_use_up_the_rate_of_all() {
        let all = connections(|limits| {
            limits.accept_burst = 3;
            limits.accept_burst_per_address = 1;
        });
        assert_eq!(refusal(&all, 1), None);
        for _ in 0..100 {
            assert_eq!(refusal(&all, 1), Some(Refusal::AddressTooFast(100)));
        }
        assert_eq!(refusal(&all, 2), None);
        assert_eq!(refusal(&all, 3), None);
        let refused = refusal(&all, 4).unwrap();
        assert_eq!(refused, Refusal::TooFast(100));
        assert_eq!(refused.retry_after_s(), 1);
        assert!(all.enter(source(4), 100).is_ok());
    }

    #[test]
    fn a_proxys_client_is_counted_when_it_is_known() {
        let all = connections(|_| {});
        let slots: Vec<_> = (0..3).map(|_| all.enter(None, 0).unwrap()).collect();
        let one = source(1).unwrap();
        assert_eq!(slots[0].comes_from(one, 0), Ok(()));
        assert_eq!(slots[0].comes_from(one, 0), Ok(()));
        assert_eq!(slots[1].comes_from(one, 0), Ok(()));
        assert_eq!(
            slots[2].comes_from(one, 0),
            Err(Refusal::AddressUnauthenticated)
        );
        drop(slots);
        assert_eq!(all.lock().sources[&one].open, 0);
    }

    #[test]
    fn who_has_gone_and_rested_is_forgotten() {
        let all = connections(|limits| {
            limits.accept_burst = 1_000_000;
            limits.accepts_per_second = 1_000_000;
        });
        for number in 0..20_000_u32 {
            let address = IpAddr::from(number.to_be_bytes());
            let at = i64::from(number);
            drop(all.enter(Some(ClientAddress::from(address)), at).unwrap());
        }
        let known = all.lock().sources.len();
        assert!(known <= 2 * SWEEP_FROM, "{known} are remembered");
    }
}
