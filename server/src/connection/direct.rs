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
use socket2::SockRef;
use tilewire_protocol::{CloseCode, Codec};
use tokio::net::tcp::OwnedWriteHalf;
use tokio::time::{Instant, timeout_at};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;

use super::group::{append, data_frame};
use super::outbox::{Amount, Outbox, Outgoing};
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
        // The socket is asked past the runtime, whose note of whether there is room is far away in memory; only of a full
        // one does the runtime have to know, for whoever waits for room.
        match SockRef::from(self.as_ref()).send(bytes) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Self::try_write(self, bytes),
            sent => sent,
        }
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
#[derive(Debug)]
pub(super) struct Batch {
    framed: Framed,
    amount: Amount,
}

#[expect(
    clippy::large_enum_variant,
    reason = "it lives on the stack, for one write"
)]
#[derive(Debug)]
enum Framed {
    /// What a turn says to somebody has room on the stack: most batches need no memory of their own.
    Own(SmallVec<[u8; ON_STACK]>),
    /// What is told to many is framed already.
    Shared(Bytes),
}

/// What a socket has not taken yet of a batch.
#[derive(Debug)]
pub(super) struct Unwritten {
    bytes: Bytes,
    amount: Amount,
}

impl Batch {
    /// Frames what is not framed yet. A group that goes out alone is written from where all who get it have it.
    pub(super) fn new(codec: Codec, outgoing: impl ExactSizeIterator<Item = Outgoing>) -> Self {
        let is_alone = outgoing.len() == 1;
        let mut amount = Amount::default();
        let mut own = SmallVec::new();
        for next in outgoing {
            amount += next.amount();
            match next {
                Outgoing::Group(group) if is_alone => {
                    let framed = Framed::Shared(group.framed().clone());
                    return Self { framed, amount };
                }
                Outgoing::Group(group) => own.extend_from_slice(group.framed()),
                Outgoing::Message(bytes) => append(data_frame(codec, bytes), &mut own),
                Outgoing::Ping(payload) => append(Frame::ping(payload), &mut own),
                Outgoing::Pong(payload) => append(Frame::pong(payload), &mut own),
            }
        }
        let framed = Framed::Own(own);
        Self { framed, amount }
    }

    /// The last frame of a connection.
    pub(super) fn goodbye(frame: CloseFrame) -> Self {
        let mut own = SmallVec::new();
        append(Frame::close(Some(frame)), &mut own);
        Self {
            framed: Framed::Own(own),
            amount: Amount::default(),
        }
    }

    /// Writes as much as the socket takes now; returns what it has not taken, if anything.
    ///
    /// # Errors
    /// When the connection is broken.
    pub(super) fn write(self, socket: &dyn Socket) -> io::Result<Option<Box<Unwritten>>> {
        let bytes: &[u8] = match &self.framed {
            Framed::Own(own) => own,
            Framed::Shared(shared) => shared,
        };
        let written = write_some(socket, bytes)?;
        if written == bytes.len() {
            metrics::sent(self.amount.messages, self.amount.bytes);
            return Ok(None);
        }
        let rest = match &self.framed {
            Framed::Own(own) => Bytes::copy_from_slice(&own[written..]),
            Framed::Shared(shared) => shared.slice(written..),
        };
        Ok(Some(Box::new(Unwritten {
            bytes: rest,
            amount: self.amount,
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
            metrics::sent(self.amount.messages, self.amount.bytes);
        }
        Ok(is_all)
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
