//! Rooms of a bare server. The server answers each command and pushes to all members of the room. It sends as many
//! bytes and frames as Tilewire.
//!
//! It has no game logic and no storage: a frame is padding and the stamp of the command that caused it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use bytes::{BufMut, Bytes, BytesMut};
use futures::stream::{SplitSink, SplitStream};
use futures::{SinkExt, Stream, StreamExt};
use tokio::io::{AsyncWriteExt, Join, Sink, join, sink};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_tungstenite::tungstenite::{Error, Message};

use super::FloorKind;
use super::serve::{Turn, WAITING, framed};

/// The first byte of the first frame of a member; the number of the room follows.
pub(super) const MEMBER: u8 = b'M';
/// The first byte of a command that gets an answer and no push.
pub(super) const REFUSED: u8 = b'!';
/// The first byte of a command that is pushed to all members.
pub(super) const MOVE: u8 = b'+';
/// Bytes of a command: a play of four tiles.
pub(super) const COMMAND_BYTES: usize = 112;
/// Bytes of the answer to a command.
pub(super) const ANSWER_BYTES: usize = 38;
/// Bytes of the events of a turn, on average: `play_made`, `tiles_drawn`, `turn_started`.
pub(super) const EVENT_BYTES: [usize; 3] = [224, 94, 172];
/// The stamp at the end of every frame.
pub(super) const STAMP_BYTES: usize = 8;

/// The members of a room, in the order in which they joined.
type Room = Arc<Mutex<Vec<mpsc::Sender<Turn>>>>;

/// All rooms by number.
#[derive(Debug, Clone, Default)]
pub(super) struct Rooms(Arc<Mutex<HashMap<u32, Room>>>);

impl Rooms {
    /// Serves a member of the room that `first` names, until it leaves.
    ///
    /// # Errors
    /// When its connection fails.
    pub(super) async fn serve(
        &self,
        kind: FloorKind,
        mut socket: WebSocketStream<TcpStream>,
        first: &[u8],
    ) -> Result<()> {
        let number = first.last_chunk().context("a room has a number")?;
        let number = u32::from_be_bytes(*number);
        let room = Arc::clone(lock(&self.0).entry(number).or_default());
        let (sender, turns) = mpsc::channel(WAITING);
        // The confirmation comes before any push.
        let told = Message::binary(Bytes::from_static(b"M"));
        socket.send(told).await?;
        lock(&room).push(sender.clone());
        match kind {
            FloorKind::Relay => {
                let (sink, stream) = socket.split();
                tokio::spawn(relay(sink, turns));
                listen(kind, stream, &room, &sender).await
            }
            FloorKind::Framed => {
                let (stream, sink) = halves(socket).await;
                tokio::spawn(write(sink, turns));
                listen(kind, stream, &room, &sender).await
            }
        }
    }
}

/// Splits a connection: the WebSocket library reads frames and writes none, and the caller writes to the socket itself.
async fn halves(
    socket: WebSocketStream<TcpStream>,
) -> (
    SplitStream<WebSocketStream<Join<OwnedReadHalf, Sink>>>,
    OwnedWriteHalf,
) {
    let config = *socket.get_config();
    let (reader, writer) = socket.into_inner().into_split();
    let reader = join(reader, sink());
    let reader = WebSocketStream::from_raw_socket(reader, Role::Server, Some(config)).await;
    (reader.split().1, writer)
}

async fn listen(
    kind: FloorKind,
    mut stream: impl Stream<Item = Result<Message, Error>> + Unpin,
    room: &Room,
    own: &mpsc::Sender<Turn>,
) -> Result<()> {
    while let Some(message) = stream.next().await {
        let Message::Binary(command) = message? else {
            continue;
        };
        let stamp = command.last_chunk().context("a command has a stamp")?;
        let answer = frame(ANSWER_BYTES, stamp);
        if command.first() == Some(&REFUSED) {
            own.try_send(turn(kind, vec![answer]))?;
            continue;
        }
        let events = EVENT_BYTES.map(|length| frame(length, stamp));
        let told = turn(kind, events.to_vec());
        let answered = turn(kind, [vec![answer], events.to_vec()].concat());
        for member in lock(room).iter() {
            let turn = if member.same_channel(own) {
                &answered
            } else {
                &told
            };
            // The send fails for a member that has left.
            drop(member.try_send(Arc::clone(turn)));
        }
    }
    Ok(())
}

fn frame(length: usize, stamp: &[u8; STAMP_BYTES]) -> Bytes {
    let mut frame = BytesMut::zeroed(length - STAMP_BYTES);
    frame.put_slice(stamp);
    frame.freeze()
}

fn turn(kind: FloorKind, frames: Vec<Bytes>) -> Turn {
    match kind {
        FloorKind::Relay => frames.into(),
        FloorKind::Framed => vec![framed(&frames)].into(),
    }
}

async fn relay(
    mut sink: SplitSink<WebSocketStream<TcpStream>, Message>,
    mut turns: mpsc::Receiver<Turn>,
) -> Result<()> {
    while let Some(turn) = turns.recv().await {
        for frame in turn.iter() {
            sink.feed(Message::Binary(frame.clone())).await?;
        }
        sink.flush().await?;
    }
    Ok(())
}

async fn write(mut sink: OwnedWriteHalf, mut turns: mpsc::Receiver<Turn>) -> Result<()> {
    while let Some(turn) = turns.recv().await {
        for bytes in turn.iter() {
            sink.write_all(bytes).await?;
        }
    }
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
