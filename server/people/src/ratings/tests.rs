//! Glickman's example, the limits, and the fold against a slow second implementation.

use super::glicko::{self, rest};
use super::{
    MAX_DEVIATION, MIN_DEVIATION, Outcome, PERIOD_MS, Period, PlayerRating, RatedGame, Rating,
    Score, ScoreRule, Sums, TAU, apply, fold,
};
use crate::pools::{Pool, TimeClass};
use proptest::prelude::*;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};
use std::collections::BTreeMap;
use tilewire_rules::time::{Millis, Timestamp};

fn pool() -> Pool {
    Pool::try_from("classic/wordnik/rapid".to_owned()).expect("a pool")
}

/// The opponent's rating and the player's score in each game of a period.
type Results = Vec<(Rating, Score)>;

fn rate(start: Rating, results: &[(Rating, Score)]) -> Rating {
    let games = results.iter();
    let games = games.map(|(opponent, score)| glicko::game(start, *opponent, *score));
    glicko::rate(start, games.fold(Sums::default(), Sums::and))
}

/// The same by a crate, for games that are won, shared or lost.
fn rate_by_crate(start: Rating, results: &[(Rating, Score)]) -> Rating {
    let rating = |rating: Rating| Glicko2Rating {
        rating: rating.rating(),
        deviation: rating.deviation(),
        volatility: rating.volatility(),
    };
    let outcome = |score: Score| match score {
        Score::WIN => Outcomes::WIN,
        Score::SHARED => Outcomes::DRAW,
        _ => Outcomes::LOSS,
    };
    let results = results.iter();
    let results: Vec<_> = results
        .map(|(opponent, score)| (rating(*opponent), outcome(*score)))
        .collect();
    let config = Glicko2Config {
        tau: TAU,
        convergence_tolerance: 0.000_001,
    };
    let after = glicko2_rating_period(&rating(start), &results, &config);
    Rating::new(after.rating, after.deviation, after.volatility)
}

fn glickman() -> (Rating, Results) {
    let results = [
        (1400.0, 30.0, Score::WIN),
        (1550.0, 100.0, Score::LOSS),
        (1700.0, 300.0, Score::LOSS),
    ];
    let results = results.map(|(r, rd, score)| (Rating::new(r, rd, 0.06), score));
    (Rating::new(1500.0, 200.0, 0.06), results.to_vec())
}

#[track_caller]
fn check(after: Rating, rating: f64, deviation: f64, volatility: f64) {
    let found = (after.rating(), after.deviation(), after.volatility());
    let near = |one: f64, other: f64, by: f64| (one - other).abs() <= by;
    let is_near = near(found.0, rating, 0.006) && near(found.1, deviation, 0.006);
    assert!(is_near && near(found.2, volatility, 0.00005), "{found:?}");
}

#[test]
fn the_example_of_the_paper() {
    let (start, results) = glickman();
    check(rate(start, &results), 1464.05, 151.52, 0.0600);
    check(rate_by_crate(start, &results), 1464.05, 151.52, 0.0600);
    let mut reversed = results;
    reversed.reverse();
    check(rate(start, &reversed), 1464.05, 151.52, 0.0600);
}

#[test]
fn values_stay_within_their_limits() {
    let start = Rating::default();
    check(start, 1500.0, 350.0, 0.06);
    assert!(start.is_provisional());
    assert!(!Rating::new(1500.0, 110.0, 0.06).is_provisional());
    check(rate(start, &[]), 1500.0, 350.0, 0.06);
    check(
        rest(Rating::new(1500.0, 50.0, 0.06), 1),
        1500.0,
        51.07,
        0.06,
    );
    check(rest(start, 1_000_000), 1500.0, MAX_DEVIATION, 0.06);
    check(
        rest(Rating::new(1500.0, 50.0, 0.06), i64::MAX),
        1500.0,
        MAX_DEVIATION,
        0.06,
    );
    let strong = Rating::new(2200.0, 30.0, 0.06);
    let upsets = vec![(strong, Score::WIN); 200];
    let after = rate(Rating::new(1500.0, 30.0, 0.1), &upsets);
    assert!(
        after.deviation() >= MIN_DEVIATION && after.volatility() <= 0.1,
        "{after:?}"
    );
}

