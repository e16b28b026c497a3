//! The task of a hub, and the queue of its inputs.
//!
//! Posting never waits. Spectators that come and go are always queued, because the game limits their number.
//! Publications are bounded: a hub that is too slow finds one skip in their place.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tilewire_rules::time::{Millis, Timestamp};
use tokio::sync::Notify;

use super::delivery::deliver;
use super::{Hub, HubInput, Publication};
use crate::gone::GonePeers;
use tilewire_base::clock::ServerClock;
use tilewire_base::metrics;
use tilewire_delivery::outbound::Recipient;
use tilewire_delivery::overload::Overload;

/// Further inputs whose frames are written together with the first.
const TOGETHER: usize = 63;

/// The inputs that wait for a hub.
#[derive(Debug)]
pub(crate) struct HubQueue<O> {
    inbox: Mutex<Inbox<O>>,
    changed: Notify,
    /// Publications that may wait.
    capacity: usize,
}

#[derive(Debug)]
struct Inbox<O> {
    items: VecDeque<HubInput<O>>,
    publications: usize,
    is_closed: bool,
}

impl<O> HubQueue<O> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            inbox: Mutex::new(Inbox {
                items: VecDeque::new(),
                publications: 0,
                is_closed: false,
            }),
            changed: Notify::new(),
            capacity,
        }
    }

    /// Queues an input. It never waits: publications are bounded, and a hub finds one skip in place of too many.
    pub(crate) fn post(&self, input: HubInput<O>) {
        match input {
            HubInput::Publish(publication) => self.publish(publication),
            other => self.lock().items.push_back(other),
        }
        self.changed.notify_one();
    }

    fn publish(&self, publication: Publication) {
        let mut inbox = self.lock();
        if inbox.publications < self.capacity {
            inbox.publications += 1;
            inbox.items.push_back(HubInput::Publish(publication));
        } else {
            inbox.publications = 0;
            inbox
                .items
                .retain(|item| !matches!(item, HubInput::Publish(_) | HubInput::Skip(_)));
            inbox.items.push_back(HubInput::Skip(publication));
        }
    }

    /// Waits until the queue is closed.
    async fn closed(&self) {
        while !self.lock().is_closed {
            self.changed.notified().await;
        }
    }

    /// Closes the queue.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_one();
    }

    /// Waits for an input and takes it; `None` when the queue is closed and empty.
    async fn take(&self) -> Option<HubInput<O>> {
        loop {
            if let Some(item) = self.try_take() {
                return Some(item);
            }
            if self.lock().is_closed {
                // An input may have come just before.
                return self.try_take();
            }
            self.changed.notified().await;
        }
    }

    fn try_take(&self) -> Option<HubInput<O>> {
        let mut inbox = self.lock();
        let item = inbox.items.pop_front()?;
        if matches!(item, HubInput::Publish(_)) {
            inbox.publications = inbox.publications.saturating_sub(1);
        }
        Some(item)
    }

    fn lock(&self) -> MutexGuard<'_, Inbox<O>> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs a hub until its queue is closed. Reports ended connections to the game.
#[expect(
    clippy::manual_async_fn,
    reason = "it lives as long as the game: an argument of an `async fn` stays in it beside what became of it"
)]
pub(crate) fn run<O: Recipient + Send + 'static>(
    mut hub: Hub<O>,
    queue: Arc<HubQueue<O>>,
    gone: Arc<GonePeers>,
    clock: ServerClock,
    mut groups: UpdateGroups,
) -> impl Future<Output = ()> + Send {
    async move {
        loop {
            groups.wait(&queue, &clock).await;
            let wait = hub.next_deadline().map(|at| clock.until(at));
            let input = tokio::select! {
                biased;
                () = crate::sleep_for(wait) => Some(HubInput::Tick),
                input = queue.take() => input,
            };
            let before = hub.spectators();
            let Some(input) = input else {
                return count(before, 0);
            };
            // Waiting inputs are handled together: one write for each spectator.
            let rest = std::iter::from_fn(|| queue.try_take()).take(TOGETHER);
            for input in std::iter::once(input).chain(rest) {
                groups.note(&input, &clock);
                if hub.must_deliver_before(&input) {
                    deliver(&mut hub, &clock).await;
                }
                hub.handle(clock.now(), input);
            }
            deliver(&mut hub, &clock).await;
            for peer in hub.gone() {
                gone.add(peer);
            }
            count(before, hub.spectators());
            tokio::task::yield_now().await;
        }
    }
}

