//! The simulated disk: the contract suite, late changes, and a directory whose games are fenced.

use std::sync::Arc;
use std::time::Duration;

use tilewire_base::clock::ServerClock;
use tilewire_base::ids::Ids;
use tilewire_config::{Config, OverloadConfig};
use tilewire_delivery::overload::Overload;
use tilewire_game::{Directory, LostTime, NewGame, NewPlayer, Services, SingleNode};
use tilewire_rules::lexicon::Lexicon;
use tilewire_rules::options::GameOptions;
use tilewire_sql::SqlStorage;
use tilewire_store::{AppendError, Journal as _, contract_suite};
use tokio::runtime::Builder;
use tokio::sync::broadcast::error::TryRecvError;

use tilewire_conformance::words::FOURTHS;
use tilewire_rules::event::{Event, PublicEvent};
use tilewire_rules::time::Timestamp;
use tilewire_simulation::disk::{Disk, Temper};
use tilewire_simulation::flaws::Flaw;
use tilewire_simulation::scenario;

/// Runs a test under virtual time.
pub(super) fn run<T>(test: impl Future<Output = T>) -> T {
    let runtime = Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build();
    runtime.expect("a runtime starts").block_on(test)
}

pub(super) fn disk(seed: u64, temper: Temper, flaw: Option<Flaw>) -> Arc<Disk> {
    let disk = Disk::new(seed, temper, None, flaw);
    disk.start(ServerClock::starting_at(Timestamp(1_000_000)));
    disk
}

#[test]
fn the_simulated_disk_keeps_the_contract_of_the_journal() {
    run(async {
        let temper = Temper {
            wait_ms: 20,
            ..Temper::default()
        };
        let disk = disk(1, temper, None);
        contract_suite::journal(&*disk.stores()).await;
        contract_suite::contention(disk.stores()).await;
    });
}

/// Reads the head of a log, as often as it takes.
async fn head(stores: &SqlStorage, game: &str) -> usize {
    loop {
        if let Ok(stored) = stores.load(&game.into()).await {
            return stored.map_or(0, |stored| stored.records.len());
        }
    }
}

/// Appends to a game with an unknown outcome. Returns the head directly after the answer, by the first load, and a
/// long time later.
async fn unknown_outcome(seed: u64, flaw: Option<Flaw>) -> Option<[usize; 3]> {
    let temper = Temper {
        is_vague: 2,
        ..Temper::default()
    };
    let disk = disk(seed, temper, flaw);
    let stores = disk.stores();
    let first = contract_suite::samples::records("g", 1, 1).remove(0);
    let meta = contract_suite::samples::meta("g", ["a", "b"], Timestamp(1));
    stores.create(meta, first).await.ok()?;
    let appended = stores
        .append(contract_suite::samples::append("g", 1, 1))
        .await;
    if !matches!(appended, Err(AppendError::OutcomeUnknown(_))) {
        return None;
    }
    let at_once = usize::try_from(disk.head(&"g".into())).expect("a length fits");
    let loaded = head(&stores, "g").await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    Some([at_once, loaded, head(&stores, "g").await])
}

#[test]
fn a_load_after_an_unknown_outcome_is_final() {
    let outcomes = |flaw| {
        let all = (0..200).filter_map(move |seed| run(unknown_outcome(seed, flaw)));
        all.collect::<Vec<_>>()
    };
    let sound = outcomes(None);
    assert!(sound.iter().all(|[_, loaded, later]| loaded == later));
    // Stored at once, stored late, never stored.
    for expected in [[2, 2, 2], [1, 2, 2], [1, 1, 1]] {
        assert!(sound.contains(&expected), "{expected:?}");
    }
    let flawed = outcomes(Some(Flaw::LoadIsNoBarrier));
    assert!(
        flawed.contains(&[1, 1, 2]),
        "the append comes after the load"
    );
}

fn new_game() -> NewGame {
    let mut options = GameOptions::classic(FOURTHS.name());
    options.timing.ready_ms = 1_000;
    let player = |name: &str| NewPlayer {
        identity: name.to_owned(),
        name: name.to_owned(),
        nonce_hash: None,
        level: None,
        kind: None,
        rating: None,
    };
    NewGame {
        id: "g".into(),
        options,
        players: vec![player("ada"), player("bob")],
        private_code: None,
        series: None,
        from: None,
    }
}

async fn directory(disk: &Arc<Disk>, clock: ServerClock) -> Directory {
    let services = Services {
        journal: disk.stores(),
        catalogue: scenario::catalogue(),
        clock,
        ids: Ids::seeded(1),
        placement: Arc::new(SingleNode),
        lost: LostTime::OfServer,
        others: None,
        overload: Arc::new(Overload::new(&OverloadConfig::default())),
        registry: Arc::default(),
    };
    let directory = Directory::start(services, &Config::default(), None).await;
    directory.expect("the disk can be read")
}

/// The server stands still while the disk stores a new game. The game gets that time back, and no stamp is written before.
#[test]
fn a_stall_during_the_creation_of_a_game_is_credited() {
    const STALL: Duration = Duration::from_secs(5);
    run(async {
        let slow = Temper {
            wait_ms: 1_000_000,
            ..Temper::default()
        };
        let disk = disk(1, slow, None);
        let clock = ServerClock::starting_at(Timestamp(1_000_000));
        let directory = Arc::new(directory(&disk, clock.clone()).await);
        let watcher = tokio::spawn(clock.watch_stalls());
        let creating = Arc::clone(&directory);
        let creation = tokio::spawn(async move { creating.create(new_game()).await });
        tokio::task::yield_now().await;
        tokio::time::advance(STALL).await;
        // Every task has noticed the stall long ago.
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert!(!creation.is_finished(), "the disk is slow");
        assert_eq!(directory.stamp(), None, "the new game waits for its credit");
        creation.await.unwrap().unwrap();
        assert_eq!(directory.stamp(), None, "it waits still");
        let log = loop {
            tokio::time::sleep(Duration::from_millis(10)).await;
            let stored = disk.stores().load(&"g".into()).await.unwrap().unwrap();
            if stored.records.len() > 1 {
                break stored.records;
            }
        };
        let Event::Public(PublicEvent::ClockCredited {
            stopped_at,
            resumed_at,
            ..
        }) = log[1].event
        else {
            panic!("the stall is credited first: {:?}", log[1]);
        };
        assert!((resumed_at - stopped_at).to_duration() >= STALL);
        watcher.abort();
    });
}

/// No player is ready in time, so the game appends its cancellation; but another node already owns the game.
#[test]
fn a_fenced_game_leaves_memory_and_announces_nothing() {
    run(async {
        let disk = disk(1, Temper::default(), None);
        let clock = ServerClock::starting_at(Timestamp(1_000_000));
        let directory = directory(&disk, clock).await;
        let mut news = directory.news();
        directory.create(new_game()).await.unwrap();
        assert_eq!(directory.running(), 1);
        disk.fence();
        tokio::time::sleep(Duration::from_secs(10)).await;
        assert_eq!(directory.running(), 0);
        assert_eq!(news.try_recv().unwrap_err(), TryRecvError::Empty);
        assert_eq!(disk.head(&"g".into()), 1, "nothing is stored");
        assert!(directory.of_identity("ada").await.unwrap().is_empty());
    });
}
