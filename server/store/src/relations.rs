//! The contract for the follows and blocks of players.

use std::fmt::Debug;

use futures::future::BoxFuture;
use tilewire_people::relations::{Act, Refusal, Relation};
use tilewire_rules::time::Timestamp;

use super::{StoreError, StoreFuture};

/// A change of one player's relation to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelationChange {
    /// The player who acts.
    pub identity: String,
    /// The other player.
    pub other: String,
    /// The act.
    pub act: Act,
    /// When.
    pub at: Timestamp,
}

/// A player whom another one follows or blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The identity.
    pub identity: String,
    /// The handle that the player has now.
    pub handle: String,
    /// Whether a program plays.
    pub is_bot: bool,
    /// Since when.
    pub since: Timestamp,
    /// Whether both follow each other.
    pub is_friend: bool,
}

/// The players whom one player follows and blocks, each list from the first one to the last.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Relations {
    /// The players that the player follows.
    pub followed: Vec<Related>,
    /// The players that the player blocks.
    pub blocked: Vec<Related>,
}

/// Why a relation was not changed. Nothing was stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RelationError {
    /// The player may not do this.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The stored follows and blocks of players. Both players of a relation have an account.
pub trait RelationStore: Send + Sync + Debug {
    /// Returns all players whom a player follows or blocks.
    fn relations<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Relations>;

    /// Returns the relation of a player to another one.
    fn relation<'a>(&'a self, identity: &'a str, other: &'a str) -> StoreFuture<'a, Relation>;

    /// Returns all blocks as pairs: the player that blocks, and the blocked player.
    fn blocks(&self) -> StoreFuture<'_, Vec<(String, String)>>;

    /// Returns all follows that no block has ended as pairs: the player that follows, and the followed player.
    fn follows(&self) -> StoreFuture<'_, Vec<(String, String)>>;

    /// Stores what a player does, in one transaction. A block ends the follows in both directions: the follow of the other
    /// player stays in that player's list, but does not make friends until it is stored again without a block.
    ///
    /// # Errors
    /// When the player may not do this, or the storage fails.
    fn relate(&self, change: RelationChange) -> BoxFuture<'_, Result<(), RelationError>>;
}
