//! The end of a channel at its owner: what the games and the lobby send to a client that is connected to another node.

use std::collections::BTreeMap;
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tilewire_protocol::{
    CloseCode, Codec, ErrorBody, ErrorCode, GameId, ServerMessage, encode_server,
};
use tokio::sync::Notify;

use super::batch::PAYLOAD_MAX_BYTES;
use super::message::{Frame, Outcome, Payload, Told};
use super::owner::Key;
use super::told;
use crate::metrics;
use crate::outbound::{Delivery, Outgoing, Priority, Remote};

#[cfg(test)]
mod tests;

/// What the channels of a node have to say to their fronts, in order.
#[derive(Debug, Default)]
pub struct Waiting {
    items: Mutex<Vec<(Key, Item)>>,
    changed: Notify,
}

/// One thing that a channel says.
#[derive(Debug)]
enum Item {
    /// A frame, and the bytes that wait on its channel.
    Frame(Frame, Arc<AtomicUsize>),
    HandBack(u64),
    LetGo(GameId),
    Close(CloseCode, String),
}

/// What a channel says, for its front.
#[derive(Debug, PartialEq)]
pub enum Said {
    /// These frames.
    Frames(Key, Vec<Frame>),
    /// The request with this ticket is not answered here.
    HandBack(Key, u64),
    /// The stream of a game goes on elsewhere.
    LetGo(Key, GameId),
    /// The connection shall end, with this code and reason.
    Close(Key, CloseCode, String),
}

/// The end of a channel at its owner.
#[derive(Debug)]
pub struct ChannelEnd {
    key: Key,
    codec: Codec,
    waiting: Arc<Waiting>,
    /// The client's ids of the open requests, by ticket.
    tickets: Mutex<BTreeMap<u64, u64>>,
    /// Bytes that wait.
    bytes: Arc<AtomicUsize>,
    max_bytes: usize,
    /// Whether nothing more is sent.
    is_over: AtomicBool,
}

impl Waiting {
    /// Waits until something is said.
    pub async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Takes everything that waits. Frames that follow each other on a channel come together.
    #[must_use]
    pub fn take(&self) -> Vec<Said> {
        let items = mem::take(&mut *self.lock());
        let mut said: Vec<Said> = Vec::new();
        for (of, item) in items {
            match item {
                Item::Frame(frame, waiting) => {
                    let size = frame.message.0.len();
                    waiting.fetch_sub(size, Ordering::Relaxed);
                    match said.last_mut() {
                        Some(Said::Frames(key, frames)) if *key == of && fits(frames, size) => {
                            frames.push(frame);
                        }
                        _ => said.push(Said::Frames(of, vec![frame])),
                    }
                }
                Item::HandBack(ticket) => said.push(Said::HandBack(of, ticket)),
                Item::LetGo(game) => said.push(Said::LetGo(of, game)),
                Item::Close(code, reason) => said.push(Said::Close(of, code, reason)),
            }
        }
        said
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Key, Item)>> {
        self.items.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Says whether another frame fits into the batch of these.
fn fits(frames: &[Frame], size: usize) -> bool {
    let together = frames.iter().map(|frame| frame.message.0.len());
    together.sum::<usize>() + size <= PAYLOAD_MAX_BYTES / 2
}

impl ChannelEnd {
    /// Returns the end of a channel; `max_bytes` may wait for its front.
    #[must_use]
    pub fn new(key: Key, codec: Codec, waiting: Arc<Waiting>, max_bytes: usize) -> Self {
        Self {
            key,
            codec,
            waiting,
            tickets: Mutex::default(),
            bytes: Arc::default(),
            max_bytes,
            is_over: AtomicBool::new(false),
        }
    }

    /// Opens a request, which has this id at the client.
    pub fn open(&self, ticket: u64, request_id: u64) {
        self.tickets().insert(ticket, request_id);
    }

    /// Notes that the channel has ended; nothing more is sent.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        self.tickets().clear();
    }

    fn tickets(&self) -> MutexGuard<'_, BTreeMap<u64, u64>> {
        self.tickets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues frames, all of them or none.
    fn queue(&self, priority: Priority, frames: Vec<Frame>) -> Delivery {
        if self.is_over.load(Ordering::SeqCst) {
            return Delivery::Gone;
        }
        let size: usize = frames.iter().map(|frame| frame.message.0.len()).sum();
        let limit = match priority {
            Priority::Reply | Priority::Player => self.max_bytes,
            Priority::Spectator => self.max_bytes / 2,
        };
        let mut items = self.waiting.lock();
        let before = self.bytes.load(Ordering::Relaxed);
        if before > 0 && before + size > limit {
            drop(items);
            if priority == Priority::Spectator {
                metrics::outbox_overflow("snapshot_later");
                return Delivery::Lagging;
            }
            metrics::outbox_overflow("closed");
            self.close_with(CloseCode::TooSlow, "the client does not read fast enough");
            return Delivery::Overflowed;
        }
        self.bytes.fetch_add(size, Ordering::Relaxed);
        let item = |frame| (self.key, Item::Frame(frame, Arc::clone(&self.bytes)));
        items.extend(frames.into_iter().map(item));
        Delivery::Queued
    }

    fn close_with(&self, code: CloseCode, reason: &str) {
        if !self.is_over.swap(true, Ordering::SeqCst) {
            self.say(Item::Close(code, reason.to_owned()));
        }
    }

    /// Says something that is no frame.
    fn say(&self, item: Item) {
        self.waiting.lock().push((self.key, item));
        self.waiting.changed.notify_one();
    }
}

impl Remote for ChannelEnd {
    fn answer(&self, ticket: u64, message: &ServerMessage) -> Delivery {
        let Some(request_id) = self.tickets().remove(&ticket) else {
            return match self.is_over.load(Ordering::SeqCst) {
                true => Delivery::Gone,
                false => Delivery::Queued,
            };
        };
        let mut outcome = Outcome::of(message);
        let mut frame = encode_server(self.codec, request_id, message);
        if frame.len() > PAYLOAD_MAX_BYTES {
            let text = "the answer is too long to come from another server";
            let refusal = ServerMessage::Error(ErrorBody::new(ErrorCode::Internal, text));
            outcome = Outcome::of(&refusal);
            frame = encode_server(self.codec, request_id, &refusal);
        }
        let told = Told::Answer(ticket, outcome);
        let message = Payload(frame.into());
        self.queue(Priority::Reply, vec![Frame { told, message }])
    }

    fn push(&self, priority: Priority, outgoing: &Outgoing) -> Delivery {
        let frame = |message: &Bytes| Frame {
            told: told(self.codec, message),
            message: Payload(message.clone()),
        };
        let frames: Vec<Frame> = outgoing.contents().iter().map(frame).collect();
        let is_long = |frame: &Frame| frame.message.0.len() > PAYLOAD_MAX_BYTES;
        if frames.iter().any(is_long) {
            let reason = "a message is too long to come from another server";
            self.close_with(CloseCode::GoingAway, reason);
            return Delivery::Gone;
        }
        self.queue(priority, frames)
    }

    fn hand_back(&self, ticket: u64) {
        if self.tickets().remove(&ticket).is_some() {
            self.say(Item::HandBack(ticket));
        }
    }

    fn let_go(&self, game: &GameId) {
        if !self.is_over.load(Ordering::SeqCst) {
            self.say(Item::LetGo(game.clone()));
        }
    }

    fn flush(&self) {
        self.waiting.changed.notify_one();
    }

    fn close(&self, code: CloseCode, reason: &str) {
        self.close_with(code, reason);
    }
}
