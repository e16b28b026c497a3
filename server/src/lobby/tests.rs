//! The lobby's decisions, without a task, a store or a socket.

use std::collections::BTreeSet;

use tilewire_protocol::{ErrorCode, GameId, Person, SeekId};
use tilewire_rules::options::GameOptions;
use tilewire_rules::stream::Seed;

use super::machine::{Action, Asker, Context, Lobby, LobbyBounds, Plan, Visibility};
use super::tell::seen_by;

const BOUNDS: LobbyBounds = LobbyBounds {
    seeks: 4,
    seeks_per_identity: 2,
    orphan_ms: 500,
};

const WHO: [&str; 4] = ["anna", "ben", "carla", "dora"];

/// A lobby, and who is there.
struct Hall {
    lobby: Lobby,
    online: BTreeSet<&'static str>,
    now: i64,
    made: u32,
}

impl Hall {
    fn new() -> Self {
        Self {
            lobby: Lobby::default(),
            online: WHO.into(),
            now: 0,
            made: 0,
        }
    }

    fn plan(&mut self, who: &str, action: Action) -> Result<Plan, ErrorCode> {
        self.made += 1;
        let online = &self.online;
        let context = Context {
            now: self.now,
            fresh_seek: SeekId(format!("s{}", self.made)),
            fresh_game: GameId(format!("g{}", self.made)),
            fresh_code: format!("CODE{}", self.made),
            is_online: &|identity| online.contains(identity),
        };
        let asker = Asker {
            identity: who.to_owned(),
            name: who.to_owned(),
            nonce_hash: None,
            level: None,
        };
        let plan = self.lobby.decide(&BOUNDS, context, &asker, action);
        plan.map_err(|refusal| refusal.code)
    }

    /// Does what is asked; returns the seek's id and the game that starts.
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
    Action::Open(usual(seats), Visibility::Public, Vec::new())
}

#[test]
fn the_last_seat_taken_starts_the_game() {
    let mut hall = Hall::new();
    let (seek, game) = hall.ok("anna", open(3));
    assert_eq!(game, None);
    assert_eq!(hall.ok("ben", Action::Join(seek.clone())).1, None);
    assert_eq!(
        hall.refused("ben", Action::Join(seek.clone())),
        ErrorCode::AlreadyJoined
    );
    let (_, game) = hall.ok("carla", Action::Join(seek.clone()));
    assert!(game.is_some(), "all seats are taken");
    assert_eq!(
        hall.refused("dora", Action::Join(seek.clone())),
        ErrorCode::UnknownSeek,
        "it is becoming a game"
    );
    assert_eq!(
        hall.refused("anna", Action::Cancel(seek)),
        ErrorCode::UnknownSeek
    );
}

#[test]
fn the_owner_starts_early_with_two() {
    let mut hall = Hall::new();
    let (seek, _) = hall.ok("anna", open(4));
    assert_eq!(
        hall.refused("anna", Action::Start(seek.clone())),
        ErrorCode::TooFewPlayers
    );
    hall.ok("ben", Action::Join(seek.clone()));
    assert_eq!(
        hall.refused("ben", Action::Start(seek.clone())),
        ErrorCode::NotTheOwner
    );
    assert!(hall.ok("anna", Action::Start(seek)).1.is_some());
}

#[test]
fn members_leave_and_the_owner_takes_the_seek_along() {
    let mut hall = Hall::new();
    let (seek, _) = hall.ok("anna", open(3));
    hall.ok("ben", Action::Join(seek.clone()));
    hall.ok("ben", Action::Leave(seek.clone()));
    assert_eq!(
        hall.refused("ben", Action::Leave(seek.clone())),
        ErrorCode::NotAMember
    );
    assert_eq!(
        hall.refused("ben", Action::Cancel(seek.clone())),
        ErrorCode::NotTheOwner
    );
    hall.ok("anna", Action::Leave(seek.clone()));
    assert_eq!(hall.count(), 0);
    assert_eq!(
        hall.refused("ben", Action::Join(seek)),
        ErrorCode::UnknownSeek
    );
}

#[test]
fn a_private_seek_is_joined_by_its_code_only() {
    let mut hall = Hall::new();
    let (seek, _) = hall.ok(
        "anna",
        Action::Open(usual(2), Visibility::Private, Vec::new()),
    );
    let code = hall
        .lobby
        .get(&seek)
        .and_then(|open| open.seek.code.clone());
    assert_eq!(
        hall.refused("ben", Action::Join(seek.clone())),
        ErrorCode::UnknownSeek
    );
    assert_eq!(
        hall.refused("ben", Action::Cancel(seek)),
        ErrorCode::UnknownSeek
    );
    assert_eq!(
        hall.refused("ben", Action::JoinByCode("NONE".to_owned())),
        ErrorCode::WrongCode
    );
    let joined = hall.ok("ben", Action::JoinByCode(code.expect("a code")));
    assert!(joined.1.is_some());
}

