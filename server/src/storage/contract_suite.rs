//! What every implementation of the storage contracts has to do, as tests over the traits.

use std::sync::Arc;

use futures::future::join_all;
use tilewire_rules::options::GameOptions;

use super::{
    Append, AppendError, CommandKey, GameMeta, IdentityRow, IdentityStore, Journal, LobbyChange,
    LobbyStore, Rest, Sleeper, SleeperLine, StoredCommand,
};

/// Things to store.
pub(crate) mod samples {
    use tilewire_rules::alphabet::Tile;
    use tilewire_rules::event::{CommandRef, Created, Event, Player, Record};
    use tilewire_rules::options::GameOptions;
    use tilewire_rules::time::{Seat, Seq, Timestamp, TurnNo};

    use crate::storage::{Append, GameMeta};

    pub(crate) fn meta(game: &str, players: [&str; 2], created_at: i64) -> GameMeta {
        GameMeta {
            game: game.to_owned(),
            epoch: 3,
            rule_set: "classic".to_owned(),
            private_code: Some("CODE".to_owned()),
            players: players.map(str::to_owned).to_vec(),
            created_at,
        }
    }

    /// Returns `count` records that begin with number `from`; the first of a log creates the game.
    pub(crate) fn records(game: &str, from: u64, count: u64) -> Vec<Record> {
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
        };
        Created {
            game: game.to_owned(),
            options: GameOptions::classic("wordnik"),
            players: vec![player("a", Some([7; 32])), player("b", None)],
            lexicon_hash: [1; 32],
            commitment: [2; 32],
            secret: [3; 32],
        }
    }

    /// Returns an append of `count` records after `after`.
    pub(crate) fn append(game: &str, after: u64, count: u64) -> Append {
        Append {
            game: game.to_owned(),
            after,
            records: records(game, after + 1, count).into(),
            is_finished: false,
        }
    }
}

use samples::{append, meta, records};

async fn create(journal: &dyn Journal, meta: GameMeta) -> Result<(), AppendError> {
    let first = records(&meta.game, 1, 1).remove(0);
    journal.create(meta, first).await
}

/// Checks a journal that is empty at first.
pub(crate) async fn journal(journal: &dyn Journal) {
    assert_eq!(journal.load("g1").await.unwrap(), None);
    appends_are_read_back(journal).await;
    conflicts_store_nothing(journal).await;
    games_sleep_until_they_are_appended_to(journal).await;
}

async fn appends_are_read_back(journal: &dyn Journal) {
    create(journal, meta("g1", ["a", "b"], 10)).await.unwrap();
    journal.append(append("g1", 1, 4)).await.unwrap();
    journal.append(append("g1", 5, 1)).await.unwrap();
    let stored = journal.load("g1").await.unwrap().unwrap();
    assert_eq!(stored.meta, meta("g1", ["a", "b"], 10));
    assert_eq!(stored.records, records("g1", 1, 6));
    assert!(!stored.is_finished);
    let public = GameMeta {
        private_code: None,
        ..meta("g0", ["b", "a"], 11)
    };
    create(journal, public.clone()).await.unwrap();
    let stored = journal.load("g0").await.unwrap().unwrap();
    assert_eq!(stored.meta, public);
}

async fn conflicts_store_nothing(journal: &dyn Journal) {
    let before = journal.load("g1").await.unwrap();
    let again = create(journal, meta("g1", ["x", "y"], 99)).await;
    assert_eq!(again, Err(AppendError::Conflict { head: 6 }));
    for after in [1, 5, 7, 100] {
        let conflict = journal.append(append("g1", after, 2)).await;
        assert_eq!(conflict, Err(AppendError::Conflict { head: 6 }), "{after}");
    }
    let nowhere = journal.append(append("nowhere", 1, 1)).await;
    assert_eq!(nowhere, Err(AppendError::Conflict { head: 0 }));
    assert_eq!(journal.load("g1").await.unwrap(), before);
    assert_eq!(journal.load("nowhere").await.unwrap(), None);
}

fn rest(game: &str, after: u64, wakes_at: i64) -> Rest {
    Rest {
        game: game.to_owned(),
        after,
        wakes_at,
        line: format!("{game} until {wakes_at}").into_bytes(),
        is_listed: game != "g0",
    }
}

/// The games of a list of lines, each with the moment that its line names.
fn told(lines: Vec<SleeperLine>) -> Vec<(String, i64)> {
    let told = |line: SleeperLine| {
        let text = String::from_utf8(line.line).unwrap();
        let (game, wakes_at) = text.split_once(" until ").unwrap();
        assert_eq!(game, line.game);
        (line.game.clone(), wakes_at.parse().unwrap())
    };
    lines.into_iter().map(told).collect()
}

/// The moments and games of everything that sleeps, read two at a time.
async fn sleepers(journal: &dyn Journal) -> Vec<(i64, String)> {
    let mut all: Vec<Sleeper> = Vec::new();
    loop {
        let next = journal.sleepers(all.last().cloned(), 2).await.unwrap();
        if next.is_empty() {
            assert_eq!(journal.asleep().await, Ok(all.len()));
            return all
                .into_iter()
                .map(|one| (one.wakes_at, one.game))
                .collect();
        }
        assert!(next.len() <= 2);
        all.extend(next);
    }
}

