//! Shards that come to a node and leave it.

use tilewire_protocol::GameId;
use tilewire_rules::time::Seat;

use super::*;
use tilewire_store::Shard;

const GAME: &str = "g1";
const PLAYERS: [&str; 2] = ["ada", "bob"];

async fn begin(storage: &Arc<dyn Storage>, placement: Arc<dyn Placement>) -> Directory {
    begin_at(storage, placement, ServerClock::system()).await
}

async fn begin_at(
    storage: &Arc<dyn Storage>,
    placement: Arc<dyn Placement>,
    clock: ServerClock,
) -> Directory {
    let services = Services {
        placement,
        ..Services::of(
            Arc::clone(storage) as _,
            Catalogue::new(Lexica::builtin()),
            clock,
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
    let storage = tilewire_databases::open(dir.path(), &Config::default().storage, now).unwrap();
    let former = begin(&storage, Arc::new(crate::SingleNode)).await;
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

/// The next owner's clock can be a little behind: no log goes back in time.
#[tokio::test]
async fn a_game_waits_for_a_clock_that_is_behind_its_last_event() {
    let dir = tempfile::tempdir().unwrap();
    let now = ServerClock::system().now();
    let storage = tilewire_databases::open(dir.path(), &Config::default().storage, now).unwrap();
    let clock = ServerClock::starting_at(now);
    let former = begin_at(&storage, Arc::new(crate::SingleNode), clock).await;
    former.create(new_game(GAME, &PLAYERS)).await.unwrap();
    former.shutdown().await;

    let stored = storage.load(&GAME.into()).await.unwrap().unwrap();
    let behind = stored.records.last().unwrap().at - Millis(200);
    let clock = ServerClock::starting_at(behind);
    let directory = begin_at(&storage, Arc::new(Nowhere), clock).await;
    let shard = Shard::of(&GameId::from(GAME));
    let opening = directory.open_shard(shard);
    let since = Some(now - Millis(60_000));
    directory.take_up(opening, vec![GAME.into()], since).await;
    directory.shard_credited(shard).await;
    assert_eq!(credits(&storage).await, 1);
    let stored = storage.load(&GAME.into()).await.unwrap().unwrap();
    let times: Vec<Timestamp> = stored.records.iter().map(|record| record.at).collect();
    assert!(times.is_sorted(), "{times:?}");
}

/// A node that has lost all shards and does not know it yet.
#[derive(Debug)]
struct Unaware;

impl Placement for Unaware {
    fn mine(&self) -> Shards {
        [Shard::of(&GameId::from(GAME))].into_iter().collect()
    }

    fn place(&self, _game: &GameId) -> Location {
        Location::Mine
    }

    fn lobby(&self) -> Location {
        Location::Elsewhere(None)
    }

    fn changes(&self) -> watch::Receiver<u64> {
        crate::SingleNode.changes()
    }
}

#[tokio::test]
async fn a_game_that_another_node_has_ended_is_not_listed_as_unfinished() {
    let dir = tempfile::tempdir().unwrap();
    let now = ServerClock::system().now();
    let storage = tilewire_databases::open(dir.path(), &Config::default().storage, now).unwrap();
    let owner = begin(&storage, Arc::new(crate::SingleNode)).await;
    owner.create(new_game(GAME, &PLAYERS)).await.unwrap();
    let unaware = begin(&storage, Arc::new(Unaware)).await;
    let opening = unaware.open_shard(Shard::of(&GameId::from(GAME)));
    unaware.take_up(opening, vec![GAME.into()], None).await;
    assert_eq!(unaware.running(), 1);
    let listed = async || {
        let games = unaware.of_identity("ada").await.unwrap();
        games.len()
    };
    assert_eq!(listed().await, 1);
    owner.resign_here(&GAME.into(), Seat(0)).await;
    assert_eq!(unaware.running(), 1, "it still has the game");
    assert_eq!(listed().await, 0);
}
