//! Sleeping games: they use no memory, stay in every list, and wake for a request or a deadline.

use std::sync::Weak;

use tilewire_protocol::{EndReason, Phase};
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::Record;
use tilewire_rules::game::{Action, Command, Context, Game, Input};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::{Millis, Seat, Timestamp};

use super::*;
use tilewire_delivery::outbound::Registry;
use tilewire_store::Rest;

const HOUR_MS: Millis = Millis(3_600_000);

/// A directory over a real storage, by the system's clock, in which games sleep soon.
struct Night {
    storage: Arc<dyn Storage>,
    directory: Arc<Directory>,
    clock: ServerClock,
}

impl Night {
    async fn begin(dir: &Path) -> Self {
        let mut config = Config::default();
        config.timing.sleep_idle_ms = Millis(10);
        config.timing.sleep_min_ms = Millis(100);
        config.timing.wake_ahead_ms = Millis(20);
        config.timing.wake_poll_ms = Millis(50);
        config.limits.games_woken = 2;
        let clock = ServerClock::system();
        let storage = tilewire_databases::open(dir, &config.storage, clock.now()).unwrap();
        let catalogue = Catalogue::new(Lexica::builtin());
        let journal = Arc::clone(&storage) as _;
        let services = Services::of(journal, catalogue, clock.clone(), Ids::system());
        let directory = Directory::start(services, &config, None);
        Self {
            directory: Arc::new(directory.await.unwrap()),
            storage,
            clock,
        }
    }

    /// Ends the server in the middle of everything; returns when the storage can be opened again.
    async fn crash(self) {
        let (storage, directory) = (self.storage, self.directory);
        directory.shared.stop.cancel();
        drop(directory);
        storage.close().await;
    }

    /// Lets sleeping games be woken by their deadlines, as long as the directory is there.
    fn wake_sleepers(&self) {
        let directory: Weak<Directory> = Arc::downgrade(&self.directory);
        let stop = self.directory.shared.stop.clone();
        tokio::spawn(async move {
            if let Some(directory) = directory.upgrade() {
                stop.run_until_cancelled(directory.wake_sleepers()).await;
            }
        });
    }

    async fn is_asleep(&self, game: &str) -> bool {
        let all = self
            .storage
            .sleepers(Shards::ALL, None, 1_000)
            .await
            .unwrap();
        all.iter().any(|sleeper| sleeper.game == game)
    }

    async fn of(&self, identity: &str) -> Vec<String> {
        let games = self.directory.of_identity(identity).await.unwrap();
        games.into_iter().map(|game| game.game.0).collect()
    }

    async fn live(&self) -> Vec<String> {
        let games = self.directory.live(&Registry::default()).await;
        games.into_iter().map(|game| game.game.0).collect()
    }

    /// Stores a game whose first turn began at `at`, an hour for each move.
    async fn begun(&self, game: &str, private_code: Option<&str>, at: Timestamp) -> Vec<Record> {
        let mut new = new_game(game, &["ada", "bob"]);
        new.private_code = private_code.map(str::to_owned);
        new.options.clock = ClockKind::PerMove {
            limit_ms: HOUR_MS.0,
            bank_ms: 0,
        };
        let (mut meta, first) = self.directory.begin(&new).unwrap();
        meta.created_at = at;
        let Event::Created(created) = &first.event else {
            panic!("a log begins with the creation");
        };
        let (mut played, first) = Game::create(RuleSet::classic(), at, created.clone()).unwrap();
        self.storage.create(meta, first.clone()).await.unwrap();
        let mut log = vec![first];
        let lexicon = FstLexicon::builtin();
        for seat in Seat::all(2) {
            let ready = Input::Command(Command {
                seat,
                cmd_id: "ready".to_owned(),
                digest: 0,
                received_at: at,
                lag_ms: 0,
                action: Action::Ready { nonce: Vec::new() },
            });
            let step = played.handle(&Context::new(&*lexicon), at, ready);
            let append = Append {
                game: game.into(),
                after: u64::try_from(log.len()).unwrap(),
                records: step.records.clone().into(),
                is_finished: false,
            };
            self.storage.append(append).await.unwrap();
            log.extend(step.records);
            played = step.next;
        }
        log
    }

    /// The same, asleep since then.
    async fn asleep(&self, game: &str, at: Timestamp) {
        let log = self.begun(game, None, at).await;
        let rest = Rest {
            game: game.into(),
            after: u64::try_from(log.len()).unwrap(),
            wakes_at: at + HOUR_MS,
            line: Vec::new(),
            is_listed: false,
            lost_ms: Millis::ZERO,
        };
        self.storage.rest(rest).await.unwrap();
    }

    /// Waits until the game has left memory.
    async fn sleeps(&self, game: &str) {
        self.directory
            .find(&game.into())
            .await
            .unwrap()
            .closed()
            .await;
        while self.directory.games.in_memory.contains_key(game) {
            tokio::task::yield_now().await;
        }
        assert!(self.is_asleep(game).await);
    }
}

