//! The spectators of one game, as a machine that is told the time.
//!
//! What is shown to spectators is encoded and framed once per codec, and shared. Who does not keep up misses what
//! follows and gets the game as it stands once there is room again; nobody's slowness reaches the game or anybody else.

pub(crate) mod feed;
mod input;
mod tell;

pub use input::{HubInput, HubStart, Publication};

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use tilewire_protocol::{AttachOutcome, Event, GameId, OkBody, Role, ServerMessage};

use super::attach::{Attach, ResumePoint, detached};
use super::position::Picture;
use crate::outbound::{Delivery, Dispatch, Encoded, Framed, PeerId, PerCodec, Recipient};

/// How much of everything one hub may use.
#[derive(Debug, Clone, Copy)]
pub struct HubBounds {
    /// Recent events kept for clients that resume.
    pub history_events: usize,
    /// How soon to look again after spectators who did not keep up, ms.
    pub lagging_retry_ms: i64,
}

/// The spectators of one game.
#[derive(Debug)]
pub struct Hub<O> {
    game: GameId,
    epoch: u64,
    bounds: HubBounds,
    spectators: BTreeMap<PeerId, Spectator<O>>,
    recent: VecDeque<(u64, Arc<Encoded>)>,
    /// What has happened since everybody was told, in order.
    news: Vec<Arc<Encoded>>,
    picture: Picture,
    head: u64,
    is_paused: bool,
    retry_at: Option<i64>,
    gone: Vec<PeerId>,
    /// Who has something queued that is not written.
    told: Vec<O>,
}

#[derive(Debug)]
struct Spectator<O> {
    peer: O,
    pace: Pace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// Has everything up to the head.
    Current,
    /// Has missed something, and gets a snapshot when there is room.
    Lagging,
}

impl<O: Recipient> Hub<O> {
    /// Makes a hub without spectators.
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
            picture: Picture::new(start.position),
            is_paused: false,
            retry_at: None,
            gone: Vec::new(),
            told: Vec::new(),
        };
        for message in start.history {
            if let ServerMessage::Event(Event { seq, .. }) = message {
                hub.keep(seq, Arc::new(Encoded::new(message)));
            }
        }
        hub
    }

    /// Takes one input. News are collected; before anything else comes in they are to be told ([`Hub::to_tell`]), so that
    /// whoever comes or catches up does not hear of them twice, and who leaves not afterwards.
    pub fn handle(&mut self, now: i64, input: HubInput<O>) {
        debug_assert!(!self.must_tell_before(&input), "news wait");
        match input {
            HubInput::Watch(attach) => self.watch(now, attach),
            HubInput::Unwatch { peer, answer } => {
                self.spectators.remove(&peer);
                if let Some((peer, request_id)) = answer {
                    if peer.answer(request_id, &detached(&self.game)) == Delivery::Gone {
                        self.gone.push(peer.id());
                    }
                    self.told.push(peer);
                }
            }
            HubInput::Publish(publication) => self.publish(publication),
            HubInput::Skip(publication) => self.skip(now, publication),
            HubInput::Dismiss(message) => {
                for spectator in std::mem::take(&mut self.spectators).into_values() {
                    spectator.peer.answer(0, &message);
                    self.told.push(spectator.peer);
                }
            }
            HubInput::Tick => self.catch_up(now),
        }
    }

    /// Says whether there are news that everybody has to be told before this comes in.
    #[must_use]
    pub fn must_tell_before(&self, input: &HubInput<O>) -> bool {
        !self.news.is_empty() && !matches!(input, HubInput::Publish(_))
    }

    /// Returns what is to be told to whom since this was last asked: answers that are queued, and to everybody who has all
    /// before them the news, together. Who does not take the news is to be reported by [`Hub::missed`].
    pub fn to_tell(&mut self) -> Vec<Dispatch<O>> {
        let answered = std::mem::take(&mut self.told).into_iter();
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
            let messages = news.iter().map(|message| message.frame(codec)).collect();
            Arc::new(Framed::new(codec, messages))
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

    /// Takes note of who did not take the news, and why not.
    pub fn missed(&mut self, now: i64, missed: Vec<(PeerId, Delivery)>) {
        for (id, delivery) in missed {
            self.note(now, id, delivery);
        }
    }

    /// It is not known who has what: everybody starts again from the game as it stands.
    fn start_again(&mut self, now: i64) {
        for spectator in self.spectators.values_mut() {
            spectator.pace = Pace::Lagging;
        }
        self.catch_up(now);
    }

    /// Forgets the connections that turned out to have ended, and returns them.
    pub fn gone(&mut self) -> Vec<PeerId> {
        for peer in &self.gone {
            self.spectators.remove(peer);
        }
        std::mem::take(&mut self.gone)
    }

    /// Returns when to hand in [`HubInput::Tick`].
    #[must_use]
    pub const fn next_deadline(&self) -> Option<i64> {
        self.retry_at
    }

    /// Returns how many connections watch.
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

    fn watch(&mut self, now: i64, attach: Attach<O>) {
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
            }
            None if delivery == Delivery::Queued => {
                delivery = peer.push(self.picture.frame(codec).into());
            }
            None => {}
        }
        if self.is_paused && delivery == Delivery::Queued {
            delivery = peer.push(paused(&self.game).frame(codec).into());
        }
        let id = peer.id();
        self.told.push(peer.clone());
        let pace = Pace::Current;
        self.spectators.insert(id, Spectator { peer, pace });
        self.note(now, id, delivery);
    }

    /// How many of the recent events a client has already; `None` when it needs a snapshot.
    fn missed_from(&self, from: Option<ResumePoint>) -> Option<usize> {
        // Nothing is before the first event, whatever the incarnation.
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
        self.picture = Picture::new(publication.position);
        for message in publication.messages {
            let encoded = Arc::new(Encoded::new(message));
            if let ServerMessage::Event(event) = encoded.message() {
                self.keep(event.seq, Arc::clone(&encoded));
            }
            self.news.push(encoded);
        }
        self.head = head;
        self.is_paused = publication.is_paused;
        // A snapshot stood for events: those before it lead nowhere.
        let is_gap = self.recent.back().map(|(last, _)| *last) != Some(self.head);
        if is_gap {
            self.recent.clear();
        }
    }

    fn note(&mut self, now: i64, id: PeerId, delivery: Delivery) {
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

    fn skip(&mut self, now: i64, publication: Publication) {
        self.head = publication.position.seq();
        self.is_paused = publication.is_paused;
        self.picture = Picture::new(publication.position);
        self.recent.clear();
        self.start_again(now);
    }

    /// Sends the game as it stands to everybody who has missed something and has room for it.
    fn catch_up(&mut self, now: i64) {
        self.retry_at = None;
        let mut behind = Vec::new();
        for (id, spectator) in &mut self.spectators {
            if spectator.pace == Pace::Lagging {
                self.told.push(spectator.peer.clone());
                let codec = spectator.peer.codec();
                let mut delivery = spectator.peer.push(self.picture.frame(codec).into());
                // A snapshot alone says that the game goes on.
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
