//! The frames that wait to be written to one connection: bounded in bytes, with a rule for slow readers.

use std::sync::{Mutex, MutexGuard, PoisonError};

use smallvec::SmallVec;
use tilewire_protocol::CloseCode;
use tokio::sync::Notify;

use super::backlog::Backlog;
use super::direct::{DirectSocket, Progress, Socket, Unwritten, WriteBatch};
use super::framed::Amount;
use super::outgoing::{Closing, Outgoing};
use super::recipient::{Delivery, Priority};
use tilewire_base::metrics;

#[cfg(test)]
mod tests;

/// Bytes a frame costs in addition to its payload.
const FRAME_OVERHEAD: usize = 64;

/// Waiting frames, oldest first. The frames of a turn fit into it without an allocation.
type Queue = SmallVec<[Outgoing; 2]>;

/// Where the frames of an outbox go.
#[derive(Debug)]
pub enum Sink {
    /// To a socket that the flushing task writes to; `write_direct` continues where the socket was full.
    Direct(DirectSocket),
    /// To a stream of messages that only [`super::write_stream`] writes to.
    Stream,
}

/// The frames that wait to be written to one connection.
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
    /// `None` once everything is written, or the connection has ended.
    sink: Option<Sink>,
    /// The rest of the last batch: the writer continues with it.
    unwritten: Option<Box<Unwritten>>,
    /// The count of the bytes that wait for this and other connections.
    backlog: Option<Backlog>,
    /// Number of batches so far.
    batches: u64,
    is_broken: bool,
    is_close_sent: bool,
}

/// The next work for the writer of a stream.
#[derive(Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Write this and come back.
    Frames(Vec<Outgoing>),
    /// Everything is written; end the connection.
    Close(Closing),
}

impl Outbox {
    /// Returns an empty outbox for `max_bytes`.
    #[must_use]
    pub fn new(max_bytes: usize, sink: Sink) -> Self {
        let state = State {
            sink: Some(sink),
            ..State::default()
        };
        Self {
            state: Mutex::new(state),
            max_bytes,
            changed: Notify::new(),
        }
    }

    /// Counts what waits together with other connections.
    #[must_use]
    pub fn counting(mut self, backlog: Backlog) -> Self {
        let state = self.state.get_mut();
        state.unwrap_or_else(PoisonError::into_inner).backlog = Some(backlog);
        self
    }

    /// Queues frames and flushes.
    pub fn push(&self, priority: Priority, outgoing: Outgoing) -> Delivery {
        let delivery = self.queue(priority, outgoing);
        self.flush();
        delivery
    }

