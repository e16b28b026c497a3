//! Telling many the same: encoded and framed once, and written without keeping a processor from everybody else.

mod encoded;

use std::sync::Arc;

use tilewire_protocol::{Codec, ServerMessage};
use tokio::runtime::Handle;
use tokio::task::JoinError;

use crate::connection::Group;
use crate::connection::outbox::Outgoing;
use crate::peers::{Delivery, PeerId};

pub(crate) use encoded::{Encoded, EncodedAnswer, PerCodec};

/// People that are worth a task of their own on another processor.
const TOLD_BY_ONE: usize = 512;
/// People written to before others get the processor: some 0.2 ms.
const TOLD_AT_ONCE: usize = 64;

/// Somebody to be told what is queued already, and the news, if there are any.
#[derive(Debug)]
pub struct Telling<O> {
    pub(crate) peer: O,
    pub(crate) news: Option<Arc<Group>>,
}

/// Those who did not take the news, and why not.
pub(crate) type Missed = Vec<(PeerId, Delivery)>;

impl<O: Outlet> Telling<O> {
    /// Writes all of it together; says who did not take the news, and why not.
    pub fn tell(self) -> Option<(PeerId, Delivery)> {
        let news = self.news.map(Outgoing::Group);
        let delivery = news.map_or(Delivery::Queued, |news| self.peer.push(news));
        self.peer.flush();
        (delivery != Delivery::Queued).then(|| (self.peer.id(), delivery))
    }
}

/// The way to one of many.
pub trait Outlet: Clone {
    /// Returns the connection.
    fn id(&self) -> PeerId;
    /// Returns how it wants its messages.
    fn codec(&self) -> Codec;
    /// Queues the answer to a request, or with 0 what nobody asked for.
    fn answer(&self, request_id: u64, message: &ServerMessage) -> Delivery;
    /// Queues something to show, if the connection keeps up.
    fn push(&self, outgoing: Outgoing) -> Delivery;
    /// Writes what is queued.
    fn flush(&self);
}

/// Writes to everybody there is something for, and returns when all of them are done. A crowd is written to on all
/// processors, on each by one task: everybody else waits for a few people of each task before it is their turn.
pub(crate) async fn tell_all<O: Outlet + Send + 'static>(
    mut tellings: Vec<Telling<O>>,
) -> Result<Missed, JoinError> {
    let processors = Handle::current().metrics().num_workers();
    let parts = tellings.len().div_ceil(TOLD_BY_ONE).min(processors).max(1);
    let in_each = tellings.len().div_ceil(parts);
    let mut others = Vec::new();
    while tellings.len() > in_each {
        let part = tellings.split_off(tellings.len() - in_each);
        others.push(tokio::spawn(tell_part(part)));
    }
    let mut missed = tell_part(tellings).await;
    let mut failed = None;
    for part in others {
        match part.await {
            Ok(more) => missed.extend(more),
            Err(error) => failed = Some(error),
        }
    }
    failed.map_or(Ok(missed), Err)
}

async fn tell_part<O: Outlet>(tellings: Vec<Telling<O>>) -> Missed {
    let mut missed = Vec::new();
    for (telling, count) in tellings.into_iter().zip(1_usize..) {
        missed.extend(telling.tell());
        if count % TOLD_AT_ONCE == 0 {
            tokio::task::yield_now().await;
        }
    }
    missed
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, Ordering};

    use tokio::sync::mpsc;

    use super::*;

    /// So many that two tasks tell them.
    pub(crate) const CROWD: usize = 2 * TOLD_BY_ONE;

    /// A spectator who says of each write how many frames it took.
    #[derive(Debug, Clone)]
    pub(crate) struct Counted {
        id: u64,
        /// Whether the next frame makes it fail.
        pub(crate) is_fragile: Arc<AtomicBool>,
        queued: Arc<Mutex<usize>>,
        writes: mpsc::UnboundedSender<usize>,
    }

    impl Counted {
        pub(crate) fn new(id: u64, writes: &mpsc::UnboundedSender<usize>) -> Self {
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

    impl Outlet for Counted {
        fn id(&self) -> PeerId {
            PeerId(self.id)
        }
        fn codec(&self) -> Codec {
            Codec::MsgPack
        }
        fn answer(&self, _request_id: u64, _message: &ServerMessage) -> Delivery {
            self.queue(1)
        }
        fn push(&self, outgoing: Outgoing) -> Delivery {
            assert!(!self.is_fragile.swap(false, Ordering::Relaxed));
            self.queue(outgoing.contents().len())
        }
        fn flush(&self) {
            let frames = std::mem::take(&mut *self.queued.lock().unwrap());
            self.writes.send(frames).unwrap();
        }
    }

    #[tokio::test]
    async fn while_a_crowd_is_written_to_others_have_their_turn() {
        let (writes, mut written) = mpsc::unbounded_channel();
        let crowd: Vec<_> = std::iter::repeat_with(|| Counted::new(1, &writes))
            .map(|peer| Telling { peer, news: None })
            .take(4 * TOLD_BY_ONE)
            .collect();
        let mut awaited = crowd.len();
        let telling = tokio::spawn(tell_all(crowd));
        let mut at_once = 0;
        while awaited > 0 {
            tokio::task::yield_now().await;
            let written = std::iter::from_fn(|| written.try_recv().ok()).count();
            at_once = at_once.max(written);
            awaited -= written;
        }
        assert_eq!(telling.await.unwrap().unwrap(), []);
        assert_eq!(at_once, TOLD_AT_ONCE, "this runtime has one processor");
    }
}
