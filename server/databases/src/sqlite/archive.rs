//! Reads, copies and restores a database for the operator's commands; a server may write it meanwhile.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;
use tilewire_protocol::GameId;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, ErrorCode};

use super::data_dir::DataDir;
use super::high_water::{self, HighWaterMark};
use super::inspect::{problem_of_content, refuse_loss};
use super::{PAGE_BYTES, connection, own_file, scrub};
use tilewire_sql::archive::{Archive, ArchiveError, Pace};
use tilewire_sql::files::DATABASE;
use tilewire_sql::open_error::OpenError;
use tilewire_sql::rows::Rows;
use tilewire_sql::schema;
use tilewire_store::{StoreError, StoredGame};

/// Pages that are copied between two rests: about a MiB.
const PAGES_BETWEEN_RESTS: i32 = 256;

/// A database that is open for reading only.
#[derive(Debug)]
pub struct SqliteArchive {
    dir: Option<PathBuf>,
    path: PathBuf,
    connection: Connection,
}

impl SqliteArchive {
    /// Opens the database of a data directory.
    ///
    /// # Errors
    /// When there is none that this program can read.
    pub fn of_directory(dir: &Path) -> Result<Self, ArchiveError> {
        let mut archive = Self::open(&dir.join(DATABASE))?;
        archive.dir = Some(dir.to_owned());
        Ok(archive)
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
        let connection =
            connection::open_read_only(path).map_err(|source| database_error(path, source))?;
        let found = schema::version(&connection, path)?;
        if found == 0 {
            let known = schema::CURRENT;
            return Err(OpenError::OtherSchema { found, known }.into());
        }
        Ok(Self {
            dir: None,
            path: path.to_owned(),
            connection,
        })
    }

    fn check_content(&self) -> Result<(), ArchiveError> {
        match problem_of_content(&self.connection) {
            Ok(None) => Ok(()),
            Ok(Some(problem)) => Err(ArchiveError::Damaged {
                path: self.path.clone(),
                problem,
            }),
            Err(source) => Err(database_error(&self.path, source)),
        }
    }

    /// Copies the database into an empty file.
    fn copy_into(&self, path: &Path, pace: Pace) -> Result<(), ArchiveError> {
        let copy = || -> rusqlite::Result<StepResult> {
            // One transaction around all steps: without it, a change by a server would start the copy again.
            let moment = self.connection.unchecked_transaction()?;
            // It begins with the first read.
            moment.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
            let mut target = connection::open(path)?;
            let step = copy_pages(&Backup::new(&moment, &mut target)?, pace)?;
            target.pragma_update(None, "journal_mode", "DELETE")?;
            if step == StepResult::Done {
                scrub::rewrite(&target)?;
            }
            Ok(step)
        };
        match copy() {
            Ok(StepResult::Done) => Self::open(path)?.check_content(),
            Ok(_) => Err(ArchiveError::Busy(self.path.clone())),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DiskFull) => {
                Err(ArchiveError::NoSpace(path.to_owned()))
            }
            Err(source) => Err(database_error(&self.path, source)),
        }
    }
}

