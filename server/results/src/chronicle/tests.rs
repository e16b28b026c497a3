//! Every finished game gets one result and counts once, wherever the chronicle is interrupted.

mod flaky;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tilewire_people::audit::verify;
use tilewire_people::conduct::POINTS_MOST;
use tilewire_people::moderation::Restraint;
use tilewire_people::ratings::fold;
use tilewire_people::results::Rated;
use tilewire_protocol::GameId;
use tilewire_rules::event::Event;
use tilewire_rules::time::{Millis, Timestamp};

use super::played::{PLAYERS, Played, follow, parts};
use super::{Chronicle, ChronicleServices, Progress, RatingCache, ScoreRules};
use flaky::{Fault, Flaky};
use tilewire_accounts::enforcement::Enforcement;
use tilewire_accounts::people::Ratings;
use tilewire_base::clock::ServerClock;
use tilewire_config::{Retention, StorageConfig};
use tilewire_databases::sqlite;
use tilewire_sql::{OperatorStorage, SqlStorage};
use tilewire_store::{Journal, ResultFilter, ResultStore, Storage, StoredResult};

const DAY: Millis = Millis(24 * 3_600_000);
/// More games than two chapters have.
const GAMES: usize = 70;

struct Scene {
    dir: TempDir,
    storage: Arc<SqlStorage>,
    ratings: Arc<RatingCache>,
    enforcement: Enforcement,
}

impl Scene {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let now = Timestamp(1_000);
        let storage = sqlite::open(dir.path(), &StorageConfig::default(), now).unwrap();
        let storage = Arc::new(storage);
        let ratings = Arc::new(RatingCache::new(ServerClock::system()));
        let enforcement = Enforcement {
            restrictions: Arc::default(),
            store: Arc::clone(&storage) as _,
            registry: Arc::default(),
        };
        Self {
            dir,
            storage,
            ratings,
            enforcement,
        }
    }

    fn chronicle(&self, store: Arc<dyn ResultStore>) -> Chronicle {
        Chronicle::new(self.parts(store))
    }

    fn parts(&self, store: Arc<dyn ResultStore>) -> ChronicleServices {
        ChronicleServices {
            store,
            ratings: Arc::clone(&self.ratings),
            enforcement: self.enforcement.clone(),
            ..parts(&self.storage)
        }
    }

    fn usual(&self) -> Chronicle {
        self.chronicle(Arc::clone(&self.storage) as _)
    }

    async fn play(&self, number: usize) -> String {
        let played = Played::numbered(number, PLAYERS);
        played.store(&*self.storage).await
    }

    fn operator(&self) -> OperatorStorage {
        sqlite::open_for_operator(self.dir.path(), &StorageConfig::default()).unwrap()
    }

    fn results(&self) -> Vec<StoredResult> {
        let mut all = Vec::new();
        self.operator()
            .each_result(&mut |stored| all.push(stored))
            .unwrap();
        all
    }

    /// Checks that these games have one result each, and that the ratings are the fold of all of them.
    fn check(&self, games: &BTreeSet<String>) {
        let results = self.results();
        let found: BTreeSet<String> = results
            .iter()
            .map(|stored| stored.result.game.clone())
            .collect();
        assert_eq!((&found, results.len()), (games, games.len()));
        let rated: Vec<_> = results
            .iter()
            .filter_map(|stored| stored.result.rated_game())
            .collect();
        assert!(!rated.is_empty());
        let expected = fold(|pool| ScoreRules::default().rule(pool), &rated);
        let stored = self.operator().stored_ratings().unwrap();
        assert_eq!(stored.len(), expected.len());
        for row in stored {
            let key = (row.pool.clone().try_into().unwrap(), row.identity);
            assert_eq!(expected[&key].encode(), row.bytes, "{key:?}");
            let (pool, player) = &key;
            let now = expected[&key].at(pool.time_class, ServerClock::system().now());
            let cached = self.ratings.rating_of(player, pool).unwrap();
            assert_eq!(i64::from(cached.value), now.shown(), "{key:?}");
        }
        self.check_conduct(&results);
    }

    /// Checks that each game gave its point once: the second seat does nothing for minutes and resigns. Every second game in
    /// the first seat takes a point away.
    fn check_conduct(&self, results: &[StoredResult]) {
        let mut expected: BTreeMap<&str, (u8, u8)> = BTreeMap::new();
        let mut clean: BTreeMap<&str, u8> = BTreeMap::new();
        for stored in results {
            let [first, second] = [0, 1].map(|seat| stored.result.seats[seat].identity.as_str());
            let (points, _) = expected.entry(first).or_default();
            let games = clean.entry(first).or_default();
            *games += u8::from(*points > 0);
            if *games == 2 {
                (*games, *points) = (0, *points - 1);
            }
            clean.insert(second, 0);
            let (points, waits) = expected.entry(second).or_default();
            *points = POINTS_MOST.min(*points + 1);
            *waits += u8::from(*points == POINTS_MOST);
        }
        let operator = self.operator();
        for player in PLAYERS {
            let stored = operator.conduct(player).unwrap().conduct;
            let own = expected.get(player).copied().unwrap_or_default();
            assert_eq!((stored.points, stored.waits), own, "{player}");
        }
        let waits: usize = expected
            .values()
            .map(|(_, waits)| usize::from(*waits))
            .sum();
        let mut audit = operator.entries(None, None, 1_000).unwrap();
        audit.reverse();
        assert_eq!((audit.len(), verify(&audit, None)), (waits, Ok(())));
    }
}

