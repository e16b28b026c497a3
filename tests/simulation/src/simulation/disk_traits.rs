//! The storage contracts on the simulated disk.

use futures::future::{BoxFuture, join_all};
use tilewire_protocol::GameId;
use tilewire_rules::event::Record;
use tilewire_store::{
    Append, AppendError, CommandKey, GameMeta, IdentityRow, IdentityStore, Journal, LobbyChange,
    LobbyStore, LogTail, Rest, Shard, Shards, Sleeper, SleeperLine, StoreError, StoredCommand,
    StoredGame, StoredSeek,
};

use super::disk::{Disk, Durable, State};
use super::flaws::Flaw;
use super::late::LogChange;

impl Journal for Disk {
    fn create(&self, meta: GameMeta, first: Record) -> BoxFuture<'_, Result<(), AppendError>> {
        Box::pin(self.change_log(LogChange::Create(Box::new((meta, first, None)))))
    }

    fn create_asleep(
        &self,
        meta: GameMeta,
        first: Record,
        rest: Rest,
    ) -> BoxFuture<'_, Result<(), AppendError>> {
        Box::pin(self.change_log(LogChange::Create(Box::new((meta, first, Some(rest))))))
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<(), AppendError>> {
        Box::pin(async move {
            let game = append.game.clone();
            self.lock().asked(&game);
            let outcome = self.change_log(LogChange::Append(append)).await;
            if outcome.is_ok() {
                self.lock().answered(&game);
            }
            outcome
        })
    }

    fn load<'a>(
        &'a self,
        game: &'a GameId,
    ) -> BoxFuture<'a, Result<Option<StoredGame>, StoreError>> {
        Box::pin(async move {
            if self.lock().refuses_to_read(game) {
                return Err(StoreError::Unavailable("on purpose".to_owned()));
            }
            let read = |state: &mut State| {
                let node = self.node();
                // Before a node plays the games of a part, it may look at their logs.
                let proof = self.proof(Shard::of(game).into()).ok().flatten();
                let is_owner = node.is_none() || proof.is_some() && state.proves(proof);
                let is_takeover = is_owner && state.is_new_reader(game, proof);
                if is_takeover {
                    state.times.remove(game);
                }
                state.was_read(game, is_owner);
                state.settle(game, node);
                if is_owner {
                    state.loaded(game, is_takeover);
                    state.hurry(game);
                }
                let mut stored = state.find(game);
                if node.is_some() && state.flaw == Some(Flaw::TailSkipped) {
                    let played = stored.as_mut().filter(|stored| !stored.is_finished);
                    let records = played.map(|stored| &mut stored.records);
                    records.filter(|records| records.len() > 4).map(Vec::pop);
                }
                stored
            };
            self.read(read).await
        })
    }

    fn load_many<'a>(
        &'a self,
        games: &'a [GameId],
    ) -> BoxFuture<'a, Vec<Result<Option<StoredGame>, StoreError>>> {
        let loads = games.iter().map(|game| self.load(game));
        Box::pin(join_all(loads))
    }

    fn load_tail<'a>(
        &'a self,
        game: &'a GameId,
        after: u64,
    ) -> BoxFuture<'a, Result<Option<LogTail>, StoreError>> {
        Box::pin(async move {
            let stored = self.load(game).await?;
            Ok(stored.map(|stored| {
                let behind = stored.records.into_iter();
                LogTail {
                    records: behind.filter(|record| record.seq.0 > after).collect(),
                    is_finished: stored.is_finished,
                }
            }))
        })
    }

    fn rest(&self, rest: Rest) -> BoxFuture<'_, Result<(), AppendError>> {
        Box::pin(async move {
            let game = rest.game.clone();
            let proof = self.proof(Shard::of(&game).into())?;
            let rest = move |state: &mut State| match state.proves(proof) {
                true => state.rest(rest),
                false => Err(AppendError::Fenced),
            };
            let outcome = self.change(unavailable, unknown, rest).await;
            // Meanwhile the game could not append.
            self.lock().is_free(&game);
            outcome
        })
    }

    fn awake(&self, shards: Shards) -> BoxFuture<'_, Result<Vec<GameId>, StoreError>> {
        Box::pin(async move {
            // A server that cannot read this does not start, so the disk never refuses it.
            let state = self.lock();
            let mut games = unfinished(&state.durable, |stored| {
                let game = &stored.meta.game;
                shards.contain(game) && !state.durable.asleep.contains_key(game)
            });
            if state.flaw == Some(Flaw::GameForgotten) {
                games.pop();
            }
            Ok(games)
        })
    }

    fn sleepers(
        &self,
        shards: Shards,
        after: Option<Sleeper>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Sleeper>, StoreError>> {
        Box::pin(self.read_sleepers(move |durable| {
            let asleep = durable.asleep.values().map(|rest| Sleeper {
                wakes_at: rest.wakes_at,
                game: rest.game.clone(),
            });
            let mut sleepers: Vec<Sleeper> = asleep
                .filter(|sleeper| shards.contain(&sleeper.game))
                .filter(|sleeper| after.as_ref().is_none_or(|after| sleeper > after))
                .collect();
            sleepers.sort();
            sleepers.truncate(limit);
            sleepers
        }))
    }

    fn asleep(&self) -> BoxFuture<'_, Result<usize, StoreError>> {
        Box::pin(self.read_sleepers(|durable| durable.asleep.len()))
    }

    fn asleep_of<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Vec<SleeperLine>, StoreError>> {
        Box::pin(self.read_sleepers(move |durable| {
            lines(durable, |rest| {
                let players = &durable.games[&rest.game].meta.players;
                players.iter().any(|player| player == identity)
            })
        }))
    }

    fn unfinished_of<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Vec<GameId>, StoreError>> {
        Box::pin(self.read(move |state| {
            unfinished(&state.durable, |stored| {
                let mut players = stored.meta.players.iter();
                players.any(|player| player == identity)
            })
        }))
    }

    fn finished_of<'a>(
        &'a self,
        identity: &'a str,
        before: Option<&'a GameId>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<GameId>, StoreError>> {
        Box::pin(async move {
            let state = self.lock();
            let ended = |stored: &StoredGame| {
                let at = stored.records.last().map(|record| record.at);
                (at, stored.meta.game.clone())
            };
            let games = state.durable.games.values();
            let mut found: Vec<_> = games
                .filter(|stored| stored.is_finished)
                .filter(|stored| stored.meta.players.iter().any(|player| player == identity))
                .map(ended)
                .collect();
            found.sort_unstable();
            found.reverse();
            if let Some(before) = before {
                let after = found.iter().position(|(_, game)| game == before);
                found.drain(..after.map_or(found.len(), |place| place + 1));
            }
            Ok(found
                .into_iter()
                .take(limit)
                .map(|(_, game)| game)
                .collect())
        })
    }

    fn asleep_listed(&self, limit: usize) -> BoxFuture<'_, Result<Vec<SleeperLine>, StoreError>> {
        Box::pin(self.read_sleepers(move |durable| {
            let mut lines = lines(durable, |rest| rest.is_listed);
            lines.truncate(limit);
            lines
        }))
    }
}

