//! The list of tables and columns against the schema.

use std::collections::BTreeSet;

use rusqlite::{Connection, Result};

use super::*;
use crate::personal_rows::rows;
use crate::schema;

fn strings(db: &Connection, query: &str) -> Vec<String> {
    let mut statement = db.prepare(query).unwrap();
    let rows = statement.query_map((), |row| row.get(0)).unwrap();
    rows.collect::<Result<_>>().unwrap()
}

/// A table or column that is new in the schema has to say here what it says about players.
#[test]
fn the_list_has_every_table_and_column_of_the_schema() {
    let mut db = Connection::open_in_memory().unwrap();
    schema::migrate(&mut db).unwrap();
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    let mut found = BTreeSet::new();
    for table in strings(&db, tables) {
        let columns = format!("SELECT name FROM pragma_table_info('{table}')");
        for column in strings(&db, &columns) {
            found.insert((table.clone(), column));
        }
    }
    let mut listed = BTreeSet::new();
    for table in TABLES {
        let decoded = table.decoded.iter().map(|(column, _)| *column);
        let withheld = table.withheld.iter().map(|(column, _)| *column);
        for column in table.shown.iter().copied().chain(decoded).chain(withheld) {
            let is_new = listed.insert((table.name.to_owned(), column.to_owned()));
            assert!(is_new, "{}.{column} is listed twice", table.name);
        }
    }
    let missing: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(
        missing.is_empty() && gone.is_empty(),
        "`TABLES` must say what export and erasure do with {missing:?}, and does not need {gone:?}"
    );
}

/// No column with an identity is in a table that is said to be about the server.
#[test]
fn impersonal_tables_have_no_column_of_a_player() {
    let names = [
        "identity", "reporter", "target", "name", "followed", "blocked",
    ];
    for table in TABLES {
        if matches!(table.erasure, Removal::Impersonal) {
            for (column, _) in table.withheld {
                assert!(!names.contains(column), "{}.{column}", table.name);
            }
        }
    }
}

#[test]
fn every_query_is_valid() {
    let mut db = Connection::open_in_memory().unwrap();
    schema::migrate(&mut db).unwrap();
    for (number, table) in TABLES.iter().enumerate() {
        let rows = rows(&db, "anna", number, 0, 5).unwrap().unwrap();
        assert_eq!((rows.table, rows.rows.len()), (table.name, 0));
    }
    assert!(rows(&db, "anna", TABLES.len(), 0, 5).unwrap().is_none());
}
