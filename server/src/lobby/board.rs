//! What those who follow the lobby are yet to be told.
//!
//! News wait here until everybody has been told those before them. Of what happens to one seek or game meanwhile the last
//! is told, and of one that comes and goes meanwhile nothing: so what waits is bounded by how many seeks and games there are.
//! Whoever begins to follow has lists, and is told what comes after those.

use std::collections::BTreeMap;
use std::sync::Arc;

use tilewire_protocol::LobbyChangeKind::{
    GameEnded, GameStarted, SeekAdded, SeekChanged, SeekRemoved,
};
use tilewire_protocol::{CloseCode, GameId, LobbyChange, SeekId, ServerMessage};

use super::follower::Follower;
use crate::outbound::{Dispatch, Encoded, Framed, Peer, PeerId, PerCodec, Recipient};

/// News told at once: far fewer than an outbox has room for.
const TOLD_AT_ONCE: usize = 128;

/// Followers and news.
#[derive(Debug, Default)]
pub(super) struct Board {
    followers: BTreeMap<PeerId, Place>,
    news: Vec<News>,
    /// How many news there were before these.
    past: usize,
    /// News before this number stay as they are: somebody has begun to follow since.
    sealed: usize,
    /// The last news of each seek and game, by number.
    last: BTreeMap<Subject, usize>,
}

/// A follower, and where its news begin.
#[derive(Debug)]
struct Place {
    follower: Follower,
    from: usize,
}

/// Something that happened.
#[derive(Debug)]
struct News {
    change: LobbyChange,
    /// Whether nobody knows of its seek or game before this is told.
    is_new: bool,
}

/// What news are about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    Seek(SeekId),
    Game(GameId),
}

impl Board {
    /// Lets somebody follow from now on, or anew; says whether there is room among `most`.
    pub(super) fn follow(&mut self, peer: &Peer, most: usize) -> bool {
        self.unfollow(peer.id());
        if self.followers.len() >= most {
            return false;
        }
        let from = self.past + self.news.len();
        self.sealed = from;
        let follower = Follower::new(peer.clone());
        self.followers.insert(peer.id(), Place { follower, from });
        true
    }

    /// Lets somebody go, who is told nothing any more, whatever is on its way.
    pub(super) fn unfollow(&mut self, id: PeerId) {
        if let Some(place) = self.followers.remove(&id) {
            place.follower.end();
        }
    }

    /// Lets all of them go who do not satisfy `stays`.
    pub(super) fn retain(&mut self, stays: impl Fn(&Peer) -> bool) {
        let stays = |_: &PeerId, place: &mut Place| stays(place.follower.peer());
        self.followers.retain(stays);
    }

    /// Sends everybody away, who will ask for the lists when they are back.
    pub(super) fn dismiss(&mut self, code: CloseCode, reason: &str) {
        for place in std::mem::take(&mut self.followers).into_values() {
            place.follower.peer().close(code, reason);
        }
    }

    /// Says whether somebody follows.
    pub(super) fn has(&self, id: PeerId) -> bool {
        self.followers.contains_key(&id)
    }

    /// Takes news.
    pub(super) fn announce(&mut self, change: LobbyChange) {
        let Some(subject) = subject(&change).filter(|_| !self.followers.is_empty()) else {
            return;
        };
        if let Some(at) = self.at_hand(&subject) {
            return self.news[at].go_on(change);
        }
        let number = self.past + self.news.len();
        self.last.insert(subject, number);
        self.news.push(News::new(change));
    }

    /// Finds the news of something that can still be changed.
    fn at_hand(&self, subject: &Subject) -> Option<usize> {
        let number = *self.last.get(subject)?;
        let is_open = number >= self.past.max(self.sealed);
        let at = number.checked_sub(self.past)?;
        (is_open && !self.news.get(at)?.is_void()).then_some(at)
    }

    /// Says whether something waits to be told.
    pub(super) fn has_news(&self) -> bool {
        !self.news.is_empty()
    }

    /// Returns what is to be told to whom now; what is too much at once is left for the next time.
    pub(super) fn tellings(&mut self) -> Vec<Dispatch<Follower>> {
        let first = self.past;
        let news = self.take();
        let frame = |from: usize, codec| {
            let news = news.iter().filter(|(number, _)| *number >= from);
            let messages: Vec<_> = news.map(|(_, message)| message.frame(codec)).collect();
            (!messages.is_empty()).then(|| Arc::new(Framed::new(codec, messages)))
        };
        // Most have had all that came before; who has just come begins somewhere in between.
        let mut framed: BTreeMap<usize, PerCodec<Option<Arc<Framed>>>> = BTreeMap::new();
        let dispatches = self.followers.values().filter_map(|place| {
            let (from, codec) = (place.from.max(first), place.follower.codec());
            let framed = framed.entry(from).or_default();
            let framed = framed.get_or_init(codec, || frame(from, codec)).clone()?;
            Some(Dispatch {
                recipient: place.follower.clone(),
                framed: Some(framed),
            })
        });
        dispatches.collect()
    }

    /// Takes the first news, with their numbers; what has come to nothing does not count.
    fn take(&mut self) -> Vec<(usize, Encoded)> {
        let mut real = (0..).zip(&self.news).filter(|(_, news)| !news.is_void());
        let left = real.nth(TOLD_AT_ONCE).map(|(at, _)| at);
        let count = left.unwrap_or(self.news.len());
        let numbered = (self.past..).zip(self.news.drain(..count));
        let taken = numbered
            .filter(|(_, news)| !news.is_void())
            .map(|(number, news)| {
                let message = ServerMessage::Lobby(Box::new(news.change));
                (number, Encoded::new(message))
            });
        let taken = taken.collect();
        self.past += count;
        let past = self.past;
        self.last.retain(|_, number| *number >= past);
        taken
    }
}

impl News {
    fn new(change: LobbyChange) -> Self {
        Self {
            is_new: matches!(change.change, SeekAdded | GameStarted),
            change,
        }
    }

    /// Says whether it has come to nothing.
    const fn is_void(&self) -> bool {
        self.is_new && matches!(self.change.change, SeekRemoved | GameEnded)
    }

    /// Puts what happens next in the place of this.
    fn go_on(&mut self, next: LobbyChange) {
        self.change = next;
        if self.is_new && self.change.change == SeekChanged {
            self.change.change = SeekAdded;
        }
    }
}

/// Returns what news are about.
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
