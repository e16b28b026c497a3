//! Decisions of the lobby, without a task, a storage or a socket.

mod blocks;
mod criteria;
mod invitations;
mod limits;
mod pairing;
mod quick_range;
mod rated;
mod rematch;
mod walk;

use std::collections::BTreeSet;

use tilewire_protocol::{ErrorCode, GameId, IdentityId, Person, SeekId};
use tilewire_rules::clock::ClockKind;
use tilewire_rules::options::GameOptions;
use tilewire_rules::time::{Millis, Timestamp};

use super::announce::seen_by;
use super::criteria::{Criteria, Facts, RangeBounds};
use super::decision::{Action, Asker, Context, LobbyBounds, Plan, Reach, Visibility};
use super::machine::Lobby;
use super::rematch::RematchTimes;
use tilewire_base::address::ClientAddress;
use tilewire_wire::Refusal;

const BOUNDS: LobbyBounds = LobbyBounds {
    seeks: 4,
    seeks_per_identity: 2,
    seeks_per_address: 3,
    orphan_ms: Millis(500),
    correspondence_ms: Millis(100_000),
    rematch: RematchTimes {
        within_ms: Millis(300),
        open_ms: Millis(60),
    },
    correspondence_rematch: RematchTimes {
        within_ms: Millis(30_000),
        open_ms: Millis(6_000),
    },
    invitations: invitations::BOUNDS,
    range: RangeBounds {
        start: 100,
        step: 50,
        every_ms: Millis(5_000),
        most: 500,
    },
};

const WHO: [&str; 4] = ["anna", "ben", "carla", "dora"];

/// Returns a guest as a member of a seek.
pub(super) fn person(identity: &str) -> Person {
    Person {
        identity: IdentityId(identity.to_owned()),
        name: identity.to_owned(),
        level: None,
        bot: false,
        kind: None,
        rating: None,
    }
}

/// A lobby, and the identities that are online.
struct Scene {
    lobby: Lobby,
    online: BTreeSet<&'static str>,
    /// Blocks: the blocking player and the blocked one.
    blocks: BTreeSet<(&'static str, &'static str)>,
    /// Follows: the following player and the followed one.
    follows: BTreeSet<(&'static str, &'static str)>,
    ratings: rated::Book,
    bounds: LobbyBounds,
    now: Timestamp,
    /// The address that all requests come from.
    address: Option<ClientAddress>,
    made: u32,
}

impl Scene {
    fn new() -> Self {
        Self {
            lobby: Lobby::default(),
            online: WHO.into(),
            blocks: BTreeSet::new(),
            follows: BTreeSet::new(),
            ratings: rated::Book::default(),
            bounds: BOUNDS,
            now: Timestamp(0),
            address: None,
            made: 0,
        }
    }

    fn plan(&mut self, who: &str, action: Action) -> Result<Plan, ErrorCode> {
        self.decide(who, action).map_err(|refusal| refusal.code)
    }

    fn decide(&mut self, who: &str, action: Action) -> Result<Plan, Refusal> {
        self.made += 1;
        let online = &self.online;
        let (blocks, follows) = (self.blocks.clone(), self.follows.clone());
        let context = Context {
            now: self.now,
            fresh_seek: SeekId(format!("s{}", self.made)),
            fresh_game: GameId(format!("g{}", self.made)),
            fresh_code: format!("CODE{}", self.made),
            is_online: &|identity| online.contains(identity),
            are_blocked: &|one, other| {
                let mut pairs = blocks.iter();
                pairs.any(|pair| *pair == (one, other) || *pair == (other, one))
            },
            follows: &|one, other| follows.contains(&(one, other)),
            ratings: &self.ratings,
        };
        let asker = Asker {
            identity: who.to_owned(),
            address: self.address,
            name: who.to_owned(),
            nonce_hash: None,
            level: None,
            kind: rated::kind(who),
        };
        self.lobby.decide(&self.bounds, context, &asker, action)
    }

    /// Carries an action out; returns the seek's id and the game that starts.
    fn ok(&mut self, who: &str, action: Action) -> (SeekId, Option<GameId>) {
        let plan = self.plan(who, action).expect("allowed");
        self.lobby.adopt(&plan);
        let all = plan.put.iter().chain(&plan.start).chain(&plan.remove);
        let seek = all.map(|open| open.seek.seek.clone()).next();
        (seek.expect("a seek is concerned"), plan.answer.game)
    }

