//! The contract suite on a real PostgreSQL, the commands of the operator, and the ways from and to SQLite. Without PostgreSQL the
//! tests print NOT RUN.

use std::time::Duration;

use futures::future::join_all;
use tempfile::TempDir;
use tilewire_rules::time::{Millis, Timestamp};

use super::{PostgresArchive, copy_from, migrate, open, open_for_operator};
use crate::sqlite;
use crate::sqlite::push_tests::pushed;
use crate::sqlite::tests::create;
use tilewire_config::{DatabaseUrl, Retention, StorageConfig};
use tilewire_services::postgres::{Database, Postgres};
use tilewire_sql::SqlStorage;
use tilewire_sql::archive::{Archive, Pace};
use tilewire_sql::open_error::OpenError;
use tilewire_sql::postgres::error::PostgresError;
use tilewire_store::contract_suite::samples;
use tilewire_store::{
    AccountNews, AccountStore, AppendError, Cursor, Device, Erasure, ErasureChange, Journal,
    NewWebhook, OutboxStore, PersonalStore, Progress, PushKey, ReportPosition, Stamp, Storage,
    StoreError, StoredWebhook, WebhookKey, WebhookPage,
};
use tilewire_store::{account_contract, every_contract};

mod lost;
mod new_games;
mod race;

/// How long a test waits for something that happens on its own.
const PATIENCE: u32 = 500;

/// A new database with tables, and the settings of a server on it.
struct Scene {
    postgres: &'static Postgres,
    database: Database,
    config: StorageConfig,
}

impl Scene {
    /// `None` if there is no PostgreSQL.
    fn new() -> Option<Self> {
        let scene = Self::empty()?;
        let (before, _) = migrate(&scene.config).unwrap();
        assert_eq!(before, 0);
        Some(scene)
    }

    fn empty() -> Option<Self> {
        let postgres = Postgres::shared()?;
        let database = postgres.database();
        let config = StorageConfig {
            url: DatabaseUrl::from(database.url.as_str()),
            ..StorageConfig::default()
        };
        Some(Self {
            postgres,
            database,
            config,
        })
    }

    fn open(&self) -> SqlStorage {
        open(&self.config, Timestamp(1_000)).unwrap()
    }

    fn sql(&self, statements: &str) -> String {
        self.postgres.sql(&self.database.name, statements)
    }

    /// The process of PostgreSQL that serves the writer: it has the lock of the server.
    fn writer(&self) -> String {
        self.sql(
            "SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database
             WHERE locktype = 'advisory' AND objsubid = 2 AND datname = current_database()",
        )
    }

