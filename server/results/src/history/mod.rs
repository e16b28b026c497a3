//! The history of finished games, for readers: the archive, statistics, ratings and leaderboards.
//!
//! Everything here reads results, never logs of running games, so no answer can show one. A reader sees the public games
//! and the private ones that it played in; statistics count exactly these.

mod boards;
mod exports;
mod turns;

use std::fmt;
use std::sync::Arc;

use tilewire_people::leaderboards::Span;
use tilewire_people::pools::Pool;
use tilewire_people::results::GameResult;
use tilewire_people::statistics::{HeadToHead, Statistics};
use tilewire_protocol::GameId;
use tilewire_rules::time::Timestamp;

use tilewire_accounts::people::Ratings;
use tilewire_base::address::ClientAddress;
use tilewire_base::clock::ServerClock;
use tilewire_config::{Limits, Timing};
use tilewire_delivery::shares::{Slot, Slots};
use tilewire_store::{
    AccountStore, CurvePoint, Journal, RatingRow, ResultFilter, ResultPage, ResultStore,
    StoreError, StoredResult,
};
use tilewire_wire::catalogue::Catalogue;

pub use boards::{AverageBoard, Named, RatingBoard};
pub use exports::ExportPlace;
use exports::Exports;
use turns::Turns;

/// Results that are read at once for sums over all of them.
const SUMMED_RESULTS: usize = 200;

/// The services that [`History`] uses.
#[derive(Clone)]
pub struct HistoryServices {
    /// Server time.
    pub clock: ServerClock,
    /// Results and ratings.
    pub store: Arc<dyn ResultStore>,
    /// The present ratings, for boards.
    pub ratings: Arc<dyn Ratings>,
    /// The accounts, for handles.
    pub accounts: Arc<dyn AccountStore>,
    /// The logs of games, for exports.
    pub journal: Arc<dyn Journal>,
    /// The rule sets, for exports.
    pub catalogue: Catalogue,
}

/// Reads results and ratings.
pub struct History {
    /// The services that it reads.
    pub parts: HistoryServices,
    turns: Arc<Turns>,
    slots: Slots,
    of_moderators: Slots,
    exports: Exports,
}

/// The rating of a player in a pool, now, and how it came about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolRating {
    /// The rating.
    pub row: RatingRow,
    /// The last points of its curve, the oldest first.
    pub curve: Vec<CurvePoint>,
}

impl History {
    /// Returns the reader of a server with these limits and times.
    #[must_use]
    pub fn new(parts: HistoryServices, limits: &Limits, timing: &Timing) -> Self {
        Self {
            parts,
            turns: Arc::default(),
            slots: Slots::of_records(limits),
            of_moderators: Slots::of_moderators(limits),
            exports: Exports::new(limits, timing),
        }
    }

    /// Takes a slot for a request that reads many results, if one is left.
    pub fn try_enter(&self, from: ClientAddress) -> Option<Slot> {
        self.slots.try_take(Some(from))
    }

    /// Takes a slot that only moderators have, if one is left.
    pub fn try_enter_as_moderator(&self) -> Option<Slot> {
        self.of_moderators.try_take(None)
    }

    /// Takes a place for an export to a client, if one is left.
    pub fn begin_export(&self, from: ClientAddress) -> Option<ExportPlace> {
        self.exports.begin(from)
    }

    /// Forgets the turns that boards are computed from: the next request reads them again.
    pub async fn forget_turns(&self) {
        self.turns.forget().await;
    }

    /// Returns the server's time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.parts.clock.now()
    }

    /// Returns a page of results, the newest first.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn archive(
        &self,
        filter: ResultFilter,
        before: Option<u64>,
        limit: usize,
    ) -> Result<ResultPage, StoreError> {
        self.parts.store.page(filter, before, limit).await
    }

    /// Returns the result of a game; `None` if it has none yet or the viewer may not see it.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn result(
        &self,
        viewer: &str,
        game: &GameId,
    ) -> Result<Option<StoredResult>, StoreError> {
        let filter = ResultFilter {
            viewer: viewer.to_owned(),
            ..ResultFilter::default()
        };
        let found = self.parts.store.result(game).await?;
        Ok(found.filter(|stored| filter.fits(stored)))
    }

    /// Returns the statistics of a player, over the games that the viewer may see.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn statistics(&self, viewer: &str, player: &str) -> Result<Statistics, StoreError> {
        let filter = ResultFilter {
            viewer: viewer.to_owned(),
            ..ResultFilter::of_player(player)
        };
        let mut statistics = Statistics::default();
        self.each(filter, |result| statistics.add(player, result))
            .await?;
        Ok(statistics)
    }

    /// Returns the games of a player against another, of those that the viewer may see.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn head_to_head(
        &self,
        viewer: &str,
        player: &str,
        opponent: &str,
    ) -> Result<HeadToHead, StoreError> {
        let filter = ResultFilter {
            viewer: viewer.to_owned(),
            opponent: Some(opponent.to_owned()),
            ..ResultFilter::of_player(player)
        };
        let mut total = HeadToHead::default();
        self.each(filter, |result| total.add(player, opponent, result))
            .await?;
        Ok(total.finished())
    }

    /// Calls `add` for every result that fits, the newest first.
    async fn each(
        &self,
        filter: ResultFilter,
        mut add: impl FnMut(&GameResult),
    ) -> Result<(), StoreError> {
        let mut before = None;
        loop {
            let page = self
                .parts
                .store
                .page(filter.clone(), before, SUMMED_RESULTS);
            let page = page.await?;
            page.results.iter().for_each(|stored| add(&stored.result));
            before = page.next;
            if before.is_none() {
                return Ok(());
            }
        }
    }

    /// Returns the ratings of a player, with the last `points` points of each curve.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn ratings(
        &self,
        player: &str,
        points: usize,
    ) -> Result<Vec<PoolRating>, StoreError> {
        let rows = self.parts.store.ratings_of(player).await?;
        let mut ratings = Vec::with_capacity(rows.len());
        for row in rows {
            let curve = self.parts.store.curve(player, &row.pool, points).await?;
            ratings.push(PoolRating { row, curve });
        }
        Ok(ratings)
    }

    /// Returns the rating board of a pool.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn rating_board(&self, pool: &Pool) -> Result<RatingBoard, StoreError> {
        boards::by_rating(&self.parts, pool).await
    }

    /// Reads all results for the boards of averages, so that the first one after a start need not.
    pub async fn read_all(&self) {
        let read = self.turns.follow(&*self.parts.store, self.now()).await;
        if let Err(error) = read {
            tracing::warn!(%error, "the first leaderboard reads the results");
        }
    }

    /// Returns the board of averages per turn of a pool.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn average_board(&self, pool: &Pool, span: Span) -> Result<AverageBoard, StoreError> {
        boards::by_average(&self.parts, &self.turns, pool, span).await
    }
}

#[cfg(test)]
mod tests;

impl fmt::Debug for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("History").finish_non_exhaustive()
    }
}
