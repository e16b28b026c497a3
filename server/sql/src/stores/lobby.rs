//! The lobby.

use futures::FutureExt;
use futures::future::BoxFuture;

use crate::access::Occasion;
use crate::changes::Change;
use crate::{SqlStorage, readers};
use tilewire_store::{CommandKey, LobbyChange, LobbyStore, StoreError, StoredCommand, StoredSeek};

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
