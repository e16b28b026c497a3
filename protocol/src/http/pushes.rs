//! Pushes to browsers.

use serde::{Deserialize, Serialize};

/// The pushes that a player wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each kind of push is switched on and off alone"
)]
pub struct PushKinds {
    /// A game by correspondence waits for the player.
    pub turn: bool,
    /// The time of a turn runs out.
    pub reminder: bool,
    /// Such a game has ended.
    pub result: bool,
    /// Another player invites.
    pub invitation: bool,
}

/// A player's settings of pushes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pushes {
    /// The public key of the server, base64url: `applicationServerKey` of a subscription.
    pub key: String,
    /// The pushes that the player wants.
    pub kinds: PushKinds,
    /// The devices, the oldest first.
    pub devices: Vec<PushDevice>,
    /// The most devices.
    pub most_devices: usize,
    /// The server's time, unix ms.
    pub server_time: i64,
}

/// A browser that gets pushes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PushDevice {
    /// The id.
    pub id: String,
    /// The program and the machine, as the program named them.
    pub label: String,
    /// When the player asked for pushes there, unix ms.
    pub created_at: i64,
    /// When the push service took a push last, unix ms; absent: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used_at: Option<i64>,
    /// Whether the session of the request asked for it.
    pub current: bool,
}
