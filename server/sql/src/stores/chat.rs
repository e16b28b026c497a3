//! Lines of chat.

use futures::FutureExt;

use crate::changes::Change;
use crate::{SqlStorage, chat};
use tilewire_store::{ChatChange, ChatStore, DirectLine, StoreFuture, StoredLine};

impl ChatStore for SqlStorage {
    fn lines<'a>(
        &'a self,
        room: &'a str,
        after: u64,
        most: usize,
    ) -> StoreFuture<'a, Vec<StoredLine>> {
        let room = room.to_owned();
        self.access
            .read(move |connection| chat::lines(connection, &room, after, most))
            .boxed()
    }

    fn direct_rooms<'a>(
        &'a self,
        identity: &'a str,
        most: usize,
    ) -> StoreFuture<'a, Vec<DirectLine>> {
        let identity = identity.to_owned();
        self.access
            .read(move |connection| chat::direct_rooms(connection, &identity, most))
            .boxed()
    }

    fn say(&self, change: ChatChange) -> StoreFuture<'_, ()> {
        self.write(Change::Chat(change)).boxed()
    }
}
