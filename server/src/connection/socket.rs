//! One client's connection: reads frames, asks the session what to do, does it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use futures::stream::SplitStream;
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tilewire_protocol::{
    Attach, Auth, ClientMessage, CloseCode, Codec, DecodeError, ErrorBody, ErrorCode, ErrorDetail, GameId, GameScope,
    Lag, OkBody, ServerMessage, decode_client, encode_server, limits,
};
use tokio::time::Instant;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::{CapacityError, Error as SocketError, ProtocolError};
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::Message;

use super::outbox::{Outbox, Outgoing};
use super::writer::{self, WriterBounds};
use crate::app::App;
use crate::game::{GameHandle, ResumePoint};
use crate::metrics;
use crate::peers::{Delivery, Peer, Priority};
use crate::players;
use crate::session::{Effect, Input, Ledger, Session, SessionBounds};

type Socket = WebSocketStream<TokioIo<Upgraded>>;

/// A change of lag that a client is told of, ms.
const LAG_STEP_MS: i64 = 20;
/// Weight of the latest heartbeat in the smoothed lag: one in so many.
const LAG_WEIGHT: i64 = 4;

/// Serves one client from its first frame to its last.
pub(super) async fn serve(app: Arc<App>, io: TokioIo<Upgraded>, codec: Codec) {
    let config = WebSocketConfig::default()
        .max_frame_size(Some(limits::CLIENT_FRAME_MAX_BYTES))
        .max_message_size(Some(limits::CLIENT_FRAME_MAX_BYTES));
    let socket = WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await;
    let (sink, stream) = socket.split();
    let outbox = Arc::new(Outbox::new(app.config.limits.outbox_bytes));
    let bounds = WriterBounds {
        at_once: app.config.limits.write_bytes,
        stall: ms(app.config.timing.write_stall_ms),
    };
    let writer = tokio::spawn(writer::write_all(sink, Arc::clone(&outbox), codec, bounds));
    let linger = ms(app.config.timing.close_linger_ms);
    let mut connection = Connection::new(app, codec, outbox);
    connection.greet();
    let mut stream = connection.run(stream, writer).await;
    connection.leave();
    // The other side gets a moment to answer the close frame; then the socket is dropped.
    drop(tokio::time::timeout(linger, async { while let Some(Ok(_)) = stream.next().await {} }).await);
}

/// What is known of one client.
struct Connection {
    app: Arc<App>,
    codec: Codec,
    outbox: Arc<Outbox>,
    ledger: Arc<Ledger>,
    session: Session,
    peer: Option<Peer>,
    /// Games this connection has asked for: they must hear when it ends.
    games: BTreeMap<GameId, GameHandle>,
    heartbeat: Heartbeat,
}

/// Pings, and what their answers say of the network.
struct Heartbeat {
    next_at: i64,
    every_ms: i64,
    sent_at: Option<(u64, Instant)>,
    count: u64,
    lag_ms: Option<i64>,
    told_ms: i64,
}

