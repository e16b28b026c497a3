//! The network between clients and the server: each connection is a pair of ordered streams, like TCP.
//!
//! Frames of a client arrive late but in order, and are lost when the connection breaks. Bytes of the server wait in a
//! socket buffer of limited size until the client reads them.

use std::collections::{BTreeMap, VecDeque};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures::{Sink, Stream};
use tokio::sync::Notify;
use tokio_tungstenite::tungstenite::{Error, Message, error::ProtocolError};

use super::disk::Disk;

/// Names a connection for the life of the simulation.
pub type LineId = u64;

/// Bytes that a socket buffer holds before the server has to wait.
const BUFFER_BYTES: usize = 8 * 1024;
/// How often connections may look for frames while nothing happens.
const POLLS_MAX: u32 = 20_000;

/// A message of the server, and the number of durable changes at that moment.
#[derive(Debug)]
pub struct SentMessage {
    /// On which connection.
    pub line: LineId,
    /// The message.
    pub message: Message,
    /// How many changes the disk had seen.
    pub version: u64,
}

#[derive(Debug, Default)]
struct Ends {
    /// Arrived and not yet read by the server.
    inbound: VecDeque<Result<Message, Error>>,
    /// Whether more may come.
    is_open: bool,
    /// Written by the server and not yet read by the client.
    buffered: usize,
    reader: Option<Waker>,
    writer: Option<Waker>,
    /// Whether the server has let go of its end.
    is_dropped: bool,
}

#[derive(Debug, Default)]
struct State {
    lines: BTreeMap<LineId, Ends>,
    said: VecDeque<SentMessage>,
    /// How often the server has looked for frames since the simulation last listened.
    polls: u32,
}

/// All connections of one server.
#[derive(Debug)]
pub struct Lines {
    state: Mutex<State>,
    disk: Arc<Disk>,
    /// Told when the server has said something, or hung up.
    pub changed: Notify,
}

impl Lines {
    /// Returns a network without connections.
    #[must_use]
    pub fn new(disk: Arc<Disk>) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::default(),
            disk,
            changed: Notify::new(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a connection and returns the server's end of it.
    #[must_use]
    pub fn open(self: &Arc<Self>, line: LineId) -> ServerEnd {
        let ends = Ends {
            is_open: true,
            ..Ends::default()
        };
        self.lock().lines.insert(line, ends);
        ServerEnd {
            lines: Arc::clone(self),
            line,
        }
    }

    /// A frame arrives at the server.
    pub fn arrive(&self, line: LineId, message: Message) {
        self.change(line, |ends| ends.inbound.push_back(Ok(message)));
    }

    /// The connection ends, cleanly or not: the server reads the delivered bytes and then the end.
    pub fn hang_up(&self, line: LineId, is_orderly: bool) {
        self.change(line, |ends| {
            if !is_orderly {
                let broken = ProtocolError::ResetWithoutClosingHandshake;
                ends.inbound.push_back(Err(Error::Protocol(broken)));
            }
            ends.is_open = false;
        });
    }

    fn change(&self, line: LineId, change: impl FnOnce(&mut Ends)) {
        let waker = {
            let mut state = self.lock();
            let Some(ends) = state.lines.get_mut(&line) else {
                return;
            };
            if ends.is_open {
                change(ends);
            }
            [ends.reader.take(), ends.writer.take()]
        };
        waker.into_iter().flatten().for_each(Waker::wake);
    }

    /// Takes the server's messages since the last call, in order.
    pub fn take_said(&self) -> VecDeque<SentMessage> {
        let mut state = self.lock();
        state.polls = 0;
        std::mem::take(&mut state.said)
    }

    /// The client has read a frame: there is room again.
    pub fn was_read(&self, line: LineId, bytes: usize) {
        let waker = {
            let mut state = self.lock();
            let Some(ends) = state.lines.get_mut(&line) else {
                return;
            };
            ends.buffered = ends.buffered.saturating_sub(bytes);
            ends.writer.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Says whether the server has let go of a connection.
    #[must_use]
    pub fn is_dropped(&self, line: LineId) -> bool {
        self.lock()
            .lines
            .get(&line)
            .is_none_or(|ends| ends.is_dropped)
    }
}

/// The server's end of a connection.
#[derive(Debug)]
pub struct ServerEnd {
    lines: Arc<Lines>,
    line: LineId,
}

impl Stream for ServerEnd {
    type Item = Result<Message, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut state = self.lines.lock();
        state.polls += 1;
        assert!(state.polls < POLLS_MAX, "a connection spins");
        let Some(ends) = state.lines.get_mut(&self.line) else {
            return Poll::Ready(None);
        };
        if let Some(next) = ends.inbound.pop_front() {
            return Poll::Ready(Some(next));
        }
        if !ends.is_open {
            return Poll::Ready(None);
        }
        ends.reader = Some(context.waker().clone());
        Poll::Pending
    }
}

impl Sink<Message> for ServerEnd {
    type Error = Error;

    fn poll_ready(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        let mut state = self.lines.lock();
        let Some(ends) = state.lines.get_mut(&self.line) else {
            return Poll::Ready(Err(Error::ConnectionClosed));
        };
        if !ends.is_open {
            return Poll::Ready(Err(Error::ConnectionClosed));
        }
        if ends.buffered >= BUFFER_BYTES {
            ends.writer = Some(context.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(Ok(()))
    }

    fn start_send(self: Pin<&mut Self>, message: Message) -> Result<(), Error> {
        // Nothing leaves a machine that is down.
        if self.lines.disk.is_down() {
            return Ok(());
        }
        let mut state = self.lines.lock();
        let line = self.line;
        if let Some(ends) = state.lines.get_mut(&line) {
            ends.buffered += message.len();
        }
        let version = self.lines.disk.version();
        state.said.push_back(SentMessage {
            line,
            message,
            version,
        });
        drop(state);
        self.lines.changed.notify_one();
        Ok(())
    }

    fn poll_flush(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }
}

impl Drop for ServerEnd {
    fn drop(&mut self) {
        let mut state = self.lines.lock();
        if let Some(ends) = state.lines.get_mut(&self.line) {
            ends.is_dropped = true;
        }
        drop(state);
        self.lines.changed.notify_one();
    }
}
