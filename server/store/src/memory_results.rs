//! Results in memory: the smallest implementation of [`ResultStore`], for simulations.
//!
//! The conduct of players and the restrictions are in [`MemoryAccounts`](super::MemoryAccounts), which writes chapters that
//! have any.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use tilewire_people::leaderboards::CountedSeat;
use tilewire_people::pools::Pool;
use tilewire_people::ratings::PlayerRating;
use tilewire_protocol::GameId;

use super::{
    Chapter, ChapterError, CountedSeats, Cursor, CurvePoint, RatingRow, ResultFilter, ResultPage,
    ResultStore, SCANNED_RESULTS, StoreError, StoredResult,
};

/// Results in memory.
#[derive(Debug, Default)]
pub struct MemoryResults {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    cursor: Cursor,
    results: BTreeMap<u64, StoredResult>,
    ratings: BTreeMap<(Pool, String), PlayerRating>,
}

impl MemoryResults {
    /// Returns all results, in the order in which they were written.
    #[must_use]
    pub fn all(&self) -> Vec<StoredResult> {
        self.state().results.values().cloned().collect()
    }

    /// Stores the results and ratings of a chapter.
    pub(super) fn put(&self, chapter: Chapter) -> Result<(), ChapterError> {
        self.state().write(chapter)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn write(&mut self, chapter: Chapter) -> Result<(), ChapterError> {
        if chapter.after != self.cursor {
            return Err(ChapterError::Stale);
        }
        for new in chapter.results {
            let number = self.results.last_key_value().map_or(0, |(last, _)| *last) + 1;
            let stored = StoredResult {
                number,
                result: new.result,
                is_private: new.is_private,
                changes: new.changes,
            };
            self.results.insert(number, stored);
        }
        for row in chapter.ratings {
            self.ratings.insert((row.pool, row.identity), row.rating);
        }
        self.cursor = Cursor {
            arrival: chapter.until,
            edition: self.cursor.edition + 1,
        };
        Ok(())
    }

    fn page(&self, filter: &ResultFilter, before: Option<u64>, limit: usize) -> ResultPage {
        let older = self.results.range(..before.unwrap_or(u64::MAX)).rev();
        let player = filter.player.as_deref();
        let mut scanned = older
            .map(|(_, stored)| stored)
            .filter(|stored| player.is_none_or(|player| stored.result.seat_of(player).is_some()))
            .take(SCANNED_RESULTS + 1)
            .peekable();
        let (mut page, mut seen) = (Vec::new(), 0);
        while let Some(stored) = scanned.next() {
            seen += 1;
            if filter.fits(stored) {
                page.push(stored.clone());
            }
            let is_full = page.len() == limit || seen == SCANNED_RESULTS;
            if is_full && scanned.peek().is_some() {
                let next = Some(stored.number);
                return ResultPage {
                    results: page,
                    next,
                };
            }
        }
        ResultPage {
            results: page,
            next: None,
        }
    }

    fn curve(&self, identity: &str, pool: &Pool, limit: usize) -> Vec<CurvePoint> {
        let newest = self.results.values().rev();
        let points = newest.filter_map(|stored| {
            let game = stored.result.rated_game()?;
            let mut changes = stored.changes.iter();
            let change = changes.find(|change| change.identity == identity)?;
            (game.pool == *pool).then_some(CurvePoint {
                at: stored.result.ended_at,
                rating: change.after,
                deviation: change.deviation,
            })
        });
        let mut points: Vec<CurvePoint> = points.take(limit).collect();
        points.reverse();
        points
    }

    fn counted_seats(&self, after: u64, results: u64) -> CountedSeats {
        let last = self.results.last_key_value().map_or(0, |(last, _)| *last);
        let until = last.min(after.saturating_add(results)).max(after);
        let mut pools: BTreeMap<Pool, Vec<CountedSeat>> = BTreeMap::new();
        let part = (Bound::Excluded(after), Bound::Included(until));
        for (_, stored) in self.results.range(part) {
            let result = &stored.result;
            let Some(game) = result.rated_game() else {
                continue;
            };
            let counted = result.seats.iter().filter(|seat| seat.is_counted);
            pools
                .entry(game.pool)
                .or_default()
                .extend(counted.map(|seat| CountedSeat {
                    player: seat.identity.clone(),
                    ended_at: result.ended_at,
                    turns: seat.figures.turns,
                    points: seat.figures.turn_points,
                }));
        }
        CountedSeats {
            pools,
            until,
            is_end: until >= last,
        }
    }

    fn rows(&self, is_wanted: impl Fn(&Pool, &str, &PlayerRating) -> bool) -> Vec<RatingRow> {
        let rows = self.ratings.iter();
        let rows = rows.filter(|((pool, identity), rating)| is_wanted(pool, identity, rating));
        rows.map(|((pool, identity), rating)| RatingRow {
            pool: pool.clone(),
            identity: identity.clone(),
            rating: rating.clone(),
        })
        .collect()
    }
}

/// An answer that is there already.
fn now<'a, T: Send + 'a>(answer: T) -> BoxFuture<'a, T> {
    ready(answer).boxed()
}

impl ResultStore for MemoryResults {
    fn cursor(&self) -> BoxFuture<'_, Result<Cursor, StoreError>> {
        now(Ok(self.state().cursor))
    }

    fn write(&self, chapter: Chapter) -> BoxFuture<'_, Result<(), ChapterError>> {
        now(self.put(chapter))
    }

    fn ratings(
        &self,
        keys: Vec<(Pool, String)>,
    ) -> BoxFuture<'_, Result<Vec<Option<PlayerRating>>, StoreError>> {
        let state = self.state();
        let found = keys.iter().map(|key| state.ratings.get(key).cloned());
        now(Ok(found.collect()))
    }

    fn ratings_after(
        &self,
        after: Option<(Pool, String)>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<RatingRow>, StoreError>> {
        // In the order of the pools' texts, as databases have it.
        let key = |pool: &Pool, identity: &str| (pool.to_string(), identity.to_owned());
        let after = after.map(|(pool, identity)| key(&pool, &identity));
        let mut rows = self.state().rows(|pool, identity, _| {
            let is_behind = |after: &(String, String)| key(pool, identity) > *after;
            after.as_ref().is_none_or(is_behind)
        });
        rows.sort_by_key(|row| key(&row.pool, &row.identity));
        rows.truncate(limit);
        now(Ok(rows))
    }

    fn ratings_of<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Vec<RatingRow>, StoreError>> {
        let mut rows = self.state().rows(|_, player, _| player == identity);
        rows.sort_by_key(|row| row.pool.to_string());
        now(Ok(rows))
    }

    fn curve<'a>(
        &'a self,
        identity: &'a str,
        pool: &'a Pool,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<CurvePoint>, StoreError>> {
        now(Ok(self.state().curve(identity, pool, limit)))
    }

    fn counted_seats(
        &self,
        after: u64,
        results: u64,
    ) -> BoxFuture<'_, Result<CountedSeats, StoreError>> {
        now(Ok(self.state().counted_seats(after, results)))
    }

    fn result<'a>(
        &'a self,
        game: &'a GameId,
    ) -> BoxFuture<'a, Result<Option<StoredResult>, StoreError>> {
        let state = self.state();
        let mut results = state.results.values();
        let found = results.find(|stored| stored.result.game == game.as_str());
        now(Ok(found.cloned()))
    }

    fn page(
        &self,
        filter: ResultFilter,
        before: Option<u64>,
        limit: usize,
    ) -> BoxFuture<'_, Result<ResultPage, StoreError>> {
        now(Ok(self.state().page(&filter, before, limit)))
    }
}
