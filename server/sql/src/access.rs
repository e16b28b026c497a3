//! The way of the stores to a database: threads that write and read. In a simulation it is a simulated disk, and the task
//! that asks does the work.

#[cfg(feature = "simulation")]
use std::sync::Arc;

#[cfg(feature = "simulation")]
use futures::future::BoxFuture;
use tilewire_base::queue_level::QueueLevel;
use tilewire_protocol::GameId;

use super::Connection;
use super::changes::{Change, Done};
use super::readers::Readers;
use super::write_queue::{Outcome, WriteQueue};
use tilewire_store::StoreError;

/// The way of the stores to a database.
#[derive(Debug)]
pub enum Access {
    /// Threads with connections.
    Threads(Threads),
    /// A simulated disk.
    #[cfg(feature = "simulation")]
    Simulated(Arc<dyn SimulatedDisk>),
}

/// The threads of a storage.
#[derive(Debug)]
pub struct Threads {
    /// They are dropped before the writer: its connection closes last, and so removes SQLite's write-ahead log.
    pub readers: Readers,
    /// The queue of changes for the writing thread.
    pub writer: WriteQueue<Change, Done>,
}

/// The occasion of a read. Threads serve all alike; a simulated disk delays and refuses some.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Occasion {
    /// Somebody asks.
    Request,
    /// A server starts. Without the answer it does not.
    Start,
    /// A server starts, and reads the ratings of all players.
    Ratings,
    /// A task looks whether there is something to do.
    Poll,
    /// A reader of the journal looks for more records.
    Follow,
    /// A place in the journal, or a number for the operator: it is read all the time.
    Glance,
    /// The logs of these games are read.
    Load(Vec<GameId>),
}

/// A disk without threads. It decides the outcome of each call.
#[cfg(feature = "simulation")]
pub trait SimulatedDisk: std::fmt::Debug + Send + Sync {
    /// Carries a change out.
    fn write(&self, change: Change) -> BoxFuture<'_, Outcome<Done>>;

    /// Waits until a read can be made.
    ///
    /// # Errors
    /// When it is refused.
    fn reach<'a>(&'a self, occasion: &'a Occasion) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Calls `read` with a connection, as of one moment.
    fn view(&self, occasion: &Occasion, read: &mut dyn FnMut(&Connection));
}

impl Access {
    /// Makes a change.
    pub(crate) async fn write(&self, change: Change) -> Outcome<Done> {
        match self {
            Self::Threads(threads) => threads.writer.write(change).await,
            #[cfg(feature = "simulation")]
            Self::Simulated(disk) => disk.write(change).await,
        }
    }

    /// Reads because somebody asks.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read_on(Occasion::Request, read).await
    }

    /// Reads.
    pub(crate) async fn read_on<T: Send + 'static>(
        &self,
        occasion: Occasion,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        match self {
            Self::Threads(threads) => {
                drop(occasion);
                threads.readers.read(read).await
            }
            #[cfg(feature = "simulation")]
            Self::Simulated(disk) => {
                disk.reach(&occasion).await?;
                viewed(&**disk, &occasion, read)
            }
        }
    }

    /// Looks for something to do. A simulated disk answers at once if `is_nothing`: most looks find nothing.
    pub(crate) async fn poll<T: Send + 'static>(
        &self,
        occasion: Occasion,
        is_nothing: impl Fn(&T) -> bool + Send,
        read: impl Fn(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        #[cfg(feature = "simulation")]
        if let Self::Simulated(disk) = self
            && let Ok(nothing) = viewed(&**disk, &occasion, &read)
            && is_nothing(&nothing)
        {
            return Ok(nothing);
        }
        #[cfg(not(feature = "simulation"))]
        drop(is_nothing);
        self.read_on(occasion, read).await
    }

    /// Returns how full the queue of changes is.
    pub(crate) fn level(&self) -> QueueLevel {
        match self {
            Self::Threads(threads) => threads.writer.level(),
            #[cfg(feature = "simulation")]
            Self::Simulated(_) => QueueLevel::default(),
        }
    }

    /// Returns why the last write failed, if it did.
    pub(crate) fn trouble(&self) -> Option<String> {
        match self {
            Self::Threads(threads) => threads.writer.trouble(),
            #[cfg(feature = "simulation")]
            Self::Simulated(_) => None,
        }
    }

    /// Does what was asked and closes the connections.
    pub(crate) async fn close(&self) {
        match self {
            Self::Threads(threads) => {
                // SQLite can checkpoint its whole log only when no connection reads it.
                threads.readers.close().await;
                threads.writer.close().await;
            }
            #[cfg(feature = "simulation")]
            Self::Simulated(_) => {}
        }
    }
}

/// Reads at once.
#[cfg(feature = "simulation")]
fn viewed<T>(
    disk: &dyn SimulatedDisk,
    occasion: &Occasion,
    read: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let (mut read, mut found) = (Some(read), None);
    disk.view(occasion, &mut |db| {
        found = read.take().map(|read| read(db));
    });
    found.unwrap_or_else(|| Err(StoreError::Unavailable("the disk read nothing".to_owned())))
}
