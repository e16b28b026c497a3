//! The composition of the server: makes each service in one place, and gives it the services that it uses.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::{InCluster, Parts, StartError};
use tilewire_accounts::enforcement::Enforcement;
use tilewire_accounts::identity::{AccountParts, Accounts, Tokens};
use tilewire_accounts::people;
use tilewire_accounts::people::{Blocks, ChatOff, Letters, People, Pushes, Ratings};
use tilewire_accounts::restrictions::Restrictions;
use tilewire_base::clock::ServerClock;
use tilewire_base::ids::Ids;
use tilewire_base::slow_work::SlowWork;
use tilewire_chat as chat;
use tilewire_chat::ChatHandle;
use tilewire_config::Config;
use tilewire_control::{AddressBlocks, Drain, Settings};
use tilewire_delivery::outbound::{Backlogs, Presence, Registry};
use tilewire_delivery::overload::Overload;
use tilewire_delivery::shares::Slots;
use tilewire_delivery::wrong_entries::WrongEntries;
use tilewire_game as game;
use tilewire_game::{Directory, GameNodes, LostTime, Placement, SingleNode};
use tilewire_gateway::connection;
use tilewire_gateway::connection::{Budgets, Connections};
use tilewire_lobby as lobby;
use tilewire_lobby::LobbyHandle;
use tilewire_results::history;
use tilewire_results::history::History;
use tilewire_store::{Storage, StoreError};
use tilewire_wire::catalogue::Catalogue;

/// The services of a server.
pub(super) struct Made {
    pub(super) connections: connection::Services,
    pub(super) lobby: lobby::Services,
    pub(super) chat: chat::Services,
    pub(super) overload: Arc<Overload>,
}

/// Makes the services of a server, in the order in which they use each other, and loads every unfinished game that is not asleep.
///
/// # Errors
/// When the storage cannot be read, and when the lexicon of an unfinished game is missing.
pub(super) async fn make(parts: Parts, catalogue: Catalogue) -> Result<Made, StartError> {
    let config = Arc::new(parts.config);
    let common = Common {
        clock: parts.clock,
        ids: parts.ids,
        registry: parts.registry,
        storage: parts.storage,
        ratings: parts.ratings,
        catalogue,
        overload: Arc::new(Overload::new(&config.overload)),
        drain: Arc::default(),
        settings: Arc::new(Settings::new(Arc::clone(&config), parts.loaded_from)),
        config,
    };
    let config = &common.config;
    let relay = parts.cluster.as_ref().and_then(|own| own.relay.clone());
    let wrong_entries = parts.cluster.as_ref();
    let wrong_entries = wrong_entries.and_then(|own| own.wrong_entries.clone());
    let games = common.games(parts.cluster);
    let directory = Arc::new(Directory::start(games, config, parts.last_stamp).await?);
    let barred = Barred::read(&*common.storage).await?;
    let accounts = common.accounts(&barred, parts.tokens);
    let clock = common.clock.clone();
    let means = Means {
        slow_work: parts.slow_work,
        letters: parts.letters,
        pushes: parts.pushes,
        wrong_entries: Arc::new(WrongEntries::new(config, clock, wrong_entries)),
    };
    let people = common.people(&barred, &accounts, means);
    let connections = connection::Services {
        config: Arc::clone(config),
        settings: Arc::clone(&common.settings),
        clock: common.clock.clone(),
        accounts: Arc::clone(&accounts),
        people: Arc::clone(&people),
        history: common.history(),
        catalogue: common.catalogue.clone(),
        directory: Arc::clone(&directory),
        lobby: LobbyHandle::default(),
        chat: ChatHandle::default(),
        registry: Arc::clone(&common.registry),
        drain: Arc::clone(&common.drain),
        blocked: Arc::clone(&barred.addresses),
        notices: Arc::default(),
        connections: Arc::new(Connections::new(&config.limits, common.clock.now())),
        budgets: Arc::new(Budgets::new(&config.limits, common.clock.clone())),
        backlogs: Arc::new(Backlogs::new(&config.limits)),
        records: Slots::of_records(&config.limits),
        handshake_runtime: parts.handshake_runtime,
        main_runtime: Handle::current(),
        relay,
        goodbye: CancellationToken::new(),
    };
    Ok(Made {
        connections,
        lobby: common.lobby(&barred, accounts, people, directory),
        chat: common.chat(&barred),
        overload: common.overload,
    })
}

/// The services that most others use.
struct Common {
    config: Arc<Config>,
    clock: ServerClock,
    ids: Ids,
    registry: Arc<Registry>,
    storage: Arc<dyn Storage>,
    ratings: Arc<dyn Ratings>,
    catalogue: Catalogue,
    overload: Arc<Overload>,
    drain: Arc<Drain>,
    settings: Arc<Settings>,
}

/// Everything that bars players from each other or from the server, in memory.
struct Barred {
    addresses: Arc<AddressBlocks>,
    restrictions: Arc<Restrictions>,
    blocks: Arc<Blocks>,
    chat_off: Arc<ChatOff>,
}

