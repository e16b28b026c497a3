//! The lobby.

use futures::FutureExt;

use crate::access::Occasion;
use crate::changes::Change;
use crate::{SqlStorage, readers};
use tilewire_store::{CommandKey, LobbyChange, LobbyStore, StoreFuture, StoredCommand, StoredSeek};

impl LobbyStore for SqlStorage {
    fn seeks(&self) -> StoreFuture<'_, Vec<StoredSeek>> {
        self.access.read_on(Occasion::Start, readers::seeks).boxed()
    }

    fn commands(&self, keys: Vec<CommandKey>) -> StoreFuture<'_, Vec<Option<StoredCommand>>> {
        self.access
            .read(move |connection| readers::commands(connection, &keys))
            .boxed()
    }

    fn commands_of<'a>(&'a self, identity: &'a str) -> StoreFuture<'a, Vec<StoredCommand>> {
        let identity = identity.to_owned();
        self.access
            .read(move |connection| readers::commands_of(connection, &identity))
            .boxed()
    }

    fn commit(&self, change: LobbyChange) -> StoreFuture<'_, ()> {
        self.write(Change::Lobby(change)).boxed()
    }
}
