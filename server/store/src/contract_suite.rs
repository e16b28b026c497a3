//! The storage contracts as tests. Every implementation of the traits must pass them.

use std::sync::Arc;

use super::{
    AccountStore, Append, AppendError, CommandKey, GameMeta, IdentityRow, Journal, Liveness,
    LobbyChange, LobbyStore, LogTail, Rest, Shard, Shards, Sleeper, SleeperLine, Stamp, Storage,
    StoredCommand,
};
use futures::future::join_all;
use tilewire_protocol::GameId;
use tilewire_rules::time::{Millis, Timestamp};

/// Data to store.
pub mod samples {
    use tilewire_rules::alphabet::Tile;
    use tilewire_rules::event::{CommandRef, Created, Event, Player, Record};
    use tilewire_rules::options::GameOptions;
    use tilewire_rules::time::{Seat, Seq, Timestamp, TurnNo};

    use crate::{Append, GameMeta};

    /// Returns the head of a game of two players.
    pub fn meta(game: &str, players: [&str; 2], created_at: Timestamp) -> GameMeta {
        GameMeta {
            game: game.into(),
            epoch: 3,
            rule_set: "classic".to_owned(),
            private_code: Some("CODE".to_owned()),
            players: players.map(str::to_owned).to_vec(),
            created_at,
        }
    }

    /// Returns `count` records that begin with number `from`; the first of a log creates the game.
    pub fn records(game: &str, from: u64, count: u64) -> Vec<Record> {
        (from..from + count).map(|seq| record(game, seq)).collect()
    }

    fn record(game: &str, seq: u64) -> Record {
        let seat = Seat(u8::from(seq.is_multiple_of(2)));
        let event = match seq {
            1 => Event::Created(created(game)),
            _ if seq.is_multiple_of(3) => Event::BagShuffled {
                label: format!("exchange/{seq}"),
                order: vec![Tile::BLANK; 90],
            },
            _ if seq % 3 == 1 => Event::Exchanged {
                turn_no: TurnNo(7),
                seat,
                tiles: vec![Tile::BLANK],
            },
            _ => Event::TilesDrawn {
                seat,
                tiles: vec![Tile::BLANK; 7],
                bag: 86,
            },
        };
        let command = CommandRef {
            seat,
            cmd_id: format!("command-{seq}"),
            digest: u64::MAX - seq,
        };
        Record {
            seq: Seq(seq),
            at: at(seq),
            event,
            command: (seq.is_multiple_of(2)).then_some(command),
        }
    }

    fn at(seq: u64) -> Timestamp {
        Timestamp(1_800_000_000_000).plus(i64::try_from(seq).unwrap() * 1_000)
    }

    fn created(game: &str) -> Created {
        let player = |identity: &str, nonce_hash| Player {
            identity: identity.to_owned(),
            name: format!("Player {identity}"),
            nonce_hash,
            level: None,
            kind: None,
            rating: None,
        };
        Created {
            game: game.to_owned(),
            options: GameOptions::classic("wordnik"),
            players: vec![player("a", Some([7; 32])), player("b", None)],
            lexicon_hash: [1; 32],
            commitment: [2; 32],
            secret: [3; 32],
            series: None,
        }
    }

    /// Returns an append of `count` records after `after`.
    pub fn append(game: &str, after: u64, count: u64) -> Append {
        Append {
            game: game.into(),
            after,
            records: records(game, after + 1, count).into(),
            is_finished: false,
        }
    }
}

use samples::{append, meta, records};

async fn create(journal: &dyn Journal, meta: GameMeta) -> Result<(), AppendError> {
    let first = records(meta.game.as_str(), 1, 1).remove(0);
    journal.create(meta, first).await
}

/// Checks a journal that is empty at first.
pub async fn journal(journal: &dyn Journal) {
    assert_eq!(journal.load(&"g1".into()).await.unwrap(), None);
    appends_are_read_back(journal).await;
    conflicts_store_nothing(journal).await;
    games_are_read_together(journal).await;
    tails_are_read(journal).await;
    games_sleep_until_they_are_appended_to(journal).await;
    finished_games_are_listed_in_pages(journal).await;
    a_sleeping_game_has_its_lost_time(journal).await;
    shards_divide_the_games(journal).await;
}

