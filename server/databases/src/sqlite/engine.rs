//! Commits groups of changes: one transaction, and so one flush of the disk, for a group.
//!
//! Invariant: a change is reported as stored only after the commit of its group. A change that fails or conflicts takes no
//! other change of its group with it.

use std::fmt::Display;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, Result};
use tokio::sync::Notify;

use super::EXIT_STORAGE;
use super::checkpoint::{CheckpointOutcome, Checkpointer, checkpoint};
use super::data_dir::DataDir;
use super::high_water::{HighWaterFile, HighWaterMark};
use tilewire_base::crash_points::{Point, reached};
use tilewire_base::traces::TARGET;
use tilewire_config::StorageConfig;
use tilewire_sql as sql;
use tilewire_sql::changes::{Change, Done};
use tilewire_sql::write_queue;
use tilewire_sql::write_queue::GroupCommit;
use tilewire_store::{AppendError, Progress};

/// The outcome of one change.
pub(super) type Outcome = write_queue::Outcome<Done>;

/// Commits the open transaction.
type Commit = Box<dyn FnMut(&Connection) -> Result<()> + Send>;

/// Called when the storage cannot be trusted any more.
type OnFatal = Box<dyn Fn(&str) + Send>;

/// The writing connection.
pub(super) struct Engine {
    connection: Connection,
    commit: Commit,
    on_fatal: OnFatal,
    /// Records after each commit what the database must know.
    high_water: Option<HighWaterFile>,
    /// Without a checkpointer, only [`GroupCommit::finish`] checkpoints the write-ahead log.
    checkpointer: Option<Checkpointer>,
    /// Told after a commit that ended a game.
    ended: Arc<Notify>,
    /// After a fatal error nothing is written any more. It matters in tests, where the process goes on.
    is_dead: bool,
    /// Whether pages of an erased player are in the write-ahead log: the log is emptied soon.
    owes_truncation: bool,
    /// Commits since the last checkpoint began.
    commits: u32,
    /// Changes since the last checkpoint began.
    changes: usize,
    checkpoint_every: u32,
    checkpoint_changes: usize,
    busy_timeout: Duration,
    log: LogBound,
    /// The last field, so that the connection is closed before another server can lock the directory.
    dir: Option<DataDir>,
}

/// The bound of the write-ahead log. Its file keeps its length until it is cut off, so a long file says only that the log was
/// once as long.
struct LogBound {
    path: Option<PathBuf>,
    /// Length at which the writing thread waits for a checkpoint.
    most: u64,
    /// Length at which the next checkpoint is due.
    due_at: u64,
}

impl LogBound {
    fn new(config: &StorageConfig) -> Self {
        let most = config.log_mib.saturating_mul(1 << 20);
        Self {
            path: None,
            most,
            due_at: most / 2,
        }
    }

    /// Returns the length of the file.
    fn length(&self) -> u64 {
        let found = self.path.as_ref().and_then(|path| path.metadata().ok());
        found.map_or(0, |found| found.len())
    }

    /// Says whether the log has ever been so long that its file should be cut off.
    fn is_long(&self) -> bool {
        self.length() >= self.most / 2
    }
}

impl Engine {
    pub(super) fn new(connection: Connection, config: &StorageConfig) -> Self {
        let commit = |connection: &Connection| connection.execute_batch("COMMIT");
        Self::with(connection, config, Box::new(commit), Box::new(end_process))
    }

    /// Makes an engine with a commit and a last resort of its own. Tests simulate a failing disk with it.
    pub(super) fn with(
        connection: Connection,
        config: &StorageConfig,
        commit: Commit,
        on_fatal: OnFatal,
    ) -> Self {
        Self {
            connection,
            commit,
            on_fatal,
            high_water: None,
            checkpointer: None,
            ended: Arc::default(),
            is_dead: false,
            owes_truncation: false,
            commits: 0,
            changes: 0,
            checkpoint_every: config.checkpoint_every,
            checkpoint_changes: config.checkpoint_changes,
            busy_timeout: config.busy_timeout_ms.to_duration(),
            log: LogBound::new(config),
            dir: None,
        }
    }

    /// Keeps the data directory locked until the engine is dropped.
    pub(super) fn locking(mut self, dir: DataDir) -> Self {
        self.dir = Some(dir);
        self
    }

    /// Records the high-water mark after every commit.
    pub(super) fn marking(mut self, file: HighWaterFile) -> Self {
        self.high_water = Some(file);
        self
    }

    /// Tells a task of each commit that ended a game.
    pub(super) fn telling(mut self, ended: Arc<Notify>) -> Self {
        self.ended = ended;
        self
    }

    /// Checkpoints the write-ahead log between groups.
    pub(super) fn checkpointing(mut self, checkpointer: Checkpointer, log: PathBuf) -> Self {
        self.checkpointer = Some(checkpointer);
        self.log.path = Some(log);
        self
    }

