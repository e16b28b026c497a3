//! The spectators of one game, as a state machine that takes the time as input.
//!
//! Messages to spectators are encoded and framed once per codec, and shared. A spectator whose outbox is too full
//! misses messages and gets a snapshot once there is room; its slowness affects neither the game nor other spectators.

mod delivery;
mod input;
pub(crate) mod task;

pub use input::{HubInput, HubStart, Publication};

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use tilewire_protocol::{AttachOutcome, Event, GameId, OkBody, Role, ServerMessage};
use tilewire_rules::time::{Millis, Timestamp};

use super::attach::{Attach, detached};
use super::position::SharedSnapshot;
use tilewire_delivery::outbound::ResumePoint;
use tilewire_delivery::outbound::{
    Delivery, Dispatch, Encoded, Framed, Leaving, PeerId, PerCodec, Recipient,
};

/// The limits of one hub.
#[derive(Debug, Clone, Copy)]
pub struct HubBounds {
    /// Recent events in memory for clients that resume.
    pub history_events: usize,
    /// Interval at which the hub offers a snapshot to spectators that fell behind.
    pub lagging_retry_ms: Millis,
}

/// The spectators of one game.
#[derive(Debug)]
pub struct Hub<O> {
    game: GameId,
    epoch: u64,
    bounds: HubBounds,
    spectators: BTreeMap<PeerId, Spectator<O>>,
    recent: VecDeque<(u64, Arc<Encoded>)>,
    /// Messages that are not delivered yet, in order.
    news: Vec<Arc<Encoded>>,
    snapshot: SharedSnapshot,
    head: u64,
    is_paused: bool,
    retry_at: Option<Timestamp>,
    gone: Vec<PeerId>,
    /// Peers with queued frames.
    queued: Vec<O>,
}

#[derive(Debug)]
struct Spectator<O> {
    peer: O,
    pace: Pace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// Has all events up to the head.
    Current,
    /// Has missed messages, and gets a snapshot when its outbox has room.
    Lagging,
}

impl<O: Recipient> Hub<O> {
    /// Returns a hub without spectators.
    #[must_use]
    pub fn new(bounds: HubBounds, start: HubStart) -> Self {
        let mut hub = Self {
            game: start.position.game().clone(),
            epoch: start.position.facts.epoch,
            bounds,
            spectators: BTreeMap::new(),
            recent: VecDeque::new(),
            news: Vec::new(),
            head: start.position.seq(),
            snapshot: SharedSnapshot::new(start.position),
            is_paused: start.is_paused,
            retry_at: None,
            gone: Vec::new(),
            queued: Vec::new(),
        };
        for message in start.history {
            if let ServerMessage::Event(Event { seq, .. }) = message {
                hub.keep(seq, Arc::new(Encoded::new(message)));
            }
        }
        hub
    }

    /// Handles one input. Publications are collected; deliver them with [`Hub::take_dispatches`] before any other
    /// input. Then a spectator that attaches or catches up does not get them twice, and one that leaves gets none
    /// afterwards.
    pub fn handle(&mut self, now: Timestamp, input: HubInput<O>) {
        debug_assert!(!self.must_deliver_before(&input), "news wait");
        match input {
            HubInput::Watch(attach) => self.watch(now, attach),
            HubInput::Unwatch { peer, answer } => {
                self.spectators.remove(&peer);
                if let Some((peer, request_id)) = answer {
                    if peer.answer(request_id, &detached(&self.game)) == Delivery::Gone {
                        self.gone.push(peer.id());
                    }
                    self.queued.push(peer);
                }
            }
            HubInput::Publish(publication) => self.publish(publication),
            HubInput::Skip(publication) => self.skip(now, publication),
            HubInput::Dismiss(message) => {
                for spectator in std::mem::take(&mut self.spectators).into_values() {
                    spectator.peer.answer(0, &message);
                    self.queued.push(spectator.peer);
                }
            }
            HubInput::LetGo { code, otherwise } => self.let_go(code.as_ref(), &otherwise),
            HubInput::Tick => self.catch_up(now),
        }
    }