async fn appends_are_read_back(journal: &dyn Journal) {
    create(journal, meta("g1", ["a", "b"], Timestamp(10)))
        .await
        .unwrap();
    journal.append(append("g1", 1, 4)).await.unwrap();
    journal.append(append("g1", 5, 1)).await.unwrap();
    let stored = journal.load(&"g1".into()).await.unwrap().unwrap();
    assert_eq!(stored.meta, meta("g1", ["a", "b"], Timestamp(10)));
    assert_eq!(stored.records, records("g1", 1, 6));
    assert!(!stored.is_finished);
    let public = GameMeta {
        private_code: None,
        ..meta("g0", ["b", "a"], Timestamp(11))
    };
    create(journal, public.clone()).await.unwrap();
    let stored = journal.load(&"g0".into()).await.unwrap().unwrap();
    assert_eq!(stored.meta, public);
}

async fn conflicts_store_nothing(journal: &dyn Journal) {
    let before = journal.load(&"g1".into()).await.unwrap();
    let again = create(journal, meta("g1", ["x", "y"], Timestamp(99))).await;
    assert_eq!(again, Err(AppendError::Conflict { head: 6 }));
    for after in [1, 5, 7, 100] {
        let conflict = journal.append(append("g1", after, 2)).await;
        assert_eq!(conflict, Err(AppendError::Conflict { head: 6 }), "{after}");
    }
    let nowhere = journal.append(append("nowhere", 1, 1)).await;
    assert_eq!(nowhere, Err(AppendError::Conflict { head: 0 }));
    assert_eq!(journal.load(&"g1".into()).await.unwrap(), before);
    assert_eq!(journal.load(&"nowhere".into()).await.unwrap(), None);
}

/// Begins with g1, six records in three appends, and g0.
async fn games_are_read_together(journal: &dyn Journal) {
    let ids = ["g1", "nowhere", "g0", "g1"].map(GameId::from);
    let together = journal.load_many(&ids).await;
    let mut alone = Vec::new();
    for id in &ids {
        alone.push(journal.load(id).await);
    }
    assert_eq!(together, alone);
    assert_eq!(journal.load_many(&[]).await, []);
}

/// Begins with g1, six records in three appends.
async fn tails_are_read(journal: &dyn Journal) {
    for after in 0..=6 {
        let tail = LogTail {
            records: records("g1", after + 1, 6 - after),
            is_finished: false,
        };
        let read = journal.load_tail(&"g1".into(), after).await;
        assert_eq!(read, Ok(Some(tail)), "after {after}");
    }
    assert_eq!(journal.load_tail(&"nowhere".into(), 0).await, Ok(None));
    create(journal, meta("ended", ["x", "y"], Timestamp(1)))
        .await
        .unwrap();
    let end = Append {
        is_finished: true,
        ..append("ended", 1, 2)
    };
    journal.append(end).await.unwrap();
    let tail = LogTail {
        records: records("ended", 3, 1),
        is_finished: true,
    };
    assert_eq!(journal.load_tail(&"ended".into(), 2).await, Ok(Some(tail)));
}

fn rest(game: &str, after: u64, wakes_at: i64) -> Rest {
    Rest {
        game: game.into(),
        after,
        wakes_at: Timestamp(wakes_at),
        line: format!("{game} until {wakes_at}").into_bytes(),
        is_listed: game != "g0",
        lost_ms: Millis(wakes_at / 2),
    }
}

/// Returns the games of a list of lines, each with the deadline that its line names.
fn deadlines(lines: Vec<SleeperLine>) -> Vec<(GameId, i64)> {
    let deadline = |line: SleeperLine| {
        let text = String::from_utf8(line.line).unwrap();
        let (game, wakes_at) = text.split_once(" until ").unwrap();
        assert_eq!(line.game, game);
        (line.game.clone(), wakes_at.parse().unwrap())
    };
    lines.into_iter().map(deadline).collect()
}

/// Returns the deadlines and ids of all sleeping games, read two at a time.
async fn sleepers(journal: &dyn Journal) -> Vec<(i64, GameId)> {
    let mut all: Vec<Sleeper> = Vec::new();
    loop {
        let next = journal
            .sleepers(Shards::ALL, all.last().cloned(), 2)
            .await
            .unwrap();
        if next.is_empty() {
            assert_eq!(journal.asleep().await, Ok(all.len()));
            return all
                .into_iter()
                .map(|one| (one.wakes_at.0, one.game))
                .collect();
        }
        assert!(next.len() <= 2);
        all.extend(next);
    }
}

