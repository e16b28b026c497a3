//! Boards of averages follow the results, and a page of them takes milliseconds.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tilewire_people::leaderboards::Span;
use tilewire_people::ratings::PlayerRating;
use tilewire_people::results::{GameResult, Rated};
use tilewire_rules::time::{Millis, Timestamp};

use super::{History, HistoryServices};
use crate::chronicle::{RatingCache, RatingTable};
use tilewire_base::clock::ServerClock;
use tilewire_config::{Limits, StorageConfig, Timing};
use tilewire_databases::sqlite;
use tilewire_sql::SqlStorage;
use tilewire_store::{
    Arrival, Chapter, NewResult, RatingRow, ResultStore, account_contract, result_contract,
};
use tilewire_wire::catalogue::Catalogue;
use tilewire_wire::lexica::Lexica;

/// The time over which games are spread.
const YEAR: Millis = Millis(365 * 24 * 3_600_000);
/// Games of a chapter of the tests.
const CHAPTER: usize = 1_000;
/// Pages of each board that are measured.
const PAGES: u32 = 20;

/// The rated games of a year in one pool.
struct Year {
    storage: Arc<SqlStorage>,
    games: usize,
    players: usize,
    end: Timestamp,
    ratings: HashMap<String, PlayerRating>,
}

impl Year {
    fn new(dir: &TempDir, games: usize, players: usize, end: Timestamp) -> Self {
        let settings = StorageConfig::default();
        let storage = sqlite::open(dir.path(), &settings, Timestamp(1_000)).unwrap();
        Self {
            storage: Arc::new(storage),
            games,
            players,
            end,
            ratings: HashMap::new(),
        }
    }

    /// Returns a game of two of the players. The pairs, the winners and the points look random.
    fn game(&self, number: usize) -> GameResult {
        let players = self.players;
        let first = (number * 7_919 + number / players) % players;
        let second = (first + 1 + (number * 104_729) % (players - 1)) % players;
        let names = [first, second].map(|player| format!("player{player}"));
        let names = names.each_ref().map(String::as_str);
        let mut result = result_contract::result(&format!("game{number}"), names, 0);
        let (left, games) = (self.games - number, self.games);
        result.ended_at =
            self.end - YEAR * i64::try_from(left).unwrap() / i64::try_from(games).unwrap();
        result.rated = Rated::In(result_contract::pool());
        if (number * 31) % 7 < 3 {
            (result.seats[0].rank, result.seats[1].rank) = (2, 1);
        }
        for (seat, player) in result.seats.iter_mut().zip([first, second]) {
            seat.figures.turns = 10 + u32::try_from(number % 5).unwrap();
            seat.figures.turn_points = i32::try_from(200 + player % 97 + number % 53).unwrap();
        }
        result
    }

    /// Stores games as the chronicle does.
    async fn play(&mut self, numbers: Range<usize>) {
        let numbers: Vec<usize> = numbers.collect();
        for chapter in numbers.chunks(CHAPTER) {
            let mut table = RatingTable::default();
            let mut results = Vec::with_capacity(chapter.len());
            for number in chapter {
                let result = self.game(*number);
                let game = result.rated_game().unwrap();
                for player in &game.players {
                    if let Some(rating) = self.ratings.remove(player) {
                        table.insert(game.pool.clone(), player.clone(), rating);
                    }
                }
                results.push(NewResult {
                    changes: table.rate(&game),
                    result,
                    is_private: false,
                });
            }
            let ratings: Vec<RatingRow> = table.changed();
            let known = ratings
                .iter()
                .map(|row| (row.identity.clone(), row.rating.clone()));
            self.ratings.extend(known);
            let after = self.storage.cursor().await.unwrap();
            let until = Arrival(after.arrival.0 + 1);
            let chapter = Chapter {
                after,
                until,
                results,
                ratings,
                conduct: Vec::new(),
                waits: Vec::new(),
            };
            ResultStore::write(&*self.storage, chapter).await.unwrap();
        }
    }