/// Groups updates that follow each other closely, and under load all updates: one write to each spectator for many
/// frames.
pub(crate) struct UpdateGroups {
    gap_ms: Millis,
    overload: Arc<Overload>,
    shown_at: Option<Timestamp>,
}

impl UpdateGroups {
    /// Returns groups at least `gap_ms` apart; under load the level sets the gap.
    pub(crate) const fn new(gap_ms: Millis, overload: Arc<Overload>) -> Self {
        Self {
            gap_ms,
            overload,
            shown_at: None,
        }
    }

    /// Notes the time of an update. Spectators that come and go start no gap: in a storm there are more of them than
    /// are handled at once.
    fn note<O>(&mut self, input: &HubInput<O>, clock: &ServerClock) {
        if matches!(input, HubInput::Publish(_) | HubInput::Skip(_)) {
            self.shown_at = Some(clock.now());
        }
    }

    /// Waits until the next group is due.
    async fn wait<O>(&self, queue: &HubQueue<O>, clock: &ServerClock) {
        let gap_ms = if self.overload.level().shows_at_once() {
            self.gap_ms
        } else {
            self.overload.group_ms()
        };
        let due_at = self.shown_at.map_or(Timestamp::MIN, |at| at + gap_ms);
        let wait = clock.until(due_at);
        if wait.is_zero() {
            return;
        }
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = queue.closed() => {}
        }
    }
}

fn count(before: usize, now: usize) {
    if before != now {
        let as_number = |count| i32::try_from(count).unwrap_or(i32::MAX);
        metrics::spectators(as_number(now) - as_number(before));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::mpsc;
    use tokio::time::timeout;

    use super::super::tests::{hub, news};
    use super::*;
    use crate::attach::Attach;
    use tilewire_config::OverloadConfig;
    use tilewire_delivery::outbound::counted::Counted;

    /// Tokio's paused time jumps to the next moment that a task waits for.
    #[tokio::test(start_paused = true)]
    async fn updates_in_quick_succession_are_written_together() {
        let (queue, clock) = (
            Arc::new(HubQueue::new(100)),
            ServerClock::starting_at(Timestamp(0)),
        );
        let overload = Arc::new(Overload::new(&OverloadConfig::default()));
        let groups = UpdateGroups::new(Millis(20), overload);
        let gone = Arc::default();
        tokio::spawn(run(hub(), Arc::clone(&queue), gone, clock.clone(), groups));
        let (writes, mut written) = mpsc::unbounded_channel();
        let watch = |id| {
            queue.post(HubInput::Watch(Attach {
                peer: Counted::new(id, &writes),
                request_id: 1,
                from: None,
            }));
        };
        watch(1);
        let mut next = async || {
            let write = timeout(Duration::from_secs(9), written.recv()).await;
            (write.expect("it is written").unwrap(), clock.now())
        };
        assert_eq!(next().await, (2, Timestamp(0)), "the answer, and the game");
        queue.post(HubInput::Publish(news(6)));
        assert_eq!(next().await, (1, Timestamp(0)), "an attach starts no gap");
        for seq in 7..=9 {
            queue.post(HubInput::Publish(news(seq)));
        }
        assert_eq!(next().await, (3, Timestamp(20)), "together, after the gap");
        tokio::time::advance(Duration::from_millis(30)).await;
        queue.post(HubInput::Publish(news(10)));
        assert_eq!(next().await, (1, Timestamp(50)), "at once");
        queue.post(HubInput::Publish(news(11)));
        watch(2);
        assert_eq!(
            next().await,
            (1, Timestamp(70)),
            "before the next spectator"
        );
        assert_eq!(
            next().await,
            (2, Timestamp(70)),
            "which has it in its snapshot"
        );
    }
}
