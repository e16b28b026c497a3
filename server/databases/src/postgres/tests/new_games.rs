//! New games that the node with the lobby stores for other nodes.

use tilewire_rules::time::{Millis, Timestamp};

use super::Scene;
use tilewire_sql::SqlStorage;
use tilewire_store::contract_suite::samples;
use tilewire_store::{AppendError, Journal, Part, Rest, Shards, Term};

async fn create(storage: &SqlStorage, game: &str) -> Result<(), AppendError> {
    let meta = samples::meta(game, ["ada", "bob"], Timestamp(5));
    let first = samples::records(game, 1, 1).remove(0);
    let rest = Rest {
        game: game.into(),
        after: 1,
        wakes_at: Timestamp(60_005),
        line: b"a line".to_vec(),
        is_listed: false,
        lost_ms: Millis(3),
    };
    storage.create_asleep(meta, first, rest).await
}

#[tokio::test]
async fn only_the_node_with_the_lobby_stores_games_for_others() {
    let Some(scene) = Scene::new() else {
        return;
    };
    let storage = scene.open();
    assert_eq!(create(&storage, "a").await, Err(AppendError::Fenced));
    let term = scene.sql("SELECT term FROM shards WHERE shard = -1");
    let terms = storage.terms.as_ref().unwrap();
    terms.own(Part::LOBBY, Term(term.parse().unwrap()));
    // Others have the shards; that does not matter.
    scene.sql("UPDATE shards SET owner = 7, term = term + 1 WHERE shard >= 0");
    assert_eq!(create(&storage, "a").await, Ok(()));
    let again = create(&storage, "a").await;
    assert_eq!(again, Err(AppendError::Conflict { head: 1 }));
    let asleep = storage.sleepers(Shards::ALL, None, 9).await.unwrap();
    assert_eq!(asleep.len(), 1);
    assert_eq!(asleep[0].wakes_at, Timestamp(60_005));
    assert!(storage.awake(Shards::ALL).await.unwrap().is_empty());
    assert_eq!(storage.asleep_of("bob").await.unwrap().len(), 1);
    let stored = storage.load(&"a".into()).await.unwrap().unwrap();
    assert_eq!(stored.lost_ms, Some(Millis(3)));
    // Another node takes the lobby.
    scene.sql("UPDATE shards SET owner = 7, term = term + 1 WHERE shard = -1");
    assert_eq!(create(&storage, "b").await, Err(AppendError::Fenced));
    assert_eq!(storage.load(&"b".into()).await.unwrap(), None);
}