    async fn history(&self) -> History {
        let clock = ServerClock::system();
        let ratings = RatingCache::filled(clock.clone(), &*self.storage).await;
        let parts = HistoryServices {
            clock,
            store: Arc::clone(&self.storage) as _,
            ratings: Arc::new(ratings.unwrap()),
            accounts: Arc::clone(&self.storage) as _,
            journal: Arc::clone(&self.storage) as _,
            catalogue: Catalogue::new(Lexica::builtin()),
        };
        History::new(parts, &Limits::default(), &Timing::default())
    }
}

/// The players of a board, their handles, and the time that one page takes of all processors.
struct Board {
    players: Vec<String>,
    handles: usize,
    page: Duration,
}

async fn board(history: &History, span: Option<Span>) -> Board {
    let pool = result_contract::pool();
    let before = processor_time();
    let lines: Vec<(String, Option<String>)> = match span {
        None => {
            let lines = history.rating_board(&pool).await.unwrap().into_iter();
            lines
                .map(|named| (named.line.player, named.handle))
                .collect()
        }
        Some(span) => {
            let lines = history
                .average_board(&pool, span)
                .await
                .unwrap()
                .lines
                .into_iter();
            lines
                .map(|named| (named.line.player, named.handle))
                .collect()
        }
    };
    Board {
        page: processor_time().saturating_sub(before),
        handles: lines.iter().filter(|(_, handle)| handle.is_some()).count(),
        players: lines.into_iter().map(|(player, _)| player).collect(),
    }
}

/// Returns the time that all threads of this process have run.
fn processor_time() -> Duration {
    let threads = std::fs::read_dir("/proc/self/task").unwrap();
    let times = threads.filter_map(|thread| {
        // A thread can end meanwhile.
        let text = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(times.sum())
}

#[tokio::test]
async fn a_board_has_the_results_of_before_and_those_since() {
    let dir = TempDir::new().unwrap();
    let mut year = Year::new(&dir, 600, 6, ServerClock::system().now());
    year.play(0..300).await;
    let history = year.history().await;
    for (span, expected) in [(Span::All, 6), (Span::Month, 0)] {
        assert_eq!(board(&history, Some(span)).await.players.len(), expected);
    }
    let before = history
        .average_board(&result_contract::pool(), Span::All)
        .await
        .unwrap();
    year.play(300..600).await;
    let after = history
        .average_board(&result_contract::pool(), Span::All)
        .await
        .unwrap();
    let games = |board: &super::AverageBoard| -> u32 {
        board.lines.iter().map(|named| named.line.games).sum()
    };
    assert_eq!((games(&before), games(&after)), (600, 1_200));
    assert_eq!(board(&history, Some(Span::Month)).await.players.len(), 6);
    // The ratings are those of the start: no chronicle runs here.
    assert!(board(&history, None).await.players.is_empty());
    let again = year.history().await;
    assert_eq!(board(&again, None).await.players.len(), 6);
}

/// Prints how long a page takes: `cargo test --release --workspace --lib -- --ignored a_page_of_a_million --nocapture`.
#[tokio::test]
#[ignore = "fills a database for minutes and prints figures"]
async fn a_page_of_a_million_results_takes_milliseconds() {
    let dir = TempDir::new().unwrap();
    let now = ServerClock::system().now();
    let mut year = Year::new(&dir, 1_000_000, 5_000, now);
    year.play(0..1_000_000).await;
    let history = year.history().await;
    let boards = [None, Some(Span::All), Some(Span::Month), Some(Span::Week)];
    let mut listed = BTreeSet::new();
    for span in boards {
        let first = board(&history, span).await;
        eprintln!("{span:?}: the first page takes {:?}", first.page);
        listed.extend(first.players);
    }
    account_contract::register(&*year.storage, listed.iter().map(String::as_str)).await;
    for span in boards {
        let mut page = Duration::ZERO;
        for _ in 0..PAGES {
            let found = board(&history, span).await;
            assert_eq!((found.players.len(), found.handles), (100, 100), "{span:?}");
            page += found.page;
        }
        eprintln!("{span:?}: a page takes {:?}", page / PAGES);
    }
}
