//! The changes that the lobby's subscribers have not got yet.
//!
//! Changes wait here until the ones before them are sent. Of several changes to one seek or game, only the last is
//! sent; of a seek or game that came and went in between, nothing. So the number of waiting changes is bounded by the
//! number of seeks and games. A new subscriber has the lists, and gets only the changes after them.

use std::collections::BTreeMap;
use std::sync::Arc;

use tilewire_protocol::LobbyChangeKind::{
    GameChanged, GameEnded, GameRemoved, GameStarted, SeekAdded, SeekChanged, SeekRemoved,
};
use tilewire_protocol::{CloseCode, Codec, GameId, IdentityId, LobbyChange, SeekId, ServerMessage};

use super::hidden::{Hidden, Shown, is_excluded};
use super::subscriber::Subscriber;
use tilewire_accounts::people::Blocks;
use tilewire_delivery::outbound::{
    Dispatch, Encoded, Framed, Peer, PeerId, PerCodec, PushFrame, Recipient,
};

/// Changes sent together: far fewer than fit into an outbox.
const SENT_TOGETHER: usize = 128;

/// The subscribers and the waiting changes.
#[derive(Debug, Default)]
pub(super) struct Feed {
    subscribers: BTreeMap<PeerId, Subscription>,
    pending: Vec<Pending>,
    /// The number of changes before the waiting ones.
    past: usize,
    /// Changes before this number are final: a client has subscribed since.
    sealed: usize,
    /// The number of the last change of each seek and game.
    last: BTreeMap<Subject, usize>,
}

/// A subscriber, and the number of its first change.
#[derive(Debug)]
struct Subscription {
    subscriber: Subscriber,
    from: usize,
    hidden: Hidden,
}

/// A change of a seek or game.
#[derive(Debug)]
struct Pending {
    change: LobbyChange,
    /// Whether no subscriber has got its seek or game yet.
    is_new: bool,
    /// The identities that may see the seek now, or see it no longer; the others see no change.
    between: Option<[String; 2]>,
    /// The identities for whom the seek does not exist.
    excluded: Vec<IdentityId>,
}

/// A change on its way.
#[derive(Debug)]
struct Taken {
    number: usize,
    message: Encoded,
    between: Option<[String; 2]>,
    excluded: Vec<IdentityId>,
}

/// The seek or game that a change is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    Seek(SeekId),
    Game(GameId),
}

impl Feed {
    /// Adds or replaces a subscriber; returns false if the feed already has `most` subscribers.
    pub(super) fn subscribe(&mut self, peer: &Peer, most: usize) -> bool {
        self.unsubscribe(peer.id());
        if self.subscribers.len() >= most {
            return false;
        }
        let from = self.past + self.pending.len();
        self.sealed = from;
        let subscriber = Subscriber::new(peer.clone());
        let subscription = Subscription {
            subscriber,
            from,
            hidden: Hidden::default(),
        };
        self.subscribers.insert(peer.id(), subscription);
        true
    }

    /// Notes which seeks a new subscriber does not see.
    pub(super) fn hide(&mut self, id: PeerId, hidden: Hidden) {
        if let Some(subscription) = self.subscribers.get_mut(&id) {
            subscription.hidden = hidden;
        }
    }

    /// Removes a subscriber. It gets no more changes, not even those that are being sent.
    pub(super) fn unsubscribe(&mut self, id: PeerId) {
        if let Some(subscription) = self.subscribers.remove(&id) {
            subscription.subscriber.end();
        }
    }

    /// Removes all subscribers that do not satisfy `stays`.
    pub(super) fn retain(&mut self, stays: impl Fn(&Peer) -> bool) {
        let stays =
            |_: &PeerId, subscription: &mut Subscription| stays(subscription.subscriber.peer());
        self.subscribers.retain(stays);
    }

    /// Closes the connections of all subscribers; they get the current lists when they come back.
    pub(super) fn dismiss(&mut self, code: CloseCode, reason: &str) {
        for subscription in std::mem::take(&mut self.subscribers).into_values() {
            subscription.subscriber.peer().close(code, reason);
        }
    }

    /// Says whether there is no subscriber.
    pub(super) fn is_empty(&self) -> bool {
        self.subscribers.is_empty()
    }

    /// Says whether a connection subscribes.
    pub(super) fn has(&self, id: PeerId) -> bool {
        self.subscribers.contains_key(&id)
    }

    /// Adds a change.
    pub(super) fn announce(&mut self, change: LobbyChange) {
        self.announce_except(Vec::new(), change);
    }

    /// Adds a change of a seek that does not exist for some identities.
    pub(super) fn announce_except(&mut self, excluded: Vec<IdentityId>, change: LobbyChange) {
        let Some(subject) = subject(&change).filter(|_| !self.subscribers.is_empty()) else {
            return;
        };
        if let Some(at) = self.replaceable(&subject) {
            return self.pending[at].replace(change, excluded);
        }
        let number = self.past + self.pending.len();
        self.last.insert(subject, number);
        self.pending.push(Pending::new(change, excluded));
    }

    /// Adds a change of a seek for two identities. It stands for itself: changes for everybody neither replace it nor are
    /// replaced by it.
    pub(super) fn announce_between(
        &mut self,
        pair: [String; 2],
        excluded: Vec<IdentityId>,
        change: LobbyChange,
    ) {
        if !self.subscribers.is_empty() {
            self.pending.push(Pending {
                change,
                is_new: false,
                between: Some(pair),
                excluded,
            });
        }
    }

