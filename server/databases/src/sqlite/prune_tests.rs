//! The rows that retention removes, and the rows that it keeps.

use std::path::Path;

use rusqlite::Connection;
use tempfile::TempDir;
use tilewire_rules::clock::Clocks;
use tilewire_rules::event::{EndReason, Ended, Event, PublicEvent, Record};
use tilewire_rules::time::{Millis, Seq, Timestamp};

use super::tests::{create, open};
use crate::open::open_for_operator;
use tilewire_base::ids::is_of_site;
use tilewire_config::Retention;
use tilewire_sql::SqlStorage;
use tilewire_store::contract_suite::samples;
use tilewire_store::moderation_contract;
use tilewire_store::result_contract;
use tilewire_store::{
    AccountStore, Append, Arrival, Chapter, IdentityRow, Journal, ModerationStore, NewResult,
    Removed, ReportPosition, ResultStore, Storage,
};

/// When the last game of these tests ends.
const ENDED_AT: Timestamp = Timestamp(1_900_000_000_000);

const DAY: Millis = Millis(24 * 3_600_000);

/// More guests than two steps look at.
const MANY_GUESTS: usize = 2_500;

async fn end(storage: &SqlStorage, game: &str, reason: EndReason) {
    let ended = Ended {
        reason,
        results: Vec::new(),
        winners: Vec::new(),
        aborter: None,
        adjudication: None,
        secret: [3; 32],
        clocks: Clocks {
            main_ms: Vec::new(),
            allowance_ms: Vec::new(),
            running: None,
        },
    };
    let last = Record {
        seq: Seq(2),
        at: ENDED_AT,
        event: Event::Public(PublicEvent::Ended(ended)),
        command: None,
    };
    let append = Append {
        game: game.into(),
        after: 1,
        records: vec![last].into(),
        is_finished: true,
    };
    storage.append(append).await.unwrap();
    store_result(storage, game).await;
}

/// Stores a result of a game, for which retention waits.
async fn store_result(storage: &SqlStorage, game: &str) {
    let after = storage.cursor().await.unwrap();
    let new = NewResult {
        result: result_contract::result(game, ["a", "b"], 1),
        is_private: false,
        changes: Vec::new(),
    };
    let chapter = Chapter {
        after,
        until: Arrival(after.arrival.0 + 1),
        results: vec![new],
        ratings: Vec::new(),
        conduct: Vec::new(),
        waits: Vec::new(),
    };
    ResultStore::write(storage, chapter).await.unwrap();
}

async fn create_for(storage: &SqlStorage, game: &str, players: [&str; 2]) {
    let first = samples::records(game, 1, 1).remove(0);
    let meta = samples::meta(game, players, Timestamp(1));
    storage.create(meta, first).await.unwrap();
}

async fn come(storage: &SqlStorage, identity: &str, seen_at: Timestamp) {
    let row = IdentityRow {
        identity: identity.to_owned(),
        name: identity.to_owned(),
        created_at: Timestamp(1),
        seen_at,
    };
    storage.put_identity(row).await.unwrap();
}

async fn exists(storage: &SqlStorage, game: &str) -> bool {
    storage.load(&game.into()).await.unwrap().is_some()
}

async fn known<'a>(storage: &SqlStorage, identities: &[&'a str]) -> Vec<&'a str> {
    let mut known = Vec::new();
    for identity in identities {
        if storage.identity(identity).await.unwrap().is_some() {
            known.push(*identity);
        }
    }
    known
}

const fn guests(idle_guests: usize) -> Removed {
    Removed {
        finished_games: 0,
        void_games: 0,
        idle_guests,
    }
}

#[tokio::test]
async fn finished_games_go_when_their_time_has_come() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    for game in 0..25 {
        let game = format!("old-{game}");
        create(&storage, &game).await;
        end(&storage, &game, EndReason::Resignation).await;
    }
    create(&storage, "played").await;
    let later = ENDED_AT + DAY * 2;
    let prune = async |finished_games_days| {
        let retention = Retention {
            finished_games_days,
            sweep_batch: 10,
            ..Retention::default()
        };
        storage.prune(later, &retention).await.unwrap()
    };
    assert_eq!(prune(0).await, Removed::default());
    assert_eq!(prune(36_500).await, Removed::default());
    let all = Removed {
        finished_games: 25,
        ..Removed::default()
    };
    assert_eq!(prune(1).await, all);
    assert!(!exists(&storage, "old-3").await);
    assert!(exists(&storage, "played").await);
    assert_eq!(prune(1).await, Removed::default());
}

#[tokio::test]
async fn aborted_and_cancelled_games_go_after_days_and_played_games_stay() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    let reasons = [EndReason::Aborted, EndReason::Cancelled];
    for (number, reason) in reasons.into_iter().cycle().take(25).enumerate() {
        let game = format!("void-{number}");
        create(&storage, &game).await;
        end(&storage, &game, reason).await;
    }
    create(&storage, "played").await;
    end(&storage, "played", EndReason::Resignation).await;
    create(&storage, "running").await;
    let days = |aborted_games_days| Retention {
        aborted_games_days,
        sweep_batch: 10,
        ..Retention::default()
    };
    let prune = async |day, retention: Retention| {
        let now = ENDED_AT + DAY * day + Millis(1);
        storage.prune(now, &retention).await.unwrap()
    };
    assert_eq!(prune(2, days(3)).await, Removed::default());
    assert_eq!(prune(1_000, days(0)).await, Removed::default());
    let all = Removed {
        void_games: 25,
        ..Removed::default()
    };
    assert_eq!(prune(3, days(3)).await, all);
    assert!(!exists(&storage, "void-3").await && !exists(&storage, "void-4").await);
    assert!(exists(&storage, "played").await && exists(&storage, "running").await);
    assert_eq!(prune(1_000, days(3)).await, Removed::default());
}