/// Copies all pages, or as many as can be copied until another process locks the database.
fn copy_pages(backup: &Backup<'_, '_>, pace: Pace) -> rusqlite::Result<StepResult> {
    let pages = match pace {
        Pace::Full => -1,
        Pace::Half => PAGES_BETWEEN_RESTS,
    };
    loop {
        let started = now();
        match backup.step(pages)? {
            StepResult::More => thread::sleep(started.elapsed()),
            step => return Ok(step),
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the copy rests for as long as it works"
)]
fn now() -> Instant {
    Instant::now()
}

/// Returns the error for a database that cannot be read.
pub(crate) fn database_error(path: &Path, source: rusqlite::Error) -> ArchiveError {
    ArchiveError::Database {
        path: path.to_owned(),
        source: Box::new(source),
    }
}

impl Archive for SqliteArchive {
    fn check(&self) -> Result<(), ArchiveError> {
        self.check_content()?;
        let Some(dir) = &self.dir else {
            return Ok(());
        };
        let noted = HighWaterMark::read(dir).map_err(|source| ArchiveError::File {
            path: high_water::path(dir),
            source,
        })?;
        Ok(refuse_loss(&noted, &self.connection, dir)?)
    }

    fn games(&self) -> Result<Vec<GameId>, ArchiveError> {
        let read = || -> rusqlite::Result<_> {
            self.connection
                .prepare("SELECT game FROM games ORDER BY created_at, game")?
                .query_map([], |row| row.get(0).map(GameId))?
                .collect()
        };
        read().map_err(|source| database_error(&self.path, source))
    }

    fn game(&self, game: &GameId) -> Result<Option<StoredGame>, StoreError> {
        Rows::of_any_schema(&self.connection, game)?
            .map(Rows::game)
            .transpose()
    }

    fn copy_to(&self, file: &Path, pace: Pace) -> Result<(), ArchiveError> {
        complete(file, |part| self.copy_into(part, pace))
    }
}

/// Makes a file of the operator: `write` fills a part beside it, which gets the name when it is complete and on the disk.
///
/// # Errors
/// When the file exists, or cannot be written. No part of it remains then.
pub(crate) fn complete(
    file: &Path,
    write: impl FnOnce(&Path) -> Result<(), ArchiveError>,
) -> Result<(), ArchiveError> {
    if file.exists() {
        return Err(ArchiveError::Exists(file.to_owned()));
    }
    let mut name = file.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    own_file::create(&part).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => ArchiveError::Exists(part.clone()),
        _ => ArchiveError::File {
            path: part.clone(),
            source,
        },
    })?;
    let copied = write(&part).and_then(|()| {
        let renamed = File::open(&part)
            .and_then(|part| part.sync_all())
            .and_then(|()| fs::rename(&part, file))
            .and_then(|()| sync_folder(file));
        renamed.map_err(|source| ArchiveError::File {
            path: file.to_owned(),
            source,
        })
    });
    if copied.is_err() {
        fs::remove_file(&part).ok(); // another error is reported already
    }
    copied
}

/// Opens an empty file as a database with the tables of this version.
pub(crate) fn open_fresh(path: &Path) -> Result<Connection, ArchiveError> {
    let mut connection = connection::open(path).map_err(|source| database_error(path, source))?;
    let set = connection.pragma_update(None, "page_size", PAGE_BYTES);
    set.map_err(|source| database_error(path, source))?;
    schema::migrate(&mut connection)?;
    Ok(connection)
}

/// Opens the database of a file, or of a data directory that stays locked, if it is whole and of this version.
pub(crate) fn sealed(path: &Path) -> Result<Sealed, ArchiveError> {
    let (file, lock) = match path.is_dir() {
        true => {
            let file = path.join(DATABASE);
            if !file.is_file() {
                return Err(OpenError::NoDatabase(file).into());
            }
            (file, Some(DataDir::open(path)?))
        }
        false => (path.to_owned(), None),
    };
    let archive = match &lock {
        Some(_) => SqliteArchive::of_directory(path)?,
        None => SqliteArchive::open(&file)?,
    };
    archive.check()?;
    let (found, known) = (
        schema::version(&archive.connection, &file)?,
        schema::CURRENT,
    );
    if found != known {
        return Err(OpenError::OtherSchema { found, known }.into());
    }
    Ok(Sealed {
        connection: archive.connection,
        _lock: lock,
    })
}

/// A database that no server changes.
pub(crate) struct Sealed {
    pub(crate) connection: Connection,
    _lock: Option<DataDir>,
}

/// Restores a copy into a data directory that has no database and that no server uses.
///
/// # Errors
/// When there is a database already, or the copy is not one. Nothing is changed then.
pub fn restore(file: &Path, dir: &Path) -> Result<(), ArchiveError> {
    let archive = SqliteArchive::open(file)?;
    archive.check_content()?;
    let database = dir.join(DATABASE);
    // A server that never wrote leaves an empty file, and locking the directory creates one.
    let is_used = fs::metadata(&database).is_ok_and(|found| found.len() > 0);
    if is_used {
        return Err(ArchiveError::Exists(database));
    }
    let _locked = DataDir::open(dir)?;
    fs::remove_file(&database).map_err(|source| ArchiveError::File {
        path: database.clone(),
        source,
    })?;
    // The high-water mark describes the removed database.
    fs::remove_file(high_water::path(dir)).ok(); // there may be none
    archive.copy_to(&database, Pace::Full)
}

/// Makes the name of a new file durable.
fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|path| !path.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}
