//! Players of whom one blocks the other: no seek and no pair brings them together, and no answer tells of the block.

use super::{Action, ErrorCode, Scene, SeekId, open, private, quick};

/// Each test is about a block of the seek's owner, and about one of the player who joins.
const DIRECTIONS: [(&str, &str); 2] = [("anna", "ben"), ("ben", "anna")];

impl Scene {
    /// Returns a scene in which one player blocks another one.
    fn with_block(block: (&'static str, &'static str)) -> Self {
        let mut scene = Self::new();
        scene.blocks.insert(block);
        scene
    }

    fn members(&self, seek: &SeekId) -> Vec<&str> {
        let open = self.lobby.get(seek).expect("open");
        let members = open.seek.members.iter();
        members.map(|person| person.identity.0.as_str()).collect()
    }
}

/// The lobby answers every request of the other player as if the seek did not exist.
#[test]
fn a_seek_does_not_exist_for_a_blocked_player() {
    for block in DIRECTIONS {
        let mut scene = Scene::with_block(block);
        let (seek, _) = scene.ok("anna", open(2));
        let missing = || SeekId("missing".to_owned());
        for request in [Action::Join, Action::Leave, Action::Cancel, Action::Start] {
            let refused = scene.decide("ben", request(seek.clone())).unwrap_err();
            let absent = scene.decide("ben", request(missing())).unwrap_err();
            assert_eq!(refused, absent, "{block:?}");
            assert_eq!(refused.code, ErrorCode::UnknownSeek);
        }
        // Nor does the answer depend on a seek that could not be joined anyway.
        scene.online.remove("anna");
        let refused = scene.refused("ben", Action::Join(seek.clone()));
        assert_eq!(refused, ErrorCode::UnknownSeek);
        scene.online.insert("anna");
        scene.blocks.clear();
        assert!(scene.ok("ben", Action::Join(seek)).1.is_some());
    }
}

#[test]
fn the_code_of_a_blocked_players_seek_is_wrong() {
    for block in DIRECTIONS {
        let mut scene = Scene::with_block(block);
        let private = private(2);
        let (seek, _) = scene.ok("anna", private);
        let code = scene
            .lobby
            .get(&seek)
            .and_then(|open| open.seek.code.clone());
        let code = code.expect("a code");
        let join = |code: &str| Action::JoinByCode(code.to_owned());
        let refused = scene.decide("ben", join(&code)).unwrap_err();
        let absent = scene.decide("ben", join("OTHER")).unwrap_err();
        assert_eq!(refused, absent, "{block:?}");
        assert_eq!(refused.code, ErrorCode::WrongCode);
        let are_blocked = |one: &str, other: &str| {
            scene.blocks.contains(&(one, other)) || scene.blocks.contains(&(other, one))
        };
        let found = scene.lobby.by_code(&code, "ben", &are_blocked);
        assert_eq!(found.unwrap_err().code, ErrorCode::WrongCode, "{block:?}");
        assert!(scene.lobby.by_code(&code, "carla", &are_blocked).is_ok());
        assert!(scene.ok("carla", join(&code)).1.is_some());
    }
}

/// The block of any member counts, not only of the owner.
#[test]
fn a_blocked_player_joins_no_seek_of_the_other_one() {
    for block in DIRECTIONS {
        let mut scene = Scene::with_block(block);
        let (seek, _) = scene.ok("carla", open(3));
        scene.ok("anna", Action::Join(seek.clone()));
        let refused = scene.refused("ben", Action::Join(seek.clone()));
        assert_eq!(refused, ErrorCode::UnknownSeek, "{block:?}");
        assert!(scene.ok("dora", Action::Join(seek)).1.is_some());
    }
}

#[test]
fn a_quick_match_passes_over_the_seeks_of_blocked_players() {
    for block in DIRECTIONS {
        let mut scene = Scene::with_block(block);
        let (annas, _) = scene.ok("anna", quick(2));
        let (bens, game) = scene.ok("ben", quick(2));
        assert_ne!(annas, bens, "{block:?}");
        assert_eq!(game, None);
        assert_eq!(scene.paired(), None, "they stand side by side");
        // Each of them meets a third player; the lobby takes the oldest seek.
        assert_eq!(scene.ok("carla", quick(2)).0, annas);
        assert_eq!(scene.ok("dora", quick(2)).0, bens);
    }
}

#[test]
fn quick_matches_meet_when_the_block_ends() {
    for block in DIRECTIONS {
        let mut scene = Scene::with_block(block);
        let (annas, _) = scene.ok("anna", quick(2));
        let (bens, _) = scene.ok("ben", quick(2));
        assert_eq!(scene.paired(), None);
        scene.blocks.clear();
        assert_eq!(scene.paired(), Some(vec![annas, bens]));
    }
}

/// A block that comes while the quick matches wait keeps them apart.
#[test]
fn a_pair_is_checked_when_it_is_made() {
    for block in DIRECTIONS {
        let mut scene = Scene::new();
        scene.ok("anna", quick(2));
        scene.online.remove("anna");
        scene.ok("ben", quick(2));
        scene.online.insert("anna");
        scene.blocks.insert(block);
        assert_eq!(scene.paired(), None, "{block:?}");
        scene.blocks.clear();
        assert!(scene.paired().is_some());
    }
}

/// A block that comes while both wait in one seek: the one who joined later is left out when the next one joins.
#[test]
fn a_seek_loses_a_blocked_member_before_it_becomes_a_game() {
    for block in DIRECTIONS {
        let mut scene = Scene::new();
        let (seek, _) = scene.ok("anna", open(4));
        scene.ok("carla", Action::Join(seek.clone()));
        scene.ok("ben", Action::Join(seek.clone()));
        scene.blocks.insert(block);
        let plan = scene.plan("dora", Action::Join(seek.clone())).unwrap();
        let left_out: Vec<&str> = plan.left_out.iter().map(|who| who.0.as_str()).collect();
        assert_eq!(left_out, ["ben"], "{block:?}");
        assert_eq!(plan.start, None, "a seat is free again");
        scene.lobby.adopt(&plan);
        assert_eq!(scene.members(&seek), ["anna", "carla", "dora"]);
    }
}

#[test]
fn a_seek_starts_without_blocked_members() {
    for block in DIRECTIONS {
        let mut scene = Scene::new();
        let (seek, _) = scene.ok("anna", open(4));
        scene.ok("ben", Action::Join(seek.clone()));
        scene.blocks.insert(block);
        assert_eq!(
            scene.refused("anna", Action::Start(seek.clone())),
            ErrorCode::TooFewPlayers,
            "{block:?}"
        );
        scene.ok("carla", Action::Join(seek.clone()));
        let plan = scene.plan("anna", Action::Start(seek.clone())).unwrap();
        let started = plan.start.expect("it starts");
        let members = started.seek.members.iter();
        let members: Vec<&str> = members.map(|who| who.identity.0.as_str()).collect();
        assert_eq!(members, ["anna", "carla"]);
        assert_eq!(started.nonce_hashes.len(), 2);
    }
}
