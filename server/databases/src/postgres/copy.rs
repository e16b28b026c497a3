//! Copies all tables between SQLite and PostgreSQL, and compares the copy with the original.
//!
//! The tables are those of `sql::personal::TABLES`, which a test compares with the schema.

use std::fmt::Write;

use rusqlite::types::{Value, ValueRef};
use sha2::{Digest, Sha256};
use tokio_postgres::binary_copy::BinaryCopyInWriter;

use super::schema;
use tilewire_sql as sql;
use tilewire_sql::personal::{TABLES, Table};
use tilewire_sql::postgres::error::PostgresError;
use tilewire_sql::postgres::session::{Session, WRITERS};
use tilewire_sql::postgres::value::{Param, sent};
use tilewire_sql::{Connection, Database, Purpose};

/// Rows of a cursor that are read at once.
const ROWS_AT_ONCE: usize = 1_000;

/// Takes the values of a row.
type Each<'e> = &'e mut dyn FnMut(&[ValueRef<'_>]) -> sql::Result<()>;

/// The database from which the tables come.
trait Source {
    /// Reads all rows of a table.
    fn each_row(&self, table: &Table, each: Each<'_>) -> sql::Result<()>;
}

/// The content of a table: the number of its rows, and the sum of their digests, which does not depend on their order.
#[derive(Default, PartialEq, Eq)]
struct Content {
    rows: u64,
    sum: u128,
}

impl Content {
    fn of(source: &dyn Source, table: &Table) -> sql::Result<Self> {
        let mut content = Self::default();
        source.each_row(table, &mut |values| {
            content.add(values);
            Ok(())
        })?;
        Ok(content)
    }

    fn add(&mut self, values: &[ValueRef<'_>]) {
        let mut hash = Sha256::new();
        let mut put = |kind: u8, bytes: &[u8]| {
            hash.update([kind]);
            hash.update(bytes.len().to_be_bytes());
            hash.update(bytes);
        };
        for value in values {
            match value {
                ValueRef::Null => put(0, &[]),
                ValueRef::Integer(value) => put(1, &value.to_be_bytes()),
                ValueRef::Real(value) => put(2, &value.to_be_bytes()),
                ValueRef::Text(text) => put(3, text),
                ValueRef::Blob(bytes) => put(4, bytes),
            }
        }
        let digest = hash.finalize();
        let mut first = [0; 16];
        first.copy_from_slice(&digest[..16]);
        self.rows += 1;
        self.sum = self.sum.wrapping_add(u128::from_be_bytes(first));
    }
}

/// Copies everything from SQLite into a database without data, all or nothing.
pub(super) fn into_postgres(from: &rusqlite::Connection, session: &Session) -> sql::Result<()> {
    session.batch(&format!("BEGIN; SELECT pg_advisory_xact_lock({WRITERS})"))?;
    schema::migrate_within(session)?;
    refuse_data(session)?;
    for table in TABLES {
        session.batch(&format!("DELETE FROM {}", table.name))?;
        let copied = fill_postgres(from, session, table)?;
        verify(&copied, session, table)?;
    }
    continue_numbers(session)?;
    Ok(session.batch("COMMIT")?)
}

/// Copies everything as of one moment into fresh tables of SQLite.
pub(super) fn into_sqlite(session: &Session, to: &rusqlite::Connection) -> sql::Result<()> {
    session.begin(Purpose::View)?;
    to.execute_batch("BEGIN IMMEDIATE")?;
    for table in TABLES {
        to.execute_batch(&format!("DELETE FROM {}", table.name))?;
        let copied = fill_sqlite(session, to, table)?;
        verify(&copied, to, table)?;
    }
    to.execute_batch("COMMIT")?;
    session.roll_back();
    Ok(())
}

/// Refuses a database with games.
fn refuse_data(session: &Session) -> sql::Result<()> {
    let asked = "SELECT EXISTS (SELECT 1 FROM games) OR EXISTS (SELECT 1 FROM identities)
         OR EXISTS (SELECT 1 FROM results) OR EXISTS (SELECT 1 FROM audit)";
    let row = session.row(asked, &[])?;
    if row.try_get::<_, bool>(0)? {
        return Err(PostgresError::NotEmpty(session.place().to_owned()).into());
    }
    Ok(())
}

fn verify(copied: &Content, target: &dyn Source, table: &Table) -> sql::Result<()> {
    if Content::of(target, table)? == *copied {
        return Ok(());
    }
    Err(PostgresError::CopyDiffers(table.name.to_owned()).into())
}

/// Goes on with the numbers behind those that were copied, where the database gives numbers.
fn continue_numbers(session: &Session) -> sql::Result<()> {
    let asked = "SELECT table_name::text, column_name::text FROM information_schema.columns
         WHERE is_identity = 'YES' AND table_schema = current_schema()";
    for row in session.rows(asked, &[])? {
        let (table, column): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        session.batch(&format!(
            "SELECT setval(pg_get_serial_sequence('{table}', '{column}'), max({column}))
             FROM {table} HAVING max({column}) IS NOT NULL"
        ))?;
    }
    Ok(())
}

fn fill_postgres(from: &dyn Source, session: &Session, table: &Table) -> sql::Result<Content> {
    let names = names(table);
    let kinds = session.kinds(&format!("SELECT {names} FROM {}", table.name))?;
    let sink = session.copy_in(&format!("COPY {} ({names}) FROM STDIN BINARY", table.name))?;
    let mut writer = Box::pin(BinaryCopyInWriter::new(sink, &kinds));
    let mut content = Content::default();
    from.each_row(table, &mut |values| {
        content.add(values);
        let params: Vec<Param<'_>> = values.iter().map(|value| Param::from(*value)).collect();
        let params = sent(&params);
        Ok(session.wait(writer.as_mut().write(&params))?)
    })?;
    session.wait(writer.as_mut().finish())?;
    Ok(content)
}

fn fill_sqlite(
    session: &Session,
    to: &rusqlite::Connection,
    table: &Table,
) -> sql::Result<Content> {
    let mut places = String::new();
    for number in 1..=columns(table).count() {
        let comma = if number == 1 { "" } else { ", " };
        write!(places, "{comma}?{number}").expect("a text takes everything");
    }
    let text = format!(
        "INSERT INTO {} ({}) VALUES ({places})",
        table.name,
        names(table)
    );
    let to: &Connection = to;
    let mut insert = to.prepare_cached(&text)?;
    let mut content = Content::default();
    session.each_row(table, &mut |values| {
        content.add(values);
        let values: Result<Vec<Value>, _> =
            values.iter().map(|value| Value::try_from(*value)).collect();
        insert.execute(values?)?;
        Ok(())
    })?;
    Ok(content)
}

/// The columns of a table, as export and erasure list them.
fn columns(table: &Table) -> impl Iterator<Item = &'static str> {
    let decoded = table.decoded.iter().map(|(column, _)| *column);
    let withheld = table.withheld.iter().map(|(column, _)| *column);
    table.shown.iter().copied().chain(decoded).chain(withheld)
}

fn names(table: &Table) -> String {
    let all: Vec<&str> = columns(table).collect();
    all.join(", ")
}

impl Source for rusqlite::Connection {
    fn each_row(&self, table: &Table, each: Each<'_>) -> sql::Result<()> {
        let text = format!("SELECT {} FROM {}", names(table), table.name);
        let mut query = self.prepare(&text)?;
        let count = query.column_count();
        let mut rows = query.query(())?;
        while let Some(row) = rows.next()? {
            let values = (0..count).map(|column| row.get_ref(column));
            each(&values.collect::<rusqlite::Result<Vec<_>>>()?)?;
        }
        Ok(())
    }
}

impl Source for Session {
    fn each_row(&self, table: &Table, each: Each<'_>) -> sql::Result<()> {
        let text = format!("SELECT {} FROM {}", names(table), table.name);
        self.batch(&format!(
            "DECLARE rows_of_table NO SCROLL CURSOR FOR {text}"
        ))?;
        let fetch = format!("FETCH {ROWS_AT_ONCE} FROM rows_of_table");
        let count = columns(table).count();
        loop {
            let rows = self.fetched(&fetch)?;
            for row in &rows {
                let values = (0..count).map(|column| row.get_ref(column));
                each(&values.collect::<sql::Result<Vec<_>>>()?)?;
            }
            if rows.len() < ROWS_AT_ONCE {
                break;
            }
        }
        Ok(self.batch("CLOSE rows_of_table")?)
    }
}