/// Begins with the games g1 of ada at 10, six records, and g0 at 11, one record.
async fn games_sleep_until_they_are_appended_to(journal: &dyn Journal) {
    create(journal, meta("g2", ["a", "c"], 5)).await.unwrap();
    create(journal, meta("g3", ["a", "a"], 7)).await.unwrap();
    let awake = async || journal.awake().await.unwrap();
    let of = async |identity| told(journal.asleep_of(identity).await.unwrap());
    let listed = async |limit| told(journal.asleep_listed(limit).await.unwrap());
    let line = |game: &str, at: i64| (game.to_owned(), at);
    assert_eq!(awake().await, ["g2", "g3", "g1", "g0"]);
    assert_eq!((of("a").await, listed(9).await), (vec![], vec![]));

    for (game, after, wakes_at) in [("g1", 6, 300), ("g0", 1, 200), ("g3", 1, 200)] {
        journal.rest(rest(game, after, wakes_at)).await.unwrap();
    }
    assert_eq!(awake().await, ["g2"]);
    let all = [(200, "g0"), (200, "g3"), (300, "g1")].map(|(at, game)| (at, game.to_owned()));
    assert_eq!(sleepers(journal).await, all);
    let of_a = vec![line("g3", 200), line("g1", 300), line("g0", 200)];
    assert_eq!(of("a").await, of_a);
    assert_eq!(of("b").await, of_a[1..]);
    assert_eq!(of("c").await, []);
    assert_eq!(listed(9).await, of_a[..2]);
    assert_eq!(listed(1).await, of_a[..1]);
    // Sleep changes nothing about the game, and can be put off.
    assert_eq!(
        journal.load("g1").await.unwrap().unwrap().records,
        records("g1", 1, 6)
    );
    journal.rest(rest("g3", 1, 400)).await.unwrap();
    assert_eq!(sleepers(journal).await.pop(), Some((400, "g3".to_owned())));

    // A log that goes on is awake at once, and a writer that does not know of it puts nothing to sleep.
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
    // An append that is refused leaves a sleeper alone.
    assert_eq!(
        journal.append(append("g3", 4, 1)).await,
        Err(AppendError::Conflict { head: 1 })
    );
    assert_eq!(sleepers(journal).await.len(), 2);

    // A game that ends is neither awake nor asleep, and does not fall asleep any more.
    for (game, head) in [("g2", 1), ("g3", 1)] {
        let end = Append {
            is_finished: true,
            ..append(game, head, 2)
        };
        journal.append(end).await.unwrap();
        let refused = journal.rest(rest(game, 3, 600)).await;
        assert_eq!(refused, Err(AppendError::Conflict { head: 3 }));
    }
    assert!(journal.load("g2").await.unwrap().unwrap().is_finished);
    assert_eq!(awake().await, ["g1"]);
    assert_eq!(sleepers(journal).await, [(200, "g0".to_owned())]);
    assert_eq!(of("a").await, [line("g0", 200)]);
}

/// Checks that of many writers with the same view exactly one wins, and that nobody else's records suffer.
pub(crate) async fn contention(journal: Arc<dyn Journal>) {
    for round in 0..20_u64 {
        let (contested, quiet) = (format!("contested-{round}"), format!("quiet-{round}"));
        for game in [&contested, &quiet] {
            create(&*journal, meta(game, ["a", "b"], 1)).await.unwrap();
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
            let stored = journal.load(game).await.unwrap().unwrap();
            assert_eq!(stored.records, records(game, 1, 4));
        }
    }
}

/// Checks a lobby store that is empty at first.
pub(crate) async fn lobby(store: &dyn LobbyStore) {
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
        remove: vec![],
        commands: vec![command("one", 10)],
    };
    store.commit(change.clone()).await.unwrap();
    store.commit(change).await.unwrap(); // once more does no harm
    let next = LobbyChange {
        put: vec![seek("s3", 3), seek("s1", 8), seek("s4", 4), seek("s1", 9)],
        remove: vec!["s2".to_owned(), "s4".to_owned(), "unknown".to_owned()],
        commands: vec![command("two", 20), command("three", 30)],
    };
    store.commit(next).await.unwrap();
    let seeks = store.seeks().await.unwrap();
    assert_eq!(seeks, [seek("s1", 9), seek("s3", 3)]);
    let keys = [("a", "two"), ("a", "four"), ("b", "two"), ("a", "three")];
    let keys = keys.map(|(identity, cmd_id)| key(identity, cmd_id));
    let found = store.commands(keys.into()).await.unwrap();
    let expected = [
        Some(command("two", 20)),
        None,
        None,
        Some(command("three", 30)),
    ];
    assert_eq!(found, expected);
    let of = async |identity| store.commands_of(identity).await.unwrap();
    let own = [command("one", 10), command("two", 20), command("three", 30)];
    assert_eq!(of("a").await, own);
    assert_eq!(of("b").await, []);
}

/// Checks an identity store that is empty at first.
pub(crate) async fn identities(store: &dyn IdentityStore) {
    let row = |name: &str, created_at| IdentityRow {
        identity: "a".to_owned(),
        name: name.to_owned(),
        created_at,
    };
    assert_eq!(store.find("a").await.unwrap(), None);
    store.put(row("Anna", 10)).await.unwrap();
    store.put(row("Zoë", 20)).await.unwrap();
    assert_eq!(store.find("a").await.unwrap(), Some(row("Zoë", 10)));
    assert_eq!(store.find("b").await.unwrap(), None);
}

/// The options of the samples can be played: a sample is a real creation.
#[test]
fn samples_are_sound() {
    let rules = tilewire_rules::ruleset::RuleSet::classic();
    GameOptions::classic("wordnik").validate(&rules).unwrap();
}
