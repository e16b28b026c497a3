//! The games in memory, and what becomes of them when their actors end.

use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dashmap::{DashMap, DashSet};
use futures::FutureExt;
use tilewire_protocol::ErrorCode;

use super::FindError;
use crate::clock::ServerClock;
use crate::game::actor::{Actor, End};
use crate::game::handle::GameHandle;
use crate::game::shelf::Shelf;
use crate::metrics;

/// What the actors' ends change.
#[derive(Debug, Default)]
pub(super) struct Games {
    pub(super) in_memory: DashMap<String, Entry>,
    pub(super) by_identity: DashMap<String, BTreeSet<String>>,
    /// Games that nobody looks after, and since when, if not since their last event.
    pub(super) fallen: DashMap<String, Option<i64>>,
    pub(super) broken: DashSet<String>,
    /// How many games have left memory since the start.
    pub(super) departures: AtomicU64,
}

#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) handle: GameHandle,
    pub(super) shelf: Arc<Shelf>,
}

/// Runs an actor to its end, whatever that is, and takes the game out of memory.
#[expect(
    clippy::manual_async_fn,
    reason = "it lives as long as the game: an argument of an `async fn` stays in it beside what became of it"
)]
pub(super) fn supervise(
    mut actor: Actor,
    games: Arc<Games>,
    game: String,
    clock: ServerClock,
    stopped_at: Option<i64>,
) -> impl Future<Output = ()> + Send {
    async move {
        let end = AssertUnwindSafe(actor.run(stopped_at)).catch_unwind().await;
        let failure = match end {
            Ok(End::LetGo) => None,
            Ok(End::Broken(problem)) => {
                games.quarantine(&game, &problem);
                actor.settle();
                Some(ErrorCode::Internal)
            }
            Err(_) => {
                tracing::error!(
                    game,
                    "a game's actor panicked; the game is loaded again when asked for"
                );
                games.fallen.insert(game.clone(), Some(clock.now()));
                actor.settle();
                Some(ErrorCode::Internal)
            }
        };
        actor.farewell(failure);
        games.remove(&game);
    }
}

impl Games {
    pub(super) fn add(&self, game: &str, entry: Entry) {
        if !entry.shelf.is_finished() {
            for player in entry.shelf.players() {
                let mut games = self.by_identity.entry(player.clone()).or_default();
                games.insert(game.to_owned());
            }
        }
        if let Some(former) = self.in_memory.insert(game.to_owned(), entry) {
            former.shelf.finish();
        }
        metrics::games(self.in_memory.len());
    }

    /// Takes a game whose actor has ended out of memory, unless it has a new one by now.
    fn remove(&self, game: &str) {
        let removed = self
            .in_memory
            .remove_if(game, |_, entry| entry.handle.is_gone());
        let Some((_, entry)) = removed else {
            return;
        };
        entry.shelf.finish();
        self.departures.fetch_add(1, Ordering::SeqCst);
        metrics::games(self.in_memory.len());
        for player in entry.shelf.players() {
            if let Some(mut games) = self.by_identity.get_mut(player) {
                games.remove(game);
            }
            self.by_identity
                .remove_if(player, |_, games| games.is_empty());
        }
    }

    /// Leaves a game alone from here on, and calls for help.
    pub(super) fn quarantine(&self, game: &str, problem: &str) -> FindError {
        tracing::error!(
            game,
            problem,
            "a game cannot be played on; its log is kept as it is"
        );
        self.broken.insert(game.to_owned());
        FindError::Broken
    }
}
