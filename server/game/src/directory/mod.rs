//! The games in memory: creation, lookup, loading, and their end.

mod api;
mod chat;
mod create;
mod elsewhere;
mod enter;
mod games;
mod gates;
mod inspect;
mod lists;
mod loader;
mod lost_time;
mod rematch;
mod shards;
mod unplayable;
mod wake;

#[cfg(test)]
mod tests;

pub use api::{CreateError, FindError, NewGame, NewPlayer, TakeUpError};
pub use chat::ChatFacts;
pub(crate) use gates::{Tenancy, Word};
pub use lists::{KnownGame, Sleeping};
pub use lost_time::{LostTime, StillTimes};
pub use shards::OpenShard;
use tilewire_protocol::GameId;

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::StreamExt;
use tokio::sync::{Mutex, Semaphore, broadcast};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::actor::Shared;
use crate::bounds::GameBounds;
use crate::handle::GameHandle;
use crate::news::{GameNews, NewsChannel};
use crate::nodes::GameNodes;
use crate::placement::{Location, Placement};
use crate::reported::{Opened, Reported};
use games::Games;
use gates::Gates;
use lists::{LastLive, SleepingPublic};
use loader::Loader;
use tilewire_base::clock::ServerClock;
use tilewire_base::ids::Ids;
use tilewire_config::{Config, DamagedGames, MissingLexicon};
use tilewire_delivery::outbound::Registry;
use tilewire_delivery::overload::Overload;
use tilewire_delivery::shares::Shares;
use tilewire_store::{Journal, Stamp, StoredGame};
use tilewire_wire::catalogue::Catalogue;
use unplayable::refuse_unplayable;
use wake::WakeBounds;

/// News of games that may wait for a listener; a listener that falls behind reads the list again.
const NEWS_WAITING: usize = 1_024;
/// Locks for creating and loading games; two games that share one wait for each other.
const LOADING_LOCKS: usize = 64;
/// Games loaded at the same time when the server starts.
const LOADING_AT_ONCE: usize = 16;

/// The services that the games of a server use.
#[derive(Debug, Clone)]
pub struct Services {
    /// The logs of games.
    pub journal: Arc<dyn Journal>,
    /// The rule sets and lexica.
    pub catalogue: Catalogue,
    /// Server time.
    pub clock: ServerClock,
    /// Makes ids and secrets.
    pub ids: Ids,
    /// Decides which games run here.
    pub placement: Arc<dyn Placement>,
    /// The lost time of each shard, for a server among several.
    pub lost: LostTime,
    /// The way to the other nodes, for a node among several that relay.
    pub others: Option<Arc<dyn GameNodes>>,
    /// The level of load shedding.
    pub overload: Arc<Overload>,
    /// The authenticated connections, attached to games or not.
    pub registry: Arc<Registry>,
}

#[cfg(any(test, feature = "testing"))]
impl Services {
    /// Returns the services of a single node without load.
    #[must_use]
    pub fn of(
        journal: Arc<dyn Journal>,
        catalogue: Catalogue,
        clock: ServerClock,
        ids: Ids,
    ) -> Self {
        Self {
            journal,
            catalogue,
            clock,
            ids,
            placement: Arc::new(crate::placement::SingleNode),
            lost: LostTime::OfServer,
            others: None,
            overload: Arc::new(Overload::new(&tilewire_config::OverloadConfig::default())),
            registry: Arc::default(),
        }
    }
}

/// The games in memory, and the way to all others.
#[derive(Debug)]
pub struct Directory {
    games: Arc<Games>,
    loader: Arc<Loader>,
    ids: Ids,
    placement: Arc<dyn Placement>,
    gates: Gates,
    shared: Shared,
    running: Arc<AtomicUsize>,
    running_max: usize,
    /// The unfinished games in memory that clients of each network have opened since the server started.
    shares: Shares,
    games_per_address: usize,
    /// Ensures that concurrent lookups load a game once.
    loading: Vec<Mutex<()>>,
    hasher: BuildHasherDefault<DefaultHasher>,
    /// Unfinished games that could not be read when the server started.
    unread: Vec<GameId>,
    sleeping_public: SleepingPublic,
    live: LastLive,
    /// The games that other nodes have in memory, as these report them to the node with the lobby.
    reported: std::sync::Mutex<Reported>,
    /// The way to the other nodes, for a node among several that relay.
    others: Option<Arc<dyn GameNodes>>,
    /// Entries in one list of games.
    list_entries: usize,
    wake: WakeBounds,
}

impl Directory {
    /// Starts the directory with every unfinished game that is not asleep. Credits the outage since `last_stamp`.
    ///
    /// # Errors
    /// When the journal cannot be read, and when games lack their lexicon or are damaged, unless `lexica.missing` or
    /// `recovery.damaged` allows it.
    pub async fn start(
        services: Services,
        config: &Config,
        last_stamp: Option<Stamp>,
    ) -> Result<Self, TakeUpError> {
        let Services {
            journal,
            catalogue,
            clock,
            ids,
            placement,
            lost,
            others,
            overload,
            registry,
        } = services;
        let (games, bounds) = (Arc::<Games>::default(), GameBounds::from(config));
        let loader = Loader {
            journal: Arc::clone(&journal),
            catalogue,
            bounds,
            clock: clock.clone(),
            games: Arc::clone(&games),
        };
        let mut directory = Self {
            games,
            loader: Arc::new(loader),
            ids,
            gates: Gates::all(placement.is_alone()),
            placement,
            shared: Shared {
                journal,
                clock,
                lost,
                bounds,
                news: NewsChannel::new(NEWS_WAITING),
                stop: CancellationToken::new(),
                tasks: TaskTracker::new(),
                thinkers: Arc::new(Semaphore::new(config.limits.bots_thinking)),
                overload,
                registry,
                watched: Arc::default(),
                owing: Arc::default(),
            },
            running: Arc::default(),
            running_max: config.limits.running_games,
            shares: Shares::default(),
            games_per_address: config.limits.games_per_address,
            loading: (0..LOADING_LOCKS).map(|_| Mutex::default()).collect(),
            hasher: BuildHasherDefault::default(),
            unread: Vec::new(),
            sleeping_public: SleepingPublic::default(),
            live: LastLive::default(),
            reported: std::sync::Mutex::new(Reported::new(config.limits.running_games)),
            others,
            list_entries: config.limits.list_entries,
            wake: WakeBounds::from(config),
        };
        let (missing, damaged) = (config.lexica.missing, config.recovery.damaged);
        directory.unread = directory.recover(last_stamp, missing, damaged).await?;
        directory
            .shared
            .owing
            .fetch_add(directory.unread.len(), Ordering::SeqCst);
        Ok(directory)
    }

