//! One client's connection: reads frames, asks the session what to do, does it.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::{Sink, Stream, StreamExt};
use tilewire_protocol::{
    ClientMessage, CloseCode, Codec, DecodeError, GameId, Lag, ServerMessage, decode_client,
    encode_server, limits,
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::error::{CapacityError, Error as SocketError, ProtocolError};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use super::address::Source;
use super::admission::Slot;
use super::direct::{self, Direct};
use super::halves;
use super::heartbeat::Heartbeat;
use super::outbox::{Outbox, Outgoing};
use super::writer::{self, WriterBounds};
use crate::app::App;
use crate::game::GameHandle;
use crate::metrics;
use crate::peers::{Delivery, Peer, Priority};
use crate::session::{Effect, Input, Ledger, Session, SessionBounds};

/// What one connection reads at once, bytes. Every connection keeps this much for as long as it lives, and nearly all
/// that clients send is far smaller; the library's own 128 KiB would be most of what a connection costs.
const READ_BYTES: usize = 512;

/// A change of lag that a client is told of, ms.
const LAG_STEP_MS: i64 = 20;

/// What writes one client's outbox to its end; it returns the code it closed with.
type Writer = JoinHandle<Option<CloseCode>>;

/// Speaks WebSocket with one client from its first frame to its last, on a task of its own. `early` are bytes that came
/// with the handshake.
pub(super) async fn serve_plain(
    app: Arc<App>,
    stream: TcpStream,
    early: Vec<u8>,
    codec: Codec,
    slot: Arc<Slot>,
) {
    let (reader, socket) = stream.into_split();
    let stream = halves::reader(reader, early, reading()).await;
    let socket = Arc::new(socket);
    tokio::spawn(serve_halves(
        app,
        stream,
        codec,
        Some(slot),
        move |outbox, bounds| {
            outbox.write_to(Direct {
                socket: Arc::<OwnedWriteHalf>::clone(&socket),
                codec,
                at_once: bounds.at_once,
            });
            tokio::spawn(direct::write_all(outbox, socket, bounds))
        },
    ));
}

/// The same over anything else that carries bytes.
pub(super) async fn serve_bytes<S>(
    app: Arc<App>,
    stream: S,
    early: Vec<u8>,
    codec: Codec,
    slot: Arc<Slot>,
) where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (reader, writer) = tokio::io::split(stream);
    let stream = halves::reader(reader, early, reading()).await;
    let sink = halves::FrameWriter::new(writer);
    tokio::spawn(serve_halves(
        app,
        stream,
        codec,
        Some(slot),
        move |outbox, bounds| tokio::spawn(writer::write_all(sink, outbox, codec, bounds)),
    ));
}

fn reading() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(READ_BYTES)
        .max_frame_size(Some(limits::CLIENT_FRAME_MAX_BYTES))
        .max_message_size(Some(limits::CLIENT_FRAME_MAX_BYTES))
}

/// Serves one client over anything that carries WebSocket messages.
pub async fn serve_messages<S>(app: Arc<App>, socket: S, codec: Codec)
where
    S: Stream<Item = Result<Message, SocketError>>
        + Sink<Message, Error = SocketError>
        + Send
        + Unpin
        + 'static,
{
    let (sink, stream) = socket.split();
    serve_halves(app, stream, codec, None, move |outbox, bounds| {
        tokio::spawn(writer::write_all(sink, outbox, codec, bounds))
    })
    .await;
}

/// Begins to serve a client; the future that is returned does the rest. It lives as long as the connection, so it holds
/// nothing twice: arguments of an `async fn` would stay in it beside what became of them.
fn serve_halves<R>(
    app: Arc<App>,
    mut stream: R,
    codec: Codec,
    slot: Option<Arc<Slot>>,
    start_writer: impl FnOnce(Arc<Outbox>, WriterBounds) -> Writer,
) -> impl Future<Output = ()> + Send
where
    R: Stream<Item = Result<Message, SocketError>> + Send + Unpin,
{
    let outbox = Arc::new(Outbox::new(app.config.limits.outbox_bytes));
    let bounds = WriterBounds {
        at_once: app.config.limits.write_bytes,
        stall: ms(app.config.timing.write_stall_ms),
    };
    let mut writer = start_writer(Arc::clone(&outbox), bounds);
    let linger = ms(app.config.timing.close_linger_ms);
    let open = app.connections.socket();
    let mut connection = Connection::new(app, codec, outbox, slot);
    connection.greet();
    async move {
        connection.run(&mut stream, &mut writer).await;
        connection.leave();
        drop(open);
        // The other side gets a moment to answer the close frame; then the socket is dropped.
        drop(
            tokio::time::timeout(linger, async {
                while let Some(Ok(_)) = stream.next().await {}
            })
            .await,
        );
    }
}

/// What is known of one client.
pub(super) struct Connection {
    pub(super) app: Arc<App>,
    pub(super) codec: Codec,
    pub(super) outbox: Arc<Outbox>,
    pub(super) ledger: Arc<Ledger>,
    pub(super) session: Session,
    pub(super) peer: Option<Peer>,
    /// Games this connection has asked for: they must hear when it ends.
    pub(super) games: Vec<(GameId, GameHandle)>,
    pub(super) heartbeat: Heartbeat,
    /// The connection's place, where it came over the network.
    pub(super) slot: Option<Arc<Slot>>,
}

