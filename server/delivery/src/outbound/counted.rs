//! A recipient for tests of a fan-out.
#![allow(clippy::unwrap_used, reason = "for tests only")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use tilewire_protocol::{Codec, ServerMessage};
use tokio::sync::mpsc;

use super::fan_out::RECIPIENTS_PER_TASK;
use super::push_frame::Pushes;
use super::recipient::{Delivery, PeerId, Recipient};

/// Recipients for two tasks.
pub const RECIPIENTS_OF_TWO_TASKS: usize = 2 * RECIPIENTS_PER_TASK;

/// A recipient that reports the number of frames of each write.
#[derive(Debug, Clone)]
pub struct Counted {
    id: u64,
    /// Whether the next frame makes it panic.
    pub is_fragile: Arc<AtomicBool>,
    queued: Arc<Mutex<usize>>,
    writes: mpsc::UnboundedSender<usize>,
}

impl Counted {
    /// Returns a recipient that reports to `writes`.
    #[must_use]
    pub fn new(id: u64, writes: &mpsc::UnboundedSender<usize>) -> Self {
        Self {
            id,
            is_fragile: Arc::default(),
            queued: Arc::default(),
            writes: writes.clone(),
        }
    }

    fn queue(&self, frames: usize) -> Delivery {
        *self.queued.lock().unwrap() += frames;
        Delivery::Queued
    }
}

impl Recipient for Counted {
    fn id(&self) -> PeerId {
        PeerId(self.id)
    }
    fn codec(&self) -> Codec {
        Codec::MsgPack
    }
    fn answer(&self, _request_id: u64, _message: &ServerMessage) -> Delivery {
        self.queue(1)
    }
    fn push(&self, pushes: Pushes) -> Delivery {
        assert!(!self.is_fragile.swap(false, Ordering::Relaxed));
        self.queue(pushes.frames().len())
    }
    fn flush(&self) {
        let frames = std::mem::take(&mut *self.queued.lock().unwrap());
        self.writes.send(frames).unwrap();
    }
}
