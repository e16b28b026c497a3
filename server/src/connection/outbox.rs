//! What waits to be written to one connection: bounded in bytes, with a say for who is slow.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tilewire_protocol::CloseCode;
use tokio::sync::Notify;

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

/// What waits to be written to one connection.
#[derive(Debug)]
pub struct Outbox {
    state: Mutex<State>,
    max_bytes: usize,
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    queue: VecDeque<Outgoing>,
    bytes: usize,
    closing: Option<Closing>,
    is_gone: bool,
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

    /// Takes something in, or says why not.
    pub fn push(&self, priority: Priority, outgoing: Outgoing) -> Delivery {
        self.push_all(priority, std::iter::once(outgoing))
    }

    /// Takes things in that belong together, up to the first that is not taken; says what became of that, or of the
    /// last. The writer hears of all of them at once.
    pub fn push_all(
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
        drop(state);
        self.changed.notify_one();
        delivery
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
        state.queue.push_back(outgoing);
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
        let (mut frames, mut taken) = (Vec::new(), 0);
        while taken < most
            && let Some(outgoing) = state.queue.pop_front()
        {
            taken += cost(&outgoing);
            frames.push(outgoing);
        }
        state.bytes -= taken;
        Some(Waiting::Frames(frames))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn cost(outgoing: &Outgoing) -> usize {
    match outgoing {
        Outgoing::Message(bytes) | Outgoing::Ping(bytes) | Outgoing::Pong(bytes) => {
            bytes.len() + FRAME_OVERHEAD
        }
    }
}

#[cfg(test)]
mod tests {
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
}
