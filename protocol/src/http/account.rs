//! Accounts, sessions and players.

use serde::{Deserialize, Serialize};

use super::mail::{Letters, Mail};
use crate::macros::wire_enum;

wire_enum! {
    /// The players that may invite a player.
    Inviters {
        /// All players.
        Anybody = "anybody",
        /// The players that the player follows.
        Followed = "followed",
        /// Nobody.
        Nobody = "nobody",
    }
}

/// New recovery codes.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewRecoveryCodes {
    /// The player.
    pub me: Me,
    /// The recovery codes. The server shows them this once and cannot show them again.
    pub recovery_codes: Vec<String>,
}

/// The vacation of a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Vacation {
    /// When the vacation ends, unix ms; absent: the player is on none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<i64>,
    /// The days that are left of 30 in any 365.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 30)))]
    pub days_left: i64,
    /// The server's time, unix ms.
    pub server_time: i64,
}

/// The wish to be erased.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Erasure {
    /// When the player asked, unix ms.
    pub asked_at: i64,
    /// When it takes effect, unix ms. Until then the player can take it back.
    pub erased_at: i64,
}

/// A session, with its token.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SignedIn {
    /// The player.
    pub me: Me,
    /// The token. Keep it secret.
    pub token: String,
    /// When the token expires, unix ms, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
    /// The recovery codes. The server shows them this once and cannot show them again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recovery_codes: Vec<String>,
}

/// The session after a change of the password. It takes the place of the one that asked.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PasswordChanged {
    /// The player.
    #[serde(flatten)]
    pub me: Me,
    /// The token. The one that asked is good no longer. Keep it secret.
    pub token: String,
    /// When the token expires, unix ms, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
}

/// The player of the token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Me {
    /// The identity.
    pub identity: String,
    /// The handle; a guest has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
    /// The authority that vouches for the identity: `server` or `site`.
    pub origin: String,
    /// When the identity was made, unix ms.
    pub created_at: i64,
    /// When the player registered, unix ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registered_at: Option<i64>,
    /// Whether a program plays.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
    /// The roles: `moderator`, `director`, `admin`.
    pub roles: Vec<String>,
    /// The number of unused recovery codes.
    pub recovery_codes_left: usize,
    /// The players whose invitations the player accepts.
    pub invitations_from: Inviters,
    /// Whether the player has chat. A site can switch it off too; then `welcome` says so.
    pub chat: bool,
    /// The mail address, if the account has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mail: Option<Mail>,
    /// The letters that a registered player wants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub letters: Option<Letters>,
    /// The points for games that the player left or held up; only `GET /me` has them, for a registered player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conduct: Option<Conduct>,
    /// When everything about the player is erased, unix ms, if the player asked for it; only `GET /me` says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub erased_at: Option<i64>,
}

/// The points for games that a player left or held up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Conduct {
    /// The points: 0 to 4. A player with 4 waits before the next public game.
    #[cfg_attr(feature = "schema", schemars(range(max = 4)))]
    pub points: u8,
    /// When the waiting time ends, unix ms; absent: the player does not wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting_until: Option<i64>,
}

/// A registered player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Player {
    /// The identity, as in games.
    pub identity: String,
    /// The handle.
    pub handle: String,
    /// When the player registered, unix ms.
    pub registered_at: i64,
    /// Whether a program plays.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
    /// The roles.
    pub roles: Vec<String>,
    /// The relation of the token's player to this one. A search does not include it.
    #[serde(flatten)]
    pub seen: SeenRelation,
}

/// The relation of the token's player to another one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeenRelation {
    /// Whether the player of the token follows this one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub followed: bool,
    /// Whether both follow each other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub friend: bool,
    /// Whether the player of the token blocks this one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blocked: bool,
}

/// The players that a search finds: those whose handle begins with the text, then those whose handle looks like it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Players {
    /// The players, at most 20.
    pub players: Vec<Player>,
}

/// The sessions of a player, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sessions {
    /// The sessions.
    pub sessions: Vec<Session>,
    /// The server's time, unix ms.
    pub server_time: i64,
}

/// A session: the tokens that were renewed, one from the other, since a login.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Session {
    /// The id.
    pub id: String,
    /// The program and the machine, as the program named them.
    pub label: String,
    /// When it began, unix ms.
    pub created_at: i64,
    /// When it was used last, unix ms, within an hour.
    pub used_at: i64,
    /// Whether it is the session of the request.
    pub current: bool,
}
