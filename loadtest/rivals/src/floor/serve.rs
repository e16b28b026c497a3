//! Servers that pass frames on.
//!
//! The first message of a connection says what it is: a publisher sends its turns from then on, a subscriber nothing, a
//! member of a room commands or nothing.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use bytes::{BufMut, Bytes, BytesMut};
use futures::{SinkExt, StreamExt};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use super::FloorKind;
use super::rooms::{MEMBER, Rooms};
use tilewire_loadtest::report::say;

/// The first byte of a publisher.
pub(super) const PUBLISHER: &[u8] = b"P";
/// Turns that may wait for a subscriber; more than any test sends ahead.
pub(super) const WAITING: usize = 1_024;

/// The frames of one turn.
pub(super) type Turn = Arc<[Bytes]>;
type Subscribers = Arc<Mutex<Vec<mpsc::Sender<Turn>>>>;

/// Serves until the process is ended.
///
/// # Errors
/// When it cannot listen.
pub(super) fn run(kind: FloorKind, listen: SocketAddr) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async move {
        let listener = TcpListener::bind(listen).await?;
        say(&format!("listening on ws://{}", listener.local_addr()?));
        let (subscribers, rooms) = (Subscribers::default(), Rooms::default());
        loop {
            let (stream, _) = listener.accept().await?;
            let (subscribers, rooms) = (Arc::clone(&subscribers), rooms.clone());
            tokio::spawn(async move {
                // A connection that fails is its own business.
                drop(connection(kind, stream, subscribers, rooms).await);
            });
        }
    })
}

async fn connection(
    kind: FloorKind,
    stream: TcpStream,
    subscribers: Subscribers,
    rooms: Rooms,
) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut socket = tokio_tungstenite::accept_async(stream).await?;
    let first = socket.next().await;
    if let Some(Ok(Message::Binary(first))) = &first
        && first.first() == Some(&MEMBER)
    {
        return rooms.serve(kind, socket, first).await;
    }
    let is_publisher =
        matches!(&first, Some(Ok(Message::Binary(bytes))) if bytes.as_ref() == PUBLISHER);
    if is_publisher {
        return publish(kind, socket, &subscribers).await;
    }
    let (sender, turns) = mpsc::channel(WAITING);
    lock(&subscribers).push(sender);
    // The subscriber waits for this confirmation.
    socket
        .send(Message::binary(Bytes::from_static(b"S")))
        .await?;
    match kind {
        FloorKind::Relay => relay(socket, turns).await,
        FloorKind::Framed => write_framed(socket, turns).await,
    }
}

async fn publish(
    kind: FloorKind,
    mut socket: WebSocketStream<TcpStream>,
    subscribers: &Subscribers,
) -> Result<()> {
    while let Some(Ok(message)) = socket.next().await {
        let Message::Binary(turn) = message else {
            continue;
        };
        let frames = unpack(turn);
        let turn: Turn = match kind {
            FloorKind::Relay => frames.into(),
            FloorKind::Framed => vec![framed(&frames)].into(),
        };
        lock(subscribers).retain(|subscriber| {
            !matches!(
                subscriber.try_send(Arc::clone(&turn)),
                Err(mpsc::error::TrySendError::Closed(_))
            )
        });
    }
    Ok(())
}

async fn relay(
    mut socket: WebSocketStream<TcpStream>,
    mut turns: mpsc::Receiver<Turn>,
) -> Result<()> {
    while let Some(turn) = turns.recv().await {
        for frame in turn.iter() {
            socket.feed(Message::Binary(frame.clone())).await?;
        }
        socket.flush().await?;
    }
    Ok(())
}

async fn write_framed(
    socket: WebSocketStream<TcpStream>,
    mut turns: mpsc::Receiver<Turn>,
) -> Result<()> {
    let mut stream = socket.into_inner();
    while let Some(turn) = turns.recv().await {
        for bytes in turn.iter() {
            stream.write_all(bytes).await?;
        }
    }
    Ok(())
}

/// Puts the frames of a turn into one message: the length of each, two bytes, and the frame.
pub(super) fn pack(frames: &[Bytes]) -> Bytes {
    let mut turn = BytesMut::new();
    for frame in frames {
        turn.put_u16(u16::try_from(frame.len()).unwrap_or(0));
        turn.extend_from_slice(frame);
    }
    turn.freeze()
}

fn unpack(mut turn: Bytes) -> Vec<Bytes> {
    let mut frames = Vec::new();
    while turn.len() >= 2 {
        let length = usize::from(u16::from_be_bytes([turn[0], turn[1]]));
        let rest = turn.split_off(2);
        turn = rest;
        if turn.len() < length {
            break;
        }
        let rest = turn.split_off(length);
        frames.push(std::mem::replace(&mut turn, rest));
    }
    frames
}

/// Frames as they go over the wire: a header for an unmasked binary message, and the payload.
pub(super) fn framed(frames: &[Bytes]) -> Bytes {
    let mut bytes = BytesMut::new();
    for frame in frames {
        bytes.put_u8(0x82);
        match u8::try_from(frame.len()) {
            Ok(length) if length < 126 => bytes.put_u8(length),
            _ => {
                bytes.put_u8(126);
                bytes.put_u16(u16::try_from(frame.len()).unwrap_or(0));
            }
        }
        bytes.extend_from_slice(frame);
    }
    bytes.freeze()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_unpacked_as_it_was_packed() {
        let frames = vec![Bytes::from(vec![1; 100]), Bytes::from(vec![2; 300])];
        assert_eq!(unpack(pack(&frames)), frames);
        assert!(unpack(Bytes::from_static(&[0, 9, 1])).is_empty());
        let framed = framed(&frames);
        assert_eq!(framed[..2], [0x82, 100]);
        assert_eq!(framed[102..106], [0x82, 126, 1, 44]);
        assert_eq!(framed.len(), 2 + 100 + 4 + 300);
    }
}
