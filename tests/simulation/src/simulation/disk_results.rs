//! The storage contracts for results, ratings and conduct on the simulated disk: those in memory, made as slow and as unreliable as
//! the rest.

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_people::conduct::{Conduct, POINTS_MOST};
use tilewire_people::pools::Pool;
use tilewire_people::ratings::PlayerRating;
use tilewire_protocol::GameId;
use tilewire_store::{
    Arrival, Chapter, ChapterError, ConductRow, CountedSeats, Cursor, CurvePoint, Ending,
    EndingFeed, Endings, RatingRow, ResultFilter, ResultPage, ResultStore, StoreError,
    StoredResult,
};

use super::disk::{Disk, State};
use super::disk_people::{at_once, on_purpose};
use super::durable::{Chronicled, Durable, Step};
use super::flaws::Flaw;

impl Durable {
    /// Returns how far the chronicle has come.
    pub(super) fn cursor(&self) -> Cursor {
        at_once(self.results.cursor()).expect("in memory")
    }

    /// Returns the ends of games behind a place.
    fn endings_after(&self, after: Arrival) -> &[Ending] {
        let known = self.endings.partition_point(|one| one.arrival <= after);
        &self.endings[known..]
    }

    fn has_result(&self, game: &GameId) -> bool {
        at_once(self.results.result(game)).is_ok_and(|found| found.is_some())
    }
}

impl State {
    fn endings(&self, after: Arrival, rows: usize, games: usize) -> Endings {
        let last = Arrival(self.version);
        let rows = u64::try_from(rows).unwrap_or(u64::MAX);
        let mut until = last.min(Arrival(after.0.saturating_add(rows)));
        let forgets = self.flaw == Some(Flaw::PlaceForgotten);
        let found = self.durable.endings_after(after).iter();
        let found = found.filter(|one| one.arrival <= until);
        let found = found.filter(|one| forgets || !self.durable.has_result(&one.game));
        let found: Vec<Ending> = found.take(games).cloned().collect();
        if let Some(end) = found.last().filter(|_| found.len() == games) {
            until = end.arrival;
        }
        Endings {
            games: found,
            until,
            is_end: until == last,
        }
    }

    fn write(&mut self, mut chapter: Chapter) -> Result<(), ChapterError> {
        match self.flaw {
            Some(Flaw::PlaceForgotten) => chapter.after = self.durable.cursor(),
            Some(Flaw::ChapterTorn) => chapter.results.truncate(chapter.results.len() / 2),
            Some(Flaw::RatedTwice) => chapter.ratings.iter_mut().for_each(rate_twice),
            Some(Flaw::PointTwice) => chapter.conduct.iter_mut().for_each(point_twice),
            _ => {}
        }
        let written = Step::Written {
            results: chapter.results.clone(),
            until: chapter.until,
        };
        let durable = &self.durable;
        durable.accounts.write_chapter(&durable.results, chapter)?;
        self.chronicle(written);
        Ok(())
    }

    /// Reports a step of the chronicle.
    fn chronicle(&mut self, step: Step) {
        let version = self.version;
        self.chronicled.push(Chronicled { version, step });
    }
}

impl Disk {
    /// Stores points that a player has from before.
    pub(super) fn had_points(&self, identity: &str, points: u8) {
        let state = self.lock();
        let (durable, after) = (&state.durable, state.durable.cursor());
        let row = ConductRow {
            identity: identity.to_owned(),
            expected: 0,
            conduct: Conduct {
                points,
                ..Conduct::default()
            },
        };
        let chapter = Chapter {
            after,
            until: after.arrival,
            results: Vec::new(),
            ratings: Vec::new(),
            conduct: vec![row],
            waits: Vec::new(),
        };
        let written = durable.accounts.write_chapter(&durable.results, chapter);
        drop(state);
        written.expect("nothing else writes");
    }
}

/// Counts the last game of a rating once more, under another name.
fn rate_twice(row: &mut RatingRow) {
    let bytes = row.rating.encode();
    let mut rating: serde_json::Value = serde_json::from_slice(&bytes).expect("it is JSON");
    let games = rating["results"].as_array_mut().expect("a list of games");
    let mut again = games.last().expect("a game was just added").clone();
    again["game"] = format!("{} again", again["game"].as_str().unwrap_or_default()).into();
    games.push(again);
    let bytes = serde_json::to_vec(&rating).expect("it is JSON");
    row.rating = PlayerRating::decode(&bytes).expect("the form of a rating");
}

