//! The operator's commands and a server on one database of SQLite.

use rusqlite::Connection;
use tempfile::TempDir;
use tilewire_people::accounts::Role;
use tilewire_people::audit::{BrokenChain, verify};
use tilewire_people::handles::Handle;
use tilewire_rules::time::Timestamp;

use super::open_for_operator;
use super::tests::open;
use tilewire_config::StorageConfig;
use tilewire_sql::OperatorStorage;
use tilewire_store::account_contract::{role, with_roles};
use tilewire_store::{AccountChange, AccountStore, Storage};

fn operator(dir: &TempDir) -> OperatorStorage {
    open_for_operator(dir.path(), &StorageConfig::default()).unwrap()
}

/// The server and the operator's commands append to one chain.
#[tokio::test]
async fn the_audit_is_one_chain() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    with_roles(&storage, "dora").await;
    let mut operator = operator(&dir);
    let key = Handle::parse("dora").unwrap().key();
    let stored = operator.account_of(&key).unwrap().unwrap();
    let (mut account, at) = (stored.account, Timestamp(5));
    let effects = account.handle(at, role(Role::Director)).unwrap();
    let change = AccountChange {
        expected: stored.version,
        account,
        effects,
        at,
    };
    operator.apply(&change).unwrap();
    assert_eq!(operator.with_roles().unwrap().len(), 1);
    let mut audit = operator.audit().unwrap();
    assert_eq!((audit.len(), verify(&audit, None)), (3, Ok(())));
    audit.remove(1);
    let broken = BrokenChain::Number {
        expected: 2,
        found: 3,
    };
    assert_eq!(verify(&audit, None), Err(broken));
    storage.close().await;
    // The target of a row is how the history of a player is found.
    let database = Connection::open(dir.path().join("tilewire.sqlite")).unwrap();
    let moved = "UPDATE audit SET target = 'eve' WHERE number = 2";
    assert_eq!(database.execute(moved, ()).unwrap(), 1);
    let misfiled = operator.audit().unwrap_err().to_string();
    assert!(misfiled.contains("entry 2 of the audit"), "{misfiled}");
}

/// A player whose account cannot be read could not sign in: the operator learns of it at once.
#[tokio::test]
async fn an_account_that_cannot_be_read_is_damage() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    with_roles(&storage, "dora").await;
    storage.close().await;
    drop(storage);
    let database = Connection::open(dir.path().join("tilewire.sqlite")).unwrap();
    let spoil = "UPDATE accounts SET account = CAST('dora' AS BLOB) WHERE identity = 'dora'";
    assert_eq!(database.execute(spoil, ()).unwrap(), 1);
    drop(database);
    let archive = crate::open_archive(dir.path()).unwrap();
    let found = archive.check().unwrap_err().to_string();
    drop(archive);
    let start = crate::open(dir.path(), &StorageConfig::default(), Timestamp(9));
    for said in [found, start.unwrap_err().to_string()] {
        assert!(
            said.contains("the account of dora cannot be read"),
            "{said}"
        );
    }
}

/// A registration gives the identity its name, and a session that ends is a revoked family.
#[tokio::test]
async fn names_and_revocations_are_stored_with_the_account() {
    use tilewire_people::accounts::Input;

    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    with_roles(&storage, "dora").await;
    let row = storage.identity("dora").await.unwrap().unwrap();
    assert_eq!(row.name, "Dora");
    let before = storage.credential_changes().await.unwrap();
    let stored = storage.account("dora").await.unwrap();
    let stored = stored.unwrap();
    let (mut account, at) = (stored.account, Timestamp(5));
    let by = "d1".to_owned();
    // Each of these has to be read by all servers, the last one has not.
    let inputs = [
        (Input::LogOut { by }, before + 1),
        (Input::SwitchChat { is_on: false }, before + 2),
        (Input::SwitchChat { is_on: false }, before + 2),
    ];
    for (expected, (input, changes)) in (stored.version..).zip(inputs) {
        let effects = account.handle(at, input).unwrap();
        let change = AccountChange {
            expected,
            account: account.clone(),
            effects,
            at,
        };
        storage.apply(change).await.unwrap();
        assert_eq!(storage.credential_changes().await, Ok(changes));
    }
    let revoked = storage.credentials().await.unwrap().revoked_families;
    assert!(revoked.contains("d1"));
}
