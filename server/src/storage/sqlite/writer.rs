//! The one thread that writes: group commit, a savepoint around every job.

use std::fmt;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::{Connection, ErrorCode, OptionalExtension, params};
use tokio::sync::oneshot;

use super::StorageBounds;
use crate::metrics;
use crate::storage::{AppendError, GameMeta, IdentityRow, LobbyChange, StoreError};

/// Finished games deleted in one transaction at most: pruning must not hold up moves.
const PRUNE_AT_ONCE: i64 = 50;
/// What is said of jobs whose transaction went with another's error.
const ROLLED_BACK: &str = "the transaction was rolled back";

/// What is done when a commit fails on the disk. The page cache can then no longer be trusted (what was written may be
/// marked clean and lost), so the process must end and read again what is really there.
pub type Fatal = fn(&str);

type Answer<T, E = StoreError> = oneshot::Sender<Result<T, E>>;

/// Something to store.
pub(super) enum Job {
    Create { meta: GameMeta, first: Vec<u8>, answer: Answer<(), AppendError> },
    Append { game: String, after: u64, records: Vec<Vec<u8>>, ended_at: Option<i64>, answer: Answer<(), AppendError> },
    Lobby { change: LobbyChange, answer: Answer<()> },
    Identity { row: IdentityRow, answer: Answer<()> },
    Stamp { now: i64, answer: Answer<()> },
    Prune { finished_before: Option<i64>, commands_before: i64, answer: Answer<usize> },
}

/// A job that was carried out and waits for the commit.
enum Done {
    Append(Answer<(), AppendError>, Result<(), AppendError>),
    Unit(Answer<()>, Result<(), StoreError>),
    Count(Answer<usize>, Result<usize, StoreError>),
}

/// The way to the writing thread.
pub(super) struct Writer {
    jobs: Mutex<Option<SyncSender<Job>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    pub(super) fn start(connection: Connection, bounds: StorageBounds, fatal: Fatal) -> Self {
        let (jobs, waiting) = sync_channel(bounds.queue);
        let run = move || write_all(connection, &waiting, bounds.batch, fatal);
        let thread = std::thread::Builder::new().name("storage".to_owned()).spawn(run);
        Self { jobs: Mutex::new(Some(jobs)), thread: Mutex::new(Some(thread.expect("a thread can be started"))) }
    }

    /// Hands a job in without waiting; gives it back when the queue is full or the writer has stopped.
    pub(super) fn submit(&self, job: Job) -> Result<(), Box<Job>> {
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        match jobs.as_ref() {
            None => Err(Box::new(job)),
            Some(jobs) => jobs.try_send(job).map_err(|error| match error {
                TrySendError::Full(job) | TrySendError::Disconnected(job) => Box::new(job),
            }),
        }
    }

    /// Lets the writer finish what waits, and waits for it.
    pub(super) fn stop(&self) {
        drop(self.jobs.lock().unwrap_or_else(PoisonError::into_inner).take());
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the storage's writer panicked");
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.stop();
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Writer")
    }
}

fn write_all(mut connection: Connection, waiting: &Receiver<Job>, batch: usize, fatal: Fatal) {
    while let Ok(first) = waiting.recv() {
        let rest = waiting.try_iter().take(batch.saturating_sub(1));
        let jobs: Vec<Job> = std::iter::once(first).chain(rest).collect();
        metrics::storage_batch(jobs.len());
        commit(&mut connection, jobs, fatal);
    }
}

