//! The write-ahead log: what a kill leaves of it, and when it is transferred.

use std::path::Path;

use tempfile::TempDir;

use super::Storage;
use super::data_dir::LOG;
use super::tests::{create, open};
use crate::config::StorageConfig;
use crate::storage::Journal;
use crate::storage::contract::samples;

/// What is on the disk at any moment between two acknowledgements is all that was acknowledged.
#[tokio::test]
async fn what_was_acknowledged_survives_a_kill() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    create(&storage, "g").await;
    for after in 1..10 {
        storage
            .append(samples::append("g", after, 1))
            .await
            .unwrap();
        let left = left_by_a_kill(dir.path());
        let found = open(left.path()).load("g").await.unwrap().unwrap();
        assert_eq!(found.records, samples::records("g", 1, after + 1));
    }
}

/// Returns a copy of the files as a process that is killed now leaves them behind.
fn left_by_a_kill(dir: &Path) -> TempDir {
    let left = TempDir::new().unwrap();
    for entry in std::fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), left.path().join(entry.file_name())).unwrap();
    }
    left
}

/// A server that dies before it has written enough for a transfer leaves its log to the next one, which begins it anew.
#[tokio::test]
async fn a_log_that_was_left_is_transferred() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    create(&storage, "g").await;
    let left = left_by_a_kill(dir.path());
    let storage = open(left.path());
    // The header of a log counts how often it was begun.
    let begun = || {
        let log = std::fs::read(left.path().join(LOG)).unwrap();
        <[u8; 4]>::try_from(&log[12..16]).unwrap()
    };
    let before = begun();
    let mut appends = 1..StorageConfig::default().checkpoint_every.into();
    while begun() == before {
        let after = appends.next().expect("the log is begun anew");
        storage
            .append(samples::append("g", after, 1))
            .await
            .unwrap();
    }
    let found = open(left_by_a_kill(left.path()).path()).load("g").await;
    let records = found.unwrap().unwrap().records;
    assert_eq!(Some(records.len()), usize::try_from(appends.start).ok());
}

/// However much is written, the write-ahead log stays as long as so many changes make it.
#[tokio::test]
async fn the_write_ahead_log_is_transferred_after_so_many_changes() {
    let longest = async |changes| {
        let dir = TempDir::new().unwrap();
        let config = StorageConfig {
            checkpoint_every: 1_000_000,
            checkpoint_changes: changes,
            ..StorageConfig::default()
        };
        let storage = Storage::open(dir.path(), &config, 0).unwrap();
        create(&storage, "g").await;
        for n in 0..300 {
            let append = samples::append("g", 1 + 2 * n, 2);
            storage.append(append).await.unwrap();
        }
        std::fs::metadata(dir.path().join(LOG)).unwrap().len()
    };
    let (bounded, unbounded) = (longest(20).await, longest(10_000).await);
    assert!(bounded * 5 < unbounded, "{bounded} of {unbounded}");
}
