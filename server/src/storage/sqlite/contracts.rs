//! The contracts, carried out by the threads that write and read.

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_rules::event::Record;

use super::changes::Change;
use super::rows::Rows;
use super::{Storage, reader, sleepers};
use crate::storage::{
    Append, AppendError, CommandKey, GameMeta, IdentityRow, IdentityStore, Journal, LobbyChange,
    LobbyStore, Rest, Sleeper, SleeperLine, StoreError, StoredCommand, StoredGame, StoredSeek,
};

impl Journal for Storage {
    fn create(&self, meta: GameMeta, first: Record) -> BoxFuture<'_, Result<(), AppendError>> {
        self.append_change(Change::create(meta, first)).boxed()
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<(), AppendError>> {
        self.append_change(Change::append(append)).boxed()
    }

    fn load<'a>(&'a self, game: &'a str) -> BoxFuture<'a, Result<Option<StoredGame>, StoreError>> {
        let id = game.to_owned();
        let rows = self.readers.read(move |db| Rows::of(db, &id));
        async { rows.await?.map(Rows::game).transpose() }.boxed()
    }

    fn rest(&self, rest: Rest) -> BoxFuture<'_, Result<(), AppendError>> {
        self.append_change(Change::Rest(rest)).boxed()
    }

    fn awake(&self) -> BoxFuture<'_, Result<Vec<String>, StoreError>> {
        self.readers.read(sleepers::awake).boxed()
    }

    fn sleepers(
        &self,
        after: Option<Sleeper>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Sleeper>, StoreError>> {
        self.readers
            .read(move |connection| sleepers::next(connection, after.as_ref(), limit))
            .boxed()
    }

    fn asleep(&self) -> BoxFuture<'_, Result<usize, StoreError>> {
        self.readers.read(sleepers::count).boxed()
    }

    fn asleep_of<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Vec<SleeperLine>, StoreError>> {
        let identity = identity.to_owned();
        self.readers
            .read(move |connection| sleepers::of(connection, &identity))
            .boxed()
    }

    fn asleep_listed(&self, limit: usize) -> BoxFuture<'_, Result<Vec<SleeperLine>, StoreError>> {
        self.readers
            .read(move |connection| sleepers::listed(connection, limit))
            .boxed()
    }
}

impl LobbyStore for Storage {
    fn seeks(&self) -> BoxFuture<'_, Result<Vec<StoredSeek>, StoreError>> {
        self.readers.read(reader::seeks).boxed()
    }

    fn commands(
        &self,
        keys: Vec<CommandKey>,
    ) -> BoxFuture<'_, Result<Vec<Option<StoredCommand>>, StoreError>> {
        self.readers
            .read(move |connection| reader::commands(connection, &keys))
            .boxed()
    }

    fn commands_of<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Vec<StoredCommand>, StoreError>> {
        let identity = identity.to_owned();
        self.readers
            .read(move |connection| reader::commands_of(connection, &identity))
            .boxed()
    }

    fn commit(&self, change: LobbyChange) -> BoxFuture<'_, Result<(), StoreError>> {
        self.write(Change::Lobby(change)).boxed()
    }
}

impl IdentityStore for Storage {
    fn find<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Option<IdentityRow>, StoreError>> {
        let identity = identity.to_owned();
        self.readers
            .read(move |connection| reader::identity(connection, &identity))
            .boxed()
    }

    fn put(&self, row: IdentityRow) -> BoxFuture<'_, Result<(), StoreError>> {
        self.write(Change::Identity(row)).boxed()
    }
}
