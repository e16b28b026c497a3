//! Questions and orders of an operator about one game.

use std::sync::Arc;

use tilewire_protocol::GameId;
use tilewire_rules::game::Order;

use super::{Directory, FindError};
use crate::Watched;
use crate::operator::{Asker, Inspection};
use crate::room::RoomInput;
use tilewire_delivery::outbound::Peer;

/// How often a game that leaves memory while it is asked is loaded again.
const ATTEMPTS: usize = 3;

impl Directory {
    /// Returns a game as its room knows it; loads a game that sleeps or is over.
    ///
    /// # Errors
    /// When there is no such game, or it does not take questions now.
    pub async fn inspect(&self, game: &GameId) -> Result<Inspection, FindError> {
        self.asked(game, RoomInput::Inspect).await
    }

    /// Carries out an order about a game, with `seq` only if its last event is still the one with this number. Returns the game
    /// afterwards, which says whether the order took effect.
    ///
    /// # Errors
    /// When there is no such game, or it does not answer now; it is not known then whether the order took effect.
    pub async fn order(
        &self,
        game: &GameId,
        seq: Option<u64>,
        order: Order,
    ) -> Result<Inspection, FindError> {
        self.asked(game, |asker| RoomInput::Order { asker, seq, order })
            .await
    }

    /// Returns the games and players with detailed logs.
    #[must_use]
    pub const fn watched(&self) -> &Arc<Watched> {
        &self.shared.watched
    }

    /// Sends a question to a game and waits for the answer.
    async fn asked(
        &self,
        game: &GameId,
        question: impl Fn(Asker) -> RoomInput<Peer>,
    ) -> Result<Inspection, FindError> {
        for _ in 0..ATTEMPTS {
            let handle = self.find(game).await?;
            let (asker, answer) = Asker::new();
            if handle.post(question(asker)).is_err() {
                continue;
            }
            if let Ok(inspection) = answer.await {
                return Ok(inspection);
            }
        }
        Err(FindError::Unavailable)
    }
}
