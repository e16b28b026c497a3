//! Writes changes in batches: one transaction and one flush of the disk for all that wait.
//!
//! Invariant: a change is reported as stored only after the commit of its batch; a change that fails or conflicts takes
//! nothing else of its batch with it.

use std::fmt::Display;

use rusqlite::{Connection, ErrorCode, Result};

use super::EXIT_STORAGE;
use super::changes::{Change, Done};
use super::mark::Mark;
use super::transfer::{Transfer, Transferred, checkpoint};
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
    /// Who transfers the write-ahead log; without one it is transferred at the end only.
    transfer: Option<Transfer>,
    /// Nothing is written any more after a fatal error (where the process has not ended).
    is_dead: bool,
    /// Since the transfer of the write-ahead log began last.
    commits: u32,
    changes: usize,
    checkpoint_every: u32,
    checkpoint_changes: usize,
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
            transfer: None,
            is_dead: false,
            commits: 0,
            changes: 0,
            checkpoint_every: config.checkpoint_every,
            checkpoint_changes: config.checkpoint_changes,
        }
    }

    /// Has every commit noted.
    pub(super) fn marking(mut self, mark: Mark) -> Self {
        self.mark = Some(mark);
        self
    }

    /// Has the write-ahead log transferred while it goes on.
    pub(super) fn transferring(mut self, transfer: Transfer) -> Self {
        self.transfer = Some(transfer);
        self
    }

    /// Has the log transferred after the next commit: somebody has left some of it, and the log of a server that dies again
    /// and again must not grow with each life.
    pub(super) const fn owing_a_transfer(mut self) -> Self {
        self.changes = self.checkpoint_changes;
        self
    }

    /// Makes all changes in one transaction and returns what became of each, in order.
    pub(super) fn write(&mut self, changes: &[Change]) -> Vec<Outcome> {
        if self.is_dead {
            return all(changes, &unavailable(&"the storage has failed"));
        }
        let outcomes = match self.make(changes) {
            Ok(outcomes) => outcomes,
            Err(error) => return self.give_up(changes, &error),
        };
        reached(Point::BeforeCommit);
        match (self.commit)(&self.connection) {
            Ok(()) => {
                reached(Point::AfterCommit);
                self.commits += 1;
                self.changes += changes.len();
                self.note(changes, &outcomes);
                outcomes
            }
            Err(error) if is_refusal(&error) => self.give_up(changes, &error),
            Err(error) => self.die(changes, &error),
        }
    }

    /// Opens a transaction and makes the changes in it, those that fail excepted.
    ///
    /// # Errors
    /// When none can be made, the transaction open or not.
    fn make(&self, changes: &[Change]) -> Result<Vec<Outcome>> {
        self.connection.execute_batch("BEGIN IMMEDIATE")?;
        // Next to no batch has a change that fails, and what isolates one costs as much as a small change itself.
        let together: Result<Vec<Done>> = changes
            .iter()
            .map(|change| change.apply(&self.connection))
            .collect();
        if let Ok(done) = together {
            return Ok(done.into_iter().map(Ok).collect());
        }
        // Some errors, a full disk among them, make SQLite give up the whole transaction.
        if !self.connection.is_autocommit() {
            self.connection.execute_batch("ROLLBACK")?;
        }
        self.connection.execute_batch("BEGIN IMMEDIATE")?;
        let mut outcomes = Vec::with_capacity(changes.len());
        for change in changes {
            match isolated(&self.connection, change) {
                Ok(done) => outcomes.push(Ok(done)),
                Err(error) if self.connection.is_autocommit() => return Err(error),
                Err(error) => outcomes.push(Err(unavailable(&error))),
            }
        }
        Ok(outcomes)
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

    /// Has the log transferred into the database if it is time; what readers still need stays for the next time. The file
    /// keeps its length and is written again from its beginning: to flush what makes no file longer takes less.
    pub(super) fn checkpoint_if_due(&mut self) {
        let Some(transfer) = &mut self.transfer else {
            return;
        };
        if self.is_dead {
            return;
        }
        match transfer.ended() {
            Some(Transferred::Done) => return self.transfer_rest(),
            Some(Transferred::Refused(why)) => return try_again(&why),
            Some(Transferred::Broken(why)) => return drop(self.die(&[], &why)),
            None => {}
        }
        let is_due =
            self.commits >= self.checkpoint_every || self.changes >= self.checkpoint_changes;
        if is_due && !transfer.is_running() {
            (self.commits, self.changes) = (0, 0);
            transfer.begin();
        }
    }

    /// Transfers what was committed while the rest was: the log is empty then, and begins anew.
    fn transfer_rest(&mut self) {
        match checkpoint(&self.connection) {
            Ok(_) => reached(Point::AfterCheckpoint),
            Err(error) if is_refusal(&error) => try_again(&error),
            Err(error) => drop(self.die(&[], &error)),
        }
    }

    /// Transfers all of the log into the database, so that the database file alone is complete.
    pub(super) fn tidy(&mut self) {
        self.transfer = None; // waits for the one that runs
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

    /// The batch was refused: nothing of it is stored.
    fn give_up(&mut self, changes: &[Change], error: &rusqlite::Error) -> Vec<Outcome> {
        if !self.connection.is_autocommit()
            && let Err(second) = self.connection.execute_batch("ROLLBACK")
        {
            return self.die(changes, &second);
        }
        all(changes, &unavailable(&error))
    }

    fn die(&mut self, changes: &[Change], error: &dyn Display) -> Vec<Outcome> {
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
pub(super) fn is_refusal(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DiskFull | ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

fn try_again(why: &dyn Display) {
    tracing::warn!(%why, "the write-ahead log could not be transferred; trying again later");
}

fn unavailable(error: &dyn Display) -> AppendError {
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
