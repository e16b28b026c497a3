//! The composition of the server: makes its parts, gives each the services it uses, and stops them in order.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tilewire_protocol::CloseCode;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

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
use tilewire_delivery::outbound::{Presence, Registry};
use tilewire_delivery::overload::Overload;
use tilewire_delivery::shares::Slots;
use tilewire_game as game;
use tilewire_game::{Directory, LostTime, Placement, SingleNode, StillTimes, TakeUpError};
use tilewire_gateway::connection;
use tilewire_gateway::connection::{Budgets, Certificates, Connections};
use tilewire_lobby as lobby;
use tilewire_lobby::LobbyHandle;
use tilewire_results::history;
use tilewire_results::history::History;
use tilewire_store::{
    AccountStore, ChatStore, IdentityStore, Journal, LobbyStore, ModerationStore, PersonalStore,
    RelationStore, ResultStore, Stamp, Storage, StoreError, VacationStore,
};
use tilewire_wire::catalogue::{Catalogue, CatalogueError};

/// How often a stopping server checks whether all connections have ended.
const GOODBYE_POLL: Duration = Duration::from_millis(20);

/// The running server.
#[derive(Debug)]
pub struct App {
    /// All games.
    pub directory: Arc<Directory>,
    /// The lobby.
    pub lobby: LobbyHandle,
    /// Authenticates clients.
    pub accounts: Arc<Accounts>,
    /// The level of load shedding.
    pub overload: Arc<Overload>,
    services: Arc<connection::Services>,
    /// The services that the lobby and the chat start with.
    common: (lobby::Services, chat::Services),
    stop: CancellationToken,
    /// Cancelled when the server accepts no more connections, at the latest with `stop`.
    no_more: CancellationToken,
}

/// A cluster server's knowledge of its shards.
#[derive(Debug)]
pub struct InCluster {
    /// The owner of each part.
    pub placement: Arc<dyn Placement>,
    /// How long the games of each shard have been paused without an owner.
    pub still: Arc<StillTimes>,
}

/// The parts from which a server is started.
#[derive(Debug)]
pub struct Parts {
    /// All settings.
    pub config: Config,
    /// Server time.
    pub clock: ServerClock,
    /// The logs of games.
    pub journal: Arc<dyn Journal>,
    /// The stored seeks and commands of the lobby.
    pub lobby_store: Arc<dyn LobbyStore>,
    /// The stored identities.
    pub identities: Arc<dyn IdentityStore>,
    /// The stored accounts.
    pub people: Arc<dyn AccountStore>,
    /// The stored follows and blocks of players.
    pub relations: Arc<dyn RelationStore>,
    /// The lines of chat rooms.
    pub chat: Arc<dyn ChatStore>,
    /// Reports, restrictions and the audit, as they are stored.
    pub moderation: Arc<dyn ModerationStore>,
    /// Everything about one player, for exports and erasures.
    pub personal: Arc<dyn PersonalStore>,
    /// Vacations of players.
    pub vacations: Arc<dyn VacationStore>,
    /// The ratings of players.
    pub ratings: Arc<dyn Ratings>,
    /// Results and ratings.
    pub results: Arc<dyn ResultStore>,
    /// Codes and mailboxes; `None`: the server sends no letters.
    pub letters: Option<Letters>,
    /// Devices; `None`: the server sends no pushes.
    pub pushes: Option<Pushes>,
    /// Signs and checks tokens.
    pub tokens: Tokens,
    /// Makes ids and secrets.
    pub ids: Ids,
    /// The authenticated connections.
    pub registry: Arc<Registry>,
    /// The last stamp of the process before this one.
    pub last_stamp: Option<Stamp>,
    /// The runtime of clients that have not authenticated. With threads of its own, their handshakes delay no game.
    pub handshake_runtime: Handle,
    /// Where slow work is done.
    pub slow_work: SlowWork,
    /// The share of a server among several; the lobby begins later ([`App::begin_lobby`]). `None`: all games are its own.
    pub cluster: Option<InCluster>,
}

/// The reasons why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The storage cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The rule sets or lexica cannot be read.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// Unfinished games cannot go on.
    #[error(transparent)]
    Recovery(#[from] TakeUpError),
}

