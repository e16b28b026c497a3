//! The thread that transfers the write-ahead log into the database while the writer goes on.
//!
//! A transfer takes as long as many commits do, and nothing is committed while the writer makes one itself: games would
//! stand still for some 15 ms each time. Here all that is in the log when it begins is transferred and flushed beside the
//! writer; what came meanwhile is left to the writer, for SQLite begins the log anew only after a commit that found it
//! empty.

use std::fs::File;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread::JoinHandle;
use std::{io, thread};

use rusqlite::{Connection, Error};

use super::engine::is_refusal;
use crate::crash_points::{Point, reached};

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
    let done = checkpoint(connection);
    let Err(error) = done else {
        // SQLite flushes what it has transferred only when that was all; the writer would have to wait for it then.
        return match database.sync_data() {
            Ok(()) => Transferred::Done,
            Err(error) => Transferred::Broken(error.to_string()),
        };
    };
    if is_refusal(&error) {
        Transferred::Refused(error.to_string())
    } else {
        Transferred::Broken(error.to_string())
    }
}

/// Transfers what no reader needs any more, without waiting for anybody.
///
/// # Errors
/// When the disk or the database does not let it.
pub(super) fn checkpoint(connection: &Connection) -> Result<(), Error> {
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
}
