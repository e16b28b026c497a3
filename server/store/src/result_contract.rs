//! The contract for results as tests. Every [`ResultStore`] must pass them.

use std::collections::BTreeMap;

use tilewire_people::leaderboards::CountedSeat;
use tilewire_people::pools::{PlayerKind, Pool, TimeClass};
use tilewire_people::ratings::{Outcome, PlayerRating, RatedGame, ScoreRule, apply};
use tilewire_people::results::{Decision, Figures, GameResult, Rated, SeatRow, WinnerRule};
use tilewire_rules::event::EndReason;
use tilewire_rules::time::Timestamp;

use super::{
    Arrival, Chapter, ChapterError, CountedSeats, Cursor, CurvePoint, NewResult, RatingChange,
    RatingRow, ResultFilter, ResultStore, SCANNED_RESULTS, SeatOutcome, StoredResult,
};

/// When the first game of these tests ended.
const START: Timestamp = Timestamp(1_800_000_000_000);

/// Returns the pool of the rated games of the tests.
pub fn pool() -> Pool {
    "classic/wordnik/rapid".to_owned().try_into().unwrap()
}

fn seat(identity: &str, rank: u8, final_score: i32) -> SeatRow {
    SeatRow {
        identity: identity.to_owned(),
        name: identity.to_uppercase(),
        kind: PlayerKind::Registered,
        rank,
        final_score,
        score: final_score,
        rack_points: 0,
        time_penalty: 0,
        retired: None,
        is_counted: rank > 0,
        conduct: None,
        rated_as: None,
        figures: Figures {
            turns: 10,
            turn_points: final_score,
            ..Figures::default()
        },
    }
}

/// Returns the result of a game that the first player won, at a minute of the tests.
pub fn result(game: &str, players: [&str; 2], minute: i64) -> GameResult {
    GameResult {
        game: game.to_owned(),
        rule_set: "classic".to_owned(),
        language: "english".to_owned(),
        lexicon: "wordnik".to_owned(),
        time_class: Some(TimeClass::Rapid),
        rated: Rated::Casual,
        series: None,
        created_at: START,
        ended_at: START.plus(minute * 60_000),
        reason: EndReason::OutPlay,
        decision: Decision {
            end_rule: "R-END-1".to_owned(),
            winner: WinnerRule::HighestScore,
            winner_rule: "R-END-10".to_owned(),
            rack_rule: None,
            words: "It ended.".to_owned(),
        },
        seats: vec![seat(players[0], 1, 300), seat(players[1], 2, 200)],
    }
}

/// Returns a result that is stored for the first time.
pub fn new(result: GameResult) -> NewResult {
    NewResult {
        result,
        is_private: false,
        changes: Vec::new(),
    }
}

async fn write(store: &dyn ResultStore, results: Vec<NewResult>, ratings: Vec<RatingRow>) {
    let after = store.cursor().await.unwrap();
    let chapter = Chapter {
        after,
        until: Arrival(after.arrival.0 + 3),
        results,
        ratings,
        conduct: Vec::new(),
        waits: Vec::new(),
    };
    store.write(chapter).await.unwrap();
}

async fn games(store: &dyn ResultStore, filter: ResultFilter) -> Vec<String> {
    let page = store.page(filter, None, 100).await.unwrap();
    assert_eq!(page.next, None);
    let games = page.results.into_iter();
    games.map(|stored| stored.result.game).collect()
}

/// Checks a store that is empty at first.
pub async fn results(store: &dyn ResultStore) {
    assert_eq!(store.cursor().await, Ok(Cursor::default()));
    assert_eq!(store.result(&"r1".into()).await, Ok(None));
    chapters_are_read_back(store).await;
    a_stale_chapter_stores_nothing(store).await;
    a_filter_fits_what_it_names(store).await;
    private_results_are_shown_to_players_only(store).await;
    pages_follow_each_other(store).await;
    ratings_and_curves_are_read_back(store).await;
    a_page_looks_at_so_many_results(store).await;
}

async fn chapters_are_read_back(store: &dyn ResultStore) {
    let mut aborted = result("r2", ["cleo", "anna"], 2);
    aborted.reason = EndReason::Aborted;
    for seat in &mut aborted.seats {
        (seat.rank, seat.is_counted) = (0, false);
    }
    let first = result("r1", ["anna", "ben"], 1);
    write(store, vec![new(first.clone()), new(aborted)], Vec::new()).await;
    let cursor = store.cursor().await.unwrap();
    let expected = Cursor {
        arrival: Arrival(3),
        edition: 1,
    };
    assert_eq!(cursor, expected);
    let stored = store.result(&"r1".into()).await.unwrap();
    let expected = StoredResult {
        number: 1,
        result: first,
        is_private: false,
        changes: Vec::new(),
    };
    assert_eq!(stored, Some(expected));
    assert_eq!(games(store, ResultFilter::default()).await, ["r2", "r1"]);
}

