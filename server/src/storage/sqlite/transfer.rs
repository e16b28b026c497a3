//! The thread that transfers the write-ahead log into the database while the writer goes on.
//!
//! A transfer takes as long as many commits do, and nothing is committed while the writer makes one itself: games would
//! stand still for some 15 ms each time. Here it is transferred and flushed beside the writer, in passes, each of which
//! takes what came during the one before it. The little that is left then is the writer's, for SQLite begins the log anew
//! only after a commit that found all of it transferred.
//!
//! Nobody waits for a transfer, but everybody for the processor and the disk it uses: so the thread stands back behind the
//! others of the process, and what it has copied goes to the disk in small parts.

use std::fs::File;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;
use std::{io, thread};

use rusqlite::{Connection, Error};

use super::engine::is_refusal;
use crate::background::stand_back;
use crate::crash_points::{Point, reached};

/// Passes over the log at most: each takes what was committed during the one before it, as a rule a tenth or less.
const PASSES: usize = 4;

/// A pass that copied no more pages than these is the last one.
const FEW_PAGES: i64 = 512;

/// How long the pages of a pass are gathered before they are flushed. A flush of the log waits behind what the disk has
/// been given: a quarter of a MiB in this time, where it would be some 15 at the end.
const FLUSH_EVERY: Duration = Duration::from_millis(2);

/// What became of a transfer.
#[derive(Debug)]
pub(super) enum Transferred {
    /// All of the log as it was at the beginning is in the database, but what readers still need.
    Done,
    /// Nothing is lost, and it can be tried again.
    Refused(String),
    /// The disk cannot be trusted any more.
    Broken(String),
}

/// The way to the thread. Dropping it waits for the transfer that runs.
#[derive(Debug)]
pub(super) struct Transfer {
    /// `None` only while it is dropped.
    begin: Option<SyncSender<()>>,
    ended: Receiver<Transferred>,
    is_running: bool,
    thread: Option<JoinHandle<()>>,
}

impl Transfer {
    /// Starts the thread, with a connection of its own to the database at `path`.
    pub(super) fn start(connection: Connection, path: &Path) -> io::Result<Self> {
        // Never closed: to close one descriptor of a file takes all locks on it from the process, SQLite's, too.
        let database = ManuallyDrop::new(File::open(path)?);
        let (begin, begins) = sync_channel(1);
        let (end, ended) = sync_channel(1);
        let run = move || {
            stand_back();
            while begins.recv().is_ok() {
                reached(Point::BeforeCheckpoint);
                if end.send(transfer(&connection, &database)).is_err() {
                    return; // nobody waits for it
                }
            }
        };
        let thread = thread::Builder::new()
            .name("storage-transfer".to_owned())
            .spawn(run)?;
        Ok(Self {
            begin: Some(begin),
            ended,
            is_running: false,
            thread: Some(thread),
        })
    }

    /// Whether one has begun whose end has not been taken.
    pub(super) const fn is_running(&self) -> bool {
        self.is_running
    }

    /// Begins one. None may be running.
    pub(super) fn begin(&mut self) {
        if let Some(begin) = &self.begin {
            begin.try_send(()).ok(); // a thread that has failed is noticed at its end
            self.is_running = true;
        }
    }

    /// Takes the end of the one that was running, if it has ended.
    pub(super) fn ended(&mut self) -> Option<Transferred> {
        if !self.is_running {
            return None;
        }
        let ended = match self.ended.try_recv() {
            Ok(ended) => ended,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => {
                Transferred::Broken("the thread that transfers the log has failed".to_owned())
            }
        };
        self.is_running = false;
        Some(ended)
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        self.begin = None; // ends the thread when it has nothing to do
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the storage's transferring thread has failed");
        }
    }
}

fn transfer(connection: &Connection, database: &File) -> Transferred {
    let mut before = 0;
    for _ in 0..PASSES {
        match pass(connection, database) {
            Ok(done) if done - before <= FEW_PAGES => break,
            Ok(done) => before = done,
            Err(why) => return why,
        }
    }
    Transferred::Done
}

/// Transfers what the log holds, flushes it, and returns how many pages of the log have been transferred since it began.
///
/// # Errors
/// What became of the transfer when it cannot go on.
fn pass(connection: &Connection, database: &File) -> Result<i64, Transferred> {
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
            Err(_) => Ok(()), // no thread is to be had: everything is flushed at the end
        };
        // SQLite flushes what it has transferred only when that was all; the writer would have to wait for it then.
        (done, flushed.and_then(|()| database.sync_data()))
    });
    flushed.map_err(|error| Transferred::Broken(error.to_string()))?;
    copied.map_err(|error| match is_refusal(&error) {
        true => Transferred::Refused(error.to_string()),
        false => Transferred::Broken(error.to_string()),
    })
}

/// Flushes the database again and again until the other end of `over` is gone.
///
/// # Errors
/// Of the first flush that fails: the disk says so only once.
fn flush_until(over: &Receiver<()>, database: &File) -> io::Result<()> {
    while over.recv_timeout(FLUSH_EVERY) == Err(RecvTimeoutError::Timeout) {
        database.sync_data()?;
    }
    Ok(())
}

/// Transfers what no reader needs any more, without waiting for anybody. Returns how many pages of the log have been
/// transferred since it began.
///
/// # Errors
/// When the disk or the database does not let it.
pub(super) fn checkpoint(connection: &Connection) -> Result<i64, Error> {
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get(2))
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::super::tests::connection;
    use super::*;

    #[test]
    fn a_flush_that_fails_breaks_a_transfer() {
        let dir = TempDir::new().unwrap();
        let connection = connection(dir.path());
        let not_flushed = File::open("/dev/null").unwrap();
        let transferred = transfer(&connection, &not_flushed);
        assert!(
            matches!(transferred, Transferred::Broken(_)),
            "{transferred:?}"
        );
    }

    /// The disk tells of a failure once: whoever flushes while pages are copied must not keep it to himself.
    #[test]
    fn flushing_goes_on_until_the_copy_ends_or_the_disk_fails() {
        let not_flushed = File::open("/dev/null").unwrap();
        let (copying, over) = sync_channel(0);
        flush_until(&over, &not_flushed).unwrap_err();
        drop(copying);
        flush_until(&over, &not_flushed).unwrap();
    }
}
