//! Chooses the database. This is the only code outside `sqlite` that names it.

use std::path::Path;
use std::sync::Arc;

use futures::future::BoxFuture;
use tilewire_rules::time::Timestamp;

use super::sqlite::{self, SqliteArchive, SqliteKeyring, SqliteStorage};
use super::{
    AccountBook, AccountStore, Archive, ArchiveError, ChatStore, ClockRecord, CredentialStore,
    EndingFeed, HookBook, HookStore, IdentityStore, Journal, Keyring, LetterStore, LivenessStore,
    LobbyStore, ModerationBook, ModerationStore, PersonalStore, Pruning, PushKeyring, PushStore,
    RelationStore, ResultBook, ResultStore, StorageHealth, VacationStore,
};
use crate::config::{Config, StorageConfig};

pub use super::sqlite::OpenError;

/// Everything that a server stores.
pub trait Storage:
    Journal
    + LobbyStore
    + IdentityStore
    + AccountStore
    + RelationStore
    + ChatStore
    + ModerationStore
    + ResultStore
    + LetterStore
    + HookStore
    + PushStore
    + EndingFeed
    + CredentialStore
    + LivenessStore
    + Pruning
    + PersonalStore
    + VacationStore
    + StorageHealth
{
    /// Finishes all calls in progress and closes the storage. Later calls fail as unavailable. When this returns, another
    /// server may open the storage.
    fn close(&self) -> BoxFuture<'_, ()>;
}

/// Opens the storage in `data_dir`, and creates it if there is none. `now` is the server's time.
///
/// # Errors
/// Says why it cannot be opened, such as another server that uses it.
pub fn open(
    data_dir: &Path,
    config: &StorageConfig,
    now: Timestamp,
) -> Result<Arc<dyn Storage>, OpenError> {
    Ok(Arc::new(SqliteStorage::open(data_dir, config, now)?))
}

/// Opens the keys and revocations of a storage that a server has used.
///
/// # Errors
/// When there is no storage of this program's version.
pub fn open_keyring(config: &Config) -> Result<Box<dyn Keyring>, OpenError> {
    let keyring = SqliteKeyring::open(&config.data_dir, &config.storage)?;
    Ok(Box::new(keyring))
}

/// Opens the key pairs of pushes of a storage that a server has used.
///
/// # Errors
/// When there is no storage of this program's version.
pub fn open_push_keyring(config: &Config) -> Result<Box<dyn PushKeyring>, OpenError> {
    let keyring = SqliteKeyring::open(&config.data_dir, &config.storage)?;
    Ok(Box::new(keyring))
}

/// Opens the accounts and the audit of a storage that a server has used.
///
/// # Errors
/// When there is no storage of this program's version.
pub fn open_account_book(config: &Config) -> Result<Box<dyn AccountBook>, OpenError> {
    let book = SqliteKeyring::open(&config.data_dir, &config.storage)?;
    Ok(Box::new(book))
}

/// Opens the reports, the accounts and the audit of a storage that a server has used.
///
/// # Errors
/// When there is no storage of this program's version.
pub fn open_moderation_book(config: &Config) -> Result<Box<dyn ModerationDesk>, OpenError> {
    let book = SqliteKeyring::open(&config.data_dir, &config.storage)?;
    Ok(Box::new(book))
}

/// Accounts and moderation for the operator's commands.
pub trait ModerationDesk: AccountBook + ModerationBook {}

impl<T: AccountBook + ModerationBook> ModerationDesk for T {}

/// Opens the results and ratings of a storage that a server has used.
///
/// # Errors
/// When there is no storage of this program's version.
pub fn open_result_book(config: &Config) -> Result<Box<dyn ResultBook>, OpenError> {
    let book = SqliteKeyring::open(&config.data_dir, &config.storage)?;
    Ok(Box::new(book))
}

/// Opens the events for webhooks of a storage that a server has used.
///
/// # Errors
/// When there is no storage of this program's version.
pub fn open_hook_book(config: &Config) -> Result<Box<dyn HookBook>, OpenError> {
    let book = SqliteKeyring::open(&config.data_dir, &config.storage)?;
    Ok(Box::new(book))
}

/// Opens the record of the server's time in a storage that a server has used.
///
/// # Errors
/// When there is no storage of this program's version.
pub fn open_clock_record(config: &Config) -> Result<Box<dyn ClockRecord>, OpenError> {
    let record = SqliteKeyring::open(&config.data_dir, &config.storage)?;
    Ok(Box::new(record))
}

/// Opens the storage in `data_dir` for reading only.
///
/// # Errors
/// When there is none that this program can read.
pub fn open_archive(data_dir: &Path) -> Result<Box<dyn Archive>, ArchiveError> {
    Ok(Box::new(SqliteArchive::of_directory(data_dir)?))
}

/// Restores a copy that [`Archive::copy_to`] made into a data directory that has no storage.
///
/// # Errors
/// When the directory has a storage, a server uses it, or the copy is damaged. Nothing is changed then.
pub fn restore(file: &Path, data_dir: &Path) -> Result<(), ArchiveError> {
    sqlite::restore(file, data_dir)
}
