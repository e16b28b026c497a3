//! Reads, copies and fills a whole database for the operator's commands.
//!
//! A backup is a database of SQLite, as that of a data directory: `check` and `restore` work with it, and so does a return to
//! SQLite.

use std::path::Path;
use std::sync::Arc;

use tilewire_protocol::GameId;

use super::{copy, schema};
use crate::sqlite;
use tilewire_config::StorageConfig;
use tilewire_sql as sql;
use tilewire_sql::archive::{Archive, ArchiveError, Pace, problem_of_account};
use tilewire_sql::postgres::error::PostgresError;
use tilewire_sql::postgres::server::Server;
use tilewire_sql::postgres::session::Session;
use tilewire_sql::rows::Rows;
use tilewire_sql::{Connection, in_one_view};
use tilewire_store::{StoreError, StoredGame};

/// A database that is read as a whole.
pub struct PostgresArchive {
    session: Session,
}

impl std::fmt::Debug for PostgresArchive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PostgresArchive").finish_non_exhaustive()
    }
}

impl PostgresArchive {
    /// Opens the database of the settings.
    ///
    /// # Errors
    /// When there is none of this version.
    pub fn open(config: &StorageConfig) -> Result<Self, ArchiveError> {
        let session = connected(config)?;
        schema::refuse_other(&session).map_err(refused)?;
        Ok(Self { session })
    }
}

impl PostgresArchive {
    fn problem_of_accounts(&self) -> Result<Option<String>, ArchiveError> {
        let asked = "SELECT identity, account FROM accounts WHERE identity > $1 ORDER BY identity LIMIT 1000";
        let mut last = String::new();
        loop {
            let rows = self.session.rows(asked, &[&last]).map_err(refused)?;
            if rows.is_empty() {
                return Ok(None);
            }
            for row in rows {
                let read = || Ok((row.try_get::<_, String>(0)?, row.try_get::<_, Vec<u8>>(1)?));
                let (identity, account) =
                    read().map_err(|error: tokio_postgres::Error| refused(error.into()))?;
                if let Some(problem) = problem_of_account(&identity, &account) {
                    return Ok(Some(problem));
                }
                last = identity;
            }
        }
    }
}

fn connected(config: &StorageConfig) -> Result<Session, ArchiveError> {
    let open = || Session::open(Arc::new(Server::of(config)?.patient()));
    open().map_err(refused)
}

fn refused(error: PostgresError) -> ArchiveError {
    ArchiveError::Open(error.into())
}

/// Returns the error of a statement; a file of SQLite is at `path`.
fn failed(path: &Path, error: sql::Error) -> ArchiveError {
    match error {
        sql::Error::Postgres(error) => refused(error),
        sql::Error::Sqlite(error) => sqlite::database_error(path, error),
        other => ArchiveError::Open(other.into()),
    }
}

impl Archive for PostgresArchive {
    fn check(&self) -> Result<(), ArchiveError> {
        let asked = "SELECT game FROM games WHERE head IS DISTINCT FROM
             (SELECT max(seq) FROM records WHERE records.game = games.game) LIMIT 1";
        let cut = self.session.rows(asked, &[]).map_err(refused)?;
        let problem = match cut.first() {
            Some(row) => {
                let game: String = row.try_get(0).map_err(|error| refused(error.into()))?;
                Some(format!(
                    "the log of game {game} does not end where it should"
                ))
            }
            None => self.problem_of_accounts()?,
        };
        let place = self.session.place().to_owned();
        match problem {
            Some(problem) => Err(refused(PostgresError::Damaged { place, problem })),
            None => Ok(()),
        }
    }

    fn games(&self) -> Result<Vec<GameId>, ArchiveError> {
        let asked = "SELECT game FROM games ORDER BY created_at, game";
        let rows = self.session.rows(asked, &[]).map_err(refused)?;
        let games = rows.iter().map(|row| row.try_get(0).map(GameId));
        games
            .collect::<Result<_, _>>()
            .map_err(|error: tokio_postgres::Error| refused(error.into()))
    }

    fn game(&self, game: &GameId) -> Result<Option<StoredGame>, StoreError> {
        let read = |db: &Connection| Rows::of(db, game);
        let rows = in_one_view(&self.session, read)?;
        rows.map(Rows::game).transpose()
    }

    /// The pace is that of the network and of the other machine's disk.
    fn copy_to(&self, file: &Path, _: Pace) -> Result<(), ArchiveError> {
        sqlite::complete(file, |part| {
            let fresh = sqlite::open_fresh(part)?;
            copy::into_sqlite(&self.session, &fresh).map_err(|error| failed(part, error))
        })
    }
}

/// Fills a database without data with everything of a SQLite database: a backup, or the data directory of a server that is
/// stopped. Nothing is changed unless all of it is copied and compared.
///
/// # Errors
/// When the original is damaged or in use, or the database has data.
pub fn copy_from(original: &Path, config: &StorageConfig) -> Result<(), ArchiveError> {
    let sealed = sqlite::sealed(original)?;
    let session = connected(config)?;
    copy::into_postgres(&sealed.connection, &session).map_err(|error| failed(original, error))
}