impl Connection {
    fn new(app: Arc<App>, codec: Codec, outbox: Arc<Outbox>) -> Self {
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
            ledger: Arc::new(Ledger::new(limits.requests_in_flight, limits.attached_games)),
            heartbeat: Heartbeat {
                next_at: now + timing.heartbeat_ms,
                every_ms: timing.heartbeat_ms,
                sent_at: None,
                count: 0,
                lag_ms: None,
                told_ms: 0,
            },
            peer: None,
            games: BTreeMap::new(),
            app,
            codec,
            outbox,
        }
    }

    fn greet(&self) {
        let hello = self.app.hello();
        self.push(0, &ServerMessage::Hello(hello));
    }

    /// Reads until the connection ends, from whichever side.
    async fn run(
        &mut self,
        mut stream: SplitStream<Socket>,
        mut writer: tokio::task::JoinHandle<Option<CloseCode>>,
    ) -> SplitStream<Socket> {
        loop {
            let now = self.app.clock.now();
            let wake_at = self.session.next_deadline().min(self.heartbeat.next_at);
            tokio::select! {
                closed = &mut writer => {
                    if let Ok(Some(code)) = closed {
                        metrics::closed(code);
                    }
                    return stream;
                }
                frame = stream.next() => {
                    match frame {
                        Some(Ok(message)) => self.read(message).await,
                        Some(Err(error)) => self.broken(&error),
                        None => {
                            self.outbox.set_gone();
                            writer.abort();
                            return stream;
                        }
                    }
                    if self.outbox.is_closing() {
                        // The writer says goodbye; nothing more is read meanwhile.
                        if let Ok(Some(code)) = (&mut writer).await {
                            metrics::closed(code);
                        }
                        return stream;
                    }
                }
                () = tokio::time::sleep(ms(wake_at - now)) => self.wake().await,
            }
        }
    }

    async fn wake(&mut self) {
        let now = self.app.clock.now();
        if self.heartbeat.next_at <= now {
            self.outbox.push(Priority::Player, Outgoing::Ping(self.heartbeat.ping(now)));
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
                return self.outbox.close(CloseCode::WrongFrameType, "the subprotocol uses the other type of frame");
            }
            (Message::Pong(payload), _) => {
                self.pong(&payload);
                let effects = self.session.handle(now, Input::Alive);
                return self.carry_out(effects, now).await;
            }
            (Message::Ping(_), _) => {
                let effects = self.session.handle(now, Input::Alive);
                return self.carry_out(effects, now).await;
            }
            (Message::Close(_), _) => return self.outbox.close(CloseCode::Normal, ""),
            (Message::Frame(_), _) => return,
        };
        let effects = self.session.handle(now, Input::Frame(frame));
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
            SocketError::Capacity(CapacityError::MessageTooLong { .. }) => {
                (CloseCode::TooLarge, format!("a frame has at most {} bytes", limits::CLIENT_FRAME_MAX_BYTES))
            }
            SocketError::Utf8(_) => (CloseCode::BadUtf8, "text must be UTF-8".to_owned()),
            SocketError::Protocol(ProtocolError::ResetWithoutClosingHandshake)
            | SocketError::Io(_)
            | SocketError::ConnectionClosed
            | SocketError::AlreadyClosed => {
                self.outbox.set_gone();
                (CloseCode::Normal, String::new())
            }
            _ => (CloseCode::ProtocolError, "a frame broke the rules of WebSocket".to_owned()),
        };
        self.outbox.close(code, &reason);
    }

    async fn carry_out(&mut self, effects: Vec<Effect>, now: i64) {
        for effect in effects {
            match effect {
                Effect::Authenticate(id, auth) => self.authenticate(id, auth).await,
                Effect::Request(id, message) => self.request(id, message, now).await,
                Effect::Refuse(id, body) => {
                    metrics::message_refused(body.code);
                    // Past the ledger: the request was never opened, and its id may be another's.
                    self.push(id, &ServerMessage::Error(body));
                }
                Effect::Close(code, reason) => self.outbox.close(code, reason),
            }
        }
    }

    async fn authenticate(&mut self, id: u64, auth: Auth) {
        let now = self.app.clock.now();
        match players::authenticate(&self.app, auth).await {
            Ok(player) => {
                let peer = Peer::new(
                    self.app.peers.next_id(),
                    player.identity.clone(),
                    self.codec,
                    Arc::clone(&self.outbox),
                    Arc::clone(&self.ledger),
                );
                if self.app.peers.insert(&peer, self.app.config.limits.connections_per_identity).is_err() {
                    return self.outbox.close(CloseCode::TooManyConnections, "the identity has too many connections");
                }
                peer.send(id, &ServerMessage::Welcome(players::welcome(&self.app, player)));
                self.peer = Some(peer);
                let effects = self.session.handle(now, Input::Authenticated);
                debug_assert!(effects.is_empty(), "being somebody has no consequences of its own");
            }
            Err(body) if body.code == ErrorCode::BadToken => {
                self.push(id, &ServerMessage::Error(body));
                self.session.handle(now, Input::AuthRefused);
                self.outbox.close(CloseCode::BadToken, "get a new identity by auth without a token");
            }
            Err(body) => {
                self.push(id, &ServerMessage::Error(body));
                self.outbox.close(CloseCode::BadHandshake, "the auth was refused");
            }
        }
    }

    async fn request(&mut self, id: u64, message: ClientMessage, now: i64) {
        let Some(peer) = self.peer.clone() else {
            return;
        };
        if let Err(code) = self.ledger.open(id, &message) {
            metrics::message_refused(code);
            return self.push(id, &ServerMessage::Error(ErrorBody::new(code, code.meaning())));
        }
        if let Some((game, _)) = message.game_command() {
            let game = game.clone();
            let lag_ms = peer.lag_ms();
            return self
                .with_game(&peer, id, &game, |handle, peer| handle.command(peer, id, now, lag_ms, message.clone()))
                .await;
        }
        match message {
            ClientMessage::Attach(attach) => self.attach(&peer, id, attach).await,
            ClientMessage::Detach(detach) => {
                self.with_game(&peer, id, &detach.game, |handle, peer| handle.detach(peer, id)).await;
                self.games.remove(&detach.game);
            }
            ClientMessage::Time(_) => {
                let ok = OkBody { server_time: Some(self.app.clock.now()), ..OkBody::default() };
                peer.send(id, &ServerMessage::Ok(Box::new(ok)));
            }
            ClientMessage::Rename(rename) => {
                let answer = players::rename(&self.app, peer.identity(), &rename.name).await;
                peer.send(id, &answer);
            }
            ClientMessage::ListGames(list) => {
                peer.send(id, &self.list_games(&peer, list.scope));
            }
            other => {
                if self.app.lobby.request(peer.clone(), id, other).is_err() {
                    peer.send(id, &busy("the lobby has too much to do"));
                }
            }
        }
    }

    fn list_games(&self, peer: &Peer, scope: GameScope) -> ServerMessage {
        let games = match scope {
            GameScope::Mine => self.app.directory.of_identity(peer.identity()),
            GameScope::Live => self.app.live_games(),
            GameScope::Unknown => {
                let detail = ErrorDetail { field: Some("scope".to_owned()), ..ErrorDetail::default() };
                let body = ErrorBody::new(ErrorCode::BadField, "scope: mine or live");
                return ServerMessage::Error(body.with_detail(detail));
            }
        };
        ServerMessage::Ok(Box::new(OkBody { games: Some(games), ..OkBody::default() }))
    }

    async fn attach(&mut self, peer: &Peer, id: u64, attach: Attach) {
        let from = match (attach.epoch, attach.seq) {
            (Some(epoch), Some(seq)) => Some(ResumePoint { epoch, seq }),
            // Everything from the beginning, whichever incarnation this is.
            (None, Some(seq)) => Some(ResumePoint { epoch: 0, seq }),
            _ => None,
        };
        let (game, code) = (attach.game, attach.code);
        self.with_game(peer, id, &game, |handle, peer| handle.attach(peer, id, from, code.clone())).await;
    }

    /// Hands something to a game, which answers it; if the game has just left memory, to its successor.
    async fn with_game(
        &mut self,
        peer: &Peer,
        id: u64,
        game: &GameId,
        hand_in: impl Fn(&GameHandle, Peer) -> Result<(), crate::game::Busy>,
    ) {
        for _ in 0..2 {
            let handle = match self.games.get(game).filter(|handle| !handle.is_gone()) {
                Some(handle) => handle.clone(),
                None => match self.app.directory.find(game.as_ref()).await {
                    Ok(handle) => handle,
                    Err(error) => {
                        let body = ErrorBody::new(error.code(), error.to_string());
                        peer.send(id, &ServerMessage::Error(body));
                        return;
                    }
                },
            };
            self.games.insert(game.clone(), handle.clone());
            match hand_in(&handle, peer.clone()) {
                Ok(()) => return,
                Err(_) if handle.is_gone() => {}
                Err(_) => break,
            }
        }
        peer.send(id, &busy("the game has too much to do"));
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
    fn push(&self, id: u64, message: &ServerMessage) {
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
        for handle in std::mem::take(&mut self.games).into_values() {
            handle.gone(peer.id());
        }
        self.app.peers.remove(&peer);
    }
}

