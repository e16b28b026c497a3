//! The services that the lobby uses.

use std::sync::Arc;

use tilewire_accounts::identity::Accounts;
use tilewire_accounts::people::{Blocks, People, Ratings};
use tilewire_accounts::restrictions::Restrictions;
use tilewire_base::clock::ServerClock;
use tilewire_base::ids::Ids;
use tilewire_config::Config;
use tilewire_control::{Drain, Settings};
use tilewire_delivery::outbound::{Presence, Registry};
use tilewire_delivery::overload::Overload;
use tilewire_game::Directory;
use tilewire_store::LobbyStore;
use tilewire_wire::catalogue::Catalogue;

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
