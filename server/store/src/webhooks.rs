//! Webhooks: the events that wait for other programs, and what is noted of accounts for them.
//!
//! Events of games are stored in a [`WebhookPage`] with the new place in the journal, so each is stored once. A change of an
//! account stores a note in its own transaction; the page that makes events of it takes the note away. Without webhooks
//! nothing is stored.

use tilewire_protocol::GameId;
use tilewire_rules::time::Timestamp;

use super::{Arrival, Cursor};

/// The lane of a game.
const GAME_LANE: &str = "game/";
/// The lane of an account.
const ACCOUNT_LANE: &str = "account/";

/// The place of an event: its webhook, its lane, and its place in the lane. The events of a lane are delivered in order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WebhookKey {
    /// The name of the webhook.
    pub target: String,
    /// The lane: a game or an account.
    pub lane: String,
    /// The number of the record in the game, or the number of the note of an account.
    pub place: u64,
}

impl WebhookKey {
    /// Returns the key of an event of a game.
    #[must_use]
    pub fn of_game(target: &str, game: &GameId, seq: u64) -> Self {
        Self {
            target: target.to_owned(),
            lane: game_lane(game),
            place: seq,
        }
    }

    /// Returns the key of an event of an account.
    #[must_use]
    pub fn of_account(target: &str, identity: &str, number: u64) -> Self {
        Self {
            target: target.to_owned(),
            lane: format!("{ACCOUNT_LANE}{identity}"),
            place: number,
        }
    }

    /// Returns the `webhook-id`: the same each time the event is delivered. It names no player.
    #[must_use]
    pub fn id(&self) -> String {
        let start = self.lane.strip_prefix(GAME_LANE).unwrap_or("account");
        format!("{start}-{}", self.place)
    }
}

/// Returns the lane of a game.
#[must_use]
pub fn game_lane(game: &GameId) -> String {
    format!("{GAME_LANE}{game}")
}

/// An event for a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWebhook {
    /// Its place.
    pub key: WebhookKey,
    /// Its kind, as in `type`.
    pub kind: &'static str,
    /// When it happened.
    pub at: Timestamp,
    /// Nobody outside may see it before.
    pub shown_at: Timestamp,
    /// When the courier gives up.
    pub until: Timestamp,
    /// The body.
    pub content: String,
}

/// An event of the outbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredWebhook {
    /// Its place.
    pub key: WebhookKey,
    /// Its kind.
    pub kind: String,
    /// When the courier gives up.
    pub until: Timestamp,
    /// How often it could not be delivered.
    pub tries: u32,
    /// The body.
    pub content: String,
}

/// The fate of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookFate {
    /// The webhook has taken it: it goes away.
    Delivered,
    /// The courier tries again at this time.
    Later(Timestamp),
    /// It has failed, at this time, and is kept for a replay.
    Failed(Timestamp),
}

/// The kind of a change of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountNewsKind {
    /// The player has an account.
    Registered,
    /// The player has another handle.
    Renamed,
    /// The player was suspended.
    Suspended,
    /// The suspension was undone.
    Restored,
    /// The player is erased.
    Erased,
}

impl AccountNewsKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [
        Self::Registered,
        Self::Renamed,
        Self::Suspended,
        Self::Restored,
        Self::Erased,
    ];

    /// Returns the name in the storage.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Registered => "registered",
            Self::Renamed => "renamed",
            Self::Suspended => "suspended",
            Self::Restored => "restored",
            Self::Erased => "erased",
        }
    }
}

/// A note of what happened to an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountNews {
    /// Its number; no other note ever has it.
    pub number: u64,
    /// When it happened.
    pub at: Timestamp,
    /// The kind of the change.
    pub kind: AccountNewsKind,
    /// The player.
    pub identity: String,
    /// The handle after a registration or a change.
    pub name: Option<String>,
    /// When a suspension ends by itself.
    pub until: Option<Timestamp>,
}

/// Events and the new place in the journal: stored together or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookPage {
    /// The place from which they were computed.
    pub after: Cursor,
    /// The new place.
    pub until: Arrival,
    /// Notes of accounts up to this number go away.
    pub notes: u64,
    /// The games that have ended, and when: nothing of them is held back any more.
    pub ended: Vec<(GameId, Timestamp)>,
    /// The events.
    pub webhooks: Vec<NewWebhook>,
    /// The time, for events that the bound pushes out.
    pub now: Timestamp,
    /// The events that may wait for one webhook.
    pub queue: u64,
}

/// How many events of a webhook there are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WebhookCount {
    /// The name of the webhook.
    pub target: String,
    /// Events that wait, those that are held back included.
    pub waiting: u64,
    /// Events that have failed.
    pub failed: u64,
    /// When the oldest event that is due was shown; `None` if none is due.
    pub oldest: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_names_no_player() {
        let game = WebhookKey::of_game("shop", &GameId::from("gabc"), 17);
        assert_eq!(
            (game.id(), game.lane),
            ("gabc-17".to_owned(), "game/gabc".to_owned())
        );
        let account = WebhookKey::of_account("shop", "i4711", 3);
        assert_eq!(account.id(), "account-3");
    }
}
