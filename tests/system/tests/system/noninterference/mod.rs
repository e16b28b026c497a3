//! Messages to a viewer do not depend on tiles that the viewer may not see, and neither do answers over HTTP.
//!
//! The test plays a random game with tiles that have a face each. Then it permutes the faces of all tiles that the
//! viewer never saw, and plays the same game again: every message to the viewer and every snapshot must have the same
//! bytes, up to the end of the game, which reveals everything. Two servers that store the two games must give the same
//! answers over HTTP.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

mod http;
mod stored;
mod table;
mod tiles;

use std::sync::Arc;

use tilewire_oracle::chance::Chance;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::Seat;
use tilewire_rules::view::Audience;

use table::{Leak, Table, differing, first_game, mix};

/// Pairs of games for each rule set, number of seats and audience.
const PAIRS: u64 = 6;
/// Commands of one game.
const COMMANDS: usize = 60;

/// A commentator sees the tiles that were drawn, but not those drawn later: at some moment the tiles that are still in the
/// bag change faces, and everything up to there has to be the same.
fn check_commentary(rules: &Arc<RuleSet>, seats: u8, seed: u64) -> usize {
    let faces = rules.tiles.all();
    let audience = Audience::Commentary;
    let mut whole = Table::new(rules, seats, audience, seed, faces.clone());
    let deeds = first_game(&mut whole, seats, seed, COMMANDS);
    let known = usize::from(seats) + Chance::new(seed, "moment").index(deeds.len());
    let known = &deeds[..known.min(deeds.len())];
    let mut first = Table::new(rules, seats, audience, seed, faces.clone());
    first.follows(known);
    let other = mix(&faces, &first.seen, seed);
    let mut second = Table::new(rules, seats, audience, seed, other.clone());
    second.follows(known);
    assert!(
        first.told == second.told,
        "{}, {seats} seats, seed {seed}",
        rules.id
    );
    differing(&faces, &other)
}
fn check(
    rules: &Arc<RuleSet>,
    seats: u8,
    audience: Audience,
    seed: u64,
    leak: Option<Leak>,
) -> usize {
    let faces = rules.tiles.all();
    let mut first = Table::new(rules, seats, audience, seed, faces.clone());
    first.leak = leak;
    let deeds = first_game(&mut first, seats, seed, COMMANDS);
    let other = mix(&faces, &first.seen, seed);
    let changed = differing(&faces, &other);
    let mut second = Table::new(rules, seats, audience, seed, other);
    second.leak = leak;
    second.follows(&deeds);
    let name = &rules.id;
    for (at, (one, other)) in first.told.iter().zip(&second.told).enumerate() {
        assert_eq!(
            one, other,
            "{name}, {seats} seats, {audience:?}, seed {seed}: message {at}"
        );
    }
    assert_eq!(
        first.told.len(),
        second.told.len(),
        "{name}, {seats} seats, {audience:?}, seed {seed}"
    );
    changed
}

#[test]
fn messages_do_not_depend_on_hidden_tiles() {
    let (mut games, mut changed) = (0, 0);
    for rules in RuleSet::builtins() {
        for seats in rules.min_seats..=rules.max_seats {
            let audiences = Seat::all(seats)
                .map(Audience::Seat)
                .chain([Audience::Spectator]);
            for audience in audiences {
                for seed in 0..PAIRS {
                    changed += check(rules, seats, audience, seed, None);
                    games += 1;
                }
            }
            for seed in 0..PAIRS {
                changed += check_commentary(rules, seats, seed);
                games += 1;
            }
        }
    }
    assert!(games > 500, "{games} pairs of games");
    assert!(
        changed / games > 20,
        "most tiles that no viewer saw have other faces"
    );
}

#[test]
fn a_leak_is_found() {
    for leak in [Leak::Draws, Leak::Racks] {
        let rules = RuleSet::classic();
        let pair = || check(&rules, 2, Audience::Spectator, 1, Some(leak));
        let found = std::panic::catch_unwind(pair);
        assert!(found.is_err(), "{leak:?}");
    }
}
