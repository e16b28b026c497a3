//! The thread that checkpoints the write-ahead log while the writing thread commits.
//!
//! A checkpoint takes as long as many commits. If the writing thread made it, every game would wait for some 15 ms. This
//! thread copies and flushes the log in passes; each pass takes what was committed during the pass before it. The writing
//! thread checkpoints the small rest, because SQLite restarts the log only after a commit that finds all of it copied.
//!
//! The thread runs at low priority and flushes its pages in small parts, because it shares the processors and the disk.

use std::fs::File;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use std::{io, thread};

use rusqlite::{Connection, Error};

use super::engine::is_refusal;
use tilewire_base::background::stand_back;
use tilewire_base::crash_points::{Point, reached};
use tilewire_base::metrics;

/// Most passes over the log. Each takes a tenth of the pass before it or less, as a rule.
const PASSES: usize = 4;

/// A pass that copied no more pages than these is the last one.
const FEW_PAGES: i64 = 512;

/// The time between two flushes during a pass. A flush of the log waits behind these pages: a quarter of a MiB, where it
/// would be some 15 MiB at the end of the pass.
const FLUSH_EVERY: Duration = Duration::from_millis(2);

/// The outcome of a checkpoint.
#[derive(Debug)]
pub(super) enum CheckpointOutcome {
    /// The database has the log as it was at the start, except for pages that readers still need.
    Done,
    /// Nothing is lost; a later checkpoint may succeed.
    Refused(String),
    /// The disk cannot be trusted any more.
    Broken(String),
}

/// The handle of the thread. Dropping it waits for the running checkpoint.
#[derive(Debug)]
pub(super) struct Checkpointer {
    /// `None` only while it is dropped.
    begin: Option<SyncSender<()>>,
    ended: Receiver<CheckpointOutcome>,
    is_running: bool,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// Starts the thread, with a connection of its own to the database at `path`.
    pub(super) fn start(connection: Connection, path: &Path) -> io::Result<Self> {
        // Never closed: closing any descriptor of a file releases all locks that the process has on it, SQLite's too.
        let database = ManuallyDrop::new(File::open(path)?);
        let (begin, begins) = sync_channel(1);
        let (end, ended) = sync_channel(1);
        let run = move || {
            stand_back();
            while begins.recv().is_ok() {
                reached(Point::BeforeCheckpoint);
                let started = now();
                let outcome = run_passes(&connection, &database);
                metrics::storage_checkpoint(started.elapsed());
                if end.send(outcome).is_err() {
                    return; // the handle is dropped
                }
            }
        };
        let thread = thread::Builder::new()
            .name("storage-wal".to_owned())
            .spawn(run)?;
        Ok(Self {
            begin: Some(begin),
            ended,
            is_running: false,
            thread: Some(thread),
        })
    }

    /// Whether a checkpoint has begun and its outcome has not been taken.
    pub(super) const fn is_running(&self) -> bool {
        self.is_running
    }

    /// Begins a checkpoint. None may be running.
    pub(super) fn begin(&mut self) {
        if let Some(begin) = &self.begin {
            begin.try_send(()).ok(); // `ended` notices a thread that has panicked
            self.is_running = true;
        }
    }

    /// Takes the outcome of the running checkpoint if it has ended, or waits for its end.
    pub(super) fn ended(&mut self, waits: bool) -> Option<CheckpointOutcome> {
        if !self.is_running {
            return None;
        }
        let ended = match waits {
            true => self.ended.recv().map_err(|_| TryRecvError::Disconnected),
            false => self.ended.try_recv(),
        };
        let ended = match ended {
            Ok(ended) => ended,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => {
                CheckpointOutcome::Broken("the checkpointing thread has failed".to_owned())
            }
        };
        self.is_running = false;
        Some(ended)
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.begin = None; // ends the thread when it is idle
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the storage's checkpointing thread has failed");
        }
    }
}

fn run_passes(connection: &Connection, database: &File) -> CheckpointOutcome {
    let mut before = 0;
    for _ in 0..PASSES {
        match pass(connection, database) {
            Ok(done) if done - before <= FEW_PAGES => break,
            Ok(done) => before = done,
            Err(why) => return why,
        }
    }
    CheckpointOutcome::Done
}

/// Copies the log into the database, flushes it, and returns how many pages were copied since the log last restarted.
///
/// # Errors
/// The outcome of the checkpoint if it cannot go on.
fn pass(connection: &Connection, database: &File) -> Result<i64, CheckpointOutcome> {
    let (copied, flushed) = thread::scope(|scope| {
        let (copying, over) = sync_channel::<()>(0);
        let flusher = thread::Builder::new()
            .name("storage-flush".to_owned())
            .spawn_scoped(scope, move || flush_until(&over, database));
        let done = checkpoint(connection);
        drop(copying);
        let flushed = match flusher {
            Ok(flusher) => flusher
                .join()
                .unwrap_or_else(|_| Err(io::Error::other("the flushing thread has failed"))),
            Err(_) => Ok(()), // without a thread, the flush below does everything
        };
        // SQLite flushes only a complete checkpoint; the writing thread would wait for that flush.
        (done, flushed.and_then(|()| flush(database)))
    });
    flushed.map_err(|error| CheckpointOutcome::Broken(error.to_string()))?;
    copied.map_err(|error| match is_refusal(&error) {
        true => CheckpointOutcome::Refused(error.to_string()),
        false => CheckpointOutcome::Broken(error.to_string()),
    })
}

/// Flushes the database at intervals until the other end of `over` is dropped.
///
/// # Errors
/// Of the first flush that fails: the disk reports a failure only once.
fn flush_until(over: &Receiver<()>, database: &File) -> io::Result<()> {
    while over.recv_timeout(FLUSH_EVERY) == Err(RecvTimeoutError::Timeout) {
        flush(database)?;
    }
    Ok(())
}

/// Flushes the database and counts the time.
fn flush(database: &File) -> io::Result<()> {
    let started = now();
    let flushed = database.sync_data();
    metrics::storage_flush(started.elapsed());
    flushed
}

#[expect(
    clippy::disallowed_methods,
    reason = "the shell measures how long the disk takes"
)]
fn now() -> Instant {
    Instant::now()
}

/// Checkpoints the pages that no reader needs any more, without waiting for readers. Returns how many pages were copied
/// since the log last restarted.
///
/// # Errors
/// When the disk or the database refuses it.
pub(super) fn checkpoint(connection: &Connection) -> Result<i64, Error> {
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get(2))
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::super::tests::connection;
    use super::*;

    #[test]
    fn a_failed_flush_breaks_a_checkpoint() {
        let dir = TempDir::new().unwrap();
        let connection = connection(dir.path());
        let not_flushed = File::open("/dev/null").unwrap();
        let outcome = run_passes(&connection, &not_flushed);
        assert!(
            matches!(outcome, CheckpointOutcome::Broken(_)),
            "{outcome:?}"
        );
    }

    /// The disk reports a failure once, so the flushing thread must report it too.
    #[test]
    fn flushing_goes_on_until_the_copy_ends_or_the_disk_fails() {
        let not_flushed = File::open("/dev/null").unwrap();
        let (copying, over) = sync_channel(0);
        flush_until(&over, &not_flushed).unwrap_err();
        drop(copying);
        flush_until(&over, &not_flushed).unwrap();
    }
}
