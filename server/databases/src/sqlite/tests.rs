//! The contract suite on SQLite, and tests of failures that only SQLite has.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, ffi};
use tempfile::TempDir;
use tilewire_rules::time::{Millis, Timestamp};

use super::PAGE_BYTES;
use super::checkpoint::Checkpointer;
use super::engine::Engine;
use super::open::{connect, open_with};
use tilewire_config::StorageConfig;
use tilewire_sql::SqlStorage;
use tilewire_sql::changes::{Change, Done};
use tilewire_sql::files::LOG;
use tilewire_sql::open_error::OpenError;
use tilewire_sql::write_queue::GroupCommit;
use tilewire_store::contract_suite::samples;
use tilewire_store::every_contract;
use tilewire_store::{AppendError, Journal, Stamp, Storage, StoreError};

pub(crate) fn open(dir: &Path) -> SqlStorage {
    super::open(dir, &StorageConfig::default(), Timestamp(1_000)).unwrap()
}

pub(crate) async fn create(storage: &SqlStorage, game: &str) {
    let first = samples::records(game, 1, 1).remove(0);
    let meta = samples::meta(game, ["a", "b"], Timestamp(1));
    storage.create(meta, first).await.unwrap();
}

fn stamp(at: i64) -> Stamp {
    Stamp {
        at: Timestamp(at),
        lost_ms: Millis(at / 2),
    }
}

#[tokio::test]
async fn sqlite_passes_the_contract_suite() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    every_contract::check(storage).await;
}

#[tokio::test]
async fn everything_is_there_again_after_a_restart() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    let credentials = storage.credentials().await.unwrap();
    assert_eq!(credentials.keys.len(), 1);
    assert_eq!(storage.liveness().await.unwrap().stamp, None);
    create(&storage, "g").await;
    storage.append(samples::append("g", 1, 5)).await.unwrap();
    storage.stamp(stamp(41_000)).await.unwrap();
    storage.stamp(stamp(42_000)).await.unwrap();
    let before = storage.load(&"g".into()).await.unwrap();
    drop(storage);
    let storage = open(dir.path());
    assert_eq!(storage.load(&"g".into()).await.unwrap(), before);
    assert_eq!(storage.credentials().await, Ok(credentials));
    let found = storage.liveness().await.unwrap().stamp;
    assert_eq!(found, Some(stamp(42_000)));
}

#[tokio::test]
async fn a_closed_storage_is_one_file_and_takes_nothing_more() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    create(&storage, "g").await;
    assert!(storage.load(&"g".into()).await.unwrap().is_some());
    storage.close().await;
    let files = std::fs::read_dir(dir.path()).unwrap();
    let names = files.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let logs: Vec<_> = names.filter(|name| name.contains("sqlite-")).collect();
    assert!(logs.is_empty(), "{logs:?}");
    let late = storage.append(samples::append("g", 1, 1)).await;
    assert!(matches!(late, Err(AppendError::Unavailable(_))), "{late:?}");
    let late = storage.load(&"g".into()).await;
    assert!(matches!(late, Err(StoreError::Unavailable(_))), "{late:?}");
    storage.close().await;
    let copy = TempDir::new().unwrap();
    let file = "tilewire.sqlite";
    std::fs::copy(dir.path().join(file), copy.path().join(file)).unwrap();
    for place in [dir.path(), copy.path()] {
        let found = open(place).load(&"g".into()).await.unwrap().unwrap();
        assert_eq!(found.records, samples::records("g", 1, 1));
    }
}

#[tokio::test]
async fn a_directory_has_one_server() {
    let dir = TempDir::new().unwrap();
    let first = open(dir.path());
    let second = super::open(dir.path(), &StorageConfig::default(), Timestamp(0));
    assert!(
        matches!(&second, Err(OpenError::InUse { .. })),
        "{second:?}"
    );
    let text = second.unwrap_err().to_string();
    assert!(text.contains("--data-dir"), "{text}");
    drop(first);
    open(dir.path());
}

#[test]
fn a_directory_that_cannot_be_made_is_named() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let error =
        super::open(&file.join("data"), &StorageConfig::default(), Timestamp(0)).unwrap_err();
    assert!(error.to_string().contains("file/data"), "{error}");
}

