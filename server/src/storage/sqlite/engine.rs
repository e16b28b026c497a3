//! Writes changes in batches: one transaction and one flush of the disk for all that wait.
//!
//! Invariant: a change is reported as stored only after the commit of its batch; a change that fails or conflicts takes
//! nothing else of its batch with it.

use rusqlite::{Connection, ErrorCode, Result};

use super::EXIT_STORAGE;
use super::changes::{Change, Done};
use super::mark::Mark;
use crate::config::StorageConfig;
use crate::crash_points::{Point, reached};
use crate::storage::AppendError;

/// What became of one change.
pub(super) type Outcome = std::result::Result<Done, AppendError>;

/// Commits the open transaction.
type Commit = Box<dyn FnMut(&Connection) -> Result<()> + Send>;

/// Called when the storage cannot be trusted any more.
type OnFatal = Box<dyn Fn(&str) + Send>;

/// The writing connection.
pub(super) struct Engine {
    connection: Connection,
    commit: Commit,
    on_fatal: OnFatal,
    /// Where it is noted how far the log goes.
    mark: Option<Mark>,
    /// Nothing is written any more after a fatal error (where the process has not ended).
    is_dead: bool,
    commits: u32,
    checkpoint_every: u32,
}

impl Engine {
    pub(super) fn new(connection: Connection, config: &StorageConfig) -> Self {
        let commit = |connection: &Connection| connection.execute_batch("COMMIT");
        Self::with(connection, config, Box::new(commit), Box::new(end_process))
    }

    /// Makes an engine that commits and dies as it is told; for tests of what a disk can do.
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
            mark: None,
            is_dead: false,
            commits: 0,
            checkpoint_every: config.checkpoint_every,
        }
    }

    /// Has every commit noted.
    pub(super) fn marking(mut self, mark: Mark) -> Self {
        self.mark = Some(mark);
        self
    }

    /// Makes all changes in one transaction and returns what became of each, in order.
    pub(super) fn write(&mut self, changes: &[Change]) -> Vec<Outcome> {
        if self.is_dead {
            return all(changes, &unavailable(&"the storage has failed"));
        }
        if let Err(error) = self.connection.execute_batch("BEGIN IMMEDIATE") {
            return all(changes, &unavailable(&error));
        }
        let mut outcomes = Vec::with_capacity(changes.len());
        for change in changes {
            match isolated(&self.connection, change) {
                Ok(done) => outcomes.push(Ok(done)),
                // Some errors, a full disk among them, make SQLite give up the whole transaction.
                Err(error) if self.connection.is_autocommit() => {
                    return all(changes, &unavailable(&error));
                }
                Err(error) => outcomes.push(Err(unavailable(&error))),
            }
        }
        reached(Point::BeforeCommit);
        match (self.commit)(&self.connection) {
            Ok(()) => {
                reached(Point::AfterCommit);
                self.note(changes, &outcomes);
                outcomes
            }
            Err(error) if is_refusal(&error) => self.give_up(changes, &error),
            Err(error) => self.die(changes, &error),
        }
    }

    /// Notes what is stored now, before anybody is told.
    fn note(&mut self, changes: &[Change], outcomes: &[Outcome]) {
        let Some(mark) = &mut self.mark else {
            return;
        };
        mark.note(|noted| {
            for (change, outcome) in changes.iter().zip(outcomes) {
                match outcome {
                    Ok(Done::Stored) => change.note_in(noted),
                    // The game may be among them.
                    Ok(Done::Pruned(pruned)) if pruned.games > 0 => noted.record = None,
                    Ok(Done::Pruned(_) | Done::Conflict { .. }) | Err(_) => {}
                }
            }
        });
    }

    /// Transfers the log into the database if it is time; what readers still need stays for the next time.
    pub(super) fn checkpoint_if_due(&mut self) {
        self.commits += 1;
        if self.commits < self.checkpoint_every || self.is_dead {
            return;
        }
        self.commits = 0;
        reached(Point::BeforeCheckpoint);
        let done = self
            .connection
            .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        match done {
            Ok(()) => reached(Point::AfterCheckpoint),
            Err(error) if is_refusal(&error) => {
                tracing::warn!(%error, "the write-ahead log could not be transferred; trying again later");
            }
            Err(error) => {
                self.die(&[], &error);
            }
        }
    }

    /// Transfers all of the log into the database, so that the database file alone is complete.
    pub(super) fn tidy(&mut self) {
        let done = self
            .connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        if let Err(error) = done {
            tracing::warn!(%error, "the write-ahead log stays; the next start reads it");
        }
    }

    /// The commit was refused: nothing of the batch is stored.
    fn give_up(&mut self, changes: &[Change], error: &rusqlite::Error) -> Vec<Outcome> {
        if !self.connection.is_autocommit()
            && let Err(second) = self.connection.execute_batch("ROLLBACK")
        {
            return self.die(changes, &second);
        }
        all(changes, &unavailable(&error))
    }

    fn die(&mut self, changes: &[Change], error: &rusqlite::Error) -> Vec<Outcome> {
        self.is_dead = true;
        (self.on_fatal)(&error.to_string());
        all(changes, &AppendError::OutcomeUnknown(error.to_string()))
    }

    /// Returns what ends everything; for the case that the writing thread has a bug.
    pub(super) fn on_fatal(&self) -> &OnFatal {
        &self.on_fatal
    }
}

/// Makes one change, or nothing of it.
fn isolated(connection: &Connection, change: &Change) -> Result<Done> {
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

/// Says whether a commit failed in a way that certainly left nothing on the disk.
fn is_refusal(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DiskFull | ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

fn unavailable(error: &dyn std::fmt::Display) -> AppendError {
    AppendError::Unavailable(error.to_string())
}

fn all(changes: &[Change], error: &AppendError) -> Vec<Outcome> {
    changes.iter().map(|_| Err(error.clone())).collect()
}

/// Ends the process with [`EXIT_STORAGE`]. The next one reads what is on the disk and goes on from there; this one can
/// neither tell what that is nor read it again, for the page cache may hide it.
#[expect(
    clippy::print_stderr,
    reason = "the last words of the process, whatever the log filter says"
)]
fn end_process(error: &str) {
    tracing::error!(
        error,
        "the storage failed in the middle of a write; the process ends"
    );
    eprintln!(
        "tilewire-server: the storage failed in the middle of a write: {error}\n\
         The process ends so that nothing is acknowledged that may not be on the disk. Check the disk, then start again."
    );
    std::process::exit(EXIT_STORAGE);
}
