//! Upgrades: data of older versions, the way back, and data of a newer version.

use std::path::Path;

use rusqlite::Connection;
use tempfile::TempDir;

use super::tests::{create, open};
use super::{SqliteArchive, restore};
use tilewire_sql::archive::{Archive, Pace};
use tilewire_sql::files::DATABASE;
use tilewire_sql::schema;
use tilewire_store::contract_suite::samples;
use tilewire_store::{Journal, Storage};

/// Makes a database of an older version that has the rows of `source`, as far as that version had their tables and columns.
fn make_older(path: &Path, version: usize, source: &Path) {
    let mut older = Connection::open(path).unwrap();
    schema::make_older(&mut older, version).unwrap();
    let source = source.to_str().unwrap();
    older.execute("ATTACH ?1 AS source", [source]).unwrap();
    for table in strings(
        &older,
        "SELECT name FROM main.sqlite_schema WHERE type = 'table'",
    ) {
        let columns = format!("SELECT name FROM pragma_table_info('{table}', 'main')");
        let columns = strings(&older, &columns).join(", ");
        // The migrations put rows into some tables.
        let copy = format!(
            "INSERT OR REPLACE INTO main.{table} ({columns}) SELECT {columns} FROM source.{table}"
        );
        older.execute(&copy, ()).unwrap();
    }
}

fn strings(database: &Connection, query: &str) -> Vec<String> {
    let mut statement = database.prepare(query).unwrap();
    let rows = statement.query_map((), |row| row.get(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

fn version(directory: &Path) -> usize {
    let database = Connection::open(directory.join(DATABASE)).unwrap();
    let read = database.pragma_query_value(None, "user_version", |row| row.get(0));
    read.unwrap()
}

/// This program continues the games of every older version, and a backup from before the upgrade leads back to it.
#[tokio::test]
async fn data_of_older_versions_is_read_and_a_backup_leads_back() {
    let present = TempDir::new().unwrap();
    let storage = open(present.path());
    create(&storage, "g").await;
    storage.append(samples::append("g", 1, 5)).await.unwrap();
    let expected = storage.load(&"g".into()).await.unwrap();
    assert!(expected.is_some());
    storage.close().await;
    drop(storage);
    for older in 1..schema::CURRENT {
        let (dir, back) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        make_older(
            &dir.path().join(DATABASE),
            older,
            &present.path().join(DATABASE),
        );
        let backup = dir.path().join("before.sqlite");
        let archive = SqliteArchive::of_directory(dir.path()).unwrap();
        archive.copy_to(&backup, Pace::Half).unwrap();
        drop(archive);

        let storage = open(dir.path());
        let found = storage.load(&"g".into()).await.unwrap();
        assert_eq!(found, expected, "version {older}");
        storage.append(samples::append("g", 6, 1)).await.unwrap();
        storage.close().await;
        drop(storage);
        assert_eq!(version(dir.path()), schema::CURRENT);

        restore(&backup, back.path()).unwrap();
        assert_eq!(version(back.path()), older);
    }
}
