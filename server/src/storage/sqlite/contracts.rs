//! The contracts, carried out by the threads that write and read.

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_rules::event::Record;

use super::changes::Change;
use super::{Storage, reader};
use crate::storage::{
    Append, AppendError, GameMeta, IdentityRow, IdentityStore, Journal, LobbyChange, LobbyStore,
    StoreError, StoredGame, StoredLobby,
};

impl Journal for Storage {
    fn create(&self, meta: GameMeta, first: Record) -> BoxFuture<'_, Result<(), AppendError>> {
        self.append_change(Change::create(meta, &first)).boxed()
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<(), AppendError>> {
        self.append_change(Change::append(append)).boxed()
    }

    fn load<'a>(&'a self, game: &'a str) -> BoxFuture<'a, Result<Option<StoredGame>, StoreError>> {
        let game = game.to_owned();
        self.readers
            .read(move |connection| reader::game(connection, &game))
            .boxed()
    }

    fn unfinished(&self) -> BoxFuture<'_, Result<Vec<String>, StoreError>> {
        self.readers.read(reader::unfinished).boxed()
    }

    fn unfinished_of<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        let identity = identity.to_owned();
        self.readers
            .read(move |connection| reader::unfinished_of(connection, &identity))
            .boxed()
    }
}

impl LobbyStore for Storage {
    fn load(&self, since: i64) -> BoxFuture<'_, Result<StoredLobby, StoreError>> {
        self.readers
            .read(move |connection| reader::lobby(connection, since))
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
