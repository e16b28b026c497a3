//! Points are checked and rebuilt from results.

use rusqlite::Connection;
use tempfile::TempDir;
use tilewire_people::audit::Action;
use tilewire_people::conduct::{Conduct, Mark, Offence};
use tilewire_people::moderation::Deed;
use tilewire_rules::time::Timestamp;

use super::{ConductTask, conduct};
use crate::ratings::tests::stored;
use tilewire_config::Config;
use tilewire_sql::SqlStorage;
use tilewire_store::{
    Arrival, Chapter, ConductRow, ModerationChange, ModerationStore, ResultStore, result_contract,
};

/// A player who leaves every game; the opponents play on.
const LEAVER: &str = "eve";

/// Stores a game that the leaver left, with the conduct that follows, as the chronicle does.
async fn leave(storage: &SqlStorage, number: u64) {
    let minute = i64::try_from(number).unwrap();
    let names = [LEAVER, "anna"];
    let mut result = result_contract::result(&format!("game{number}"), names, minute);
    let marks = [Mark::Point(Offence::Idle), Mark::Clean];
    for (seat, mark) in result.seats.iter_mut().zip(marks) {
        seat.conduct = Some(mark);
    }
    let stored = storage.conduct(vec![LEAVER.to_owned()]).await.unwrap()[0];
    let (conduct, _) = stored.conduct.after(marks[0], result.ended_at);
    let after = storage.cursor().await.unwrap();
    let chapter = Chapter {
        after,
        until: Arrival(after.arrival.0 + 1),
        results: vec![result_contract::new(result)],
        ratings: Vec::new(),
        conduct: vec![ConductRow {
            identity: LEAVER.to_owned(),
            expected: stored.version,
            conduct,
        }],
        waits: Vec::new(),
    };
    ResultStore::write(storage, chapter).await.unwrap();
}

async fn forgive(storage: &SqlStorage) {
    let change = ModerationChange {
        at: Timestamp(1_800_000_000_000),
        action: Action {
            actor: "operator".to_owned(),
            action: "forgive".to_owned(),
            target: LEAVER.to_owned(),
            reason: "the network was down".to_owned(),
            until: None,
        },
        deed: Deed::Forgive,
        account: None,
        closes: None,
    };
    storage.moderate(change).await.unwrap();
}

/// A storage in which the leaver left three games, was forgiven, and left two more.
async fn filled() -> (TempDir, Config) {
    stored(async |storage| {
        for number in 0..3 {
            leave(storage, number).await;
        }
        forgive(storage).await;
        for number in 3..5 {
            leave(storage, number).await;
        }
        let stored = storage.conduct(vec![LEAVER.to_owned()]).await.unwrap()[0];
        let two = Conduct {
            points: 2,
            ..Conduct::default()
        };
        assert_eq!(stored.conduct, two, "those before do not count");
    })
    .await
}

#[tokio::test]
async fn a_check_finds_every_difference_and_a_rebuild_corrects_it() {
    let (dir, config) = filled().await;
    let sound = "the conduct of 2 players in 5 results is sound\n";
    assert_eq!(conduct(&config, ConductTask::Check).unwrap(), sound);
    let rebuilt = conduct(&config, ConductTask::Rebuild).unwrap();
    assert!(rebuilt.ends_with("; 0 were corrected\n"), "{rebuilt}");
    let database = Connection::open(dir.path().join("tilewire.sqlite")).unwrap();
    for (damage, named) in [
        (
            "UPDATE conduct SET points = 4 WHERE identity = 'eve'",
            "the conduct of eve differs: 4 points are stored, 2 follow",
        ),
        (
            "UPDATE conduct SET waits = 1, until = 7 WHERE identity = 'eve'",
            "the conduct of eve differs: 2 points are stored, 2 follow",
        ),
        (
            "INSERT INTO conduct (identity, version, points, clean, waits) VALUES ('zoe', 1, 1, 0, 0)",
            "the conduct of zoe differs: 1 points are stored, 0 follow",
        ),
    ] {
        database.execute_batch(damage).unwrap();
        let found = conduct(&config, ConductTask::Check).unwrap_err();
        let found = found.to_string();
        assert!(found.contains(named), "{damage}: {found}");
        let rebuilt = conduct(&config, ConductTask::Rebuild).unwrap();
        assert!(rebuilt.ends_with("; 1 were corrected\n"), "{rebuilt}");
        conduct(&config, ConductTask::Check).unwrap();
    }
}

/// Points that the storage lost come back, but not those that were forgiven.
#[tokio::test]
async fn a_rebuild_keeps_what_was_forgiven() {
    let (dir, config) = filled().await;
    let database = Connection::open(dir.path().join("tilewire.sqlite")).unwrap();
    let points = || -> u8 {
        let read = "SELECT points FROM conduct WHERE identity = 'eve'";
        database.query_row(read, (), |row| row.get(0)).unwrap()
    };
    database
        .execute_batch("UPDATE conduct SET points = 0")
        .unwrap();
    conduct(&config, ConductTask::Rebuild).unwrap();
    assert_eq!(points(), 2);
    database
        .execute_batch("UPDATE conduct SET forgiven = 0")
        .unwrap();
    conduct(&config, ConductTask::Rebuild).unwrap();
    assert_eq!(points(), 4, "of five games, with a waiting time");
}