async fn a_stale_chapter_stores_nothing(store: &dyn ResultStore) {
    let cursor = store.cursor().await.unwrap();
    let edition = cursor.edition;
    for stale in [
        Cursor::default(),
        Cursor {
            edition: edition - 1,
            ..cursor
        },
        Cursor {
            arrival: Arrival(2),
            ..cursor
        },
    ] {
        let chapter = Chapter {
            after: stale,
            until: Arrival(9),
            results: vec![new(result("r3", ["anna", "ben"], 1))],
            ratings: Vec::new(),
            conduct: Vec::new(),
            waits: Vec::new(),
        };
        assert_eq!(store.write(chapter).await, Err(ChapterError::Stale));
    }
    assert_eq!(store.cursor().await, Ok(cursor));
    assert_eq!(store.result(&"r3".into()).await, Ok(None));
}

async fn a_filter_fits_what_it_names(store: &dyn ResultStore) {
    let mut other = result("r4", ["ben", "anna"], 4);
    (other.rule_set, other.lexicon) = ("fast".to_owned(), "csw24".to_owned());
    other.reason = EndReason::Time;
    let mut shared = result("r5", ["cleo", "ben"], 5);
    shared.seats[1] = seat("ben", 1, 300);
    write(store, vec![new(other), new(shared)], Vec::new()).await;
    let of = |player: &str, change: fn(&mut ResultFilter)| {
        let mut filter = ResultFilter {
            player: Some(player.to_owned()).filter(|player| !player.is_empty()),
            ..ResultFilter::default()
        };
        change(&mut filter);
        filter
    };
    for (filter, expected) in [
        (of("anna", |_| {}), "r4 r2 r1"),
        (of("dora", |_| {}), ""),
        (of("anna", |f| f.opponent = Some("ben".into())), "r4 r1"),
        (of("", |f| f.rule_set = Some("fast".into())), "r4"),
        (of("anna", |f| f.lexicon = Some("wordnik".into())), "r2 r1"),
        (of("", |f| f.reason = Some(EndReason::Time)), "r4"),
        (
            of("anna", |f| (f.from, f.until) = (minute(2), minute(5))),
            "r4 r2",
        ),
        (of("anna", |f| f.outcome = Some(SeatOutcome::Won)), "r1"),
        (of("anna", |f| f.outcome = Some(SeatOutcome::Lost)), "r4"),
        (of("anna", |f| f.outcome = Some(SeatOutcome::None)), "r2"),
        (of("ben", |f| f.outcome = Some(SeatOutcome::Shared)), "r5"),
        (of("", |f| f.outcome = Some(SeatOutcome::Won)), ""),
        (of("anna", |f| f.score_min = Some(250)), "r1"),
        (of("anna", |f| f.score_max = Some(250)), "r4 r2"),
        (of("anna", |f| f.is_rated = Some(true)), ""),
        (of("cleo", |f| f.is_rated = Some(false)), "r5 r2"),
    ] {
        let found = games(store, filter.clone()).await.join(" ");
        assert_eq!(found, expected, "{filter:?}");
    }
}

/// Returns a minute of the tests.
fn minute(minute: i64) -> Option<Timestamp> {
    Some(START.plus(minute * 60_000))
}

async fn private_results_are_shown_to_players_only(store: &dyn ResultStore) {
    let private = NewResult {
        is_private: true,
        ..new(result("r6", ["dora", "emil"], 6))
    };
    write(store, vec![private], Vec::new()).await;
    let seen_by = |viewer: &str| ResultFilter {
        viewer: viewer.to_owned(),
        ..ResultFilter::default()
    };
    for (viewer, is_shown) in [("dora", true), ("emil", true), ("anna", false), ("", false)] {
        let all = games(store, seen_by(viewer)).await;
        assert_eq!(all.contains(&"r6".to_owned()), is_shown, "{viewer}");
    }
    let of_dora = ResultFilter {
        player: Some("dora".to_owned()),
        ..seen_by("anna")
    };
    assert!(games(store, of_dora).await.is_empty());
}

