//! What waits to be written to one connection: bounded in bytes, with a say for who is slow.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use smallvec::SmallVec;
use tilewire_protocol::CloseCode;
use tokio::sync::Notify;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;

use super::direct::{Batch, Direct, Progress, Rest};
use crate::metrics;
use crate::peers::{Delivery, Priority};

/// Bytes a frame costs beside its content.
const FRAME_OVERHEAD: usize = 64;

/// Something to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outgoing {
    /// A message, encoded for the connection.
    Message(Bytes),
    /// A ping with this payload.
    Ping(Bytes),
    /// The answer to a ping with this payload.
    Pong(Bytes),
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
    /// Bytes of its content.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Message(bytes) | Self::Ping(bytes) | Self::Pong(bytes) => bytes.len(),
        }
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
    rest: Option<Box<Rest>>,
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
        let delivery = self.queue_all(priority, std::iter::once(outgoing));
        self.flush();
        delivery
    }

    /// Takes things in that belong together, up to the first that is not taken; says what became of that, or of the
    /// last. They wait for [`Outbox::flush`], so that one write takes all there is to say.
    pub fn queue_all(
        &self,
        priority: Priority,
        outgoing: impl Iterator<Item = Outgoing>,
    ) -> Delivery {
        let mut state = self.lock();
        let mut delivery = Delivery::Queued;
        for outgoing in outgoing {
            delivery = self.take_in(&mut state, priority, outgoing);
            if delivery != Delivery::Queued {
                break;
            }
        }
        delivery
    }

    /// Writes what waits, as far as the socket takes it now; the writer does the rest.
    pub fn flush(&self) {
        let mut state = self.lock();
        if state.closing.is_none() && state.direct.is_some() {
            // What a socket did not take is the writer's, and what is queued goes after it.
            if state.rest.is_some() || state.write_queued() == Progress::Idle {
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
            let mut goodbye = Batch::default();
            goodbye.add_frame(Frame::close(Some(closing.frame())));
            let progress = state.write(goodbye);
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

    fn take_in(&self, state: &mut State, priority: Priority, outgoing: Outgoing) -> Delivery {
        if state.is_gone || state.closing.is_some() {
            return Delivery::Gone;
        }
        let cost = cost(&outgoing);
        let limit = match priority {
            Priority::Reply | Priority::Player => self.max_bytes,
            Priority::Spectator => self.max_bytes / 2,
        };
        // A single frame is always taken: the bound is on what piles up.
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
        (state.direct, state.rest) = (None, None);
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

    fn try_take(&self, most: usize) -> Option<Waiting> {
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
        let mut progress = self.write_rest();
        while progress == Progress::Idle && !self.queue.is_empty() {
            let Some(direct) = &self.direct else {
                return Progress::Broken;
            };
            let mut batch = Batch::default();
            for outgoing in take(&mut self.queue, &mut self.bytes, direct.at_once) {
                batch.add(direct.codec, outgoing);
            }
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
        let rest = direct.map(|direct| batch.write(&*direct.socket));
        match rest {
            Some(Ok(rest)) => {
                self.rest = rest;
                self.progress()
            }
            Some(Err(_)) | None => self.broken(),
        }
    }

    /// Writes what the socket has not taken of the last batch, if there is something.
    fn write_rest(&mut self) -> Progress {
        let Some(rest) = &mut self.rest else {
            return Progress::Idle;
        };
        let direct = self.direct.as_ref().filter(|_| !self.is_broken);
        match direct.map(|direct| rest.write(&*direct.socket)) {
            Some(Ok(is_all)) => {
                self.rest.take_if(|_| is_all);
                self.progress()
            }
            Some(Err(_)) | None => self.broken(),
        }
    }

    const fn progress(&self) -> Progress {
        match self.rest {
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
fn take(queue: &mut Queue, bytes: &mut usize, most: usize) -> impl Iterator<Item = Outgoing> {
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
    outgoing.len() + FRAME_OVERHEAD
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tilewire_protocol::Codec;

    use super::super::direct::Socket;
    use super::*;

    fn message(len: usize) -> Outgoing {
        Outgoing::Message(Bytes::from(vec![0; len]))
    }

    #[tokio::test]
    async fn frames_come_out_in_order_and_then_the_end() {
        let outbox = Outbox::new(10_000);
        assert_eq!(outbox.push(Priority::Player, message(1)), Delivery::Queued);
        assert_eq!(outbox.push(Priority::Reply, message(2)), Delivery::Queued);
        outbox.close(CloseCode::Restarting, "soon");
        outbox.close(CloseCode::Normal, "later");
        assert_eq!(outbox.push(Priority::Player, message(3)), Delivery::Gone);
        assert_eq!(
            outbox.take(10_000).await,
            Waiting::Frames(vec![message(1), message(2)])
        );
        let end = Closing {
            code: CloseCode::Restarting,
            reason: "soon".to_owned(),
            answers: None,
        };
        assert_eq!(outbox.take(10_000).await, Waiting::Close(end));
    }

    #[tokio::test]
    async fn a_slow_spectator_is_spared_and_a_slow_player_cut_off() {
        let outbox = Outbox::new(1_000);
        assert_eq!(
            outbox.push(Priority::Spectator, message(400)),
            Delivery::Queued
        );
        assert_eq!(
            outbox.push(Priority::Spectator, message(400)),
            Delivery::Lagging
        );
        assert_eq!(
            outbox.push(Priority::Player, message(400)),
            Delivery::Queued
        );
        assert_eq!(
            outbox.push(Priority::Player, message(400)),
            Delivery::Overflowed
        );
        assert_eq!(outbox.push(Priority::Player, message(1)), Delivery::Gone);
        let Waiting::Close(end) = outbox.take(1_000).await else {
            panic!("what piled up is not written any more");
        };
        assert_eq!(end.code, CloseCode::TooSlow);
    }

    #[test]
    fn a_frame_larger_than_the_bound_is_taken_when_nothing_waits() {
        let outbox = Outbox::new(1_000);
        assert_eq!(
            outbox.push(Priority::Player, message(5_000)),
            Delivery::Queued
        );
    }

    /// A socket that takes so many bytes and no more.
    #[derive(Debug, Default)]
    struct Pipe(Mutex<(usize, Vec<u8>)>);

    impl Socket for Pipe {
        fn try_write(&self, bytes: &[u8]) -> std::io::Result<usize> {
            let (room, taken) = &mut *self.0.lock().unwrap();
            if *room == 0 {
                return Err(std::io::ErrorKind::WouldBlock.into());
            }
            let now = bytes.len().min(*room);
            *room -= now;
            taken.extend_from_slice(&bytes[..now]);
            Ok(now)
        }
    }

    impl Pipe {
        fn has_room_for(&self, bytes: usize) {
            self.0.lock().unwrap().0 = bytes;
        }

        fn taken(&self) -> Vec<u8> {
            self.0.lock().unwrap().1.clone()
        }
    }

    fn direct() -> (Outbox, Arc<Pipe>) {
        let (outbox, pipe) = (Outbox::new(10_000), Arc::new(Pipe::default()));
        outbox.write_to(Direct {
            socket: Arc::<Pipe>::clone(&pipe),
            codec: Codec::MsgPack,
            at_once: 100,
        });
        (outbox, pipe)
    }

    fn text(bytes: &'static [u8]) -> Outgoing {
        Outgoing::Message(Bytes::from_static(bytes))
    }

    #[test]
    fn who_flushes_writes_and_the_writer_goes_on_where_the_socket_was_full() {
        let (outbox, pipe) = direct();
        let queue = |bytes| {
            let outgoing = std::iter::once(text(bytes));
            outbox.queue_all(Priority::Player, outgoing)
        };
        pipe.has_room_for(1_000);
        queue(b"ab");
        queue(b"c");
        assert_eq!(pipe.taken(), b"", "nothing before it is flushed");
        outbox.flush();
        assert_eq!(pipe.taken(), b"\x82\x02ab\x82\x01c");
        pipe.has_room_for(3);
        queue(b"de");
        outbox.flush();
        pipe.has_room_for(1_000);
        queue(b"f");
        outbox.flush();
        assert_eq!(pipe.taken(), b"\x82\x02ab\x82\x01c\x82\x02d");
        assert_eq!(outbox.write_on(), Progress::Idle);
        assert_eq!(pipe.taken(), b"\x82\x02ab\x82\x01c\x82\x02de\x82\x01f");
    }

    #[test]
    fn goodbye_is_said_once_after_everything_else() {
        let (outbox, pipe) = direct();
        pipe.has_room_for(5);
        outbox.push(Priority::Player, text(b"ab"));
        outbox.close(CloseCode::Normal, "");
        let blocked = outbox.write_on();
        assert!(matches!(blocked, Progress::Blocked(_)), "{blocked:?}");
        assert_eq!(outbox.write_on(), blocked);
        pipe.has_room_for(1_000);
        assert_eq!(outbox.write_on(), Progress::Closed(CloseCode::Normal));
        assert_eq!(pipe.taken(), b"\x82\x02ab\x88\x02\x03\xe8");
    }

    #[test]
    fn what_is_gone_is_not_written_to() {
        let (outbox, pipe) = direct();
        pipe.has_room_for(1_000);
        outbox.set_gone();
        assert_eq!(outbox.push(Priority::Player, text(b"ab")), Delivery::Gone);
        outbox.close(CloseCode::Normal, "");
        assert_eq!(outbox.write_on(), Progress::Broken);
        assert_eq!(pipe.taken(), b"");
    }
}