    fn refused(&mut self, who: &str, action: Action) -> ErrorCode {
        self.plan(who, action).expect_err("not allowed")
    }

    /// Closes the seeks of absent owners; returns how many seeks are left.
    fn tidy(&mut self, now: Timestamp, departed: &BTreeSet<String>) -> usize {
        let online = self.online.clone();
        let is_online = |identity: &str| online.contains(identity);
        let blocks = self.blocks.clone();
        let has_blocked = |one: &str, other: &str| blocks.contains(&(one, other));
        let plan = self
            .lobby
            .tidy(&BOUNDS, now, &is_online, &has_blocked, departed);
        self.lobby.adopt(&plan);
        self.count()
    }

    fn count(&self) -> usize {
        self.lobby.len()
    }
}

fn usual(seats: u8) -> GameOptions {
    GameOptions {
        seats,
        ..GameOptions::classic("wordnik")
    }
}

fn open(seats: u8) -> Action {
    Action::Open(
        usual(seats),
        Visibility::Public,
        Vec::new(),
        Criteria::default(),
    )
}

fn private(seats: u8) -> Action {
    Action::Open(
        usual(seats),
        Visibility::Private,
        Vec::new(),
        Criteria::default(),
    )
}

fn quick(seats: u8) -> Action {
    Action::Quick(usual(seats), Reach::Bounded)
}

#[test]
fn the_last_seat_taken_starts_the_game() {
    let mut scene = Scene::new();
    let (seek, game) = scene.ok("anna", open(3));
    assert_eq!(game, None);
    assert_eq!(scene.ok("ben", Action::Join(seek.clone())).1, None);
    assert_eq!(
        scene.refused("ben", Action::Join(seek.clone())),
        ErrorCode::AlreadyJoined
    );
    let (_, game) = scene.ok("carla", Action::Join(seek.clone()));
    assert!(game.is_some(), "all seats are taken");
    assert_eq!(
        scene.refused("dora", Action::Join(seek.clone())),
        ErrorCode::UnknownSeek,
        "it is becoming a game"
    );
    assert_eq!(
        scene.refused("anna", Action::Cancel(seek)),
        ErrorCode::UnknownSeek
    );
}

#[test]
fn the_owner_starts_early_with_two() {
    let mut scene = Scene::new();
    let (seek, _) = scene.ok("anna", open(4));
    assert_eq!(
        scene.refused("anna", Action::Start(seek.clone())),
        ErrorCode::TooFewPlayers
    );
    scene.ok("ben", Action::Join(seek.clone()));
    assert_eq!(
        scene.refused("ben", Action::Start(seek.clone())),
        ErrorCode::NotTheOwner
    );
    assert!(scene.ok("anna", Action::Start(seek)).1.is_some());
}

#[test]
fn a_member_leaves_the_seek_and_the_owner_closes_it() {
    let mut scene = Scene::new();
    let (seek, _) = scene.ok("anna", open(3));
    scene.ok("ben", Action::Join(seek.clone()));
    scene.ok("ben", Action::Leave(seek.clone()));
    assert_eq!(
        scene.refused("ben", Action::Leave(seek.clone())),
        ErrorCode::NotAMember
    );
    assert_eq!(
        scene.refused("ben", Action::Cancel(seek.clone())),
        ErrorCode::NotTheOwner
    );
    scene.ok("anna", Action::Leave(seek.clone()));
    assert_eq!(scene.count(), 0);
    assert_eq!(
        scene.refused("ben", Action::Join(seek)),
        ErrorCode::UnknownSeek
    );
}