fn revoke(dir: &Path, identity: &str) {
    let config = tilewire_config::Config {
        data_dir: dir.to_owned(),
        ..tilewire_config::Config::default()
    };
    let mut operator = open_for_operator(&config).unwrap();
    operator
        .revoke_identity(identity, None, Timestamp(5))
        .unwrap();
}

#[tokio::test]
async fn idle_guests_go_and_players_revoked_guests_and_site_users_stay() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    let everybody = [
        "idle",
        "aborter",
        "winner",
        "loser",
        "running-1",
        "running-2",
        "revoked",
        "site-user",
        "returning",
    ];
    for identity in everybody {
        come(&storage, identity, ENDED_AT).await;
    }
    assert!(is_of_site("site-user"));
    revoke(dir.path(), "revoked");
    create_for(&storage, "void", ["aborter", "aborter"]).await;
    end(&storage, "void", EndReason::Aborted).await;
    create_for(&storage, "played", ["winner", "loser"]).await;
    end(&storage, "played", EndReason::Resignation).await;
    create_for(&storage, "running", ["running-1", "running-2"]).await;
    come(&storage, "returning", ENDED_AT + DAY * 20).await;

    let retention = Retention {
        finished_games_days: 40,
        aborted_games_days: 50,
        idle_guests_days: 30,
        ..Retention::default()
    };
    let prune = async |day, retention: &Retention| {
        let now = ENDED_AT + DAY * day + Millis(1);
        storage.prune(now, retention).await.unwrap()
    };
    assert_eq!(prune(29, &retention).await, guests(0));
    let for_ever = Retention {
        idle_guests_days: 0,
        ..retention.clone()
    };
    assert_eq!(prune(30, &for_ever).await, guests(0));
    assert_eq!(prune(30, &retention).await, guests(1));
    assert_eq!(known(&storage, &everybody).await, everybody[1..]);
    // The games of these go, and with the void one its player. Whoever played stays.
    let last = prune(90, &retention).await;
    assert_eq!((last.games(), last.idle_guests), (2, 2));
    let left = known(&storage, &everybody).await;
    assert_eq!(left, everybody[2..8]);
}

/// Guests that are kept do not keep the steps from those behind them, and no step looks at many.
#[tokio::test]
async fn many_guests_are_removed_in_steps() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    let database = Connection::open(dir.path().join("tilewire.sqlite")).unwrap();
    let many = format!(
        "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {MANY_GUESTS})
         INSERT INTO identities (identity, name, created_at, seen_at)
         SELECT printf('guest-%05d', n), 'x', n, n FROM n;
         INSERT INTO revoked_identities (identity, at)
         SELECT identity, 1 FROM identities ORDER BY seen_at LIMIT 1200"
    );
    database.execute_batch(&many).unwrap();
    let removed = storage.prune(ENDED_AT, &Retention::default()).await;
    assert_eq!(removed, Ok(guests(MANY_GUESTS - 1_200)));
    let removed = storage.prune(ENDED_AT, &Retention::default()).await;
    assert_eq!(removed, Ok(guests(0)));
}

#[test]
fn what_retention_looks_for_is_in_indexes_of_its_own() {
    let dir = TempDir::new().unwrap();
    drop(open(dir.path()));
    let database = Connection::open(dir.path().join("tilewire.sqlite")).unwrap();
    for (query, index) in [
        (tilewire_sql::prune::VOID_GAMES, "games_void"),
        (tilewire_sql::prune::IDLE_GUESTS, "identities_idle"),
    ] {
        let mut explain = database
            .prepare(&format!("EXPLAIN QUERY PLAN {query}"))
            .unwrap();
        let params = rusqlite::params_from_iter([1, 2, 3].iter().take(explain.parameter_count()));
        let plan: Vec<String> = explain
            .query_map(params, |row| row.get(3))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        let plan = plan.join("\n");
        assert!(plan.contains(index), "{plan}");
        assert!(!plan.contains("TEMP B-TREE"), "{plan}");
    }
}

/// Settled reports of two steps and some more.
const MANY_REPORTS: u64 = 2 * 100 + 20;

#[tokio::test]
async fn settled_reports_go_after_days_and_open_ones_stay() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    let start = moderation_contract::START;
    for number in 1..=MANY_REPORTS {
        let report = moderation_contract::report(&format!("r{number}"), start);
        assert_eq!(storage.file(report).await, Ok(number));
    }
    let open_one = 7;
    for number in (1..=MANY_REPORTS).filter(|number| *number != open_one) {
        let close = moderation_contract::close(number);
        storage.moderate(close).await.unwrap();
    }
    let left_after = async |reports_days: i64, after: Millis| {
        let retention = Retention {
            reports_days,
            ..Retention::default()
        };
        storage.prune(start + after, &retention).await.unwrap();
        let page = storage.reports(ReportPosition::START, 1_000).await.unwrap();
        let numbers = page.into_iter().map(|report| report.number);
        numbers.collect::<Vec<u64>>()
    };
    let all = usize::try_from(MANY_REPORTS).unwrap();
    let year = DAY * 365;
    assert_eq!(left_after(0, year * 9).await.len(), all, "for ever");
    assert_eq!(left_after(365, year).await.len(), all, "to the last moment");
    // No other report gets the number of the newest one.
    let left = [open_one, MANY_REPORTS];
    assert_eq!(left_after(365, year + Millis(1)).await, left);
    assert_eq!(left_after(365, year * 9).await, left);
    let next = moderation_contract::report("next", start);
    assert_eq!(storage.file(next).await, Ok(MANY_REPORTS + 1));
    assert_eq!(
        left_after(365, year * 9).await,
        [MANY_REPORTS + 1, open_one]
    );
}
