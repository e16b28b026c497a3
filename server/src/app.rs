//! Everything the server is made of, put together; started and stopped in order.

use std::sync::Arc;
use std::time::Duration;

use tilewire_protocol::{
    Bytes, Hello, HelloLimits, LexiconInfo, Notice, PROTOCOL_VERSION, RuleSetName, limits,
};
use tilewire_rules::bot::BotLevel;
use tilewire_rules::lexicon::Lexicon;
use tilewire_rules::ruleset::RuleSet;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::catalogue::{Catalogue, CatalogueError};
use crate::clock::ServerClock;
use crate::config::Config;
use crate::connection::{self, Certificates, Connections};
use crate::game::{Directory, TakeUpError};
use crate::identity::{GuessBounds, Guesses, KnownNames, Newcomers, Tokens};
use crate::ids::Ids;
use crate::lexica::{Lexica, LexicaError};
use crate::lobby::{self, LobbyHandle};
use crate::outbound::Registry;
use crate::overload::Overload;
use crate::storage::{IdentityStore, Journal, LobbyStore, StoreError};

/// Folder of the data directory with rule sets of the operator's own.
const RULE_SETS_FOLDER: &str = "rule-sets";
/// Folder of the data directory with the operator's lexica.
const LEXICA_FOLDER: &str = "lexica";
/// How often a stopping server looks whether everybody has gone.
const GOODBYE_POLL: Duration = Duration::from_millis(20);

/// The running server.
#[derive(Debug)]
pub struct App {
    /// All settings.
    pub config: Arc<Config>,
    /// Server time.
    pub clock: ServerClock,
    /// Open seeks as they are stored.
    pub lobby_store: Arc<dyn LobbyStore>,
    /// Who has been here.
    pub identities: Arc<dyn IdentityStore>,
    /// Signs and checks tokens.
    pub tokens: Tokens,
    /// Counts the new guests of each address.
    pub newcomers: Newcomers,
    /// Counts wrong codes.
    pub guesses: Arc<Guesses>,
    /// Where ids and secrets come from.
    pub ids: Ids,
    /// What games can be played with.
    pub catalogue: Catalogue,
    /// All games.
    pub directory: Arc<Directory>,
    /// The lobby.
    pub lobby: LobbyHandle,
    /// Who is connected.
    pub registry: Arc<Registry>,
    /// Places for those who read records of games.
    pub records: Semaphore,
    /// What is left out under load.
    pub overload: Arc<Overload>,
    /// How many connections there are.
    pub connections: Arc<Connections>,
    /// Names of people who were here lately.
    pub names: KnownNames,
    /// Where newcomers are greeted.
    pub(crate) door: Handle,
    /// Where games are played, and everybody is served who has been greeted.
    pub(crate) inside: Handle,
    stop: CancellationToken,
    /// Cancelled when every game has finished writing: now connections end.
    goodbye: CancellationToken,
}

