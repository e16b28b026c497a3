//! The logs of games.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_protocol::GameId;
use tilewire_rules::event::Record;
use tilewire_rules::time::Millis;

use crate::access::Occasion;
use crate::changes::{Change, Done};
use crate::rows::Rows;
use crate::{Connection, SqlStorage, readers, sleepers};
use tilewire_store::{
    Append, AppendError, GameMeta, GameWriter, Give, Journal, LogTail, Rest, Shard, Shards,
    Sleeper, SleeperLine, StoreError, StoreFuture, StoredGame,
};

impl Journal for SqlStorage {
    fn create(&self, meta: GameMeta, first: Record) -> BoxFuture<'_, Result<(), AppendError>> {
        self.append_change(Change::create(meta, first)).boxed()
    }

    fn create_asleep(
        &self,
        meta: GameMeta,
        first: Record,
        rest: Rest,
    ) -> BoxFuture<'_, Result<(), AppendError>> {
        self.append_change(Change::create_asleep(meta, first, rest))
            .boxed()
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<(), AppendError>> {
        self.append_change(Change::append(append)).boxed()
    }

    fn load<'a>(&'a self, game: &'a GameId) -> StoreFuture<'a, Option<StoredGame>> {
        let id = game.clone();
        async move {
            self.settle().await?;
            let load = Occasion::Load(vec![id.clone()]);
            let read = move |db: &Connection| Rows::of(db, &id);
            let rows = self.access.read_on(load, read).await?;
            rows.map(Rows::game).transpose()
        }
        .boxed()
    }

    fn load_many<'a>(
        &'a self,
        games: &'a [GameId],
    ) -> BoxFuture<'a, Vec<Result<Option<StoredGame>, StoreError>>> {
        let ids = games.to_owned();
        let read = async move {
            self.settle().await?;
            let load = Occasion::Load(ids.clone());
            let read = self.access.read_on(load, move |db| {
                let rows = ids.iter().map(|game| Rows::of(db, game));
                Ok(rows.collect::<Vec<_>>())
            });
            read.await
        };
        async {
            match read.await {
                Ok(all) => {
                    let games = all.into_iter();
                    games
                        .map(|rows| rows?.map(Rows::game).transpose())
                        .collect()
                }
                Err(error) => vec![Err(error); games.len()],
            }
        }
        .boxed()
    }

    fn load_tail<'a>(&'a self, game: &'a GameId, after: u64) -> StoreFuture<'a, Option<LogTail>> {
        let id = game.clone();
        async move {
            self.settle().await?;
            let load = Occasion::Load(vec![id.clone()]);
            let read = move |db: &Connection| Rows::behind(db, &id, after);
            let rows = self.access.read_on(load, read).await?;
            rows.map(|rows| rows.tail(after)).transpose()
        }
        .boxed()
    }

    fn rest(&self, rest: Rest) -> BoxFuture<'_, Result<(), AppendError>> {
        self.append_change(Change::Rest(rest, None)).boxed()
    }

    fn awake(&self, shards: Shards) -> StoreFuture<'_, Vec<GameId>> {
        self.access
            .read_on(Occasion::Start, move |connection| {
                sleepers::awake(connection, shards)
            })
            .boxed()
    }

    fn sleepers(
        &self,
        shards: Shards,
        after: Option<Sleeper>,
        limit: usize,
    ) -> StoreFuture<'_, Vec<Sleeper>> {
        self.access
            .poll(Occasion::Poll, Vec::is_empty, move |connection| {
                sleepers::next(connection, shards, after.as_ref(), limit)
            })
            .boxed()
    }

    fn asleep(&self) -> StoreFuture<'_, usize> {
        self.access
            .poll(Occasion::Poll, |count| *count == 0, sleepers::count)
            .boxed()
    }

    fn asleep_of<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Vec<SleeperLine>> {
        let identity = identity.to_owned();
        self.access
            .poll(Occasion::Poll, Vec::is_empty, move |connection| {
                sleepers::of(connection, &identity)
            })
            .boxed()
    }

    fn unfinished_of<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Vec<GameId>> {
        let identity = identity.to_owned();
        self.access
            .read(move |connection| sleepers::unfinished_of(connection, &identity))
            .boxed()
    }

    fn finished_of<'a>(
        &'a self,
        identity: &'a str,
        before: Option<&'a GameId>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<GameId>> {
        let (identity, before) = (identity.to_owned(), before.cloned());
        self.access
            .read(move |connection| {
                readers::finished_of(connection, &identity, before.as_ref(), limit)
            })
            .boxed()
    }

    fn asleep_listed(&self, limit: usize) -> StoreFuture<'_, Vec<SleeperLine>> {
        self.access
            .poll(Occasion::Poll, Vec::is_empty, move |connection| {
                sleepers::listed(connection, limit)
            })
            .boxed()
    }
}

impl GameWriter for SqlStorage {
    fn flush(&self) -> BoxFuture<'_, Result<(), AppendError>> {
        self.append_change(Change::Settle).boxed()
    }

    fn give(&self, give: Arc<Give>) -> BoxFuture<'_, Result<bool, AppendError>> {
        async {
            let done = self.access.write(Change::Give(give)).await?;
            Ok(done == Done::Given(true))
        }
        .boxed()
    }

    fn still_times(&self) -> StoreFuture<'_, Vec<(Shard, Millis)>> {
        async {
            let read = self.access.read(|db| {
                let read = || -> crate::Result<Vec<(i16, i64)>> {
                    db.prepare_cached("SELECT shard, still_ms FROM shards WHERE shard >= 0")?
                        .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?
                        .collect()
                };
                read().map_err(StoreError::from)
            });
            let times = read.await?.into_iter();
            let of_shard =
                |(number, still_ms)| Some((Shard(u8::try_from(number).ok()?), Millis(still_ms)));
            Ok(times.filter_map(of_shard).collect())
        }
        .boxed()
    }
}
