//! The storage contracts, kept by the simulated disk as well as its temper lets it.

use futures::future::BoxFuture;
use tilewire_rules::event::Record;
use tilewire_server::storage::{
    Append, AppendError, GameMeta, IdentityRow, IdentityStore, Journal, LobbyChange, LobbyStore,
    StoreError, StoredCommand, StoredGame, StoredLobby,
};

use super::disk::{Disk, Durable};
use super::flaws::Flaw;

impl Journal for Disk {
    fn create(&self, meta: GameMeta, first: Record) -> BoxFuture<'_, Result<(), AppendError>> {
        Box::pin(self.change(unavailable, unknown, move |state| state.create(meta, first)))
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<(), AppendError>> {
        Box::pin(async move {
            let game = append.game.clone();
            self.lock().asked(&game);
            let outcome = self
                .change(unavailable, unknown, move |state| state.append(append))
                .await;
            if outcome.is_ok() {
                self.lock().answered(&game);
            }
            outcome
        })
    }

    fn load<'a>(&'a self, game: &'a str) -> BoxFuture<'a, Result<Option<StoredGame>, StoreError>> {
        Box::pin(self.read(|state| {
            state.was_read(game);
            state.find(game)
        }))
    }

    fn unfinished(&self) -> BoxFuture<'_, Result<Vec<String>, StoreError>> {
        Box::pin(async {
            // A server that cannot read this does not start; there is nothing to see.
            let state = self.lock();
            let mut games = unfinished(&state.durable, |_| true);
            if state.flaw == Some(Flaw::GameForgotten) {
                games.pop();
            }
            Ok(games)
        })
    }

    fn unfinished_of<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        Box::pin(self.read(move |state| {
            unfinished(&state.durable, |meta| {
                meta.players.iter().any(|player| player == identity)
            })
        }))
    }
}

fn unavailable() -> Result<(), AppendError> {
    Err(AppendError::Unavailable("on purpose".to_owned()))
}

fn unknown() -> Result<(), AppendError> {
    Err(AppendError::OutcomeUnknown("on purpose".to_owned()))
}

fn unfinished(durable: &Durable, wanted: impl Fn(&GameMeta) -> bool) -> Vec<String> {
    let mut games: Vec<&GameMeta> = durable
        .games
        .values()
        .filter(|stored| !stored.is_finished && wanted(&stored.meta))
        .map(|stored| &stored.meta)
        .collect();
    games.sort_by_key(|meta| (meta.created_at, meta.game.clone()));
    games.into_iter().map(|meta| meta.game.clone()).collect()
}

impl LobbyStore for Disk {
    fn load(&self, since: i64) -> BoxFuture<'_, Result<StoredLobby, StoreError>> {
        Box::pin(async move {
            let state = self.lock();
            let mut commands: Vec<StoredCommand> = state
                .durable
                .commands
                .values()
                .filter(|command| command.at >= since)
                .cloned()
                .collect();
            commands.sort_by_key(|command| command.at);
            let seeks = state.durable.seeks.clone().into_iter().collect();
            Ok(StoredLobby { seeks, commands })
        })
    }

    fn commit(&self, change: LobbyChange) -> BoxFuture<'_, Result<(), StoreError>> {
        let fail = || Err(StoreError::Unavailable("on purpose".to_owned()));
        Box::pin(self.change(fail, fail, move |state| {
            if state.flaw == Some(Flaw::LobbyInMemory) {
                return Ok(());
            }
            for (id, seek) in change.put {
                state.durable.seeks.insert(id, seek);
            }
            for id in change.remove {
                state.durable.seeks.remove(&id);
            }
            if let Some(command) = change.command {
                let key = (command.identity.clone(), command.cmd_id.clone());
                state.durable.commands.insert(key, command);
            }
            Ok(())
        }))
    }
}

impl IdentityStore for Disk {
    fn find<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Option<IdentityRow>, StoreError>> {
        Box::pin(self.read(|state| state.durable.identities.get(identity).cloned()))
    }

    fn put(&self, row: IdentityRow) -> BoxFuture<'_, Result<(), StoreError>> {
        let fail = || Err(StoreError::Unavailable("on purpose".to_owned()));
        Box::pin(self.change(fail, fail, move |state| {
            let identities = &mut state.durable.identities;
            match identities.get_mut(&row.identity) {
                Some(known) => known.name = row.name,
                None => {
                    identities.insert(row.identity.clone(), row);
                }
            }
            Ok(())
        }))
    }
}
