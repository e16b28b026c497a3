//! The database interface of the stores: prepared statements and rows.
//!
//! The seam has the shape of rusqlite. Each store is written once, in the SQL that both databases know; the texts have the
//! parameters of SQLite (`?1`), and PostgreSQL translates them (`postgres::dialect`). Values and columns are
//! those of SQLite: integers, texts, bytes, and nothing.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, ValueRef};

use super::{Binder, Error, Params, Result};
use crate::postgres::session::PostgresStatement;
use crate::postgres::value::PostgresRow;

/// A connection to a database, as the stores use it.
pub type Connection = dyn Database;

/// A database. The calls block.
pub trait Database: Send {
    /// Prepares a statement, or takes it from those that were prepared before.
    fn prepare_cached(&self, text: &str) -> Result<Statement<'_>>;

    /// Begins a transaction.
    fn begin(&self, purpose: Purpose) -> Result<()>;

    /// Makes the transaction durable.
    fn commit(&self) -> Result<()>;

    /// Ends the transaction without an effect. An error is not told: the database forgets the transaction then by itself.
    fn roll_back(&self);
}

/// The purpose of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To read as of one moment.
    View,
    /// To read and write while nobody else writes what the stores write.
    Change,
}

/// A prepared statement.
pub enum Statement<'c> {
    /// Of SQLite.
    Sqlite(rusqlite::CachedStatement<'c>),
    /// Of PostgreSQL.
    Postgres(PostgresStatement<'c>),
}

/// The rows of a query.
pub(crate) enum Rows<'s> {
    Sqlite(rusqlite::Rows<'s>),
    Postgres(std::vec::IntoIter<PostgresRow>, Option<PostgresRow>),
}

/// A row.
pub enum Row<'r> {
    /// Of SQLite.
    Sqlite(&'r rusqlite::Row<'r>),
    /// Of PostgreSQL.
    Postgres(&'r PostgresRow),
}

/// The rows of a query, each mapped by a function.
pub(crate) struct MappedRows<'s, F> {
    rows: Rows<'s>,
    map: F,
}

/// The place of a column.
pub(crate) trait Column {
    fn place(self) -> usize;
}

impl Column for usize {
    fn place(self) -> usize {
        self
    }
}

impl Statement<'_> {
    /// Executes the statement; returns the number of rows it changed.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a store gives its values away, as to rusqlite"
    )]
    pub fn execute(&mut self, params: impl Params) -> Result<usize> {
        match self {
            Self::Sqlite(statement) => {
                bind(statement, &params)?;
                Ok(statement.raw_execute()?)
            }
            Self::Postgres(statement) => statement.execute(&params),
        }
    }

    /// Returns the rows.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a store gives its values away, as to rusqlite"
    )]
    pub(crate) fn query(&mut self, params: impl Params) -> Result<Rows<'_>> {
        Ok(match self {
            Self::Sqlite(statement) => {
                bind(statement, &params)?;
                Rows::Sqlite(statement.raw_query())
            }
            Self::Postgres(statement) => {
                Rows::Postgres(statement.query(&params)?.into_iter(), None)
            }
        })
    }

    /// Returns the rows, mapped by `map`.
    pub(crate) fn query_map<T, F: FnMut(&Row<'_>) -> Result<T>>(
        &mut self,
        params: impl Params,
        map: F,
    ) -> Result<MappedRows<'_, F>> {
        Ok(MappedRows {
            rows: self.query(params)?,
            map,
        })
    }

    /// Returns the first row, mapped by `map`.
    ///
    /// # Errors
    /// [`Error::NoRow`] if there is none.
    pub(crate) fn query_row<T>(
        &mut self,
        params: impl Params,
        map: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut rows = self.query(params)?;
        let row = rows.next()?.ok_or(Error::NoRow)?;
        map(&row)
    }
}

