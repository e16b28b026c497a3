//! The directory with a real storage: creation, crashes, recovery, quarantine.

mod shards;
mod sleep;

use std::path::Path;

use tilewire_rules::event::{Event, PublicEvent, Record};
use tilewire_rules::lexicon::{Capitalised, Compiler, FstLexicon, Lexicon};
use tilewire_rules::options::GameOptions;
use tilewire_rules::tile_sets::NamedTileSet;
use tilewire_rules::time::{Millis, Seq, Timestamp};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use super::create::drawn;
use super::*;
use crate::room::RoomInput;
use tilewire_base::ids::Ids;
use tilewire_delivery::outbound::Registry;
use tilewire_store as storage;
use tilewire_store::{Append, Rest, Shards, Stamp, Storage};
use tilewire_wire::lexica::Lexica;

const START: Timestamp = Timestamp(1_800_000_000_000);

/// One life of a server: dropping it is a crash.
struct Life {
    runtime: Runtime,
    storage: Arc<dyn Storage>,
    directory: Directory,
    clock: ServerClock,
}

impl Life {
    fn begin(dir: &Path, now: Timestamp) -> Self {
        Self::try_begin(dir, now, Lexica::builtin(), MissingLexicon::Refuse).unwrap()
    }

    fn try_begin(
        dir: &Path,
        now: Timestamp,
        lexica: Lexica,
        missing: MissingLexicon,
    ) -> Result<Self, TakeUpError> {
        Self::try_begin_with(dir, now, lexica, |config| config.lexica.missing = missing)
    }

    fn try_begin_with(
        dir: &Path,
        now: Timestamp,
        lexica: Lexica,
        change: impl FnOnce(&mut Config),
    ) -> Result<Self, TakeUpError> {
        let mut config = Config::default();
        change(&mut config);
        config.limits.running_games = 3;
        let clock = ServerClock::manual(now);
        let runtime = Runtime::new().unwrap();
        let storage = tilewire_databases::open(dir, &config.storage, now).unwrap();
        let journal: Arc<dyn Journal> = Arc::clone(&storage) as _;
        let liveness = runtime.block_on(storage.liveness()).unwrap();
        let catalogue = Catalogue::new(lexica);
        let start = Directory::start(
            Services::of(journal, catalogue, clock.clone(), Ids::system()),
            &config,
            liveness.stamp,
        );
        let directory = runtime.block_on(start)?;
        Ok(Self {
            runtime,
            storage,
            directory,
            clock,
        })
    }

    fn create(&self, game: NewGame) -> Result<GameId, CreateError> {
        self.runtime.block_on(self.directory.create(game))
    }

    fn stamp(&self, at: Timestamp, lost_ms: Millis) {
        let stamp = self.storage.stamp(Stamp { at, lost_ms });
        self.runtime.block_on(stamp).unwrap();
    }

    fn find(&self, game: &str) -> Result<GameHandle, FindError> {
        self.runtime.block_on(self.directory.find(&game.into()))
    }

    fn of_identity(&self, identity: &str) -> Vec<tilewire_protocol::GameSummary> {
        let games = self.directory.of_identity(identity);
        self.runtime.block_on(games).unwrap()
    }

    fn log(&self, game: &str) -> Vec<Record> {
        let stored = self.runtime.block_on(self.storage.load(&game.into()));
        stored.unwrap().unwrap().records
    }
}

fn new_game(id: &str, players: &[&str]) -> NewGame {
    NewGame {
        id: id.into(),
        options: GameOptions::classic("wordnik"),
        players: players
            .iter()
            .map(|name| NewPlayer {
                identity: (*name).to_owned(),
                name: (*name).to_uppercase(),
                nonce_hash: None,
                level: None,
                kind: None,
                rating: None,
            })
            .collect(),
        private_code: None,
        series: None,
        from: None,
    }
}

#[test]
fn a_game_is_made_once_and_listed_for_its_players() {
    let dir = tempfile::tempdir().unwrap();
    let life = Life::begin(dir.path(), START);
    assert_eq!(life.create(new_game("g1", &["ada", "bob"])).unwrap(), "g1");
    assert_eq!(life.create(new_game("g1", &["ada", "bob"])).unwrap(), "g1");
    let other = life.create(new_game("g1", &["ada", "eve"]));
    assert!(matches!(other, Err(CreateError::Taken)));
    assert_eq!(life.log("g1").len(), 1);
    life.clock.advance(1);
    life.create(new_game("g0", &["bob", "eve"])).unwrap();
    let of = |identity| -> Vec<String> {
        let games = life.of_identity(identity);
        games.into_iter().map(|game| game.game.0).collect()
    };
    assert_eq!(of("ada"), ["g1"]);
    assert_eq!(of("bob"), ["g1", "g0"]);
    assert!(of("joe").is_empty());
    assert_eq!(life.directory.running(), 2);
    // No player is ready.
    let presence = Registry::default();
    let live = life.directory.live(&presence);
    assert!(life.runtime.block_on(live).is_empty());
    assert!(life.find("g1").is_ok());
    assert_eq!(life.find("g9").unwrap_err(), FindError::Unknown);
}