impl Connection {
    /// Returns from where the client comes, where that is known.
    pub(super) fn source(&self) -> Option<Source> {
        self.slot.as_ref().and_then(|slot| slot.source())
    }

    fn new(app: Arc<App>, codec: Codec, outbox: Arc<Outbox>, slot: Option<Arc<Slot>>) -> Self {
        let (limits, timing) = (&app.config.limits, &app.config.timing);
        let now = app.clock.now();
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
            peer: None,
            games: Vec::new(),
            app,
            codec,
            outbox,
            slot,
        }
    }

    fn greet(&self) {
        let hello = self.app.hello();
        self.push(0, &ServerMessage::Hello(hello));
    }

    /// Reads until the connection ends, from whichever side.
    async fn run<S>(&mut self, stream: &mut S, writer: &mut Writer)
    where
        S: Stream<Item = Result<Message, SocketError>> + Unpin,
    {
        loop {
            let now = self.app.clock.now();
            let wake_at = self.session.next_deadline().min(self.heartbeat.next_at);
            // In this order: frames may come without end, the others do not.
            tokio::select! {
                biased;
                advice = self.app.goodbye(), if !self.outbox.is_closing() => {
                    self.outbox.close(CloseCode::Restarting, &advice);
                }
                closed = &mut *writer => {
                    if let Ok(Some(code)) = closed {
                        metrics::closed(code);
                    }
                    return;
                }
                () = tokio::time::sleep(ms(wake_at - now)) => self.wake().await,
                frame = stream.next() => {
                    match frame {
                        Some(Ok(message)) => self.read(message).await,
                        Some(Err(error)) => self.broken(&error),
                        None => {
                            self.outbox.set_gone();
                            writer.abort();
                            return;
                        }
                    }
                }
            }
            if self.outbox.is_closing() {
                // The writer says goodbye, as long as that takes; nothing more is read or due meanwhile.
                if let Ok(Some(code)) = writer.await {
                    metrics::closed(code);
                }
                return;
            }
        }
    }

    async fn wake(&mut self) {
        let now = self.app.clock.now();
        if self.heartbeat.next_at <= now {
            self.outbox
                .push(Priority::Player, Outgoing::Ping(self.heartbeat.ping(now)));
        }
        let effects = self.session.handle(now, Input::Tick);
        self.carry_out(effects, now).await;
    }

    async fn read(&mut self, message: Message) {
        let now = self.app.clock.now();
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
                self.pong(&payload);
                let effects = self.session.handle(now, Input::Alive);
                return self.carry_out(effects, now).await;
            }
            (Message::Ping(payload), _) => {
                self.outbox.push(Priority::Player, Outgoing::Pong(payload));
                let effects = self.session.handle(now, Input::Alive);
                return self.carry_out(effects, now).await;
            }
            // Tungstenite has replaced a code that may not be sent by 1002.
            (Message::Close(frame), _) => {
                let code = frame.map(|frame| frame.code.into());
                return self.outbox.answer_close(code);
            }
            (Message::Frame(_), _) => return,
        };
        let effects = self.session.handle(now, Input::Frame(Box::new(frame)));
        self.carry_out(effects, now).await;
    }

    fn decode(&self, frame: &[u8]) -> Result<(u64, ClientMessage), DecodeError> {
        let decoded = decode_client(self.codec, frame);
        if decoded.is_ok() {
            metrics::message_taken();
        }
        decoded
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

    async fn carry_out(&mut self, effects: Vec<Effect>, now: i64) {
        for effect in effects {
            match effect {
                // Boxed: they are large and rare, and their room would be each connection's for as long as it lives.
                Effect::Authenticate(id, auth) => Box::pin(self.authenticate(id, auth)).await,
                Effect::Request(id, message) => Box::pin(self.request(id, message, now)).await,
                Effect::Refuse(id, body) => {
                    metrics::message_refused(body.code);
                    // Past the ledger: the request was never opened, and its id may be another's.
                    self.push(id, &ServerMessage::Error(body));
                }
                Effect::Close(code, reason) => self.outbox.close(code, reason),
            }
        }
    }

    fn pong(&mut self, payload: &[u8]) {
        let Some(lag_ms) = self.heartbeat.pong(payload) else {
            return;
        };
        metrics::lag(lag_ms);
        if let Some(peer) = &self.peer {
            peer.set_lag_ms(lag_ms);
            if (lag_ms - self.heartbeat.told_ms).abs() >= LAG_STEP_MS {
                self.heartbeat.told_ms = lag_ms;
                peer.send(0, &ServerMessage::Lag(Lag { lag_ms }));
            }
        }
    }

    /// Sends past the ledger.
    pub(super) fn push(&self, id: u64, message: &ServerMessage) {
        let frame = Bytes::from(encode_server(self.codec, id, message));
        let delivery = self.outbox.push(Priority::Reply, Outgoing::Message(frame));
        if delivery != Delivery::Queued {
            tracing::trace!(?delivery, "an answer found nobody");
        }
    }

    /// Tells everybody concerned that the connection has ended.
    fn leave(&mut self) {
        self.outbox.set_gone();
        let Some(peer) = self.peer.take() else {
            return;
        };
        for (_, handle) in std::mem::take(&mut self.games) {
            handle.gone(peer.id());
        }
        self.app.peers.remove(&peer);
    }
}

fn ms(ms: i64) -> Duration {
    Duration::from_millis(u64::try_from(ms).unwrap_or(0))
}
