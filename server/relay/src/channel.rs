//! The end of a channel at its owner: what the games and the lobby send to a client that is connected to another node.

use std::collections::BTreeMap;
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tilewire_protocol::{
    CloseCode, Codec, ErrorBody, ErrorCode, GameId, ServerMessage, encode_server,
};
use tokio::sync::Notify;

use super::batch::PAYLOAD_MAX_BYTES;
use super::message::{Channel, Frame, FrameSummary, Outcome, Payload};
use super::node::Input;
use super::owner::Key;
use tilewire_base::metrics;
use tilewire_delivery::outbound::{Delivery, Priority, Pushes, Remote};
use tilewire_store::NodeId;
use together::Together;

mod together;

#[cfg(test)]
mod tests;

/// The queued output of a node's channels for their gateways, in order.
#[derive(Debug, Default)]
pub struct Waiting {
    items: Mutex<Vec<(Key, Item)>>,
    changed: Notify,
}

/// One thing that a channel says.
#[derive(Debug)]
enum Item {
    /// An answer, and the bytes that wait on its channel.
    Answer(Frame, Arc<AtomicUsize>),
    /// Pushes, and the bytes that wait on their channel.
    Push(Pushes, Arc<AtomicUsize>),
    HandBack(u64),
    Unreadable(u64),
    LetGo(GameId),
    Close(CloseCode, String),
}

/// Output of a channel, for its gateway.
#[derive(Debug, PartialEq)]
pub enum Output {
    /// These frames.
    Frames(Key, Vec<Frame>),
    /// These frames, for several channels of a gateway.
    Shared(NodeId, Vec<Channel>, Vec<Frame>),
    /// The request with this relay id is not answered here.
    HandBack(Key, u64),
    /// The request with this relay id cannot be read.
    Unreadable(Key, u64),
    /// The stream of a game goes on elsewhere.
    LetGo(Key, GameId),
    /// The connection shall end, with this code and reason.
    Close(Key, CloseCode, String),
}

impl From<Output> for Input {
    fn from(said: Output) -> Self {
        match said {
            Output::Frames(key, frames) => Self::Frames(key, frames),
            Output::Shared(gateway, channels, frames) => Self::Shared(gateway, channels, frames),
            Output::HandBack(key, relay_id) => Self::HandBack(key, relay_id),
            Output::Unreadable(key, relay_id) => Self::Unreadable(key, relay_id),
            Output::LetGo(key, game) => Self::LetGo(key, game),
            Output::Close(key, code, reason) => Self::Close(key, code.as_u16(), reason),
        }
    }
}

/// The end of a channel at its owner.
#[derive(Debug)]
pub struct ChannelEnd {
    key: Key,
    codec: Codec,
    waiting: Arc<Waiting>,
    /// The client's ids of the open requests, by relay id.
    request_ids: Mutex<BTreeMap<u64, u64>>,
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

    /// Takes everything that waits. Frames that follow each other on a channel come together, and frames for several channels of a
    /// gateway come once.
    #[must_use]
    pub fn take(&self) -> Vec<Output> {
        let items = mem::take(&mut *self.lock());
        let mut together = Together::default();
        for (of, item) in items {
            together.add(of, item);
        }
        together.finish()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Key, Item)>> {
        self.items.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ChannelEnd {
    /// Returns the end of a channel; `max_bytes` may wait for its gateway.
    #[must_use]
    pub fn new(key: Key, codec: Codec, waiting: Arc<Waiting>, max_bytes: usize) -> Self {
        Self {
            key,
            codec,
            waiting,
            request_ids: Mutex::default(),
            bytes: Arc::default(),
            max_bytes,
            is_over: AtomicBool::new(false),
        }
    }

    /// Opens a request, which has this id at the client.
    pub fn open(&self, relay_id: u64, request_id: u64) {
        self.request_ids().insert(relay_id, request_id);
    }

    /// Says that a request cannot be read.
    pub fn cannot_read(&self, relay_id: u64) {
        if !self.is_over.load(Ordering::SeqCst) {
            self.say(Item::Unreadable(relay_id));
        }
    }

    /// Notes that the channel has ended; nothing more is sent.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        self.request_ids().clear();
    }

    fn request_ids(&self) -> MutexGuard<'_, BTreeMap<u64, u64>> {
        self.request_ids
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues frames of a size, all of them or none.
    fn queue(&self, priority: Priority, item: Item, size: usize) -> Delivery {
        if self.is_over.load(Ordering::SeqCst) {
            return Delivery::Gone;
        }
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
        items.push((self.key, item));
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
    fn answer(&self, relay_id: u64, message: &ServerMessage) -> Delivery {
        let Some(request_id) = self.request_ids().remove(&relay_id) else {
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
        let summary = FrameSummary::Answer(relay_id, outcome);
        let message = Payload(frame.into());
        let (size, bytes) = (message.0.len(), Arc::clone(&self.bytes));
        let item = Item::Answer(Frame { summary, message }, bytes);
        self.queue(Priority::Reply, item, size)
    }

    fn push(&self, priority: Priority, pushes: Pushes) -> Delivery {
        let sizes = || pushes.frames().iter().map(|frame| frame.payload().len());
        if sizes().any(|size| size > PAYLOAD_MAX_BYTES) {
            let reason = "a message is too long to come from another server";
            self.close_with(CloseCode::GoingAway, reason);
            return Delivery::Gone;
        }
        let size = sizes().sum();
        let item = Item::Push(pushes, Arc::clone(&self.bytes));
        self.queue(priority, item, size)
    }

    fn hand_back(&self, relay_id: u64) {
        if self.request_ids().remove(&relay_id).is_some() {
            self.say(Item::HandBack(relay_id));
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