    /// Returns the index of the waiting change of a seek or game that is not final.
    fn replaceable(&self, subject: &Subject) -> Option<usize> {
        let number = *self.last.get(subject)?;
        let is_open = number >= self.past.max(self.sealed);
        let at = number.checked_sub(self.past)?;
        (is_open && !self.pending.get(at)?.is_void()).then_some(at)
    }

    /// Says whether changes wait.
    pub(super) fn has_changes(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Returns the next dispatches; more changes than are sent together wait for the next call.
    pub(super) fn dispatches(&mut self, blocks: &Blocks) -> Vec<Dispatch<Subscriber>> {
        let first = self.past;
        let taken = self.take();
        let frame = |from: usize, codec| {
            let own = taken
                .iter()
                .filter(|taken| taken.number >= from && taken.between.is_none());
            framed_together(codec, own.map(|taken| taken.message.frame(codec)).collect())
        };
        // Most subscribers are up to date; a new one starts in between.
        let mut framed: BTreeMap<usize, PerCodec<Option<Arc<Framed>>>> = BTreeMap::new();
        let dispatches = self.subscribers.values_mut().filter_map(|subscription| {
            let (from, codec) = (
                subscription.from.max(first),
                subscription.subscriber.codec(),
            );
            let framed = if subscription.sees_all(&taken, blocks) {
                let framed = framed.entry(from).or_default();
                framed.get_or_init(codec, || frame(from, codec)).clone()?
            } else {
                subscription.own_frame(&taken, from, blocks)?
            };
            Some(Dispatch {
                recipient: subscription.subscriber.clone(),
                framed: Some(framed),
            })
        });
        dispatches.collect()
    }

    /// Takes the first changes with their numbers, without those that are void.
    fn take(&mut self) -> Vec<Taken> {
        let mut real = (0..)
            .zip(&self.pending)
            .filter(|(_, pending)| !pending.is_void());
        let left = real.nth(SENT_TOGETHER).map(|(at, _)| at);
        let count = left.unwrap_or(self.pending.len());
        let numbered = (self.past..).zip(self.pending.drain(..count));
        let taken = numbered
            .filter(|(_, pending)| !pending.is_void())
            .map(|(number, pending)| {
                let message = ServerMessage::Lobby(Box::new(pending.change));
                Taken {
                    number,
                    message: Encoded::new(message),
                    between: pending.between,
                    excluded: pending.excluded,
                }
            });
        let taken = taken.collect();
        self.past += count;
        let past = self.past;
        self.last.retain(|_, number| *number >= past);
        taken
    }
}

impl Subscription {
    /// Says whether the subscriber sees all public seeks, so that it shares its frames with others.
    fn sees_all(&self, taken: &[Taken], blocks: &Blocks) -> bool {
        let identity = self.subscriber.peer().identity();
        let mut excluded = taken.iter().filter(|taken| !taken.excluded.is_empty());
        self.hidden.is_empty()
            && !blocks.concern(identity)
            && !excluded.any(|taken| is_excluded(&taken.excluded, identity))
    }

    /// Returns the frame of a subscriber that may not see all seeks.
    fn own_frame(&mut self, taken: &[Taken], from: usize, blocks: &Blocks) -> Option<Arc<Framed>> {
        let codec = self.subscriber.codec();
        let identity = self.subscriber.peer().identity();
        let mut frames = Vec::new();
        for taken in taken.iter().filter(|taken| taken.number >= from) {
            let ServerMessage::Lobby(change) = taken.message.message() else {
                continue;
            };
            let shown = match &taken.between {
                None => {
                    let excluded = &taken.excluded;
                    self.hidden.show(change, excluded, identity, blocks)
                }
                Some(pair) if pair.iter().any(|one| one == identity) => {
                    let excluded = &taken.excluded;
                    self.hidden.show_again(change, excluded, identity, blocks)
                }
                Some(_) => Shown::Nothing,
            };
            match shown {
                Shown::AsItIs => frames.push(taken.message.frame(codec)),
                Shown::Instead(change) => {
                    let removal = Encoded::new(ServerMessage::Lobby(change));
                    frames.push(removal.frame(codec));
                }
                Shown::Nothing => {}
            }
        }
        framed_together(codec, frames)
    }
}

/// Returns messages as one frame, if there are any.
fn framed_together(codec: Codec, frames: Vec<PushFrame>) -> Option<Arc<Framed>> {
    (!frames.is_empty()).then(|| Arc::new(Framed::new(codec, frames)))
}

impl Pending {
    fn new(change: LobbyChange, excluded: Vec<IdentityId>) -> Self {
        Self {
            is_new: matches!(change.change, SeekAdded | GameStarted),
            change,
            between: None,
            excluded,
        }
    }

    /// Says whether the seek or game came and went: nothing is sent.
    const fn is_void(&self) -> bool {
        self.is_new && matches!(self.change.change, SeekRemoved | GameEnded | GameRemoved)
    }

    /// Replaces this change by the next one.
    fn replace(&mut self, next: LobbyChange, excluded: Vec<IdentityId>) {
        self.change = next;
        self.excluded = excluded;
        match self.change.change {
            SeekChanged if self.is_new => self.change.change = SeekAdded,
            GameChanged if self.is_new => self.change.change = GameStarted,
            _ => {}
        }
    }
}

/// Returns the seek or game that a change is about.
fn subject(change: &LobbyChange) -> Option<Subject> {
    let seek = change.seek.as_ref().map(|seek| &seek.seek);
    let seek = seek.or(change.seek_id.as_ref());
    match (seek, &change.game) {
        (Some(seek), _) => Some(Subject::Seek(seek.clone())),
        (None, Some(game)) => Some(Subject::Game(game.game.clone())),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests;