    /// Lets the spectators go on at the next owner: from where they are, or with a snapshot if they fell behind.
    fn let_go(&mut self, code: Option<&String>, otherwise: &ServerMessage) {
        let head = ResumePoint {
            epoch: self.epoch,
            seq: self.head,
        };
        for spectator in std::mem::take(&mut self.spectators).into_values() {
            let leaving = Leaving {
                game: self.game.clone(),
                position: (spectator.pace == Pace::Current).then_some(head),
                code: code.cloned(),
                is_spectator: true,
                is_delayed: self.snapshot.delay_ms().is_some(),
                is_paused: self.is_paused,
            };
            if !spectator.peer.let_go(leaving) {
                spectator.peer.answer(0, otherwise);
            }
            self.queued.push(spectator.peer);
        }
    }

    /// Says whether publications have to be delivered before this input.
    #[must_use]
    pub fn must_deliver_before(&self, input: &HubInput<O>) -> bool {
        !self.news.is_empty() && !matches!(input, HubInput::Publish(_))
    }

    /// Returns the dispatches since the last call: queued answers, and the publications for all spectators that are up
    /// to date. Report the recipients that refused with [`Hub::missed`].
    pub fn take_dispatches(&mut self) -> Vec<Dispatch<O>> {
        let answered = std::mem::take(&mut self.queued).into_iter();
        let answered = answered.map(|recipient| Dispatch {
            recipient,
            framed: None,
        });
        let mut dispatches: Vec<_> = answered.collect();
        let news = std::mem::take(&mut self.news);
        if news.is_empty() {
            return dispatches;
        }
        let framed = PerCodec::default();
        let frame = |codec| {
            let frames = news.iter().map(|message| message.frame(codec)).collect();
            Arc::new(Framed::new(codec, frames))
        };
        let current = |spectator: &&Spectator<O>| spectator.pace == Pace::Current;
        let spectators = self.spectators.values().filter(current);
        dispatches.extend(spectators.map(|Spectator { peer, .. }| {
            let codec = peer.codec();
            let framed = framed.get_or_init(codec, || frame(codec));
            Dispatch {
                recipient: peer.clone(),
                framed: Some(Arc::clone(framed)),
            }
        }));
        dispatches
    }

    /// Notes the recipients that refused the messages.
    pub fn missed(&mut self, now: Timestamp, missed: Vec<(PeerId, Delivery)>) {
        for (id, delivery) in missed {
            self.note(now, id, delivery);
        }
    }

    /// A delivery failed halfway: all spectators get a snapshot.
    fn start_again(&mut self, now: Timestamp) {
        for spectator in self.spectators.values_mut() {
            spectator.pace = Pace::Lagging;
        }
        self.catch_up(now);
    }

    /// Removes the connections that have ended, and returns them.
    pub fn gone(&mut self) -> Vec<PeerId> {
        for peer in &self.gone {
            self.spectators.remove(peer);
        }
        std::mem::take(&mut self.gone)
    }

    /// Returns when [`HubInput::Tick`] is due.
    #[must_use]
    pub const fn next_deadline(&self) -> Option<Timestamp> {
        self.retry_at
    }

    /// Returns the number of spectators.
    #[must_use]
    pub fn spectators(&self) -> usize {
        self.spectators.len()
    }

    fn keep(&mut self, seq: u64, event: Arc<Encoded>) {
        if self.recent.len() >= self.bounds.history_events.max(1) {
            self.recent.pop_front();
        }
        self.recent.push_back((seq, event));
        self.head = seq;
    }

