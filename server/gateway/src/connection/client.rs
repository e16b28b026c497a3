//! One client: reads its frames, asks its session what to do, and does it.

use std::ops::ControlFlow;
use std::sync::Arc;

use bytes::Bytes;
use futures::{FutureExt, Stream, StreamExt};
use tilewire_protocol::{
    CloseCode, Codec, DecodeError, Lag, ServerMessage, decode_client, encode_client, encode_server,
    limits,
};
use tilewire_rules::time::{Millis, Timestamp};
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::error::{CapacityError, Error as SocketError, ProtocolError};

use super::admission::Slot;
use super::heartbeat::Heartbeat;
use super::meter::{Cost, Meter};
use super::served::Served;
use super::services::Services;
use tilewire_base::address::ClientAddress;
use tilewire_base::metrics;
use tilewire_delivery::outbound::{ConnectionEnd, Delivery, Outbox, Outgoing, Priority};
use tilewire_delivery::session::{Content, Effect, Input, Ledger, Request, Session, SessionBounds};

/// The least change of lag that a client is told.
const LAG_STEP_MS: Millis = Millis(20);

/// The task that writes a client's outbox; it returns the code it closed with.
pub(super) type Writer = JoinHandle<Option<CloseCode>>;

/// A client and its session.
pub(super) struct Client {
    pub(super) services: Arc<Services>,
    pub(super) codec: Codec,
    pub(super) outbox: Arc<Outbox>,
    pub(super) ledger: Arc<Ledger>,
    pub(super) session: Session,
    /// The client's requests, once it has authenticated.
    pub(super) served: Option<Served>,
    pub(super) heartbeat: Heartbeat,
    /// The way the connection ends, as far as it is known.
    pub(super) end: ConnectionEnd,
    /// The connection's slot, if it came over the network.
    pub(super) slot: Option<Arc<Slot>>,
    /// Counts what arrives.
    pub(super) meter: Arc<Meter>,
    /// Whether the client has played a game on this connection. It stays so: games follow each other.
    pub(super) plays: bool,
    /// The stalls of the server that the session knows of, all together.
    stalled: Millis,
    /// The code that the server closed the connection with.
    closed_with: Option<CloseCode>,
}

impl Client {
    /// Returns the client's address, if it is known.
    pub(super) fn address(&self) -> Option<ClientAddress> {
        self.slot.as_ref().and_then(|slot| slot.address())
    }

    pub(super) fn new(
        services: Arc<Services>,
        codec: Codec,
        outbox: Arc<Outbox>,
        slot: Option<Arc<Slot>>,
        meter: Arc<Meter>,
    ) -> Self {
        let (limits, timing) = (&services.config.limits, &services.config.timing);
        let now = services.clock.now();
        let stalled = services.clock.lost(now);
        let bounds = SessionBounds {
            auth_within_ms: timing.auth_within_ms,
            heartbeat_lost_ms: timing.heartbeat_lost_ms,
            messages_per_second: limits.messages_per_second,
            message_burst: limits.message_burst,
            patience: limits.rate_errors,
        };
        Self {
            session: Session::new(now, bounds),
            ledger: Arc::new(Ledger::new(
                limits.requests_in_flight,
                limits.attached_games,
            )),
            heartbeat: Heartbeat::new(now, timing.heartbeat_ms),
            served: None,
            end: ConnectionEnd::Lost,
            services,
            codec,
            outbox,
            slot,
            meter,
            plays: false,
            stalled,
            closed_with: None,
        }
    }

    pub(super) fn greet(&self) {
        let address = self.address().map(tracing::field::display);
        let connection = self.meter.connection().0;
        tracing::debug!(connection, address, codec = ?self.codec, "a connection was opened");
        let hello = self.services.hello();
        self.push(0, &ServerMessage::Hello(hello));
    }

    /// Waits for the next event and handles it; breaks when the connection has ended.
    pub(super) async fn step<S>(&mut self, stream: &mut S, writer: &mut Writer) -> ControlFlow<()>
    where
        S: Stream<Item = Result<Message, SocketError>> + Unpin,
    {
        if self.outbox.is_closing() {
            return self.finish(writer).await;
        }
        let now = self.now();
        let wake_at = self.session.next_deadline().min(self.heartbeat.next_at);
        // In this order: there may always be a frame, but not always one of the others.
        tokio::select! {
            biased;
            advice = self.services.goodbye(), if !self.outbox.is_closing() => {
                self.outbox.close(CloseCode::Restarting, &advice);
            }
            closed = &mut *writer => {
                self.closed(closed.ok().flatten());
                return ControlFlow::Break(());
            }
            () = tokio::time::sleep((wake_at - now).to_duration()) => {
                // A frame that has arrived shows that the client is there, however late it is read.
                if let Some(frame) = stream.next().now_or_never() {
                    self.arrived(frame, writer).await?;
                }
                self.wake().await;
            }
            frame = stream.next() => self.arrived(frame, writer).await?,
        }
        if self.outbox.is_closing() {
            return self.finish(writer).await;
        }
        ControlFlow::Continue(())
    }