    /// Checkpoints after the next commit: an earlier process left a log, and the log must not grow with every crash.
    pub(super) const fn owing_a_checkpoint(mut self) -> Self {
        self.changes = self.checkpoint_changes;
        self
    }

    /// Opens a transaction and applies the changes in it, except those that fail.
    ///
    /// # Errors
    /// When no change can be applied. The transaction may be open or not.
    fn apply(&self, changes: &[Change]) -> sql::Result<Vec<Outcome>> {
        self.connection.execute_batch("BEGIN IMMEDIATE")?;
        // A change almost never fails, and a savepoint costs as much as a small change: the first try has none.
        let together: sql::Result<Vec<Done>> = changes
            .iter()
            .map(|change| change.apply(&self.connection))
            .collect();
        if let Ok(done) = together {
            return Ok(done.into_iter().map(Ok).collect());
        }
        // After some errors, such as a full disk, SQLite has already rolled back the whole transaction.
        if !self.connection.is_autocommit() {
            self.connection.execute_batch("ROLLBACK")?;
        }
        self.connection.execute_batch("BEGIN IMMEDIATE")?;
        let mut outcomes = Vec::with_capacity(changes.len());
        for change in changes {
            match apply_in_savepoint(&self.connection, change) {
                Ok(done) => outcomes.push(Ok(done)),
                Err(error) if self.connection.is_autocommit() => return Err(error),
                Err(error) => outcomes.push(Err(unavailable(&error))),
            }
        }
        Ok(outcomes)
    }

    /// Records what is stored now, before the callers learn of it.
    fn mark(&mut self, changes: &[Change], outcomes: &[Outcome]) {
        let Some(file) = &mut self.high_water else {
            return;
        };
        file.update(|mark| {
            for (change, outcome) in changes.iter().zip(outcomes) {
                match outcome {
                    Ok(Done::Stored) => raise(mark, change),
                    // The marked game may be one of the removed ones.
                    Ok(Done::Pruned(pruned)) if pruned.removed.games() > 0 => mark.record = None,
                    Ok(
                        Done::Pruned(_)
                        | Done::Conflict { .. }
                        | Done::Stale
                        | Done::HandleTaken
                        | Done::MailTaken
                        | Done::Refused(_)
                        | Done::Numbered(_)
                        | Done::TooManyReports(_)
                        | Done::Unchanged
                        | Done::Erased(_)
                        | Done::Given(_),
                    )
                    | Err(_) => {}
                }
            }
        });
    }

    /// Checkpoints what was committed during the checkpoint that has just ended. The log is empty then and restarts.
    fn checkpoint_rest(&mut self) {
        match checkpoint(&self.connection) {
            Ok(_) => reached(Point::AfterCheckpoint),
            Err(error) if is_refusal(&error) => warn_of_checkpoint(&error),
            Err(error) => return drop(self.die(&[], &error)),
        }
        if self.log.is_long() {
            self.cut_off();
        }
    }

    /// Cuts the file of the log off without waiting for readers: with a reader, it stays until the next checkpoint.
    fn cut_off(&mut self) {
        let wait = |time| self.connection.busy_timeout(time);
        let cut_off = wait(Duration::ZERO).and_then(|()| {
            let truncated =
                self.connection
                    .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
            wait(self.busy_timeout).and(truncated)
        });
        match cut_off {
            Ok(()) if !self.log.is_long() => self.log.due_at = self.log.most / 2,
            Ok(()) => {}
            Err(error) if is_refusal(&error) => warn_of_checkpoint(&error),
            Err(error) => drop(self.die(&[], &error)),
        }
    }

    /// Copies the whole write-ahead log into the database and cuts the file off, because it still has what was erased. If
    /// somebody reads the log, the next group tries again.
    fn truncate(&mut self) {
        let is_busy = self
            .connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0));
        match is_busy {
            Ok(is_busy) => self.owes_truncation = is_busy,
            Err(error) if is_refusal(&error) => warn_of_checkpoint(&error),
            Err(error) => drop(self.die(&[], &error)),
        }
    }

    /// Rolls back: nothing of the group is stored.
    fn refuse(&mut self, changes: &[Change], error: &dyn Display) -> Vec<Outcome> {
        if !self.connection.is_autocommit()
            && let Err(second) = self.connection.execute_batch("ROLLBACK")
        {
            return self.die(changes, &second);
        }
        all(changes, &unavailable(error))
    }

    fn die(&mut self, changes: &[Change], error: &dyn Display) -> Vec<Outcome> {
        self.is_dead = true;
        (self.on_fatal)(&error.to_string());
        all(changes, &AppendError::OutcomeUnknown(error.to_string()))
    }
}

impl GroupCommit for Engine {
    type Change = Change;
    type Done = Done;

