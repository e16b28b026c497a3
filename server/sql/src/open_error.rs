//! Why a storage cannot be opened.

use std::path::{Path, PathBuf};

use crate as sql;
use crate::postgres::error::PostgresError;

/// Why the storage cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The data directory cannot be used.
    #[error("cannot use the data directory {} (data_dir): {source}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Another server uses the data directory.
    #[error(
        "another server is using the data directory {}; stop it, or name another with --data-dir",
        path.display()
    )]
    InUse {
        /// The directory.
        path: PathBuf,
    },
    /// A newer program wrote the database.
    #[error(
        "the database was written by a newer version of this program (schema {found}; this program knows up to {known}): \
         start that version, or restore a backup from before the upgrade"
    )]
    NewerSchema {
        /// Version of the database's schema.
        found: usize,
        /// Newest version this program knows.
        known: usize,
    },
    /// The database has another schema than this program gives it.
    #[error(
        "the database {} is not as this program makes it: {part} is missing, changed or added. Somebody may have prepared \
         it; restore a backup that you trust into another directory (tilewire-server restore FILE --data-dir NEW-DIR)",
        path.display()
    )]
    ForeignSchema {
        /// The file.
        path: PathBuf,
        /// The kind and the name of a part that differs.
        part: String,
    },
    /// The database cannot be brought to this program's version.
    #[error("cannot migrate the database: {0}")]
    Migration(#[from] rusqlite_migration::Error),
    /// The database is damaged.
    #[error(
        "the database {} is damaged: {problem}. It was left as it is: restore a backup into another directory \
         (tilewire-server restore FILE --data-dir NEW-DIR), and see what else is wrong with this one \
         (tilewire-server check)",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The problem that SQLite reports.
        problem: String,
    },
    /// The database does not know what was acknowledged.
    #[error(
        "the database has lost what was acknowledged: {what}. Its write-ahead log (tilewire.sqlite-wal) may be missing, \
         cut or damaged, or an older copy took its place; it was left as it is. Put the missing file back, or restore a \
         backup into another directory (tilewire-server restore FILE --data-dir NEW-DIR). To go on without what is \
         lost, remove {}",
        mark.display()
    )]
    Lost {
        /// The missing record or stamp.
        what: String,
        /// The file that says so.
        mark: PathBuf,
    },
    /// The database cannot be used.
    #[error("cannot use the database: {0}")]
    Database(#[from] rusqlite::Error),
    /// There is no database in the directory.
    #[error("there is no database {}; name the server's data directory with --data-dir", .0.display())]
    NoDatabase(PathBuf),
    /// Another version of this program wrote the database last.
    #[error(
        "the database has schema {found}, this program writes {known}: start the server of this version once, then try again"
    )]
    OtherSchema {
        /// Version of the database's schema.
        found: usize,
        /// The version this program writes.
        known: usize,
    },
    /// A thread cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// The database of PostgreSQL cannot be used.
    #[error(transparent)]
    Postgres(#[from] PostgresError),
    /// A stored value cannot be read.
    #[error("cannot use the database: {0}")]
    Unreadable(String),
}

impl OpenError {
    /// Says whether the disk of the data directory takes no writes at the moment: it is full, or read-only.
    #[must_use]
    pub fn is_of_disk(&self) -> bool {
        match self {
            Self::Directory { source, .. } => takes_no_writes(source),
            Self::Database(error) => {
                error.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull)
            }
            _ => false,
        }
    }
}

/// Says whether an error means that a disk takes no writes at the moment.
#[must_use]
pub fn takes_no_writes(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(
        error.kind(),
        ReadOnlyFilesystem | StorageFull | QuotaExceeded
    )
}

impl From<sql::Error> for OpenError {
    fn from(error: sql::Error) -> Self {
        match error {
            sql::Error::Sqlite(error) => Self::Database(error),
            sql::Error::Postgres(error) => Self::Postgres(error),
            other @ (sql::Error::NoRow | sql::Error::Unreadable(_)) => {
                Self::Unreadable(other.to_string())
            }
        }
    }
}

/// Tells damage from other troubles.
pub fn said_by_sqlite(path: &Path, error: rusqlite::Error) -> OpenError {
    if sql::is_damage(&error) {
        return OpenError::Damaged {
            path: path.to_owned(),
            problem: error.to_string(),
        };
    }
    OpenError::Database(error)
}