/// Begins with the games g1 of ada at 10, six records, and g0 at 11, one record.
async fn games_sleep_until_they_are_appended_to(journal: &dyn Journal) {
    create(journal, meta("g2", ["a", "c"], Timestamp(5)))
        .await
        .unwrap();
    create(journal, meta("g3", ["a", "a"], Timestamp(7)))
        .await
        .unwrap();
    let awake = async || journal.awake(Shards::ALL).await.unwrap();
    let of = async |identity| deadlines(journal.asleep_of(identity).await.unwrap());
    let listed = async |limit| deadlines(journal.asleep_listed(limit).await.unwrap());
    let unfinished = async |identity| journal.unfinished_of(identity).await.unwrap();
    let line = |game: &str, at: i64| (GameId::from(game), at);
    assert_eq!(unfinished("a").await, ["g2", "g3", "g1", "g0"]);
    assert_eq!(unfinished("b").await, ["g1", "g0"]);
    assert_eq!(unfinished("x").await, [""; 0]);
    assert_eq!(awake().await, ["g2", "g3", "g1", "g0"]);
    assert_eq!((of("a").await, listed(9).await), (vec![], vec![]));

    for (game, after, wakes_at) in [("g1", 6, 300), ("g0", 1, 200), ("g3", 1, 200)] {
        journal.rest(rest(game, after, wakes_at)).await.unwrap();
    }
    assert_eq!(awake().await, ["g2"]);
    assert_eq!(unfinished("a").await, ["g2", "g3", "g1", "g0"]);
    let all = [(200, "g0"), (200, "g3"), (300, "g1")].map(|(at, game)| (at, GameId::from(game)));
    assert_eq!(sleepers(journal).await, all);
    let of_a = vec![line("g3", 200), line("g1", 300), line("g0", 200)];
    assert_eq!(of("a").await, of_a);
    assert_eq!(of("b").await, of_a[1..]);
    assert_eq!(of("c").await, []);
    assert_eq!(listed(9).await, of_a[..2]);
    assert_eq!(listed(1).await, of_a[..1]);
    // Sleep does not change the log, and a second rest replaces the first.
    let log = journal.load(&"g1".into()).await.unwrap().unwrap().records;
    assert_eq!(log, records("g1", 1, 6));
    journal.rest(rest("g3", 1, 400)).await.unwrap();
    assert_eq!(
        sleepers(journal).await.pop(),
        Some((400, GameId::from("g3")))
    );

    // An append wakes a game, and a caller that does not know of the append cannot put the game to sleep.
    journal.append(append("g1", 6, 1)).await.unwrap();
    assert_eq!(
        journal.rest(rest("g1", 6, 500)).await,
        Err(AppendError::Conflict { head: 7 })
    );
    assert_eq!(
        journal.rest(rest("nowhere", 1, 1)).await,
        Err(AppendError::Conflict { head: 0 })
    );
    assert_eq!(awake().await, ["g2", "g1"]);
    assert_eq!(of("b").await, [line("g0", 200)]);
    assert_eq!(listed(9).await, [line("g3", 400)]);
    // A refused append wakes nothing.
    assert_eq!(
        journal.append(append("g3", 4, 1)).await,
        Err(AppendError::Conflict { head: 1 })
    );
    assert_eq!(sleepers(journal).await.len(), 2);

    // A finished game is neither awake nor asleep, and cannot be put to sleep.
    for (game, head) in [("g2", 1), ("g3", 1)] {
        let end = Append {
            is_finished: true,
            ..append(game, head, 2)
        };
        journal.append(end).await.unwrap();
        let refused = journal.rest(rest(game, 3, 600)).await;
        assert_eq!(refused, Err(AppendError::Conflict { head: 3 }));
    }
    let ended = journal.load(&"g2".into()).await.unwrap().unwrap();
    assert!(ended.is_finished);
    assert_eq!(awake().await, ["g1"]);
    assert_eq!(unfinished("a").await, ["g1", "g0"]);
    assert_eq!(sleepers(journal).await, [(200, GameId::from("g0"))]);
    assert_eq!(of("a").await, [line("g0", 200)]);
}

