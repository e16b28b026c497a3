//! Reading what is stored.

use rusqlite::{Connection, OptionalExtension, Row};
use tilewire_rules::event::Record;

use super::RECORD_VERSION;
use crate::storage::{GameMeta, IdentityRow, StoreError, StoredCommand, StoredGame, StoredLobby};

type Read<T> = Result<T, StoreError>;

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Unavailable(error.to_string())
    }
}

pub(super) fn game(connection: &mut Connection, game: &str) -> Read<Option<StoredGame>> {
    // One transaction, so that the head and the records are of one moment.
    let transaction = connection.transaction()?;
    let row = transaction
        .query_row(
            "SELECT epoch, rule_set, private_code, created_at, finished_at FROM games WHERE game = ?1",
            [game],
            |row| {
                let meta = GameMeta {
                    game: game.to_owned(),
                    epoch: row.get::<_, i64>(0)?.cast_unsigned(),
                    rule_set: row.get(1)?,
                    private_code: row.get(2)?,
                    players: Vec::new(),
                    created_at: row.get(3)?,
                };
                Ok((meta, row.get::<_, Option<i64>>(4)?.is_some()))
            },
        )
        .optional()?;
    let Some((mut meta, is_finished)) = row else {
        return Ok(None);
    };
    meta.players = transaction
        .prepare_cached("SELECT identity FROM players WHERE game = ?1 ORDER BY seat")?
        .query_map([game], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let records = transaction
        .prepare_cached("SELECT record FROM records WHERE game = ?1 ORDER BY seq")?
        .query_map([game], |row| row.get::<_, Vec<u8>>(0))?
        .map(|bytes| decode(game, &bytes?))
        .collect::<Read<_>>()?;
    Ok(Some(StoredGame { meta, records, is_finished }))
}

fn decode(game: &str, bytes: &[u8]) -> Read<Record> {
    match bytes.split_first() {
        Some((&RECORD_VERSION, record)) => rmp_serde::from_slice(record)
            .map_err(|error| StoreError::Corrupt(format!("a record of game {game}: {error}"))),
        Some((version, _)) => {
            Err(StoreError::Corrupt(format!("a record of game {game} has the unknown version {version}")))
        }
        None => Err(StoreError::Corrupt(format!("a record of game {game} is empty"))),
    }
}

pub(super) fn unfinished(connection: &Connection) -> Read<Vec<String>> {
    let mut query =
        connection.prepare_cached("SELECT game FROM games WHERE finished_at IS NULL ORDER BY created_at, game")?;
    Ok(query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

pub(super) fn unfinished_of(connection: &Connection, identity: &str) -> Read<Vec<String>> {
    let mut query = connection.prepare_cached(
        "SELECT game FROM players JOIN games USING (game)
         WHERE identity = ?1 AND finished_at IS NULL ORDER BY created_at, game",
    )?;
    Ok(query.query_map([identity], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

pub(super) fn lobby(connection: &Connection, since: i64) -> Read<StoredLobby> {
    let mut seeks = connection.prepare_cached("SELECT seek, body FROM seeks ORDER BY seek")?;
    let mut commands = connection
        .prepare_cached("SELECT identity, cmd_id, digest, answer, at FROM seek_commands WHERE at >= ?1 ORDER BY at")?;
    Ok(StoredLobby {
        seeks: seeks.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?,
        commands: commands.query_map([since], command)?.collect::<Result<_, _>>()?,
    })
}

fn command(row: &Row<'_>) -> rusqlite::Result<StoredCommand> {
    Ok(StoredCommand {
        identity: row.get(0)?,
        cmd_id: row.get(1)?,
        digest: row.get::<_, i64>(2)?.cast_unsigned(),
        answer: row.get(3)?,
        at: row.get(4)?,
    })
}

pub(super) fn identity(connection: &Connection, identity: &str) -> Read<Option<IdentityRow>> {
    let mut query = connection.prepare_cached("SELECT name, created_at FROM identities WHERE identity = ?1")?;
    let found = query.query_row([identity], |row| {
        Ok(IdentityRow { identity: identity.to_owned(), name: row.get(0)?, created_at: row.get(1)? })
    });
    Ok(found.optional()?)
}
