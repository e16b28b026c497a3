//! All blocks and follows, in memory: the lobby must not wait for the storage.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{
    Mutex as StdMutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
};

use tilewire_people::relations::Act;
use tokio::sync::Mutex;

use tilewire_store::{RelationChange, RelationError, RelationStore, StoreError};

/// The players whom each player blocks, or who block each player.
type Players = HashMap<String, HashSet<String>>;

/// All blocks, and the follows that have an effect.
#[derive(Debug, Default)]
pub struct Blocks {
    known: RwLock<RelationMaps>,
    /// Pairs of players between whom a block has begun or ended; the lobby takes them every second.
    changed: StdMutex<BTreeSet<(String, String)>>,
    /// Held while a relation is changed.
    changing: Mutex<()>,
}

#[derive(Debug, Default)]
struct RelationMaps {
    /// By the player who blocks.
    by: Players,
    /// By the player who is blocked.
    against: Players,
    /// The players whom each player follows. A block ends a follow (see [`tilewire_people::relations`]).
    followed: Players,
}

impl Blocks {
    /// Reads the stored blocks and follows.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn read(store: &dyn RelationStore) -> Result<Self, StoreError> {
        let blocks = Self::default();
        for (identity, other) in store.blocks().await? {
            blocks.to_change().insert(&identity, &other);
        }
        for (identity, other) in store.follows().await? {
            add(&mut blocks.to_change().followed, &identity, &other);
        }
        Ok(blocks)
    }

    /// Reads the stored blocks and follows again: another server may have changed them.
    ///
    /// # Errors
    /// When the storage does not answer; everything stays as it is.
    pub async fn reread(&self, store: &dyn RelationStore) -> Result<(), StoreError> {
        let _one_at_a_time = self.changing.lock().await;
        let fresh = Self::read(store).await?;
        let fresh = std::mem::take(&mut *fresh.to_change());
        *self.to_change() = fresh;
        Ok(())
    }

    /// Says whether one of two players blocks the other.
    #[must_use]
    pub fn are_blocked(&self, one: &str, other: &str) -> bool {
        let known = self.known();
        let has = |players: &Players| {
            let others = players.get(one);
            others.is_some_and(|others| others.contains(other))
        };
        has(&known.by) || has(&known.against)
    }

    /// Says whether a player blocks another one.
    #[must_use]
    pub fn blocks(&self, identity: &str, other: &str) -> bool {
        let known = self.known();
        let others = known.by.get(identity);
        others.is_some_and(|others| others.contains(other))
    }

    /// Says whether a player follows another one.
    #[must_use]
    pub fn follows(&self, identity: &str, other: &str) -> bool {
        let known = self.known();
        let others = known.followed.get(identity);
        others.is_some_and(|others| others.contains(other))
    }

    /// Says whether a player blocks anybody, or is blocked by anybody.
    #[must_use]
    pub fn concern(&self, identity: &str) -> bool {
        let known = self.known();
        known.by.contains_key(identity) || known.against.contains_key(identity)
    }

    /// Returns the pairs of players between whom a block has begun or ended since the last call.
    #[must_use]
    pub fn take_changed(&self) -> BTreeSet<(String, String)> {
        std::mem::take(&mut self.changed())
    }

    /// Forgets a player who is erased.
    pub(super) fn forget(&self, identity: &str) {
        let mut known = self.to_change();
        let RelationMaps {
            by,
            against,
            followed,
        } = &mut *known;
        for players in [by, against, followed] {
            players.remove(identity);
            players.retain(|_, others| {
                others.remove(identity);
                !others.is_empty()
            });
        }
    }

    /// Stores a change of a relation, and keeps the relations here like the stored ones. One change follows the other, so that
    /// both are made in the same order.
    pub(super) async fn relate(
        &self,
        store: &dyn RelationStore,
        change: RelationChange,
    ) -> Result<(), RelationError> {
        let _one_at_a_time = self.changing.lock().await;
        let (identity, other, act) = (change.identity.clone(), change.other.clone(), change.act);
        // A block takes effect now. If the storage outcome of the change is unknown, the block stays in memory until the
        // player repeats the request or the server starts again.
        let is_new = act == Act::Block && self.insert(&identity, &other);
        let stored = store.relate(change).await;
        match &stored {
            Ok(()) if act == Act::Unblock => self.remove(&identity, &other),
            Ok(()) => self.follow(act, &identity, &other),
            Err(RelationError::Refused(_)) if is_new => self.remove(&identity, &other),
            Err(_) => {}
        }
        stored
    }

    /// Adds a block; returns whether it is new.
    pub fn insert(&self, identity: &str, other: &str) -> bool {
        let is_new = self.to_change().insert(identity, other);
        self.note(identity, other);
        is_new
    }

    /// Removes a block.
    pub fn remove(&self, identity: &str, other: &str) {
        self.to_change().remove(identity, other);
        self.note(identity, other);
    }

    /// Changes the follows as a stored act does.
    fn follow(&self, act: Act, identity: &str, other: &str) {
        let is_blocked = self.blocks(other, identity);
        let followed = &mut self.to_change().followed;
        match act {
            Act::Follow if !is_blocked => {
                add(followed, identity, other);
            }
            Act::Follow | Act::Unfollow => take(followed, identity, other),
            Act::Block => {
                take(followed, identity, other);
                take(followed, other, identity);
            }
            Act::Unblock => {}
        }
    }

    fn note(&self, identity: &str, other: &str) {
        let pair = (identity.to_owned(), other.to_owned());
        self.changed().insert(pair);
    }

    fn known(&self) -> RwLockReadGuard<'_, RelationMaps> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn to_change(&self) -> RwLockWriteGuard<'_, RelationMaps> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn changed(&self) -> MutexGuard<'_, BTreeSet<(String, String)>> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RelationMaps {
    fn insert(&mut self, identity: &str, other: &str) -> bool {
        add(&mut self.against, other, identity);
        add(&mut self.by, identity, other)
    }

    fn remove(&mut self, identity: &str, other: &str) {
        take(&mut self.by, identity, other);
        take(&mut self.against, other, identity);
    }
}

/// Adds a player to those of another one; returns whether it is new.
fn add(players: &mut Players, identity: &str, other: &str) -> bool {
    let others = players.entry(identity.to_owned()).or_default();
    others.insert(other.to_owned())
}

/// Removes a player from those of another one.
fn take(players: &mut Players, identity: &str, other: &str) {
    if let Some(others) = players.get_mut(identity) {
        others.remove(other);
        if others.is_empty() {
            players.remove(identity);
        }
    }
}
