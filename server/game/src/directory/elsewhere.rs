//! The games of other nodes: what this node tells and hears about them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::sync::{MutexGuard, PoisonError};

use futures::future::join_all;
use tilewire_protocol::GameId;
use tilewire_rules::game::Order;
use tilewire_rules::state::State;
use tilewire_rules::time::Seat;

use super::{Directory, FindError};
use crate::handle::GameHandle;
use crate::news::GameNews;
use crate::placement::Location;
use crate::report::{GameReport, Present, Reporter};
use crate::reported::Reported;
use tilewire_base::metrics;
use tilewire_store::{NodeId, StoredGame};

impl Directory {
    /// Loads a game, or asks the node that has it to do so.
    pub async fn wake_anywhere(&self, game: &GameId) {
        match (self.place(game), &self.others) {
            (Location::Mine, _) => self.wake_here(game).await,
            (Location::Elsewhere(Some(_)), Some(others)) => others.wake(game),
            // Its next owner finds it by its deadline, or a client of it does.
            (Location::Elsewhere(_), _) => {}
        }
    }

    /// Loads a game that another node has stored for this one.
    pub async fn wake_here(&self, game: &GameId) {
        match self.find(game).await {
            // A shard that has gone again is the next owner's.
            Ok(_) | Err(FindError::Elsewhere | FindError::Stopping) => {}
            Err(error) => {
                tracing::warn!(game = game.as_str(), %error, "a new game could not be loaded");
            }
        }
    }

    /// Makes the node of a game resign for the seat of an erased player. A caller repeats it until the game is over for
    /// the seat.
    pub async fn resign(&self, game: &GameId, seat: Seat) {
        match (self.place(game), &self.others) {
            (Location::Elsewhere(Some(_)), Some(others)) => others.resign(game, seat),
            _ => self.resign_here(game, seat).await,
        }
    }

    /// Makes a game of this node resign for the seat of an erased player.
    pub async fn resign_here(&self, game: &GameId, seat: Seat) {
        if let Err(error) = self.order(game, None, Order::Resign { seat }).await {
            tracing::warn!(game = game.as_str(), %error, "a game of an erased player goes on");
        }
    }

    /// Lets the finished games of erased players leave memory, where they have the old names. Their clients attach again.
    pub async fn forget_names(&self, erased: &BTreeSet<String>) {
        let mut concerned = Vec::new();
        for entry in &self.games.in_memory {
            let listing = &entry.listing;
            let mut players = listing.players().iter();
            if listing.is_finished() && players.any(|player| erased.contains(player)) {
                concerned.push(entry.handle.clone());
            }
        }
        join_all(concerned.iter().map(GameHandle::hand_over)).await;
    }

    /// Says something about the state of a game that another node has, as it is stored; `None` if the log cannot be replayed.
    pub fn of_stored<T>(&self, stored: StoredGame, say: impl Fn(&State) -> T) -> Option<T> {
        let loaded = self.loader.room(stored).ok()?;
        Some(say(loaded.room.game().state()))
    }

    /// Notes for the next report that a public game began or ended.
    pub fn note_for(&self, reporter: &mut Reporter, news: GameNews) {
        reporter.note(self.shared.clock.now(), news);
    }

    /// Returns the next report about the unfinished games in memory, if there is something to tell, and whether there is more than
    /// fits.
    pub fn report(&self, reporter: &mut Reporter) -> Option<(GameReport, bool)> {
        let mut present = BTreeMap::new();
        for entry in &self.games.in_memory {
            if !entry.listing.is_finished() {
                let listing = &entry.listing;
                let now = Present {
                    created_at: listing.created_at(),
                    version: listing.changes(),
                };
                present.insert(entry.key().clone(), now);
            }
        }
        reporter.report(self.shared.clock.now(), &present, |game| {
            let entry = self.games.in_memory.get(game)?;
            let listing = &entry.listing;
            listing.is_listed().then(|| listing.summary())
        })
    }

    /// Takes a report of another node.
    pub fn take_report(&self, from: NodeId, report: GameReport) {
        let now = self.shared.clock.now();
        let learned = self.reported().take(now, from, report);
        if learned.has_left {
            // Of the games that sleep, some can be new.
            self.games.departures.fetch_add(1, Ordering::SeqCst);
        }
        for news in learned.news {
            self.shared.news.tell(news);
        }
    }

    /// Forgets old reports about the games of other nodes. Asks the storage whether the games of lost nodes are over.
    pub async fn tidy_reported(&self) {
        let now = self.shared.clock.now();
        let doubtful = self.reported().tidy(now, |game| self.place(game));
        metrics::games_elsewhere(self.reported().len());
        for game in doubtful {
            let is_over = match self.stored(&game).await {
                Ok(stored) => stored.is_finished,
                Err(FindError::Unavailable) => continue, // the next look asks again
                Err(_) => false,
            };
            let ended = self.reported().settle(&game);
            self.games.departures.fetch_add(1, Ordering::SeqCst);
            if let Some(ended) = ended.filter(|_| is_over) {
                self.shared.news.tell(GameNews::Ended(ended));
            }
        }
    }

    /// Forgets the games of other nodes: another node has the lobby.
    pub fn forget_reported(&self) {
        self.reported().clear();
        metrics::games_elsewhere(0);
    }

    pub(super) fn reported(&self) -> MutexGuard<'_, Reported> {
        self.reported.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