#[test]
fn what_cannot_be_played_is_not_made() {
    let dir = tempfile::tempdir().unwrap();
    let life = Life::begin(dir.path(), START);
    let alone = life.create(new_game("g1", &["ada"]));
    assert!(matches!(
        alone,
        Err(CreateError::Players {
            seats: 2,
            players: 1
        })
    ));
    let mut strange = new_game("g1", &["ada", "bob"]);
    strange.options.lexicon = "klingon".to_owned();
    let unknown = life.create(strange);
    assert!(matches!(unknown, Err(CreateError::Unknown(name)) if name == "klingon"));
    for id in ["g1", "g2", "g3"] {
        life.create(new_game(id, &["ada", "bob"])).unwrap();
    }
    let one_more = life.create(new_game("g4", &["ada", "bob"]));
    assert!(matches!(one_more, Err(CreateError::Full)));
}

#[test]
fn a_crash_loses_nothing_and_its_time_is_credited() {
    let dir = tempfile::tempdir().unwrap();
    let life = Life::begin(dir.path(), START);
    life.create(new_game("g1", &["ada", "bob"])).unwrap();
    let stamp = START + Millis(2_000);
    life.stamp(stamp, Millis::ZERO);
    let log = life.log("g1");
    drop(life);

    let later = START + Millis(60_000);
    let life = Life::begin(dir.path(), later);
    assert_eq!(life.of_identity("bob").len(), 1);
    assert!(life.find("g1").is_ok());
    life.runtime.block_on(life.directory.shutdown());
    let resumed = life.log("g1");
    assert_eq!(resumed[..log.len()], log);
    assert_eq!(resumed.len(), log.len() + 1);
    let Event::Public(PublicEvent::ClockCredited {
        stopped_at,
        resumed_at,
        ..
    }) = &resumed[log.len()].event
    else {
        panic!("the outage is credited");
    };
    assert_eq!((*stopped_at, *resumed_at), (stamp, later));
    assert_eq!(life.find("g1").unwrap_err(), FindError::Stopping);
}

/// A sleeping game gets back what it did not know of when it fell asleep, before its deadline is judged.
#[test]
fn a_sleeping_game_is_credited_when_it_wakes() {
    let dir = tempfile::tempdir().unwrap();
    let life = Life::begin(dir.path(), START);
    life.create(new_game("g1", &["ada", "bob"])).unwrap();
    let ready_ms = Millis(GameOptions::classic("wordnik").timing.ready_ms);
    let rest = Rest {
        game: "g1".into(),
        after: 1,
        wakes_at: START + ready_ms,
        line: b"{}".to_vec(),
        is_listed: false,
        lost_ms: Millis(7_000),
    };
    life.runtime.block_on(life.storage.rest(rest)).unwrap();
    // A stall of two seconds in its sleep, and an outage.
    life.stamp(START + Millis(20_000), Millis(9_000));
    drop(life);
    let started_at = START + ready_ms + Millis(20_000);
    let life = Life::begin(dir.path(), started_at);
    assert_eq!(life.directory.running(), 0);
    let stamp = Stamp {
        at: started_at,
        lost_ms: Millis(9_000) + ready_ms,
    };
    assert_eq!(life.directory.stamp(), Some(stamp), "nobody waits for it");
    life.clock.advance(10_000);
    assert!(life.find("g1").is_ok());
    life.runtime.block_on(life.directory.shutdown());
    let credit = life.log("g1").pop().unwrap().event;
    let Event::Public(PublicEvent::ClockCredited {
        stopped_at,
        resumed_at,
        ..
    }) = credit
    else {
        panic!("the deadline comes after the credit: {credit:?}");
    };
    assert_eq!(resumed_at, started_at + Millis(10_000));
    assert_eq!(resumed_at - stopped_at, Millis(2_000) + ready_ms);
}