/// Begins with the games g2 and g3 of a, which ended at the same moment.
async fn finished_games_are_listed_in_pages(journal: &dyn Journal) {
    let finished = async |before: Option<&str>, limit| {
        let before = before.map(GameId::from);
        let games = journal.finished_of("a", before.as_ref(), limit).await;
        games.unwrap()
    };
    // The game that ended last comes first; games of the same moment are in the reverse order of their ids.
    assert_eq!(finished(None, 9).await, ["g3", "g2"]);
    assert_eq!(finished(None, 1).await, ["g3"]);
    assert_eq!(finished(Some("g3"), 9).await, ["g2"]);
    assert_eq!(finished(Some("g2"), 9).await, [""; 0]);
    assert_eq!(finished(Some("nowhere"), 9).await, [""; 0]);
}

/// Begins with the games g1, which has slept, and g0, asleep until 200.
async fn a_sleeping_game_has_its_lost_time(journal: &dyn Journal) {
    let lost = async |game: &str| journal.load(&game.into()).await.unwrap().unwrap().lost_ms;
    assert_eq!(lost("g1").await, None);
    assert_eq!(lost("g0").await, Some(Millis(100)));
    journal.rest(rest("g0", 1, 400)).await.unwrap();
    assert_eq!(lost("g0").await, Some(Millis(200)));
}

/// Begins with the games g1, awake, and g0, asleep.
async fn shards_divide_the_games(journal: &dyn Journal) {
    for game in 0..20 {
        let game = format!("shared-{game}");
        create(journal, meta(&game, ["s", "t"], Timestamp(50)))
            .await
            .unwrap();
        let is_kept = Shard::of(&game.as_str().into()).0.is_multiple_of(3);
        if !is_kept {
            journal.rest(rest(&game, 1, 1_000)).await.unwrap();
        }
    }
    let all = || (0..=u8::MAX).map(Shard);
    let even: Shards = all().filter(|shard| shard.0.is_multiple_of(2)).collect();
    let odd: Shards = all().filter(|shard| shard.0 % 2 == 1).collect();
    let awake = async |shards| journal.awake(shards).await.unwrap();
    let asleep = async |shards, limit| journal.sleepers(shards, None, limit).await.unwrap();
    let (every, all_asleep) = (awake(Shards::ALL).await, asleep(Shards::ALL, 99).await);
    for shards in [even, odd, Shards::NONE] {
        let mine: Vec<_> = every.iter().filter(|game| shards.contain(game)).collect();
        assert_eq!(awake(shards).await.iter().collect::<Vec<_>>(), mine);
        let mine = all_asleep.iter().filter(|one| shards.contain(&one.game));
        let mine: Vec<Sleeper> = mine.cloned().collect();
        assert_eq!(asleep(shards, 99).await, mine);
        assert_eq!(asleep(shards, 1).await, mine[..mine.len().min(1)]);
        if let [first, second, ..] = &mine[..] {
            let behind = journal.sleepers(shards, Some(first.clone()), 1).await;
            assert_eq!(behind.as_ref(), Ok(&vec![second.clone()]));
        }
    }
    let divided = [even, odd].map(async |shards| asleep(shards, 99).await.len());
    assert!(join_all(divided).await.iter().all(|count| *count > 1));
}

/// Checks that exactly one of many writers with the same view wins, and that the records of other games stay complete.
pub async fn contention(journal: Arc<dyn Journal>) {
    for round in 0..20_u64 {
        let (contested, quiet) = (format!("contested-{round}"), format!("quiet-{round}"));
        for game in [&contested, &quiet] {
            create(&*journal, meta(game, ["a", "b"], Timestamp(1)))
                .await
                .unwrap();
        }
        let writers = (0..10).flat_map(|_| [&contested]).chain([&quiet]);
        let appends = writers.map(|game| journal.append(append(game, 1, 3)));
        let outcomes = join_all(appends).await;
        let (contest, quiet_outcome) = outcomes.split_at(10);
        let won = contest.iter().filter(|outcome| outcome.is_ok()).count();
        let lost = contest
            .iter()
            .filter(|outcome| **outcome == Err(AppendError::Conflict { head: 4 }))
            .count();
        assert_eq!((won, lost), (1, 9));
        assert_eq!(quiet_outcome, [Ok(())]);
        for game in [&contested, &quiet] {
            let stored = journal.load(&game.as_str().into()).await.unwrap().unwrap();
            assert_eq!(stored.records, records(game, 1, 4));
        }
    }
}

