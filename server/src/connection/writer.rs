//! Writes what waits in an outbox to a sink of messages: a connection with TLS, or one that is no socket.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::{Sink, SinkExt};
use tilewire_protocol::{CloseCode, Codec};
use tokio_tungstenite::tungstenite::{self, Message, Utf8Bytes};

use super::outbox::{Amount, Outbox, Outgoing, Waiting};
use crate::metrics;

/// How writing goes on and ends.
#[derive(Debug, Clone, Copy)]
pub struct WriterBounds {
    /// Bytes taken together into one write.
    pub at_once: usize,
    /// How long the socket may take nothing.
    pub stall: Duration,
}

/// Writes until the outbox closes; then sends the close frame. Returns the code it closed with, or `None` when the
/// socket broke.
pub async fn write_all<S>(
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
                    // Not even a close frame would get through.
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
            Outgoing::Group(group) => {
                for bytes in group.messages() {
                    sink.feed(message(codec, bytes.clone())).await?;
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

/// JSON is UTF-8; if an encoder ever broke that, an empty message is better than a panic.
fn as_text(bytes: Bytes) -> Utf8Bytes {
    Utf8Bytes::try_from(bytes).unwrap_or_default()
}
