//! Errors of both databases.

use rusqlite::ErrorCode;
use rusqlite::types::FromSqlError;

use crate::postgres::error::PostgresError;
use tilewire_store::StoreError;

/// Why a statement failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// SQLite refused it.
    #[error(transparent)]
    Sqlite(rusqlite::Error),
    /// PostgreSQL refused it, or does not answer.
    #[error(transparent)]
    Postgres(#[from] PostgresError),
    /// The query has no row.
    #[error("the query has no row")]
    NoRow,
    /// A row was read, and its content cannot be what this program stored.
    #[error("{0}")]
    Unreadable(Box<dyn std::error::Error + Send + Sync>),
}

/// The result of a statement.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Returns the error for content that cannot be what this program stored.
pub fn unreadable(why: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Unreadable(Box::new(why))
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error {
            rusqlite::Error::QueryReturnedNoRows => Self::NoRow,
            other => Self::Sqlite(other),
        }
    }
}

impl From<FromSqlError> for Error {
    fn from(error: FromSqlError) -> Self {
        unreadable(error)
    }
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        let text = error.to_string();
        match error {
            Error::Unreadable(_) => Self::Corrupt(text),
            Error::Sqlite(error) if is_damage(&error) => Self::Corrupt(text),
            Error::Sqlite(_) | Error::Postgres(_) | Error::NoRow => Self::Unavailable(text),
        }
    }
}

/// Says whether SQLite has found something in its files that it cannot have written.
pub fn is_damage(error: &rusqlite::Error) -> bool {
    let is_content = matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..)
    );
    let code = error.sqlite_error_code();
    is_content
        || matches!(
            code,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
        )
}

/// Turns the lack of a row into `None`.
pub trait OptionalExtension<T> {
    /// Returns `None` if there is no row.
    fn optional(self) -> Result<Option<T>>;
}

impl<T> OptionalExtension<T> for Result<T> {
    fn optional(self) -> Result<Option<T>> {
        match self {
            Ok(found) => Ok(Some(found)),
            Err(Error::NoRow) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