    /// Starts every unfinished game that is not asleep, all of them or none: a game that runs cannot be put back.
    /// Returns the games that could not be read; they get credit for the whole outage whenever they are.
    async fn recover(
        &self,
        last_stamp: Option<Stamp>,
        missing: MissingLexicon,
        damaged: DamagedGames,
    ) -> Result<Vec<GameId>, TakeUpError> {
        let stopped_at = last_stamp.map(|stamp| stamp.at);
        let awake = self.shared.journal.awake(self.placement.mine()).await?;
        let found = awake.len();
        let mut games = futures::stream::iter(awake)
            .map(|game| Arc::clone(&self.loader).load(game))
            .buffer_unordered(LOADING_AT_ONCE);
        let (mut loaded, mut unread) = (Vec::new(), Vec::new());
        while let Some((game, read)) = games.next().await {
            match read {
                Some(room) => loaded.push((game, room)),
                None => {
                    self.games.fallen.insert(game.clone(), stopped_at);
                    unread.push(game);
                }
            }
        }
        drop(games);
        refuse_unplayable(&loaded, missing, damaged)?;
        if let Some(Stamp { at, lost_ms }) = last_stamp {
            self.shared.clock.resume(at, lost_ms);
        }
        let mut recovered = 0;
        for (game, loaded) in loaded {
            match loaded {
                Ok(loaded) => {
                    let since = stopped_at.or(loaded.last_at);
                    let spawned = self.spawn(loaded, since, Opened::default(), None);
                    recovered += usize::from(spawned.is_ok());
                }
                Err(error) => {
                    self.games.quarantine(&game, &error.to_string());
                }
            }
        }
        if found > 0 {
            tracing::info!(found, recovered, "unfinished games are running again");
        }
        Ok(unread)
    }

    /// Returns where a game runs.
    #[must_use]
    pub fn place(&self, game: &GameId) -> Location {
        self.placement.place(game)
    }

    /// Returns where the lobby runs.
    #[must_use]
    pub fn lobby_place(&self) -> Location {
        self.placement.lobby()
    }

    /// Finds a game in memory or in the journal; a finished game too, until it is removed.
    ///
    /// # Errors
    /// The reason why it was not found; [`FindError::code`] is the client's error code.
    pub async fn find(&self, game: &GameId) -> Result<GameHandle, FindError> {
        if let Some(handle) = self.in_memory(game) {
            return Ok(handle);
        }
        let _one_at_a_time = self.lock(game).await;
        if let Some(handle) = self.in_memory(game) {
            return Ok(handle);
        }
        if self.shared.stop.is_cancelled() {
            return Err(FindError::Stopping);
        }
        if self.games.broken.contains(game) {
            return Err(FindError::Broken);
        }
        if self.placement.place(game) != Location::Mine {
            return Err(FindError::Elsewhere);
        }
        let stored = self.stored(game).await?;
        self.spawn_stored(stored, Opened::default(), None)
    }

    /// Starts the games that could not be read when the server started, as soon as the storage answers: their clocks
    /// and deadlines do not wait for a client.
    pub async fn take_up_rest(&self) {
        let pause = self.shared.bounds.storage_retry_max_ms.to_duration();
        for game in &self.unread {
            while self.find(game).await.err() == Some(FindError::Unavailable) {
                tokio::time::sleep(pause).await;
            }
            self.shared.owing.fetch_sub(1, Ordering::SeqCst);
        }
    }

    fn in_memory(&self, game: &GameId) -> Option<GameHandle> {
        let entry = self.games.in_memory.get(game)?;
        (!entry.handle.is_gone()).then(|| entry.handle.clone())
    }

    /// Reads the stored log of a game without loading the game.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub async fn stored(&self, game: &GameId) -> Result<StoredGame, FindError> {
        self.loader.stored(game).await
    }

    /// Returns the number of unfinished games in memory.
    #[must_use]
    pub fn running(&self) -> usize {
        self.running.load(Ordering::Relaxed)
    }

    /// Returns the news of public games from now on.
    #[must_use]
    pub fn news(&self) -> broadcast::Receiver<GameNews> {
        self.shared.news.subscribe()
    }

    /// Lets every game finish what it is writing and leave memory. The caller limits the time.
    pub async fn shutdown(&self) {
        self.shared.stop.cancel();
        self.gates.close_all(Word::Stop);
        self.shared.tasks.close();
        self.shared.tasks.wait().await;
    }

    async fn lock(&self, game: &GameId) -> tokio::sync::MutexGuard<'_, ()> {
        let at = self.hasher.hash_one(game) % (LOADING_LOCKS as u64);
        let at = usize::try_from(at).unwrap_or(0);
        self.loading[at].lock().await
    }
}
