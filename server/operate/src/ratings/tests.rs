//! Ratings are checked and rebuilt from results.

use std::time::Instant;

use rusqlite::Connection;
use tempfile::TempDir;
use tilewire_people::results::{GameResult, Rated};
use tilewire_rules::time::Timestamp;

use super::{RatingsTask, ratings};
use tilewire_config::{Config, StorageConfig};
use tilewire_databases::sqlite;
use tilewire_results::chronicle::RatingTable;
use tilewire_sql::SqlStorage;
use tilewire_store::{
    Arrival, Chapter, Erasure, ErasureChange, NewResult, PersonalStore, Progress, ResultStore,
    Storage, result_contract,
};

/// Minutes between two games: about ten in a rating period of a player.
const PAUSE_MINUTES: i64 = 60;
/// Games of a chapter of the tests.
const CHAPTER: usize = 500;

/// Returns a rated game of two of these players. The pairs and the winners look random.
fn game(number: usize, players: usize) -> GameResult {
    let first = (number * 7_919 + number / players) % players;
    let second = (first + 1 + (number * 104_729) % (players - 1)) % players;
    let names = [format!("player{first}"), format!("player{second}")];
    let minute = i64::try_from(number).unwrap() * PAUSE_MINUTES;
    let mut result = result_contract::result(
        &format!("game{number}"),
        [names[0].as_str(), names[1].as_str()],
        minute,
    );
    if (number * 31) % 7 < 3 {
        (result.seats[0].rank, result.seats[1].rank) = (2, 1);
    }
    result.rated = Rated::In(result_contract::pool());
    result
}

/// Stores this number of games as the chronicle does.
async fn fill(storage: &SqlStorage, games: usize, players: usize) {
    let mut table = RatingTable::default();
    let numbers: Vec<usize> = (0..games).collect();
    for chapter in numbers.chunks(CHAPTER) {
        let after = storage.cursor().await.unwrap();
        let results = chapter.iter().map(|number| {
            let result = game(*number, players);
            NewResult {
                changes: table.rate(&result.rated_game().unwrap()),
                result,
                is_private: false,
            }
        });
        let results = results.collect();
        let chapter = Chapter {
            after,
            until: Arrival(after.arrival.0 + 1),
            results,
            ratings: table.changed(),
            conduct: Vec::new(),
            waits: Vec::new(),
        };
        ResultStore::write(storage, chapter).await.unwrap();
    }
}

/// Returns a closed storage that `fill` has filled, and the settings with which commands find it.
pub(crate) async fn stored(fill: impl AsyncFnOnce(&SqlStorage)) -> (TempDir, Config) {
    let dir = TempDir::new().unwrap();
    let settings = StorageConfig::default();
    let storage = sqlite::open(dir.path(), &settings, Timestamp(1_000)).unwrap();
    fill(&storage).await;
    storage.close().await;
    let config = Config {
        data_dir: dir.path().to_owned(),
        ..Config::default()
    };
    (dir, config)
}

async fn filled(games: usize, players: usize) -> (TempDir, Config) {
    stored(async |storage| fill(storage, games, players).await).await
}

#[tokio::test]
async fn a_check_finds_every_difference_and_a_rebuild_corrects_it() {
    let (dir, config) = filled(60, 4).await;
    let sound = "4 ratings from 60 rated games of 60 are sound\n";
    assert_eq!(ratings(&config, RatingsTask::Check).unwrap(), sound);
    let rebuilt = ratings(&config, RatingsTask::Rebuild).unwrap();
    assert!(rebuilt.ends_with("; 0 were corrected\n"), "{rebuilt}");
    let database = Connection::open(dir.path().join("tilewire.sqlite")).unwrap();
    for (damage, named) in [
        (
            "UPDATE ratings SET rating = CAST(replace(CAST(rating AS TEXT), '1', '2') AS BLOB) WHERE identity = 'player1'",
            "the rating of player1 in classic/wordnik/rapid differs",
        ),
        (
            "DELETE FROM ratings WHERE identity = 'player2'",
            "the rating of player2 in",
        ),
        (
            "INSERT INTO ratings SELECT pool, 'nobody', games, last_game_at, rating FROM ratings LIMIT 1",
            "no result leads to the rating of nobody",
        ),
        (
            "UPDATE result_seats SET rating_after = 9 WHERE number = 7",
            "the change of ratings by game game6 differs",
        ),
    ] {
        database.execute_batch(damage).unwrap();
        let found = ratings(&config, RatingsTask::Check)
            .unwrap_err()
            .to_string();
        assert!(found.contains(named), "{damage}: {found}");
        ratings(&config, RatingsTask::Rebuild).unwrap();
        assert_eq!(ratings(&config, RatingsTask::Check).unwrap(), sound);
    }
}

