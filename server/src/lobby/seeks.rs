//! The open seeks with their indexes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tilewire_protocol::{GameId, SeekId};

use super::open_seek::OpenSeek;
use crate::address::{ClientAddress, ClientNetwork};

/// Open seeks by id, by age and by member.
#[derive(Debug, Default)]
pub(super) struct Seeks {
    by_id: BTreeMap<SeekId, OpenSeek>,
    by_age: BTreeSet<(i64, SeekId)>,
    by_member: BTreeMap<String, BTreeSet<SeekId>>,
    /// The offers of rematches, by the game that has ended.
    by_finished: BTreeMap<GameId, SeekId>,
    /// How many seeks the clients of each network have.
    by_network: HashMap<ClientNetwork, usize>,
}

impl Seeks {
    /// Inserts a seek; returns the one that it replaces.
    pub(super) fn insert(&mut self, open: OpenSeek) -> Option<OpenSeek> {
        let id = open.seek.seek.clone();
        let before = self.remove(&id);
        self.by_age.insert((open.seek.created_at, id.clone()));
        for person in &open.seek.members {
            let own = self.by_member.entry(person.identity.0.clone());
            own.or_default().insert(id.clone());
        }
        if let Some(offer) = &open.rematch {
            self.by_finished.insert(offer.of.clone(), id.clone());
        }
        for (network, _) in networks(&open) {
            *self.by_network.entry(network).or_default() += 1;
        }
        self.by_id.insert(id, open);
        before
    }

    /// Removes a seek.
    pub(super) fn remove(&mut self, id: &SeekId) -> Option<OpenSeek> {
        let open = self.by_id.remove(id)?;
        self.by_age.remove(&(open.seek.created_at, id.clone()));
        for person in &open.seek.members {
            if let Some(own) = self.by_member.get_mut(&person.identity.0) {
                own.remove(id);
                if own.is_empty() {
                    self.by_member.remove(&person.identity.0);
                }
            }
        }
        if let Some(offer) = &open.rematch {
            self.by_finished.remove(&offer.of);
        }
        for (network, _) in networks(&open) {
            if let Some(count) = self.by_network.get_mut(&network) {
                *count -= 1;
                if *count == 0 {
                    self.by_network.remove(&network);
                }
            }
        }
        Some(open)
    }

    /// Says whether a client from this address may open another seek; `most` is the limit of an address.
    pub(super) fn has_room(&self, address: Option<ClientAddress>, most: usize) -> bool {
        let mut networks = address.into_iter().flat_map(ClientAddress::networks);
        networks.all(|(network, times)| {
            let count = self.by_network.get(&network).copied().unwrap_or(0);
            count < most.saturating_mul(times)
        })
    }

    /// Returns the seek of the owner that has been absent longest.
    pub(super) fn longest_orphan(&self) -> Option<&OpenSeek> {
        let open = self.by_id.values().filter(|open| open.starting.is_none());
        open.filter(|open| open.orphaned_at.is_some())
            .min_by_key(|open| open.orphaned_at)
    }

    pub(super) fn get(&self, id: &SeekId) -> Option<&OpenSeek> {
        self.by_id.get(id)
    }

    /// Returns the offer of a rematch of a game.
    pub(super) fn rematch_of(&self, game: &GameId) -> Option<&OpenSeek> {
        self.by_id.get(self.by_finished.get(game)?)
    }

    /// Returns all seeks, the oldest first.
    pub(super) fn by_age(&self) -> impl Iterator<Item = &OpenSeek> {
        let ids = self.by_age.iter();
        ids.filter_map(|(_, id)| self.by_id.get(id))
    }

    /// Returns the seeks an identity is a member of.
    pub(super) fn of_member(&self, identity: &str) -> impl Iterator<Item = &OpenSeek> {
        let ids = self.by_member.get(identity).into_iter().flatten();
        ids.filter_map(|id| self.by_id.get(id))
    }

    /// Returns all seeks in no particular order, to note which owners are online.
    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut OpenSeek> {
        self.by_id.values_mut()
    }

    pub(super) fn len(&self) -> usize {
        self.by_age.len()
    }
}

fn networks(open: &OpenSeek) -> impl Iterator<Item = (ClientNetwork, usize)> {
    open.from.into_iter().flat_map(ClientAddress::networks)
}