impl App {
    /// Loads every unfinished game that is not asleep, and starts everything but the listener.
    ///
    /// # Errors
    /// When the storage, or an operator's rule set or lexicon, cannot be read, and when the lexicon of an unfinished game
    /// is missing.
    pub async fn start(parts: Parts) -> Result<Arc<Self>, StartError> {
        let catalogue = Catalogue::load(&parts.config)?;
        Self::start_with(parts, catalogue).await
    }

    /// Starts as [`App::start`] does, with a catalogue that is already loaded.
    ///
    /// # Errors
    /// When the storage cannot be read, and when the lexicon of an unfinished game is missing.
    pub async fn start_with(parts: Parts, catalogue: Catalogue) -> Result<Arc<Self>, StartError> {
        let shared = Shared::of(&parts, catalogue);
        let results = (parts.results, &parts.ratings);
        let history = shared.history(results, &parts.people, &parts.journal);
        let is_alone = parts.cluster.is_none();
        let games = shared.games(parts.journal, parts.cluster);
        let directory = Directory::start(games, &shared.config, parts.last_stamp).await?;
        let (directory, stop) = (Arc::new(directory), CancellationToken::new());
        let blocked = Arc::new(AddressBlocks::read(&*parts.moderation).await?);
        let enforcement = shared.enforcement(parts.moderation).await?;
        let restrictions = Arc::clone(&enforcement.restrictions);
        let stored = (parts.identities, Arc::clone(&parts.people));
        let accounts = shared.accounts(stored, &restrictions, parts.tokens);
        let (registry, config) = (&shared.registry, &shared.config);
        let relations = parts.relations;
        let blocks = Arc::new(Blocks::read(&*relations).await?);
        let chat_off = Arc::new(ChatOff::read(&*parts.people).await?);
        let forbidden = (&blocks, &chat_off, &restrictions);
        let chat_services = shared.chat(parts.chat, &relations, forbidden);
        let related = (relations, Arc::clone(&blocks), chat_off, enforcement);
        let players = (parts.people, parts.personal, parts.vacations);
        let made = (parts.slow_work, parts.letters, parts.pushes);
        let people = (players, related, made);
        let (accounts, people) = accounts_of(accounts, people, registry, config);
        let seeks = (parts.lobby_store, parts.ratings, (blocks, restrictions));
        let lobby_services = shared.lobby(seeks, (&accounts, &people), &directory);
        let (lobby, chat) = (LobbyHandle::default(), ChatHandle::default());
        let services = connection::Services {
            drain: shared.drain,
            settings: shared.settings,
            blocked,
            notices: Arc::default(),
            connections: Arc::new(Connections::new(&config.limits, shared.clock.now())),
            budgets: Arc::new(Budgets::new(&config.limits, shared.clock.clone())),
            records: Slots::of_records(&config.limits),
            history: History::new(history, &config.limits),
            accounts: Arc::clone(&accounts),
            people,
            directory: Arc::clone(&directory),
            lobby: lobby.clone(),
            chat,
            handshake_runtime: parts.handshake_runtime,
            main_runtime: Handle::current(),
            relay: OnceLock::new(),
            goodbye: CancellationToken::new(),
            config: shared.config,
            clock: shared.clock,
            catalogue: shared.catalogue,
            registry: shared.registry,
        };
        look_after_games(&directory, &stop);
        let app = Self {
            directory,
            lobby,
            accounts,
            overload: shared.overload,
            services: Arc::new(services),
            common: (lobby_services, chat_services),
            no_more: stop.child_token(),
            stop,
        };
        if is_alone {
            app.begin_lobby(&TaskTracker::new(), &app.stop).await?;
        }
        Ok(Arc::new(app))
    }

    /// Starts the lobby and the chat, in tasks of `tasks` until `stop`.
    ///
    /// # Errors
    /// When the stored seeks cannot be read.
    pub async fn begin_lobby(
        &self,
        tasks: &TaskTracker,
        stop: &CancellationToken,
    ) -> Result<(), StoreError> {
        let (lobby, chat) = self.common.clone();
        self.services.chat.begin(chat, tasks, stop);
        self.lobby.begin(lobby, tasks, stop).await
    }