#[test]
fn a_private_seek_is_joined_by_its_code_only() {
    let mut scene = Scene::new();
    let (seek, _) = scene.ok("anna", private(2));
    let code = scene
        .lobby
        .get(&seek)
        .and_then(|open| open.seek.code.clone());
    assert_eq!(
        scene.refused("ben", Action::Join(seek.clone())),
        ErrorCode::UnknownSeek
    );
    assert_eq!(
        scene.refused("ben", Action::Cancel(seek)),
        ErrorCode::UnknownSeek
    );
    assert_eq!(
        scene.refused("ben", Action::JoinByCode("NONE".to_owned())),
        ErrorCode::WrongCode
    );
    let code = code.expect("a code");
    let found = |who| {
        let open = scene.lobby.by_code(&code, who, &|_, _| false)?;
        Ok::<_, Refusal>(open.shown_to(who))
    };
    assert_eq!(found("anna").map(|seek| seek.code), Ok(Some(code.clone())));
    let shown = found("ben").expect("the code shows it");
    assert_eq!((shown.owner.as_str(), shown.code), ("anna", None));
    let joined = scene.ok("ben", Action::JoinByCode(code.clone()));
    assert!(joined.1.is_some());
    let gone = scene.lobby.by_code(&code, "carla", &|_, _| false);
    assert_eq!(gone.map(|_| ()).unwrap_err().code, ErrorCode::WrongCode);
}

/// A member that was away finds its seek (P-LOBBY-13, P-LOBBY-14).
#[test]
fn a_private_seek_is_found_again_by_its_members_while_it_is_open() {
    let mut scene = Scene::new();
    let private = private(3);
    let (seek, _) = scene.ok("anna", private);
    let listed = |scene: &Scene, who| {
        let open = scene.lobby.get(&seek)?;
        seen_by(open, who).map(|shown| shown.code.unwrap_or_default())
    };
    let code = listed(&scene, "anna").expect("the owner sees it");
    assert_eq!(listed(&scene, "ben"), None);
    scene.ok("ben", Action::JoinByCode(code.clone()));
    assert_eq!(listed(&scene, "ben").as_ref(), Some(&code));
    let join = || Action::JoinByCode(code.clone());
    assert_eq!(scene.refused("anna", join()), ErrorCode::AlreadyJoined);
    scene.ok("carla", join());
    assert_eq!(listed(&scene, "anna"), None, "it is becoming a game");
    assert_eq!(scene.refused("anna", join()), ErrorCode::WrongCode);
}

#[test]
fn quick_match_takes_the_oldest_equal_seek_of_an_online_owner() {
    let mut scene = Scene::new();
    let (gone, _) = scene.ok("anna", open(2));
    scene.now = Timestamp(1);
    let (there, _) = scene.ok("ben", open(2));
    scene.online.remove("anna");
    assert_eq!(scene.ok("carla", quick(2)).0, there, "anna is not there");
    scene.online.insert("anna");
    assert_eq!(scene.ok("dora", quick(2)).0, gone);
    // Quick match needs another identity and equal options.
    let mut scene = Scene::new();
    let (own, _) = scene.ok("anna", quick(2));
    assert_ne!(scene.ok("ben", quick(3)).0, own);
}

/// Two windows of one player look for the same game: one seek is enough, and nobody is matched with the second.
#[test]
fn an_identity_looks_for_a_game_once() {
    let mut scene = Scene::new();
    scene.ok("anna", quick(2));
    let second = || [quick(2), open(2)];
    for action in second() {
        assert_eq!(scene.refused("anna", action), ErrorCode::AlreadySeeking);
    }
    // Another offer of the same game does not change that.
    scene.ok("ben", open(2));
    for action in second() {
        assert_eq!(scene.refused("anna", action), ErrorCode::AlreadySeeking);
    }
    let invitation = private(2);
    scene.ok("anna", invitation);
    assert_eq!(scene.count(), 3);
    let mut scene = Scene::new();
    scene.ok("anna", quick(2));
    let (_, game) = scene.ok("ben", quick(2));
    assert!(game.is_some());
    // The first search is over.
    scene.ok("anna", open(2));
}

#[test]
fn nobody_is_matched_with_a_player_who_has_left() {
    let mut scene = Scene::new();
    let (seek, _) = scene.ok("anna", open(3));
    let invitation = private(2);
    let (private, _) = scene.ok("anna", invitation);
    let code = scene
        .lobby
        .get(&private)
        .and_then(|open| open.seek.code.clone());
    scene.ok("ben", Action::Join(seek.clone()));
    scene.online.remove("ben");
    // Carla takes the place that Ben left: two members, no game yet.
    assert_eq!(scene.ok("carla", Action::Join(seek.clone())).1, None);
    let members = |scene: &Scene| {
        let open = scene.lobby.get(&seek).expect("open");
        let names = open.seek.members.iter().map(|person| person.name.clone());
        names.collect::<Vec<_>>()
    };
    assert_eq!(members(&scene), ["anna", "carla"]);
    scene.online.remove("carla");
    assert_eq!(
        scene.refused("anna", Action::Start(seek.clone())),
        ErrorCode::TooFewPlayers
    );
    scene.online.remove("anna");
    for action in [
        Action::Join(seek.clone()),
        Action::JoinByCode(code.unwrap()),
    ] {
        assert_eq!(scene.refused("dora", action), ErrorCode::OwnerAway);
    }
}