    /// Waits until the writer has sent the close frame; nothing is read or due meanwhile.
    async fn finish(&mut self, writer: &mut Writer) -> ControlFlow<()> {
        self.closed(writer.await.ok().flatten());
        ControlFlow::Break(())
    }

    /// Returns the time; the session knows of every stall before it.
    fn now(&mut self) -> Timestamp {
        let now = self.services.clock.now();
        let total = self.services.clock.lost(now);
        let stalled = total - std::mem::replace(&mut self.stalled, total);
        if stalled > Millis::ZERO {
            self.heartbeat.stalled();
            let effects = self.session.handle(now, Input::Stalled(stalled));
            debug_assert!(effects.is_empty(), "time is only given: {effects:?}");
        }
        now
    }

    /// Handles a frame, or the end of the stream.
    async fn arrived(
        &mut self,
        frame: Option<Result<Message, SocketError>>,
        writer: &Writer,
    ) -> ControlFlow<()> {
        match frame {
            // A message that came before the end of the connection, but too late to be handled.
            Some(Ok(_)) if self.outbox.is_closing() => {}
            Some(Ok(message)) => self.read(message).await,
            Some(Err(error)) => self.broken(&error),
            None => {
                self.outbox.set_gone();
                writer.abort();
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    async fn wake(&mut self) {
        let now = self.now();
        if self.heartbeat.next_at <= now {
            self.outbox
                .push(Priority::Player, Outgoing::Ping(self.heartbeat.ping(now)));
        }
        let effects = self.session.handle(now, Input::Tick);
        self.carry_out(effects, now).await;
    }

    async fn read(&mut self, message: Message) {
        let now = self.now();
        let frame = match (message, self.codec) {
            (Message::Text(text), Codec::Json) => self.decode(text.as_bytes()),
            (Message::Binary(bytes), Codec::MsgPack) => self.decode(&bytes),
            (Message::Text(_) | Message::Binary(_), _) => {
                return self.outbox.close(
                    CloseCode::WrongFrameType,
                    "the subprotocol uses the other type of frame",
                );
            }
            (Message::Pong(payload), _) => {
                self.meter.charge(Cost::ONE);
                let input = match self.pong(&payload) {
                    true => Input::Alive,
                    false => Input::Control,
                };
                let effects = self.session.handle(now, input);
                return self.carry_out(effects, now).await;
            }
            (Message::Ping(payload), _) => {
                self.meter.charge(Cost::ONE);
                let effects = self.session.handle(now, Input::Control);
                if effects.is_empty() {
                    self.outbox.push(Priority::Player, Outgoing::Pong(payload));
                }
                return self.carry_out(effects, now).await;
            }
            // Tungstenite replaces a code that may not be sent by 1002.
            (Message::Close(frame), _) => {
                let code = frame.map(|frame| frame.code.into());
                // A browser sends 1001 also when its user reloads the page.
                if code != Some(CloseCode::GoingAway.as_u16()) {
                    self.end = ConnectionEnd::Closed;
                }
                return self.outbox.answer_close(code);
            }
            (Message::Frame(_), _) => return,
        };
        let effects = self.session.handle(now, Input::Frame(Box::new(frame)));
        self.carry_out(effects, now).await;
    }

    /// Reads a request: all of it, or the head of a command that another node reads.
    fn decode(&self, frame: &[u8]) -> Result<(u64, Request), DecodeError> {
        metrics::received(frame.len());
        let served = self.served.as_ref();
        let link = served.and_then(|served| served.client_link.as_ref());
        let command = link.and_then(|link| link.command(frame));
        let decoded = command.map_or_else(|| self.decode_whole(frame, link.is_some()), Ok);
        let cost = match &decoded {
            Ok((_, request)) => {
                metrics::message_taken();
                match &request.content {
                    Content::Message(message) => Cost::of(message),
                    Content::Command { .. } => Cost::ONE,
                }
            }
            Err(_) => Cost::ONE,
        };
        self.meter.charge(cost);
        decoded
    }

    fn decode_whole(
        &self,
        frame: &[u8],
        has_other_nodes: bool,
    ) -> Result<(u64, Request), DecodeError> {
        let (id, message) = decode_client(self.codec, frame)?;
        let packed = match (has_other_nodes, self.codec) {
            (false, _) => Bytes::new(),
            (true, Codec::MsgPack) => Bytes::copy_from_slice(frame),
            (true, Codec::Json) => encode_client(Codec::MsgPack, id, &message).into(),
        };
        let content = Content::Message(message);
        Ok((id, Request { content, packed }))
    }

    fn broken(&self, error: &SocketError) {
        let (code, reason) = match error {
            SocketError::Capacity(CapacityError::MessageTooLong { .. }) => (
                CloseCode::TooLarge,
                format!(
                    "a frame has at most {} bytes",
                    limits::CLIENT_FRAME_MAX_BYTES
                ),
            ),
            SocketError::Utf8(_) => (CloseCode::BadUtf8, "text must be UTF-8".to_owned()),
            SocketError::Protocol(ProtocolError::ResetWithoutClosingHandshake)
            | SocketError::Io(_)
            | SocketError::ConnectionClosed
            | SocketError::AlreadyClosed => {
                self.outbox.set_gone();
                (CloseCode::Normal, String::new())
            }
            _ => (
                CloseCode::ProtocolError,
                "a frame broke the rules of WebSocket".to_owned(),
            ),
        };
        self.outbox.close(code, &reason);
    }

    async fn carry_out(&mut self, effects: Vec<Effect>, now: Timestamp) {
        for effect in effects {
            match effect {
                // Boxed, because these futures are large and rare; every connection would keep their size.
                Effect::Authenticate(id, auth) => Box::pin(self.authenticate(id, auth)).await,
                Effect::Request(id, message) => Box::pin(self.request(id, message, now)).await,
                Effect::Refuse(id, body) => {
                    metrics::message_refused(body.code);
                    // Not through the ledger: the request was never opened, and its id may belong to another request.
                    self.push(id, &ServerMessage::Error(body));
                }
                Effect::Close(code, reason) => self.outbox.close(code, reason),
            }
        }
    }

    /// Takes a pong; returns whether it answers the last ping.
    fn pong(&mut self, payload: &[u8]) -> bool {
        let Some(lag_ms) = self.heartbeat.pong(payload) else {
            return false;
        };
        metrics::lag(lag_ms);
        if let Some(Served { peer, .. }) = &self.served {
            peer.set_lag_ms(lag_ms);
            if (lag_ms - self.heartbeat.told_ms).0.abs() >= LAG_STEP_MS.0 {
                self.heartbeat.told_ms = lag_ms;
                peer.send(0, &ServerMessage::Lag(Lag { lag_ms: lag_ms.0 }));
            }
        }
        true
    }

    /// Sends an answer that the ledger does not count.
    pub(super) fn push(&self, id: u64, message: &ServerMessage) {
        let frame = Bytes::from(encode_server(self.codec, id, message));
        let delivery = self.outbox.push(Priority::Reply, Outgoing::Message(frame));
        if delivery != Delivery::Queued {
            tracing::trace!(?delivery, "an answer was not queued");
        }
    }

    /// Notes the code that the writer closed with, if it did.
    fn closed(&mut self, code: Option<CloseCode>) {
        if let Some(code) = code {
            metrics::closed(code);
            self.closed_with = Some(code);
        }
    }

    /// Tells the games and the registry that the connection has ended.
    pub(super) fn leave(&mut self) {
        self.outbox.set_gone();
        let connection = self.meter.connection().0;
        let address = self.address().map(tracing::field::display);
        let identity = self.served.as_ref().map(|served| served.peer.identity());
        let code = self.closed_with.map(CloseCode::as_str);
        tracing::debug!(
            connection,
            address,
            identity,
            code,
            "a connection was closed"
        );
        if self.closed_with == Some(CloseCode::Flood) && self.services.budgets.may_log() {
            tracing::warn!(
                connection,
                address,
                identity,
                "a client was disconnected for a flood"
            );
        }
        let Some(mut served) = self.served.take() else {
            return;
        };
        served.leave();
        if let Some(link) = &served.client_link {
            link.end(self.end);
        }
        self.services.registry.remove(&served.peer, self.end);
    }
}
