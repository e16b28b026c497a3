//! The table of games in memory, and the end of their actors.

use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dashmap::{DashMap, DashSet};
use futures::FutureExt;
use tilewire_protocol::{ErrorCode, GameId};
use tilewire_rules::time::Timestamp;

use super::FindError;
use crate::actor::{Actor, End};
use crate::handle::GameHandle;
use crate::listing::Listing;
use tilewire_base::clock::ServerClock;
use tilewire_base::metrics;

/// The table of games in memory.
#[derive(Debug, Default)]
pub(super) struct Games {
    pub(super) in_memory: DashMap<GameId, Entry>,
    pub(super) by_identity: DashMap<String, BTreeSet<GameId>>,
    /// Games whose actor failed, and when, if that is known.
    pub(super) fallen: DashMap<GameId, Option<Timestamp>>,
    pub(super) broken: DashSet<GameId>,
    /// The number of games that have left memory since the start.
    pub(super) departures: AtomicU64,
}

#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) handle: GameHandle,
    pub(super) listing: Arc<Listing>,
}

/// Runs an actor to its end and removes its game from memory.
#[expect(
    clippy::manual_async_fn,
    reason = "it lives as long as the game: an argument of an `async fn` stays in it beside what became of it"
)]
pub(super) fn supervise(
    mut actor: Actor,
    games: Arc<Games>,
    game: GameId,
    clock: ServerClock,
    stopped_at: Option<Timestamp>,
) -> impl Future<Output = ()> + Send {
    async move {
        let end = AssertUnwindSafe(actor.run(stopped_at)).catch_unwind().await;
        let failure = match end {
            Ok(End::LetGo) => None,
            Ok(End::Fenced) => {
                tracing::warn!(
                    game = game.as_str(),
                    "another node owns the game; it leaves memory"
                );
                actor.settle();
                Some(ErrorCode::Busy)
            }
            Ok(End::Moved) => {
                actor.settle();
                Some(ErrorCode::Busy)
            }
            Ok(End::Broken(problem)) => {
                games.quarantine(&game, &problem);
                actor.settle();
                Some(ErrorCode::Internal)
            }
            Err(_) => {
                tracing::error!(
                    game = game.as_str(),
                    "the actor of a game panicked; the next request loads the game again"
                );
                games.fallen.insert(game.clone(), Some(clock.now()));
                actor.settle();
                Some(ErrorCode::Internal)
            }
        };
        actor.end(failure);
        games.remove(&game);
    }
}

impl Games {
    pub(super) fn add(&self, game: &GameId, entry: Entry) {
        if !entry.listing.is_finished() {
            for player in entry.listing.players() {
                let mut games = self.by_identity.entry(player.clone()).or_default();
                games.insert(game.clone());
            }
        }
        if let Some(former) = self.in_memory.insert(game.clone(), entry) {
            former.listing.finish();
        }
        metrics::games(self.in_memory.len());
    }

    /// Removes a game whose actor has ended, unless it has a new one by now.
    fn remove(&self, game: &GameId) {
        let removed = self
            .in_memory
            .remove_if(game, |_, entry| entry.handle.is_gone());
        let Some((_, entry)) = removed else {
            return;
        };
        entry.listing.finish();
        self.departures.fetch_add(1, Ordering::SeqCst);
        metrics::games(self.in_memory.len());
        for player in entry.listing.players() {
            if let Some(mut games) = self.by_identity.get_mut(player) {
                games.remove(game);
            }
            self.by_identity
                .remove_if(player, |_, games| games.is_empty());
        }
    }

    /// Sets a game aside, and logs it for the operator.
    pub(super) fn quarantine(&self, game: &GameId, problem: &str) -> FindError {
        tracing::error!(
            game = game.as_str(),
            problem,
            "a game cannot go on; its log is left as it is"
        );
        self.broken.insert(game.clone());
        FindError::Broken
    }
}
