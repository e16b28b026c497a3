//! The running server: starts with the services that `compose` makes, and stops them in order.

mod compose;

use std::sync::Arc;
use std::time::Duration;

use tilewire_protocol::CloseCode;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::sync::mpsc::Sender;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use tilewire_accounts::identity::{Accounts, Tokens};
use tilewire_accounts::people::{Letters, Pushes, Ratings};
use tilewire_base::clock::ServerClock;
use tilewire_base::ids::Ids;
use tilewire_base::slow_work::SlowWork;
use tilewire_chat as chat;
use tilewire_config::Config;
use tilewire_control::LoadedFrom;
use tilewire_delivery::outbound::Registry;
use tilewire_delivery::overload::Overload;
use tilewire_delivery::wrong_entries::WrongEntry;
use tilewire_game::{Directory, Placement, StillTimes, TakeUpError};
use tilewire_gateway::connection;
use tilewire_gateway::connection::Certificates;
use tilewire_lobby as lobby;
use tilewire_lobby::LobbyHandle;
use tilewire_relay::RelayHandle;
use tilewire_store::{Stamp, Storage, StoreError};
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
    /// The services that the lobby starts with.
    lobby_services: lobby::Services,
    /// The services that the chat starts with.
    chat_services: chat::Services,
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
    /// The way to the relay of this server; `None`: it does not relay.
    pub relay: Option<RelayHandle>,
    /// Takes wrong passwords and codes for the other servers; `None`: these are not told.
    pub wrong_entries: Option<Sender<WrongEntry>>,
}

/// The parts from which a server is started.
#[derive(Debug)]
pub struct Parts {
    /// All settings.
    pub config: Config,
    /// The sources of the settings; `None`: the settings cannot be read again.
    pub loaded_from: Option<LoadedFrom>,
    /// Server time.
    pub clock: ServerClock,
    /// Everything that is stored.
    pub storage: Arc<dyn Storage>,
    /// The ratings of players.
    pub ratings: Arc<dyn Ratings>,
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
        let is_alone = parts.cluster.is_none();
        let made = compose::make(parts, catalogue).await?;
        let stop = CancellationToken::new();
        look_after_games(&made.connections.directory, &stop);
        let app = Self {
            directory: Arc::clone(&made.connections.directory),
            lobby: made.connections.lobby.clone(),
            accounts: Arc::clone(&made.connections.accounts),
            overload: made.overload,
            services: Arc::new(made.connections),
            lobby_services: made.lobby,
            chat_services: made.chat,
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
        let chat = self.chat_services.clone();
        self.services.chat.begin(chat, tasks, stop);
        let lobby = self.lobby_services.clone();
        self.lobby.begin(lobby, tasks, stop).await
    }

    /// Reads what keeps players apart or from doing something again, and forgets names: another server may have changed them.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn reread(&self, storage: &dyn Storage) -> Result<(), StoreError> {
        let chat = &self.chat_services;
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

/// Starts the tasks that load games which could not be read, and games whose deadlines come, until `stop`.
fn look_after_games(directory: &Arc<Directory>, stop: &CancellationToken) {
    let (games, stopped) = (Arc::clone(directory), stop.clone());
    tokio::spawn(async move { stopped.run_until_cancelled(games.take_up_rest()).await });
    let (games, stopped) = (Arc::clone(directory), stop.clone());
    tokio::spawn(async move { stopped.run_until_cancelled(games.wake_sleepers()).await });
}
