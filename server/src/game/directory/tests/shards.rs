//! Shards that come to a node and leave it.

use tilewire_protocol::GameId;

use super::*;
use crate::storage::Shard;

const GAME: &str = "g1";
const PLAYERS: [&str; 2] = ["ada", "bob"];

async fn begin(storage: &Arc<dyn Storage>, placement: Arc<dyn Placement>) -> Directory {
    let services = Services {
        placement,
        ..Services::of(
            Arc::clone(storage) as _,
            Catalogue::new(Lexica::builtin()),
            ServerClock::system(),
            Ids::system(),
        )
    };
    let config = Config::default();
    Directory::start(services, &config, None).await.unwrap()
}

async fn credits(storage: &Arc<dyn Storage>) -> usize {
    let stored = storage.load(&GAME.into()).await.unwrap().unwrap();
    let is_credit = |record: &&Record| {
        let event = &record.event;
        matches!(event, Event::Public(PublicEvent::ClockCredited { .. }))
    };
    stored.records.iter().filter(is_credit).count()
}

#[tokio::test]
async fn the_games_of_a_shard_come_with_their_time_and_leave_together() {
    let dir = tempfile::tempdir().unwrap();
    let now = ServerClock::system().now();
    let storage = storage::open(dir.path(), &Config::default().storage, now).unwrap();
    let former = begin(&storage, Arc::new(crate::game::SingleNode)).await;
    former.create(new_game(GAME, &PLAYERS)).await.unwrap();
    former.shutdown().await;

    let directory = begin(&storage, Arc::new(Nowhere)).await;
    let shard = Shard::of(&GameId::from(GAME));
    let shards: Shards = [shard].into_iter().collect();
    let games = directory.awake_in(shards).await;
    assert_eq!(games[&shard], [GameId::from(GAME)]);
    let first = directory.open_shard(shard);
    let since = Some(now - Millis(60_000));
    directory.take_up(first, games[&shard].clone(), since).await;
    directory.shard_credited(shard).await;
    assert_eq!(directory.running(), 1);
    assert_eq!(credits(&storage).await, 1);

    directory.hand_over_shard(shard);
    directory.shard_emptied(shard).await;
    assert_eq!(directory.running(), 0);
    // It was read for a time that is over.
    directory.take_up(first, games[&shard].clone(), since).await;
    assert_eq!(directory.running(), 0);

    let second = directory.open_shard(shard);
    directory.take_up(second, games[&shard].clone(), None).await;
    assert_eq!(directory.running(), 1);
    let handle = directory.in_memory(&GAME.into()).unwrap();
    directory.forget_shard(shard);
    directory.shard_emptied(shard).await;
    assert!(handle.is_gone());
    assert_eq!((directory.running(), credits(&storage).await), (0, 1));
}
