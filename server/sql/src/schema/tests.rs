//! The migrations.

use std::path::Path;

use super::{CURRENT, Connection, make_older, migrate, migrations, version, without_layout};

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

/// Else a server would refuse the database that it has migrated itself.
#[test]
fn every_older_version_becomes_the_schema_of_a_new_database() {
    for older in 1..CURRENT {
        let mut database = Connection::open_in_memory().unwrap();
        make_older(&mut database, older).unwrap();
        migrate(&mut database).unwrap();
        let found = version(&database, Path::new("memory")).unwrap();
        assert_eq!(found, CURRENT, "from {older}");
    }
}

/// The migrations before that of retention.
const BEFORE_RETENTION: usize = 3;

#[test]
fn whoever_has_a_seat_in_an_older_database_has_played() {
    let mut database = Connection::open_in_memory().unwrap();
    make_older(&mut database, BEFORE_RETENTION).unwrap();
    let rows =
        "INSERT INTO identities (identity, name, created_at) VALUES ('a', 'A', 5), ('b', 'B', 6);
         INSERT INTO seats (game, seat, identity) VALUES ('g', 0, 'a'), ('h', 0, 'a');";
    database.execute_batch(rows).unwrap();
    migrate(&mut database).unwrap();
    let found: Vec<(String, i64, Option<bool>)> = database
        .prepare("SELECT identity, seen_at, has_played FROM identities ORDER BY identity")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let expected = [("a".to_owned(), 5, Some(true)), ("b".to_owned(), 6, None)];
    assert_eq!(found, expected);
}

/// The migrations before that of settled reports.
const BEFORE_SETTLED: usize = 11;

#[test]
fn closed_reports_of_an_older_database_have_their_time() {
    let mut database = Connection::open_in_memory().unwrap();
    make_older(&mut database, BEFORE_SETTLED).unwrap();
    let rows = "INSERT INTO audit (number, entry) VALUES (1, '{\"at\":7}');
         INSERT INTO reports (at, reporter, target, closed, report)
         VALUES (1, 'a', 'b', 1, ''), (2, 'a', 'b', NULL, '');";
    database.execute_batch(rows).unwrap();
    migrate(&mut database).unwrap();
    let found: Vec<Option<i64>> = database
        .prepare("SELECT closed_at FROM reports ORDER BY number")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(found, [Some(7), None]);
}