#[tokio::test]
async fn files_are_the_owners_alone() {
    let outer = TempDir::new().unwrap();
    let dir = outer.path().join("made/here");
    let storage = open(&dir);
    create(&storage, "g").await;
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&dir), 0o700);
    let files: Vec<_> = std::fs::read_dir(&dir).unwrap().collect();
    assert!(files.len() >= 4, "{files:?}"); // lock, database, log, index of the log
    for file in files {
        let path = file.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

#[test]
fn a_newer_schema_is_left_alone() {
    let dir = TempDir::new().unwrap();
    drop(open(dir.path()));
    let path = dir.path().join("tilewire.sqlite");
    let database = Connection::open(&path).unwrap();
    database.pragma_update(None, "user_version", 99).unwrap();
    let error = super::open(dir.path(), &StorageConfig::default(), Timestamp(0)).unwrap_err();
    assert!(matches!(error, OpenError::NewerSchema { found: 99, .. }));
    assert!(error.to_string().contains("newer version"), "{error}");
}

/// SQLite writes whole pages for each change, so the page size decides how many bytes a change writes.
#[tokio::test]
async fn a_new_database_has_small_pages_and_an_older_one_keeps_its_own() {
    let page_bytes = |dir: &TempDir| -> u32 {
        let database = Connection::open(dir.path().join("tilewire.sqlite")).unwrap();
        let read = database.pragma_query_value(None, "page_size", |row| row.get(0));
        read.unwrap()
    };
    let new = TempDir::new().unwrap();
    drop(open(new.path()));
    assert_eq!(page_bytes(&new), PAGE_BYTES);

    let older = TempDir::new().unwrap();
    let database = Connection::open(older.path().join("tilewire.sqlite")).unwrap();
    database.pragma_update(None, "page_size", 4_096).unwrap();
    let page = "CREATE TABLE t (x); DROP TABLE t";
    database.execute_batch(page).unwrap();
    drop(database);
    let storage = open(older.path());
    create(&storage, "g").await;
    drop(storage);
    assert_eq!(page_bytes(&older), 4_096);
}

#[tokio::test]
async fn a_damaged_log_is_said_to_be_damaged() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    for damage in [
        "UPDATE records SET record = x'01c1' WHERE game = 'g' AND seq = 2",
        "UPDATE records SET record = x'ff' WHERE game = 'g' AND seq = 2",
        "DELETE FROM records WHERE game = 'g' AND seq = 2",
        "DELETE FROM records WHERE game = 'g' AND seq = 3",
        "UPDATE records SET record = 'text' WHERE game = 'g' AND seq = 2",
    ] {
        let other = Connection::open(dir.path().join("tilewire.sqlite")).unwrap();
        for table in ["games", "records", "seats"] {
            other.execute(&format!("DELETE FROM {table}"), []).unwrap();
        }
        create(&storage, "g").await;
        for after in [1, 2] {
            storage
                .append(samples::append("g", after, 1))
                .await
                .unwrap();
        }
        // A strict table refuses the text, which is as good.
        other.execute(damage, []).ok();
        let loaded = storage.load(&"g".into()).await;
        if damage.contains("'text'") {
            assert!(loaded.is_ok());
        } else {
            assert!(
                matches!(loaded, Err(StoreError::Corrupt(_))),
                "{damage}: {loaded:?}"
            );
        }
    }
}

pub(super) fn connection(dir: &Path) -> Connection {
    drop(open(dir));
    connect(&dir.join("tilewire.sqlite"), &StorageConfig::default()).unwrap()
}

fn creation(game: &str) -> Change {
    let first = samples::records(game, 1, 1).remove(0);
    Change::create(samples::meta(game, ["a", "b"], Timestamp(1)), first)
}

fn sqlite_error(code: i32) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(code), None)
}

/// A full disk loses the batch and nothing else; the next one goes through.
#[tokio::test]
async fn a_full_disk_is_unavailable_and_passes() {
    let dir = TempDir::new().unwrap();
    let config = StorageConfig::default();
    let left = Arc::new(AtomicUsize::new(2));
    let storage = open_with(dir.path(), &config, Timestamp(0), |connection| {
        let commit = move |connection: &Connection| {
            let fails = left
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1))
                .is_ok();
            if fails {
                return Err(sqlite_error(ffi::SQLITE_FULL));
            }
            connection.execute_batch("COMMIT")
        };
        let fatal = Box::new(|why: &str| panic!("{why}"));
        Engine::with(connection, &config, Box::new(commit), fatal)
    });
    let storage = storage.unwrap();
    for _ in 0..2 {
        let first = samples::records("g", 1, 1).remove(0);
        let meta = samples::meta("g", ["a", "b"], Timestamp(1));
        let refused = storage.create(meta, first).await;
        assert!(matches!(refused, Err(AppendError::Unavailable(_))));
        assert!(storage.trouble().unwrap().contains("full"));
        assert_eq!(storage.load(&"g".into()).await.unwrap(), None);
    }
    create(&storage, "g").await;
    assert_eq!(storage.trouble(), None);
    assert!(storage.load(&"g".into()).await.unwrap().is_some());
}

/// SQLite gives up the whole transaction when the disk fills in the middle; then nothing of the batch is stored.
#[test]
fn a_disk_that_fills_in_the_middle_loses_the_batch_only() {
    let dir = TempDir::new().unwrap();
    let config = StorageConfig::default();
    let connection = connection(dir.path());
    let pages: u32 = connection
        .pragma_query_value(None, "page_count", |row| row.get(0))
        .unwrap();
    connection
        .pragma_update(None, "max_page_count", pages + 1)
        .unwrap();
    let fatal = Box::new(|why: &str| panic!("{why}"));
    let commit = Box::new(|connection: &Connection| connection.execute_batch("COMMIT"));
    let mut engine = Engine::with(connection, &config, commit, fatal);
    let mut batch = vec![creation("g")];
    batch.extend((0..50).map(|n| Change::append(samples::append("g", 1 + 20 * n, 20))));
    let outcomes = engine.commit(&batch);
    assert_eq!(outcomes.len(), batch.len());
    assert!(
        outcomes
            .iter()
            .any(|outcome| matches!(outcome, Err(AppendError::Unavailable(_))))
    );
    drop(engine);
    let reader = Connection::open(dir.path().join("tilewire.sqlite")).unwrap();
    let stored: usize = reader
        .query_row("SELECT count(*) FROM records", [], |row| row.get(0))
        .unwrap();
    let is_stored = |outcome: &&_| matches!(outcome, Ok(Done::Stored));
    assert_eq!(stored, outcomes.iter().filter(is_stored).count());
}

