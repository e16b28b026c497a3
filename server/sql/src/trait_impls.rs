//! The storage contracts: each call is a change for the writing thread or a query for a reading thread.

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_people::relations::Relation;
use tilewire_protocol::GameId;
use tilewire_rules::event::Record;
use tilewire_rules::time::Timestamp;

use super::access::Occasion;
use super::changes::{Change, Done};
use super::rows::Rows;
use super::{Connection, SqlStorage, chat, erasure, personal_rows, readers, relations, sleepers};

use tilewire_store::{
    Append, AppendError, ChatChange, ChatStore, CommandKey, DirectLine, Erasure, ErasureChange,
    GameMeta, Journal, LobbyChange, LobbyStore, LogTail, PersonalRows, PersonalStore, Progress,
    RelationChange, RelationError, RelationStore, Relations, Rest, Shards, Sleeper, SleeperLine,
    StoreError, StoredCommand, StoredGame, StoredLine, StoredSeek,
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

    fn load<'a>(
        &'a self,
        game: &'a GameId,
    ) -> BoxFuture<'a, Result<Option<StoredGame>, StoreError>> {
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

    fn load_tail<'a>(
        &'a self,
        game: &'a GameId,
        after: u64,
    ) -> BoxFuture<'a, Result<Option<LogTail>, StoreError>> {
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

    fn awake(&self, shards: Shards) -> BoxFuture<'_, Result<Vec<GameId>, StoreError>> {
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
    ) -> BoxFuture<'_, Result<Vec<Sleeper>, StoreError>> {
        self.access
            .poll(Occasion::Poll, Vec::is_empty, move |connection| {
                sleepers::next(connection, shards, after.as_ref(), limit)
            })
            .boxed()
    }

    fn asleep(&self) -> BoxFuture<'_, Result<usize, StoreError>> {
        self.access
            .poll(Occasion::Poll, |count| *count == 0, sleepers::count)
            .boxed()
    }

    fn asleep_of<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Vec<SleeperLine>, StoreError>> {
        let identity = identity.to_owned();
        self.access
            .poll(Occasion::Poll, Vec::is_empty, move |connection| {
                sleepers::of(connection, &identity)
            })
            .boxed()
    }

    fn unfinished_of<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Vec<GameId>, StoreError>> {
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
    ) -> BoxFuture<'a, Result<Vec<GameId>, StoreError>> {
        let (identity, before) = (identity.to_owned(), before.cloned());
        self.access
            .read(move |connection| {
                readers::finished_of(connection, &identity, before.as_ref(), limit)
            })
            .boxed()
    }

    fn asleep_listed(&self, limit: usize) -> BoxFuture<'_, Result<Vec<SleeperLine>, StoreError>> {
        self.access
            .poll(Occasion::Poll, Vec::is_empty, move |connection| {
                sleepers::listed(connection, limit)
            })
            .boxed()
    }
}

impl LobbyStore for SqlStorage {
    fn seeks(&self) -> BoxFuture<'_, Result<Vec<StoredSeek>, StoreError>> {
        self.access.read_on(Occasion::Start, readers::seeks).boxed()
    }

    fn commands(
        &self,
        keys: Vec<CommandKey>,
    ) -> BoxFuture<'_, Result<Vec<Option<StoredCommand>>, StoreError>> {
        self.access
            .read(move |connection| readers::commands(connection, &keys))
            .boxed()
    }

    fn commands_of<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Vec<StoredCommand>, StoreError>> {
        let identity = identity.to_owned();
        self.access
            .read(move |connection| readers::commands_of(connection, &identity))
            .boxed()
    }

    fn commit(&self, change: LobbyChange) -> BoxFuture<'_, Result<(), StoreError>> {
        self.write(Change::Lobby(change)).boxed()
    }
}

impl RelationStore for SqlStorage {
    fn relations<'a>(&'a self, identity: &'a str) -> BoxFuture<'a, Result<Relations, StoreError>> {
        let identity = identity.to_owned();
        self.access
            .read(move |connection| relations::relations(connection, &identity))
            .boxed()
    }

    fn relation<'a>(
        &'a self,
        identity: &'a str,
        other: &'a str,
    ) -> BoxFuture<'a, Result<Relation, StoreError>> {
        let (identity, other) = (identity.to_owned(), other.to_owned());
        self.access
            .read(move |connection| relations::relation(connection, &identity, &other))
            .boxed()
    }

    fn blocks(&self) -> BoxFuture<'_, Result<Vec<(String, String)>, StoreError>> {
        self.access
            .read_on(Occasion::Start, relations::blocks)
            .boxed()
    }

    fn follows(&self) -> BoxFuture<'_, Result<Vec<(String, String)>, StoreError>> {
        self.access
            .read_on(Occasion::Start, relations::follows)
            .boxed()
    }

    fn relate(&self, change: RelationChange) -> BoxFuture<'_, Result<(), RelationError>> {
        self.write_relation(change).boxed()
    }
}

impl ChatStore for SqlStorage {
    fn lines<'a>(
        &'a self,
        room: &'a str,
        after: u64,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<StoredLine>, StoreError>> {
        let room = room.to_owned();
        self.access
            .read(move |connection| chat::lines(connection, &room, after, most))
            .boxed()
    }

    fn direct_rooms<'a>(
        &'a self,
        identity: &'a str,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<DirectLine>, StoreError>> {
        let identity = identity.to_owned();
        self.access
            .read(move |connection| chat::direct_rooms(connection, &identity, most))
            .boxed()
    }

    fn say(&self, change: ChatChange) -> BoxFuture<'_, Result<(), StoreError>> {
        self.write(Change::Chat(change)).boxed()
    }
}

impl PersonalStore for SqlStorage {
    fn personal<'a>(
        &'a self,
        identity: &'a str,
        table: usize,
        skip: usize,
        most: usize,
    ) -> BoxFuture<'a, Result<Option<PersonalRows>, StoreError>> {
        let identity = identity.to_owned();
        self.access
            .read(move |connection| personal_rows::rows(connection, &identity, table, skip, most))
            .boxed()
    }

    fn games_of<'a>(
        &'a self,
        identity: &'a str,
        behind: Option<&'a GameId>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<GameId>, StoreError>> {
        let (identity, behind) = (identity.to_owned(), behind.cloned());
        self.access
            .read(move |connection| {
                personal_rows::games(connection, &identity, behind.as_ref(), most)
            })
            .boxed()
    }

    fn erasure<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Option<Erasure>, StoreError>> {
        let identity = identity.to_owned();
        self.access
            .read(move |connection| erasure::of(connection, &identity))
            .boxed()
    }

    fn due_erasures(
        &self,
        now: Timestamp,
        most: usize,
    ) -> BoxFuture<'_, Result<Vec<Erasure>, StoreError>> {
        self.access
            .read(move |connection| erasure::due(connection, now, most))
            .boxed()
    }

    fn lines_of<'a>(
        &'a self,
        identity: &'a str,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<(String, u64)>, StoreError>> {
        let identity = identity.to_owned();
        self.access
            .read(move |connection| erasure::lines(connection, &identity, most))
            .boxed()
    }

    fn erase(&self, change: ErasureChange) -> BoxFuture<'_, Result<Progress, StoreError>> {
        async {
            let done = self.access.write(Change::Erasure(change)).await;
            match done.map_err(AppendError::into_store_error)? {
                Done::Erased(progress) => Ok(progress),
                _ => Ok(Progress::Unchanged),
            }
        }
        .boxed()
    }
}
