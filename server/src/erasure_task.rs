//! Erases players whose wish is due: shuts them out, resigns their games, and removes everything about them from the storage.
//!
//! Every step can be repeated, so a crash at any moment only delays the rest. The path of a turn does not change: a step is one
//! bounded change between others.

use std::sync::Arc;

use tilewire_rules::time::Seat;

use tilewire_gateway::connection;
use tilewire_results::chronicle::RatingCache;
use tilewire_store::{Erasure, Journal, PersonalStore, Progress, StoreError};

/// Players that are looked at in one round.
const PLAYERS: usize = 1_000;

/// The services that erase a player.
pub(crate) struct ErasureTask {
    pub(crate) store: Arc<dyn PersonalStore>,
    pub(crate) journal: Arc<dyn Journal>,
    pub(crate) ratings: Arc<RatingCache>,
    pub(crate) services: Arc<connection::Services>,
}

impl ErasureTask {
    /// Does what can be done now about all wishes that are due. What fails is tried again in the next round.
    pub(crate) async fn round(&self) {
        let now = self.services.clock.now();
        let due = match self.store.due_erasures(now, PLAYERS).await {
            Ok(due) => due,
            Err(error) => {
                tracing::warn!(%error, "the wishes of players to be erased could not be read");
                return;
            }
        };
        for wish in due {
            if let Err(error) = self.carry_out(&wish).await {
                tracing::warn!(%error, "a player could not be erased now");
            }
        }
    }

    async fn carry_out(&self, wish: &Erasure) -> Result<(), StoreError> {
        let (people, identity) = (&self.services.people, wish.identity.as_str());
        people.shut_out(wish).await?;
        self.resign_all(identity).await?;
        loop {
            match people.erase_more(identity).await? {
                Progress::More => {}
                // The rest follows in a later round.
                Progress::Waiting | Progress::Unchanged => return Ok(()),
                Progress::Finished => break,
            }
        }
        self.ratings.forget(identity);
        self.services.history.forget_turns().await;
        self.services
            .directory
            .forget_names(&[identity.to_owned()].into())
            .await;
        tracing::info!("a player was erased");
        Ok(())
    }

    /// Resigns for the player in every game that is not over.
    async fn resign_all(&self, identity: &str) -> Result<(), StoreError> {
        for game in self.journal.unfinished_of(identity).await? {
            let Some(stored) = self.journal.load(&game).await? else {
                continue;
            };
            let seats = stored.meta.players.iter().zip(0..);
            for (_, seat) in seats.filter(|(player, _)| *player == identity) {
                // A seat that has left, or a game that cannot be loaded now: the next round looks again.
                self.services.directory.resign(&game, Seat(seat)).await;
            }
        }
        Ok(())
    }
}
