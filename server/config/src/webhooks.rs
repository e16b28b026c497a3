//! Webhooks: the addresses of other programs that are told of games and accounts, and their bounds.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tilewire_rules::time::Millis;

use super::Key;
use super::network::List;
use super::sections::{DAY, HOUR, MINUTE, SECOND};
use crate::ip_network::Network;

/// The webhooks, and their bounds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebhooksConfig {
    /// The time for each step of a delivery.
    pub step_ms: Millis,
    /// Deliveries to one webhook at the same time.
    pub connections: usize,
    /// Events of one webhook in memory.
    pub window: usize,
    /// The wait after a delivery failed; doubles with each further time.
    pub retry_ms: Millis,
    /// The longest such wait.
    pub retry_max_ms: Millis,
    /// The time after which an event that cannot be delivered has failed.
    pub give_up_ms: Millis,
    /// Events that wait for one webhook.
    pub queue: u64,
    /// Failed events that are kept for one webhook.
    pub kept: u64,
    /// The age up to which an event is kept.
    pub kept_ms: Millis,
    /// The webhooks.
    pub targets: Vec<WebhookTarget>,
}

/// A webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebhookTarget {
    /// Its name, for commands and the log.
    pub name: String,
    /// The address to which events are posted.
    pub url: String,
    /// File with its secrets, one in a line: `whsec_` and 24 to 64 bytes in base64.
    pub secret_file: PathBuf,
    /// PEM file with the certificates that vouch for it; empty: those of the system.
    #[serde(default)]
    pub ca_file: PathBuf,
    /// The events that it wants; empty: all.
    #[serde(default)]
    pub events: List<WebhookEvent>,
    /// The players that its events name.
    #[serde(default)]
    pub players: WebhookPlayers,
    /// Whether it learns of private games.
    #[serde(default)]
    pub private_games: bool,
    /// Networks that are not public and that its address may lie in all the same.
    #[serde(default)]
    pub allow_private: List<Network>,
}

/// The players that the events of a webhook name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WebhookPlayers {
    /// All.
    #[default]
    All,
    /// The users of the embedding site: it gets games in which one of them plays, without the names of others.
    Site,
}

/// A kind of event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WebhookEvent {
    /// A game was created.
    GameCreated,
    /// The first turn began.
    GameStarted,
    /// A turn was completed, or a challenge was decided.
    GameTurn,
    /// A game ended with a result.
    GameEnded,
    /// A game was aborted or cancelled.
    GameCancelled,
    /// An operator ended a game.
    GameAdjudicated,
    /// A player has an account.
    AccountRegistered,
    /// A player has another handle.
    AccountRenamed,
    /// A player was suspended.
    AccountSuspended,
    /// The suspension of a player was undone.
    AccountRestored,
    /// A player is erased.
    AccountErased,
}

impl WebhookEvent {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::GameCreated,
        Self::GameStarted,
        Self::GameTurn,
        Self::GameEnded,
        Self::GameCancelled,
        Self::GameAdjudicated,
        Self::AccountRegistered,
        Self::AccountRenamed,
        Self::AccountSuspended,
        Self::AccountRestored,
        Self::AccountErased,
    ];

    /// Returns the name, as events have it in `type`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::GameCreated => "game.created",
            Self::GameStarted => "game.started",
            Self::GameTurn => "game.turn",
            Self::GameEnded => "game.ended",
            Self::GameCancelled => "game.cancelled",
            Self::GameAdjudicated => "game.adjudicated",
            Self::AccountRegistered => "account.registered",
            Self::AccountRenamed => "account.renamed",
            Self::AccountSuspended => "account.suspended",
            Self::AccountRestored => "account.restored",
            Self::AccountErased => "account.erased",
        }
    }
}

impl fmt::Display for WebhookEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for WebhookEvent {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The text names no event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no event: docs/webhooks.md lists them, such as game.ended")]
pub struct NoWebhookEvent;

impl FromStr for WebhookEvent {
    type Err = NoWebhookEvent;

    fn from_str(text: &str) -> Result<Self, NoWebhookEvent> {
        let mut all = Self::ALL.into_iter();
        all.find(|event| event.name() == text).ok_or(NoWebhookEvent)
    }
}

impl WebhooksConfig {
    /// The keys that are numbers.
    pub const KEYS: &'static [Key] = number_keys! {
        "step_ms" "Time for each step of a delivery: name, connection, TLS, answer." 10 * SECOND, 10 => 5 * MINUTE;
        "connections" "Deliveries to one webhook at the same time." 4, 1 => 64;
        "window" "Events of one webhook that the courier holds in memory." 64, 1 => 10_000;
        "retry_ms" "Wait after a webhook did not take an event; doubles with each further time." 5 * SECOND, 10 => DAY;
        "retry_max_ms" "Longest such wait." HOUR, 10 => DAY;
        "give_up_ms" "Time after which an event that a webhook does not take has failed." DAY, SECOND => 30 * DAY;
        "queue" "Events that wait for one webhook; beyond it the oldest have failed." 10_000, 1 => 10_000_000;
        "kept" "Failed events of one webhook that are kept for webhooks replay." 10_000, 0 => 10_000_000;
        "kept_ms" "Age up to which events are kept, delivered or not." 7 * DAY, MINUTE => 365 * DAY;
    };

    /// Returns the webhook with a name.
    #[must_use]
    pub fn target(&self, name: &str) -> Option<&WebhookTarget> {
        self.targets.iter().find(|target| target.name == name)
    }
}

impl WebhookTarget {
    /// Says whether it wants events of a kind.
    #[must_use]
    pub fn wants(&self, event: WebhookEvent) -> bool {
        self.events.0.is_empty() || self.events.0.contains(&event)
    }
}

impl Default for WebhooksConfig {
    fn default() -> Self {
        Self {
            step_ms: Millis(10 * SECOND),
            connections: 4,
            window: 64,
            retry_ms: Millis(5 * SECOND),
            retry_max_ms: Millis(HOUR),
            give_up_ms: Millis(DAY),
            queue: 10_000,
            kept: 10_000,
            kept_ms: Millis(7 * DAY),
            targets: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use toml::Table;

    use super::*;

    /// The table of keys and the type state each default once more.
    #[test]
    fn the_keys_have_the_defaults() {
        let defaults = Table::try_from(WebhooksConfig::default()).unwrap();
        for key in WebhooksConfig::KEYS {
            let found = defaults[key.name].as_integer();
            assert_eq!(found, Some(key.default), "{}", key.name);
        }
    }

    #[test]
    fn events_are_found_by_their_names() {
        for event in WebhookEvent::ALL {
            assert_eq!(event.name().parse(), Ok(event));
        }
        assert_eq!("game".parse::<WebhookEvent>(), Err(NoWebhookEvent));
    }
}
