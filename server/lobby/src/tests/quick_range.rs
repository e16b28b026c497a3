//! Rated quick matches whose range widens while they wait (P-CRIT-5), at exact times.

use std::collections::BTreeSet;

use tilewire_rules::stream::{Seed, Stream};
use tilewire_rules::time::Millis;

use super::rated::rated;
use super::{Action, ErrorCode, LobbyBounds, Reach, Scene, SeekId, Timestamp};

const PLAYERS: [&str; 8] = [
    "player0", "player1", "player2", "player3", "player4", "player5", "player6", "player7",
];

fn scene() -> Scene {
    let mut scene = Scene::new();
    scene.online = PLAYERS.into();
    scene.bounds = LobbyBounds {
        seeks: 100,
        seeks_per_identity: 10,
        ..scene.bounds
    };
    scene
}

fn quick() -> Action {
    Action::Quick(rated(), Reach::Bounded)
}

fn any_rating() -> Action {
    Action::Quick(rated(), Reach::AnyRating)
}

/// Two players wait, both from the start on; returns when they become a game, if they do within a minute.
fn met_at(difference: i32, actions: [Action; 2]) -> Option<i64> {
    let mut scene = scene();
    scene.ratings.rate("player0", 1_500);
    scene.ratings.rate("player1", 1_500 + difference);
    for (who, action) in PLAYERS.into_iter().zip(actions) {
        if scene.ok(who, action).1.is_some() {
            return Some(0);
        }
    }
    loop {
        if scene.paired().is_some() {
            return Some(scene.now.0);
        }
        let next = scene.lobby.widens_at(scene.now);
        // Nothing changes a millisecond before.
        if let Some(next) = next {
            let before = std::mem::replace(&mut scene.now, next - Millis(1));
            assert!(before < next, "time goes on");
            assert_eq!(scene.paired(), None, "{difference} before {next}");
        }
        scene.now = next?;
    }
}

#[test]
fn two_players_meet_at_the_first_step_that_admits_their_difference() {
    for (difference, expected) in [
        (0, Some(0)),
        (100, Some(0)),
        (101, Some(5_000)),
        (-150, Some(5_000)),
        (151, Some(10_000)),
        (300, Some(20_000)),
        (-500, Some(40_000)),
        (501, None),
    ] {
        assert_eq!(
            met_at(difference, [quick(), quick()]),
            expected,
            "{difference}"
        );
    }
}

#[test]
fn beyond_the_last_step_both_players_ask_for_any_rating() {
    assert_eq!(met_at(501, [any_rating(), any_rating()]), Some(45_000));
    assert_eq!(met_at(501, [any_rating(), quick()]), None);
    assert_eq!(met_at(501, [quick(), any_rating()]), None);
    assert_eq!(met_at(500, [any_rating(), any_rating()]), Some(40_000));
}

/// The player who comes later has the narrower range, and both have to agree.
#[test]
fn each_player_is_within_the_range_of_the_other() {
    let mut scene = scene();
    scene.ratings.rate("player0", 1_500);
    scene.ratings.rate("player1", 1_700);
    let (older, _) = scene.ok("player0", quick());
    scene.now = Timestamp(30_000);
    let (newer, game) = scene.ok("player1", quick());
    assert_eq!(game, None, "400 points and 100 points");
    scene.now = Timestamp(39_999);
    assert_eq!(scene.paired(), None, "150 points");
    scene.now = Timestamp(40_000);
    assert_eq!(scene.paired(), Some(vec![older, newer]));
}

/// A player who joins by hand is within the range; its own range does not matter, as it has chosen.
#[test]
fn the_range_holds_for_a_join_by_hand() {
    let mut scene = scene();
    scene.ratings.rate("player0", 1_500);
    scene.ratings.rate("player1", 1_700);
    let (seek, _) = scene.ok("player0", quick());
    let join = Action::Join(seek);
    assert_eq!(
        scene.refused("player1", join.clone()),
        ErrorCode::NotEligible
    );
    scene.now = Timestamp(9_999);
    assert_eq!(
        scene.refused("player1", join.clone()),
        ErrorCode::NotEligible
    );
    scene.now = Timestamp(10_000);
    assert!(scene.ok("player1", join).1.is_some());
}

/// A rating that changes while its player waits counts as it is now.
#[test]
fn ratings_count_as_they_are_when_the_game_starts() {
    let mut scene = scene();
    scene.ratings.rate("player0", 1_500);
    scene.ratings.rate("player1", 1_800);
    let (older, _) = scene.ok("player0", quick());
    let (newer, _) = scene.ok("player1", quick());
    assert_eq!(scene.paired(), None);
    scene.ratings.rate("player1", 1_600);
    assert_eq!(scene.paired(), Some(vec![older, newer]));
}