async fn pages_follow_each_other(store: &dyn ResultStore) {
    let (mut before, mut seen) = (None, Vec::new());
    loop {
        let page = store
            .page(ResultFilter::default(), before, 2)
            .await
            .unwrap();
        assert!(page.results.len() <= 2);
        seen.extend(page.results.into_iter().map(|stored| stored.result.game));
        match page.next {
            Some(next) => before = Some(next),
            None => break,
        }
    }
    assert_eq!(seen, ["r5", "r4", "r2", "r1"]);
}

/// Returns a rated result with the ratings after it, if it is the first game of its players.
pub fn rated(game: &str, players: [&str; 2], minute: i64) -> (NewResult, Vec<RatingRow>) {
    let mut result = result(game, players, minute);
    result.rated = Rated::In(pool());
    let rated: RatedGame = result.rated_game().unwrap();
    assert_eq!(rated.outcome, Outcome::First);
    let states: [PlayerRating; 2] = apply(ScoreRule::default(), &rated, [None, None]);
    let changes = players.iter().zip(&states).map(|(player, state)| {
        let after = state.at(TimeClass::Rapid, result.ended_at);
        RatingChange {
            identity: (*player).to_owned(),
            before: 1_500,
            after: after.shown(),
            deviation: 290,
        }
    });
    let changes = changes.collect();
    let rows = players
        .iter()
        .zip(states)
        .map(|(player, rating)| RatingRow {
            pool: pool(),
            identity: (*player).to_owned(),
            rating,
        });
    let rows = rows.collect();
    let new = NewResult {
        changes,
        ..new(result)
    };
    (new, rows)
}

async fn ratings_and_curves_are_read_back(store: &dyn ResultStore) {
    let (new, rows) = rated("r7", ["fay", "gus"], 7);
    write(store, vec![new.clone()], rows.clone()).await;
    let stored = store.result(&"r7".into()).await.unwrap().unwrap();
    assert_eq!(stored.changes, new.changes);
    let key = |identity: &str| (pool(), identity.to_owned());
    let found = store.ratings(vec![key("gus"), key("nobody")]).await;
    assert_eq!(found, Ok(vec![Some(rows[1].rating.clone()), None]));
    assert_eq!(store.ratings_of("fay").await, Ok(vec![rows[0].clone()]));
    assert_eq!(store.ratings_after(None, 10).await, Ok(rows.clone()));
    let second = store.ratings_after(Some(key("fay")), 10).await;
    assert_eq!(second, Ok(vec![rows[1].clone()]));
    let ended_at = new.result.ended_at;
    let point = CurvePoint {
        at: ended_at,
        rating: new.changes[0].after,
        deviation: 290,
    };
    assert_eq!(store.curve("fay", &pool(), 10).await, Ok(vec![point]));
    assert_eq!(store.curve("anna", &pool(), 10).await, Ok(Vec::new()));
    seats_are_counted(store, &new.result).await;
    let in_pool = ResultFilter {
        pool: Some(pool().to_string()),
        is_rated: Some(true),
        ..ResultFilter::default()
    };
    assert_eq!(games(store, in_pool).await, ["r7"]);
}

/// Results without counted seats are looked through too.
async fn seats_are_counted(store: &dyn ResultStore, rated: &GameResult) {
    let (mut after, mut found) = (0, BTreeMap::new());
    loop {
        let part = store.counted_seats(after, 3).await.unwrap();
        assert!(part.until <= after + 3, "{part:?}");
        found.extend(part.pools);
        after = part.until;
        if part.is_end {
            break;
        }
    }
    let seats = rated.seats.iter().map(|seat| CountedSeat {
        player: seat.identity.clone(),
        ended_at: rated.ended_at,
        turns: seat.figures.turns,
        points: seat.figures.turn_points,
    });
    assert_eq!(found, BTreeMap::from([(pool(), seats.collect())]));
    let behind = store.counted_seats(after, 3).await.unwrap();
    let nothing = CountedSeats {
        pools: BTreeMap::new(),
        until: after,
        is_end: true,
    };
    assert_eq!(behind, nothing);
}

async fn a_page_looks_at_so_many_results(store: &dyn ResultStore) {
    let many = (0..SCANNED_RESULTS).map(|number| {
        let game = format!("many{number}");
        new(result(&game, ["hal", "ida"], 8))
    });
    write(store, many.collect(), Vec::new()).await;
    let rare = ResultFilter {
        rule_set: Some("fast".to_owned()),
        ..ResultFilter::default()
    };
    let page = store.page(rare.clone(), None, 10).await.unwrap();
    assert!(page.results.is_empty(), "it did not look that far");
    let page = store.page(rare, page.next, 10).await.unwrap();
    assert_eq!((page.results.len(), page.next), (1, None));
}
