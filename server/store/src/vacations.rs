//! The contract for vacations of players.

use std::fmt::Debug;

use futures::future::BoxFuture;
use tilewire_people::vacations::Vacations;

use super::StoreError;

/// A change of the vacations of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VacationChange {
    /// The player.
    pub identity: String,
    /// The vacations from which the change was computed.
    pub before: Vacations,
    /// The vacations after it.
    pub after: Vacations,
    /// Whether all games of the player have them.
    pub is_applied: bool,
}

/// The vacations of players.
pub trait VacationStore: Send + Sync + Debug {
    /// Returns the vacations of a player.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn vacations<'a>(&'a self, identity: &'a str) -> BoxFuture<'a, Result<Vacations, StoreError>>;

    /// Returns the vacations that some games do not have yet, of at most `most` players.
    ///
    /// # Errors
    /// When the storage does not answer.
    fn to_apply(&self, most: usize) -> BoxFuture<'_, Result<Vec<(String, Vacations)>, StoreError>>;

    /// Stores a change; returns false, and stores nothing, if the vacations are no longer those before it.
    ///
    /// # Errors
    /// When the storage does not take it.
    fn change_vacations(&self, change: VacationChange) -> BoxFuture<'_, Result<bool, StoreError>>;
}
