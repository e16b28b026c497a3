//! The players on a board, and their order.

use super::{AverageLine, CountedSeat, Span, TurnSums, TurnTable, by_average, by_rating};
use crate::pools::{Pool, TimeClass};
use crate::ratings::{Outcome, PlayerRating, RatedGame, ScoreRule, fold};
use std::collections::BTreeMap;
use tilewire_rules::time::{Millis, Timestamp};

const DAY: i64 = 24 * 3_600_000;

/// More lines than any of these boards has.
const MOST: usize = 100;

const fn sums(points: i64, turns: u32, counted: u32) -> TurnSums {
    TurnSums {
        counted,
        turns,
        points,
    }
}

/// 002 c20: "This player played only 36 points this week, and her average is 36, which puts her on the top as #3 player."
#[test]
fn c20_one_turn_of_36_points_leads_no_board() {
    let (one, few, many) = (sums(36, 1, 5), sums(311, 5, 5), sums(9_000, 300, 30));
    let board = by_average([("one", one), ("few", few), ("many", many)], 20.0, MOST);
    let lines: Vec<(usize, &str, String)> = board
        .iter()
        .map(|line| {
            (
                line.place,
                line.player.as_str(),
                format!("{:.1}", line.weighted),
            )
        })
        .collect();
    let expected = [(1, "many", "28.6"), (2, "few", "23.8"), (3, "one", "20.3")];
    assert_eq!(
        lines,
        expected.map(|(place, player, average)| (place, player, average.to_owned()))
    );
    let single = sums(36, 1, 1);
    assert!(
        by_average([("single", single)], 20.0, MOST).is_empty(),
        "five games at least"
    );
}

#[test]
fn players_with_equal_averages_share_a_place() {
    let (high, equal, low) = (sums(300, 10, 5), sums(250, 10, 5), sums(200, 10, 5));
    let board = by_average(
        [("d", low), ("c", equal), ("b", equal), ("a", high)],
        20.0,
        MOST,
    );
    let places: Vec<(usize, &str)> = board
        .iter()
        .map(|line| (line.place, line.player.as_str()))
        .collect();
    assert_eq!(places, [(1, "a"), (2, "b"), (2, "c"), (4, "d")]);
    let first = by_average([("d", low), ("b", equal), ("a", high)], 20.0, 2);
    assert_eq!(first, board[..2]);
}

#[test]
fn a_span_ends_now() {
    let now = Timestamp(100 * DAY);
    assert_eq!(Span::Week.start(now), Timestamp(93 * DAY));
    assert_eq!(Span::Month.start(now), Timestamp(70 * DAY));
    assert_eq!(Span::All.start(now), Timestamp::MIN);
}

/// The ratings of anna and ben after this number of games each day; anna wins three of four.
fn after(days: i64, each_day: i64) -> [PlayerRating; 2] {
    let pool = pool();
    let games: Vec<RatedGame> = (0..days * each_day)
        .map(|number| RatedGame {
            game: format!("game-{number:05}"),
            pool: pool.clone(),
            ended_at: Timestamp(number / each_day * DAY),
            players: ["anna".to_owned(), "ben".to_owned()],
            outcome: if number % 4 == 3 {
                Outcome::Second
            } else {
                Outcome::First
            },
            spread: 0,
        })
        .collect();
    let ratings = fold(|_| ScoreRule::Outcome, &games);
    ["anna", "ben"].map(|player| ratings[&(pool.clone(), player.to_owned())].clone())
}

#[track_caller]
fn check(players: &[PlayerRating; 2], now: Timestamp, expected: &[&str]) {
    let entries = [
        ("ben", players[1].standing()),
        ("anna", players[0].standing()),
    ];
    let board = by_rating(entries, TimeClass::Rapid, now, MOST);
    let found: Vec<&str> = board.iter().map(|line| line.player.as_str()).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_rating_board_needs_certainty_games_and_a_recent_one() {
    let busy = after(20, 4);
    let last = Timestamp(19 * DAY);
    check(&busy, last, &["anna", "ben"]);
    check(&busy, last + Millis(30 * DAY), &["anna", "ben"]);
    check(&busy, last + Millis(30 * DAY + 1), &[]);
    // Nineteen games in one day.
    check(&after(1, 19), Timestamp(0), &[]);
    // The opponent has no rating yet, so twenty games against it leave a large deviation.
    let new = after(1, 20);
    assert!(new[0].at(TimeClass::Rapid, Timestamp(0)).deviation() > super::RATING_MAX_DEVIATION);
    check(&new, Timestamp(0), &[]);
}

fn pool() -> Pool {
    Pool::try_from("classic/wordnik/rapid".to_owned()).expect("a pool")
}

/// Returns the lines that follow from all seats in a span, one sum after another.
fn slow(seats: &[CountedSeat], since: Timestamp) -> (f64, Vec<AverageLine>) {
    let mut players: BTreeMap<&str, TurnSums> = BTreeMap::new();
    let (mut points, mut turns) = (0, 0);
    for seat in seats.iter().filter(|seat| seat.ended_at >= since) {
        let sums = players.entry(&seat.player).or_default();
        sums.counted += 1;
        sums.turns += seat.turns;
        sums.points += i64::from(seat.points);
        points += seat.points;
        turns += seat.turns;
    }
    let mean = if turns == 0 {
        0.0
    } else {
        f64::from(points) / f64::from(turns)
    };
    (mean, by_average(players, mean, MOST))
}

/// Seats come in any order, over more days than a span has, and more than are kept at first.
#[test]
fn the_table_has_the_boards_of_every_moment() {
    let seat = |number: i64| CountedSeat {
        player: format!("player{}", number * 7 % 13),
        ended_at: Timestamp(number * DAY / 90 + number % 3 * 5 * DAY),
        turns: u32::try_from(number % 17).expect("small"),
        points: i32::try_from(number * 31 % 500).expect("small"),
    };
    let seats: Vec<CountedSeat> = (0..90 * 70).map(seat).collect();
    let mut table = TurnTable::default();
    for (day, some) in (1..).zip(seats.chunks(90 * 7)) {
        let now = Timestamp(day * 7 * DAY + 1_000);
        table.add(now, pool(), some.iter().cloned());
        let known = &seats[..seats
            .len()
            .min(90 * 7 * usize::try_from(day).expect("small"))];
        for span in [Span::Week, Span::Month, Span::All] {
            let found = table.board(&pool(), span, now, MOST);
            assert_eq!(found, slow(known, span.start(now)), "{span:?} {day}");
            assert_eq!(found.1.len(), 13, "{span:?} {day}");
        }
    }
    let other = Pool::try_from("classic/wordnik/blitz".to_owned()).expect("a pool");
    assert_eq!(
        table.board(&other, Span::All, Timestamp(0), MOST),
        (0.0, Vec::new())
    );
}
