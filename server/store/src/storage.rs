//! The storage as a whole: all contracts together, with what only the process of a server needs: credentials, liveness, removal of
//! old data, health.

use std::ops::AddAssign;

use futures::future::BoxFuture;
use tilewire_rules::time::{Millis, Timestamp};

use super::{
    AccountStore, ChatStore, Credentials, Journal, LobbyStore, ModerationStore, OutboxStore,
    PersonalStore, RelationStore, ResultStore, StoreFuture,
};
use tilewire_base::queue_level::QueueLevel;
use tilewire_config::Retention;

/// A moment at which a server is known to have run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// The moment.
    pub at: Timestamp,
    /// The lost time until then: all outages and stalls together, over all servers that used the storage.
    pub lost_ms: Millis,
}

/// The server's time as it is stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Liveness {
    /// The last time at which a server is known to have run.
    pub stamp: Option<Stamp>,
    /// The last time to which the machine's clock jumped: between two starts, or with the operator's consent.
    pub jumped_at: Option<Timestamp>,
}

/// How much was removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Removed {
    /// Games removed after `retention.finished_games_days`.
    pub finished_games: usize,
    /// Aborted and cancelled games removed after `retention.aborted_games_days`.
    pub void_games: usize,
    /// Guests.
    pub idle_guests: usize,
}

impl Removed {
    /// Returns the number of all games.
    #[must_use]
    pub const fn games(self) -> usize {
        self.finished_games.saturating_add(self.void_games)
    }
}

impl AddAssign for Removed {
    fn add_assign(&mut self, other: Self) {
        self.finished_games += other.finished_games;
        self.void_games += other.void_games;
        self.idle_guests += other.idle_guests;
    }
}

/// The sizes of a storage, bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StorageSizes {
    /// The database.
    pub database: u64,
    /// The log of changes that are not in the database yet.
    pub log: u64,
    /// The space for the server that is left on their disk.
    pub free: u64,
}

/// Everything that a server stores. The services get the parts that they need; the process has all of it.
pub trait Storage:
    Journal
    + LobbyStore
    + AccountStore
    + RelationStore
    + ChatStore
    + ModerationStore
    + ResultStore
    + OutboxStore
    + PersonalStore
{
    /// Returns all keys and revocations as of one moment. An open storage always has a key.
    ///
    /// # Errors
    /// When the storage does not answer, or there is no key.
    fn credentials(&self) -> StoreFuture<'_, Credentials>;

    /// Returns the current [`Credentials::version`]. Cheap: the server polls it.
    fn credential_changes(&self) -> StoreFuture<'_, u64>;

    /// Returns the last stamp and the last jump.
    fn liveness(&self) -> StoreFuture<'_, Liveness>;

    /// Stores that the machine's clock jumped to `at`. It replaces the last jump.
    fn jumped(&self, at: Timestamp) -> StoreFuture<'_, ()>;

    /// Stores that the server runs. It replaces the last stamp. The time after it is the outage that the next start credits to the
    /// games.
    fn stamp(&self, stamp: Stamp) -> StoreFuture<'_, ()>;

    /// Removes finished games, answered lobby commands, idle guests, lines of chat and settled reports that are too old at
    /// `now`. It works in small steps, between which other changes are written.
    ///
    /// A guest is idle who was not seen for that long and has no game: none that runs, none that is stored, none that
    /// ended with a result. Revoked guests and the users of a site are never removed.
    ///
    /// # Errors
    /// When the storage does not take a step; the steps before it are stored.
    fn prune<'a>(&'a self, now: Timestamp, retention: &'a Retention) -> StoreFuture<'a, Removed>;

    /// Returns why the last write failed; `None` if it succeeded. The storage tries again with the next write. The call waits for no
    /// change, like those below.
    fn trouble(&self) -> Option<String>;

    /// Returns how full the queue of changes is.
    fn level(&self) -> QueueLevel;

    /// Returns the sizes of the storage; it asks the file system, and an unknown size is 0.
    fn sizes(&self) -> StorageSizes;

    /// Finishes all calls in progress and closes the storage. Later calls fail as unavailable. When this returns, another
    /// server may open the storage.
    fn close(&self) -> BoxFuture<'_, ()>;
}
