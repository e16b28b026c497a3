//! One connection of a client: frames as they come, and the handshake up to `welcome`.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use futures::{SinkExt, StreamExt};
use tilewire_protocol::{
    Auth, ClientMessage, Codec, ErrorBody, SUBPROTOCOL_MSGPACK, ServerMessage, Token, Welcome,
    decode_server, encode_client, limits,
};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::{HeaderValue, header};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// Time for the connection, the upgrade and each answer before `welcome`.
const STEP_WITHIN: Duration = Duration::from_secs(30);
/// The size of a connection's read buffer; small, because thousands of connections share the machine with the server.
const READ_BYTES: usize = 4_096;
/// The first request of every connection.
const AUTH_ID: u64 = 1 << 40;

/// A connection in the form of the WebSocket library.
pub type Socket = WebSocketStream<TcpStream>;

/// The WebSocket settings of every client of the harness, for every kind of server.
pub fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(READ_BYTES)
        .max_message_size(Some(limits::SERVER_FRAME_MAX_BYTES))
        .max_frame_size(Some(limits::SERVER_FRAME_MAX_BYTES))
        .write_buffer_size(0)
        .max_write_buffer_size(4 * limits::CLIENT_FRAME_MAX_BYTES)
}

/// The result of a read.
#[derive(Debug)]
pub enum Heard {
    /// A message, not decoded yet.
    Frame(Bytes),
    /// The end: the close code, if there was one.
    Closed(Option<u16>),
}

/// Pause before a retry if the refusal of the server names none.
pub const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// The pause before a retry after this refusal.
pub fn pause_of(refusal: &ErrorBody) -> Duration {
    let detail = refusal.detail.as_ref();
    let ms = detail.and_then(|detail| detail.retry_after_ms);
    ms.map_or(AGAIN_AFTER, |ms| Duration::from_millis(ms.unsigned_abs()))
}

/// Number of loopback addresses that connections use in turn: one address has ports for only about 28,000 connections.
const SOURCES: u8 = 16;

/// Connects to a server. Connections to a server on this machine use several source addresses in turn.
pub(crate) async fn connect(address: &str) -> std::io::Result<TcpStream> {
    static NEXT: AtomicU8 = AtomicU8::new(0);
    match address.parse() {
        Ok(SocketAddr::V4(to)) if to.ip().is_loopback() => {
            let own = NEXT.fetch_add(1, Ordering::Relaxed) % SOURCES;
            let socket = TcpSocket::new_v4()?;
            socket.bind(SocketAddr::from(([127, 0, 0, 2 + own], 0)))?;
            socket.connect(to.into()).await
        }
        _ => TcpStream::connect(address).await,
    }
}

/// An open connection.
#[derive(Debug)]
pub struct Link {
    socket: Socket,
}

impl Link {
    /// Connects, upgrades and reads `hello`.
    ///
    /// # Errors
    /// When the server does not take the connection.
    pub async fn open(address: &str) -> Result<Self> {
        let opening = async {
            let stream = connect(address).await?;
            stream.set_nodelay(true)?;
            let mut request = format!("ws://{address}/ws").into_client_request()?;
            let protocol = HeaderValue::from_static(SUBPROTOCOL_MSGPACK);
            let headers = request.headers_mut();
            headers.insert(header::SEC_WEBSOCKET_PROTOCOL, protocol);
            let (socket, _) =
                tokio_tungstenite::client_async_with_config(request, stream, Some(config()))
                    .await?;
            let mut link = Self { socket };
            match link.message().await? {
                (_, ServerMessage::Hello(_)) => Ok(link),
                (_, other) => bail!("{} came before hello", other.op()),
            }
        };
        tokio::time::timeout(STEP_WITHIN, opening)
            .await
            .context("no connection in time")?
            .context("no connection")
    }

    /// Connects as a new guest, or as the owner of a token.
    ///
    /// # Errors
    /// When the server refuses the connection or the token.
    pub async fn enter(address: &str, token: Option<Token>) -> Result<(Self, Welcome)> {
        let mut link = Self::open(address).await?;
        let auth = ClientMessage::Auth(Auth {
            token,
            name: None,
            client: concat!("loadtest ", env!("CARGO_PKG_VERSION")).to_owned(),
        });
        link.send(AUTH_ID, &auth).await?;
        let entering = async {
            loop {
                match link.message().await? {
                    (AUTH_ID, ServerMessage::Welcome(welcome)) => return Ok(welcome),
                    (AUTH_ID, ServerMessage::Error(error)) => {
                        bail!("{}: {}", error.code, error.message)
                    }
                    _ => {}
                }
            }
        };
        let welcome = tokio::time::timeout(STEP_WITHIN, entering)
            .await
            .context("no welcome in time")??;
        Ok((link, welcome))
    }

    /// Sends a request.
    ///
    /// # Errors
    /// When the connection is gone.
    pub async fn send(&mut self, id: u64, message: &ClientMessage) -> Result<()> {
        let bytes = encode_client(Codec::MsgPack, id, message);
        self.socket.send(Message::binary(bytes)).await?;
        Ok(())
    }

    /// The next message or the end. Cancel-safe.
    pub async fn next(&mut self) -> Heard {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Binary(bytes))) => return Heard::Frame(bytes),
                Some(Ok(Message::Close(frame))) => {
                    return Heard::Closed(frame.map(|frame| frame.code.into()));
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Heard::Closed(None),
            }
        }
    }

    /// Returns the raw connection, for callers that read frames without decoding them.
    pub fn into_socket(self) -> Socket {
        self.socket
    }

    /// Closes in order, without waiting for the answer.
    pub async fn close(mut self) {
        drop(tokio::time::timeout(Duration::from_secs(1), self.socket.close(None)).await);
    }

    async fn message(&mut self) -> Result<(u64, ServerMessage)> {
        match self.next().await {
            Heard::Frame(bytes) => Ok(decode_server(Codec::MsgPack, &bytes)?),
            Heard::Closed(code) => bail!("closed with {code:?}"),
        }
    }
}
