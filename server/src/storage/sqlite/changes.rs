//! What can be written, as statements.

use rusqlite::{Connection, OptionalExtension, Result};
use tilewire_protocol::GameId;
use tilewire_rules::event::Record;
use tilewire_rules::time::{Millis, Timestamp};

use super::high_water::HighWaterMark;
use super::sleepers;
use crate::config::Retention;
use crate::storage::{Append, GameMeta, IdentityRow, LobbyChange, RecordBatch, RecordRow, Rest};

const DAY: Millis = Millis(24 * 3_600_000);

/// Lobby commands removed in one step.
const PRUNED_COMMANDS: usize = 1_000;

/// A change, encoded as far as it can be without the database.
#[derive(Debug)]
pub(super) enum Change {
    /// A new game with the first record of its log.
    Create { meta: GameMeta, first: RecordRow },
    /// More records of a game.
    Append {
        game: GameId,
        after: u64,
        records: RecordRow,
        /// When the game was over, if it is.
        finished_at: Option<Timestamp>,
    },
    /// A game falls asleep.
    Rest(Rest),
    /// A change of the lobby.
    Lobby(LobbyChange),
    /// An identity or its new name.
    Identity(IdentityRow),
    /// The server runs at this moment.
    Stamp(Timestamp),
    /// The machine's clock jumped to this time.
    Jump(Timestamp),
    /// Removes some of what is kept no longer.
    Prune(Prune),
}

/// Removes some of what is kept no longer.
#[derive(Debug)]
pub(super) struct Prune {
    games_before: Option<Timestamp>,
    commands_before: Timestamp,
    games: usize,
}

/// What became of a change that was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Done {
    /// It is stored.
    Stored,
    /// It was refused: the log ends elsewhere.
    Conflict { head: u64 },
    /// Some things were removed.
    Pruned(Pruned),
}

/// What was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pruned {
    /// Number of games.
    pub(super) games: usize,
    /// Whether nothing is left to remove.
    pub(super) is_all: bool,
}

impl Prune {
    pub(super) fn new(now: Timestamp, retention: &Retention) -> Self {
        let days = retention.finished_games_days;
        Self {
            games_before: (days > 0).then(|| now - DAY * days),
            commands_before: now - retention.lobby_commands_ms,
            games: retention.sweep_batch,
        }
    }
}

impl Change {
    /// Makes the creation of a game.
    ///
    /// # Panics
    /// When the first record's number is not 1: a log never begins in the middle.
    pub(super) fn create(meta: GameMeta, first: Record) -> Self {
        assert_eq!(first.seq.0, 1, "a log begins with record 1");
        let first = RecordBatch::from(vec![first]).into();
        Self::Create { meta, first }
    }

    /// Makes the change of an append.
    ///
    /// # Panics
    /// When there is no record, or their numbers do not follow `append.after` without gaps: a log never has gaps.
    pub(super) fn append(append: Append) -> Self {
        let last = append.records.last().expect("an append has records");
        let finished_at = append.is_finished.then_some(last.at);
        let expected = append.after + 1..;
        for (record, seq) in append.records.iter().zip(expected) {
            assert_eq!(record.seq.0, seq, "records follow each other without gaps");
        }
        Self::Append {
            game: append.game,
            after: append.after,
            records: append.records.into(),
            finished_at,
        }
    }

    /// Raises the mark to what the database knows once this is stored.
    pub(super) fn raise(&self, mark: &mut HighWaterMark) {
        match self {
            Self::Create { meta, first } => mark.record = Some((meta.game.clone(), first.last)),
            Self::Append { game, records, .. } => {
                mark.record = Some((game.clone(), records.last));
            }
            Self::Stamp(at) => mark.stamp = Some(*at),
            Self::Jump(_) | Self::Rest(_) | Self::Lobby(_) | Self::Identity(_) | Self::Prune(_) => {
            }
        }
    }

    /// Makes the change within the transaction that is open.
    pub(super) fn apply(&self, db: &Connection) -> Result<Done> {
        match self {
            Self::Create { meta, first } => create(db, meta, first),
            Self::Append {
                game,
                after,
                records,
                finished_at,
            } => append(db, game, *after, records, *finished_at),
            Self::Rest(rest) => sleepers::rest(db, rest),
            Self::Lobby(change) => lobby(db, change),
            Self::Identity(row) => {
                db.prepare_cached(
                    "INSERT INTO identities (identity, name, created_at) VALUES (?1, ?2, ?3)
                     ON CONFLICT (identity) DO UPDATE SET name = excluded.name",
                )?
                .execute((&row.identity, &row.name, row.created_at.0))?;
                Ok(Done::Stored)
            }
            Self::Stamp(at) => {
                db.prepare_cached("INSERT OR REPLACE INTO liveness (only_row, at) VALUES (1, ?1)")?
                    .execute([at.0])?;
                Ok(Done::Stored)
            }
            Self::Jump(at) => {
                jump(db, *at)?;
                Ok(Done::Stored)
            }
            Self::Prune(prune) => prune.apply(db).map(Done::Pruned),
        }
    }
}

/// Stores that the machine's clock jumped to `at`.
pub(super) fn jump(db: &Connection, at: Timestamp) -> Result<usize> {
    db.prepare_cached("INSERT OR REPLACE INTO clock_jumps (only_row, at) VALUES (1, ?1)")?
        .execute([at.0])
}

