//! Another server that takes the lease, lost connections, and statements that take effect after them.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use futures::future::join_all;
use tilewire_rules::time::{Millis, Timestamp};

use super::{Scene, create, loaded};
use tilewire_config::DatabaseUrl;
use tilewire_store::contract_suite::samples;
use tilewire_store::{AppendError, Journal, StoreError};

/// A server that takes the lease ends the writes of the server before, those of games and all others.
#[tokio::test]
async fn a_server_that_lost_its_lease_stores_nothing() {
    let Some(scene) = Scene::new() else { return };
    let storage = scene.open();
    create(&storage, "g").await;
    for other in [
        "UPDATE nodes SET incarnation = 7",
        "UPDATE nodes SET state = 'fenced'",
        "UPDATE shards SET term = term + 1",
        "UPDATE shards SET owner = 1",
    ] {
        let scene = Scene::new().unwrap();
        let storage = scene.open();
        create(&storage, "g").await;
        scene.sql(other);
        let first = samples::records("h", 1, 1).remove(0);
        let meta = samples::meta("h", ["a", "b"], Timestamp(1));
        assert_eq!(
            storage.create(meta, first).await,
            Err(AppendError::Fenced),
            "{other}"
        );
        let append = storage.append(samples::append("g", 1, 1)).await;
        assert_eq!(append, Err(AppendError::Fenced), "{other}");
        let counts =
            scene.sql("SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM records)");
        assert_eq!(counts, "1|1", "{other}");
    }
    // The same storage without interference still writes.
    storage.append(samples::append("g", 1, 1)).await.unwrap();
}

/// A shard that another node has taken refuses the append itself.
#[tokio::test]
async fn an_append_alone_proves_the_lease() {
    let Some(scene) = Scene::new() else { return };
    let storage = scene.open();
    create(&storage, "g").await;
    scene.sql("UPDATE nodes SET incarnation = 7");
    let append = storage.append(samples::append("g", 1, 1)).await;
    assert_eq!(append, Err(AppendError::Fenced));
    assert_eq!(scene.sql("SELECT count(*) FROM records"), "1");
}

#[tokio::test]
async fn of_two_servers_that_write_the_newer_one_wins() {
    let Some(scene) = Scene::new() else { return };
    let older = scene.open();
    create(&older, "g").await;
    scene.sql(&format!("SELECT pg_terminate_backend({})", scene.writer()));
    let newer = scene.open();
    let (mut stored, mut is_fenced) = (1, false);
    for _ in 0..20 {
        let appends = [&older, &newer].map(|server| server.append(samples::append("g", stored, 1)));
        let outcomes = join_all(appends).await;
        assert_ne!(outcomes[0], Ok(()), "the older server stores nothing");
        is_fenced |= outcomes[0] == Err(AppendError::Fenced);
        assert_eq!(outcomes[1], Ok(()));
        stored += 1;
    }
    assert!(is_fenced);
    let found = newer.load(&"g".into()).await.unwrap().unwrap();
    assert_eq!(found.records, samples::records("g", 1, stored));
}

/// Holds the row of the lease until it is dropped.
struct Blocker(Child);

impl Blocker {
    fn new(scene: &Scene) -> Self {
        let mut psql = scene.postgres.psql(&scene.database.name, "SELECT 1");
        let mut arguments: Vec<_> = psql.get_args().map(ToOwned::to_owned).collect();
        arguments.truncate(arguments.len() - 2); // without --command
        psql = Command::new(psql.get_program());
        let mut child = psql
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.as_mut().unwrap();
        writeln!(
            input,
            "BEGIN; UPDATE nodes SET state = state; SELECT 'held';"
        )
        .unwrap();
        let mut line = String::new();
        let output = child.stdout.as_mut().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        assert_eq!(line.trim(), "held");
        Self(child)
    }
}

impl Drop for Blocker {
    fn drop(&mut self) {
        drop(self.0.stdin.take()); // psql ends, and its transaction with it
        self.0.wait().ok();
    }
}

/// The statement waits in the database when its connection is given up, and is stored later. `load` waits for it.
#[tokio::test]
async fn an_append_that_is_stored_late_is_seen_by_load() {
    let Some(mut scene) = Scene::new() else {
        return;
    };
    scene.config.answer_ms = Millis(300);
    let patient = format!("{}?options=-c%20lock_timeout%3D0", scene.database.url);
    scene.config.url = DatabaseUrl::from(patient.as_str());
    let storage = scene.open();
    create(&storage, "g").await;
    let blocker = Blocker::new(&scene);
    let unknown = storage.append(samples::append("g", 1, 1)).await;
    assert!(
        matches!(unknown, Err(AppendError::OutcomeUnknown(_))),
        "{unknown:?}"
    );
    // The outcome is still open, so there is no answer.
    let early = storage.load(&"g".into()).await;
    assert!(
        matches!(early, Err(StoreError::Unavailable(_))),
        "{early:?}"
    );
    drop(blocker);
    let found = loaded(&storage, "g").await;
    scene.wait_for(BUSY, "0").await;
    assert_eq!(scene.sql("SELECT count(*) FROM records"), found.to_string());
    assert_eq!(found, 2, "it waited for the row before anybody else");
    storage.append(samples::append("g", 2, 1)).await.unwrap();
}

/// Other connections that do something.
const BUSY: &str = "SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()";

/// The statement is not even read when its connection is given up. After `load` it can never be stored.
#[tokio::test]
async fn an_append_that_was_not_begun_is_never_stored_after_load() {
    let Some(mut scene) = Scene::new() else {
        return;
    };
    scene.config.answer_ms = Millis(300);
    let storage = scene.open();
    create(&storage, "g").await;
    let stopped = scene.writer();
    signal("-STOP", &stopped);
    let unknown = storage.append(samples::append("g", 1, 1)).await;
    assert!(
        matches!(unknown, Err(AppendError::OutcomeUnknown(_))),
        "{unknown:?}"
    );
    assert_eq!(loaded(&storage, "g").await, 1);
    signal("-CONT", &stopped);
    let ended = format!("SELECT count(*) FROM pg_stat_activity WHERE pid = {stopped}");
    scene.wait_for(&ended, "0").await;
    assert_eq!(scene.sql("SELECT count(*) FROM records"), "1");
    storage.append(samples::append("g", 1, 1)).await.unwrap();
    assert_eq!(loaded(&storage, "g").await, 2);
}

fn signal(name: &str, process: &str) {
    let done = Command::new("kill").args([name, process]).status().unwrap();
    assert!(done.success());
}

/// Connections that the database ends are made again, for reads and for writes.
#[tokio::test]
async fn a_storage_outlives_its_connections() {
    let Some(scene) = Scene::new() else { return };
    let storage = scene.open();
    create(&storage, "g").await;
    let mut stored = 1;
    for _ in 0..3 {
        scene.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE application_name = 'tilewire' AND datname = current_database()",
        );
        let append = storage.append(samples::append("g", stored, 1)).await;
        let found = loaded(&storage, "g").await;
        stored = u64::try_from(found).unwrap();
        let is_known = matches!(append, Err(AppendError::OutcomeUnknown(_)));
        assert!(is_known || append.is_ok(), "{append:?}");
        storage
            .append(samples::append("g", stored, 1))
            .await
            .unwrap();
        stored += 1;
    }
    assert_eq!(u64::try_from(loaded(&storage, "g").await), Ok(stored));
}
