//! A connection that follows the lobby.

use std::sync::{Arc, Mutex, PoisonError};

use tilewire_protocol::{Codec, ServerMessage};

use crate::outbound::{Delivery, Outgoing, Peer, PeerId, Priority, Recipient};

/// A connection that follows the lobby, until it ends to, or asks for the lists anew.
#[derive(Debug, Clone)]
pub(super) struct Follower {
    peer: Peer,
    /// Held while something is queued: what is older than lists comes before them or not at all.
    follows: Arc<Mutex<bool>>,
}

impl Follower {
    pub(super) fn new(peer: Peer) -> Self {
        Self {
            peer,
            follows: Arc::new(Mutex::new(true)),
        }
    }

    pub(super) const fn peer(&self) -> &Peer {
        &self.peer
    }

    /// Nothing is queued any more when this returns.
    pub(super) fn end(&self) {
        *self.follows.lock().unwrap_or_else(PoisonError::into_inner) = false;
    }
}

impl Recipient for Follower {
    fn id(&self) -> PeerId {
        self.peer.id()
    }

    fn codec(&self) -> Codec {
        self.peer.codec()
    }

    fn answer(&self, request_id: u64, message: &ServerMessage) -> Delivery {
        self.peer.queue(request_id, message)
    }

    fn push(&self, outgoing: Outgoing) -> Delivery {
        let follows = self.follows.lock().unwrap_or_else(PoisonError::into_inner);
        if *follows {
            // Nothing takes the place of what is missed.
            self.peer.queue_encoded(Priority::Player, outgoing)
        } else {
            Delivery::Queued
        }
    }

    fn flush(&self) {
        self.peer.flush();
    }
}