    fn commit(&mut self, changes: &[Change]) -> Vec<Outcome> {
        if self.is_dead {
            return all(changes, &unavailable(&"the storage has failed"));
        }
        let _span =
            tracing::trace_span!(target: TARGET, "commit", changes = changes.len()).entered();
        let outcomes = match self.apply(changes) {
            Ok(outcomes) => outcomes,
            Err(error) => return self.refuse(changes, &error),
        };
        reached(Point::BeforeCommit);
        match (self.commit)(&self.connection) {
            Ok(()) => {
                reached(Point::AfterCommit);
                self.commits += 1;
                self.changes += changes.len();
                let erased = Ok(Done::Erased(Progress::Finished));
                self.owes_truncation |= outcomes.contains(&erased);
                self.mark(changes, &outcomes);
                if changes.iter().any(Change::ends_game) {
                    self.ended.notify_one();
                }
                outcomes
            }
            Err(error) if is_refusal(&error) => self.refuse(changes, &error),
            Err(error) => self.die(changes, &error),
        }
    }

    /// Checkpoints the log if it is time. Pages that readers still need wait for the next checkpoint. The log file keeps its
    /// length and is overwritten from the start: a flush is cheaper when no file grows. A log that is far too long is cut off;
    /// before it reaches its bound, the writing thread waits.
    fn between_groups(&mut self) {
        let Some(checkpointer) = &mut self.checkpointer else {
            return;
        };
        if self.is_dead {
            return;
        }
        let length = self.log.length();
        match checkpointer.ended(length >= self.log.most) {
            Some(CheckpointOutcome::Done) => return self.checkpoint_rest(),
            Some(CheckpointOutcome::Refused(why)) => return warn_of_checkpoint(&why),
            Some(CheckpointOutcome::Broken(why)) => return drop(self.die(&[], &why)),
            None => {}
        }
        if self.owes_truncation && !checkpointer.is_running() {
            return self.truncate();
        }
        let is_due = self.commits >= self.checkpoint_every
            || self.changes >= self.checkpoint_changes
            || length >= self.log.due_at;
        if is_due && !checkpointer.is_running() {
            (self.commits, self.changes) = (0, 0);
            // While a reader keeps the file from being cut off, each further quarter is due.
            self.log.due_at = (self.log.most / 2).max(length + self.log.most / 4);
            checkpointer.begin();
        }
    }

    /// Checkpoints the whole log, so that the database file alone is complete.
    fn finish(&mut self) {
        self.checkpointer = None; // waits for the running checkpoint
        let is_busy = self
            .connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0));
        let why: &dyn Display = match &is_busy {
            Ok(false) => return,
            Ok(true) => &"another process reads it",
            Err(error) => error,
        };
        tracing::warn!(%why, "the write-ahead log stays; the next start reads it");
    }

    fn panicked(&mut self) {
        (self.on_fatal)("the writing thread panicked");
    }
}

/// Applies one change completely or not at all.
fn apply_in_savepoint(connection: &Connection, change: &Change) -> sql::Result<Done> {
    connection.prepare_cached("SAVEPOINT one")?.execute([])?;
    let done = change.apply(connection);
    if done.is_err() && !connection.is_autocommit() {
        connection.prepare_cached("ROLLBACK TO one")?.execute([])?;
    }
    if !connection.is_autocommit() {
        connection.prepare_cached("RELEASE one")?.execute([])?;
    }
    done
}

/// Raises the mark to what the database knows once a change is stored.
fn raise(mark: &mut HighWaterMark, change: &Change) {
    if let Some((game, last)) = change.end_of_log() {
        mark.record = Some((game.clone(), last));
    }
    if let Change::Stamp(stamp) = change {
        mark.stamp = Some(stamp.at);
    }
}

/// Says whether a commit failed in a way that certainly left nothing on the disk.
pub(super) fn is_refusal(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DiskFull | ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

fn warn_of_checkpoint(why: &dyn Display) {
    tracing::warn!(%why, "a checkpoint of the write-ahead log failed; the server tries again later");
}

fn unavailable(error: &dyn Display) -> AppendError {
    AppendError::Unavailable(error.to_string())
}

fn all(changes: &[Change], error: &AppendError) -> Vec<Outcome> {
    changes.iter().map(|_| Err(error.clone())).collect()
}

/// Ends the process with [`EXIT_STORAGE`]. This process cannot tell what is on the disk, because the page cache may hide
/// it. The next process reads the disk and goes on from there.
#[expect(
    clippy::print_stderr,
    reason = "the log filter must not hide it from the operator"
)]
pub(crate) fn end_process(error: &str) {
    tracing::error!(
        error,
        "a write failed and its outcome is unknown; the process ends"
    );
    eprintln!(
        "tilewire-server: a write to the storage failed and its outcome is unknown: {error}\n\
         The process ends so that it acknowledges nothing that may not be on the disk. Check the disk, then start again."
    );
    std::process::exit(EXIT_STORAGE);
}
