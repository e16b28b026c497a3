//! Connections that have ended, for the game they were attached to.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use tilewire_delivery::outbound::PeerId;

/// Connections that have ended. Bounded by the number of connections, so that no end gets lost.
#[derive(Debug, Default)]
pub(crate) struct GonePeers {
    peers: Mutex<BTreeSet<PeerId>>,
    changed: Notify,
}

impl GonePeers {
    pub(crate) fn add(&self, peer: PeerId) {
        self.lock().insert(peer);
        self.changed.notify_one();
    }

    /// Waits until a connection has ended, and takes all that have.
    pub(crate) async fn take(&self) -> BTreeSet<PeerId> {
        loop {
            let peers = std::mem::take(&mut *self.lock());
            if !peers.is_empty() {
                return peers;
            }
            self.changed.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<PeerId>> {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
