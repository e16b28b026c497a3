//! The seeks that a subscriber does not see: it blocks a member, a member blocks it, or the owner excludes it.
//!
//! To such a player the seek does not exist. Lists that showed a seek which every request calls unknown would tell of the
//! block or the exclusion.

use std::collections::BTreeSet;

use tilewire_protocol::{IdentityId, LobbyChange, LobbyChangeKind, SeekId};

use super::announce::{change_of, removal};
use super::open_seek::is_closed;
use super::task::LobbyTask;
use tilewire_accounts::people::Blocks;

/// The public seeks that one subscriber does not see now.
#[derive(Debug, Default)]
pub(super) struct Hidden(BTreeSet<SeekId>);

/// A subscriber's view of a change.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shown {
    /// The change as it is.
    AsItIs,
    /// Another change: the seek is gone.
    Instead(Box<LobbyChange>),
    /// Nothing.
    Nothing,
}

impl Hidden {
    /// Says whether the subscriber sees all seeks.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns a subscriber's view of a change, and records the seeks that it sees afterwards.
    /// `excluded` are the identities for whom the seek does not exist.
    pub(super) fn show(
        &mut self,
        change: &LobbyChange,
        excluded: &[IdentityId],
        identity: &str,
        blocks: &Blocks,
    ) -> Shown {
        let Some(seek) = &change.seek else {
            let was_hidden = change
                .seek_id
                .as_ref()
                .is_some_and(|seek| self.0.remove(seek));
            return match was_hidden {
                true => Shown::Nothing,
                false => Shown::AsItIs,
            };
        };
        let are_blocked = |one: &str, other: &str| blocks.are_blocked(one, other);
        if !is_excluded(excluded, identity) && !is_closed(seek, identity, &are_blocked) {
            self.0.remove(&seek.seek);
            return Shown::AsItIs;
        }
        let was_seen = self.0.insert(seek.seek.clone());
        match change.change {
            LobbyChangeKind::SeekAdded => Shown::Nothing,
            _ if was_seen => Shown::Instead(Box::new(removal(&seek.seek))),
            _ => Shown::Nothing,
        }
    }

    /// Returns a subscriber's view of an unchanged seek after a block has begun or ended.
    pub(super) fn show_again(
        &mut self,
        change: &LobbyChange,
        excluded: &[IdentityId],
        identity: &str,
        blocks: &Blocks,
    ) -> Shown {
        let seek = change.seek.as_ref().map(|seek| &seek.seek);
        let was_hidden = seek.is_some_and(|seek| self.0.contains(seek));
        match self.show(change, excluded, identity, blocks) {
            Shown::AsItIs if !was_hidden => Shown::Nothing,
            shown => shown,
        }
    }
}

/// Says whether an identity is one of the excluded ones.
pub(super) fn is_excluded(excluded: &[IdentityId], identity: &str) -> bool {
    excluded.iter().any(|one| one.0 == identity)
}

impl FromIterator<SeekId> for Hidden {
    fn from_iter<T: IntoIterator<Item = SeekId>>(seeks: T) -> Self {
        Self(seeks.into_iter().collect())
    }
}

impl LobbyTask {
    /// Returns the public seeks that an identity does not see.
    pub(super) fn hidden_from(&self, identity: &str) -> Hidden {
        let blocks = &self.services.blocks;
        let seeks = self.lobby.seeks().filter(|open| {
            !open.seek.private
                && open.is_closed_to(identity, &|one, other| blocks.are_blocked(one, other))
        });
        seeks.map(|open| open.seek.seek.clone()).collect()
    }

    /// Takes seeks from subscribers that a block has come between, and gives them back after it.
    pub(super) fn tell_blocks(&self) {
        for (one, other) in self.services.blocks.take_changed() {
            let seeks = [&one, &other].into_iter();
            let seeks = seeks.flat_map(|identity| self.lobby.seeks_with(identity));
            for open in seeks.filter(|open| !open.seek.private && open.starting.is_none()) {
                let change = change_of(open, LobbyChangeKind::SeekChanged);
                let pair = [one.clone(), other.clone()];
                let excluded = open.excluded_identities();
                self.publisher.announce_between(pair, excluded, change);
            }
        }
    }
}

#[cfg(test)]
mod tests;
