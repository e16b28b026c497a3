//! What waits to be written to one connection: bounded in bytes, with a say for who is slow.

use std::ops::AddAssign;
use std::slice;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use smallvec::SmallVec;
use tilewire_protocol::CloseCode;
use tokio::sync::Notify;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

use super::direct::{Batch, Direct, Progress, Unwritten};
use super::group::Group;
use crate::metrics;
use crate::peers::{Delivery, Priority};

#[cfg(test)]
mod tests;

/// Bytes a frame costs beside its content.
const FRAME_OVERHEAD: usize = 64;

/// Something to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outgoing {
    /// A message, encoded for the connection.
    Message(Bytes),
    /// Messages that others get too.
    Group(Arc<Group>),
    /// A ping with this payload.
    Ping(Bytes),
    /// The answer to a ping with this payload.
    Pong(Bytes),
}

impl From<Bytes> for Outgoing {
    /// A message, encoded for the connection.
    fn from(message: Bytes) -> Self {
        Self::Message(message)
    }
}

/// The end of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closing {
    /// Why, for programs.
    pub code: CloseCode,
    /// Why, for people, or advice for programs.
    pub reason: String,
    /// The code that the client closed with, which it gets back.
    pub answers: Option<u16>,
}

impl Outgoing {
    /// Returns what each of its frames holds.
    #[must_use]
    pub fn contents(&self) -> &[Bytes] {
        match self {
            Self::Message(bytes) | Self::Ping(bytes) | Self::Pong(bytes) => slice::from_ref(bytes),
            Self::Group(group) => group.messages(),
        }
    }

    /// Returns how much that is.
    pub(super) fn amount(&self) -> Amount {
        match self {
            Self::Message(bytes) | Self::Ping(bytes) | Self::Pong(bytes) => Amount {
                messages: 1,
                bytes: bytes.len(),
            },
            Self::Group(group) => group.amount(),
        }
    }
}

/// How many messages, and of how many bytes without their frames.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Amount {
    pub(super) messages: usize,
    pub(super) bytes: usize,
}

impl AddAssign for Amount {
    fn add_assign(&mut self, more: Self) {
        self.messages += more.messages;
        self.bytes += more.bytes;
    }
}

impl Closing {
    /// Returns what the close frame says.
    #[must_use]
    pub fn frame(&self) -> CloseFrame {
        CloseFrame {
            code: self.answers.unwrap_or(self.code.as_u16()).into(),
            reason: self.reason.as_str().into(),
        }
    }
}

/// Frames that wait, oldest first. Those of a turn have room in it and need no memory of their own.
type Queue = SmallVec<[Outgoing; 2]>;

/// What waits to be written to one connection.
#[derive(Debug)]
pub struct Outbox {
    state: Mutex<State>,
    max_bytes: usize,
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    queue: Queue,
    bytes: usize,
    closing: Option<Closing>,
    is_gone: bool,
    /// Where it is written at once, if that can be.
    direct: Option<Direct>,
    /// What the socket has not taken yet of the last batch: the writer goes on with it.
    unwritten: Option<Box<Unwritten>>,
    /// Batches that were begun.
    batches: u64,
    is_broken: bool,
    has_said_goodbye: bool,
}

/// What the writer finds.
#[derive(Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Write this and come back.
    Frames(Vec<Outgoing>),
    /// Everything is written; end the connection so.
    Close(Closing),
}

impl Outbox {
    /// Returns an empty outbox for so many bytes.
    #[must_use]
    pub fn new(max_bytes: usize) -> Self {
        Self {
            state: Mutex::default(),
            max_bytes,
            changed: Notify::new(),
        }
    }

    /// From here on what is flushed is written by whoever flushes, as far as the socket takes it.
    pub(super) fn write_to(&self, direct: Direct) {
        self.lock().direct = Some(direct);
    }

    /// Takes something in, or says why not; and writes it.
    pub fn push(&self, priority: Priority, outgoing: Outgoing) -> Delivery {
        let delivery = self.queue(priority, outgoing);
        self.flush();
        delivery
    }

    /// Takes something in, or says why not. It waits for [`Outbox::flush`], so that one write takes all there is to say. A
    /// group is taken as a whole, or not at all.
    pub fn queue(&self, priority: Priority, outgoing: Outgoing) -> Delivery {
        let mut state = self.lock();
        if state.is_gone || state.closing.is_some() {
            return Delivery::Gone;
        }
        let cost = cost(&outgoing);
        let limit = match priority {
            Priority::Reply | Priority::Player => self.max_bytes,
            Priority::Spectator => self.max_bytes / 2,
        };
        // What comes first is always taken: the bound is on what piles up.
        if state.bytes > 0 && state.bytes + cost > limit {
            if priority == Priority::Spectator {
                metrics::outbox_overflow("snapshot_later");
                return Delivery::Lagging;
            }
            metrics::outbox_overflow("closed");
            // What is queued will not be read in time either; the client gets it by resuming.
            state.queue.clear();
            state.bytes = 0;
            let reason = "the client does not read fast enough".to_owned();
            state.closing = Some(Closing {
                code: CloseCode::TooSlow,
                reason,
                answers: None,
            });
            return Delivery::Overflowed;
        }
        state.bytes += cost;
        state.queue.push(outgoing);
        Delivery::Queued
    }