impl Heartbeat {
    fn ping(&mut self, now: i64) -> Bytes {
        self.count += 1;
        self.next_at = now + self.every_ms;
        self.sent_at = Some((self.count, monotonic()));
        Bytes::copy_from_slice(&self.count.to_be_bytes())
    }

    /// Takes the answer to the last ping; returns the smoothed lag, ms.
    fn pong(&mut self, payload: &[u8]) -> Option<i64> {
        let (count, sent_at) = self.sent_at.take_if(|(count, _)| payload == count.to_be_bytes())?;
        debug_assert_eq!(count, self.count, "only the last ping is remembered");
        let half = i64::try_from(sent_at.elapsed().as_millis() / 2).unwrap_or(i64::MAX);
        let smoothed = match self.lag_ms {
            None => half,
            Some(lag_ms) => lag_ms + (half - lag_ms) / LAG_WEIGHT,
        };
        self.lag_ms = Some(smoothed);
        Some(smoothed)
    }
}

fn busy(text: &str) -> ServerMessage {
    let detail = ErrorDetail { retry_after_ms: Some(1_000), ..ErrorDetail::default() };
    ServerMessage::Error(ErrorBody::new(ErrorCode::Busy, text).with_detail(detail))
}

fn ms(ms: i64) -> Duration {
    Duration::from_millis(u64::try_from(ms).unwrap_or(0))
}

#[expect(clippy::disallowed_methods, reason = "a round trip is measured in the shell")]
fn monotonic() -> Instant {
    Instant::now()
}