#[test]
fn a_casual_quick_match_has_no_range() {
    let mut scene = scene();
    scene.ratings.rate("player0", 1_500);
    scene.ratings.rate("player1", 3_000);
    let casual = || Action::Quick(super::usual(2), Reach::Bounded);
    scene.ok("player0", casual());
    assert_eq!(scene.lobby.widens_at(Timestamp(0)), None);
    assert!(scene.ok("player1", casual()).1.is_some());
}

/// A player who waits, as the slow oracle knows it.
#[derive(Debug, Clone)]
struct Waiting {
    seek: SeekId,
    who: &'static str,
    rating: i32,
    since: i64,
    any: bool,
}

/// The largest difference after a wait, one step at a time.
fn points(waited: i64, any: bool) -> i64 {
    let (mut points, mut at) = (100, 5_000);
    while at <= waited {
        if points == 500 {
            return if any { i64::MAX } else { 500 };
        }
        points += 50;
        at += 5_000;
    }
    points
}

/// Returns the pairs that can become a game: places of the older and the newer one.
fn matches(all: &[Waiting], blocks: &BTreeSet<(&str, &str)>, now: i64) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (at, newer) in all.iter().enumerate() {
        for (before, older) in all[..at].iter().enumerate() {
            let difference = i64::from(newer.rating - older.rating).abs();
            let reach = |one: &Waiting| points(now - one.since, one.any);
            let are_blocked = blocks.contains(&(newer.who, older.who))
                || blocks.contains(&(older.who, newer.who));
            if difference <= reach(newer) && difference <= reach(older) && !are_blocked {
                found.push((before, at));
            }
        }
    }
    found
}

/// Waits until nothing can be matched any more; the oracle and the lobby make the same games in the same order.
fn play(rng: &mut Stream) {
    let mut scene = scene();
    let mut waiting: Vec<Waiting> = Vec::new();
    for who in PLAYERS {
        scene.now += Millis(i64::from(rng.uniform(12_000)));
        let rating = 1_000 + i32::try_from(rng.uniform(1_200)).expect("small");
        scene.ratings.rate(who, rating);
        if rng.uniform(4) == 0 {
            let other = PLAYERS[rng.uniform(8) as usize];
            if other != who {
                scene.blocks.insert((who, other));
            }
        }
        settle(&mut scene, &mut waiting);
        let any = rng.uniform(2) == 0;
        let action = if any { any_rating() } else { quick() };
        let (seek, game) = scene.ok(who, action);
        let new = Waiting {
            seek: seek.clone(),
            who,
            rating,
            since: scene.now.0,
            any,
        };
        waiting.push(new);
        let last = waiting.len() - 1;
        let mut pairs = matches(&waiting, &scene.blocks, scene.now.0).into_iter();
        let expected = pairs.find(|(_, newer)| *newer == last);
        assert_eq!(
            game.is_some().then_some(&seek),
            expected.map(|(older, _)| &waiting[older].seek)
        );
        if let Some((older, newer)) = expected {
            waiting.remove(newer);
            waiting.remove(older);
            scene.lobby.remove(&seek);
        }
    }
    while let Some(next) = scene.lobby.widens_at(scene.now) {
        scene.now = next;
        settle(&mut scene, &mut waiting);
    }
    scene.now += Millis(3_600_000);
    assert_eq!(matches(&waiting, &scene.blocks, scene.now.0), []);
}

/// Makes all games that are possible now.
fn settle(scene: &mut Scene, waiting: &mut Vec<Waiting>) {
    loop {
        let found = matches(waiting, &scene.blocks, scene.now.0);
        let expected = found.first().copied();
        let seeks = |(older, newer): (usize, usize)| {
            vec![waiting[older].seek.clone(), waiting[newer].seek.clone()]
        };
        assert_eq!(scene.paired(), expected.map(seeks), "at {}", scene.now);
        let Some((older, newer)) = expected else {
            return;
        };
        scene.lobby.remove(&waiting[older].seek);
        waiting.remove(newer);
        waiting.remove(older);
    }
}

#[test]
fn the_lobby_makes_the_games_of_a_slow_oracle() {
    for seed in 0..300_u32 {
        let name = format!("quick matches {seed}");
        let mut rng = Seed::new(&[2; 32], &name, &[[]; 0]).stream("quick");
        play(&mut rng);
    }
}
