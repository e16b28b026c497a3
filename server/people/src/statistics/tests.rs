//! Averages, the readers' complaints, and head to head, from results of logs.

use std::collections::BTreeMap;

use super::{HeadToHead, Statistics, Sums, Tally, pool_mean, weighted_average};
use crate::pools::PlayerKind;
use crate::results::tests::log::{Final, Log};
use crate::results::{GameResult, Series};
use proptest::prelude::*;
use tilewire_rules::event::{EndReason, Retirement};
use tilewire_rules::time::Millis;

/// A game of two in which Anna has these plays, and Ben passes.
pub(crate) fn game(plays: &[i32], reason: EndReason, finals: &[Final]) -> GameResult {
    let mut log = Log::new("classic", 2);
    for points in plays {
        log.play(0, "horn", *points, 0);
        log.pass(1);
    }
    if reason == EndReason::Resignation {
        log.retire(u8::from(finals[0].3 == 1), Retirement::Resigned);
    }
    log.result(reason, finals)
}

const WON: [Final; 2] = [(300, 0, 0, 1), (200, 0, 0, 2)];
const LOST: [Final; 2] = [(150, 0, 0, 2), (380, 0, 0, 1)];
const NO_RESULT: [Final; 2] = [(36, 0, 0, 0), (0, 0, 0, 0)];

fn anna(results: &[GameResult]) -> Sums {
    Statistics::of("anna", results).people.all
}

#[track_caller]
fn check_weighted(points: i64, turns: u32, expected: f64) {
    let found = weighted_average(points, turns, 20.0);
    assert!(
        (found - expected).abs() < 0.05,
        "{points} in {turns}: {found}"
    );
}

#[test]
fn the_weighted_average_of_the_design() {
    check_weighted(36, 1, 20.3);
    check_weighted(311, 5, 23.8);
    check_weighted(9_000, 300, 28.6);
    check_weighted(0, 0, 20.0);
}

/// 002 c17: "If this player does not complete or resigns the game, his average would remain at 62.2."
#[test]
fn c17_a_game_that_is_resigned_changes_no_average() {
    let plays = [62, 62, 62, 62, 63];
    let resigned = game(&plays, EndReason::Resignation, &LOST);
    let sums = anna(std::slice::from_ref(&resigned));
    assert_eq!((sums.average_per_turn(), sums.average_game()), (None, None));
    assert_eq!((sums.games, sums.left, sums.counted), (1, 1, 0));
    assert_eq!(
        sums.two_seats,
        Tally {
            lost: 1,
            ..Tally::default()
        }
    );
    // The player who stayed wins, and has no average of it either.
    let ben = Statistics::of("ben", [&resigned]).people.all;
    assert_eq!((ben.two_seats.won, ben.left, ben.counted), (1, 0, 0));
    let played = game(&plays, EndReason::OutPlay, &WON);
    let average = anna(&[played, resigned]).average_per_turn().expect("turns");
    assert!((average - 62.2).abs() < 1e-9, "{average}");
}

/// 002 c18, c19: "a weighted factor could be applied to make the average scoring be fair".
#[test]
fn c18_c19_few_turns_weigh_little() {
    let few = anna(&[game(&[36], EndReason::OutPlay, &WON)]);
    let many: Vec<GameResult> = (0..6)
        .map(|_| game(&[25; 7], EndReason::OutPlay, &WON))
        .collect();
    let many = anna(&many);
    assert!(few.average_per_turn() > many.average_per_turn());
    let weighted = |sums: &Sums| weighted_average(sums.turn_points, sums.turns, 20.0);
    assert!(weighted(&few) < weighted(&many));
}

/// 002 c15: "is it fair to decline sets of letters offered until you get letters that allow you to play a 5 letter word".
#[test]
fn c15_an_aborted_game_counts_nowhere() {
    for reason in [EndReason::Aborted, EndReason::Cancelled] {
        let aborted = game(&[36], reason, &NO_RESULT);
        assert_eq!(Statistics::of("anna", [&aborted]), Statistics::default());
        assert_eq!(
            HeadToHead::of("anna", "ben", [&aborted]),
            HeadToHead::default()
        );
        // The row names the seats and the reason, for moderation.
        assert_eq!((aborted.reason, aborted.seats.len()), (reason, 2));
    }
}

#[test]
fn the_figures_of_a_player() {
    let results = [
        game(&[20, 64], EndReason::OutPlay, &WON),
        game(&[40], EndReason::ScorelessTurns, &LOST),
        game(&[99], EndReason::Resignation, &WON),
    ];
    let sums = anna(&results);
    assert_eq!(
        (sums.games, sums.counted, sums.turns, sums.turn_points),
        (3, 2, 3, 124)
    );
    assert_eq!((sums.high_game, sums.low_game), (Some(300), Some(150)));
    assert_eq!(sums.highest_play.as_ref().map(|play| play.points), Some(64));
    assert_eq!(sums.average_game(), Some(225.0));
    assert_eq!(sums.first_move_share(), Some(1.0));
    assert_eq!(sums.completion_rate(), Some(1.0));
    assert_eq!(sums.time_per_turn(), Some(Millis(10_000)));
    assert_eq!(
        sums.two_seats,
        Tally {
            won: 2,
            lost: 1,
            shared: 0
        }
    );
    let ben = Statistics::of("ben", &results).people.all;
    assert_eq!(ben.completion_rate(), Some(2.0 / 3.0));
    assert_eq!((ben.turns, ben.average_per_turn()), (3, Some(0.0)));
    assert_eq!(Statistics::of("cleo", &results), Statistics::default());
    let nothing = Sums::default();
    assert_eq!(
        (nothing.completion_rate(), nothing.time_per_turn()),
        (None, None)
    );
    assert_eq!(nothing.bingos_per_game(), None);
}

