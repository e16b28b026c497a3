//! Key pairs of pushes beside a running server, and a player with a device for other tests.

use tempfile::TempDir;
use tilewire_rules::time::Timestamp;

use super::open_for_operator;
use super::tests::open;
use tilewire_config::StorageConfig;
use tilewire_sql::SqlStorage;
use tilewire_sql::operator::KeyError;
use tilewire_store::{
    Device, DeviceOutcome, Hidden, Letter, LobbyChange, LobbyStore, NewLetter, OutboxStore,
    Receiver, Storage,
};

/// Gives a player a device with this name, and a push that waits for it.
pub(crate) async fn pushed(storage: &SqlStorage, identity: &str, family: &str, label: &str) {
    let key = storage.push_key(None).await.unwrap().unwrap();
    let device = Device {
        id: "d1".to_owned(),
        identity: identity.to_owned(),
        family: family.to_owned(),
        endpoint: Hidden("https://push.example/1".to_owned()),
        receiver: Receiver {
            public: [4; 65],
            auth: [5; 16],
        },
        kid: key.kid,
        label: label.to_owned(),
        created_at: Timestamp(1),
        used_at: None,
        sent: 0,
        day: 0,
    };
    let placed = storage.put_device(device, "push.example:443".to_owned(), 5);
    assert_eq!(
        placed.await.unwrap(),
        DeviceOutcome::Stored("d1".to_owned())
    );
    let letter = NewLetter {
        key: "invitation/s1".to_owned(),
        identity: identity.to_owned(),
        address: None,
        game: None,
        at: Timestamp(1),
        due_at: Timestamp(1),
        until: Timestamp(i64::MAX),
        content: Letter::Invitation {
            seek: "s1".to_owned(),
            from: "somebody".to_owned(),
            name: label.to_owned(),
            rule_set: "classic".to_owned(),
            lexicon: "wordnik".to_owned(),
            limit_ms: None,
        },
    };
    let change = LobbyChange {
        put: vec![],
        remove: vec![],
        commands: vec![],
        letters: vec![letter],
    };
    storage.commit(change).await.unwrap();
    assert_eq!(storage.pushes_waiting().await.unwrap(), 1);
}

/// A running server sees the changes of the operator's commands, and so does the next server.
#[tokio::test]
async fn key_pairs_are_replaced_and_removed() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    let first = storage.push_key(None).await.unwrap().unwrap();
    let mut operator = open_for_operator(dir.path(), &StorageConfig::default()).unwrap();
    let refused = operator.retire_push_key(&first.kid);
    assert!(matches!(refused, Err(KeyError::Signs(_))));
    // Even at the same moment the new one is the newest.
    let second = operator.rotate_push_key(Timestamp(0)).unwrap();
    let listed = operator.push_keys().unwrap().into_iter();
    let listed: Vec<String> = listed.map(|key| key.kid).collect();
    assert_eq!(listed, [second.clone(), first.kid.clone()]);
    let newest = storage.push_key(None).await.unwrap().unwrap();
    assert_eq!(newest.kid, second);
    assert_ne!(newest.secret, first.secret);
    assert_eq!(
        storage.push_key(Some(&first.kid)).await.unwrap(),
        Some(first.clone())
    );
    assert_eq!(operator.retire_push_key(&first.kid).unwrap(), 0);
    let refused = operator.retire_push_key(&first.kid);
    assert!(matches!(refused, Err(KeyError::UnknownKey(_))));
    assert_eq!(storage.push_key(Some(&first.kid)).await.unwrap(), None);
    drop(operator);
    storage.close().await;
    drop(storage);
    let again = open(dir.path());
    assert_eq!(again.push_key(None).await.unwrap(), Some(newest));
}
