//! Values between the stores and PostgreSQL. A store knows integers, texts, bytes and nothing; a column or parameter of
//! another type of PostgreSQL gets the nearest of them.

use bytes::{BufMut, BytesMut};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type};

use crate::{Binder, Error, Params, Result, unreadable};

type Refusal = Box<dyn std::error::Error + Sync + Send>;

/// The value of a parameter.
#[derive(Debug)]
pub struct Param<'p>(pub(crate) ToSqlOutput<'p>);

/// The value of a column.
struct Raw<'r>(ValueRef<'r>);

/// A row of PostgreSQL.
pub struct PostgresRow(pub(crate) tokio_postgres::Row);

impl PostgresRow {
    /// Returns the value of a column.
    pub fn get_ref(&self, column: usize) -> Result<ValueRef<'_>> {
        let raw: std::result::Result<Raw<'_>, _> = self.0.try_get(column);
        raw.map(|raw| raw.0).map_err(unreadable)
    }
}

/// Collects the values of a statement.
#[derive(Default)]
struct Collected<'p>(Vec<Param<'p>>);

impl<'p> Binder<'p> for Collected<'p> {
    fn bind<T: rusqlite::ToSql + ?Sized>(&mut self, value: &'p T) -> Result<()> {
        self.0.push(Param(value.to_sql()?));
        Ok(())
    }
}

/// Returns the values of a statement.
pub(crate) fn collected(params: &impl Params) -> Result<Vec<Param<'_>>> {
    let mut all = Collected::default();
    params.bind_to(&mut all)?;
    Ok(all.0)
}

impl Param<'_> {
    fn value(&self) -> ValueRef<'_> {
        match &self.0 {
            ToSqlOutput::Borrowed(value) => *value,
            ToSqlOutput::Owned(value) => value.into(),
            // There is no other value without features that this program does not use.
            _ => ValueRef::Null,
        }
    }
}

/// Makes a parameter of a value that was read.
impl<'p> From<ValueRef<'p>> for Param<'p> {
    fn from(value: ValueRef<'p>) -> Self {
        Self(ToSqlOutput::Borrowed(value))
    }
}

/// Makes a parameter of a value.
impl From<Value> for Param<'_> {
    fn from(value: Value) -> Self {
        Self(ToSqlOutput::Owned(value))
    }
}

impl ToSql for Param<'_> {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> std::result::Result<IsNull, Refusal> {
        match self.value() {
            ValueRef::Null => return Ok(IsNull::Yes),
            ValueRef::Integer(value) => put_integer(value, kind, out)?,
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => out.put_slice(bytes),
            ValueRef::Real(value) => out.put_f64(value),
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    tokio_postgres::types::to_sql_checked!();
}

fn put_integer(value: i64, kind: &Type, out: &mut BytesMut) -> std::result::Result<(), Refusal> {
    match *kind {
        Type::INT8 => out.put_i64(value),
        Type::INT4 => out.put_i32(value.try_into()?),
        Type::INT2 => out.put_i16(value.try_into()?),
        Type::BOOL => out.put_u8(u8::from(value != 0)),
        ref other => return Err(format!("an integer cannot be a parameter of type {other}").into()),
    }
    Ok(())
}

impl<'r> FromSql<'r> for Raw<'r> {
    fn from_sql(kind: &Type, raw: &'r [u8]) -> std::result::Result<Self, Refusal> {
        Ok(Self(match *kind {
            Type::INT8 => ValueRef::Integer(i64::from_be_bytes(raw.try_into()?)),
            Type::INT4 => ValueRef::Integer(i32::from_be_bytes(raw.try_into()?).into()),
            Type::INT2 => ValueRef::Integer(i16::from_be_bytes(raw.try_into()?).into()),
            Type::BOOL => ValueRef::Integer(i64::from(raw != [0])),
            Type::BYTEA => ValueRef::Blob(raw),
            Type::TEXT | Type::VARCHAR | Type::NAME | Type::UNKNOWN => ValueRef::Text(raw),
            ref other => return Err(format!("a column has type {other}").into()),
        }))
    }

    fn from_sql_null(_: &Type) -> std::result::Result<Self, Refusal> {
        Ok(Self(ValueRef::Null))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// The values of a statement that tokio-postgres sends.
pub fn sent<'s>(params: &'s [Param<'s>]) -> Vec<&'s (dyn ToSql + Sync)> {
    params
        .iter()
        .map(|param| param as &(dyn ToSql + Sync))
        .collect()
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Postgres(error.into())
    }
}
