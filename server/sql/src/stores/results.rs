//! Results and ratings.

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_people::pools::Pool;
use tilewire_people::ratings::PlayerRating;
use tilewire_protocol::GameId;

use crate::access::Occasion;
use crate::journal_reader::JournalReader;
use crate::{Connection, SqlStorage, result_page, results};
use tilewire_store::{
    Arrival, Chapter, ChapterError, CountedSeats, Cursor, CurvePoint, Endings, RatingRow,
    ResultFilter, ResultPage, ResultStore, StoreFuture, StoredResult,
};

impl ResultStore for SqlStorage {
    fn endings(&self, after: Arrival, rows: usize, games: usize) -> StoreFuture<'_, Endings> {
        async move {
            let last = self.final_arrival().await?;
            let is_nothing = |found: &Endings| found.games.is_empty();
            let read = move |db: &Connection| results::endings(db, (after, last), rows, games);
            self.access.poll(Occasion::Poll, is_nothing, read).await
        }
        .boxed()
    }

    fn ended(&self) -> BoxFuture<'_, ()> {
        self.ended.notified().boxed()
    }

    fn cursor(&self) -> StoreFuture<'_, Cursor> {
        self.access
            .read_on(Occasion::Glance, |db| JournalReader::Results.cursor(db))
            .boxed()
    }

    fn write(&self, chapter: Chapter) -> BoxFuture<'_, Result<(), ChapterError>> {
        self.write_chapter(chapter).boxed()
    }

    fn ratings(&self, keys: Vec<(Pool, String)>) -> StoreFuture<'_, Vec<Option<PlayerRating>>> {
        self.access
            .read(move |db| results::ratings(db, &keys))
            .boxed()
    }

    fn ratings_after(
        &self,
        after: Option<(Pool, String)>,
        limit: usize,
    ) -> StoreFuture<'_, Vec<RatingRow>> {
        self.access
            .read_on(Occasion::Ratings, move |db| {
                results::ratings_after(db, after.as_ref(), limit)
            })
            .boxed()
    }

    fn ratings_of<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Vec<RatingRow>> {
        let identity = identity.to_owned();
        self.access
            .read(move |db| results::ratings_of(db, &identity))
            .boxed()
    }

    fn curve<'a>(
        &'a self,
        identity: &'a str,
        pool: &'a Pool,
        limit: usize,
    ) -> StoreFuture<'a, Vec<CurvePoint>> {
        let (identity, pool) = (identity.to_owned(), pool.clone());
        self.access
            .read(move |db| results::curve(db, &identity, &pool, limit))
            .boxed()
    }

    fn counted_seats(&self, after: u64, results: u64) -> StoreFuture<'_, CountedSeats> {
        self.access
            .read(move |db| results::counted_seats(db, after, results))
            .boxed()
    }

    fn result<'a>(&'a self, game: &'a GameId) -> StoreFuture<'a, Option<StoredResult>> {
        let game = game.clone();
        self.access
            .read(move |db| results::result(db, &game))
            .boxed()
    }

    fn page(
        &self,
        filter: ResultFilter,
        before: Option<u64>,
        limit: usize,
    ) -> StoreFuture<'_, ResultPage> {
        self.access
            .read(move |db| result_page::page(db, &filter, before, limit))
            .boxed()
    }
}
