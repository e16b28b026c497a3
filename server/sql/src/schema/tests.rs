//! The migrations.

use std::path::Path;

use super::{CURRENT, Connection, OpenError, STEPS, migrate, migrations, version, without_layout};

#[test]
fn definitions_are_compared_without_their_layout() {
    let one = without_layout(
        "CREATE TABLE a (\n  b INTEGER, -- the b\n  c TEXT -- the c\n, d BLOB) STRICT",
    );
    assert_eq!(one, "CREATE TABLE a(b INTEGER,c TEXT,d BLOB)STRICT");
    assert_ne!(
        one,
        without_layout("CREATE TABLE a (b INTEGER, c TEXT, d BLOB)")
    );
    assert_ne!(
        one,
        without_layout("CREATE TABLE a (b INTEGER DEFAULT '--', e TEXT,\nc TEXT, d BLOB) STRICT")
    );
}

#[test]
fn the_migrations_are_valid() {
    migrations(CURRENT).validate().unwrap();
}

/// Else a server would refuse the database that it has made itself.
#[test]
fn a_new_database_has_the_schema_of_this_version() {
    let mut database = Connection::open_in_memory().unwrap();
    migrate(&mut database).unwrap();
    let found = version(&database, Path::new("memory")).unwrap();
    assert_eq!(found, CURRENT);
}

#[test]
fn a_database_of_schema_1_opens_with_its_rows() {
    let mut database = Connection::open_in_memory().unwrap();
    database.execute_batch(STEPS[0]).unwrap();
    database.pragma_update(None, "user_version", 1).unwrap();
    let row = "INSERT INTO identities (identity, name, created_at) VALUES ('a', 'A', 5)";
    database.execute(row, ()).unwrap();
    let path = Path::new("memory");
    assert_eq!(version(&database, path).unwrap(), 1);
    migrate(&mut database).unwrap();
    assert_eq!(version(&database, path).unwrap(), CURRENT);
    let name: String = database
        .query_row("SELECT name FROM identities", (), |row| row.get(0))
        .unwrap();
    assert_eq!(name, "A");
}

#[test]
fn a_newer_schema_is_refused_with_the_documented_message() {
    let mut database = Connection::open_in_memory().unwrap();
    migrate(&mut database).unwrap();
    database
        .pragma_update(None, "user_version", CURRENT + 1)
        .unwrap();
    let error = version(&database, Path::new("memory")).unwrap_err();
    assert!(matches!(error, OpenError::NewerSchema { .. }), "{error}");
    let text = error.to_string();
    let (message, _) = text.split_once(": start that version").unwrap();
    let page = include_str!("../../../../docs/operating/upgrade.md");
    assert!(page.contains(message), "{message}");
}
