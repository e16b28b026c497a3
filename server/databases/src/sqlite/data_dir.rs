//! The data directory: one server at a time, for its owner's eyes only.

use std::fs::{self, DirBuilder, File, TryLockError};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::own_file;
use tilewire_sql::files::{DATABASE, LOG, LOG_INDEX};
use tilewire_sql::open_error::OpenError;

/// A data directory that no other server can open while this lives.
#[derive(Debug)]
pub(super) struct DataDir {
    path: PathBuf,
    /// The directory itself, locked: a file for the lock could be removed. The operating system takes the lock back when
    /// this is closed, however the process ends.
    lock: File,
}

impl DataDir {
    /// Creates the directory if need be, and locks it.
    pub(super) fn open(path: &Path) -> Result<Self, OpenError> {
        let refused = |source: io::Error| OpenError::Directory {
            path: path.to_owned(),
            source,
        };
        let lock = make(path).map_err(refused)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(OpenError::InUse {
                    path: path.to_owned(),
                });
            }
            Err(TryLockError::Error(source)) => return Err(refused(source)),
        }
        // SQLite gives its other files the mode of the database.
        own_file::open(&path.join(DATABASE)).map_err(refused)?;
        for name in [LOG, LOG_INDEX] {
            own_file::correct(&path.join(name)).map_err(refused)?;
        }
        Ok(Self {
            path: path.to_owned(),
            lock,
        })
    }

    /// Returns the directory.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns where the database is.
    pub(super) fn database(&self) -> PathBuf {
        self.path.join(DATABASE)
    }

    /// Whether a process that did not end well has left a write-ahead log.
    pub(super) fn has_log(&self) -> bool {
        fs::metadata(self.path.join(LOG)).is_ok_and(|log| log.len() > 0)
    }
}

/// Makes a data directory if there is none, for the eyes of its owner alone. A server with PostgreSQL needs one too.
///
/// # Errors
/// When it cannot be made or used.
pub fn make_data_dir(path: &Path) -> Result<(), OpenError> {
    make(path).map(drop).map_err(|source| OpenError::Directory {
        path: path.to_owned(),
        source,
    })
}

/// Creates the directory if need be, and takes away the access that other users have to it.
fn make(path: &Path) -> io::Result<File> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    let directory = File::open(path)?;
    own_file::close_directory(&directory, path)?;
    Ok(directory)
}

impl Drop for DataDir {
    /// Unlocks the directory at once: a child that this process starts at this moment has the open file until it runs its program.
    fn drop(&mut self) {
        self.lock.unlock().ok(); // closing the file unlocks it too
    }
}