    fn watch(&mut self, now: Timestamp, attach: Attach<O>) {
        let Attach {
            peer,
            request_id,
            from,
        } = attach;
        let skip = self.missed_from(from);
        let ok = OkBody {
            game: Some(self.game.clone()),
            epoch: Some(self.epoch),
            role: Some(Role::Spectator),
            outcome: Some(match skip {
                Some(_) => AttachOutcome::Events,
                None => AttachOutcome::Snapshot,
            }),
            head: Some(self.head),
            delay_ms: self.snapshot.delay_ms(),
            ..OkBody::default()
        };
        let codec = peer.codec();
        let mut delivery = peer.answer(request_id, &ServerMessage::Ok(Box::new(ok)));
        match skip {
            Some(skip) => {
                for (_, event) in self.recent.iter().skip(skip) {
                    if delivery == Delivery::Queued {
                        delivery = peer.push(event.frame(codec).into());
                    }
                }
                if let Some(waiting) = self.snapshot.turn_waiting()
                    && delivery == Delivery::Queued
                {
                    delivery = peer.push(waiting.frame(codec).into());
                }
            }
            None if delivery == Delivery::Queued => {
                delivery = peer.push(self.snapshot.frame(codec).into());
            }
            None => {}
        }
        if self.is_paused && delivery == Delivery::Queued {
            delivery = peer.push(paused(&self.game).frame(codec).into());
        }
        let id = peer.id();
        self.queued.push(peer.clone());
        let pace = Pace::Current;
        self.spectators.insert(id, Spectator { peer, pace });
        self.note(now, id, delivery);
    }

    /// Returns how many of the recent events a client has already; `None` if it needs a snapshot.
    fn missed_from(&self, from: Option<ResumePoint>) -> Option<usize> {
        // Sequence number 0 is before the first event in every incarnation.
        let from = from.filter(|from| from.seq == 0 || from.epoch == self.epoch)?;
        if from.seq == self.head {
            return Some(self.recent.len());
        }
        let oldest = self.recent.front()?.0;
        let skip = from.seq.checked_add(1)?.checked_sub(oldest)?;
        let skip = usize::try_from(skip).ok()?;
        (skip <= self.recent.len()).then_some(skip)
    }

    fn publish(&mut self, publication: Publication) {
        let head = publication.position.seq();
        self.snapshot = SharedSnapshot::new(publication.position);
        for message in publication.messages {
            let encoded = Arc::new(Encoded::new(message));
            if let ServerMessage::Event(event) = encoded.message() {
                self.keep(event.seq, Arc::clone(&encoded));
            }
            self.news.push(encoded);
        }
        self.head = head;
        self.is_paused = publication.is_paused;
        // A snapshot replaced some events, so no client can resume from the events before it.
        let is_gap = self.recent.back().map(|(last, _)| *last) != Some(self.head);
        if is_gap {
            self.recent.clear();
        }
    }

    fn note(&mut self, now: Timestamp, id: PeerId, delivery: Delivery) {
        match delivery {
            Delivery::Queued => {}
            Delivery::Lagging => {
                if let Some(spectator) = self.spectators.get_mut(&id) {
                    spectator.pace = Pace::Lagging;
                    self.retry_at
                        .get_or_insert(now + self.bounds.lagging_retry_ms);
                }
            }
            Delivery::Overflowed | Delivery::Gone => self.gone.push(id),
        }
    }

    fn skip(&mut self, now: Timestamp, publication: Publication) {
        self.head = publication.position.seq();
        self.is_paused = publication.is_paused;
        self.snapshot = SharedSnapshot::new(publication.position);
        self.recent.clear();
        self.start_again(now);
    }

    /// Sends a snapshot to all spectators that fell behind and have room.
    fn catch_up(&mut self, now: Timestamp) {
        self.retry_at = None;
        let mut behind = Vec::new();
        for (id, spectator) in &mut self.spectators {
            if spectator.pace == Pace::Lagging {
                self.queued.push(spectator.peer.clone());
                let codec = spectator.peer.codec();
                let mut delivery = spectator.peer.push(self.snapshot.frame(codec).into());
                // The snapshot does not say that the game is paused.
                if self.is_paused && delivery == Delivery::Queued {
                    delivery = spectator.peer.push(paused(&self.game).frame(codec).into());
                }
                if delivery == Delivery::Queued {
                    spectator.pace = Pace::Current;
                } else {
                    behind.push((*id, delivery));
                }
            }
        }
        self.missed(now, behind);
    }
}

fn paused(game: &GameId) -> Encoded {
    let game = game.clone();
    Encoded::new(ServerMessage::Paused(tilewire_protocol::GameRef { game }))
}
