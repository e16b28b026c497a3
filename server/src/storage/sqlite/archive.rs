//! The database as a file of the operator: looked through, copied while a server writes it, put back.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use super::data_dir::{DATABASE, DataDir};
use super::inspect::{problem_of_pages, refuse_loss};
use super::mark::{self, Noted};
use super::rows::Rows;
use super::{OpenError, schema};
use crate::storage::{StoreError, StoredGame};

/// Why a database was not read, copied or put back.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// There is no such file, or it cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Nothing is overwritten.
    #[error("{} is there already; choose another name, or move it away first", .0.display())]
    Exists(PathBuf),
    /// The data directory cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The file is no database, or a damaged one.
    #[error("{}: {source}; if it is damaged, restore a backup (tilewire-server restore FILE) into an empty directory", path.display())]
    Database {
        /// Which.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// The pages of the file do not fit together.
    #[error("{} is damaged: {problem}; restore a backup (tilewire-server restore FILE) into an empty directory", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What SQLite says.
        problem: String,
    },
    /// Another connection kept the file from being copied.
    #[error("{} is busy; try again", .0.display())]
    Busy(PathBuf),
}

/// A database that is only read. A server may write it meanwhile.
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    connection: Connection,
}

impl Archive {
    /// Opens the database of a data directory.
    ///
    /// # Errors
    /// When there is none that this program can read.
    pub fn of_directory(dir: &Path) -> Result<Self, ArchiveError> {
        Self::open(&dir.join(DATABASE))
    }

    /// Opens a database.
    ///
    /// # Errors
    /// When there is none that this program can read.
    pub fn open(path: &Path) -> Result<Self, ArchiveError> {
        let file_error = |source| ArchiveError::File {
            path: path.to_owned(),
            source,
        };
        File::open(path).map_err(file_error)?;
        let database_error = |source| ArchiveError::Database {
            path: path.to_owned(),
            source,
        };
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(database_error)?;
        let found: usize = connection
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .map_err(database_error)?;
        let known = schema::CURRENT;
        if found > known {
            return Err(OpenError::NewerSchema { found, known }.into());
        }
        Ok(Self {
            path: path.to_owned(),
            connection,
        })
    }

    /// Checks that the pages of the file fit together.
    ///
    /// # Errors
    /// Says what does not.
    pub fn check_pages(&self) -> Result<(), ArchiveError> {
        match problem_of_pages(&self.connection) {
            Ok(None) => Ok(()),
            Ok(Some(problem)) => Err(ArchiveError::Damaged {
                path: self.path.clone(),
                problem,
            }),
            Err(source) => Err(self.database_error(source)),
        }
    }

    /// Checks that the database of this data directory knows all that was acknowledged.
    ///
    /// # Errors
    /// Says what it has lost.
    pub fn check_complete(&self, dir: &Path) -> Result<(), ArchiveError> {
        let noted = Noted::read(dir).map_err(|source| ArchiveError::File {
            path: mark::path(dir),
            source,
        })?;
        Ok(refuse_loss(&noted, &self.connection, dir)?)
    }

    /// Returns the ids of all games, the oldest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn games(&self) -> Result<Vec<String>, ArchiveError> {
        let read = || -> rusqlite::Result<_> {
            self.connection
                .prepare("SELECT game FROM games ORDER BY created_at, game")?
                .query_map([], |row| row.get(0))?
                .collect()
        };
        read().map_err(|source| self.database_error(source))
    }

    /// Reads a game.
    ///
    /// # Errors
    /// When it cannot be read or understood.
    pub fn game(&self, game: &str) -> Result<Option<StoredGame>, StoreError> {
        Rows::of(&self.connection, game)?
            .map(Rows::game)
            .transpose()
    }

    /// Copies everything into a new file, as it is at one moment.
    ///
    /// # Errors
    /// When the file is there already, or cannot be written; nothing is left of it then.
    pub fn copy_to(&self, file: &Path) -> Result<(), ArchiveError> {
        if file.exists() {
            return Err(ArchiveError::Exists(file.to_owned()));
        }
        let mut name = file.as_os_str().to_owned();
        name.push(".part");
        let part = PathBuf::from(name);
        let copied = self.copy_into(&part).and_then(|()| {
            let renamed = File::open(&part)
                .and_then(|part| part.sync_all())
                .and_then(|()| fs::rename(&part, file));
            renamed.map_err(|source| ArchiveError::File {
                path: file.to_owned(),
                source,
            })
        });
        if copied.is_err() {
            fs::remove_file(&part).ok(); // it may never have been there
        }
        copied
    }

    fn copy_into(&self, path: &Path) -> Result<(), ArchiveError> {
        let created = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(path);
        created.map_err(|source| ArchiveError::File {
            path: path.to_owned(),
            source,
        })?;
        let copy = || -> rusqlite::Result<StepResult> {
            let mut target = Connection::open(path)?;
            let step = Backup::new(&self.connection, &mut target)?.step(-1)?;
            target.pragma_update(None, "journal_mode", "DELETE")?;
            Ok(step)
        };
        match copy().map_err(|source| self.database_error(source))? {
            StepResult::Done => Self::open(path)?.check_pages(),
            _ => Err(ArchiveError::Busy(self.path.clone())),
        }
    }

    fn database_error(&self, source: rusqlite::Error) -> ArchiveError {
        ArchiveError::Database {
            path: self.path.clone(),
            source,
        }
    }
}

/// Makes a copy the database of a data directory that has none and that no server uses.
///
/// # Errors
/// When there is a database already, or the copy is none; nothing is changed then.
pub fn restore(file: &Path, dir: &Path) -> Result<(), ArchiveError> {
    let archive = Archive::open(file)?;
    archive.check_pages()?;
    let database = dir.join(DATABASE);
    // An empty file is what a server that never wrote leaves behind, and what locking the directory makes.
    let is_used = fs::metadata(&database).is_ok_and(|found| found.len() > 0);
    if is_used {
        return Err(ArchiveError::Exists(database));
    }
    let _locked = DataDir::open(dir)?;
    fs::remove_file(&database).map_err(|source| ArchiveError::File {
        path: database.clone(),
        source,
    })?;
    // What it says is true of the database that is not there any more.
    fs::remove_file(mark::path(dir)).ok(); // there may be none
    archive.copy_to(&database)
}