#[test]
fn a_log_that_does_not_replay_is_refused_or_set_aside() {
    let dir = tempfile::tempdir().unwrap();
    let life = Life::begin(dir.path(), START);
    for id in ["g1", "g2"] {
        life.create(new_game(id, &["ada", "bob"])).unwrap();
    }
    let nonsense = Record {
        seq: Seq(2),
        at: START,
        event: Event::Public(PublicEvent::WindowClosed {
            play_id: Seq(1),
            reason: tilewire_rules::event::WindowClose::Timer,
        }),
        command: None,
    };
    let append = life.storage.append(Append {
        game: "g1".into(),
        after: 1,
        records: vec![nonsense].into(),
        is_finished: false,
    });
    life.runtime.block_on(append).unwrap();
    drop(life);

    let begin = |damaged| {
        let change = |config: &mut Config| config.recovery.damaged = damaged;
        Life::try_begin_with(dir.path(), START + Millis(1_000), Lexica::builtin(), change)
    };
    let refused = begin(DamagedGames::Refuse).err().unwrap().to_string();
    for part in ["1 unfinished games", "game g1: ", "--damaged-games leave"] {
        assert!(refused.contains(part), "{refused}");
    }
    let life = begin(DamagedGames::Leave).unwrap();
    assert_eq!(life.find("g1").unwrap_err(), FindError::Broken);
    assert_eq!(
        FindError::Broken.code(),
        tilewire_protocol::ErrorCode::Internal
    );
    assert!(life.find("g2").is_ok());
    assert_eq!(life.directory.running(), 1);
    assert_eq!(life.log("g1").len(), 2);
}

/// The built-in lexicon and one named `tiny` of these words.
fn with_tiny(words: &[&str]) -> Lexica {
    let english = NamedTileSet::builtin("english").unwrap();
    let mut compiler = Compiler::new(&english, Capitalised::Names);
    for word in words {
        compiler.entry(word).unwrap();
    }
    let bytes = compiler.finish().unwrap().bytes;
    let tiny = Arc::new(FstLexicon::from_bytes("tiny", bytes).unwrap());
    Lexica::of([tiny as Arc<dyn Lexicon>, FstLexicon::builtin()])
}

/// A game needs its own lexicon. If the lexicon is missing or has changed, the server does not start until the operator
/// decides, and no player loses time.
#[test]
fn a_game_is_judged_by_the_list_it_began_with_or_not_played() {
    let dir = tempfile::tempdir().unwrap();
    let begin =
        |lexica, missing| Life::try_begin(dir.path(), START + Millis(60_000), lexica, missing);
    let life = begin(with_tiny(&["cat", "dog"]), MissingLexicon::Refuse).unwrap();
    let mut game = new_game("g1", &["ada", "bob"]);
    game.options.lexicon = "tiny".to_owned();
    life.create(game).unwrap();
    life.create(new_game("g2", &["ada", "bob"])).unwrap();
    drop(life);

    let gone = begin(Lexica::builtin(), MissingLexicon::Refuse);
    let said = gone.err().unwrap().to_string();
    assert!(
        said.contains("game g1 cannot go on: it is played with the lexicon \"tiny\""),
        "{said}"
    );
    assert!(said.contains("there is none of this name"), "{said}");
    assert!(
        said.contains("tiny.fst") && said.contains("lexica.missing"),
        "{said}"
    );
    let changed = begin(with_tiny(&["cat", "cow"]), MissingLexicon::Refuse);
    let said = changed.err().unwrap().to_string();
    assert!(said.contains("the one here has the hash"), "{said}");

    let life = begin(Lexica::builtin(), MissingLexicon::Leave).unwrap();
    // No other game had begun to run meanwhile: at most this start has credited an outage.
    assert_eq!(life.log("g1").len(), 1);
    assert!(life.log("g2").len() <= 2);
    assert_eq!(life.find("g1").unwrap_err(), FindError::Broken);
    assert!(life.find("g2").is_ok());
    drop(life);

    let life = begin(with_tiny(&["dog", "cat"]), MissingLexicon::Refuse).unwrap();
    assert!(life.find("g1").is_ok() && life.find("g2").is_ok());
}

/// A directory with a game `g1` of ada and bob that has ended, and the handle of the game.
async fn with_ended_game(dir: &Path, change: impl FnOnce(&mut Config)) -> (Directory, GameHandle) {
    let mut config = Config::default();
    change(&mut config);
    let clock = ServerClock::system();
    let journal: Arc<dyn Journal> =
        tilewire_databases::open(dir, &config.storage, clock.now()).unwrap();
    let catalogue = Catalogue::new(Lexica::builtin());
    let services = Services::of(journal, catalogue, clock, Ids::system());
    let directory = Directory::start(services, &config, None).await.unwrap();
    let mut news = directory.news();
    let mut game = new_game("g1", &["ada", "bob"]);
    game.options.timing.ready_ms = 1;
    directory.create(game).await.unwrap();
    let handle = directory.find(&"g1".into()).await;
    // No player attaches: the game is cancelled.
    let GameNews::Ended(summary) = news.recv().await.unwrap() else {
        panic!("a game without players does not start");
    };
    assert_eq!(summary.phase, tilewire_protocol::Phase::Ended);
    (directory, handle.unwrap())
}

