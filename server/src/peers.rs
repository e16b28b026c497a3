//! Connected people: how the rest of the server reaches them.
//!
//! A [`Peer`] is one connection of one identity. Sending never waits: what is sent goes into a bounded outbox, and a
//! client that does not read fast enough is cut off (and resumes) or, as a spectator, put back to a snapshot.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use dashmap::DashMap;
use tilewire_protocol::{CloseCode, Codec, ErrorCode, ServerMessage, encode_server};

use crate::connection::outbox::{Outbox, Outgoing};
use crate::crowd::EncodedAnswer;
use crate::identity::{Guesses, Pass};
use crate::metrics;
use crate::session::Ledger;

/// Names a connection for the life of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeerId(pub u64);

/// How much a frame matters when its reader is slow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Priority {
    /// An answer: never dropped; a full outbox ends the connection.
    Reply,
    /// For a player: never dropped; a full outbox ends the connection.
    Player,
    /// For a spectator: refused when the outbox is half full, so that a snapshot can take its place later.
    Spectator,
}

/// What became of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// It waits to be written.
    Queued,
    /// The outbox was full; the connection is being closed, and the client can resume.
    Overflowed,
    /// The outbox is half full and the frame was not taken; the sender may send a snapshot later.
    Lagging,
    /// The connection has ended.
    Gone,
}

/// One connection of one identity. Cheap to clone.
#[derive(Clone)]
pub struct Peer {
    inner: Arc<Inner>,
}

struct Inner {
    id: PeerId,
    identity: String,
    codec: Codec,
    outbox: Arc<Outbox>,
    ledger: Arc<Ledger>,
    lag_ms: AtomicI64,
    entry: OnceLock<Entry>,
}

/// How somebody came in.
struct Entry {
    pass: Pass,
    guesses: Arc<Guesses>,
}

impl Peer {
    pub(crate) fn new(
        id: PeerId,
        identity: String,
        codec: Codec,
        outbox: Arc<Outbox>,
        ledger: Arc<Ledger>,
    ) -> Self {
        let lag_ms = AtomicI64::new(0);
        Self {
            inner: Arc::new(Inner {
                id,
                identity,
                codec,
                outbox,
                ledger,
                lag_ms,
                entry: OnceLock::new(),
            }),
        }
    }

    /// Notes by what pass the connection came in, and who counts the wrong codes it gives.
    pub(crate) fn admit(&self, pass: Pass, guesses: Arc<Guesses>) {
        let entry = Entry { pass, guesses };
        // A connection comes in once.
        drop(self.inner.entry.set(entry));
    }

    /// Returns the pass the connection came in by.
    pub(crate) fn pass(&self) -> Option<&Pass> {
        self.inner.entry.get().map(|entry| &entry.pass)
    }

    /// Ends the connection, when what waits has been written.
    pub(crate) fn close(&self, code: CloseCode, reason: &str) {
        self.inner.outbox.close(code, reason);
    }

    /// Returns the connection's name.
    #[must_use]
    pub fn id(&self) -> PeerId {
        self.inner.id
    }

    /// Returns whose connection it is.
    #[must_use]
    pub fn identity(&self) -> &str {
        &self.inner.identity
    }

    /// Returns how messages travel on it.
    #[must_use]
    pub fn codec(&self) -> Codec {
        self.inner.codec
    }

    /// Returns the network delay of the connection as heartbeats show it, ms: half a round trip.
    #[must_use]
    pub fn lag_ms(&self) -> i64 {
        self.inner.lag_ms.load(Ordering::Relaxed)
    }

    pub(crate) fn set_lag_ms(&self, lag_ms: i64) {
        self.inner.lag_ms.store(lag_ms, Ordering::Relaxed);
    }

    /// Sends the answer to a request, or with `request_id` 0 something nobody asked for.
    pub fn send(&self, request_id: u64, message: &ServerMessage) -> Delivery {
        let delivery = self.queue(request_id, message);
        self.flush();
        delivery
    }

