//! All authenticated connections, by identity.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dashmap::DashMap;
use tilewire_protocol::{Notice, ServerMessage};

use super::peer::Peer;
use super::presence::Presence;
use super::recipient::PeerId;

/// The way to the connections of an identity to other nodes.
pub trait OtherNodes: std::fmt::Debug + Send + Sync {
    /// Sends a push to the connections of an identity to other nodes, except for some. It can get lost.
    fn call(&self, identity: &str, except: &[PeerId], message: &ServerMessage);
}

/// All authenticated connections, by identity.
#[derive(Debug, Default)]
pub struct Registry {
    by_identity: DashMap<String, BTreeMap<PeerId, Peer>>,
    next_id: AtomicU64,
    /// Identities whose last connection was closed by their client; the lobby takes them every second.
    departed: Mutex<BTreeSet<String>>,
    /// The other nodes, for a server among several.
    others: Option<Arc<dyn OtherNodes>>,
}

impl Registry {
    /// Returns the registry of a node among several.
    #[must_use]
    pub fn among(others: Arc<dyn OtherNodes>) -> Self {
        Self {
            others: Some(others),
            ..Self::default()
        }
    }

    /// Returns an id for a new connection.
    pub fn next_id(&self) -> PeerId {
        PeerId(self.next_id.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Adds a connection.
    ///
    /// # Errors
    /// When its identity has `most` connections already.
    pub fn insert(&self, peer: &Peer, most: usize) -> Result<(), TooManyConnections> {
        let mut own = self
            .by_identity
            .entry(peer.identity().to_owned())
            .or_default();
        if own.len() >= most {
            return Err(TooManyConnections);
        }
        own.insert(peer.id(), peer.clone());
        Ok(())
    }

    /// Removes a connection; returns whether its identity has no other.
    pub fn remove(&self, peer: &Peer, end: ConnectionEnd) -> bool {
        let mut is_last = false;
        if let Some(mut own) = self.by_identity.get_mut(peer.identity()) {
            own.remove(&peer.id());
            is_last = own.is_empty();
        }
        if is_last {
            self.by_identity
                .remove_if(peer.identity(), |_, own| own.is_empty());
            if end == ConnectionEnd::Closed {
                self.departed().insert(peer.identity().to_owned());
            }
        }
        is_last
    }

    /// Returns all connections of an identity.
    #[must_use]
    pub fn of(&self, identity: &str) -> Vec<Peer> {
        self.by_identity
            .get(identity)
            .map(|own| own.values().cloned().collect())
            .unwrap_or_default()
    }

    /// Sends a push to the connections of an identity, to any node, except for some.
    pub fn call(&self, identity: &str, except: &[PeerId], message: &ServerMessage) {
        for peer in self.of(identity) {
            if !except.contains(&peer.id()) {
                peer.send(0, message);
            }
        }
        if let Some(others) = &self.others {
            others.call(identity, except, message);
        }
    }

    /// Says whether a connection has not ended.
    #[must_use]
    pub fn is_connected(&self, peer: &Peer) -> bool {
        let own = self.by_identity.get(peer.identity());
        own.is_some_and(|own| own.contains_key(&peer.id()))
    }

    /// Returns all connections, in the order of their ids.
    #[must_use]
    pub fn all(&self) -> Vec<Peer> {
        let each = self.by_identity.iter();
        let mut all: Vec<Peer> = each
            .flat_map(|own| own.values().cloned().collect::<Vec<_>>())
            .collect();
        all.sort_unstable_by_key(Peer::id);
        all
    }

    /// Sends a notice to all connections to this node; returns how many there are.
    pub fn notice(&self, notice: &Notice) -> usize {
        let mut peers = self.all();
        peers.retain(Peer::is_here);
        for peer in &peers {
            peer.send(0, &ServerMessage::Notice(notice.clone()));
        }
        peers.len()
    }

    /// Sends a notice to the connections of an identity, to any node.
    pub fn notice_to(&self, identity: &str, notice: &Notice) {
        self.call(identity, &[], &ServerMessage::Notice(notice.clone()));
    }

    fn departed(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.departed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Presence for Registry {
    fn is_online(&self, identity: &str) -> bool {
        self.by_identity.contains_key(identity)
    }

    fn online(&self) -> usize {
        self.by_identity.len()
    }

    fn take_departed(&self) -> BTreeSet<String> {
        std::mem::take(&mut self.departed())
    }
}

/// The way a connection ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectionEnd {
    /// The client closed it.
    Closed,
    /// It was lost, or the server closed it.
    Lost,
}

/// The identity has as many connections as it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the identity has too many connections")]
pub struct TooManyConnections;