pub(super) fn unavailable() -> Result<(), AppendError> {
    Err(AppendError::Unavailable("on purpose".to_owned()))
}

pub(super) fn unknown() -> Result<(), AppendError> {
    Err(AppendError::OutcomeUnknown("on purpose".to_owned()))
}

fn unfinished(durable: &Durable, wanted: impl Fn(&StoredGame) -> bool) -> Vec<GameId> {
    let mut games: Vec<&GameMeta> = durable
        .games
        .values()
        .filter(|stored| !stored.is_finished && wanted(stored))
        .map(|stored| &stored.meta)
        .collect();
    games.sort_by_key(|meta| (meta.created_at, meta.game.clone()));
    games.into_iter().map(|meta| meta.game.clone()).collect()
}

fn lines(durable: &Durable, wanted: impl Fn(&Rest) -> bool) -> Vec<SleeperLine> {
    let asleep = durable.asleep.values().filter(|rest| wanted(rest));
    let mut lines: Vec<SleeperLine> = asleep
        .map(|rest| SleeperLine {
            game: rest.game.clone(),
            created_at: durable.games[&rest.game].meta.created_at,
            line: rest.line.clone(),
        })
        .collect();
    lines.sort_by_key(|line| (line.created_at, line.game.clone()));
    lines
}

impl LobbyStore for Disk {
    fn seeks(&self) -> BoxFuture<'_, Result<Vec<StoredSeek>, StoreError>> {
        // A server that cannot read the lobby does not start; that is no case of the simulation.
        let seeks = self.lock().durable.seeks.clone();
        Box::pin(async move { Ok(seeks.into_iter().collect()) })
    }

    fn commands(
        &self,
        keys: Vec<CommandKey>,
    ) -> BoxFuture<'_, Result<Vec<Option<StoredCommand>>, StoreError>> {
        Box::pin(self.read(move |state| {
            let commands = &state.durable.commands;
            let found = keys.iter().map(|key| commands.get(key).cloned());
            found.collect()
        }))
    }

    fn commands_of<'a>(
        &'a self,
        identity: &'a str,
    ) -> BoxFuture<'a, Result<Vec<StoredCommand>, StoreError>> {
        Box::pin(self.read(move |state| {
            let commands = state.durable.commands.values();
            let own = commands.filter(|command| command.key.identity == identity);
            let mut own: Vec<StoredCommand> = own.cloned().collect();
            own.sort_by_key(|command| command.at);
            own
        }))
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
            for command in change.commands {
                let key = command.key.clone();
                state.durable.commands.insert(key, command);
            }
            for letter in &change.letters {
                state.put_letter(letter);
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
            state.put_identity(&row);
            Ok(())
        }))
    }
}