    /// Queues frames, all of them or none, until the next [`Outbox::flush`]: one write carries all that is queued by then.
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
        // An empty outbox takes a frame of any size: the bound is for frames that pile up.
        if state.bytes > 0 && state.bytes + cost > limit {
            if priority == Priority::Spectator {
                metrics::outbox_overflow("snapshot_later");
                return Delivery::Lagging;
            }
            state.overflow();
            return Delivery::Overflowed;
        }
        state.bytes += cost;
        state.queue.push(outgoing);
        Delivery::Queued
    }

    /// Writes the queued frames, as far as the socket takes them now, or wakes the writer.
    pub fn flush(&self) {
        let mut state = self.lock();
        let is_direct = state.closing.is_none() && matches!(state.sink, Some(Sink::Direct(_)));
        // The writer continues after a full socket; queued frames follow the rest of the batch.
        let needs_nobody =
            is_direct && (state.unwritten.is_some() || state.write_queued() == Progress::Idle);
        if !state.count_waiting() && state.closing.is_none() {
            state.overflow();
            state.drop_rest();
        } else if needs_nobody {
            return;
        }
        drop(state);
        self.changed.notify_one();
    }

    /// Continues to write to a direct socket that was full; at the end writes the close frame.
    pub(super) fn continue_direct(&self) -> Progress {
        let mut state = self.lock();
        let progress = state.write_queued();
        state.count_waiting();
        let Some(closing) = state.closing.clone() else {
            return progress;
        };
        if progress != Progress::Idle {
            return progress;
        }
        if !state.is_close_sent {
            state.is_close_sent = true;
            let progress = state.write(WriteBatch::close(closing.frame()));
            if progress != Progress::Idle {
                return progress;
            }
        }
        state.sink = None;
        Progress::Closed(closing.code)
    }

    /// Waits until the writer has something to do.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Ends the connection once the waiting frames are written. The first reason counts.
    pub fn close(&self, code: CloseCode, reason: &str) {
        self.end(Closing {
            code,
            reason: reason.to_owned(),
            answers: None,
        });
    }

    /// Answers the client's close frame with its code.
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

    /// Says whether the connection is to end.
    #[must_use]
    pub fn is_closing(&self) -> bool {
        self.lock().closing.is_some()
    }

    /// Notes that the connection has ended; nothing more is written.
    pub fn set_gone(&self) {
        let mut state = self.lock();
        state.is_gone = true;
        state.queue.clear();
        state.bytes = 0;
        (state.sink, state.unwritten, state.backlog) = (None, None, None);
    }

    /// Waits until the writer of a stream has something to do, and takes frames of about `most` bytes.
    pub async fn take(&self, most: usize) -> Waiting {
        loop {
            if let Some(waiting) = self.try_take(most) {
                return waiting;
            }
            self.changed.notified().await;
        }
    }

    /// Takes up to `most` waiting frames, if there are any.
    pub fn try_take(&self, most: usize) -> Option<Waiting> {
        let mut state = self.lock();
        if state.queue.is_empty() {
            return state.closing.clone().map(Waiting::Close);
        }
        let State { queue, bytes, .. } = &mut *state;
        let frames = take(queue, bytes, most).collect();
        state.count_waiting();
        Some(Waiting::Frames(frames))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Ends a connection whose client does not read. It would not read the queued frames in time either; it gets the events by
    /// resuming.
    fn overflow(&mut self) {
        metrics::outbox_overflow("closed");
        self.queue = Queue::new();
        self.bytes = 0;
        self.closing = Some(Closing {
            code: CloseCode::TooSlow,
            reason: "the client does not read fast enough".to_owned(),
            answers: None,
        });
        self.count_waiting();
    }

    /// Drops the rest of a batch, because the memory is needed: the connection ends without a close frame.
    fn drop_rest(&mut self) {
        self.is_broken |= self.unwritten.take().is_some();
        self.count_waiting();
    }

    /// Counts the bytes that wait; says whether they may.
    fn count_waiting(&mut self) -> bool {
        let rest = self.unwritten.as_ref().map_or(0, |rest| rest.len());
        let waiting = self.bytes + rest;
        let backlog = self.backlog.as_mut();
        backlog.is_none_or(|backlog| backlog.set(waiting))
    }

    /// Writes the queue, batch by batch.
    fn write_queued(&mut self) -> Progress {
        let mut progress = self.write_rest();
        while progress == Progress::Idle && !self.queue.is_empty() {
            let Some(Sink::Direct(direct)) = &self.sink else {
                return Progress::Broken;
            };
            let next = take(&mut self.queue, &mut self.bytes, direct.at_once);
            let batch = WriteBatch::new(direct.codec, next);
            progress = self.write(batch);
        }
        if progress == Progress::Idle {
            // An idle connection keeps no memory for a queue.
            self.queue.shrink_to_fit();
        }
        progress
    }

    /// Writes a batch.
    fn write(&mut self, batch: WriteBatch) -> Progress {
        self.batches += 1;
        match self.socket().map(|socket| batch.write(socket)) {
            Some(Ok(unwritten)) => {
                self.unwritten = unwritten;
                self.progress()
            }
            Some(Err(_)) | None => self.broken(),
        }
    }

    /// Writes the rest of the last batch, if there is one.
    fn write_rest(&mut self) -> Progress {
        let Some(mut unwritten) = self.unwritten.take() else {
            return Progress::Idle;
        };
        match self.socket().map(|socket| unwritten.write(socket)) {
            Some(Ok(is_all)) => {
                self.unwritten = (!is_all).then_some(unwritten);
                self.progress()
            }
            Some(Err(_)) | None => {
                self.unwritten = Some(unwritten);
                self.broken()
            }
        }
    }

    /// Returns the socket of a direct sink, unless it is broken.
    fn socket(&self) -> Option<&dyn Socket> {
        match &self.sink {
            Some(Sink::Direct(direct)) if !self.is_broken => Some(&*direct.socket),
            _ => None,
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

/// Takes frames of about `most` bytes out of a queue that holds `bytes`.
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