/// Checks a lobby store that is empty at first.
pub async fn lobby(store: &dyn LobbyStore) {
    let key = |identity: &str, cmd_id: &str| CommandKey {
        identity: identity.to_owned(),
        cmd_id: cmd_id.to_owned(),
    };
    let command = |cmd_id: &str, at| StoredCommand {
        key: key("a", cmd_id),
        digest: u64::MAX - 1,
        answer: vec![1, 2, 3],
        at,
    };
    assert!(store.seeks().await.unwrap().is_empty());
    let seek = |id: &str, content: u8| (id.to_owned(), vec![content]);
    let change = LobbyChange {
        put: vec![seek("s2", 2), seek("s1", 1)],
        commands: vec![command("one", Timestamp(10))],
        ..LobbyChange::default()
    };
    store.commit(change.clone()).await.unwrap();
    store.commit(change).await.unwrap(); // a repetition is harmless
    let next = LobbyChange {
        put: vec![seek("s3", 3), seek("s1", 8), seek("s4", 4), seek("s1", 9)],
        remove: vec!["s2".to_owned(), "s4".to_owned(), "unknown".to_owned()],
        commands: vec![
            command("two", Timestamp(20)),
            command("three", Timestamp(30)),
        ],
        letters: vec![],
    };
    store.commit(next).await.unwrap();
    let seeks = store.seeks().await.unwrap();
    assert_eq!(seeks, [seek("s1", 9), seek("s3", 3)]);
    let keys = [("a", "two"), ("a", "four"), ("b", "two"), ("a", "three")];
    let keys = keys.map(|(identity, cmd_id)| key(identity, cmd_id));
    let found = store.commands(keys.into()).await.unwrap();
    let expected = [
        Some(command("two", Timestamp(20))),
        None,
        None,
        Some(command("three", Timestamp(30))),
    ];
    assert_eq!(found, expected);
    let of = async |identity| store.commands_of(identity).await.unwrap();
    let own = [
        command("one", Timestamp(10)),
        command("two", Timestamp(20)),
        command("three", Timestamp(30)),
    ];
    assert_eq!(of("a").await, own);
    assert_eq!(of("b").await, []);
}

/// Checks an identity store that is empty at first.
pub async fn identities(store: &dyn AccountStore) {
    let row = |name: &str, created_at, seen_at| IdentityRow {
        identity: "a".to_owned(),
        name: name.to_owned(),
        created_at: Timestamp(created_at),
        seen_at: Timestamp(seen_at),
    };
    assert_eq!(store.identity("a").await.unwrap(), None);
    store.put_identity(row("Anna", 10, 15)).await.unwrap();
    store.put_identity(row("Zoë", 20, 25)).await.unwrap();
    assert_eq!(store.identity("a").await.unwrap(), Some(row("Zoë", 10, 25)));
    assert_eq!(store.identity("b").await.unwrap(), None);
}

/// Checks the liveness of a storage that no server has used.
pub(crate) async fn liveness(store: &dyn Storage) {
    assert_eq!(store.liveness().await, Ok(Liveness::default()));
    let stamp = |at, lost_ms| Stamp {
        at: Timestamp(at),
        lost_ms: Millis(lost_ms),
    };
    for stamp in [stamp(41_000, 7), stamp(42_000, 5_000)] {
        store.stamp(stamp).await.unwrap();
        assert_eq!(store.liveness().await.unwrap().stamp, Some(stamp));
    }
    for at in [41_000, 2_000].map(Timestamp) {
        store.jumped(at).await.unwrap();
        let expected = Liveness {
            stamp: Some(stamp(42_000, 5_000)),
            jumped_at: Some(at),
        };
        assert_eq!(store.liveness().await, Ok(expected));
    }
}

/// Checks the credentials of a storage whose keys nobody has changed.
pub(crate) async fn credentials(store: &dyn Storage) {
    let found = store.credentials().await.unwrap();
    assert_eq!(found.keys.len(), 1);
    assert!(found.revoked_identities.is_empty() && found.revoked_families.is_empty());
    assert_eq!(store.credential_changes().await, Ok(found.version));
    assert_eq!(store.credentials().await, Ok(found));
}