#[tokio::test]
async fn a_finished_game_gets_its_result_from_its_log() {
    let scene = Scene::new();
    let game = scene.play(0).await;
    follow(&mut scene.usual()).await;
    let results = scene.results();
    let [stored] = results.as_slice() else {
        panic!("{results:?}");
    };
    let result = &stored.result;
    assert_eq!((result.game.as_str(), stored.number), (game.as_str(), 1));
    let Rated::In(pool) = &result.rated else {
        panic!("{:?}", result.rated);
    };
    assert_eq!(pool.to_string(), "classic/wordnik/standard");
    assert_eq!(result.seats[0].figures.phonies_played, Some(0));
    let [won, lost] = stored.changes.as_slice() else {
        panic!("{:?}", stored.changes);
    };
    assert_eq!((won.before, won.after, won.deviation), (1_500, 1_662, 290));
    assert_eq!((lost.before, lost.after), (1_500, 1_338));
}

/// Bob leaves four games; the lobby knows it as soon as the chapter is stored.
#[tokio::test]
async fn the_fourth_point_begins_a_waiting_time() {
    let scene = Scene::new();
    let mut chronicle = scene.usual();
    let restrictions = &scene.enforcement.restrictions;
    for number in [0, 9, 13] {
        scene.play(number).await;
    }
    follow(&mut chronicle).await;
    assert_eq!(restrictions.all_of("bob"), []);
    let last = scene.play(17).await;
    follow(&mut chronicle).await;
    let results = scene.results();
    let ended_at = results.last().expect("four games").result.ended_at;
    let all = restrictions.all_of("bob");
    let [wait] = &all[..] else {
        panic!("{all:?}");
    };
    let until = Some(ended_at + Millis(10 * 60_000));
    assert_eq!((wait.restraint, wait.until), (Restraint::Wait, until));
    assert!(wait.reason.contains(&last), "{}", wait.reason);
    assert!(restrictions.awaits("bob"), "bob is not connected");
    scene.check_conduct(&results);
}

#[tokio::test]
async fn every_game_counts_once_whatever_fails() {
    for fault in [Fault::BeforeWrite, Fault::AfterWrite, Fault::Read] {
        let scene = Scene::new();
        let mut games = BTreeSet::new();
        for number in 0..GAMES {
            games.insert(scene.play(number).await);
        }
        let flaky = Arc::new(Flaky::new(Arc::clone(&scene.storage), fault));
        let (mut chronicle, mut failures) = (scene.chronicle(flaky.clone()), 0);
        for step in 0.. {
            assert!(step < 10 * GAMES, "{fault:?}: it comes to no end");
            match chronicle.step().await {
                Ok(Progress::More) => {}
                Ok(Progress::AtEnd) => break,
                Err(_) => failures += 1,
            }
            if step % 2 == 0 {
                chronicle = scene.chronicle(flaky.clone()); // as after a crash
            }
        }
        assert!(failures > 1, "{fault:?}");
        scene.check(&games);
    }
}