impl Barred {
    async fn read(storage: &dyn Storage) -> Result<Self, StoreError> {
        Ok(Self {
            addresses: Arc::new(AddressBlocks::read(storage).await?),
            restrictions: Arc::new(Restrictions::read(storage).await?),
            blocks: Arc::new(Blocks::read(storage).await?),
            chat_off: Arc::new(ChatOff::read(storage).await?),
        })
    }
}

/// The means of the accounts to hash, to reach a player elsewhere, and to count wrong passwords.
struct Means {
    slow_work: SlowWork,
    letters: Option<Letters>,
    pushes: Option<Pushes>,
    wrong_entries: Arc<WrongEntries>,
}

impl Common {
    /// Returns the services of games.
    fn games(&self, cluster: Option<InCluster>) -> game::Services {
        let (placement, lost, others): (Arc<dyn Placement>, LostTime, Option<Arc<dyn GameNodes>>) =
            match cluster {
                Some(own) => (
                    own.placement,
                    LostTime::OfShards(own.still),
                    own.relay.map(|relay| Arc::new(relay) as Arc<dyn GameNodes>),
                ),
                None => (Arc::new(SingleNode), LostTime::OfServer, None),
            };
        game::Services {
            journal: Arc::clone(&self.storage) as _,
            catalogue: self.catalogue.clone(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
            placement,
            lost,
            others,
            overload: Arc::clone(&self.overload),
            registry: Arc::clone(&self.registry),
        }
    }

    /// Makes the service that authenticates clients.
    fn accounts(&self, barred: &Barred, tokens: Tokens) -> Arc<Accounts> {
        let parts = AccountParts {
            clock: self.clock.clone(),
            ids: self.ids.clone(),
            store: Arc::clone(&self.storage) as _,
            restrictions: Arc::clone(&barred.restrictions),
            tokens,
        };
        Arc::new(Accounts::new(parts, &self.config))
    }

    /// Makes the accounts of players.
    fn people(&self, barred: &Barred, accounts: &Arc<Accounts>, means: Means) -> Arc<People> {
        let parts = people::PeopleServices {
            clock: self.clock.clone(),
            ids: self.ids.clone(),
            store: Arc::clone(&self.storage) as _,
            relations: Arc::clone(&self.storage) as _,
            blocks: Arc::clone(&barred.blocks),
            chat_off: Arc::clone(&barred.chat_off),
            enforcement: Enforcement {
                restrictions: Arc::clone(&barred.restrictions),
                store: Arc::clone(&self.storage) as _,
                registry: Arc::clone(&self.registry),
            },
            personal: Arc::clone(&self.storage) as _,
            accounts: Arc::clone(accounts),
            registry: Arc::clone(&self.registry),
            slow_work: means.slow_work,
            letters: means.letters,
            pushes: means.pushes,
            wrong_entries: means.wrong_entries,
        };
        Arc::new(People::new(parts, &self.config))
    }

    /// Makes the service that reads results and ratings.
    fn history(&self) -> History {
        let parts = history::HistoryServices {
            clock: self.clock.clone(),
            store: Arc::clone(&self.storage) as _,
            ratings: Arc::clone(&self.ratings),
            accounts: Arc::clone(&self.storage) as _,
            journal: Arc::clone(&self.storage) as _,
            catalogue: self.catalogue.clone(),
        };
        History::new(parts, &self.config.limits, &self.config.timing)
    }

    /// Returns the services of the chat.
    fn chat(&self, barred: &Barred) -> chat::Services {
        chat::Services {
            config: Arc::clone(&self.config),
            clock: self.clock.clone(),
            store: Arc::clone(&self.storage) as _,
            relations: Arc::clone(&self.storage) as _,
            blocks: Arc::clone(&barred.blocks),
            chat_off: Arc::clone(&barred.chat_off),
            restrictions: Arc::clone(&barred.restrictions),
            registry: Arc::clone(&self.registry),
            overload: Arc::clone(&self.overload),
        }
    }

    /// Returns the services of the lobby.
    fn lobby(
        &self,
        barred: &Barred,
        accounts: Arc<Accounts>,
        people: Arc<People>,
        directory: Arc<Directory>,
    ) -> lobby::Services {
        lobby::Services {
            config: Arc::clone(&self.config),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
            store: Arc::clone(&self.storage) as _,
            accounts,
            people,
            catalogue: self.catalogue.clone(),
            directory,
            presence: Arc::clone(&self.registry) as Arc<dyn Presence>,
            registry: Arc::clone(&self.registry),
            ratings: Arc::clone(&self.ratings),
            blocks: Arc::clone(&barred.blocks),
            restrictions: Arc::clone(&barred.restrictions),
            drain: Arc::clone(&self.drain),
            settings: Arc::clone(&self.settings),
            overload: Arc::clone(&self.overload),
        }
    }
}