impl Rows<'_> {
    /// Returns the next row.
    pub(crate) fn next(&mut self) -> Result<Option<Row<'_>>> {
        Ok(match self {
            Self::Sqlite(rows) => rows.next()?.map(Row::Sqlite),
            Self::Postgres(rows, current) => {
                *current = rows.next();
                current.as_ref().map(Row::Postgres)
            }
        })
    }
}

impl<T, F: FnMut(&Row<'_>) -> Result<T>> Iterator for MappedRows<'_, F> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.rows.next() {
            Ok(Some(row)) => Some((self.map)(&row)),
            Ok(None) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

impl Row<'_> {
    /// Returns the value of a column.
    pub(crate) fn get<C: Column, T: FromSql>(&self, column: C) -> Result<T> {
        match self {
            Self::Sqlite(row) => Ok(row.get(column.place())?),
            Self::Postgres(row) => Ok(T::column_result(row.get_ref(column.place())?)?),
        }
    }

    /// Returns the value of a column as it is in the row.
    pub(crate) fn get_ref(&self, column: usize) -> Result<ValueRef<'_>> {
        match self {
            Self::Sqlite(row) => Ok(row.get_ref(column)?),
            Self::Postgres(row) => row.get_ref(column),
        }
    }
}

/// Binds the values of a statement of SQLite.
struct SqliteBinder<'s, 'c> {
    statement: &'s mut rusqlite::CachedStatement<'c>,
    bound: usize,
}

impl<'p> Binder<'p> for SqliteBinder<'_, '_> {
    fn bind<T: ToSql + ?Sized>(&mut self, value: &'p T) -> Result<()> {
        self.bound += 1;
        Ok(self.statement.raw_bind_parameter(self.bound, value)?)
    }
}

fn bind(statement: &mut rusqlite::CachedStatement<'_>, params: &impl Params) -> Result<()> {
    let mut binder = SqliteBinder {
        statement,
        bound: 0,
    };
    params.bind_to(&mut binder)?;
    let (bound, expected) = (binder.bound, binder.statement.parameter_count());
    if bound != expected {
        return Err(rusqlite::Error::InvalidParameterCount(bound, expected).into());
    }
    Ok(())
}

impl Database for rusqlite::Connection {
    fn prepare_cached(&self, text: &str) -> Result<Statement<'_>> {
        Ok(Statement::Sqlite(Self::prepare_cached(self, text)?))
    }

    fn begin(&self, purpose: Purpose) -> Result<()> {
        let begin = match purpose {
            Purpose::View => "BEGIN DEFERRED",
            Purpose::Change => "BEGIN IMMEDIATE",
        };
        Ok(self.execute_batch(begin)?)
    }

    fn commit(&self) -> Result<()> {
        Ok(self.execute_batch("COMMIT")?)
    }

    fn roll_back(&self) {
        if !self.is_autocommit()
            && let Err(error) = self.execute_batch("ROLLBACK")
        {
            tracing::warn!(%error, "a transaction could not be rolled back");
        }
    }
}

/// Reads within a transaction, so that all statements see the same state.
pub fn in_one_view<T, E: From<Error>>(
    db: &Connection,
    read: impl FnOnce(&Connection) -> Result<T, E>,
) -> Result<T, E> {
    db.begin(Purpose::View)?;
    let _ends = RollBack(Some(db));
    read(db)
}

/// Makes a change completely or not at all. A change that `is_made` refuses is rolled back.
pub fn in_one_change<T>(
    db: &Connection,
    change: impl FnOnce(&Connection) -> Result<T>,
    is_made: impl FnOnce(&T) -> bool,
) -> Result<T> {
    db.begin(Purpose::Change)?;
    let mut ends = RollBack(Some(db));
    let done = change(db)?;
    if is_made(&done) {
        ends.0 = None;
        if let Err(error) = db.commit() {
            db.roll_back();
            return Err(error);
        }
    }
    Ok(done)
}

/// Rolls the transaction back when it is dropped, also by a panic.
struct RollBack<'c>(Option<&'c Connection>);

impl Drop for RollBack<'_> {
    fn drop(&mut self) {
        if let Some(db) = self.0 {
            db.roll_back();
        }
    }
}
