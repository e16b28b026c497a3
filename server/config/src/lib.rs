//! The settings of the server, with their defaults and ranges, read from flags, environment variables and a file.
//!
//! Invariant: it knows no part of the server that uses a setting.
//!
//! Flags go before environment variables (`TILEWIRE_` and the key, with `__` for each dot), these before the
//! configuration file, and that before the defaults. Unknown keys and values out of range are errors that name their
//! source; [`load()`] returns all of them.

pub mod ip_network;
pub mod nats;
#[macro_use]
mod section;
mod admin;
mod backup;
mod check;
mod check_mail;
mod check_push;
mod check_webhooks;
mod cluster;
mod database_url;
mod errors;
mod file;
pub mod load;
mod mail;
mod network;
mod push;
pub mod reload;
mod sections;
mod show;
mod site;
mod tables;
pub mod target;
#[cfg(test)]
mod tests;
mod webhooks;

use std::net::SocketAddr;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tilewire_people::pools::Pool;

pub use crate::ip_network::{Network, NoNetwork};
pub use admin::AdminConfig;
pub use backup::BackupConfig;
pub use cluster::ClusterConfig;
pub use database_url::DatabaseUrl;
pub use errors::{ConfigError, ConfigErrors, Origin};
pub use load::{Looked, Sources, load, look};
pub use mail::{MailConfig, MailSecurity};
pub use network::{AllowedOrigin, HttpConfig, List, NoOrigin, ProxyHeader, TlsConfig, WebOrigin};
pub use push::PushConfig;
pub use reload::{RELOADABLE, all_keys};
pub use section::Key;
pub use sections::{
    ChatConfig, GameTiming, IdentityConfig, Limits, OverloadConfig, Retention, StorageConfig,
    Timing,
};
pub use site::{PageOrigin, SiteConfig};
pub use webhooks::{NoWebhookEvent, WebhookEvent, WebhookPlayers, WebhookTarget, WebhooksConfig};

/// All settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Address and port for players.
    pub listen: SocketAddr,
    /// Address and port for health, metrics and notices.
    pub admin_listen: SocketAddr,
    /// The data directory.
    pub data_dir: PathBuf,
    /// Access to the admin listener.
    pub admin: AdminConfig,
    /// The certificate of the players' listener.
    pub tls: TlsConfig,
    /// The origins and proxies that the players' listener trusts.
    pub http: HttpConfig,
    /// The log: what is logged, and in which format.
    pub log: LogConfig,
    /// Limits.
    pub limits: Limits,
    /// Times.
    pub timing: Timing,
    /// The operator's part of every game's options.
    pub game: GameTiming,
    /// Retention.
    pub retention: Retention,
    /// Storage.
    pub storage: StorageConfig,
    /// Several servers on one database.
    pub cluster: ClusterConfig,
    /// Backups that the server makes by itself.
    pub backup: BackupConfig,
    /// Load shedding.
    pub overload: OverloadConfig,
    /// Chat.
    pub chat: ChatConfig,
    /// Letters to players.
    pub mail: MailConfig,
    /// Events for other programs.
    pub webhooks: WebhooksConfig,
    /// Pushes to browsers.
    pub push: PushConfig,
    /// Tokens.
    pub identity: IdentityConfig,
    /// The embedding site, if there is one.
    pub site: SiteConfig,
    /// Ratings.
    pub ratings: RatingsConfig,
    /// Lexica.
    pub lexica: LexicaConfig,
    /// Damaged data.
    pub recovery: RecoveryConfig,
}

/// The log: what is logged, and in which format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogConfig {
    /// The format of entries.
    pub format: LogFormat,
    /// A level, or directives such as `info,tilewire_game=debug`.
    pub filter: String,
    /// The URL of an OpenTelemetry collector that takes traces; empty: no traces are made.
    pub traces: String,
}

/// Ratings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingsConfig {
    /// The pools in which a win by more points counts more.
    pub spread_pools: List<Pool>,
}

/// Lexica.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LexicaConfig {
    /// Handling of unfinished games whose lexicon is missing or has changed.
    pub missing: MissingLexicon,
}

/// Handling of unfinished games whose lexicon is missing or has changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingLexicon {
    /// The server does not start, so that no clock runs while the operator puts the file back.
    #[default]
    Refuse,
    /// The server leaves these games alone and runs the others.
    Leave,
}

/// Damaged data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecoveryConfig {
    /// Handling of unfinished games whose log is damaged.
    pub damaged: DamagedGames,
    /// Handling of a machine clock that is far from the time at which a server last ran.
    pub clock: MachineClock,
}

/// Handling of a machine clock that is far from the time at which a server last ran.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MachineClock {
    /// The server does not start, and shows both times.
    #[default]
    Check,
    /// The server takes the machine's clock.
    Accept,
}

/// Handling of unfinished games whose log is damaged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum DamagedGames {
    /// The server does not start, and names the games.
    #[default]
    Refuse,
    /// The server leaves these games alone and runs the others.
    Leave,
}

/// The format of log entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// A line of text.
    Text,
    /// A JSON object.
    Json,
}

impl Default for LogConfig {
    fn default() -> Self {
        Self {
            format: LogFormat::Text,
            filter: "info".to_owned(),
            traces: String::new(),
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 7780)),
            admin_listen: SocketAddr::from(([127, 0, 0, 1], 7781)),
            data_dir: PathBuf::from("./tilewire-data"),
            admin: AdminConfig::default(),
            tls: TlsConfig::default(),
            http: HttpConfig::default(),
            log: LogConfig::default(),
            limits: Limits::default(),
            timing: Timing::default(),
            game: GameTiming::default(),
            retention: Retention::default(),
            storage: StorageConfig::default(),
            cluster: ClusterConfig::default(),
            backup: BackupConfig::default(),
            overload: OverloadConfig::default(),
            chat: ChatConfig::default(),
            mail: MailConfig::default(),
            webhooks: WebhooksConfig::default(),
            push: PushConfig::default(),
            identity: IdentityConfig::default(),
            site: SiteConfig::default(),
            ratings: RatingsConfig::default(),
            lexica: LexicaConfig::default(),
            recovery: RecoveryConfig::default(),
        }
    }
}

impl Config {
    /// Returns every key whose value is a number with its range and meaning, in the order of `config print`.
    #[must_use]
    pub fn number_keys() -> Vec<(&'static str, &'static [Key])> {
        vec![
            ("limits", Limits::KEYS),
            ("timing", Timing::KEYS),
            ("game", GameTiming::KEYS),
            ("retention", Retention::KEYS),
            ("storage", StorageConfig::KEYS),
            ("cluster", ClusterConfig::KEYS),
            ("backup", BackupConfig::KEYS),
            ("overload", OverloadConfig::KEYS),
            ("chat", ChatConfig::KEYS),
            ("mail", MailConfig::KEYS),
            ("webhooks", WebhooksConfig::KEYS),
            ("push", PushConfig::KEYS),
            ("identity", IdentityConfig::KEYS),
        ]
    }
}