/// The ratings of opponents follow from the games of an erased player, too.
#[tokio::test]
async fn ratings_stay_sound_when_a_player_is_erased() {
    let (dir, config) = filled(60, 4).await;
    let settings = StorageConfig::default();
    let storage = sqlite::open(dir.path(), &settings, Timestamp(1_000)).unwrap();
    let identity = "player1".to_owned();
    let erasure = Erasure {
        identity: identity.clone(),
        asked_at: Timestamp(1),
        due_at: Timestamp(2),
        has_begun: false,
    };
    let secret = [9; 32];
    let ask = ErasureChange::Ask { erasure, secret };
    storage.erase(ask).await.unwrap();
    let begin = ErasureChange::Begin(identity.clone(), Timestamp(2));
    storage.erase(begin).await.unwrap();
    let step = ErasureChange::Step(identity, Timestamp(2));
    while storage.erase(step.clone()).await.unwrap() == Progress::More {}
    storage.close().await;
    drop(storage);
    let sound = "4 ratings from 60 rated games of 60 are sound\n";
    assert_eq!(ratings(&config, RatingsTask::Check).unwrap(), sound);
    let rebuilt = ratings(&config, RatingsTask::Rebuild).unwrap();
    assert!(rebuilt.ends_with("; 0 were corrected\n"), "{rebuilt}");
    let database = Connection::open(dir.path().join("tilewire.sqlite")).unwrap();
    let left = "SELECT count(*) FROM result_seats WHERE identity = 'player1'";
    let left: usize = database.query_row(left, [], |row| row.get(0)).unwrap();
    assert_eq!(left, 0);
}

/// A pool scores by the spread when its operator says so: the check tells that the stored ratings differ, and a rebuild
/// stores those that follow.
#[tokio::test]
async fn a_pool_that_counts_the_spread_is_rated_anew() {
    let (_dir, mut config) = filled(60, 4).await;
    config.ratings.spread_pools.0.push(result_contract::pool());
    let found = ratings(&config, RatingsTask::Check).unwrap_err();
    assert!(found.to_string().contains("differs"), "{found}");
    ratings(&config, RatingsTask::Rebuild).unwrap();
    let sound = "4 ratings from 60 rated games of 60 are sound\n";
    assert_eq!(ratings(&config, RatingsTask::Check).unwrap(), sound);
    config.ratings.spread_pools.0.clear();
    ratings(&config, RatingsTask::Check).unwrap_err();
}

/// The figures of `docs/PERFORMANCE.md`: `cargo test --release -p tilewire-server --lib a_hundred_thousand -- --ignored --nocapture`.
#[tokio::test]
#[ignore = "prints figures of docs/PERFORMANCE.md and compares them with nothing"]
#[expect(
    clippy::disallowed_methods,
    reason = "it measures how long a rebuild takes, and says so"
)]
async fn a_hundred_thousand_games_are_rebuilt_in_seconds() {
    let (_dir, config) = filled(100_000, 2_000).await;
    for task in [RatingsTask::Check, RatingsTask::Rebuild] {
        let started = Instant::now();
        let said = ratings(&config, task).unwrap();
        eprintln!("{task:?}: {:?}: {said}", started.elapsed());
    }
}
