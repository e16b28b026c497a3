//! The open seeks with their indexes.

use std::collections::hash_map::{Entry, OccupiedEntry};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use tilewire_protocol::{GameId, SeekId};
use tilewire_rules::options::GameOptions;
use tilewire_rules::time::Timestamp;

use super::open_seek::OpenSeek;
use tilewire_base::address::{ClientAddress, ClientNetwork};

/// Open seeks by id, by age and by member.
#[derive(Debug, Default)]
pub(super) struct Seeks {
    by_id: BTreeMap<SeekId, OpenSeek>,
    by_age: BTreeSet<(i64, SeekId)>,
    by_member: BTreeMap<String, BTreeSet<SeekId>>,
    /// The offers of rematches, by the game that has ended.
    by_finished: BTreeMap<GameId, SeekId>,
    /// The public seeks that are open, by a digest of their options and by age.
    by_options: HashMap<u64, BTreeSet<(i64, SeekId)>>,
    /// The open seeks whose rating range widens.
    ranged: BTreeSet<SeekId>,
    /// How many open seeks do not exist for each identity.
    excluding: HashMap<String, usize>,
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
        if is_matchable(&open) {
            let equal = self.by_options.entry(digest(&open.options)).or_default();
            equal.insert((open.seek.created_at, id.clone()));
        }
        if is_ranged(&open) {
            self.ranged.insert(id.clone());
        }
        for excluded in &open.excluded {
            *self.excluding.entry(excluded.identity.clone()).or_default() += 1;
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
        if is_matchable(&open) {
            let digest = digest(&open.options);
            if let Some(equal) = self.by_options.get_mut(&digest) {
                equal.remove(&(open.seek.created_at, id.clone()));
                if equal.is_empty() {
                    self.by_options.remove(&digest);
                }
            }
        }
        self.ranged.remove(id);
        for excluded in &open.excluded {
            if let Entry::Occupied(count) = self.excluding.entry(excluded.identity.clone()) {
                count_down(count);
            }
        }
        for (network, _) in networks(&open) {
            if let Entry::Occupied(count) = self.by_network.entry(network) {
                count_down(count);
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

    /// Returns the open public seeks with equal options, the oldest first.
    pub(super) fn equal_to<'a>(
        &'a self,
        options: &'a GameOptions,
    ) -> impl Iterator<Item = &'a OpenSeek> {
        let ids = self.by_options.get(&digest(options)).into_iter().flatten();
        ids.filter_map(|(_, id)| self.by_id.get(id))
            .filter(|open| open.offers(options))
    }

    /// Returns when a rating range next becomes wider after a time.
    pub(super) fn widens_at(&self, after: Timestamp) -> Option<Timestamp> {
        let ranged = self.ranged.iter().filter_map(|id| self.by_id.get(id));
        ranged.filter_map(|open| open.widens_at(after)).min()
    }

    /// Says whether the owner of an open seek excludes an identity.
    pub(super) fn exclude(&self, identity: &str) -> bool {
        self.excluding.contains_key(identity)
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

/// Counts one less, and forgets a count of zero.
fn count_down<K>(mut count: OccupiedEntry<'_, K, usize>) {
    *count.get_mut() -= 1;
    if *count.get() == 0 {
        count.remove();
    }
}

/// Says whether a quick match may join others to a seek.
const fn is_matchable(open: &OpenSeek) -> bool {
    !open.seek.private && open.starting.is_none()
}

/// Says whether a seek waits with a rating range.
const fn is_ranged(open: &OpenSeek) -> bool {
    open.seek.range.is_some() && open.starting.is_none()
}

/// Returns a number that is the same for equal options.
fn digest(options: &GameOptions) -> u64 {
    let mut hasher = DefaultHasher::new();
    let text = serde_json::to_vec(options).expect("options are plain data");
    text.hash(&mut hasher);
    hasher.finish()
}

fn networks(open: &OpenSeek) -> impl Iterator<Item = (ClientNetwork, usize)> {
    open.from.into_iter().flat_map(ClientAddress::networks)
}
