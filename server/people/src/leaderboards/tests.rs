//! Who is on a board, and in which order.

use super::{Span, by_average, by_rating};
use crate::pools::{Pool, TimeClass};
use crate::ratings::{Outcome, PlayerRating, RatedGame, ScoreRule, fold};
use crate::statistics::Sums;
use tilewire_rules::time::{Millis, Timestamp};

const DAY: i64 = 24 * 3_600_000;

fn sums(points: i64, turns: u32, counted: u32) -> Sums {
    Sums {
        turn_points: points,
        turns,
        counted,
        ..Sums::default()
    }
}

/// 002 c20: "This player played only 36 points this week, and her average is 36, which puts her on the top as #3 player."
#[test]
fn c20_one_turn_of_36_points_leads_no_board() {
    let (one, few, many) = (sums(36, 1, 5), sums(311, 5, 5), sums(9_000, 300, 30));
    let board = by_average([("one", &one), ("few", &few), ("many", &many)], 20.0);
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
        by_average([("single", &single)], 20.0).is_empty(),
        "five games at least"
    );
}

#[test]
fn players_with_equal_averages_share_a_place() {
    let (high, equal, low) = (sums(300, 10, 5), sums(250, 10, 5), sums(200, 10, 5));
    let board = by_average(
        [("d", &low), ("c", &equal), ("b", &equal), ("a", &high)],
        20.0,
    );
    let places: Vec<(usize, &str)> = board
        .iter()
        .map(|line| (line.place, line.player.as_str()))
        .collect();
    assert_eq!(places, [(1, "a"), (2, "b"), (2, "c"), (4, "d")]);
}

#[test]
fn a_span_ends_now() {
    let now = Timestamp(100 * DAY);
    assert_eq!(Span::Week.start(now), Timestamp(93 * DAY));
    assert_eq!(Span::Month.start(now), Timestamp(70 * DAY));
    assert_eq!(Span::All.start(now), Timestamp::MIN);
}

/// The ratings of anna and ben after so many games each day, of which anna wins three of four.
fn after(days: i64, each_day: i64) -> [PlayerRating; 2] {
    let pool = Pool::try_from("classic/wordnik/rapid".to_owned()).expect("a pool");
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
    let entries = [("ben", &players[1]), ("anna", &players[0])];
    let board = by_rating(entries, TimeClass::Rapid, now);
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