/// Carries out jobs in one transaction and answers them once it is on disk.
fn commit(connection: &mut Connection, jobs: Vec<Job>, fatal: Fatal) {
    if let Err(error) = connection.execute_batch("BEGIN IMMEDIATE") {
        return jobs.into_iter().for_each(|job| refused(job, &error.to_string()).tell());
    }
    let done: Vec<Done> = jobs
        .into_iter()
        .map(|job| {
            // An error can end the whole transaction; a savepoint would then begin one of its own.
            if connection.is_autocommit() { refused(job, ROLLED_BACK) } else { carry_out(connection, job) }
        })
        .collect();
    if connection.is_autocommit() {
        // An error took the whole transaction with it; nothing of it was stored.
        return done.into_iter().for_each(|done| done.lost(ROLLED_BACK));
    }
    match connection.execute_batch("COMMIT") {
        Ok(()) => done.into_iter().for_each(Done::tell),
        Err(error) => {
            if is_disk_trouble(&error) {
                fatal(&format!("the database could not be committed: {error}"));
            }
            drop(connection.execute_batch("ROLLBACK"));
            done.into_iter().for_each(|done| done.lost(&error.to_string()));
        }
    }
}

/// Says whether a failed commit leaves open what is on the disk.
fn is_disk_trouble(error: &rusqlite::Error) -> bool {
    !matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DiskFull | ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

impl Done {
    fn tell(self) {
        // Whoever asked may be gone; then nobody is told.
        match self {
            Self::Append(answer, result) => drop(answer.send(result)),
            Self::Unit(answer, result) => drop(answer.send(result)),
            Self::Count(answer, result) => drop(answer.send(result)),
        }
    }

    fn lost(self, why: &str) {
        match self {
            Self::Append(answer, _) => drop(answer.send(Err(AppendError::Unavailable(why.to_owned())))),
            Self::Unit(answer, _) => drop(answer.send(Err(StoreError::Unavailable(why.to_owned())))),
            Self::Count(answer, _) => drop(answer.send(Err(StoreError::Unavailable(why.to_owned())))),
        }
    }
}

fn refused(job: Job, why: &str) -> Done {
    let why = why.to_owned();
    match job {
        Job::Create { answer, .. } | Job::Append { answer, .. } => {
            Done::Append(answer, Err(AppendError::Unavailable(why)))
        }
        Job::Lobby { answer, .. } | Job::Identity { answer, .. } | Job::Stamp { answer, .. } => {
            Done::Unit(answer, Err(StoreError::Unavailable(why)))
        }
        Job::Prune { answer, .. } => Done::Count(answer, Err(StoreError::Unavailable(why))),
    }
}

fn carry_out(connection: &Connection, job: Job) -> Done {
    match job {
        Job::Create { meta, first, answer } => {
            Done::Append(answer, isolated(connection, || create(connection, &meta, &first)))
        }
        Job::Append { game, after, records, ended_at, answer } => {
            Done::Append(answer, isolated(connection, || append(connection, &game, after, &records, ended_at)))
        }
        Job::Lobby { change, answer } => Done::Unit(answer, isolated(connection, || lobby(connection, &change))),
        Job::Identity { row, answer } => Done::Unit(answer, isolated(connection, || identity(connection, &row))),
        Job::Stamp { now, answer } => Done::Unit(answer, isolated(connection, || stamp(connection, now))),
        Job::Prune { finished_before, commands_before, answer } => {
            Done::Count(answer, isolated(connection, || prune(connection, finished_before, commands_before)))
        }
    }
}

/// Runs one job inside a savepoint: if it fails, only its own changes go.
fn isolated<T, E: From<rusqlite::Error>>(
    connection: &Connection,
    job: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    connection.execute_batch("SAVEPOINT job")?;
    let result = job();
    let end = if result.is_ok() { "RELEASE job" } else { "ROLLBACK TO job; RELEASE job" };
    connection.execute_batch(end)?;
    result
}

impl From<rusqlite::Error> for AppendError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Unavailable(error.to_string())
    }
}

fn head(connection: &Connection, game: &str) -> rusqlite::Result<Option<u64>> {
    let mut query = connection.prepare_cached("SELECT head FROM games WHERE game = ?1")?;
    query.query_row([game], |row| row.get::<_, i64>(0).map(i64::cast_unsigned)).optional()
}

