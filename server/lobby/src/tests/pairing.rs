//! Seeks that stand side by side because a member was away.

use std::collections::BTreeSet;

use super::{Action, Facts, GameId, Scene, SeekId, open, quick};

impl Scene {
    /// Makes a game of the first pair; returns the ids under which its members know their seeks, in the order of seats.
    pub(super) fn paired(&mut self) -> Option<Vec<SeekId>> {
        let (online, blocks) = (self.online.clone(), self.blocks.clone());
        let is_online = |identity: &str| online.contains(identity);
        let are_blocked = |one: &str, other: &str| {
            let mut pairs = blocks.iter();
            pairs.any(|pair| *pair == (one, other) || *pair == (other, one))
        };
        let follows = self.follows.clone();
        let facts = Facts {
            now: self.now,
            follows: &|one, other| follows.contains(&(one, other)),
            ratings: &self.ratings,
        };
        let none = BTreeSet::new();
        let pair = self.lobby.pair(&is_online, &are_blocked, &facts, &none)?;
        let plan = pair.plan(GameId("pair".to_owned()));
        self.lobby.adopt(&plan);
        let start = plan.start.expect("it starts");
        let places = 0..start.seek.members.len();
        Some(places.map(|place| start.id_for(place).clone()).collect())
    }
}

#[test]
fn two_quick_matches_become_one_game_when_both_players_are_present() {
    let mut scene = Scene::new();
    let (annas, _) = scene.ok("anna", quick(2));
    scene.online.remove("anna");
    let (bens, game) = scene.ok("ben", quick(2));
    assert_eq!(game, None);
    assert_eq!(scene.paired(), None, "anna is away");
    scene.online.insert("anna");
    scene.online.remove("ben");
    assert_eq!(scene.paired(), None, "ben is away");
    scene.online.insert("ben");
    assert_eq!(scene.paired(), Some(vec![annas, bens]));
    assert_eq!(scene.paired(), None);
    assert_eq!(scene.count(), 1, "one seek is becoming a game");
}

#[test]
fn a_quick_match_is_joined_to_nothing_that_it_did_not_look_for() {
    let mut scene = Scene::new();
    scene.ok("anna", open(2));
    scene.ok("ben", open(2));
    assert_eq!(scene.paired(), None, "both wait for others");
    scene.ok("carla", quick(3));
    assert_eq!(scene.paired(), None, "the options differ");
}

#[test]
fn pairs_of_three_seats_take_all_of_them() {
    let mut scene = Scene::new();
    let (annas, _) = scene.ok("anna", quick(3));
    scene.online.remove("anna");
    let (bens, _) = scene.ok("ben", quick(3));
    scene.online.insert("anna");
    assert_eq!(scene.paired(), None, "a seat is free");
    let (joined, _) = scene.ok("carla", quick(3));
    assert_eq!(joined, annas, "the oldest");
    assert_eq!(scene.paired(), Some(vec![annas.clone(), annas, bens]));
}

#[test]
fn a_seek_that_is_gone_is_paired_with_nothing() {
    let mut scene = Scene::new();
    let (annas, _) = scene.ok("anna", open(2));
    scene.online.remove("anna");
    scene.ok("ben", quick(2));
    scene.online.insert("anna");
    scene.ok("anna", Action::Cancel(annas));
    assert_eq!(scene.paired(), None);
    assert_eq!(scene.count(), 1);
}