#[tokio::test]
async fn a_game_with_a_full_mailbox_forgets_names() {
    let dir = tempfile::tempdir().unwrap();
    let (directory, handle) =
        with_ended_game(dir.path(), |config| config.limits.game_mailbox = 1).await;
    while handle.post(RoomInput::Tick).is_ok() {}
    directory.forget_names(&["ada".to_owned()].into()).await;
    handle.closed().await;
}

#[tokio::test]
async fn a_finished_game_leaves_memory_and_is_found_again() {
    let dir = tempfile::tempdir().unwrap();
    let (directory, first) = with_ended_game(dir.path(), |config| {
        config.timing.finished_idle_ms = Millis(0);
    })
    .await;
    first.closed().await;
    assert_eq!(directory.running(), 0);
    let game = GameId::from("g1");
    let (one, two) = tokio::join!(directory.find(&game), directory.find(&game));
    assert!(one.is_ok() && two.is_ok());
    assert!(directory.of_identity("ada").await.unwrap().is_empty());
}

/// A placement that runs nothing here.
#[derive(Debug)]
struct Nowhere;

impl Placement for Nowhere {
    fn mine(&self) -> Shards {
        Shards::NONE
    }

    fn place(&self, _game: &GameId) -> Location {
        Location::Elsewhere(None)
    }

    fn lobby(&self) -> Location {
        Location::Elsewhere(None)
    }

    fn changes(&self) -> watch::Receiver<u64> {
        crate::SingleNode.changes()
    }
}

#[tokio::test]
async fn a_game_of_another_node_is_created_asleep_and_not_loaded() {
    let dir = tempfile::tempdir().unwrap();
    let config = Config::default();
    let clock = ServerClock::system();
    let storage = tilewire_databases::open(dir.path(), &config.storage, clock.now()).unwrap();
    let services = |placement: Arc<dyn Placement>| Services {
        placement,
        ..Services::of(
            Arc::clone(&storage) as _,
            Catalogue::new(Lexica::builtin()),
            clock.clone(),
            Ids::system(),
        )
    };
    let own = Arc::new(crate::SingleNode);
    let directory = Directory::start(services(own), &config, None);
    let directory = directory.await.unwrap();
    let game = directory.create(new_game("g1", &["ada", "bob"])).await;
    directory.shutdown().await;
    let other = Directory::start(services(Arc::new(Nowhere)), &config, None);
    let other = other.await.unwrap();
    assert_eq!(other.running(), 0, "the game is not taken up");
    let found = other.find(&game.unwrap()).await;
    assert_eq!(found.err(), Some(FindError::Elsewhere));
    // The node with the lobby creates games of other nodes: they sleep.
    for _ in 0..2 {
        let created = other.create(new_game("g2", &["ada", "bob"])).await;
        assert_eq!(created.unwrap(), "g2");
    }
    let refused = other.create(new_game("g2", &["ada", "eve"])).await;
    assert!(matches!(refused, Err(CreateError::Taken)), "{refused:?}");
    assert_eq!(other.running(), 0);
    let asleep = storage.sleepers(Shards::ALL, None, 9).await.unwrap();
    let stored = storage.load(&"g2".into()).await.unwrap().unwrap();
    let wakes_at = stored.meta.created_at + Millis(stored_ready_ms());
    assert_eq!(asleep[0].game, "g2");
    assert_eq!(asleep[0].wakes_at, wakes_at);
    other.shutdown().await;
    let own = Directory::start(services(Arc::new(crate::SingleNode)), &config, None);
    let own = own.await.unwrap();
    let before = own.running();
    own.wake_anywhere(&"g2".into()).await;
    assert_eq!(own.running(), before + 1, "its node loads it");
}

/// Returns the time in which the players of a new game have to be ready.
fn stored_ready_ms() -> i64 {
    GameOptions::classic("wordnik").ready_ms()
}

#[test]
fn an_id_is_drawn_until_its_shard_fits() {
    let ids = Ids::seeded(7);
    let one: Shards = [storage::Shard(200)].into_iter().collect();
    for _ in 0..20 {
        assert!(one.contain(&drawn(&ids, one)));
    }
    let (first, second) = (Ids::seeded(8), Ids::seeded(8));
    assert_eq!(
        drawn(&first, Shards::ALL),
        second.game_id(),
        "it draws once"
    );
    drawn(&ids, Shards::NONE); // it ends
}
