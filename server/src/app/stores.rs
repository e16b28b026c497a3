//! Everything that a server stores, by the services that use it.

use std::sync::Arc;

use tilewire_store::{
    AccountStore, ChatStore, Journal, LobbyStore, ModerationStore, PersonalStore, RelationStore,
    ResultStore, Storage,
};

/// Everything that is stored. One storage can be all of it.
#[derive(Debug, Clone)]
pub struct Stores {
    /// The logs of games.
    pub journal: Arc<dyn Journal>,
    /// The stored seeks and commands of the lobby.
    pub lobby: Arc<dyn LobbyStore>,
    /// The stored identities, accounts and vacations.
    pub accounts: Arc<dyn AccountStore>,
    /// The stored follows and blocks of players.
    pub relations: Arc<dyn RelationStore>,
    /// The lines of chat rooms.
    pub chat: Arc<dyn ChatStore>,
    /// Reports, restrictions and the audit, as they are stored.
    pub moderation: Arc<dyn ModerationStore>,
    /// Everything about one player, for exports and erasures.
    pub personal: Arc<dyn PersonalStore>,
    /// Results and ratings.
    pub results: Arc<dyn ResultStore>,
}

impl Stores {
    /// Returns the stores of a storage.
    #[must_use]
    pub fn of(storage: &Arc<dyn Storage>) -> Self {
        Self {
            journal: Arc::clone(storage) as _,
            lobby: Arc::clone(storage) as _,
            accounts: Arc::clone(storage) as _,
            relations: Arc::clone(storage) as _,
            chat: Arc::clone(storage) as _,
            moderation: Arc::clone(storage) as _,
            personal: Arc::clone(storage) as _,
            results: Arc::clone(storage) as _,
        }
    }
}
