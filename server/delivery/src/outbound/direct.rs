//! Writing to a socket directly, from the task that has a frame for it.
//!
//! Waking the connection's writer for each frame costs as much as the write itself. So the task that flushes an outbox
//! writes as much as the socket takes without waiting; the writer only continues where a socket was full, and sends the
//! close frame. TLS streams cannot be written to from several tasks; they have [`super::Sink::Stream`].
//!
//! This is the only file with shortcuts around the usual way of writing. Each names the benchmark that justifies it.

use std::fmt::Debug;
use std::io;
use std::sync::Arc;

use bytes::{Buf, Bytes};
use smallvec::SmallVec;
use tilewire_protocol::{CloseCode, Codec};
use tokio::net::tcp::OwnedWriteHalf;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;

use super::framed::{Amount, append, data_frame};
use super::outgoing::Outgoing;
use tilewire_base::metrics;

/// Bytes of a batch that need no allocation: the frames of one turn.
///
/// `loadtest hot --spectators 1000 --rate 10` justifies it: together with the queue inside the outbox it saves four
/// allocations per turn and spectator.
const INLINE_BYTES: usize = 1024;

/// A socket that takes bytes without waiting.
pub trait Socket: Send + Sync + Debug {
    /// Writes as much as the socket takes now; fails with [`io::ErrorKind::WouldBlock`] when it takes nothing.
    ///
    /// # Errors
    /// When the connection is broken, or the socket takes nothing now.
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize>;
}

/// The task that has the frame writes it. `loadtest hot --spectators 2000 --rate 5` justifies it: a delivery took 1 to 9 %
/// less in each of four pairs of runs.
impl Socket for OwnedWriteHalf {
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        Self::try_write(self, bytes)
    }
}

/// A socket that the flushing task writes to.
#[derive(Debug, Clone)]
pub struct DirectSocket {
    /// The socket.
    pub socket: Arc<dyn Socket>,
    /// The codec of the connection.
    pub codec: Codec,
    /// Bytes of one write, at about.
    pub at_once: usize,
}

/// Frames that one write carries.
#[derive(Debug)]
pub(super) struct WriteBatch {
    bytes: BatchBytes,
    amount: Amount,
}

#[expect(
    clippy::large_enum_variant,
    reason = "it lives on the stack, for one write"
)]
#[derive(Debug)]
enum BatchBytes {
    Own(SmallVec<[u8; INLINE_BYTES]>),
    /// Messages for many connections, framed once. `loadtest hot --spectators 1000 --rate 10` justifies it: a delivery
    /// took 7 % less.
    Shared(Bytes),
}

/// The part of a batch that the socket has not taken yet.
#[derive(Debug)]
pub(super) struct Unwritten {
    bytes: Bytes,
    amount: Amount,
}

impl WriteBatch {
    /// Frames the messages that are not framed yet. Messages for many that go out alone are written from the bytes that
    /// all recipients share.
    pub(super) fn new(codec: Codec, outgoing: impl ExactSizeIterator<Item = Outgoing>) -> Self {
        let is_alone = outgoing.len() == 1;
        let mut amount = Amount::default();
        let mut own = SmallVec::new();
        for next in outgoing {
            amount += next.amount();
            match next {
                Outgoing::Framed(framed) if is_alone => {
                    let bytes = BatchBytes::Shared(framed.framed().clone());
                    return Self { bytes, amount };
                }
                Outgoing::Framed(framed) => own.extend_from_slice(framed.framed()),
                Outgoing::Message(bytes) => append(data_frame(codec, bytes), &mut own),
                Outgoing::Ping(payload) => append(Frame::ping(payload), &mut own),
                Outgoing::Pong(payload) => append(Frame::pong(payload), &mut own),
            }
        }
        let bytes = BatchBytes::Own(own);
        Self { bytes, amount }
    }

    /// Returns the batch of the close frame, the last of a connection.
    pub(super) fn close(frame: CloseFrame) -> Self {
        let mut own = SmallVec::new();
        append(Frame::close(Some(frame)), &mut own);
        Self {
            bytes: BatchBytes::Own(own),
            amount: Amount::default(),
        }
    }

    /// Writes as much as the socket takes now; returns the rest, if there is one.
    ///
    /// # Errors
    /// When the connection is broken.
    pub(super) fn write(self, socket: &dyn Socket) -> io::Result<Option<Box<Unwritten>>> {
        let bytes: &[u8] = match &self.bytes {
            BatchBytes::Own(own) => own,
            BatchBytes::Shared(shared) => shared,
        };
        let written = write_some(socket, bytes)?;
        if written == bytes.len() {
            metrics::sent(self.amount.messages, self.amount.bytes);
            return Ok(None);
        }
        let rest = match &self.bytes {
            BatchBytes::Own(own) => Bytes::copy_from_slice(&own[written..]),
            BatchBytes::Shared(shared) => shared.slice(written..),
        };
        Ok(Some(Box::new(Unwritten {
            bytes: rest,
            amount: self.amount,
        })))
    }
}

impl Unwritten {
    /// Returns the number of bytes.
    pub(super) const fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Continues to write; says whether everything is written.
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

/// Writes as much as the socket takes now, and returns the number of bytes.
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

/// How far the frames of an outbox are written.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Everything is written.
    Idle,
    /// The socket is full; the number of batches that were finished before.
    Blocked(u64),
    /// The connection is broken.
    Broken,
    /// Everything is written, including the close frame with this code.
    Closed(CloseCode),
}
