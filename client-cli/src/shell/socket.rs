//! One connection: a task between the socket and two bounded channels.

use std::time::Duration;

use futures::{SinkExt, StreamExt};
use tilewire_protocol::{
    ClientMessage, Codec, ServerMessage, decode_server, encode_client, limits,
};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::http::{HeaderValue, header};
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use crate::app::{Input, Loss};

/// Time for the TCP connection and the upgrade.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Time to send one frame.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// Silence after which a connection counts as lost, until `hello` states the interval of the heartbeat.
const FIRST_SILENCE: Duration = Duration::from_secs(15);
/// The tolerance on top of two heartbeats.
const SILENCE_SLACK_MS: u64 = 3_000;
/// Messages that can wait in either direction; beyond that the socket waits.
const CHANNEL_SIZE: usize = 64;

type Stream = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A connection.
#[derive(Debug)]
pub(super) struct Socket {
    outgoing: mpsc::Sender<(u64, ClientMessage)>,
    incoming: mpsc::Receiver<Input>,
    task: JoinHandle<()>,
}

impl Socket {
    /// Starts to connect; [`Socket::next`] returns the outcome.
    pub(super) fn open(url: &str, codec: Codec) -> Self {
        let (outgoing, to_send) = mpsc::channel(CHANNEL_SIZE);
        let (told, incoming) = mpsc::channel(CHANNEL_SIZE);
        let url = url.to_owned();
        let task = tokio::spawn(async move {
            let loss = run(&url, codec, to_send, &told).await;
            // Without a receiver, the loss does not matter.
            drop(told.send(Input::Lost(loss)).await);
        });
        Self {
            outgoing,
            incoming,
            task,
        }
    }

    /// Waits for the next input; [`Input::Lost`] is the last one.
    pub(super) async fn next(&mut self) -> Option<Input> {
        self.incoming.recv().await
    }

    /// Sends a request; a lost connection drops it.
    pub(super) fn send(&self, id: u64, message: ClientMessage) {
        // The channel is never full, because only a few requests are unanswered at a time. Waiting here could
        // deadlock, because the task waits for this side to take messages.
        drop(self.outgoing.try_send((id, message)));
    }

    /// Closes the connection; waits only a short time for the close frame.
    pub(super) async fn close(self) {
        drop(self.outgoing);
        drop(self.incoming);
        drop(timeout(Duration::from_millis(500), self.task).await);
    }
}

async fn run(
    url: &str,
    codec: Codec,
    mut to_send: mpsc::Receiver<(u64, ClientMessage)>,
    told: &mpsc::Sender<Input>,
) -> Loss {
    let mut stream = match connect(url, codec).await {
        Ok(stream) => stream,
        Err(loss) => return loss,
    };
    if told.send(Input::Opened).await.is_err() {
        return lost("closed");
    }
    let mut silence = FIRST_SILENCE;
    let mut patience = std::pin::pin!(sleep(silence));
    loop {
        tokio::select! {
            message = to_send.recv() => {
                let Some((id, message)) = message else {
                    drop(timeout(SEND_TIMEOUT, stream.close(None)).await);
                    return lost("closed");
                };
                let frame = frame(codec, encode_client(codec, id, &message));
                match timeout(SEND_TIMEOUT, stream.send(frame)).await {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => return lost(in_words(&error)),
                    Err(_) => return lost("the network does not accept data"),
                }
            }
            () = &mut patience => {
                return lost(format!("no data from the server for {} s", silence.as_secs()));
            }
            frame = stream.next() => {
                match read(codec, frame) {
                    Ok(None) => {}
                    Ok(Some((id, message))) => {
                        if let ServerMessage::Hello(hello) = &message {
                            silence = silence_for(hello.heartbeat_ms);
                        }
                        if told.send(Input::Received(id, Box::new(message))).await.is_err() {
                            return lost("closed");
                        }
                    }
                    Err(loss) => return loss,
                }
                patience.set(sleep(silence));
            }
        }
    }
}

fn silence_for(heartbeat_ms: i64) -> Duration {
    let heartbeat_ms = u64::try_from(heartbeat_ms).unwrap_or(0).clamp(100, 300_000);
    Duration::from_millis(2 * heartbeat_ms + SILENCE_SLACK_MS)
}