#[tokio::test]
async fn a_sleeping_game_is_in_no_memory_and_in_every_list() {
    let dir = tempfile::tempdir().unwrap();
    let night = Night::begin(dir.path()).await;
    let at = night.clock.now();
    let log = night.begun("g1", None, at).await;
    night.begun("g2", Some("CODE"), at + Millis(1)).await;
    for game in ["g1", "g2"] {
        night.sleeps(game).await;
    }
    let directory = &night.directory;
    assert!(directory.games.in_memory.is_empty() && directory.games.by_identity.is_empty());
    assert_eq!(directory.running(), 0);
    assert_eq!(night.of("ada").await, ["g1", "g2"]);
    assert_eq!(night.of("bob").await, ["g1", "g2"]);
    assert!(night.of("eve").await.is_empty());
    assert_eq!(night.live().await, ["g1"], "a private game is not listed");
    let listed = night.directory.live(&Registry::default()).await;
    assert_eq!((listed[0].phase, listed[0].turn_no), (Phase::Running, 1));
    assert_eq!(listed[0].started_at, Some(at.0));
    night.crash().await;

    // The next server does not take them up.
    let night = Night::begin(dir.path()).await;
    assert!(night.directory.games.in_memory.is_empty());
    assert_eq!(night.of("ada").await, ["g1", "g2"]);
    assert_eq!(night.live().await, ["g1"]);
    // A lookup wakes the game. It is in each list once, and falls asleep again when nothing happens.
    assert!(night.directory.find(&"g1".into()).await.is_ok());
    assert_eq!(night.directory.running(), 1);
    assert_eq!(night.of("ada").await, ["g1", "g2"]);
    assert_eq!(night.live().await, ["g1"]);
    assert!(night.is_asleep("g1").await);
    night.sleeps("g1").await;
    assert_eq!(
        night
            .storage
            .load(&"g1".into())
            .await
            .unwrap()
            .unwrap()
            .records,
        log
    );
}

#[tokio::test]
async fn a_deadline_wakes_its_game_and_falls_at_its_millisecond() {
    let dir = tempfile::tempdir().unwrap();
    let night = Night::begin(dir.path()).await;
    let begun = night.clock.now() - HOUR_MS + Millis(400);
    let games = ["g1", "g2", "g3", "g4", "g5"];
    for (game, place) in games.into_iter().zip(0..) {
        night.asleep(game, begun + Millis(place)).await;
    }
    let mut news = night.directory.news();
    night.wake_sleepers();
    for _ in games {
        let GameNews::Ended(summary) = news.recv().await.unwrap() else {
            panic!("these have begun already");
        };
        let stored = night.storage.load(&summary.game).await.unwrap().unwrap();
        let (_, place) = (games.iter().zip(0..))
            .find(|(game, _)| **game == summary.game.0)
            .unwrap();
        let due = begun + Millis(place) + HOUR_MS;
        let last = stored.records.last().unwrap();
        assert_eq!(last.at, due, "{:?}", last.event);
        let Event::Public(PublicEvent::Ended(ended)) = &last.event else {
            panic!("{last:?} is no end");
        };
        let reason = tilewire_wire::end_reason(ended.reason);
        assert_eq!(reason, EndReason::Time);
    }
    assert!(night.of("ada").await.is_empty() && night.live().await.is_empty());
    assert_eq!(night.storage.asleep().await, Ok(0));
}

/// The server was away when the deadline came: it falls as soon as there is a server again, at its own moment.
#[tokio::test]
async fn a_deadline_that_passed_meanwhile_wakes_its_game_at_the_start() {
    let dir = tempfile::tempdir().unwrap();
    let night = Night::begin(dir.path()).await;
    let begun = night.clock.now() - HOUR_MS - Millis(5_000);
    night.asleep("g1", begun).await;
    night.crash().await;
    let night = Night::begin(dir.path()).await;
    let mut news = night.directory.news();
    night.wake_sleepers();
    assert!(matches!(news.recv().await, Ok(GameNews::Ended(_))));
    let stored = night.storage.load(&"g1".into()).await.unwrap().unwrap();
    assert_eq!(stored.records.last().unwrap().at, begun + HOUR_MS);
}

/// A log that cannot be made sense of is found when its game is woken; others are woken behind it all the same.
#[tokio::test]
async fn a_damaged_sleeping_game_delays_no_other_game() {
    let dir = tempfile::tempdir().unwrap();
    let night = Night::begin(dir.path()).await;
    let begun = night.clock.now() - HOUR_MS + Millis(400);
    for game in ["g1", "g2", "g3"] {
        night.asleep(game, begun).await;
    }
    let database = rusqlite::Connection::open(dir.path().join("tilewire.sqlite")).unwrap();
    database
        .execute(
            "UPDATE records SET record = x'00' WHERE game <> 'g3' AND seq = 2",
            (),
        )
        .unwrap();
    let mut news = night.directory.news();
    night.wake_sleepers();
    let GameNews::Ended(summary) = news.recv().await.unwrap() else {
        panic!("it has begun already");
    };
    assert_eq!(summary.game.0, "g3");
    for game in ["g1", "g2"] {
        assert_eq!(
            night.directory.find(&game.into()).await.unwrap_err(),
            FindError::Broken
        );
    }
    assert!(night.of("ada").await.is_empty(), "no list has them");
}