fn game(number: usize, day: i64, players: [&str; 2], outcome: Outcome, spread: i32) -> RatedGame {
    RatedGame {
        game: format!("game-{number}"),
        pool: pool(),
        ended_at: Timestamp(day * 24 * 3_600_000),
        players: players.map(str::to_owned),
        outcome,
        spread,
    }
}

#[test]
fn twelve_games_in_each_period_bring_the_deviation_to_31() {
    let deviation_after = |games: usize| {
        let all: Vec<RatedGame> = (0..60_i64)
            .flat_map(|period| (0..games).map(move |n| (period, n)))
            .enumerate()
            .map(|(number, (period, n))| {
                let outcome = if n % 2 == 0 {
                    Outcome::First
                } else {
                    Outcome::Second
                };
                game(number, period * 4, ["anna", "ben"], outcome, 10)
            })
            .collect();
        let ratings = fold(|_| ScoreRule::Outcome, &all);
        let last = Timestamp(59 * PERIOD_MS.0);
        ratings[&(pool(), "anna".to_owned())]
            .at(TimeClass::Rapid, last)
            .deviation()
    };
    assert!(
        (deviation_after(12) - 31.0).abs() < 2.0,
        "{}",
        deviation_after(12)
    );
    assert!(deviation_after(1) > 55.0, "{}", deviation_after(1));
}

#[test]
fn periods_follow_the_grid_from_the_epoch() {
    let class = TimeClass::Rapid;
    assert_eq!(Period::of(class, Timestamp(PERIOD_MS.0 - 1)), Period(0));
    assert_eq!(Period::of(class, Timestamp(PERIOD_MS.0)), Period(1));
    assert_eq!(Period::of(class, Timestamp(-1)), Period(-1));
    assert_eq!(Period(3).start(class), Timestamp(3 * PERIOD_MS.0));
    let correspondence = TimeClass::Correspondence;
    assert_eq!(
        Period::of(correspondence, Timestamp(28 * 24 * 3_600_000)),
        Period(1)
    );
}

#[test]
fn the_live_value_rates_the_period_so_far_and_a_pause_makes_it_uncertain() {
    let games = [
        game(1, 0, ["anna", "ben"], Outcome::First, 30),
        game(2, 1, ["anna", "ben"], Outcome::First, 30),
    ];
    let ratings = fold(|_| ScoreRule::Outcome, &games);
    let anna = &ratings[&(pool(), "anna".to_owned())];
    let at = |day: i64| anna.at(TimeClass::Rapid, Timestamp(day * 24 * 3_600_000));
    let twice = [(Rating::default(), Score::WIN); 2];
    assert_eq!(at(1), rate(Rating::default(), &twice));
    assert_eq!(
        at(4),
        at(1),
        "a new period begins with the value of the last"
    );
    assert!(at(8).deviation() > at(4).deviation());
    assert_eq!((anna.games(), anna.last_game_at()), (2, games[1].ended_at));
}

#[test]
fn a_late_game_does_not_change_a_past_period() {
    let first = game(1, 9, ["anna", "ben"], Outcome::First, 30);
    let late = game(2, 0, ["anna", "ben"], Outcome::Second, 30);
    let states = apply(ScoreRule::Outcome, &first, [None, None]);
    let after = apply(ScoreRule::Outcome, &late, states.clone().map(Some));
    assert_eq!(after[0].start, states[0].start);
    assert_eq!(after[0].period, states[0].period);
    assert_eq!(after[0].last_game_at(), first.ended_at);
}