async fn connect(url: &str, codec: Codec) -> Result<Stream, Loss> {
    let refused = |reason: String| Loss {
        close_code: None,
        reason,
        is_final: true,
    };
    let mut request = url
        .into_client_request()
        .map_err(|error| refused(format!("{url}: {error}")))?;
    let protocol = HeaderValue::from_static(codec.subprotocol());
    request
        .headers_mut()
        .insert(header::SEC_WEBSOCKET_PROTOCOL, protocol);
    let config = WebSocketConfig::default()
        .max_message_size(Some(limits::SERVER_FRAME_MAX_BYTES))
        .max_frame_size(Some(limits::SERVER_FRAME_MAX_BYTES))
        .write_buffer_size(0)
        .max_write_buffer_size(4 * limits::CLIENT_FRAME_MAX_BYTES);
    match timeout(
        CONNECT_TIMEOUT,
        connect_async_with_config(request, Some(config), true),
    )
    .await
    {
        Ok(Ok((stream, _))) => Ok(stream),
        Ok(Err(Error::Http(answer))) => {
            let status = answer.status();
            let reason = format!("{url} refused the connection: {status}");
            // A busy or restarting server may accept later; all other refusals are final.
            let is_final = !(status.is_server_error() || status.as_u16() == 429);
            Err(Loss {
                close_code: None,
                reason,
                is_final,
            })
        }
        Ok(Err(error)) if is_distrust(&error) => Err(refused(format!(
            "cannot verify the certificate of {url}: {}",
            in_words(&error)
        ))),
        Ok(Err(error)) => Err(lost(format!("cannot reach {url}: {}", in_words(&error)))),
        Err(_) => Err(lost(format!("cannot reach {url}: no answer"))),
    }
}

/// Whether the certificate of the server is invalid, which another attempt does not change.
fn is_distrust(error: &Error) -> bool {
    match error {
        Error::Tls(_) => true,
        Error::Io(error) => error
            .get_ref()
            .is_some_and(|inner| inner.is::<rustls::Error>()),
        _ => false,
    }
}

type Frame = Option<Result<Message, Error>>;

fn read(codec: Codec, frame: Frame) -> Result<Option<(u64, ServerMessage)>, Loss> {
    let bytes = match frame {
        Some(Ok(Message::Binary(bytes))) if !codec.is_text() => bytes,
        Some(Ok(Message::Text(text))) if codec.is_text() => text.into(),
        Some(Ok(Message::Binary(_) | Message::Text(_))) => {
            return Err(lost("the server sent a frame of the wrong type"));
        }
        Some(Ok(Message::Close(frame))) => return Err(closed(frame)),
        Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => return Ok(None),
        Some(Err(error)) => return Err(lost(in_words(&error))),
        None => return Err(lost("the server dropped the connection")),
    };
    decode_server(codec, &bytes)
        .map(Some)
        .map_err(|error| lost(format!("the server sent an invalid message: {error}")))
}

/// The text for an error of an open connection.
fn in_words(error: &Error) -> String {
    match error {
        Error::ConnectionClosed
        | Error::AlreadyClosed
        | Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => {
            "the server dropped the connection".to_owned()
        }
        Error::Io(error) => error.to_string(),
        error => error.to_string(),
    }
}

fn closed(frame: Option<CloseFrame>) -> Loss {
    match frame {
        Some(frame) => Loss {
            close_code: Some(u16::from(frame.code)),
            reason: frame.reason.as_str().to_owned(),
            is_final: false,
        },
        None => lost("the server closed the connection"),
    }
}

fn lost(reason: impl Into<String>) -> Loss {
    Loss {
        close_code: None,
        reason: reason.into(),
        is_final: false,
    }
}

fn frame(codec: Codec, bytes: Vec<u8>) -> Message {
    if codec.is_text() {
        match String::from_utf8(bytes) {
            Ok(text) => Message::Text(text.into()),
            Err(error) => Message::Binary(error.into_bytes().into()),
        }
    } else {
        Message::Binary(bytes.into())
    }
}