/// Counts a point once more.
fn point_twice(row: &mut ConductRow) {
    let points = &mut row.conduct.points;
    *points = (2 * *points).min(POINTS_MOST);
}

impl EndingFeed for Disk {
    fn endings(
        &self,
        after: Arrival,
        rows: usize,
        games: usize,
    ) -> BoxFuture<'_, Result<Endings, StoreError>> {
        Box::pin(async move {
            // Without an end there is nothing to see, and nothing to wait for.
            if self.look(|durable| durable.endings_after(after).is_empty()) {
                return Ok(self.lock().endings(after, usize::MAX, games));
            }
            self.read(move |state| state.endings(after, rows, games))
                .await
        })
    }

    fn ended(&self) -> BoxFuture<'_, ()> {
        self.ended.notified().boxed()
    }
}

impl ResultStore for Disk {
    fn cursor(&self) -> BoxFuture<'_, Result<Cursor, StoreError>> {
        Box::pin(async move {
            let cursor = self.look(|durable| {
                let cursor = durable.cursor();
                let is_behind = !durable.endings_after(cursor.arrival).is_empty();
                (!is_behind).then_some(cursor)
            });
            let cursor = match cursor {
                // It is looked at all the time, mostly for nothing.
                Some(cursor) => cursor,
                None => self.read(|state| state.durable.cursor()).await?,
            };
            Ok(match std::mem::take(&mut self.lock().forgets_place) {
                true => Cursor {
                    arrival: Arrival(0),
                    ..cursor
                },
                false => cursor,
            })
        })
    }

    fn write(&self, chapter: Chapter) -> BoxFuture<'_, Result<(), ChapterError>> {
        let fail = || Err(on_purpose().into());
        Box::pin(async move {
            let outcome = self.change(fail, fail, |state| state.write(chapter)).await;
            if outcome.is_ok() {
                self.lock().chronicle(Step::Known);
            }
            outcome
        })
    }

    fn ratings(
        &self,
        keys: Vec<(Pool, String)>,
    ) -> BoxFuture<'_, Result<Vec<Option<PlayerRating>>, StoreError>> {
        Box::pin(async move {
            self.read(|state| at_once(state.durable.results.ratings(keys)))
                .await?
        })
    }

    fn ratings_after(
        &self,
        after: Option<(Pool, String)>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<RatingRow>, StoreError>> {
        // A server that cannot read this does not start, so the disk never refuses it.
        let mut state = self.lock();
        let found = at_once(state.durable.results.ratings_after(after, limit));
        state.chronicle(Step::Known);
        drop(state);
        Box::pin(async move { found })
    }

    fn ratings_of<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Vec<RatingRow>, StoreError>> {
        Box::pin(async move {
            self.read(|state| at_once(state.durable.results.ratings_of(identity)))
                .await?
        })
    }

    fn curve<'a>(
        &'a self,
        identity: &'a str,
        pool: &'a Pool,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<CurvePoint>, StoreError>> {
        Box::pin(async move {
            self.read(|state| at_once(state.durable.results.curve(identity, pool, limit)))
                .await?
        })
    }

    fn counted_seats(
        &self,
        after: u64,
        results: u64,
    ) -> BoxFuture<'_, Result<CountedSeats, StoreError>> {
        Box::pin(async move {
            self.read(|state| at_once(state.durable.results.counted_seats(after, results)))
                .await?
        })
    }

    fn result<'a>(
        &'a self,
        game: &'a GameId,
    ) -> BoxFuture<'a, Result<Option<StoredResult>, StoreError>> {
        Box::pin(async move {
            self.read(|state| at_once(state.durable.results.result(game)))
                .await?
        })
    }

    fn page(
        &self,
        filter: ResultFilter,
        before: Option<u64>,
        limit: usize,
    ) -> BoxFuture<'_, Result<ResultPage, StoreError>> {
        Box::pin(async move {
            self.read(|state| at_once(state.durable.results.page(filter, before, limit)))
                .await?
        })
    }
}