    /// The same, to be written with what else there is at the next [`Peer::flush`].
    pub(crate) fn queue(&self, request_id: u64, message: &ServerMessage) -> Delivery {
        self.inner.ledger.sent(request_id, message);
        if let ServerMessage::Error(body) = message {
            metrics::command_refused(body.code);
            if body.code == ErrorCode::WrongCode
                && let Some(entry) = self.inner.entry.get()
            {
                entry.guesses.wrong(self.identity());
            }
        }
        let frame = Bytes::from(encode_server(self.inner.codec, request_id, message));
        let priority = if request_id == 0 {
            Priority::Player
        } else {
            Priority::Reply
        };
        self.queue_encoded(priority, frame.into())
    }

    /// Sends an answer that others get too.
    pub(crate) fn send_shared(&self, request_id: u64, answer: &EncodedAnswer) -> Delivery {
        self.inner.ledger.sent(request_id, answer.message());
        let frame = answer.frame(self.inner.codec, request_id);
        let delivery = self.queue_encoded(Priority::Reply, frame.into());
        self.flush();
        delivery
    }

    /// Queues what is encoded already for this peer's codec. It is written at the next [`Peer::flush`].
    pub(crate) fn queue_encoded(&self, priority: Priority, outgoing: Outgoing) -> Delivery {
        self.inner.outbox.queue(priority, outgoing)
    }

    /// Writes what is queued, as far as the connection takes it now; the rest follows by itself.
    pub(crate) fn flush(&self) {
        self.inner.outbox.flush();
    }
}

impl fmt::Debug for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Peer")
            .field("id", &self.inner.id)
            .field("identity", &self.inner.identity)
            .finish()
    }
}

/// Everybody who is connected and authenticated, by identity.
#[derive(Debug, Default)]
pub struct Peers {
    by_identity: DashMap<String, BTreeMap<PeerId, Peer>>,
    next_id: AtomicU64,
}

impl Peers {
    /// Returns a name for a new connection.
    pub fn next_id(&self) -> PeerId {
        PeerId(self.next_id.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Adds a connection, unless its identity has `most` already.
    ///
    /// # Errors
    /// When it has.
    pub fn insert(&self, peer: &Peer, most: usize) -> Result<(), TooMany> {
        let mut own = self
            .by_identity
            .entry(peer.identity().to_owned())
            .or_default();
        if own.len() >= most {
            return Err(TooMany);
        }
        own.insert(peer.id(), peer.clone());
        Ok(())
    }

    /// Removes a connection; returns whether its identity has no other.
    pub fn remove(&self, peer: &Peer) -> bool {
        let mut is_last = false;
        if let Some(mut own) = self.by_identity.get_mut(peer.identity()) {
            own.remove(&peer.id());
            is_last = own.is_empty();
        }
        if is_last {
            self.by_identity
                .remove_if(peer.identity(), |_, own| own.is_empty());
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

    /// Says whether a connection is still there.
    #[must_use]
    pub fn is_connected(&self, peer: &Peer) -> bool {
        let own = self.by_identity.get(peer.identity());
        own.is_some_and(|own| own.contains_key(&peer.id()))
    }

    /// Says whether an identity is connected.
    #[must_use]
    pub fn is_online(&self, identity: &str) -> bool {
        self.by_identity.contains_key(identity)
    }

    /// Returns all connections.
    #[must_use]
    pub fn all(&self) -> Vec<Peer> {
        self.by_identity
            .iter()
            .flat_map(|own| own.values().cloned().collect::<Vec<_>>())
            .collect()
    }

    /// Returns how many identities are connected.
    #[must_use]
    pub fn identities(&self) -> usize {
        self.by_identity.len()
    }
}

/// An identity has as many connections as it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the identity has as many connections as it may")]
pub struct TooMany;