/// What a member that was away can ask (P-LOBBY-13, P-LOBBY-14).
#[test]
fn a_private_seek_is_found_again_by_its_members_while_it_is_open() {
    let mut hall = Hall::new();
    let private = Action::Open(usual(3), Visibility::Private, Vec::new());
    let (seek, _) = hall.ok("anna", private);
    let listed = |hall: &Hall, who| {
        let open = hall.lobby.get(&seek)?;
        seen_by(open, who).map(|shown| shown.code.unwrap_or_default())
    };
    let code = listed(&hall, "anna").expect("the owner sees it");
    assert_eq!(listed(&hall, "ben"), None);
    hall.ok("ben", Action::JoinByCode(code.clone()));
    assert_eq!(listed(&hall, "ben").as_ref(), Some(&code));
    let join = || Action::JoinByCode(code.clone());
    assert_eq!(hall.refused("anna", join()), ErrorCode::AlreadyJoined);
    hall.ok("carla", join());
    assert_eq!(listed(&hall, "anna"), None, "it is becoming a game");
    assert_eq!(hall.refused("anna", join()), ErrorCode::WrongCode);
}

#[test]
fn quick_match_takes_the_oldest_equal_seek_of_somebody_who_is_there() {
    let mut hall = Hall::new();
    let (gone, _) = hall.ok("anna", open(2));
    hall.now = 1;
    let (there, _) = hall.ok("ben", open(2));
    hall.online.remove("anna");
    assert_eq!(
        hall.ok("carla", Action::Quick(usual(2))).0,
        there,
        "anna is not there"
    );
    hall.online.insert("anna");
    assert_eq!(hall.ok("dora", Action::Quick(usual(2))).0, gone);
    // Nobody is matched with themselves, and other settings are another game.
    let mut hall = Hall::new();
    let (own, _) = hall.ok("anna", Action::Quick(usual(2)));
    assert_ne!(hall.ok("anna", Action::Quick(usual(2))).0, own);
    assert_ne!(hall.ok("ben", Action::Quick(usual(3))).0, own);
}

#[test]
fn there_are_so_many_seeks_and_no_more() {
    let mut hall = Hall::new();
    hall.ok("anna", open(2));
    hall.ok("anna", open(2));
    assert_eq!(hall.refused("anna", open(2)), ErrorCode::TooManySeeks);
    hall.ok("ben", open(2));
    hall.ok("ben", open(2));
    assert_eq!(hall.refused("carla", open(2)), ErrorCode::Busy);
}

#[test]
fn a_seek_outlives_its_owners_connection_for_a_while() {
    let mut hall = Hall::new();
    hall.ok("anna", open(2));
    let tidy = |hall: &mut Hall, now: i64| {
        let online = hall.online.clone();
        let plan = hall
            .lobby
            .tidy(&BOUNDS, now, &|identity| online.contains(identity));
        hall.lobby.adopt(&plan);
        hall.count()
    };
    hall.online.remove("anna");
    assert_eq!(tidy(&mut hall, 1_000), 1);
    assert_eq!(tidy(&mut hall, 1_499), 1);
    hall.online.insert("anna");
    assert_eq!(tidy(&mut hall, 1_600), 1, "she came back");
    hall.online.remove("anna");
    assert_eq!(tidy(&mut hall, 2_000), 1);
    assert_eq!(tidy(&mut hall, 2_500), 0);
}

/// What is found by index is what a look at every seek finds.
fn assert_found(lobby: &Lobby, before: &Lobby) {
    let seeks = |lobby: &Lobby| lobby.seeks().cloned().collect::<Vec<_>>();
    let all = seeks(lobby);
    assert_eq!(all, seeks(before));
    assert_eq!(all.len(), lobby.len(), "nothing is kept of what is gone");
    let ages = all
        .iter()
        .map(|open| (open.seek.created_at, &open.seek.seek));
    assert!(ages.is_sorted());
    for who in WHO {
        let is_member = |person: &Person| person.identity.0 == who;
        let own = all
            .iter()
            .filter(|open| open.seek.members.iter().any(is_member));
        assert_eq!(lobby.seeks_of(who), own.count(), "{who}");
    }
}

#[test]
fn what_is_taken_back_has_never_been() {
    for seed in 0..40_u32 {
        let name = format!("lobby {seed}");
        let mut rng = Seed::new(&[1; 32], &name, &[[]; 0]).stream("walk");
        let mut hall = Hall::new();
        for _ in 0..200 {
            let who = WHO[rng.uniform(4) as usize];
            hall.now += i64::from(rng.uniform(2));
            let ids: Vec<SeekId> = hall
                .lobby
                .seeks()
                .map(|open| open.seek.seek.clone())
                .collect();
            let id = ids.get(rng.uniform(5) as usize).cloned();
            let action = match (rng.uniform(8), id) {
                (0 | 1, Some(id)) => Action::Join(id),
                (2, Some(id)) => Action::Leave(id),
                (3, Some(id)) => Action::Cancel(id),
                (4, Some(id)) => Action::Start(id),
                (5, _) => Action::Quick(usual(2)),
                _ => open(3),
            };
            let Ok(plan) = hall.plan(who, action) else {
                continue;
            };
            let before = Lobby::new(hall.lobby.seeks().cloned().collect());
            let former = hall.lobby.adopt(&plan);
            hall.lobby.take_back(former);
            assert_found(&hall.lobby, &before);
            hall.lobby.adopt(&plan);
            // The game of it is made.
            if let Some(started) = &plan.start {
                hall.lobby.remove(&started.seek.seek);
            }
        }
    }
}
