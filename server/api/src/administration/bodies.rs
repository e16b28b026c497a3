//! The bodies of requests and answers for admins. The document of the API is generated from these types.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tilewire_protocol::{Event, GameSummary, Phase, Snapshot, http};
use tilewire_rules::time::Timestamp;

use crate::moderation_bodies::{EntryBody, RestrictionBody};
use tilewire_game::KnownGame;

/// Which connections.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConnectionsQuery {
    /// A part of the display name, in any case.
    pub(super) name: Option<String>,
    /// The identity.
    pub(super) identity: Option<String>,
    /// `next` of the page before.
    #[schemars(range(min = 0))]
    pub(super) behind: Option<i64>,
    /// The most connections of the page: 1 to 100; 50 if it is absent.
    #[schemars(range(min = 1, max = 100))]
    pub(super) limit: Option<u16>,
}

/// A page of authenticated connections, the oldest first.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Connections")]
pub(crate) struct ConnectionsBody {
    /// The connections.
    pub(super) connections: Vec<ConnectionLine>,
    /// The number of all authenticated connections.
    pub(super) all: usize,
    /// `behind` of the next page; absent: there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<u64>,
}

/// An authenticated connection.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Connection")]
pub(crate) struct ConnectionLine {
    /// Its number, which no other connection gets until the next start.
    pub(super) number: u64,
    /// The identity.
    pub(super) identity: String,
    /// The display name.
    pub(super) name: String,
    /// The address of the client, or the first 64 bits of an IPv6 address; absent: unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) address: Option<String>,
    /// The id of the session; absent: the token has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) session: Option<String>,
    /// Half a round trip, ms.
    pub(super) lag_ms: i64,
}

/// Which players.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchQuery {
    /// The start of a handle, in any case, or what looks like it; or an identity.
    #[schemars(length(min = 1, max = 100))]
    pub(super) name: String,
}

/// Players that a search found.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "KnownPlayers")]
pub(crate) struct KnownPlayers {
    /// The players.
    pub(super) players: Vec<KnownPlayer>,
}

/// A player in a list.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "KnownPlayer")]
pub(crate) struct KnownPlayer {
    /// The identity.
    pub(super) identity: String,
    /// The handle; of a guest, the display name.
    pub(super) name: String,
    /// Whether the player is registered.
    pub(super) registered: bool,
    /// The number of connections.
    pub(super) connections: usize,
}

/// A player with everything that admins see.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "PlayerInFull")]
pub(crate) struct PlayerInFull {
    /// The player.
    #[serde(flatten)]
    pub(super) player: KnownPlayer,
    /// The roles.
    pub(super) roles: Vec<String>,
    /// When the account was made, unix ms; absent: the player is a guest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) created_at: Option<i64>,
    /// The sessions; of a guest, none.
    pub(super) sessions: Vec<http::Session>,
    /// The connections.
    pub(super) open: Vec<ConnectionLine>,
    /// Unfinished games, and the last finished ones; the newest first.
    pub(super) games: Vec<GameLine>,
    /// The points for games that the player left or held up.
    pub(super) conduct: http::Conduct,
    /// The restrictions in force.
    pub(super) restrictions: Vec<RestrictionBody>,
    /// The newest entries of the audit about the player.
    pub(super) history: Vec<EntryBody>,
}

/// Gives a player another handle.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RenameOrder {
    /// The new handle.
    pub(super) handle: String,
    /// The reason, which the player reads.
    #[schemars(length(min = 1, max = 500))]
    pub(super) reason: String,
}

/// Suspends a player.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SuspendOrder {
    /// The reason, which the player reads.
    #[schemars(length(min = 1, max = 500))]
    pub(super) reason: String,
    /// When it ends, unix ms; absent: when somebody undoes it.
    pub(super) until: Option<i64>,
}

/// Which games. A game has to fit all filters.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GamesQuery {
    /// The phase.
    pub(super) state: Option<StateAsked>,
    /// A player: a handle or an identity. Only with it the list has private games that sleep, and games that left memory after
    /// their end.
    pub(super) player: Option<String>,
    /// The id of the rule set.
    pub(super) rule_set: Option<String>,
    /// Whether the game is rated.
    pub(super) rated: Option<bool>,
    /// Whether the game is private.
    pub(super) private: Option<bool>,
    /// The least age, ms.
    #[schemars(range(min = 0))]
    pub(super) age_min_ms: Option<i64>,
    /// The least time for which the running clock has been running, ms.
    #[schemars(range(min = 0))]
    pub(super) waiting_min_ms: Option<i64>,
    /// `next` of the page before.
    pub(super) behind: Option<String>,
    /// The most games of the page: 1 to 100; 50 if it is absent.
    #[schemars(range(min = 1, max = 100))]
    pub(super) limit: Option<u16>,
}