pub(super) fn head(db: &Connection, game: &GameId) -> Result<Option<u64>> {
    db.prepare_cached("SELECT head FROM games WHERE game = ?1")?
        .query_row([game.as_str()], |row| row.get(0))
        .optional()
}

fn create(db: &Connection, meta: &GameMeta, first: &RecordRow) -> Result<Done> {
    if let Some(head) = head(db, &meta.game)? {
        return Ok(Done::Conflict { head });
    }
    db.prepare_cached(
        "INSERT INTO games (game, epoch, rule_set, private_code, created_at, head)
         VALUES (?1, ?2, ?3, ?4, ?5, 1)",
    )?
    .execute((
        meta.game.as_str(),
        meta.epoch,
        &meta.rule_set,
        &meta.private_code,
        meta.created_at.0,
    ))?;
    let mut insert =
        db.prepare_cached("INSERT INTO seats (game, seat, identity) VALUES (?1, ?2, ?3)")?;
    for (seat, identity) in meta.players.iter().enumerate() {
        insert.execute((meta.game.as_str(), seat, identity))?;
    }
    store(db, &meta.game, first)?;
    Ok(Done::Stored)
}

fn append(
    db: &Connection,
    game: &GameId,
    after: u64,
    records: &RecordRow,
    finished_at: Option<Timestamp>,
) -> Result<Done> {
    if finished_at.is_some() || !advance(db, game, after, records.last)? {
        let is_here = change_state(db, game, after, records.last, finished_at)?;
        if !is_here {
            let head = head(db, game)?.unwrap_or(0);
            return Ok(Done::Conflict { head });
        }
    }
    store(db, game, records)?;
    Ok(Done::Stored)
}

/// Moves the end of the log of a game that is awake and goes on: nothing that an index knows changes.
fn advance(db: &Connection, game: &GameId, after: u64, last: u64) -> Result<bool> {
    let changed = db
        .prepare_cached(
            "UPDATE games SET head = ?3 WHERE game = ?1 AND head = ?2 AND wakes_at IS NULL",
        )?
        .execute((game.as_str(), after, last))?;
    Ok(changed > 0)
}

/// Moves the end of the log of a game that sleeps or is over with it.
fn change_state(
    db: &Connection,
    game: &GameId,
    after: u64,
    last: u64,
    finished_at: Option<Timestamp>,
) -> Result<bool> {
    let changed = db
        .prepare_cached(
            "UPDATE games SET head = ?3, finished_at = coalesce(?4, finished_at), wakes_at = NULL,
             line = NULL, is_listed = NULL WHERE game = ?1 AND head = ?2",
        )?
        .execute((game.as_str(), after, last, finished_at.map(|at| at.0)))?;
    if changed > 0 {
        sleepers::wake_seats(db, game)?;
    }
    Ok(changed > 0)
}

fn store(db: &Connection, game: &GameId, records: &RecordRow) -> Result<()> {
    db.prepare_cached("INSERT INTO records (game, seq, record) VALUES (?1, ?2, ?3)")?
        .execute((game.as_str(), records.last, &records.bytes))?;
    Ok(())
}

fn lobby(db: &Connection, change: &LobbyChange) -> Result<Done> {
    let mut put =
        db.prepare_cached("INSERT OR REPLACE INTO seeks (seek, content) VALUES (?1, ?2)")?;
    for (seek, content) in &change.put {
        put.execute((seek, content))?;
    }
    let mut remove = db.prepare_cached("DELETE FROM seeks WHERE seek = ?1")?;
    for seek in &change.remove {
        remove.execute([seek])?;
    }
    let mut accepted = db.prepare_cached(
        "INSERT OR REPLACE INTO lobby_commands (identity, cmd_id, digest, answer, at)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for command in &change.commands {
        accepted.execute((
            &command.key.identity,
            &command.key.cmd_id,
            command.digest.cast_signed(),
            &command.answer,
            command.at.0,
        ))?;
    }
    Ok(Done::Stored)
}

impl Prune {
    fn apply(&self, db: &Connection) -> Result<Pruned> {
        let games = self.old_games(db)?;
        for game in &games {
            for delete in [
                "DELETE FROM records WHERE game = ?1",
                "DELETE FROM seats WHERE game = ?1",
                "DELETE FROM games WHERE game = ?1",
            ] {
                db.prepare_cached(delete)?.execute([game.as_str()])?;
            }
        }
        let commands = db
            .prepare_cached(
                "DELETE FROM lobby_commands WHERE (identity, cmd_id) IN
                 (SELECT identity, cmd_id FROM lobby_commands WHERE at < ?1 LIMIT ?2)",
            )?
            .execute((self.commands_before.0, PRUNED_COMMANDS))?;
        Ok(Pruned {
            games: games.len(),
            is_all: games.len() < self.games && commands < PRUNED_COMMANDS,
        })
    }

    fn old_games(&self, db: &Connection) -> Result<Vec<GameId>> {
        let Some(before) = self.games_before else {
            return Ok(Vec::new());
        };
        db.prepare_cached(
            "SELECT game FROM games WHERE finished_at IS NOT NULL AND finished_at < ?1
             ORDER BY finished_at LIMIT ?2",
        )?
        .query_map((before.0, self.games), |row| row.get(0).map(GameId))?
        .collect()
    }
}
