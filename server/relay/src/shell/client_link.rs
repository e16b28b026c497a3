//! A client of this node: which of its requests take the way through the relay, and what comes back.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use tilewire_protocol::{ClientMessage, CloseCode, Codec, CommandHead, GameId};
use tilewire_rules::time::{Millis, Timestamp};

use super::Exchange;
use crate::Input;
use crate::gateway::{ClientRequest, Subject};
use crate::message::{Client, End};
use tilewire_delivery::outbound::{ConnectionEnd, Forward, Leaving, Outbox, PeerId};
use tilewire_delivery::session::{Content, Ledger, Patience, Request};

/// A client of this node, as the relay knows it.
#[derive(Debug)]
pub struct ClientLink {
    exchange: Arc<Exchange>,
    pub(super) connection: u64,
    client: Arc<Client>,
    pub(super) outbox: Arc<Outbox>,
    pub(super) ledger: Arc<Ledger>,
    pub(super) patience: Arc<Patience>,
    /// The unanswered requests that this node answers itself, in case it cannot: at most as many as a client may have open.
    kept: Mutex<Vec<(u64, Kept)>>,
    /// Whether the client follows lists or rooms of the lobby of this node.
    follows_lobby: AtomicBool,
}

/// A request that this node answers itself.
#[derive(Debug)]
struct Kept {
    subject: Subject,
    /// The request in MessagePack.
    message: Bytes,
    received_at: Timestamp,
    lag_ms: Millis,
    is_attached: bool,
}

impl ClientLink {
    /// Returns the link of a client that has authenticated. Nobody knows it before [`ClientLink::begin`].
    #[must_use]
    pub fn new(
        exchange: Arc<Exchange>,
        PeerId(connection): PeerId,
        client: Client,
        (outbox, ledger, patience): (Arc<Outbox>, Arc<Ledger>, Arc<Patience>),
    ) -> Arc<Self> {
        Arc::new(Self {
            exchange,
            connection,
            client: Arc::new(client),
            outbox,
            ledger,
            patience,
            kept: Mutex::default(),
            follows_lobby: AtomicBool::new(false),
        })
    }

    /// The node of the lobby counts the client as connected from now on.
    pub fn begin(self: &Arc<Self>) {
        let mut state = self.exchange.lock();
        state.client_links.insert(self.connection, Arc::clone(self));
        drop(state);
        let present = Input::Present(self.connection, Arc::clone(&self.client));
        self.exchange.input(present);
    }

    /// The connection has ended.
    pub fn end(&self, end: ConnectionEnd) {
        let end = match end {
            ConnectionEnd::Closed => End::Closed,
            ConnectionEnd::Lost => End::Lost,
        };
        self.exchange.lock().client_links.remove(&self.connection);
        self.exchange.input(Input::Ended(self.connection, end));
    }

    /// Reads the head of a command that another node answers, with its id; that node reads the rest. `None` for any other
    /// frame.
    pub fn command(&self, frame: &[u8]) -> Option<(u64, Request)> {
        if self.codec() == Codec::Json {
            return None;
        }
        let head = CommandHead::read(frame)?;
        let subject = Subject::Command(GameId::from(head.game));
        if self.is_answered_here(&subject) {
            return None;
        }
        let content = Content::Command {
            op: head.op,
            game: GameId::from(head.game),
            ends_turn: head.ends_turn,
        };
        let packed = Bytes::copy_from_slice(frame);
        Some((head.id, Request { content, packed }))
    }

    /// Takes a request, which the ledger has opened, if another node answers it; says so.
    pub fn takes(
        &self,
        request_id: u64,
        request: &Request,
        (received_at, lag_ms): (Timestamp, Millis),
    ) -> bool {
        let (subject, is_attached, may_stay) = match &request.content {
            Content::Command { game, .. } => (Some(Subject::Command(game.clone())), false, false),
            Content::Message(message) => (Subject::of(message), self.is_attached(message), true),
        };
        let Some(subject) = subject else {
            return false;
        };
        let request = Kept {
            subject,
            message: request.packed.clone(),
            received_at,
            lag_ms,
            is_attached,
        };
        let subject = &request.subject;
        if may_stay && self.is_answered_here(subject) {
            match subject {
                Subject::Subscribe | Subject::Join => {
                    self.follows_lobby.store(true, Ordering::SeqCst);
                }
                _ => {}
            }
            self.keep(request_id, request);
            return false;
        }
        let asked = self.asked(request_id, request);
        self.exchange.input(Input::ClientRequest(Box::new(asked)));
        true
    }

    /// Leaves the lobby of this node, which another one has now: ends a connection that follows lists or rooms there, and returns
    /// the requests that it has not answered.
    pub(super) fn leave_lobby(&self) -> Vec<ClientRequest> {
        if self.follows_lobby.swap(false, Ordering::SeqCst) {
            let reason = "the lobby has moved to another server; reconnect";
            self.outbox.close(CloseCode::GoingAway, reason);
        }
        let of_lobby: Vec<(u64, Kept)> = {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extract_if(.., |(_, request)| request.subject.game().is_none())
                .collect()
        };
        let open = of_lobby.into_iter();
        let open = open.filter(|(request_id, _)| self.ledger.is_open(*request_id));
        open.map(|(request_id, request)| self.asked(request_id, request))
            .collect()
    }

    /// Says whether this node answers requests with a subject.
    fn is_answered_here(&self, subject: &Subject) -> bool {
        self.exchange.is_here(subject) && !self.exchange.concerns(self.connection, subject)
    }

    /// Says whether the client is attached to the game that a request about chat names.
    fn is_attached(&self, message: &ClientMessage) -> bool {
        let ClientMessage::ChatJoin(join) = message else {
            return false;
        };
        let game = join.game.as_ref();
        game.is_some_and(|game| self.ledger.is_attached(game))
    }

    fn keep(&self, request_id: u64, request: Kept) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(other, _)| *other != request_id && self.ledger.is_open(*other));
        kept.push((request_id, request));
    }

    fn asked(&self, request_id: u64, request: Kept) -> ClientRequest {
        ClientRequest {
            connection: self.connection,
            client: Arc::clone(&self.client),
            request_id,
            subject: request.subject,
            message: request.message,
            received_at: request.received_at,
            lag_ms: request.lag_ms,
            is_attached: request.is_attached,
        }
    }

    /// Returns the codec of the client.
    pub(super) fn codec(&self) -> Codec {
        self.client.codec()
    }
}

impl Forward for ClientLink {
    fn hand_back(&self, request_id: u64) -> bool {
        let request = {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            let at = kept.iter().position(|(other, _)| *other == request_id);
            at.map(|at| kept.swap_remove(at))
        };
        let Some((_, request)) = request else {
            return false;
        };
        let asked = self.asked(request_id, request);
        self.exchange.input(Input::ClientRequest(Box::new(asked)));
        true
    }

    fn follow(&self, leaving: Leaving) {
        let (connection, client) = (self.connection, Arc::clone(&self.client));
        let follow = Input::Follow(connection, client, Box::new(leaving));
        self.exchange.input(follow);
    }
}
