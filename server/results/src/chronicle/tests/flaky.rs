//! A store that fails at some calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_people::pools::Pool;
use tilewire_people::ratings::PlayerRating;
use tilewire_protocol::GameId;

use tilewire_store::{
    Arrival, Chapter, ChapterError, CountedSeats, Cursor, CurvePoint, Endings, RatingRow,
    ResultFilter, ResultPage, ResultStore, StoreError, StoreFuture, StoredResult,
};

/// The calls that fail: each second one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// Writes fail and store nothing.
    BeforeWrite,
    /// Writes are stored and report an error.
    AfterWrite,
    /// Reads of ratings fail.
    Read,
}

#[derive(Debug)]
pub(super) struct Flaky<S> {
    store: Arc<S>,
    fault: Fault,
    calls: AtomicUsize,
}

impl<S> Flaky<S> {
    pub(super) fn new(store: Arc<S>, fault: Fault) -> Self {
        Self {
            store,
            fault,
            calls: AtomicUsize::new(0),
        }
    }

    fn fails(&self, fault: Fault) -> bool {
        self.fault == fault && self.calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(2)
    }
}

fn error() -> StoreError {
    StoreError::Unavailable("on purpose".to_owned())
}

impl<S: ResultStore> ResultStore for Flaky<S> {
    fn endings(&self, after: Arrival, rows: usize, games: usize) -> StoreFuture<'_, Endings> {
        self.store.endings(after, rows, games)
    }

    fn ended(&self) -> BoxFuture<'_, ()> {
        self.store.ended()
    }

    fn cursor(&self) -> StoreFuture<'_, Cursor> {
        self.store.cursor()
    }

    fn write(&self, chapter: Chapter) -> BoxFuture<'_, Result<(), ChapterError>> {
        async {
            if self.fails(Fault::BeforeWrite) {
                return Err(error().into());
            }
            let written = self.store.write(chapter).await;
            match self.fails(Fault::AfterWrite) {
                true => Err(error().into()),
                false => written,
            }
        }
        .boxed()
    }

    fn ratings(&self, keys: Vec<(Pool, String)>) -> StoreFuture<'_, Vec<Option<PlayerRating>>> {
        match self.fails(Fault::Read) {
            true => async { Err(error()) }.boxed(),
            false => self.store.ratings(keys),
        }
    }

    fn ratings_after(
        &self,
        after: Option<(Pool, String)>,
        limit: usize,
    ) -> StoreFuture<'_, Vec<RatingRow>> {
        self.store.ratings_after(after, limit)
    }

    fn ratings_of<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Vec<RatingRow>> {
        self.store.ratings_of(identity)
    }

    fn curve<'a>(
        &'a self,
        identity: &'a str,
        pool: &'a Pool,
        limit: usize,
    ) -> StoreFuture<'a, Vec<CurvePoint>> {
        self.store.curve(identity, pool, limit)
    }

    fn counted_seats(&self, after: u64, results: u64) -> StoreFuture<'_, CountedSeats> {
        self.store.counted_seats(after, results)
    }

    fn result<'a>(&'a self, game: &'a GameId) -> StoreFuture<'a, Option<StoredResult>> {
        self.store.result(game)
    }

    fn page(
        &self,
        filter: ResultFilter,
        before: Option<u64>,
        limit: usize,
    ) -> StoreFuture<'_, ResultPage> {
        self.store.page(filter, before, limit)
    }
}
