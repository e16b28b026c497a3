//! An authenticated connection, and how the rest of the server sends to it.
//!
//! Sending never waits. A client that reads too slowly is disconnected and resumes, or gets a snapshot later if it is a
//! spectator.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use tilewire_protocol::{CloseCode, Codec, ErrorCode, ServerMessage, encode_server};
use tilewire_rules::time::Millis;

use super::encoded::EncodedAnswer;
use super::leaving::{Forward, Leaving};
use super::outbox::Outbox;
use super::push_frame::{PushFrame, Pushes};
use super::recipient::{Delivery, PeerId, Priority, Recipient};
use super::remote::Remote;
use crate::session::{Ledger, Pass, TokenError};
use crate::wrong_entries::WrongEntries;
use tilewire_base::address::ClientAddress;
use tilewire_base::metrics;

/// One connection of one identity. Cheap to clone.
#[derive(Clone)]
pub struct Peer {
    inner: Arc<Inner>,
}

struct Inner {
    id: PeerId,
    identity: String,
    address: Option<ClientAddress>,
    codec: Codec,
    way: Way,
    ledger: Arc<Ledger>,
    lag_ms: AtomicI64,
    is_revoked: AtomicBool,
    admission: OnceLock<Admission>,
}

/// The way to the client.
enum Way {
    /// The client is connected to this node.
    Here(Arc<Outbox>),
    /// The client is connected to another node.
    Elsewhere(Arc<dyn Remote>),
}

/// The pass of the connection, the counter of its wrong codes, and its way to other nodes.
pub(super) struct Admission {
    pass: Pass,
    wrong_entries: Arc<WrongEntries>,
    forward: Option<Arc<dyn Forward>>,
}

impl Peer {
    /// Returns the client of a connection.
    pub fn new(
        id: PeerId,
        (identity, address): (String, Option<ClientAddress>),
        codec: Codec,
        outbox: Arc<Outbox>,
        ledger: Arc<Ledger>,
    ) -> Self {
        Self::with(id, (identity, address), codec, Way::Here(outbox), ledger)
    }

    /// Returns the connection of a client to another node. Answers go to the requests with their relay ids.
    #[must_use]
    pub fn remote(
        id: PeerId,
        (identity, address): (String, Option<ClientAddress>),
        codec: Codec,
        remote: Arc<dyn Remote>,
        ledger: Arc<Ledger>,
    ) -> Self {
        let way = Way::Elsewhere(remote);
        Self::with(id, (identity, address), codec, way, ledger)
    }

    fn with(
        id: PeerId,
        (identity, address): (String, Option<ClientAddress>),
        codec: Codec,
        way: Way,
        ledger: Arc<Ledger>,
    ) -> Self {
        let lag_ms = AtomicI64::new(0);
        Self {
            inner: Arc::new(Inner {
                id,
                identity,
                address,
                codec,
                way,
                ledger,
                lag_ms,
                is_revoked: AtomicBool::new(false),
                admission: OnceLock::new(),
            }),
        }
    }

    /// Notes the pass of the connection, the counter of its wrong codes, and its way to other nodes, if there are any.
    pub fn admit(
        &self,
        pass: Pass,
        wrong_entries: Arc<WrongEntries>,
        forward: Option<Arc<dyn Forward>>,
    ) {
        let admission = Admission {
            pass,
            wrong_entries,
            forward,
        };
        // A connection authenticates once.
        drop(self.inner.admission.set(admission));
    }

    /// Returns the pass that the connection authenticated with, once the client has the answer.
    pub fn pass(&self) -> Option<&Pass> {
        let admission = self.inner.admission.get()?;
        Some(&admission.pass)
    }

    /// Says whether the client is connected to this node.
    pub fn is_here(&self) -> bool {
        matches!(self.inner.way, Way::Here(_))
    }

    /// Gives an open request back, because this node has nothing of what it is about any more: another one answers it. Says
    /// whether that is possible; otherwise the request is still to be answered.
    pub fn hand_back(&self, request_id: u64) -> bool {
        match &self.inner.way {
            Way::Elsewhere(remote) => {
                self.inner.ledger.answered(request_id, false);
                remote.hand_back(request_id);
                true
            }
            Way::Here(_) => self.forward().is_some_and(|way| way.hand_back(request_id)),
        }
    }

    /// Lets the client go on with a game at its next owner; says whether that is possible.
    pub fn let_go(&self, leaving: Leaving) -> bool {
        match (&self.inner.way, self.forward()) {
            (Way::Elsewhere(remote), _) => {
                self.inner.ledger.detached(&leaving.game);
                remote.let_go(&leaving.game);
                true
            }
            (Way::Here(_), Some(way)) => {
                way.follow(leaving);
                true
            }
            (Way::Here(_), None) => false,
        }
    }

    fn forward(&self) -> Option<&Arc<dyn Forward>> {
        self.inner.admission.get()?.forward.as_ref()
    }

