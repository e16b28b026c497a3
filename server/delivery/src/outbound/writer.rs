//! The writers: one task per connection that empties its outbox and ends with the close frame.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::{Sink, SinkExt};
use tilewire_protocol::{CloseCode, Codec};
use tokio::net::tcp::OwnedWriteHalf;
use tokio::time::{Instant, timeout_at};
use tokio_tungstenite::tungstenite::{self, Message, Utf8Bytes};

use super::direct::Progress;
use super::framed::Amount;
use super::outbox::{Outbox, Waiting};
use super::outgoing::Outgoing;
use tilewire_base::metrics;

/// The bounds of writing to one connection.
#[derive(Debug, Clone, Copy)]
pub struct WriterBounds {
    /// Bytes of one write, at about.
    pub at_once: usize,
    /// The longest time in which the socket may take nothing.
    pub stall: Duration,
}

/// Continues to write whenever a direct socket was full, until the outbox closes; then sends the close frame. Returns the
/// code it closed with, or `None` when the connection broke.
pub async fn write_direct(
    outbox: Arc<Outbox>,
    socket: Arc<OwnedWriteHalf>,
    bounds: WriterBounds,
) -> Option<CloseCode> {
    let mut stuck: Option<(u64, Instant)> = None;
    loop {
        match outbox.continue_direct() {
            Progress::Idle => {
                stuck = None;
                outbox.changed().await;
            }
            Progress::Blocked(batch) => {
                let until = match stuck {
                    Some((since, until)) if since == batch => until,
                    _ => after(bounds.stall),
                };
                stuck = Some((batch, until));
                match timeout_at(until, socket.writable()).await {
                    Ok(Ok(())) => {}
                    Ok(Err(_)) => return None,
                    // The close frame would not get through either.
                    Err(_) => return Some(CloseCode::TooSlow),
                }
            }
            Progress::Broken => return None,
            Progress::Closed(code) => return Some(code),
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the shell measures how long a socket takes nothing"
)]
fn after(time: Duration) -> Instant {
    Instant::now() + time
}

/// Writes to a stream of messages until the outbox closes; then sends the close frame. Returns the code it closed with, or
/// `None` when the connection broke. A TLS connection has such a stream, and so has a test.
pub async fn write_stream<S>(
    mut sink: S,
    outbox: Arc<Outbox>,
    codec: Codec,
    bounds: WriterBounds,
) -> Option<CloseCode>
where
    S: Sink<Message, Error = tungstenite::Error> + Unpin,
{
    loop {
        match outbox.take(bounds.at_once).await {
            Waiting::Frames(frames) => {
                let written =
                    tokio::time::timeout(bounds.stall, write(&mut sink, codec, frames)).await;
                match written {
                    Ok(Ok(())) => {}
                    Ok(Err(_)) => return None,
                    // The close frame would not get through either.
                    Err(_) => return Some(CloseCode::TooSlow),
                }
            }
            Waiting::Close(closing) => {
                let (code, frame) = (closing.code, Message::Close(Some(closing.frame())));
                let sent = tokio::time::timeout(bounds.stall, sink.send(frame)).await;
                tracing::debug!(%code, sent = matches!(sent, Ok(Ok(()))), "closing");
                return Some(code);
            }
        }
    }
}

async fn write<S>(
    sink: &mut S,
    codec: Codec,
    frames: Vec<Outgoing>,
) -> Result<(), tungstenite::Error>
where
    S: Sink<Message, Error = tungstenite::Error> + Unpin,
{
    let mut amount = Amount::default();
    for frame in frames {
        amount += frame.amount();
        match frame {
            Outgoing::Ping(payload) => sink.feed(Message::Ping(payload)).await?,
            Outgoing::Pong(payload) => sink.feed(Message::Pong(payload)).await?,
            Outgoing::Message(bytes) => sink.feed(message(codec, bytes)).await?,
            Outgoing::Framed(framed) => {
                for frame in framed.frames() {
                    sink.feed(message(codec, frame.payload().clone())).await?;
                }
            }
        }
    }
    sink.flush().await?;
    metrics::sent(amount.messages, amount.bytes);
    Ok(())
}

fn message(codec: Codec, bytes: Bytes) -> Message {
    match codec {
        Codec::MsgPack => Message::Binary(bytes),
        Codec::Json => Message::Text(as_text(bytes)),
    }
}

/// JSON is UTF-8. If an encoder broke that, an empty message would be better than a panic.
fn as_text(bytes: Bytes) -> Utf8Bytes {
    Utf8Bytes::try_from(bytes).unwrap_or_default()
}
