//! The way from a game to its hub: never full, never waited for.
//!
//! Who comes and goes always gets in (the game bounds how many there are); what is shown is bounded: a hub that does
//! not keep up finds one snapshot in its place.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::{Hub, HubInput, Outlet};
use crate::clock::ServerClock;
use crate::game::handle::GonePeers;
use crate::game::room::Publication;
use crate::metrics;
use crate::overload::Overload;

/// What waits for a hub.
#[derive(Debug)]
pub(crate) struct Feed<O> {
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

impl<O> Feed<O> {
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

    /// Hands in anything but a publication.
    pub(crate) fn post(&self, input: HubInput<O>) {
        self.lock().items.push_back(input);
        self.changed.notify_one();
    }

    /// Hands in something to show.
    pub(crate) fn publish(&self, publication: Publication) {
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
        drop(inbox);
        self.changed.notify_one();
    }

    /// Returns how much waits.
    fn waiting(&self) -> usize {
        self.lock().items.len()
    }

    /// Waits until nothing more will come.
    async fn closed(&self) {
        while !self.lock().is_closed {
            self.changed.notified().await;
        }
    }

    /// Nothing more will come.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_one();
    }

    /// Waits for something and takes it; `None` when nothing more will come.
    async fn take(&self) -> Option<HubInput<O>> {
        loop {
            {
                let mut inbox = self.lock();
                if let Some(item) = inbox.items.pop_front() {
                    if matches!(item, HubInput::Publish(_)) {
                        inbox.publications = inbox.publications.saturating_sub(1);
                    }
                    return Some(item);
                }
                if inbox.is_closed {
                    return None;
                }
            }
            self.changed.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inbox<O>> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs a hub until its feed is closed. Connections that have ended are reported to the game.
pub(crate) async fn run<O: Outlet>(
    mut hub: Hub<O>,
    feed: Arc<Feed<O>>,
    gone: Arc<GonePeers>,
    clock: ServerClock,
    overload: Arc<Overload>,
) {
    let mut groups = Groups::default();
    loop {
        groups.wait(&feed, &clock, &overload).await;
        let wait_ms = hub
            .next_deadline()
            .map(|at| u64::try_from(at - clock.now()).unwrap_or(0));
        let input = tokio::select! {
            biased;
            () = crate::game::sleep_for(wait_ms) => Some(HubInput::Tick),
            input = feed.take() => input,
        };
        let before = hub.spectators();
        let Some(input) = input else {
            return count(before, 0);
        };
        for peer in hub.handle(clock.now(), input) {
            gone.add(peer);
        }
        count(before, hub.spectators());
        tokio::task::yield_now().await;
    }
}

/// Under load what happens is shown in groups: many frames for a spectator become one write.
#[derive(Default)]
struct Groups {
    /// Inputs of the group that is being shown.
    left: usize,
    next_at: i64,
}

impl Groups {
    /// Waits, if it has to be, until the next group is due.
    async fn wait<O>(&mut self, feed: &Feed<O>, clock: &ServerClock, overload: &Overload) {
        if overload.level().shows_at_once() {
            self.left = 0;
            return;
        }
        if self.left == 0 {
            let wait_ms = u64::try_from(self.next_at - clock.now()).unwrap_or(0);
            tokio::select! {
                () = crate::game::sleep_for(Some(wait_ms)) => {}
                () = feed.closed() => {}
            }
            self.left = feed.waiting().max(1);
            self.next_at = clock.now() + overload.group_ms();
        }
        self.left -= 1;
    }
}

fn count(before: usize, now: usize) {
    if before != now {
        let as_number = |count| i32::try_from(count).unwrap_or(i32::MAX);
        metrics::spectators(as_number(now) - as_number(before));
    }
}
