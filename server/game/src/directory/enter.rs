//! How a stored game enters memory: through the gate of its shard.

use std::sync::Arc;

use tilewire_rules::time::Timestamp;
use tokio_util::task::TaskTracker;

use super::games::{Entry, supervise};
use super::gates::{Opening, Tenancy};
use super::loader::Loaded;
use super::{Directory, FindError, Opened};
use crate::actor::Actor;
use crate::handle::GameHandle;
use crate::listing::Listing;
use tilewire_store::{Shard, StoredGame};

impl Directory {
    /// Starts the actor of a stored game, which credits the time without one and all time since `stalled_at`, or sets the game
    /// aside.
    pub(super) fn spawn_stored(
        &self,
        stored: StoredGame,
        opened: Opened,
        stalled_at: Option<Timestamp>,
    ) -> Result<GameHandle, FindError> {
        let game = stored.meta.game.clone();
        match self.loader.room(stored) {
            Ok(loaded) => {
                let fallen = self.games.fallen.remove(&game);
                let since = fallen.and_then(|(_, stopped_at)| stopped_at.or(loaded.last_at));
                let since = since.into_iter().chain(stalled_at).min();
                self.spawn(loaded, since, opened, None)
            }
            Err(error) => Err(self.games.quarantine(&game, &error.to_string())),
        }
    }

    /// Starts the actor of a game. `stopped_at` is when its last actor ended, if that had not put it to sleep. With `opening`,
    /// the game was read for this opening of its shard, and enters no other.
    ///
    /// # Errors
    /// [`FindError::Elsewhere`] when the games of the shard may not be here.
    pub(super) fn spawn(
        &self,
        loaded: Loaded,
        stopped_at: Option<Timestamp>,
        opened: Opened,
        opening: Option<Opening>,
    ) -> Result<GameHandle, FindError> {
        let shard = Shard::of(&loaded.meta.game);
        let start = |tenancy, games: &TaskTracker| {
            let (handle, actor) = self.start_in(tenancy, loaded, stopped_at, opened);
            self.shared.tasks.spawn(games.track_future(actor));
            handle
        };
        let entered = self.gates.enter(shard, opening, start);
        entered.ok_or(match self.shared.stop.is_cancelled() {
            true => FindError::Stopping,
            false => FindError::Elsewhere,
        })
    }

    fn start_in(
        &self,
        tenancy: Tenancy,
        loaded: Loaded,
        stopped_at: Option<Timestamp>,
        opened: Opened,
    ) -> (GameHandle, impl Future<Output = ()> + Send + use<>) {
        let slept_since = self.slept_since(&loaded);
        let Loaded { room, meta, .. } = loaded;
        let game = meta.game;
        let listing = Arc::new(Listing::new(
            room.summary(),
            meta.players,
            meta.created_at,
            room.is_over(),
            Arc::clone(&self.running),
            (opened.from, opened.share),
        ));
        if let Some(own) = room.own_summary() {
            listing.put_own(own);
        }
        listing.set_paused(room.stands_still());
        let (handle, mailbox, gone) = GameHandle::new(self.shared.bounds.mailbox);
        let entry = Entry {
            handle: handle.clone(),
            listing: Arc::clone(&listing),
        };
        self.games.add(&game, entry);
        let mut actor = Actor::new(
            game.clone(),
            room,
            (mailbox, gone),
            listing,
            (self.shared.clone(), tenancy),
        );
        if stopped_at.is_some() {
            actor.owe();
        }
        // The storage knows the loss of a sleeping game until its credit is stored, so the stamp does not wait for that.
        let since = stopped_at.into_iter().chain(slept_since).min();
        let games = Arc::clone(&self.games);
        let clock = self.shared.clock.clone();
        (handle, supervise(actor, games, game, clock, since))
    }
}
