//! Seeks that admit certain players only, and players for whom a seek does not exist (P-CRIT).

use tilewire_protocol::SeekCriteria;
use tilewire_rules::clock::ClockKind;
use tilewire_rules::options::GameOptions;

use super::super::criteria::Excluded;
use super::rated::rated;
use super::{Action, Criteria, ErrorCode, Scene, SeekId, Visibility, quick, seen_by, usual};

fn wanted(shown: SeekCriteria) -> Criteria {
    Criteria {
        shown,
        excluded: Vec::new(),
    }
}

fn excluding(who: &str) -> Criteria {
    let excluded = Excluded {
        identity: who.to_owned(),
        handle: who.to_uppercase(),
    };
    Criteria {
        excluded: vec![excluded],
        ..Criteria::default()
    }
}

fn registered() -> SeekCriteria {
    SeekCriteria {
        registered: true,
        ..SeekCriteria::default()
    }
}

fn followed() -> SeekCriteria {
    SeekCriteria {
        followed: true,
        ..SeekCriteria::default()
    }
}

fn public(options: GameOptions, criteria: Criteria) -> Action {
    Action::Open(options, Visibility::Public, Vec::new(), criteria)
}

/// Returns the reason why a player is not eligible.
fn reason(scene: &mut Scene, who: &str, action: Action) -> String {
    let refusal = scene.decide(who, action).expect_err("not eligible");
    assert_eq!(refusal.code, ErrorCode::NotEligible);
    refusal.detail.reason.expect("a reason for programs")
}

fn code(scene: &Scene, seek: &SeekId) -> String {
    let open = scene.lobby.get(seek).expect("open");
    open.seek.code.clone().expect("a code")
}

#[test]
fn a_player_who_does_not_meet_a_criterion_is_told_which() {
    let between = |min_rating, max_rating| SeekCriteria {
        min_rating,
        max_rating,
        ..SeekCriteria::default()
    };
    let established = SeekCriteria {
        established: true,
        ..SeekCriteria::default()
    };
    // Ben has played no rated game: 1500, provisional. Carla is a guest.
    for (criteria, who, expected) in [
        (registered(), "carla", Some("guest")),
        (registered(), "ben", None),
        (registered(), "dora", None),
        (established.clone(), "ben", Some("provisional")),
        (established.clone(), "carla", Some("guest")),
        (established, "player1", None),
        (between(Some(1_500), None), "ben", None),
        (between(Some(1_501), None), "ben", Some("rating")),
        (between(None, Some(1_500)), "ben", None),
        (between(None, Some(1_499)), "ben", Some("rating")),
        (between(Some(1_600), Some(1_700)), "player1", None),
        (between(Some(0), None), "carla", Some("guest")),
        (followed(), "ben", Some("not_followed")),
        (followed(), "player1", None),
    ] {
        let mut scene = Scene::new();
        scene.ratings.rate("player1", 1_650);
        scene.follows.insert(("anna", "player1"));
        // The other direction counts for nothing.
        scene.follows.insert(("ben", "anna"));
        let (seek, _) = scene.ok("anna", public(usual(2), wanted(criteria.clone())));
        let join = Action::Join(seek);
        match expected {
            Some(expected) => {
                assert_eq!(reason(&mut scene, who, join), expected, "{criteria:?}");
            }
            None => assert!(scene.ok(who, join).1.is_some(), "{criteria:?} {who}"),
        }
    }
}

#[test]
fn criteria_hold_for_a_code_too() {
    let mut scene = Scene::new();
    let private = Action::Open(
        usual(2),
        Visibility::Private,
        Vec::new(),
        wanted(registered()),
    );
    let (seek, _) = scene.ok("anna", private);
    let join = Action::JoinByCode(code(&scene, &seek));
    assert_eq!(reason(&mut scene, "carla", join.clone()), "guest");
    assert!(scene.ok("ben", join).1.is_some());
}

#[test]
fn a_quick_match_passes_over_a_seek_whose_criteria_it_does_not_meet() {
    let mut scene = Scene::new();
    let (annas, _) = scene.ok("anna", public(usual(2), wanted(followed())));
    let (bens, game) = scene.ok("ben", quick(2));
    assert_ne!(annas, bens);
    assert_eq!(game, None);
    assert_eq!(scene.paired(), None);
    scene.follows.insert(("anna", "ben"));
    assert_eq!(scene.paired(), Some(vec![annas, bens]));
}

/// Members that met the criteria when they joined lose their place when the next one joins or the owner starts.
#[test]
fn criteria_are_checked_again_at_the_start() {
    let joined = || {
        let mut scene = Scene::new();
        scene.follows = [("anna", "ben"), ("anna", "carla"), ("anna", "dora")].into();
        let (seek, _) = scene.ok("anna", public(usual(4), wanted(followed())));
        scene.ok("ben", Action::Join(seek.clone()));
        scene.ok("carla", Action::Join(seek.clone()));
        scene.follows.remove(&("anna", "ben"));
        (scene, seek)
    };
    let (mut scene, seek) = joined();
    let plan = scene.plan("dora", Action::Join(seek)).expect("allowed");
    let left_out: Vec<&str> = plan.left_out.iter().map(|who| who.as_str()).collect();
    assert_eq!(left_out, ["ben"]);
    assert_eq!(plan.put[0].seek.members.len(), 3);
    let (mut scene, seek) = joined();
    let plan = scene.plan("anna", Action::Start(seek)).expect("allowed");
    let members = plan.start.expect("it starts").seek.members;
    let members: Vec<&str> = members.iter().map(|who| who.identity.as_str()).collect();
    assert_eq!(members, ["anna", "carla"]);
}