fn create(connection: &Connection, meta: &GameMeta, first: &[u8]) -> Result<(), AppendError> {
    if let Some(head) = head(connection, &meta.game)? {
        return Err(AppendError::Conflict { head });
    }
    connection
        .prepare_cached(
            "INSERT INTO games (game, epoch, rule_set, private_code, created_at, head) VALUES (?1, ?2, ?3, ?4, ?5, 1)",
        )?
        .execute(params![
            meta.game,
            meta.epoch.cast_signed(),
            meta.rule_set,
            meta.private_code,
            meta.created_at
        ])?;
    let mut players =
        connection.prepare_cached("INSERT INTO players (game, seat, identity) VALUES (?1, ?2, ?3)")?;
    for (identity, seat) in meta.players.iter().zip(0_u8..) {
        players.execute(params![meta.game, seat, identity])?;
    }
    insert_record(connection, &meta.game, 1, first)?;
    Ok(())
}

fn append(
    connection: &Connection,
    game: &str,
    after: u64,
    records: &[Vec<u8>],
    ended_at: Option<i64>,
) -> Result<(), AppendError> {
    let head = head(connection, game)?.unwrap_or(0);
    if head != after {
        return Err(AppendError::Conflict { head });
    }
    let mut seq = after;
    for record in records {
        seq += 1;
        insert_record(connection, game, seq, record)?;
    }
    connection
        .prepare_cached("UPDATE games SET head = ?2, finished_at = coalesce(?3, finished_at) WHERE game = ?1")?
        .execute(params![game, seq.cast_signed(), ended_at])?;
    Ok(())
}

fn insert_record(connection: &Connection, game: &str, seq: u64, record: &[u8]) -> rusqlite::Result<()> {
    let mut insert = connection.prepare_cached("INSERT INTO records (game, seq, record) VALUES (?1, ?2, ?3)")?;
    insert.execute(params![game, seq.cast_signed(), record]).map(drop)
}

fn lobby(connection: &Connection, change: &LobbyChange) -> Result<(), StoreError> {
    for (seek, body) in &change.put {
        connection
            .prepare_cached("INSERT OR REPLACE INTO seeks (seek, body) VALUES (?1, ?2)")?
            .execute(params![seek, body])?;
    }
    for seek in &change.remove {
        connection.prepare_cached("DELETE FROM seeks WHERE seek = ?1")?.execute([seek])?;
    }
    if let Some(command) = &change.command {
        connection
            .prepare_cached(
                "INSERT OR REPLACE INTO seek_commands (identity, cmd_id, digest, answer, at)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                command.identity,
                command.cmd_id,
                command.digest.cast_signed(),
                command.answer,
                command.at
            ])?;
    }
    Ok(())
}

fn identity(connection: &Connection, row: &IdentityRow) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO identities (identity, name, created_at) VALUES (?1, ?2, ?3)
             ON CONFLICT (identity) DO UPDATE SET name = excluded.name",
        )?
        .execute(params![row.identity, row.name, row.created_at])?;
    Ok(())
}

fn stamp(connection: &Connection, now: i64) -> Result<(), StoreError> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO meta (key, value) VALUES ('alive_at', ?1)")?
        .execute([now])?;
    Ok(())
}

fn prune(connection: &Connection, finished_before: Option<i64>, commands_before: i64) -> Result<usize, StoreError> {
    connection.prepare_cached("DELETE FROM seek_commands WHERE at < ?1")?.execute([commands_before])?;
    let Some(finished_before) = finished_before else {
        return Ok(0);
    };
    let pruned = connection
        .prepare_cached(
            "DELETE FROM games WHERE game IN
               (SELECT game FROM games WHERE finished_at < ?1 ORDER BY finished_at LIMIT ?2)",
        )?
        .execute([finished_before, PRUNE_AT_ONCE])?;
    Ok(pruned)
}
