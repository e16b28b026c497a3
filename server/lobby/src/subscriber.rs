//! A subscriber of the lobby.

use std::sync::{Arc, Mutex, PoisonError};

use tilewire_protocol::{Codec, ServerMessage};

use tilewire_delivery::outbound::{Delivery, Peer, PeerId, Priority, Pushes, Recipient};

/// One subscription of a connection; it ends when the connection unsubscribes or subscribes again.
#[derive(Debug, Clone)]
pub(super) struct Subscriber {
    peer: Peer,
    /// Locked while a change is queued, so that no change that is older than the lists follows them.
    is_active: Arc<Mutex<bool>>,
}

impl Subscriber {
    pub(super) fn new(peer: Peer) -> Self {
        Self {
            peer,
            is_active: Arc::new(Mutex::new(true)),
        }
    }

    pub(super) const fn peer(&self) -> &Peer {
        &self.peer
    }

    /// Ends the subscription: no change is queued after this returns.
    pub(super) fn end(&self) {
        *self
            .is_active
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = false;
    }
}

impl Recipient for Subscriber {
    fn id(&self) -> PeerId {
        self.peer.id()
    }

    fn codec(&self) -> Codec {
        self.peer.codec()
    }

    fn answer(&self, request_id: u64, message: &ServerMessage) -> Delivery {
        self.peer.queue(request_id, message)
    }

    fn push(&self, pushes: Pushes) -> Delivery {
        let is_active = self
            .is_active
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if *is_active {
            // A lost change cannot be replaced later, so a full outbox ends the connection.
            self.peer.queue_encoded(Priority::Player, pushes)
        } else {
            Delivery::Queued
        }
    }

    fn flush(&self) {
        self.peer.flush();
    }
}
