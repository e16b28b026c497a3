//! The services that the lobby uses.

use std::sync::Arc;

use crate::catalogue::Catalogue;
use crate::clock::ServerClock;
use crate::config::Config;
use crate::game::Directory;
use crate::identity::Accounts;
use crate::ids::Ids;
use crate::operated::{Drain, Settings};
use crate::outbound::{Presence, Registry};
use crate::overload::Overload;
use crate::people::{Blocks, People, Ratings};
use crate::restrictions::Restrictions;
use crate::storage::LobbyStore;

/// The services that the lobby uses.
#[derive(Debug, Clone)]
pub struct Services {
    /// All settings.
    pub config: Arc<Config>,
    /// The settings that hold now.
    pub settings: Arc<Settings>,
    /// Server time.
    pub clock: ServerClock,
    /// Makes ids and codes.
    pub ids: Ids,
    /// The stored seeks and commands.
    pub store: Arc<dyn LobbyStore>,
    /// Knows the names of identities.
    pub accounts: Arc<Accounts>,
    /// The accounts of players.
    pub people: Arc<People>,
    /// The rule sets and lexica.
    pub catalogue: Catalogue,
    /// All games.
    pub directory: Arc<Directory>,
    /// The source of the set of connected identities.
    pub presence: Arc<dyn Presence>,
    /// The authenticated connections.
    pub registry: Arc<Registry>,
    /// The ratings of players.
    pub ratings: Arc<dyn Ratings>,
    /// All blocks between players.
    pub blocks: Arc<Blocks>,
    /// The players that may not play rated or public games.
    pub restrictions: Arc<Restrictions>,
    /// Whether games may begin.
    pub drain: Arc<Drain>,
    /// The level of load shedding.
    pub overload: Arc<Overload>,
}
