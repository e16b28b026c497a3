//! The bodies of requests and answers about the server as a whole: the lobby, notices and blocked addresses.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tilewire_control::{AddressBlock, Scheduled};

/// Whether games may begin.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "LobbyOfAdmins")]
pub(crate) struct LobbyBody {
    /// Whether the answer is from the server with the lobby; always true in answers to admins.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) has_lobby: bool,
    /// Whether games may begin.
    pub(super) open: bool,
    /// Since when the lobby is closed, unix ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) since: Option<i64>,
    /// Why it is closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    /// The number of unfinished games in memory.
    pub(super) games: usize,
    /// The numbers of the servers that did not answer; their games are not counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) missing_servers: Vec<i32>,
}

/// The number of an entry of the audit, and whether the order has reached all servers.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Reached")]
pub(crate) struct Reached {
    /// The number.
    pub(super) number: u64,
    /// The numbers of the servers that did not answer: the order may not have reached them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) missing_servers: Vec<i32>,
}

impl Reached {
    pub(super) const fn of(number: u64, missing_servers: Vec<i32>) -> Self {
        Self {
            number,
            missing_servers,
        }
    }
}

/// Sends a notice to all connections, now or later.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoticeOrder {
    /// The topic, for programs, such as `maintenance`.
    #[schemars(length(min = 1, max = 64))]
    pub(super) code: String,
    /// The text, for people.
    #[schemars(length(min = 1, max = 1_000))]
    pub(super) text: String,
    /// When the event begins that the notice is about, unix ms.
    pub(super) at: Option<i64>,
    /// When the event ends, unix ms.
    pub(super) until: Option<i64>,
    /// When the notice is sent first, unix ms; absent: at once.
    pub(super) first: Option<i64>,
    /// How often it is sent again before `at`, ms, at least a minute; absent: never.
    #[schemars(range(min = 60_000))]
    pub(super) every_ms: Option<i64>,
    /// The reason, for the audit.
    #[schemars(length(min = 1, max = 500))]
    pub(super) reason: String,
}

/// The notices that wait.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "WaitingNotices")]
pub(crate) struct NoticesBody {
    /// The notices.
    pub(super) notices: Vec<NoticeLine>,
    /// The numbers of the servers that did not answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) missing_servers: Vec<i32>,
}

/// A notice that waits.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "WaitingNotice")]
pub(crate) struct NoticeLine {
    /// The number of the entry of the audit.
    pub(super) number: u64,
    /// The topic.
    pub(super) code: String,
    /// The text.
    pub(super) text: String,
    /// When it is sent next, unix ms.
    pub(super) next: i64,
    /// How often it is sent, ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) every_ms: Option<i64>,
}

impl From<(u64, Scheduled)> for NoticeLine {
    fn from((number, scheduled): (u64, Scheduled)) -> Self {
        Self {
            number,
            code: scheduled.notice.code,
            text: scheduled.notice.text,
            next: scheduled.next.0,
            every_ms: scheduled.again.map(|(every, _)| every.0),
        }
    }
}

/// Blocks an address range.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BlockOrder {
    /// An address, or a network such as `203.0.113.0/24`.
    pub(super) network: String,
    /// The reason, for the audit.
    #[schemars(length(min = 1, max = 500))]
    pub(super) reason: String,
    /// When the block ends, unix ms; absent: when somebody lifts it.
    pub(super) until: Option<i64>,
}

/// Lifts the block of an address range.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LiftOrder {
    /// The network, as the list names it.
    pub(super) network: String,
    /// The reason, for the audit.
    #[schemars(length(min = 1, max = 500))]
    pub(super) reason: String,
}

/// The blocks in force.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "BlockedAddresses")]
pub(crate) struct BlocksBody {
    /// The blocks, the oldest first.
    pub(super) blocks: Vec<BlockLine>,
}

/// A blocked address range.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "BlockedAddress")]
pub(crate) struct BlockLine {
    /// The number of the entry of the audit.
    pub(super) number: u64,
    /// The network.
    pub(super) network: String,
    /// When it was blocked, unix ms.
    pub(super) at: i64,
    /// The admin that blocked it.
    pub(super) actor: String,
    /// The reason.
    pub(super) reason: String,
    /// When the block ends, unix ms; absent: when somebody lifts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) until: Option<i64>,
}

impl From<AddressBlock> for BlockLine {
    fn from(block: AddressBlock) -> Self {
        Self {
            number: block.number,
            network: block.network.to_string(),
            at: block.at.0,
            actor: block.actor,
            reason: block.reason,
            until: block.until.map(|until| until.0),
        }
    }
}

/// The settings.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Settings")]
pub(crate) struct SettingsBody {
    /// Every setting.
    pub(super) settings: Vec<SettingLine>,
}

/// A setting.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Setting")]
pub(crate) struct SettingLine {
    /// Its name, dotted.
    pub(super) key: String,
    /// Whether a reload applies a change; else, it needs a restart.
    pub(super) reloadable: bool,
}

/// The changes of a reload.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Reloaded")]
pub(crate) struct ReloadBody {
    /// The number of the entry of the audit.
    pub(super) number: u64,
    /// The settings that have changed.
    pub(super) applied: Vec<String>,
    /// The settings that differ from those in use and wait for a restart.
    pub(super) waiting: Vec<String>,
}

/// Writes more about a game or a player to the log for a time. One of the two is named.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WatchOrder {
    /// The game.
    pub(super) game: Option<String>,
    /// The player: a handle or an identity.
    pub(super) player: Option<String>,
    /// For how long, ms, at most a day.
    #[schemars(range(min = 1, max = 86_400_000))]
    pub(super) for_ms: i64,
    /// The reason, for the audit.
    #[schemars(length(min = 1, max = 500))]
    pub(super) reason: String,
}

/// The games and players with detailed logs.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Watches")]
pub(crate) struct WatchesBody {
    /// The games and players.
    pub(super) watches: Vec<WatchLine>,
}

/// A game or a player with detailed logs.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Watch")]
pub(crate) struct WatchLine {
    /// The game, or the identity of the player.
    pub(super) id: String,
    /// Until when, unix ms.
    pub(super) until: i64,
}