/// The phase of a game.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StateAsked {
    /// Not all players are ready.
    Waiting,
    /// Turns are played.
    Running,
    /// The last play can be challenged.
    Final,
    /// The game is over.
    Ended,
}

impl From<StateAsked> for Phase {
    fn from(asked: StateAsked) -> Self {
        match asked {
            StateAsked::Waiting => Self::Waiting,
            StateAsked::Running => Self::Running,
            StateAsked::Final => Self::Final,
            StateAsked::Ended => Self::Ended,
        }
    }
}

/// A page of games, the newest first.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "GamesOfAdmins")]
pub(crate) struct GamesBody {
    /// The games.
    pub(super) games: Vec<GameLine>,
    /// `behind` of the next page; absent: there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<String>,
    /// The server's time, unix ms.
    pub(super) server_time: i64,
    /// The numbers of the servers that did not answer: games that they have in memory are missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) missing_servers: Vec<i32>,
}

/// A game in a list.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "GameOfAdmins")]
pub(crate) struct GameLine {
    /// When it was created, unix ms; of a finished game that left memory, when it began.
    pub(super) created_at: i64,
    /// Whether the game is in memory.
    pub(super) awake: bool,
    /// Whether the game takes no commands: an operator has paused it, or it waits for the storage.
    #[serde(default)]
    pub(super) paused: bool,
    /// The game, without the delay for spectators.
    pub(super) game: GameSummary,
}

impl From<KnownGame> for GameLine {
    fn from(known: KnownGame) -> Self {
        Self {
            created_at: known.created_at.0,
            awake: known.is_awake,
            paused: known.is_paused,
            game: known.summary,
        }
    }
}

/// Asks for the hidden tiles of a game.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TilesOrder {
    /// The reason, for the audit.
    #[schemars(length(min = 1, max = 500))]
    pub(super) reason: String,
}

/// Ends a game without a result.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CancelOrder {
    /// The number of the last event that the admin has seen. If the game has moved on, nothing happens (`moved_on`).
    pub(super) seq: u64,
    /// The reason, which the players read.
    #[schemars(length(min = 1, max = 500))]
    pub(super) reason: String,
}

/// Ends a game with a result.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AdjudicateOrder {
    /// The number of the last event that the admin has seen. If the game has moved on, nothing happens (`moved_on`).
    pub(super) seq: u64,
    /// The reason, which the players read.
    #[schemars(length(min = 1, max = 500))]
    pub(super) reason: String,
    /// The result.
    pub(super) result: ResultAsked,
    /// `win`: the seat that wins.
    pub(super) seat: Option<u8>,
}

/// The result of a game that an admin ends.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ResultAsked {
    /// One seat wins.
    Win,
    /// All players in the game share the win.
    Draw,
    /// The scores decide. Unplayed tiles are not counted.
    AsItStands,
}

/// A game that an admin has ended.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Ruled")]
pub(crate) struct Ruled {
    /// The number of the entry of the audit.
    pub(super) number: u64,
    /// The number of the event that ended the game.
    pub(super) seq: u64,
}

/// A game with everything that admins see.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "GameInFull")]
pub(crate) struct GameInFull {
    /// The number of the last event of `log` and `snapshot`. An operation on the game names it.
    pub(super) seq: u64,
    /// Whether the racks and exchanges of all seats are shown. The order of the bag never is.
    pub(super) tiles: bool,
    /// The game at that moment, with the clocks.
    pub(super) snapshot: Snapshot,
    /// Every event.
    pub(super) log: Vec<Event>,
    /// For each seat, whether the player is connected.
    pub(super) connected: Vec<bool>,
    /// The number of spectators.
    pub(super) watching: usize,
    /// Commands that wait for the storage.
    pub(super) queued: usize,
    /// Commands that the game has and has not answered: they are being stored, or wait for a challenge window.
    pub(super) unanswered: usize,
    /// The state of the game's storage access: `idle`, `appending`, `refused`, `reading` or `resting`.
    pub(super) storage: String,
    /// Whether clients were told that the game takes no commands: an operator has paused it, or it waits for the storage.
    pub(super) paused: bool,
    /// When the game acts by itself next, unix ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next_deadline: Option<i64>,
    /// The server's time, unix ms.
    pub(super) server_time: i64,
}

/// The place of a game in the list.
pub(super) fn place_text(line: &GameLine) -> String {
    format!("{}-{}", line.created_at, line.game.game.0)
}

/// Reads a place in the list of games.
pub(super) fn place(text: &str) -> Option<(Timestamp, String)> {
    let (at, game) = text.split_once('-')?;
    Some((Timestamp(at.parse().ok()?), game.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_the_list_reads_back() {
        let expected = (Timestamp(1_800_000_000_000), "g-1".to_owned());
        assert_eq!(place("1800000000000-g-1"), Some(expected));
        for text in ["", "17", "x-g1", "99999999999999999999-g1"] {
            assert_eq!(place(text), None, "{text}");
        }
    }
}
