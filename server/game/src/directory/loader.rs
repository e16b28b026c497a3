//! Loads games from the journal.

use std::sync::Arc;
use tilewire_protocol::GameId;
use tilewire_rules::time::{Millis, Timestamp};

use super::FindError;
use super::games::Games;
use super::unplayable::Unplayable;
use crate::bounds::GameBounds;
use crate::recovery;
use crate::recovery::RecoveryError;
use crate::room::Room;
use tilewire_base::clock::ServerClock;
use tilewire_delivery::outbound::Peer;
use tilewire_store::{GameMeta, Journal, StoreError, StoredGame};
use tilewire_wire::catalogue::Catalogue;

/// A stored game, ready to run.
pub(super) struct Loaded {
    pub(super) room: Room<Peer>,
    pub(super) meta: GameMeta,
    /// The time of its last event.
    pub(super) last_at: Option<Timestamp>,
    /// The lost time that it knows of, if it sleeps.
    pub(super) lost_ms: Option<Millis>,
}

/// Reads games and replays their logs, on the caller's task.
#[derive(Debug)]
pub(super) struct Loader {
    pub(super) journal: Arc<dyn Journal>,
    pub(super) catalogue: Catalogue,
    pub(super) bounds: GameBounds,
    pub(super) clock: ServerClock,
    pub(super) games: Arc<Games>,
}

impl Loader {
    /// Reads the stored log of a game.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub(super) async fn stored(&self, game: &GameId) -> Result<StoredGame, FindError> {
        match self.journal.load(game).await {
            Ok(Some(stored)) => Ok(stored),
            Ok(None) => Err(FindError::Unknown),
            Err(StoreError::Unavailable(problem)) => {
                tracing::warn!(
                    game = game.as_str(),
                    problem,
                    "a game could not be loaded now"
                );
                Err(FindError::Unavailable)
            }
            Err(StoreError::Corrupt(problem)) => Err(self.games.quarantine(game, &problem)),
        }
    }

    /// Returns the room of a stored game.
    pub(super) fn room(&self, stored: StoredGame) -> Result<Loaded, RecoveryError> {
        let last_at = stored.records.last().map(|record| record.at);
        let (meta, lost_ms) = (stored.meta.clone(), stored.lost_ms);
        Ok(Loaded {
            room: recovery::room(stored, &self.catalogue, self.bounds, self.clock.now())?,
            last_at,
            lost_ms,
            meta,
        })
    }

    /// Reads a game and makes its room on a task of its own, so that many logs are replayed on all processors. `None`
    /// means that it cannot be read now.
    pub(super) async fn load(
        self: Arc<Self>,
        game: GameId,
    ) -> (GameId, Option<Result<Loaded, Unplayable>>) {
        let (loader, id) = (Arc::clone(&self), game.clone());
        let read = tokio::spawn(async move {
            match loader.journal.load(&id).await {
                Ok(Some(stored)) => Some(loader.room(stored).map_err(Unplayable::from)),
                Ok(None) => Some(Err(Unplayable::NoEntry)),
                Err(StoreError::Corrupt(problem)) => Some(Err(Unplayable::Damaged(problem))),
                Err(StoreError::Unavailable(problem)) => {
                    tracing::warn!(
                        game = id.as_str(),
                        problem,
                        "a game could not be loaded now"
                    );
                    None
                }
            }
        });
        let failed = |_| {
            Some(Err(Unplayable::Damaged(
                "replaying its log panicked".to_owned(),
            )))
        };
        (game, read.await.unwrap_or_else(failed))
    }
}
