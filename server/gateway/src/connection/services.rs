//! The services that connections use.

use std::sync::Arc;

use tilewire_protocol::{
    Bytes, Hello, HelloLimits, LexiconInfo, PROTOCOL_VERSION, RuleSetName, limits,
};
use tilewire_rules::bot::BotLevel;
use tilewire_rules::lexicon::Lexicon;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::tile_sets::language_tag;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::admission::Connections;
use super::meter::{Budgets, Meter};
use tilewire_accounts::identity::Accounts;
use tilewire_accounts::people::People;
use tilewire_api as api;
use tilewire_base::address::ClientAddress;
use tilewire_base::clock::ServerClock;
use tilewire_chat as chat;
use tilewire_chat::ChatHandle;
use tilewire_config::Config;
use tilewire_control::{AddressBlocks, Drain, Schedule, Settings};
use tilewire_delivery::outbound::{Backlogs, Registry};
use tilewire_delivery::shares::Slots;
use tilewire_game::Directory;
use tilewire_lobby::LobbyHandle;
use tilewire_relay::{Exchange, RelayHandle};
use tilewire_results::history::History;
use tilewire_wire::catalogue::Catalogue;

/// The services that connections use.
#[derive(Debug)]
pub struct Services {
    /// All settings.
    pub config: Arc<Config>,
    /// The settings that hold now.
    pub settings: Arc<Settings>,
    /// Server time.
    pub clock: ServerClock,
    /// Authenticates clients.
    pub accounts: Arc<Accounts>,
    /// The accounts of players.
    pub people: Arc<People>,
    /// Reads results and ratings.
    pub history: History,
    /// The rule sets and lexica.
    pub catalogue: Catalogue,
    /// All games.
    pub directory: Arc<Directory>,
    /// The lobby.
    pub lobby: LobbyHandle,
    /// The chat.
    pub chat: ChatHandle,
    /// The authenticated connections.
    pub registry: Arc<Registry>,
    /// Whether games may begin.
    pub drain: Arc<Drain>,
    /// The blocked address ranges.
    pub blocked: Arc<AddressBlocks>,
    /// The notices that are sent later.
    pub notices: Arc<Schedule>,
    /// The number of connections, and its limits.
    pub connections: Arc<Connections>,
    /// The budgets for what arrives.
    pub budgets: Arc<Budgets>,
    /// The bytes that wait for clients that do not read.
    pub backlogs: Arc<Backlogs>,
    /// One place for each record that may be read at the same time.
    pub records: Slots,
    /// The runtime of clients that have not authenticated.
    pub handshake_runtime: Handle,
    /// The runtime of games and authenticated clients.
    pub main_runtime: Handle,
    /// The way to the relay, for a server among several that relay. The relay is there before the first connection.
    pub relay: Option<RelayHandle>,
    /// Cancelled when every game has finished writing: connections end then.
    pub goodbye: CancellationToken,
}

impl Services {
    /// Waits until connections are to end, and returns the advice for their close frames.
    pub(super) async fn goodbye(&self) -> String {
        self.goodbye.cancelled().await;
        self.advice()
    }

    /// Returns the advice for the close frames of connections that the server ends: when to come back.
    pub fn advice(&self) -> String {
        format!("retry_after_ms={}", self.config.timing.reconnect_after_ms)
    }

    /// Returns the relay, for a server among several that relay.
    #[must_use]
    pub fn exchange(&self) -> Option<Arc<Exchange>> {
        self.relay.as_ref()?.get()
    }

    /// Returns the service that answers players over HTTP; `relay` is the way to the other servers.
    pub(super) fn for_players<'a>(&'a self, relay: Option<&'a Exchange>) -> api::Services<'a> {
        api::Services {
            people: &self.people,
            history: &self.history,
            directory: &self.directory,
            relay,
        }
    }

    /// Returns the service that answers admins over HTTP; `relay` is the way to the other servers.
    pub(crate) fn for_admins<'a>(&'a self, relay: Option<&'a Exchange>) -> api::AdminServices<'a> {
        api::AdminServices {
            people: &self.people,
            directory: &self.directory,
            registry: &self.registry,
            drain: &self.drain,
            blocked: &self.blocked,
            notices: &self.notices,
            settings: &self.settings,
            relay,
        }
    }

    /// Returns the meter of a new connection, which gets its number with it.
    pub(super) fn meter(&self, address: Option<ClientAddress>) -> Arc<Meter> {
        Arc::new(self.budgets.meter(self.registry.next_id(), address))
    }

    /// Returns the first message of every connection.
    pub(super) fn hello(&self) -> Hello {
        let now = self.settings.now();
        let (bounds, timing) = (&now.limits, &now.timing);
        let lexicon = |lexicon: &Arc<dyn Lexicon>| LexiconInfo {
            name: lexicon.name().to_owned(),
            hash: Bytes(lexicon.hash().to_vec()),
            words: lexicon.words(),
            language: Some(lexicon.language().to_owned()),
            language_tag: language_tag(lexicon.language()).map(str::to_owned),
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
            server_time: self.clock.now().0,
            heartbeat_ms: timing.heartbeat_ms.0,
            auth_within_ms: timing.auth_within_ms.0,
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
            chat: chat::kinds(&self.config),
        }
    }
}

fn saturated(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