    /// Writes what waits, as far as the socket takes it now; the writer does the rest.
    pub fn flush(&self) {
        let mut state = self.lock();
        if state.closing.is_none() && state.direct.is_some() {
            // What a socket did not take is the writer's, and what is queued goes after it.
            if state.unwritten.is_some() || state.write_queued() == Progress::Idle {
                return;
            }
        }
        drop(state);
        self.changed.notify_one();
    }

    /// Writes on where flushing met a full socket; at the end says goodbye.
    pub(super) fn write_on(&self) -> Progress {
        let mut state = self.lock();
        let progress = state.write_queued();
        let Some(closing) = state.closing.clone() else {
            return progress;
        };
        if progress != Progress::Idle {
            return progress;
        }
        if !state.has_said_goodbye {
            state.has_said_goodbye = true;
            let progress = state.write(Batch::goodbye(closing.frame()));
            if progress != Progress::Idle {
                return progress;
            }
        }
        state.direct = None;
        Progress::Closed(closing.code)
    }

    /// Waits until there is something for the writer.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Asks for the end of the connection, once what waits is written. The first reason counts.
    pub fn close(&self, code: CloseCode, reason: &str) {
        self.end(Closing {
            code,
            reason: reason.to_owned(),
            answers: None,
        });
    }

    /// Answers a client that closes, with the code it gave.
    pub fn answer_close(&self, code: Option<u16>) {
        self.end(Closing {
            code: CloseCode::Normal,
            reason: String::new(),
            answers: code,
        });
    }

    fn end(&self, closing: Closing) {
        self.lock().closing.get_or_insert(closing);
        self.changed.notify_one();
    }

    /// Says whether the end was asked for.
    #[must_use]
    pub fn is_closing(&self) -> bool {
        self.lock().closing.is_some()
    }

    /// Says that nobody will write any more.
    pub fn set_gone(&self) {
        let mut state = self.lock();
        state.is_gone = true;
        state.queue.clear();
        state.bytes = 0;
        (state.direct, state.unwritten) = (None, None);
    }

    /// Waits until there is something to do, and takes frames of about `most` bytes.
    pub async fn take(&self, most: usize) -> Waiting {
        loop {
            if let Some(waiting) = self.try_take(most) {
                return waiting;
            }
            self.changed.notified().await;
        }
    }

    pub(crate) fn try_take(&self, most: usize) -> Option<Waiting> {
        let mut state = self.lock();
        if state.queue.is_empty() {
            return state.closing.clone().map(Waiting::Close);
        }
        let State { queue, bytes, .. } = &mut *state;
        let frames = take(queue, bytes, most).collect();
        Some(Waiting::Frames(frames))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Writes the queue, batch by batch.
    fn write_queued(&mut self) -> Progress {
        let mut progress = self.write_on_batch();
        while progress == Progress::Idle && !self.queue.is_empty() {
            let Some(direct) = &self.direct else {
                return Progress::Broken;
            };
            let next = take(&mut self.queue, &mut self.bytes, direct.at_once);
            let batch = Batch::new(direct.codec, next);
            progress = self.write(batch);
        }
        if progress == Progress::Idle {
            // A connection keeps nothing while it has nothing to write.
            self.queue.shrink_to_fit();
        }
        progress
    }

    /// Writes a batch.
    fn write(&mut self, batch: Batch) -> Progress {
        self.batches += 1;
        let direct = self.direct.as_ref().filter(|_| !self.is_broken);
        match direct.map(|direct| batch.write(&*direct.socket)) {
            Some(Ok(unwritten)) => {
                self.unwritten = unwritten;
                self.progress()
            }
            Some(Err(_)) | None => self.broken(),
        }
    }

    /// Writes what the socket has not taken of the last batch, if there is something.
    fn write_on_batch(&mut self) -> Progress {
        let Some(unwritten) = &mut self.unwritten else {
            return Progress::Idle;
        };
        let direct = self.direct.as_ref().filter(|_| !self.is_broken);
        match direct.map(|direct| unwritten.write(&*direct.socket)) {
            Some(Ok(is_all)) => {
                self.unwritten.take_if(|_| is_all);
                self.progress()
            }
            Some(Err(_)) | None => self.broken(),
        }
    }

    const fn progress(&self) -> Progress {
        match self.unwritten {
            None => Progress::Idle,
            Some(_) => Progress::Blocked(self.batches),
        }
    }

    const fn broken(&mut self) -> Progress {
        self.is_broken = true;
        Progress::Broken
    }
}

/// Takes frames of about `most` bytes out of a queue that holds so many `bytes`.
fn take(
    queue: &mut Queue,
    bytes: &mut usize,
    most: usize,
) -> impl ExactSizeIterator<Item = Outgoing> {
    let (mut count, mut taken) = (0, 0);
    while taken < most
        && let Some(outgoing) = queue.get(count)
    {
        taken += cost(outgoing);
        count += 1;
    }
    *bytes -= taken;
    queue.drain(..count)
}

fn cost(outgoing: &Outgoing) -> usize {
    let Amount { messages, bytes } = outgoing.amount();
    bytes + messages * FRAME_OVERHEAD
}
