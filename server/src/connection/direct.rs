//! Writing to a socket at once, from whatever task has something for it.
//!
//! Waking a task for each frame costs as much as the write itself. So who puts something into an outbox also writes it,
//! as far as the socket takes it without waiting; a connection's own writer only goes on where a socket was full, and
//! says goodbye. Connections with TLS, which is not written to from everywhere, have a [`super::writer`].

use std::fmt::Debug;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Buf, Bytes};
use smallvec::SmallVec;
use tilewire_protocol::{CloseCode, Codec};
use tokio::net::tcp::OwnedWriteHalf;
use tokio::time::{Instant, timeout_at};
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use super::outbox::{Outbox, Outgoing};
use super::writer::WriterBounds;
use crate::metrics;

/// Bytes of a batch that need no memory of their own: a turn's frames.
const ON_STACK: usize = 1024;

/// What takes bytes without waiting.
pub(super) trait Socket: Send + Sync + Debug {
    /// Writes as much as is taken now; fails with [`io::ErrorKind::WouldBlock`] when that is nothing.
    ///
    /// # Errors
    /// When the connection is broken, or takes nothing now.
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize>;
}

impl Socket for OwnedWriteHalf {
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        Self::try_write(self, bytes)
    }
}

/// Where an outbox writes to by itself.
#[derive(Debug, Clone)]
pub(super) struct Direct {
    /// The socket.
    pub(super) socket: Arc<dyn Socket>,
    /// How messages travel on it.
    pub(super) codec: Codec,
    /// Bytes taken together into one write.
    pub(super) at_once: usize,
}

/// Frames that go out together.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// What a turn says to somebody has room on the stack: most batches need no memory of their own.
    bytes: SmallVec<[u8; ON_STACK]>,
    content: Content,
}

/// How many messages, and of how many bytes.
#[derive(Debug, Default, Clone, Copy)]
struct Content {
    messages: usize,
    bytes: usize,
}

/// What a socket has not taken yet of a batch.
#[derive(Debug)]
pub(super) struct Unwritten {
    bytes: Bytes,
    content: Content,
}

impl Batch {
    pub(super) fn add(&mut self, codec: Codec, outgoing: Outgoing) {
        self.content.messages += 1;
        self.content.bytes += outgoing.len();
        self.add_frame(frame(codec, outgoing));
    }

    pub(super) fn add_frame(&mut self, frame: Frame) {
        // It is written to memory.
        drop(frame.format(&mut self.bytes));
    }

    /// Writes as much as the socket takes now; returns what it has not taken, if anything.
    ///
    /// # Errors
    /// When the connection is broken.
    pub(super) fn write(self, socket: &dyn Socket) -> io::Result<Option<Box<Unwritten>>> {
        let written = write_some(socket, &self.bytes)?;
        if written == self.bytes.len() {
            self.content.count();
            return Ok(None);
        }
        Ok(Some(Box::new(Unwritten {
            bytes: Bytes::copy_from_slice(&self.bytes[written..]),
            content: self.content,
        })))
    }
}

impl Unwritten {
    /// Writes on; says whether everything is written.
    ///
    /// # Errors
    /// When the connection is broken.
    pub(super) fn write(&mut self, socket: &dyn Socket) -> io::Result<bool> {
        self.bytes.advance(write_some(socket, &self.bytes)?);
        let is_all = self.bytes.is_empty();
        if is_all {
            self.content.count();
        }
        Ok(is_all)
    }
}

impl Content {
    fn count(self) {
        metrics::sent(self.messages, self.bytes);
    }
}

/// Writes as much as the socket takes now, and returns how much that was.
fn write_some(socket: &dyn Socket, bytes: &[u8]) -> io::Result<usize> {
    let mut written = 0;
    while written < bytes.len() {
        match socket.try_write(&bytes[written..]) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(now) => written += now,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(written)
}

fn frame(codec: Codec, outgoing: Outgoing) -> Frame {
    let data = match codec {
        Codec::MsgPack => Data::Binary,
        Codec::Json => Data::Text,
    };
    match outgoing {
        Outgoing::Message(bytes) => Frame::message(bytes, OpCode::Data(data), true),
        Outgoing::Ping(payload) => Frame::ping(payload),
        Outgoing::Pong(payload) => Frame::pong(payload),
    }
}

/// How far a connection's writer has come.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Everything is written.
    Idle,
    /// The socket is full; so many batches were finished before.
    Blocked(u64),
    /// The connection is broken.
    Broken,
    /// Everything is written, the close frame with this code too.
    Closed(CloseCode),
}

/// Writes on whenever the socket was full, until the outbox closes; then sends the close frame. Returns the code it
/// closed with, or `None` when the socket broke.
pub(super) async fn write_all(
    outbox: Arc<Outbox>,
    socket: Arc<OwnedWriteHalf>,
    bounds: WriterBounds,
) -> Option<CloseCode> {
    let mut stuck: Option<(u64, Instant)> = None;
    loop {
        match outbox.write_on() {
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
                    // Not even a close frame would get through.
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
    reason = "how long a socket takes nothing is measured in the shell"
)]
fn after(time: Duration) -> Instant {
    Instant::now() + time
}