    /// Ends the connection once the waiting frames are written.
    pub fn close(&self, code: CloseCode, reason: &str) {
        match &self.inner.way {
            Way::Here(outbox) => outbox.close(code, reason),
            Way::Elsewhere(remote) => remote.close(code, reason),
        }
    }

    /// Ends the connection because its pass is revoked. Nothing that it has asked for is done any more.
    pub fn revoke(&self, error: &TokenError) {
        self.inner.is_revoked.store(true, Ordering::SeqCst);
        self.close(error.close_code(), &error.to_string());
    }

    /// Says whether the pass of the connection is revoked.
    pub fn is_revoked(&self) -> bool {
        self.inner.is_revoked.load(Ordering::SeqCst)
    }

    /// Returns the connection's id.
    #[must_use]
    pub fn id(&self) -> PeerId {
        self.inner.id
    }

    /// Returns the identity that the connection belongs to.
    #[must_use]
    pub fn identity(&self) -> &str {
        &self.inner.identity
    }

    /// Returns the client's address, if it is known.
    pub fn address(&self) -> Option<ClientAddress> {
        self.inner.address
    }

    /// Returns the codec of the connection.
    #[must_use]
    pub fn codec(&self) -> Codec {
        self.inner.codec
    }

    /// Returns the network delay that heartbeats show: half a round trip.
    #[must_use]
    pub fn lag_ms(&self) -> Millis {
        Millis(self.inner.lag_ms.load(Ordering::Relaxed))
    }

    /// Notes the delay of the connection, in milliseconds.
    pub fn set_lag_ms(&self, lag_ms: Millis) {
        self.inner.lag_ms.store(lag_ms.0, Ordering::Relaxed);
    }

    /// Sends the answer to a request, or with `request_id` 0 a push.
    pub fn send(&self, request_id: u64, message: &ServerMessage) -> Delivery {
        let delivery = self.queue(request_id, message);
        self.flush();
        delivery
    }

    /// Queues the answer to a request, or a push, until the next [`Peer::flush`].
    pub fn queue(&self, request_id: u64, message: &ServerMessage) -> Delivery {
        self.inner.ledger.sent(request_id, message);
        if let ServerMessage::Error(body) = message {
            metrics::command_refused(body.code);
            if body.code == ErrorCode::WrongCode
                && let Some(admission) = self.inner.admission.get()
            {
                admission.wrong_entries.wrong_code(self.identity());
            }
        }
        let codec = self.inner.codec;
        match (&self.inner.way, request_id) {
            (Way::Elsewhere(remote), 0) => {
                let frame = PushFrame::encode(codec, message);
                remote.push(Priority::Player, frame.into())
            }
            (Way::Elsewhere(remote), _) => remote.answer(request_id, message),
            (Way::Here(outbox), _) => {
                let frame = Bytes::from(encode_server(codec, request_id, message));
                let priority = match request_id {
                    0 => Priority::Player,
                    _ => Priority::Reply,
                };
                outbox.queue(priority, frame.into())
            }
        }
    }

    /// Sends an answer that other connections get too.
    pub fn send_shared(&self, request_id: u64, answer: &EncodedAnswer) -> Delivery {
        self.inner.ledger.sent(request_id, answer.message());
        let delivery = match &self.inner.way {
            Way::Here(outbox) => {
                let frame = answer.frame(self.inner.codec, request_id);
                outbox.queue(Priority::Reply, frame.into())
            }
            Way::Elsewhere(remote) => remote.answer(request_id, answer.message()),
        };
        self.flush();
        delivery
    }

    /// Queues pushes that are encoded for this connection's codec, until the next [`Peer::flush`].
    pub fn queue_encoded(&self, priority: Priority, pushes: Pushes) -> Delivery {
        match &self.inner.way {
            Way::Here(outbox) => outbox.queue(priority, pushes.into()),
            Way::Elsewhere(remote) => remote.push(priority, pushes),
        }
    }

    /// Writes the queued frames as far as the socket takes them now; the connection's writer does the rest.
    pub fn flush(&self) {
        match &self.inner.way {
            Way::Here(outbox) => outbox.flush(),
            Way::Elsewhere(remote) => remote.flush(),
        }
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

impl Recipient for Peer {
    fn id(&self) -> PeerId {
        Self::id(self)
    }

    fn codec(&self) -> Codec {
        Self::codec(self)
    }

    fn answer(&self, request_id: u64, message: &ServerMessage) -> Delivery {
        self.queue(request_id, message)
    }

    fn push(&self, pushes: Pushes) -> Delivery {
        self.queue_encoded(Priority::Spectator, pushes)
    }

    fn let_go(&self, leaving: Leaving) -> bool {
        Self::let_go(self, leaving)
    }

    fn flush(&self) {
        Self::flush(self);
    }
}
