//! Lines of chat.

use futures::FutureExt;
use futures::future::BoxFuture;

use crate::changes::Change;
use crate::{SqlStorage, chat};
use tilewire_store::{ChatChange, ChatStore, DirectLine, StoreError, StoredLine};

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
