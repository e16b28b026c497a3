//! Telling spectators: what is queued for each is written, without keeping a processor from everybody else.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::task::JoinError;

use super::{Hub, Outlet};
use crate::clock::ServerClock;
use crate::connection::Group;
use crate::connection::outbox::Outgoing;
use crate::peers::{Delivery, PeerId};

/// Spectators that are worth a task of their own on another processor.
const TOLD_BY_ONE: usize = 512;
/// Spectators written to before others get the processor: some 0.2 ms.
const TOLD_AT_ONCE: usize = 64;

/// Somebody to be told what is queued already, and the news, if there are any.
#[derive(Debug)]
pub struct Telling<O> {
    pub(super) peer: O,
    pub(super) news: Option<Arc<Group>>,
}

/// Those who did not take the news, and why not.
pub(super) type Missed = Vec<(PeerId, Delivery)>;

impl<O: Outlet> Telling<O> {
    /// Writes all of it together; says who did not take the news, and why not.
    pub fn tell(self) -> Option<(PeerId, Delivery)> {
        let news = self.news.map(Outgoing::Group);
        let delivery = news.map_or(Delivery::Queued, |news| self.peer.push(news));
        self.peer.flush();
        (delivery != Delivery::Queued).then(|| (self.peer.id(), delivery))
    }
}

/// Tells everybody what there is to tell.
pub(super) async fn tell<O: Outlet + Send + 'static>(hub: &mut Hub<O>, clock: &ServerClock) {
    match tell_all(hub.to_tell()).await {
        Ok(missed) => hub.missed(clock.now(), missed),
        Err(error) => {
            tracing::error!(%error, "spectators could not be told");
            hub.start_again(clock.now());
            // A snapshot is queued for everybody: should this fail too, it goes with what comes next.
            drop(tell_all(hub.to_tell()).await);
        }
    }
}

/// Writes to everybody there is something for, and returns when all of them are done. A crowd is written to on all
/// processors, on each by one task: everybody else waits for a few spectators of each task before it is their turn.
async fn tell_all<O: Outlet + Send + 'static>(
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
pub(super) mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, Ordering};

    use tilewire_protocol::{Codec, ServerMessage};
    use tokio::sync::mpsc;

    use super::super::HubInput;
    use super::super::tests::{hub, news};
    use super::*;

    /// A spectator who says of each write how many frames it took.
    #[derive(Debug, Clone)]
    pub(in super::super) struct Counted {
        id: u64,
        /// Whether the next frame makes it fail.
        is_fragile: Arc<AtomicBool>,
        queued: Arc<Mutex<usize>>,
        writes: mpsc::UnboundedSender<usize>,
    }

    impl Counted {
        pub(in super::super) fn new(id: u64, writes: &mpsc::UnboundedSender<usize>) -> Self {
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

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn when_it_is_not_known_who_was_told_everybody_gets_the_game_as_it_stands() {
        let (mut hub, clock) = (hub(), ServerClock::starting_at(0));
        let (writes, mut written) = mpsc::unbounded_channel();
        let crowd = 2 * TOLD_BY_ONE;
        for id in (1..).take(crowd) {
            let peer = Counted::new(id, &writes);
            let (request_id, from) = (1, None);
            let watch = HubInput::Watch {
                peer,
                request_id,
                from,
            };
            hub.handle(0, watch);
        }
        tell(&mut hub, &clock).await;
        let last = hub.spectators.values().next_back().unwrap();
        last.peer.is_fragile.store(true, Ordering::Relaxed);
        hub.handle(0, HubInput::Publish(news(6)));
        tell(&mut hub, &clock).await;
        let writes: Vec<_> = std::iter::from_fn(|| written.try_recv().ok()).collect();
        let answers_and_news = 2 * crowd - 1;
        assert_eq!(writes[answers_and_news..], vec![1; crowd]);
    }
}