#[test]
fn games_against_bots_and_other_rule_sets_are_separate() {
    let mut bot = game(&[30], EndReason::OutPlay, &WON);
    bot.seats[1].kind = PlayerKind::HouseBot;
    let mut other = game(&[40], EndReason::OutPlay, &WON);
    other.rule_set = "super".to_owned();
    let usual = game(&[50], EndReason::OutPlay, &WON);
    let found = Statistics::of("anna", [&bot, &other, &usual]);
    assert_eq!(
        (found.people.all.turn_points, found.bots.all.turn_points),
        (90, 30)
    );
    assert_eq!(found.people.by_rule_set["super"].turn_points, 40);
    assert_eq!(found.people.by_rule_set["classic"].turn_points, 50);
    assert_eq!(found.bots.by_rule_set.len(), 1);
}

#[test]
fn games_of_three_and_four_count_by_rank() {
    let result = |ranks: &[u8]| {
        let seats = u8::try_from(ranks.len()).expect("few");
        let mut log = Log::new("classic", seats);
        log.play(0, "horn", 14, 0);
        let finals: Vec<Final> = ranks.iter().map(|rank| (9, 0, 0, *rank)).collect();
        log.result(EndReason::OutPlay, &finals)
    };
    let sums = anna(&[
        result(&[1, 2, 3]),
        result(&[3, 1, 1]),
        result(&[4, 1, 2, 3]),
        result(&[1, 1, 3, 4]),
    ]);
    assert_eq!(sums.three_seats, [1, 0, 1, 0]);
    assert_eq!(sums.four_seats, [1, 0, 0, 1]);
    assert_eq!((sums.two_seats.games(), sums.games), (0, 4));
}

#[test]
fn time_by_correspondence_is_no_thinking_time() {
    let mut log = Log::new("wordfeud", 2);
    log.play(0, "horn", 14, 0);
    let sums = anna(&[log.result(EndReason::OutPlay, &WON)]);
    assert_eq!((sums.turns, sums.time_per_turn()), (1, None));
}

/// 002 c12: "not able to rematch my opponent when I win".
#[test]
fn c12_head_to_head_keeps_the_score_of_a_series() {
    let in_series = |number, finals: &[Final], reason| {
        let mut result = game(&[30], reason, finals);
        // The first game does not know that it has a rematch.
        match number {
            1 => result.game = "first".to_owned(),
            _ => {
                result.series = Some(Series {
                    first_game: "first".to_owned(),
                    number,
                });
            }
        }
        result
    };
    let shared = [(250, 0, 0, 1), (250, 0, 0, 1)];
    let results = [
        in_series(1, &WON, EndReason::OutPlay),
        in_series(2, &shared, EndReason::OutPlay),
        in_series(3, &LOST, EndReason::Resignation),
        in_series(4, &NO_RESULT, EndReason::Aborted),
        game(&[30], EndReason::OutPlay, &LOST),
    ];
    let found = HeadToHead::of("anna", "ben", &results);
    assert_eq!(
        found.all,
        Tally {
            won: 1,
            lost: 2,
            shared: 1
        }
    );
    assert_eq!(
        found.counted,
        Tally {
            won: 1,
            lost: 1,
            shared: 1
        }
    );
    assert_eq!(found.spread, 100 - 230);
    let score = Tally {
        won: 1,
        lost: 1,
        shared: 1,
    };
    assert_eq!(found.series, BTreeMap::from([("first".to_owned(), score)]));
    let back = HeadToHead::of("ben", "anna", &results);
    assert_eq!((back.all.won, back.all.lost, back.spread), (2, 1, 130));
    assert_eq!(
        HeadToHead::of("anna", "cleo", &results),
        HeadToHead::default()
    );
}

#[test]
fn the_mean_of_a_pool_weighs_every_turn() {
    let one = anna(&[game(&[10], EndReason::OutPlay, &WON)]);
    let three = anna(&[game(&[30, 30, 30], EndReason::OutPlay, &WON)]);
    assert!(
        (pool_mean([&one, &three].map(|sums| (sums.turn_points, sums.turns))) - 25.0).abs() < 1e-12
    );
    assert!(pool_mean([]).abs() < 1e-12);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn sums_do_not_depend_on_the_order_and_agree_with_a_slow_count(
        plays in proptest::collection::vec((proptest::collection::vec(0_i32..99, 1..6), any::<bool>()), 1..6),
    ) {
        let results: Vec<GameResult> = plays.iter().map(|(points, is_out)| {
            let reason = if *is_out { EndReason::OutPlay } else { EndReason::Resignation };
            game(points, reason, &LOST)
        }).collect();
        let sums = anna(&results);
        let counted = || plays.iter().filter(|(_, is_out)| *is_out).flat_map(|(points, _)| points);
        prop_assert_eq!(sums.turn_points, counted().map(|p| i64::from(*p)).sum::<i64>());
        prop_assert_eq!(usize::try_from(sums.turns), Ok(counted().count()));
        let reversed: Vec<GameResult> = results.into_iter().rev().collect();
        prop_assert_eq!(anna(&reversed), sums);
    }
}
