//! Chooses the database. No other code outside `sqlite` and `postgres` names one.

use std::path::Path;
use std::sync::Arc;

use tilewire_rules::time::Timestamp;

use super::postgres::{self, PostgresArchive};
use super::sqlite::{self, SqliteArchive};
use tilewire_config::{Config, StorageConfig};
use tilewire_sql::OperatorStorage;
use tilewire_sql::archive::{Archive, ArchiveError};
use tilewire_store::Storage;

use tilewire_sql::open_error::OpenError;

/// Opens the storage: the database that `storage.url` names, or else the one in `data_dir`, which is created if there is none.
/// `now` is the server's time.
///
/// # Errors
/// Says why it cannot be opened, such as another server that uses it.
pub fn open(
    data_dir: &Path,
    config: &StorageConfig,
    now: Timestamp,
) -> Result<Arc<dyn Storage>, OpenError> {
    let storage = match config.has_server() {
        true => postgres::open(config, now)?,
        false => sqlite::open(data_dir, config, now)?,
    };
    Ok(Arc::new(storage))
}

/// Opens a storage that a server has used, for the operator's commands.
///
/// # Errors
/// When there is no storage of this program's version.
pub fn open_for_operator(config: &Config) -> Result<OperatorStorage, OpenError> {
    match config.storage.has_server() {
        true => postgres::open_for_operator(&config.storage),
        false => sqlite::open_for_operator(&config.data_dir, &config.storage),
    }
}

/// Opens the storage of the settings for reading only.
///
/// # Errors
/// When there is none that this program can read.
pub fn open_own_archive(config: &Config) -> Result<Box<dyn Archive>, ArchiveError> {
    match config.storage.has_server() {
        true => Ok(Box::new(PostgresArchive::open(&config.storage)?)),
        false => open_archive(&config.data_dir),
    }
}

/// Opens the storage in a data directory for reading only.
///
/// # Errors
/// When there is none that this program can read.
pub fn open_archive(data_dir: &Path) -> Result<Box<dyn Archive>, ArchiveError> {
    Ok(Box::new(SqliteArchive::of_directory(data_dir)?))
}

/// Restores a copy that [`Archive::copy_to`] made into the storage of the settings, which has no data.
///
/// # Errors
/// When the storage has data, a server uses it, or the copy is damaged. Nothing is changed then.
pub fn restore_own(file: &Path, config: &Config) -> Result<(), ArchiveError> {
    match config.storage.has_server() {
        true => postgres::copy_from(file, &config.storage),
        false => restore(file, &config.data_dir),
    }
}

/// Restores a copy that [`Archive::copy_to`] made into a data directory that has no storage.
///
/// # Errors
/// When the directory has a storage, a server uses it, or the copy is damaged. Nothing is changed then.
pub fn restore(file: &Path, data_dir: &Path) -> Result<(), ArchiveError> {
    sqlite::restore(file, data_dir)
}
