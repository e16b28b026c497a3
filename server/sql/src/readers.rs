//! The threads that read, and what they read.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::{fmt, io, thread};

use tilewire_rules::time::{Millis, Timestamp};
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::sync::oneshot;

use tilewire_protocol::GameId;

use super::{Connection, OptionalExtension, Result, Row, in_one_view};
use tilewire_store::{
    CommandKey, IdentityRow, Liveness, Stamp, StoreError, StoredCommand, StoredSeek,
};

/// Something to be done with a reading connection.
type Read = Box<dyn FnOnce(&Connection) + Send>;

/// Something for a thread to do.
enum Job {
    /// Reads.
    Read(Read),
    /// Closes the connection and ends.
    Close(oneshot::Sender<()>),
}

/// The way to the threads that read. Dropping it waits for what is in their queues.
pub struct Readers {
    queues: Vec<mpsc::Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
    next: AtomicUsize,
}

impl Readers {
    /// Starts a thread for each connection, each with a queue of `capacity`.
    pub fn start(connections: Vec<Box<Connection>>, capacity: usize) -> io::Result<Self> {
        let mut readers = Self {
            queues: Vec::with_capacity(connections.len()),
            threads: Vec::with_capacity(connections.len()),
            next: AtomicUsize::new(0),
        };
        for connection in connections {
            let (queue, jobs) = mpsc::channel(capacity);
            let thread = thread::Builder::new()
                .name("storage-reader".to_owned())
                .spawn(move || serve(connection, jobs))?;
            readers.queues.push(queue);
            readers.threads.push(thread);
        }
        Ok(readers)
    }

    /// Reads on one of the threads.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        let job = Job::Read(Box::new(move |connection| {
            reply.send(in_one_view(connection, read)).ok(); // who asked may have gone
        }));
        let turn = self.next.fetch_add(1, Ordering::Relaxed) % self.queues.len();
        if let Err(refused) = self.queues[turn].try_send(job) {
            let why = match refused {
                TrySendError::Full(_) => "too many reads wait",
                TrySendError::Closed(_) => "the storage is closed",
            };
            return Err(StoreError::Unavailable(why.to_owned()));
        }
        let lost = || StoreError::Unavailable("the storage has failed".to_owned());
        answer.await.unwrap_or_else(|_| Err(lost()))
    }

    /// Does what is in the queues, closes the connections and ends the threads.
    pub(crate) async fn close(&self) {
        for queue in &self.queues {
            let (reply, closed) = oneshot::channel();
            if queue.send(Job::Close(reply)).await.is_ok() {
                closed.await.ok(); // a thread that has failed is closed too
            }
        }
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.queues.clear(); // ends the threads when their queues are empty
        for thread in self.threads.drain(..) {
            if thread.join().is_err() {
                tracing::error!("a reading thread of the storage has failed");
            }
        }
    }
}

/// Serves reads until the last sender is dropped, or a job asks to close.
fn serve(connection: Box<Connection>, mut jobs: mpsc::Receiver<Job>) {
    while let Some(job) = jobs.blocking_recv() {
        match job {
            Job::Read(read) => read(&*connection),
            Job::Close(reply) => {
                drop(connection);
                reply.send(()).ok(); // who asked may have gone
                return;
            }
        }
    }
}

impl fmt::Debug for Readers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Readers").finish_non_exhaustive()
    }
}

/// Reads the open seeks.
pub(crate) fn seeks(db: &Connection) -> Result<Vec<StoredSeek>, StoreError> {
    let read = || -> Result<_> {
        db.prepare_cached("SELECT seek, content FROM seeks ORDER BY seek")?
            .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect()
    };
    read().map_err(StoreError::from)
}

/// Reads the accepted commands of the lobby with these keys.
pub(crate) fn commands(
    db: &Connection,
    keys: &[CommandKey],
) -> Result<Vec<Option<StoredCommand>>, StoreError> {
    let read = || -> Result<_> {
        let mut select = db.prepare_cached(
            "SELECT identity, cmd_id, digest, answer, at FROM lobby_commands
             WHERE identity = ?1 AND cmd_id = ?2",
        )?;
        let found = keys.iter().map(|key| {
            select
                .query_row([&key.identity, &key.cmd_id], stored_command)
                .optional()
        });
        found.collect()
    };
    read().map_err(StoreError::from)
}

/// Reads the accepted commands of an identity.
pub(crate) fn commands_of(
    db: &Connection,
    identity: &str,
) -> Result<Vec<StoredCommand>, StoreError> {
    let read = || -> Result<_> {
        db.prepare_cached(
            "SELECT identity, cmd_id, digest, answer, at FROM lobby_commands
             WHERE identity = ?1 ORDER BY at, cmd_id",
        )?
        .query_map([identity], stored_command)?
        .collect()
    };
    read().map_err(StoreError::from)
}

fn stored_command(row: &Row<'_>) -> Result<StoredCommand> {
    let key = CommandKey {
        identity: row.get(0)?,
        cmd_id: row.get(1)?,
    };
    Ok(StoredCommand {
        key,
        digest: row.get::<_, i64>(2)?.cast_unsigned(),
        answer: row.get(3)?,
        at: Timestamp(row.get(4)?),
    })
}

/// Reads the ids of the last finished games of an identity, or of those that ended before a game.
pub(crate) fn finished_of(
    db: &Connection,
    identity: &str,
    before: Option<&GameId>,
    limit: usize,
) -> Result<Vec<GameId>, StoreError> {
    let read = || -> Result<_> {
        let before = before.map(GameId::as_str);
        db.prepare_cached(
            "SELECT DISTINCT finished_at, games.game FROM seats JOIN games ON games.game = seats.game
             WHERE seats.identity = ?1 AND finished_at IS NOT NULL
             AND (CAST(?2 AS TEXT) IS NULL
                  OR (finished_at, games.game) < (SELECT finished_at, game FROM games WHERE game = ?2))
             ORDER BY finished_at DESC, games.game DESC LIMIT ?3",
        )?
        .query_map((identity, before, limit), |row| row.get(1).map(GameId))?
        .collect()
    };
    read().map_err(StoreError::from)
}

/// Reads an identity.
pub(crate) fn identity(db: &Connection, identity: &str) -> Result<Option<IdentityRow>, StoreError> {
    let read = || -> Result<_> {
        db.prepare_cached(
            "SELECT identity, name, created_at, coalesce(seen_at, created_at) FROM identities
             WHERE identity = ?1",
        )?
        .query_row([identity], |row| {
            Ok(IdentityRow {
                identity: row.get(0)?,
                name: row.get(1)?,
                created_at: Timestamp(row.get(2)?),
                seen_at: Timestamp(row.get(3)?),
            })
        })
        .optional()
    };
    read().map_err(StoreError::from)
}

/// Reads the last liveness stamp and the last jump of the clock.
pub(crate) fn liveness(db: &Connection) -> Result<Liveness, StoreError> {
    let all = || -> Result<_> {
        let stamp = |row: &Row<'_>| {
            Ok(Stamp {
                at: Timestamp(row.get(0)?),
                lost_ms: Millis(row.get(1)?),
            })
        };
        let mut stamps = db.prepare_cached("SELECT at, lost_ms FROM liveness")?;
        let mut jumps = db.prepare_cached("SELECT at FROM clock_jumps")?;
        Ok(Liveness {
            stamp: stamps.query_row((), stamp).optional()?,
            jumped_at: jumps
                .query_row((), |row| row.get(0).map(Timestamp))
                .optional()?,
        })
    };
    all().map_err(StoreError::from)
}