    /// Waits until a query prints something.
    async fn wait_for(&self, query: &str, expected: &str) {
        for _ in 0..PATIENCE {
            if self.sql(query) == expected {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{query} is never {expected}");
    }
}

/// Loads a game as soon as the storage answers.
async fn loaded(storage: &SqlStorage, game: &str) -> usize {
    for _ in 0..PATIENCE {
        match storage.load(&game.into()).await {
            Ok(found) => return found.unwrap().records.len(),
            Err(StoreError::Unavailable(_)) => tokio::time::sleep(Duration::from_millis(10)).await,
            Err(error) => panic!("{error}"),
        }
    }
    panic!("the storage does not answer");
}

/// Stores a player with roles and a device, a push for it, and an event for a webhook that names it.
async fn outgoing(storage: &SqlStorage) {
    storage
        .begin_webhooks(vec!["shop".to_owned()])
        .await
        .unwrap();
    account_contract::with_roles(storage, "dora").await;
    pushed(storage, "dora", "d1", "a browser").await;
    let after = storage.webhook_cursor().await.unwrap();
    let at = Timestamp(1);
    let created = NewWebhook {
        key: WebhookKey::of_game("shop", &"g".into(), 1),
        kind: "game.created",
        at,
        shown_at: at,
        until: Timestamp(9),
        content: r#"{"data":{"players":[{"identity":"dora","name":"Dora"}]}}"#.to_owned(),
    };
    let page = WebhookPage {
        after,
        until: after.arrival,
        notes: 0,
        ended: Vec::new(),
        webhooks: vec![created],
        now: at,
        queue: 9,
    };
    assert_eq!(storage.write_webhooks(page).await, Ok(0));
}

/// The rows that [`outgoing`] has stored.
async fn waiting(
    storage: &SqlStorage,
) -> (
    Cursor,
    Vec<AccountNews>,
    Vec<StoredWebhook>,
    Vec<Device>,
    PushKey,
) {
    let (news, events) = (
        storage.account_news(9).await.unwrap(),
        storage.webhooks_due("shop", Timestamp(5), 9).await.unwrap(),
    );
    let devices = storage.devices("dora").await.unwrap();
    assert_eq!((news.len(), events.len(), devices.len()), (1, 1, 1));
    assert_eq!(storage.pushes_waiting().await, Ok(1));
    let cursor = storage.webhook_cursor().await.unwrap();
    let key = storage.push_key(None).await.unwrap().unwrap();
    (cursor, news, events, devices, key)
}

#[tokio::test]
async fn postgres_passes_the_contract_suite() {
    let Some(scene) = Scene::new() else { return };
    let storage = scene.open();
    every_contract::check(storage).await;
}

#[tokio::test]
async fn a_database_needs_its_tables_and_has_one_server() {
    let Some(mut scene) = Scene::empty() else {
        return;
    };
    let error = open(&scene.config, Timestamp(1)).unwrap_err();
    assert!(
        matches!(&error, OpenError::Postgres(PostgresError::NoTables(_))),
        "{error}"
    );
    migrate(&scene.config).unwrap();
    let storage = scene.open();
    create(&storage, "g").await;
    let credentials = storage.credentials().await;
    scene.config.connect_ms = Millis(10);
    for error in [
        open(&scene.config, Timestamp(1)).unwrap_err(),
        migrate(&scene.config).unwrap_err(),
    ] {
        assert!(
            matches!(&error, OpenError::Postgres(PostgresError::InUse(_))),
            "{error}"
        );
    }
    storage.close().await;
    let late = storage.append(samples::append("g", 1, 1)).await;
    assert!(matches!(late, Err(AppendError::Unavailable(_))), "{late:?}");
    let (before, after) = migrate(&scene.config).unwrap();
    assert_eq!(before, after);
    scene.config.connect_ms = StorageConfig::default().connect_ms;
    let storage = scene.open();
    assert_eq!(storage.credentials().await, credentials);
    assert_eq!(loaded(&storage, "g").await, 1);
    storage.close().await;
    scene.sql("UPDATE tilewire_schema SET version = 9999");
    let error = open(&scene.config, Timestamp(1)).unwrap_err().to_string();
    assert!(error.contains("9999") && error.contains("newer"), "{error}");
}

/// A change that PostgreSQL refuses takes no other one of its group with it.
#[tokio::test]
async fn a_change_that_fails_fails_alone() {
    let Some(scene) = Scene::new() else { return };
    let storage = scene.open();
    for game in ["g", "h"] {
        create(&storage, game).await;
    }
    // PostgreSQL has no texts with this character.
    let meta = |game: &str| samples::meta(game, ["a", "b"], Timestamp(1));
    let first = |game: &str| samples::records(game, 1, 1).remove(0);
    let (bad, good) = futures::join!(
        storage.create(meta("bad\0"), first("bad")),
        storage.create(meta("good"), first("good")),
    );
    assert!(matches!(bad, Err(AppendError::Unavailable(_))), "{bad:?}");
    assert_eq!(good, Ok(()));
    let appends = ["g", "bad\0", "h"].map(|game| storage.append(samples::append(game, 1, 1)));
    let outcomes = join_all(appends).await;
    assert_eq!((&outcomes[0], &outcomes[2]), (&Ok(()), &Ok(())));
    assert!(matches!(outcomes[1], Err(AppendError::Unavailable(_))));
}

/// Statements that no contract reaches.
#[tokio::test]
async fn every_other_statement_is_valid() {
    let Some(scene) = Scene::new() else { return };
    let storage = scene.open();
    create(&storage, "g").await;
    outgoing(&storage).await;
    let mut tables = 0;
    while let Some(rows) = storage.personal("dora", tables, 0, 9).await.unwrap() {
        assert!(rows.table != "accounts" || rows.rows.len() == 1);
        tables += 1;
    }
    assert!(tables > 20);
    let retention = Retention::default();
    let removed = storage.prune(Timestamp(1_900_000_000_000), &retention);
    assert_eq!(removed.await.unwrap().games(), 0);
    assert!(storage.vacations_to_apply(9).await.unwrap().is_empty());
    let erasure = Erasure {
        identity: "dora".to_owned(),
        asked_at: Timestamp(1),
        due_at: Timestamp(2),
        has_begun: false,
    };
    let secret = [7; 32];
    let ask = ErasureChange::Ask { erasure, secret };
    let (dora, at) = (|| "dora".to_owned(), Timestamp(3));
    assert_eq!(storage.erase(ask).await, Ok(Progress::Waiting));
    let begun = storage.erase(ErasureChange::Begin(dora(), at)).await;
    assert_eq!(begun, Ok(Progress::More));
    let mut progress = Progress::More;
    for _ in 0..PATIENCE {
        progress = storage
            .erase(ErasureChange::Step(dora(), at))
            .await
            .unwrap();
        if progress == Progress::Finished {
            break;
        }
    }
    assert_eq!(progress, Progress::Finished);
    assert_eq!(scene.sql("SELECT count(*) FROM accounts"), "0");
    assert_eq!(scene.sql("SELECT count(*) FROM push_devices"), "0");
    assert_eq!(scene.sql("SELECT count(*) FROM pushes"), "0");
    assert_eq!(scene.sql("SELECT kind FROM hook_accounts"), "erased");
    let event = scene.sql("SELECT content FROM hook_outbox");
    assert!(event.contains("erased-1"), "{event}");
    assert!(!event.to_lowercase().contains("dora"), "{event}");
}

/// The operator's commands beside a running server.
#[tokio::test]
async fn a_running_server_sees_what_the_operator_changes() {
    let Some(scene) = Scene::new() else { return };
    let storage = scene.open();
    account_contract::with_roles(&storage, "dora").await;
    let before = storage.credentials().await.unwrap();
    let mut operator = open_for_operator(&scene.config).unwrap();
    assert_eq!(operator.with_roles().unwrap().len(), 1);
    assert_eq!(operator.audit().unwrap().len(), 2);
    assert!(
        operator
            .reports(ReportPosition::START, 9)
            .unwrap()
            .is_empty()
    );
    operator
        .each_result(&mut |_| panic!("there is no result"))
        .unwrap();
    assert!(operator.without_result().unwrap().is_empty());
    assert!(!operator.is_erasing().unwrap());
    let old = before.keys[0].kid.clone();
    let new = operator.rotate_token_key(Timestamp(0)).unwrap();
    operator.retire_token_key(&old).unwrap();
    operator
        .revoke_identity("dora", Some("insults"), Timestamp(5))
        .unwrap();
    operator.revoke_family("f", "dora", Timestamp(5)).unwrap();
    assert_ne!(storage.credential_changes().await.unwrap(), before.version);
    let after = storage.credentials().await.unwrap();
    assert_eq!(after.keys.len(), 1);
    assert_eq!(after.keys[0].kid, new);
    assert!(after.revoked_identities.contains_key("dora"));
    assert!(after.revoked_families.contains("f"));
    operator.restore_identity("dora").unwrap();
    let old = storage.push_key(None).await.unwrap().unwrap();
    let new = operator.rotate_push_key(Timestamp(0)).unwrap();
    assert_eq!(storage.push_key(None).await.unwrap().unwrap().kid, new);
    assert_eq!(operator.push_keys().unwrap().len(), 2);
    assert_eq!(operator.retire_push_key(&old.kid).unwrap(), 0);
    assert_eq!(storage.push_key(Some(&old.kid)).await.unwrap(), None);
    let (since, now) = (Timestamp(1), Timestamp(2));
    assert!(operator.webhook_counts(now).unwrap().is_empty());
    assert_eq!(operator.replay_webhooks("shop", since, now, now), Ok(0));
}

/// From SQLite to PostgreSQL, into a backup, and back: every row is the same, and the server goes on.
#[tokio::test]
async fn everything_moves_between_the_databases() {
    let Some(scene) = Scene::empty() else { return };
    let dir = TempDir::new().unwrap();
    let storage = sqlite::tests::open(dir.path());
    for game in ["g", "h"] {
        create(&storage, game).await;
        storage.append(samples::append(game, 1, 5)).await.unwrap();
    }
    outgoing(&storage).await;
    let waiting = waiting(&storage).await;
    let stamp = Stamp {
        at: Timestamp(77),
        lost_ms: Millis(5),
    };
    storage.stamp(stamp).await.unwrap();
    let (before, credentials) = (storage.load(&"g".into()).await, storage.credentials().await);
    let in_use = copy_from(dir.path(), &scene.config).unwrap_err();
    assert!(in_use.to_string().contains("another server"), "{in_use}");
    storage.close().await;
    drop(storage);
    copy_from(dir.path(), &scene.config).unwrap();
    let twice = copy_from(dir.path(), &scene.config).unwrap_err();
    assert!(twice.to_string().contains("has data already"), "{twice}");

    let storage = scene.open();
    assert_eq!(storage.load(&"g".into()).await, before);
    assert_eq!(storage.credentials().await, credentials);
    assert_eq!(self::waiting(&storage).await, waiting);
    assert_eq!(storage.liveness().await.unwrap().stamp, Some(stamp));
    storage.append(samples::append("h", 6, 1)).await.unwrap();
    let archive = PostgresArchive::open(&scene.config).unwrap();
    archive.check().unwrap();
    assert_eq!(archive.games().unwrap().len(), 2);
    assert_eq!(archive.game(&"g".into()), before);
    let file = dir.path().join("backup.sqlite");
    archive.copy_to(&file, Pace::Full).unwrap();
    storage.close().await;
    scene.sql("UPDATE games SET head = 9 WHERE game = 'h'");
    let cut = archive.check().unwrap_err().to_string();
    assert!(cut.contains("game h"), "{cut}");

    let back = TempDir::new().unwrap();
    sqlite::restore(&file, &back.path().join("data")).unwrap();
    let storage = sqlite::tests::open(&back.path().join("data"));
    assert_eq!(storage.load(&"g".into()).await, before);
    assert_eq!(loaded(&storage, "h").await, 7);
    assert_eq!(storage.credentials().await, credentials);
    assert_eq!(self::waiting(&storage).await, waiting);
    storage.close().await;
    drop(storage);
    let other = Scene::empty().unwrap();
    copy_from(&file, &other.config).unwrap();
    let storage = other.open();
    assert_eq!(loaded(&storage, "h").await, 7);
}