/// By correspondence a friend joins the game of an absent inviter, by its code or by quick match.
#[test]
fn by_correspondence_an_absent_players_seek_stays_open() {
    let by_correspondence = || GameOptions {
        clock: ClockKind::PerMove {
            limit_ms: 3_600_000,
            bank_ms: 0,
        },
        ..usual(2)
    };
    let mut scene = Scene::new();
    let invitation = Action::Open(
        by_correspondence(),
        Visibility::Private,
        Vec::new(),
        Criteria::default(),
    );
    let (private, _) = scene.ok("anna", invitation);
    scene.ok("anna", Action::Quick(by_correspondence(), Reach::Bounded));
    scene.online.remove("anna");
    let left = || BTreeSet::from(["anna".to_owned()]);
    assert_eq!(scene.tidy(Timestamp(1_000), &left()), 2);
    assert_eq!(
        scene.tidy(Timestamp(100_999), &left()),
        2,
        "far longer than a live one"
    );
    let code = scene
        .lobby
        .get(&private)
        .and_then(|open| open.seek.code.clone());
    let joined = scene.ok("ben", Action::JoinByCode(code.expect("a code")));
    assert!(joined.1.is_some());
    let matched = scene.ok("carla", Action::Quick(by_correspondence(), Reach::Bounded));
    assert!(matched.1.is_some());
}

#[test]
fn a_seek_is_withdrawn_when_its_owner_closes_the_last_connection() {
    let mut scene = Scene::new();
    scene.ok("anna", open(2));
    let (seek, _) = scene.ok("ben", open(3));
    scene.ok("anna", Action::Join(seek.clone()));
    let left = || BTreeSet::from(["anna".to_owned()]);
    assert_eq!(
        scene.tidy(Timestamp(1_000), &left()),
        2,
        "she is still here"
    );
    scene.online.remove("anna");
    assert_eq!(
        scene.tidy(Timestamp(1_001), &BTreeSet::new()),
        2,
        "it was lost"
    );
    assert_eq!(scene.tidy(Timestamp(1_002), &left()), 1);
    let open = scene.lobby.get(&seek).expect("ben's seek stays");
    assert_eq!(open.seek.members.len(), 1, "without anna");
    assert_eq!(open.nonce_hashes.len(), 1);
}

#[test]
fn a_seek_outlives_its_owners_connection_for_a_while() {
    let mut scene = Scene::new();
    scene.ok("anna", open(2));
    let tidy = |scene: &mut Scene, now: Timestamp| scene.tidy(now, &BTreeSet::new());
    scene.online.remove("anna");
    assert_eq!(tidy(&mut scene, Timestamp(1_000)), 1);
    assert_eq!(tidy(&mut scene, Timestamp(1_499)), 1);
    scene.online.insert("anna");
    assert_eq!(tidy(&mut scene, Timestamp(1_600)), 1, "she came back");
    scene.online.remove("anna");
    assert_eq!(tidy(&mut scene, Timestamp(2_000)), 1);
    assert_eq!(tidy(&mut scene, Timestamp(2_500)), 0);
}

#[test]
fn seeks_lose_revoked_identities() {
    let mut scene = Scene::new();
    let (own, _) = scene.ok("anna", open(3));
    let (other, _) = scene.ok("ben", open(4));
    scene.ok("anna", Action::Join(other.clone()));
    scene.ok("carla", Action::Join(other.clone()));
    let plan = scene
        .lobby
        .without(&BTreeSet::from(["anna".to_owned()]), |_| true);
    scene.lobby.adopt(&plan);
    assert_eq!(
        scene.refused("dora", Action::Join(own)),
        ErrorCode::UnknownSeek
    );
    let left = scene.lobby.get(&other).expect("it stays open");
    let members: Vec<_> = left
        .seek
        .members
        .iter()
        .map(|own| &*own.identity.0)
        .collect();
    assert_eq!(members, ["ben", "carla"]);
}
