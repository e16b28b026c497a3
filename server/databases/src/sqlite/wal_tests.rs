//! The write-ahead log: what a killed process leaves of it, and when it is checkpointed.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use tempfile::TempDir;
use tilewire_rules::time::Timestamp;

use super::tests::{create, open};
use tilewire_config::StorageConfig;
use tilewire_sql::files::LOG;
use tilewire_store::contract_suite::samples;
use tilewire_store::{Journal, RecordRow};

/// Between two acknowledgements, the files on the disk contain everything that was acknowledged.
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
        let found = open(left.path()).load(&"g".into()).await.unwrap().unwrap();
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

/// How often the log was begun: its header counts that.
fn begun(dir: &Path) -> u32 {
    let mut header = [0; 16];
    let log = File::open(dir.join(LOG)).unwrap();
    log.read_exact_at(&mut header, 0).unwrap();
    u32::from_be_bytes(header[12..].try_into().unwrap())
}

/// A server that is killed before a checkpoint is due leaves its log to the next server, which checkpoints it.
#[tokio::test]
async fn a_log_that_was_left_is_checkpointed() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    create(&storage, "g").await;
    let left = left_by_a_kill(dir.path());
    let storage = open(left.path());
    let before = begun(left.path());
    let mut appends = 1..StorageConfig::default().checkpoint_every.into();
    while begun(left.path()) == before {
        let after = appends.next().expect("the log is begun anew");
        storage
            .append(samples::append("g", after, 1))
            .await
            .unwrap();
    }
    let found = open(left_by_a_kill(left.path()).path())
        .load(&"g".into())
        .await;
    let records = found.unwrap().unwrap().records;
    assert_eq!(Some(records.len()), usize::try_from(appends.start).ok());
}

/// The write-ahead log is begun anew after so many changes, again and again. Nobody waits for that: on a busy machine it takes
/// some more.
#[tokio::test]
async fn the_write_ahead_log_is_checkpointed_after_so_many_changes() {
    let times_begun = async |changes, appends| {
        let dir = TempDir::new().unwrap();
        let config = StorageConfig {
            checkpoint_every: 1_000_000,
            checkpoint_changes: changes,
            ..StorageConfig::default()
        };
        let storage = super::open(dir.path(), &config, Timestamp(0)).unwrap();
        create(&storage, "g").await;
        let before = begun(dir.path());
        for n in 0..appends {
            let append = samples::append("g", 1 + 2 * n, 2);
            storage.append(append).await.unwrap();
            if begun(dir.path()) - before == 3 {
                return 3;
            }
        }
        begun(dir.path()) - before
    };
    assert_eq!(times_begun(20, 10_000).await, 3);
    assert_eq!(times_begun(10_000, 300).await, 0);
}

/// Whatever the changes contain, the file of the write-ahead log has a bound.
#[tokio::test]
async fn the_write_ahead_log_is_bounded_in_bytes() {
    const MIB: u64 = 1 << 20;
    let dir = TempDir::new().unwrap();
    let config = StorageConfig {
        checkpoint_every: 1_000_000,
        checkpoint_changes: 1_000_000,
        log_mib: 2,
        ..StorageConfig::default()
    };
    let storage = super::open(dir.path(), &config, Timestamp(0)).unwrap();
    create(&storage, "g").await;
    let log = dir.path().join(LOG);
    let (mut last, mut stored, mut most) = (1, 0, 0);
    while stored < 8 * MIB {
        let append = samples::append("g", last, 100);
        last += 100;
        let row = RecordRow::from(append.records.clone());
        stored += u64::try_from(row.bytes.len()).unwrap();
        storage.append(append).await.unwrap();
        most = most.max(log.metadata().unwrap().len());
    }
    assert!(most < 3 * MIB, "{most} bytes");
}
