//! Seeks of rated games: registered players among themselves, external bots among themselves.

use std::collections::BTreeMap;

use tilewire_people::leaderboards::RatingLine;
use tilewire_people::pools::Pool;
use tilewire_protocol as wire;
use tilewire_rules::event::{PlayerKind, SeatRating};
use tilewire_rules::options::GameOptions;

use super::{Action, Criteria, ErrorCode, Reach, Scene, Visibility, quick, usual};
use tilewire_accounts::people::Ratings;
use tilewire_base::house_bots::house_bots;
use tilewire_rules::bot::BotLevel;

/// The kinds of the players in these tests.
pub(super) fn kind(who: &str) -> PlayerKind {
    match who {
        "anna" | "ben" => PlayerKind::Registered,
        player if player.starts_with("player") => PlayerKind::Registered,
        "dora" => PlayerKind::ExternalBot,
        _ => PlayerKind::Guest,
    }
}

/// Ratings in one pool; unless a test adds others, only Anna has played.
#[derive(Debug, Default)]
pub(super) struct Book {
    others: BTreeMap<String, SeatRating>,
}

impl Book {
    /// Gives a player an established rating.
    pub(super) fn rate(&mut self, who: &str, value: i32) {
        let rating = SeatRating { value, ..ANNAS };
        self.others.insert(who.to_owned(), rating);
    }
}

const ANNAS: SeatRating = SeatRating {
    value: 1712,
    deviation: 61,
    provisional: false,
};

impl Ratings for Book {
    fn rating_of(&self, identity: &str, pool: &Pool) -> Option<SeatRating> {
        if !pool.to_string().ends_with("classic/wordnik/standard") {
            return None;
        }
        let annas = (identity == "anna").then_some(ANNAS);
        self.others.get(identity).copied().or(annas)
    }

    fn board(&self, _: &Pool, _: usize) -> Vec<RatingLine> {
        Vec::new()
    }
}

pub(super) fn rated() -> GameOptions {
    GameOptions {
        rated: true,
        ..usual(2)
    }
}

fn open(visibility: Visibility) -> Action {
    Action::Open(rated(), visibility, Vec::new(), Criteria::default())
}

/// Returns the reason for which a rated game is refused.
fn reason(scene: &mut Scene, who: &str, action: Action) -> String {
    let refusal = scene.decide(who, action).expect_err("not allowed");
    assert_eq!(refusal.code, ErrorCode::NotRateable);
    refusal.detail.reason.expect("a reason for programs")
}

#[test]
fn a_guest_neither_opens_nor_joins_a_rated_game() {
    let mut scene = Scene::new();
    for action in [
        open(Visibility::Public),
        open(Visibility::Private),
        Action::Quick(rated(), Reach::Bounded),
    ] {
        assert_eq!(reason(&mut scene, "carla", action), "guest");
    }
    let (seek, _) = scene.ok("anna", open(Visibility::Public));
    assert_eq!(
        reason(&mut scene, "carla", Action::Join(seek.clone())),
        "guest"
    );
    let quick = Action::Quick(rated(), Reach::Bounded);
    assert_eq!(reason(&mut scene, "carla", quick), "guest");
    assert!(scene.ok("ben", Action::Join(seek)).1.is_some());
}

#[test]
fn everybody_may_watch_a_rated_game() {
    let mut scene = Scene::new();
    assert_eq!(
        reason(&mut scene, "anna", open(Visibility::Private)),
        "private"
    );
}

#[test]
fn house_bots_play_no_rated_games() {
    let mut scene = Scene::new();
    let bots = house_bots(&[BotLevel::Club]);
    let with_bot = Action::Open(rated(), Visibility::Public, bots, Criteria::default());
    assert_eq!(reason(&mut scene, "anna", with_bot), "house_bot");
}

/// A quick match passes over a seek whose members it cannot be rated with.
#[test]
fn people_and_external_bots_are_rated_among_themselves() {
    let mut scene = Scene::new();
    let (of_bot, _) = scene.ok("dora", open(Visibility::Public));
    let join = Action::Join(of_bot.clone());
    assert_eq!(reason(&mut scene, "anna", join), "person_against_bot");
    scene.ratings.rate("ben", 1_700);
    let (own, game) = scene.ok("anna", Action::Quick(rated(), Reach::Bounded));
    assert_ne!(own, of_bot);
    assert_eq!(game, None);
    assert_eq!(
        scene.ok("ben", Action::Quick(rated(), Reach::Bounded)).0,
        own
    );
}

#[test]
fn rated_and_casual_seeks_never_match() {
    let mut scene = Scene::new();
    let (casual, _) = scene.ok("anna", quick(2));
    let (wanted, game) = scene.ok("ben", Action::Quick(rated(), Reach::Bounded));
    assert_ne!(wanted, casual);
    assert_eq!(game, None);
    // The same player can look for both.
    scene.ok("ben", quick(2));
}

#[test]
fn members_are_shown_with_kind_and_rating() {
    let mut scene = Scene::new();
    let members = |scene: &mut Scene, who, action| {
        let plan = scene.plan(who, action).expect("allowed");
        scene.lobby.adopt(&plan);
        let open = plan.put.iter().chain(&plan.start).next();
        open.expect("a seek").seek.members.clone()
    };
    let own = members(&mut scene, "anna", open(Visibility::Public));
    assert_eq!(own[0].kind, Some(wire::PlayerKind::Registered));
    let rating = own[0].rating.expect("a rated seek");
    assert_eq!((rating.value, rating.deviation), (1712, 61));
    let seek = scene.lobby.seeks().next().expect("open").seek.seek.clone();
    let both = members(&mut scene, "ben", Action::Join(seek));
    let new = both[1].rating.expect("a rated seek");
    assert_eq!(
        (new.value, new.deviation, new.provisional),
        (1500, 350, true)
    );
    // A casual game shows the rating too.
    let casual = members(&mut scene, "anna", quick(2));
    assert_eq!(casual[0].rating.map(|rating| rating.value), Some(1712));
    let guest = members(&mut scene, "carla", quick(3));
    assert_eq!(guest[0].kind, Some(wire::PlayerKind::Guest));
    assert_eq!(guest[0].rating, None);
}