/// An error of the disk leaves the outcome unknown, calls the last resort and ends all writing.
#[test]
fn an_error_of_the_disk_in_a_commit_is_the_end() {
    let dir = TempDir::new().unwrap();
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let mut engine = Engine::with(
        connection(dir.path()),
        &StorageConfig::default(),
        Box::new(|_| Err(sqlite_error(ffi::SQLITE_IOERR_FSYNC))),
        Box::new(move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
        }),
    );
    let outcomes = engine.commit(&[creation("g"), creation("h")]);
    for outcome in outcomes {
        assert!(matches!(outcome, Err(AppendError::OutcomeUnknown(_))));
    }
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    let after = engine.commit(&[creation("i")]);
    assert!(matches!(after[0], Err(AppendError::Unavailable(_))));
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[test]
fn a_disk_error_in_a_checkpoint_is_fatal() {
    let dir = TempDir::new().unwrap();
    let writing = connection(dir.path());
    let path = dir.path().join("tilewire.sqlite");
    // It may not write.
    let read_only = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY);
    let checkpointer = Checkpointer::start(read_only.unwrap(), &path).unwrap();
    let config = StorageConfig {
        checkpoint_every: 1,
        ..StorageConfig::default()
    };
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let mut engine = Engine::with(
        writing,
        &config,
        Box::new(|connection| connection.execute_batch("COMMIT")),
        Box::new(move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
        }),
    )
    .checkpointing(checkpointer, dir.path().join(LOG));
    assert_eq!(engine.commit(&[creation("g")]), [Ok(Done::Stored)]);
    while calls.load(Ordering::SeqCst) == 0 {
        engine.between_groups();
        std::thread::yield_now();
    }
    let refused = engine.commit(&[creation("h")]);
    assert!(matches!(*refused, [Err(AppendError::Unavailable(_))]));
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[test]
fn a_batch_is_one_transaction_in_which_games_do_not_meet() {
    let dir = TempDir::new().unwrap();
    let commits = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&commits);
    let commit = move |connection: &Connection| {
        counted.fetch_add(1, Ordering::SeqCst);
        connection.execute_batch("COMMIT")
    };
    let fatal = Box::new(|why: &str| panic!("{why}"));
    let config = StorageConfig::default();
    let mut engine = Engine::with(connection(dir.path()), &config, Box::new(commit), fatal);
    let outcomes = engine.commit(&[
        creation("g"),
        creation("h"),
        creation("g"),
        Change::append(samples::append("g", 1, 2)),
        Change::append(samples::append("g", 1, 2)),
        Change::append(samples::append("h", 1, 2)),
    ]);
    let (stored, conflict) = (Done::Stored, |head| Done::Conflict { head });
    let expected = [stored, stored, conflict(1), stored, conflict(3), stored].map(Ok);
    assert_eq!(outcomes, expected);
    assert_eq!(commits.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_full_queue_is_unavailable() {
    let dir = TempDir::new().unwrap();
    let config = StorageConfig {
        queue: 1,
        batch: 1,
        ..StorageConfig::default()
    };
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let storage = open_with(dir.path(), &config, Timestamp(0), |connection| {
        let commit = move |connection: &Connection| {
            wait.recv().ok();
            connection.execute_batch("COMMIT")
        };
        let fatal = Box::new(|why: &str| panic!("{why}"));
        Engine::with(connection, &config, Box::new(commit), fatal)
    });
    let storage = storage.unwrap();
    // One is being written, one waits; of five at least three find no room.
    let stamps = futures::future::join_all((0..5).map(|n| storage.stamp(stamp(n))));
    let release = async {
        tokio::task::yield_now().await;
        drop(go);
    };
    let (outcomes, ()) = futures::join!(stamps, release);
    let refused = outcomes.iter().filter(|outcome| outcome.is_err()).count();
    assert!((3..=4).contains(&refused), "{outcomes:?}");
    storage.stamp(stamp(6)).await.unwrap();
}

/// A function with side effects in the schema of a prepared database fails, and nobody writes the schema itself.
#[test]
fn no_connection_trusts_the_schema() {
    let dir = TempDir::new().unwrap();
    drop(open(dir.path()));
    let database = dir.path().join("tilewire.sqlite");
    for connection in [
        connection(dir.path()),
        super::connection::open_read_only(&database).unwrap(),
    ] {
        let is_on = |setting| connection.db_config(setting).unwrap();
        assert!(is_on(DbConfig::SQLITE_DBCONFIG_DEFENSIVE));
        assert!(!is_on(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA));
    }
}