    /// Reads what keeps players apart or from doing something again, and forgets names: another server may have changed them.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn reread(&self, storage: &dyn Storage) -> Result<(), StoreError> {
        let (_, chat) = &self.common;
        self.accounts.forget_names();
        self.services.drain.reread(storage).await?;
        chat.blocks.reread(storage).await?;
        chat.chat_off.reread(storage).await?;
        chat.restrictions.reread(storage).await
    }

    /// Returns the services that connections use.
    #[must_use]
    pub fn connection_services(&self) -> Arc<connection::Services> {
        Arc::clone(&self.services)
    }

    /// Accepts connections until [`App::accept_no_more`] or [`App::shutdown`], over TLS if there are certificates.
    pub async fn serve(
        self: Arc<Self>,
        listener: TcpListener,
        certificates: Option<Arc<Certificates>>,
    ) {
        let (services, no_more) = (self.connection_services(), self.no_more.clone());
        let accepting = connection::accept(services, listener, certificates, no_more);
        let accepting = self.services.handshake_runtime.spawn(accepting);
        if accepting.await.is_err_and(|error| error.is_panic()) {
            tracing::error!("the task that accepts connections panicked; no client can connect");
        }
    }

    /// Closes all connections with advice on when to come back, perhaps to another server.
    pub fn send_away(&self) {
        let advice = self.services.advice();
        // Clients of other servers stay there, and go on with the next owner of their games.
        let peers = self.services.registry.all();
        for peer in peers.iter().filter(|peer| peer.is_here()) {
            peer.close(CloseCode::Restarting, &advice);
        }
    }

    /// Accepts no more connections; those that are open stay.
    pub fn accept_no_more(&self) {
        self.no_more.cancel();
    }

    /// Stops in order: accepts no more connections, lets every game finish what it is writing, and closes all connections
    /// with advice on when to come back. Returns whether all of this was done within `timing.shutdown_ms`.
    pub async fn shutdown(&self) -> bool {
        self.stop.cancel();
        let services = &self.services;
        let within = services.config.timing.shutdown_ms.to_duration();
        let all = async {
            self.directory.shutdown().await;
            services.goodbye.cancel();
            while services.connections.sockets() > 0 {
                tokio::time::sleep(GOODBYE_POLL).await;
            }
        };
        tokio::time::timeout(within, all).await.is_ok()
    }
}

/// The stored follows and blocks, the blocks and the players without chat in memory, and the restrictions.
type Related = (
    Arc<dyn RelationStore>,
    Arc<Blocks>,
    Arc<ChatOff>,
    Enforcement,
);
/// The accounts, everything about one player, and vacations, as they are stored.
type Players = (
    Arc<dyn AccountStore>,
    Arc<dyn PersonalStore>,
    Arc<dyn VacationStore>,
);
/// Where passwords are hashed; what accounts need for letters and for pushes.
type Made = (SlowWork, Option<Letters>, Option<Pushes>);
/// Blocks and restrictions, in memory.
type Forbidden = (Arc<Blocks>, Arc<Restrictions>);

/// Returns the identities and the accounts of players.
fn accounts_of(
    parts: AccountParts,
    ((store, personal, vacations), relations, made): (Players, Related, Made),
    registry: &Arc<Registry>,
    config: &Config,
) -> (Arc<Accounts>, Arc<People>) {
    let (relations, blocks, chat_off, enforcement) = relations;
    let (clock, ids) = (parts.clock.clone(), parts.ids.clone());
    let (slow_work, letters, pushes) = made;
    let accounts = Arc::new(Accounts::new(parts, config));
    let people = people::PeopleServices {
        clock,
        ids,
        store,
        relations,
        blocks,
        chat_off,
        enforcement,
        personal,
        vacations,
        accounts: Arc::clone(&accounts),
        registry: Arc::clone(registry),
        slow_work,
        letters,
        pushes,
    };
    (accounts, Arc::new(People::new(people, config)))
}

/// The services that several parts use.
struct Shared {
    config: Arc<Config>,
    clock: ServerClock,
    ids: Ids,
    registry: Arc<Registry>,
    overload: Arc<Overload>,
    drain: Arc<Drain>,
    settings: Arc<Settings>,
    catalogue: Catalogue,
}

impl Shared {
    fn of(parts: &Parts, catalogue: Catalogue) -> Self {
        let config = Arc::new(parts.config.clone());
        Self {
            overload: Arc::new(Overload::new(&config.overload)),
            drain: Arc::default(),
            settings: Arc::new(Settings::new(Arc::clone(&config))),
            config,
            clock: parts.clock.clone(),
            ids: parts.ids.clone(),
            registry: Arc::clone(&parts.registry),
            catalogue,
        }
    }