/// A crash is a future that is dropped; the writing thread may still store what it was given.
#[tokio::test]
async fn every_game_counts_once_if_a_step_is_abandoned_anywhere() {
    let scene = Scene::new();
    let mut games = BTreeSet::new();
    for number in 0..GAMES {
        games.insert(scene.play(number).await);
        let after = Duration::from_micros(300) * u32::try_from(number).unwrap();
        tokio::time::timeout(after, scene.usual().step()).await.ok();
    }
    follow(&mut scene.usual()).await;
    scene.check(&games);
}

/// The next records get the places of those that were removed.
#[tokio::test]
async fn retention_waits_for_the_result_and_no_later_game_is_missed() {
    let scene = Scene::new();
    let retention = Retention {
        finished_games_days: 1,
        ..Retention::default()
    };
    let mut games = BTreeSet::from([scene.play(0).await, scene.play(1).await]);
    let later = Played::ENDED_AT + DAY * 100;
    let prune = async || {
        let removed = scene.storage.prune(later, &retention).await.unwrap();
        removed.finished_games
    };
    assert_eq!(prune().await, 0);
    let mut chronicle = scene.usual();
    follow(&mut chronicle).await;
    assert_eq!(prune().await, 2);
    games.insert(scene.play(2).await);
    follow(&mut chronicle).await;
    scene.check(&games);
    for number in 3..5 {
        games.insert(scene.play(number).await);
    }
    follow(&mut chronicle).await;
    scene.check(&games);
    assert_eq!(prune().await, 3);
}

#[tokio::test]
async fn a_log_that_cannot_be_read_is_left_out_and_kept() {
    let scene = Scene::new();
    let mut broken = Played::numbered(0, PLAYERS);
    let Event::Created(created) = &mut broken.records[0].event else {
        panic!("a log begins with the creation");
    };
    // The operator has removed the rule set.
    created.options.rule_set = "removed".to_owned();
    let broken = broken.store(&*scene.storage).await;
    let sound = scene.play(1).await;
    follow(&mut scene.usual()).await;
    scene.check(&BTreeSet::from([sound]));
    assert_eq!(
        scene.operator().without_result().unwrap(),
        [GameId::from(broken.as_str())]
    );
    let retention = Retention {
        finished_games_days: 1,
        ..Retention::default()
    };
    let later = Played::ENDED_AT + DAY * 100;
    let removed = scene.storage.prune(later, &retention).await.unwrap();
    assert_eq!(removed.finished_games, 1);
    assert!(
        scene
            .storage
            .load(&broken.as_str().into())
            .await
            .unwrap()
            .is_some()
    );
}

#[tokio::test]
async fn a_private_game_stays_private() {
    let scene = Scene::new();
    let mut private = Played::numbered(0, PLAYERS);
    private.meta.private_code = Some("CODE".to_owned());
    private.store(&*scene.storage).await;
    follow(&mut scene.usual()).await;
    let seen = async |viewer: &str| {
        let filter = ResultFilter {
            viewer: viewer.to_owned(),
            ..ResultFilter::default()
        };
        scene
            .storage
            .page(filter, None, 9)
            .await
            .unwrap()
            .results
            .len()
    };
    assert_eq!((seen("ada").await, seen("emil").await), (1, 0));
}

/// The task waits for the end of a game, not for the next look.
#[tokio::test]
async fn the_end_of_a_game_wakes_the_task() {
    let scene = Scene::new();
    let stop = tokio_util::sync::CancellationToken::new();
    let parts = scene.parts(Arc::clone(&scene.storage) as _);
    let task = tokio::spawn(super::run(parts, stop.clone()));
    for number in 0..3 {
        let game = scene.play(number).await;
        let written = async {
            while scene
                .storage
                .result(&game.as_str().into())
                .await
                .unwrap()
                .is_none()
            {}
        };
        let soon = Duration::from_secs(3);
        tokio::time::timeout(soon, written).await.expect("at once");
    }
    stop.cancel();
    task.await.unwrap();
}
