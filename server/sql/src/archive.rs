//! The contract for the operator's commands that read a whole storage: check and backup. A scheduled backup uses it too.

use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};
use tilewire_protocol::GameId;

use crate::open_error::OpenError;
use tilewire_store::codec::decode_account;
use tilewire_store::{StoreError, StoredGame};

/// Why a storage was not read, copied or restored.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The file does not exist, or cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The file exists already; nothing is overwritten.
    #[error("{} is there already; choose another name, or move it away first", .0.display())]
    Exists(PathBuf),
    /// The storage cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database cannot be read.
    #[error("{}: {source}; if it is damaged, restore a backup (tilewire-server restore FILE) into an empty directory", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// The cause, from the database's library.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The database is damaged.
    #[error("{} is damaged: {problem}; restore a backup (tilewire-server restore FILE) into an empty directory", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The problem, from the database's library.
        problem: String,
    },
    /// Another process holds the database.
    #[error("{} is busy; try again", .0.display())]
    Busy(PathBuf),
    /// The disk of the copy is full.
    #[error("{}: no space is left on its disk; the incomplete copy was removed", .0.display())]
    NoSpace(PathBuf),
}

/// Returns what is wrong with the stored form of an account, if anything is: its player could not sign in.
#[must_use]
pub fn problem_of_account(identity: &str, stored: &[u8]) -> Option<String> {
    let error = decode_account(stored).err()?;
    Some(format!("the account of {identity} cannot be read: {error}"))
}

/// How fast a storage is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// As fast as the disk allows.
    Full,
    /// With a rest after each MiB, as long as its copying took, so that a server beside has the disk half of the time.
    Half,
}

/// A storage that is open for reading only. Calls block. A server may write the same storage at the same time.
pub trait Archive: Debug {
    /// Checks that the database is intact, that accounts can be read, and that it holds everything that was acknowledged. The games are
    /// checked by replaying them; this does not do it.
    ///
    /// # Errors
    /// Describes the damage or the loss.
    fn check(&self) -> Result<(), ArchiveError>;

    /// Returns the ids of all games, the oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    fn games(&self) -> Result<Vec<GameId>, ArchiveError>;

    /// Reads a game; `None` if it does not exist.
    ///
    /// # Errors
    /// When the game cannot be read or decoded.
    fn game(&self, game: &GameId) -> Result<Option<StoredGame>, StoreError>;

    /// Copies the storage as of one moment into a new file that `restore` accepts.
    ///
    /// # Errors
    /// When the file exists or cannot be written. No part of the file remains then.
    fn copy_to(&self, file: &Path, pace: Pace) -> Result<(), ArchiveError>;
}
