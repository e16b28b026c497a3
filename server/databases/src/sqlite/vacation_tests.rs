//! Vacations in a database of SQLite.

use tempfile::TempDir;
use tilewire_people::vacations::Vacations;
use tilewire_rules::time::Timestamp;

use super::tests::open;
use tilewire_store::{AccountStore, VacationChange};

#[tokio::test]
async fn a_change_from_older_vacations_stores_nothing() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    let none = Vacations::default();
    assert_eq!(storage.vacations("anna").await.unwrap(), none);
    let mut taken = none.clone();
    taken.take(Timestamp(0), 5).unwrap();
    let change = |before: &Vacations, after: &Vacations, is_applied| VacationChange {
        identity: "anna".to_owned(),
        before: before.clone(),
        after: after.clone(),
        is_applied,
    };
    let first = change(&none, &taken, false);
    assert!(storage.change_vacations(first.clone()).await.unwrap());
    assert!(!storage.change_vacations(first).await.unwrap());
    assert_eq!(storage.vacations("anna").await.unwrap(), taken);
    let waiting = storage.vacations_to_apply(9).await.unwrap();
    assert_eq!(waiting, [("anna".to_owned(), taken.clone())]);
    let applied = change(&taken, &taken, true);
    assert!(storage.change_vacations(applied).await.unwrap());
    assert!(storage.vacations_to_apply(9).await.unwrap().is_empty());
}