/// What a server is started from.
#[derive(Debug)]
pub struct Parts {
    /// All settings.
    pub config: Config,
    /// Server time.
    pub clock: ServerClock,
    /// The logs of games.
    pub journal: Arc<dyn Journal>,
    /// Open seeks.
    pub lobby_store: Arc<dyn LobbyStore>,
    /// Who has been here.
    pub identities: Arc<dyn IdentityStore>,
    /// Signs and checks tokens.
    pub tokens: Tokens,
    /// Where ids and secrets come from.
    pub ids: Ids,
    /// The last moment (unix ms) the process before this one is known to have run.
    pub stopped_at: Option<i64>,
    /// The runtime that greets newcomers: one of its own keeps nobody else waiting for them, however many they are.
    pub door: Handle,
}

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// What is stored cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What games are played with cannot be read.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// What games are judged by cannot be read.
    #[error(transparent)]
    Lexica(#[from] LexicaError),
    /// Games cannot be judged any more.
    #[error(transparent)]
    Recovery(#[from] TakeUpError),
}

impl App {
    /// Loads every unfinished game that does not sleep, and starts everything but the listener.
    ///
    /// # Errors
    /// When what is stored, or an operator's rule set or lexicon, cannot be read, and when a lexicon is missing that
    /// unfinished games are played with.
    pub async fn start(parts: Parts) -> Result<Arc<Self>, StartError> {
        let catalogue = Self::catalogue(&parts.config)?;
        Self::start_with(parts, catalogue).await
    }

    /// Reads what games can be played with.
    pub(crate) fn catalogue(config: &Config) -> Result<Catalogue, StartError> {
        let folder = config.data_dir.join(RULE_SETS_FOLDER);
        let (files, limits) = (config.data_dir.join(LEXICA_FOLDER), &config.limits);
        let lexica = Lexica::builtin().with_files_of(&files, limits)?;
        let catalogue = Catalogue::new(lexica).with_rule_sets_of(&folder)?;
        catalogue.log_lexica();
        Ok(catalogue)
    }

    /// As [`App::start`], with a catalogue that is there already.
    ///
    /// # Errors
    /// When what is stored cannot be read, and when a lexicon is missing that unfinished games are played with.
    pub async fn start_with(parts: Parts, catalogue: Catalogue) -> Result<Arc<Self>, StartError> {
        let directory = Directory::start(
            parts.journal,
            catalogue.clone(),
            &parts.config,
            (parts.clock.clone(), parts.ids.clone()),
            parts.stopped_at,
        )
        .await?;
        let (lobby, mailbox) = LobbyHandle::new(parts.config.limits.lobby_mailbox);
        let records = Semaphore::new(parts.config.limits.records_read);
        let (limits, timing) = (&parts.config.limits, &parts.config.timing);
        let guess_bounds = GuessBounds {
            free: limits.wrong_codes,
            wait_ms: timing.wrong_code_wait_ms,
            wait_max_ms: timing.wrong_code_wait_max_ms,
        };
        let connections = Connections::new(limits, parts.clock.now());
        let connections = Arc::new(connections);
        let app = Arc::new(Self {
            newcomers: Newcomers::new(limits.new_guests_per_address, timing.new_guests_ms),
            guesses: Arc::new(Guesses::new(guess_bounds, parts.clock.clone())),
            config: Arc::new(parts.config),
            clock: parts.clock,
            lobby_store: parts.lobby_store,
            identities: parts.identities,
            tokens: parts.tokens,
            ids: parts.ids,
            catalogue,
            overload: Arc::clone(directory.overload()),
            directory: Arc::new(directory),
            lobby,
            registry: Arc::default(),
            connections,
            records,
            names: KnownNames::default(),
            door: parts.door,
            inside: Handle::current(),
            stop: CancellationToken::new(),
            goodbye: CancellationToken::new(),
        });
        lobby::start(Arc::clone(&app), mailbox, app.stop.clone()).await?;
        let (directory, stop) = (Arc::clone(&app.directory), app.stop.clone());
        tokio::spawn(async move { stop.run_until_cancelled(directory.take_up_rest()).await });
        let (directory, stop) = (Arc::clone(&app.directory), app.stop.clone());
        tokio::spawn(async move { stop.run_until_cancelled(directory.wake_sleepers()).await });
        Ok(app)
    }

    /// Takes players until [`App::shutdown`]; over TLS if there are certificates.
    pub async fn serve(
        self: Arc<Self>,
        listener: TcpListener,
        certificates: Option<Arc<Certificates>>,
    ) {
        let (door, stop) = (self.door.clone(), self.stop.clone());
        let accepting = door.spawn(connection::accept(self, listener, certificates, stop));
        if accepting.await.is_err_and(|error| error.is_panic()) {
            tracing::error!("nobody can connect any more: accepting has failed");
        }
    }

    /// Stops in good order: takes nobody any more, lets every game finish what it is writing, tells everybody when to
    /// come back. Returns whether all was done in time.
    pub async fn shutdown(&self) -> bool {
        self.stop.cancel();
        let within = Duration::from_millis(self.config.timing.shutdown_ms.unsigned_abs());
        let all = async {
            self.directory.shutdown().await;
            self.goodbye.cancel();
            while self.connections.sockets() > 0 {
                tokio::time::sleep(GOODBYE_POLL).await;
            }
        };
        tokio::time::timeout(within, all).await.is_ok()
    }

    /// Waits until connections are to end, and returns the advice their close frames carry.
    pub async fn goodbye(&self) -> String {
        self.goodbye.cancelled().await;
        format!("retry_after_ms={}", self.config.timing.reconnect_after_ms)
    }

    /// Tells everybody something; returns how many connections were told.
    pub fn notice(&self, notice: &Notice) -> usize {
        self.registry.notice(notice)
    }

    /// Returns the name somebody shows.
    pub async fn name_of(&self, identity: &str) -> String {
        if let Some(name) = self.names.get(identity) {
            return name;
        }
        match self.identities.find(identity).await {
            Ok(Some(row)) => self.names.insert_read(identity, row.name),
            Ok(None) | Err(_) => crate::identity::names::of_guest(identity),
        }
    }

    /// Returns what every connection is greeted with.
    #[must_use]
    pub fn hello(&self) -> Hello {
        let (bounds, timing) = (&self.config.limits, &self.config.timing);
        let lexicon = |lexicon: &Arc<dyn Lexicon>| LexiconInfo {
            name: lexicon.name().to_owned(),
            hash: Bytes(lexicon.hash().to_vec()),
            words: lexicon.words(),
            language: Some(lexicon.language().to_owned()),
        };
        let rule_set = |rules: &Arc<RuleSet>| RuleSetName {
            id: rules.id.clone(),
            name: rules.name.clone(),
            summary: Some(rules.summary.clone()),
            languages: Some(rules.languages().map(str::to_owned).collect()),
        };
        Hello {
            protocol: PROTOCOL_VERSION,
            server: concat!("tilewire ", env!("CARGO_PKG_VERSION")).to_owned(),
            server_time: self.clock.now(),
            heartbeat_ms: timing.heartbeat_ms,
            auth_within_ms: timing.auth_within_ms,
            limits: HelloLimits {
                client_frame_bytes: saturated(limits::CLIENT_FRAME_MAX_BYTES),
                requests_in_flight: saturated(bounds.requests_in_flight),
                attached_games: saturated(bounds.attached_games),
                messages_per_second: bounds.messages_per_second,
                message_burst: bounds.message_burst,
                open_seeks: saturated(bounds.open_seeks),
            },
            lexica: self.catalogue.lexica.all().map(lexicon).collect(),
            rule_sets: self.catalogue.rule_sets().iter().map(rule_set).collect(),
            bots: BotLevel::ALL
                .iter()
                .map(|level| level.name().to_owned())
                .collect(),
        }
    }
}

fn saturated(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