#[test]
fn criteria_that_mean_nothing_are_refused() {
    let untimed = GameOptions {
        clock: ClockKind::Untimed,
        ..usual(2)
    };
    let established = SeekCriteria {
        established: true,
        ..SeekCriteria::default()
    };
    for (who, options, criteria, expected) in [
        (
            "carla",
            usual(2),
            wanted(followed()),
            ErrorCode::NotRegistered,
        ),
        (
            "carla",
            usual(2),
            excluding("ben"),
            ErrorCode::NotRegistered,
        ),
        ("anna", usual(2), excluding("anna"), ErrorCode::Yourself),
        ("anna", untimed, wanted(established), ErrorCode::BadOptions),
    ] {
        let mut scene = Scene::new();
        assert_eq!(scene.refused(who, public(options, criteria)), expected);
    }
    // A guest can ask for registered players.
    Scene::new().ok("carla", public(usual(2), wanted(registered())));
}

/// Every answer to an excluded player is that to a player whom the owner blocks.
#[test]
fn a_seek_does_not_exist_for_an_excluded_player() {
    for visibility in [Visibility::Public, Visibility::Private] {
        let scenes = [excluding("ben"), Criteria::default()].map(|criteria| {
            let mut scene = Scene::new();
            if criteria.excluded.is_empty() {
                scene.blocks.insert(("anna", "ben"));
            }
            let open = Action::Open(usual(2), visibility, Vec::new(), criteria);
            let (seek, _) = scene.ok("anna", open);
            (scene, seek)
        });
        let answers = scenes.map(|(mut scene, seek)| {
            let code = scene
                .lobby
                .get(&seek)
                .and_then(|open| open.seek.code.clone());
            let requests = [
                Action::Join(seek.clone()),
                Action::Leave(seek.clone()),
                Action::Cancel(seek.clone()),
                Action::Start(seek),
                Action::JoinByCode(code.unwrap_or_default()),
            ];
            requests.map(|request| scene.decide("ben", request).expect_err("no such seek"))
        });
        let [excluded, blocked] = answers;
        assert_eq!(excluded, blocked, "{visibility:?}");
    }
    let mut scene = Scene::new();
    let (annas, _) = scene.ok("anna", public(usual(2), excluding("ben")));
    let (bens, _) = scene.ok("ben", quick(2));
    assert_ne!(annas, bens);
    assert_eq!(scene.paired(), None);
    assert_eq!(scene.ok("carla", quick(2)).0, annas);
}

#[test]
fn only_the_owner_sees_whom_a_seek_excludes() {
    let mut scene = Scene::new();
    let plan = scene
        .plan("anna", public(usual(3), excluding("ben")))
        .expect("allowed");
    scene.lobby.adopt(&plan);
    let shown = plan.answer.seek.expect("the owner's seek");
    let exclude = |criteria: Option<Box<SeekCriteria>>| {
        criteria.map_or_else(Vec::new, |criteria| criteria.exclude)
    };
    assert_eq!(exclude(shown.criteria), ["BEN"]);
    let plan = scene
        .plan("carla", Action::Join(shown.seek.clone()))
        .expect("allowed");
    scene.lobby.adopt(&plan);
    let to_carla = plan.answer.seek.expect("the seek");
    assert_eq!(to_carla.criteria, None, "it looks like any other seek");
    let open = scene.lobby.get(&shown.seek).expect("open");
    for (who, expected) in [("anna", vec!["BEN"]), ("carla", vec![]), ("dora", vec![])] {
        let seen = seen_by(open, who).expect("a public seek");
        assert_eq!(exclude(seen.criteria), expected, "{who}");
        let pushed = open.shown_to(who);
        assert_eq!(exclude(pushed.criteria), expected, "{who}");
    }
    assert!(scene.lobby.excludes("ben"));
    assert!(scene.lobby.has_own_view("anna") && !scene.lobby.has_own_view("dora"));
    scene.ok("anna", Action::Cancel(shown.seek));
    assert!(!scene.lobby.excludes("ben"));
}

/// Rating criteria of a casual game ask for the ratings of rated games with its options.
#[test]
fn a_casual_game_has_the_pool_of_its_options() {
    let at_least = SeekCriteria {
        min_rating: Some(1_700),
        ..SeekCriteria::default()
    };
    for options in [usual(2), rated()] {
        let mut scene = Scene::new();
        let (seek, _) = scene.ok("ben", public(options, wanted(at_least.clone())));
        assert_eq!(
            reason(&mut scene, "player1", Action::Join(seek.clone())),
            "rating"
        );
        assert!(scene.ok("anna", Action::Join(seek)).1.is_some());
    }
}
