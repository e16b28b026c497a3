//! The server's configuration.
//!
//! Every value has a default, a range and a source: flags win over environment variables (`TILEWIRE_` and the key, with
//! `__` for each dot), these over the configuration file, that over the defaults. Unknown keys and values out of range
//! are errors that name where they came from.

#[macro_use]
mod section;
mod check;
mod load;
mod network;
mod sections;
mod show;
mod site;
#[cfg(test)]
mod tests;

use std::net::SocketAddr;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub use load::{ConfigError, Origin, Sources, load};
pub use network::{
    AllowedOrigin, HttpConfig, List, Network, NoNetwork, NoOrigin, ProxyHeader, TlsConfig,
    WebOrigin,
};
pub use section::Key;
pub use sections::{
    GameTiming, IdentityConfig, Limits, OverloadConfig, Retention, StorageConfig, Timing,
};
pub use show::reference;
pub use site::SiteConfig;

/// Everything that can be set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Where players connect.
    pub listen: SocketAddr,
    /// Where health and metrics are served.
    pub admin_listen: SocketAddr,
    /// Where everything that outlives the process is kept.
    pub data_dir: PathBuf,
    /// The certificate of the players' listener.
    pub tls: TlsConfig,
    /// Whom the players' listener believes what.
    pub http: HttpConfig,
    /// What is logged, and how.
    pub log: LogConfig,
    /// How much of everything.
    pub limits: Limits,
    /// How long everything may take.
    pub timing: Timing,
    /// The operator's part of every game's options.
    pub game: GameTiming,
    /// How long things are kept.
    pub retention: Retention,
    /// How the storage works.
    pub storage: StorageConfig,
    /// When there is too much to do, and how the server helps itself.
    pub overload: OverloadConfig,
    /// How tokens are made.
    pub identity: IdentityConfig,
    /// The site that embeds the server, if one does.
    pub site: SiteConfig,
    /// What games are judged by.
    pub lexica: LexicaConfig,
    /// What becomes of what is found damaged.
    pub recovery: RecoveryConfig,
}

/// What is logged, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogConfig {
    /// One line of text or one JSON object for each entry.
    pub format: LogFormat,
    /// What is logged: a level, or directives such as `info,tilewire_server::game=debug`.
    pub filter: String,
}

/// What games are judged by.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LexicaConfig {
    /// What becomes of unfinished games whose lexicon is gone or another one.
    pub missing: MissingLexicon,
}

/// What becomes of unfinished games whose lexicon is gone or another one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingLexicon {
    /// The server does not start: nobody's clock runs while the operator puts the file back.
    #[default]
    Refuse,
    /// The games are left alone, the others go on.
    Leave,
}

/// What becomes of what is found damaged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecoveryConfig {
    /// What becomes of unfinished games whose log is damaged.
    pub damaged: DamagedGames,
}

/// What becomes of unfinished games whose log is damaged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum DamagedGames {
    /// The server does not start, and names them.
    #[default]
    Refuse,
    /// They are set aside as they are, the others go on.
    Leave,
}

/// The form of log entries.
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
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 7780)),
            admin_listen: SocketAddr::from(([127, 0, 0, 1], 7781)),
            data_dir: PathBuf::from("./tilewire-data"),
            tls: TlsConfig::default(),
            http: HttpConfig::default(),
            log: LogConfig::default(),
            limits: Limits::default(),
            timing: Timing::default(),
            game: GameTiming::default(),
            retention: Retention::default(),
            storage: StorageConfig::default(),
            overload: OverloadConfig::default(),
            identity: IdentityConfig::default(),
            site: SiteConfig::default(),
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
            ("overload", OverloadConfig::KEYS),
            ("identity", IdentityConfig::KEYS),
        ]
    }
}