#[test]
fn a_stored_state_has_these_bytes() {
    let one = game(1, 9, ["anna", "ben"], Outcome::First, 30);
    let [anna, _] = apply(ScoreRule::Spread, &one, [None, None]);
    let text = r#"{"period":2,"start":{"rating":1500000000,"deviation":350000000,"volatility":60000000},"sums":{"precision":111913470,"gain":165037122},"games":1,"last_game_at":777600000}"#;
    assert_eq!(String::from_utf8(anna.encode()).expect("JSON"), text);
    assert_eq!(
        PlayerRating::decode(text.as_bytes()).expect("the same"),
        anna
    );
    // A state with a list of games is the same.
    let listed = r#""results":[{"game":"game-1","opponent":{"rating":1500000000,"deviation":350000000,"volatility":60000000},"score":560}]"#;
    let (start, end) = (text.find(r#""sums""#), text.find(r#","games""#));
    let listed = format!(
        "{}{listed}{}",
        &text[..start.expect("sums")],
        &text[end.expect("games")..]
    );
    let read = PlayerRating::decode(listed.as_bytes());
    assert_eq!(read.expect("the same"), anna);
    assert!(PlayerRating::decode(b"{}").is_err());
}

/// Ten thousand games of one pair in a period take no more room than ten.
#[test]
fn a_stored_state_does_not_grow_with_its_games() {
    let size_after = |games: usize| {
        let mut states = [None, None];
        for number in 0..games {
            let game = game(number, 9, ["anna", "ben"], Outcome::First, 30);
            states = apply(ScoreRule::Outcome, &game, states).map(Some);
        }
        states.map(|state| state.expect("games").encode().len())
    };
    // Numbers of more digits.
    let most = size_after(10).map(|bytes| bytes + 20);
    let found = size_after(10_000);
    assert!(found[0] <= most[0] && found[1] <= most[1], "{found:?}");
}

const PLAYERS: [&str; 4] = ["anna", "ben", "cleo", "dora"];

/// Games of four players in six periods, in the order of their periods.
fn games() -> impl Strategy<Value = Vec<RatedGame>> {
    let one = (0_i64..24, 0_usize..4, 1_usize..4, 0_u8..3, -200_i32..200);
    proptest::collection::vec(one, 0..60).prop_map(|all| {
        let mut games: Vec<RatedGame> = (0..)
            .zip(all)
            .map(|(number, (day, one, step, won, spread))| {
                let players = [PLAYERS[one], PLAYERS[(one + step) % 4]];
                let outcome = [Outcome::First, Outcome::Second, Outcome::Shared][usize::from(won)];
                game(number, day, players, outcome, spread)
            })
            .collect();
        games.sort_by_key(|game| Period::of(TimeClass::Rapid, game.ended_at));
        games
    })
}

/// A second, slow implementation: period by period for every player, with the volatility by bisection, in floating point
/// without rounding.
fn oracle(games: &[RatedGame], rule: ScoreRule, end: i64) -> BTreeMap<String, (f64, f64, f64)> {
    let mut now: BTreeMap<String, (f64, f64, f64)> = BTreeMap::new();
    for period in 0..=end {
        let starts = now.clone();
        for player in PLAYERS {
            let start = starts.get(player).copied();
            let mut played = Vec::new();
            for game in games
                .iter()
                .filter(|game| Period::of(TimeClass::Rapid, game.ended_at).0 == period)
            {
                let score = Score::of_first(rule, game.outcome, game.spread).points();
                let [one, two] = &game.players;
                let (other, score) = match player {
                    _ if player == one => (two, score),
                    _ if player == two => (one, 1.0 - score),
                    _ => continue,
                };
                played.push((
                    starts
                        .get(other)
                        .copied()
                        .unwrap_or((0.0, 350.0 / 173.7178, 0.06)),
                    score,
                ));
            }
            // The current period counts for those who have played in it.
            if played.is_empty() && period == end {
                continue;
            }
            let next = match (start, played.is_empty()) {
                (None, true) => continue,
                (Some((mu, phi, sigma)), true) => (mu, phi.hypot(sigma), sigma),
                (start, false) => {
                    slow_step(start.unwrap_or((0.0, 350.0 / 173.7178, 0.06)), &played)
                }
            };
            let phi = next.1.clamp(30.0 / 173.7178, 350.0 / 173.7178);
            now.insert(player.to_owned(), (next.0, phi, next.2.min(0.1)));
        }
    }
    now
}

fn slow_step(
    (mu, phi, sigma): (f64, f64, f64),
    played: &[((f64, f64, f64), f64)],
) -> (f64, f64, f64) {
    let g = |phi: f64| (1.0 + 3.0 * phi.powi(2) / std::f64::consts::PI.powi(2)).powf(-0.5);
    let e = |other: (f64, f64, f64)| 1.0 / (1.0 + (-g(other.1) * (mu - other.0)).exp());
    let v: f64 = 1.0
        / played
            .iter()
            .map(|(o, _)| g(o.1).powi(2) * e(*o) * (1.0 - e(*o)))
            .sum::<f64>();
    let sum: f64 = played.iter().map(|(o, s)| g(o.1) * (s - e(*o))).sum();
    let (delta, a) = (v * sum, (sigma * sigma).ln());
    let f = |x: f64| {
        let d = phi * phi + v + x.exp();
        x.exp() * (delta * delta - d) / (2.0 * d * d) - (x - a) / 0.25
    };
    // f falls: it is positive far to the left and negative far to the right.
    let (mut low, mut high) = (a - 20.0, a + 20.0);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if f(middle) > 0.0 {
            low = middle
        } else {
            high = middle
        }
    }
    let sigma = (low / 2.0).exp();
    let phi = (1.0 / (phi * phi + sigma * sigma) + 1.0 / v).powf(-0.5);
    (mu + phi * phi * sum, phi, sigma)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_order_of_games_in_a_period_does_not_matter(all in games(), keys in proptest::collection::vec(any::<u32>(), 60)) {
        let mut shuffled: Vec<(u32, RatedGame)> = keys.into_iter().zip(all.clone()).collect();
        shuffled.sort_by_key(|(key, game)| (Period::of(TimeClass::Rapid, game.ended_at), *key));
        let shuffled: Vec<RatedGame> = shuffled.into_iter().map(|(_, game)| game).collect();
        prop_assert_eq!(fold(|_| ScoreRule::Spread, &all), fold(|_| ScoreRule::Spread, &shuffled));
    }

    #[test]
    fn a_rebuild_equals_the_live_ratings(all in games()) {
        let mut stored: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for game in &all {
            let states = game.players.clone().map(|player| {
                stored.get(&player).map(|bytes| PlayerRating::decode(bytes).expect("stored"))
            });
            let states = apply(ScoreRule::Outcome, game, states);
            let states = states.map(|state| state.encode());
            stored.extend(game.players.clone().into_iter().zip(states));
        }
        let rebuilt = fold(|_| ScoreRule::Outcome, &all);
        let rebuilt: BTreeMap<String, Vec<u8>> =
            rebuilt.into_iter().map(|((_, player), state)| (player, state.encode())).collect();
        prop_assert_eq!(stored, rebuilt);
    }

    #[test]
    fn the_fold_agrees_with_a_slow_one(all in games(), is_spread: bool) {
        let rule = if is_spread { ScoreRule::Spread } else { ScoreRule::Outcome };
        let found = fold(|_| rule, &all);
        let expected = oracle(&all, rule, 6);
        let now = Period(6).start(TimeClass::Rapid) + Millis(1);
        prop_assert_eq!(found.len(), expected.len());
        for ((_, player), state) in found {
            let (found, expected) = (state.at(TimeClass::Rapid, now), expected[&player]);
            prop_assert!((found.rating() - (expected.0 * 173.7178 + 1500.0)).abs() < 0.01);
            prop_assert!((found.deviation() - expected.1 * 173.7178).abs() < 0.01);
            prop_assert!((found.volatility() - expected.2).abs() < 1e-5);
        }
    }

    #[test]
    fn the_crate_agrees(all in games()) {
        let results: Results = all.iter().map(|game| {
            let opponent = Rating::new(1500.0 + f64::from(game.spread) * 3.0, 40.0, 0.06);
            (opponent, Score::of_first(ScoreRule::Outcome, game.outcome, 0))
        }).collect();
        if !results.is_empty() {
            let start = Rating::new(1600.0, 120.0, 0.06);
            let (one, other) = (rate(start, &results), rate_by_crate(start, &results));
            prop_assert!((one.rating() - other.rating()).abs() < 0.001);
            prop_assert!((one.deviation() - other.deviation()).abs() < 0.001);
            prop_assert!((one.volatility() - other.volatility()).abs() < 1e-6);
        }
    }
}