    /// Returns the services that accounts use.
    fn accounts(
        &self,
        (store, people): (Arc<dyn IdentityStore>, Arc<dyn AccountStore>),
        restrictions: &Arc<Restrictions>,
        tokens: Tokens,
    ) -> AccountParts {
        AccountParts {
            clock: self.clock.clone(),
            ids: self.ids.clone(),
            store,
            people,
            restrictions: Arc::clone(restrictions),
            tokens,
        }
    }

    /// Returns the services that read results and ratings.
    fn history(
        &self,
        (store, ratings): (Arc<dyn ResultStore>, &Arc<dyn Ratings>),
        accounts: &Arc<dyn AccountStore>,
        journal: &Arc<dyn Journal>,
    ) -> history::HistoryServices {
        history::HistoryServices {
            clock: self.clock.clone(),
            store,
            ratings: Arc::clone(ratings),
            accounts: Arc::clone(accounts),
            journal: Arc::clone(journal),
            catalogue: self.catalogue.clone(),
        }
    }

    /// Returns the services of games.
    fn games(&self, journal: Arc<dyn Journal>, cluster: Option<InCluster>) -> game::Services {
        let (placement, lost): (Arc<dyn Placement>, LostTime) = match cluster {
            Some(cluster) => (cluster.placement, LostTime::OfShards(cluster.still)),
            None => (Arc::new(SingleNode), LostTime::OfServer),
        };
        game::Services {
            journal,
            catalogue: self.catalogue.clone(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
            placement,
            lost,
            overload: Arc::clone(&self.overload),
            registry: Arc::clone(&self.registry),
        }
    }

    /// Reads the restrictions of players.
    async fn enforcement(
        &self,
        store: Arc<dyn ModerationStore>,
    ) -> Result<Enforcement, StoreError> {
        Ok(Enforcement {
            restrictions: Arc::new(Restrictions::read(&*store).await?),
            store,
            registry: Arc::clone(&self.registry),
        })
    }

    /// Returns the services of the chat.
    fn chat(
        &self,
        store: Arc<dyn ChatStore>,
        relations: &Arc<dyn RelationStore>,
        (blocks, chat_off, restrictions): (&Arc<Blocks>, &Arc<ChatOff>, &Arc<Restrictions>),
    ) -> chat::Services {
        chat::Services {
            config: Arc::clone(&self.config),
            clock: self.clock.clone(),
            store,
            relations: Arc::clone(relations),
            blocks: Arc::clone(blocks),
            chat_off: Arc::clone(chat_off),
            restrictions: Arc::clone(restrictions),
            registry: Arc::clone(&self.registry),
            overload: Arc::clone(&self.overload),
        }
    }

    /// Returns the services of the lobby.
    fn lobby(
        &self,
        (store, ratings, forbidden): (Arc<dyn LobbyStore>, Arc<dyn Ratings>, Forbidden),
        (accounts, people): (&Arc<Accounts>, &Arc<People>),
        directory: &Arc<Directory>,
    ) -> lobby::Services {
        let (blocks, restrictions) = forbidden;
        lobby::Services {
            config: Arc::clone(&self.config),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
            store,
            accounts: Arc::clone(accounts),
            people: Arc::clone(people),
            catalogue: self.catalogue.clone(),
            directory: Arc::clone(directory),
            presence: Arc::clone(&self.registry) as Arc<dyn Presence>,
            registry: Arc::clone(&self.registry),
            ratings,
            blocks,
            restrictions,
            drain: Arc::clone(&self.drain),
            settings: Arc::clone(&self.settings),
            overload: Arc::clone(&self.overload),
        }
    }
}

/// Starts the tasks that load games which could not be read, and games whose deadlines come, until `stop`.
fn look_after_games(directory: &Arc<Directory>, stop: &CancellationToken) {
    let (games, stopped) = (Arc::clone(directory), stop.clone());
    tokio::spawn(async move { stopped.run_until_cancelled(games.take_up_rest()).await });
    let (games, stopped) = (Arc::clone(directory), stop.clone());
    tokio::spawn(async move { stopped.run_until_cancelled(games.wake_sleepers()).await });
}
