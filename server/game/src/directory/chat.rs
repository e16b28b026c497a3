//! The facts about a game that its chat rooms depend on.

use tilewire_protocol::{GameId, Phase};
use tilewire_rules::event::Event;

use super::{Directory, FindError};
use tilewire_store::StoredGame;

/// The facts about a game that its chat rooms depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatFacts {
    /// The identities of its players, by seat.
    pub players: Vec<String>,
    /// Whether the game is over for its spectators, who may see it with a delay.
    pub is_over: bool,
}

impl ChatFacts {
    /// Returns the seat of an identity.
    pub fn seat_of(&self, identity: &str) -> Option<u8> {
        let mut seats = (0..).zip(&self.players);
        let (seat, _) = seats.find(|(_, player)| *player == identity)?;
        Some(seat)
    }
}

impl Directory {
    /// Returns the facts of a game that a client is attached to. It is in memory, here or on another node, which has stored
    /// whether it is over. While that node reports that it is in progress, a delayed game is not over for spectators.
    ///
    /// # Errors
    /// When the game is not in memory, and cannot be read.
    pub async fn facts_for_chat(&self, game: &GameId) -> Result<ChatFacts, FindError> {
        if let Some(facts) = self.chat_facts(game) {
            return Ok(facts);
        }
        let stored = self.stored(game).await?;
        let hides_end = is_delayed(&stored) && self.reported().has(game);
        Ok(ChatFacts {
            players: stored.meta.players,
            is_over: stored.is_finished && !hides_end,
        })
    }

    /// Returns the facts of a game in memory; every game that a client is attached to is.
    pub(crate) fn chat_facts(&self, game: &GameId) -> Option<ChatFacts> {
        let entry = self.games.in_memory.get(game)?;
        let listing = &entry.listing;
        Some(ChatFacts {
            players: listing.players().to_vec(),
            is_over: listing.summary().phase == Phase::Ended,
        })
    }
}

/// Says whether spectators see a game with a delay. One that cannot be read counts as delayed.
fn is_delayed(stored: &StoredGame) -> bool {
    match stored.records.first().map(|record| &record.event) {
        Some(Event::Created(created)) => created
            .options
            .spectators
            .is_some_and(|view| view.delay_ms > 0),
        _ => true,
    }
}
