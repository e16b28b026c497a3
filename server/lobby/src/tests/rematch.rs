//! Offers of rematches.

use std::collections::BTreeSet;

use tilewire_protocol::{ErrorCode, GameId, RematchEnd};
use tilewire_rules::event::{Player, PlayerKind, Series};
use tilewire_rules::time::{Seat, Timestamp};

use super::super::open_seek::OpenSeek;
use super::super::rematch::Finished;
use super::{Action, Scene, quick, usual};

const HOUSE_BOT: &str = "bot-expert";

/// Game `old` of these players, which ended at 0.
fn ended(players: &[&str]) -> Finished {
    let players = players.iter().map(|identity| Player {
        identity: (*identity).to_owned(),
        name: (*identity).to_owned(),
        nonce_hash: None,
        level: None,
        kind: Some(PlayerKind::Guest),
        rating: None,
    });
    let players: Vec<Player> = players.collect();
    let seats = u8::try_from(players.len()).expect("few");
    Finished {
        game: GameId("old".to_owned()),
        options: usual(seats),
        series: Some(Series {
            first_game: "old".to_owned(),
            number: 2,
            score: vec![0; players.len()],
            first: Seat(1),
        }),
        players,
        code: Some("WATCH".to_owned()),
        ended_at: Timestamp(0),
        next: GameId("next".to_owned()),
        has_next: false,
    }
}

fn offer(finished: &Finished) -> Action {
    Action::OfferRematch(Box::new(finished.clone()))
}

fn decline() -> Action {
    Action::DeclineRematch(GameId("old".to_owned()))
}

impl Scene {
    /// Returns the seek that becomes the rematch when `who` agrees.
    fn begun(&mut self, who: &str, finished: &Finished) -> OpenSeek {
        let plan = self.plan(who, offer(finished)).expect("allowed");
        self.lobby.adopt(&plan);
        assert_eq!(plan.answer.game, Some(finished.next.clone()));
        plan.start.expect("all agree")
    }

    fn agreed(&self) -> Vec<u8> {
        let open = self.lobby.rematch_of(&GameId("old".to_owned()));
        let offered = open.and_then(|open| Some(open.offered(open.rematch.as_ref()?)));
        offered.map_or_else(Vec::new, |offered| offered.agreed)
    }
}

#[track_caller]
fn check_ended(scene: &mut Scene, who: &str, end: RematchEnd, seat: u8) {
    let plan = scene.plan(who, decline()).expect("allowed");
    scene.lobby.adopt(&plan);
    let open = &plan.remove[0];
    let told = open.offer_ended(open.rematch.as_ref().expect("a rematch"));
    assert_eq!((told.end, told.by), (Some(end), Some(seat)));
    assert_eq!(scene.count(), 0);
}

#[test]
fn the_rematch_begins_when_all_agree_and_players_keep_their_seats() {
    let mut scene = Scene::new();
    let finished = ended(&["anna", "ben", "carla"]);
    scene.ok("carla", offer(&finished));
    assert_eq!(scene.agreed(), [2]);
    scene.ok("anna", offer(&finished));
    assert_eq!(scene.agreed(), [2, 0]);
    assert_eq!(
        scene.refused("anna", offer(&finished)),
        ErrorCode::AlreadyJoined
    );
    let begun = scene.begun("ben", &finished);
    let players: Vec<&str> = begun
        .seek
        .members
        .iter()
        .map(|own| own.identity.as_str())
        .collect();
    assert_eq!(players, ["anna", "ben", "carla"]);
    assert_eq!(begun.starting, Some(finished.next.clone()));
    assert_eq!(begun.spectators_code().map(String::as_str), Some("WATCH"));
    assert_eq!(
        scene.refused("ben", offer(&finished)),
        ErrorCode::RematchBegun
    );
    assert_eq!(scene.refused("ben", decline()), ErrorCode::NoRematch);
}

#[test]
fn house_bots_always_agree() {
    let mut scene = Scene::new();
    let finished = ended(&[HOUSE_BOT, "anna"]);
    let begun = scene.begun("anna", &finished);
    assert_eq!(begun.seek.members[0].identity.as_str(), HOUSE_BOT);
    assert_eq!(begun.seek.owner.as_str(), "anna");
}

#[test]
fn only_players_offer_and_only_in_time() {
    let mut scene = Scene::new();
    let finished = ended(&["anna", "ben"]);
    assert_eq!(
        scene.refused("carla", offer(&finished)),
        ErrorCode::NotAPlayer
    );
    let begun = Finished {
        has_next: true,
        ..finished.clone()
    };
    assert_eq!(
        scene.refused("anna", offer(&begun)),
        ErrorCode::RematchBegun
    );
    scene.now = Timestamp(301);
    assert_eq!(
        scene.refused("anna", offer(&finished)),
        ErrorCode::RematchTooLate
    );
    scene.now = Timestamp(300);
    scene.ok("anna", offer(&finished));
    // An offer in time is answered while it stands.
    scene.now = Timestamp(340);
    scene.begun("ben", &finished);
}

#[test]
fn an_offer_ends_when_it_is_declined_taken_back_or_expires() {
    let mut scene = Scene::new();
    let finished = ended(&["anna", "ben"]);
    assert_eq!(scene.refused("anna", decline()), ErrorCode::NoRematch);
    scene.ok("anna", offer(&finished));
    assert_eq!(scene.refused("carla", decline()), ErrorCode::NoRematch);
    check_ended(&mut scene, "ben", RematchEnd::Declined, 1);
    scene.ok("anna", offer(&finished));
    check_ended(&mut scene, "anna", RematchEnd::Withdrawn, 0);
    scene.ok("anna", offer(&finished));
    assert_eq!(scene.tidy(Timestamp(59), &BTreeSet::new()), 1);
    assert_eq!(scene.tidy(Timestamp(60), &BTreeSet::new()), 0);
    scene.ok("ben", offer(&finished));
    scene.online.remove("ben");
    assert_eq!(
        scene.tidy(Timestamp(10), &BTreeSet::from(["ben".to_owned()])),
        0
    );
}

#[test]
fn nobody_else_sees_or_takes_an_offer() {
    let mut scene = Scene::new();
    let finished = ended(&["anna", "ben"]);
    let (seek, _) = scene.ok("anna", offer(&finished));
    for who in ["anna", "ben", "carla"] {
        let open = scene.lobby.get(&seek).expect("open");
        assert_eq!(super::seen_by(open, who), None, "{who}");
    }
    check_refused(&mut scene, "carla", Action::Join(seek.clone()));
    check_refused(&mut scene, "ben", Action::Join(seek.clone()));
    check_refused(&mut scene, "anna", Action::Start(seek.clone()));
    check_refused(&mut scene, "anna", Action::Cancel(seek));
    let by_code = Action::JoinByCode("WATCH".to_owned());
    assert_eq!(scene.refused("carla", by_code), ErrorCode::WrongCode);
    let (other, game) = scene.ok("carla", quick(2));
    assert_eq!(game, None);
    assert_ne!(
        Some(&other),
        scene
            .lobby
            .rematch_of(&finished.game)
            .map(|open| &open.seek.seek)
    );
}

#[track_caller]
fn check_refused(scene: &mut Scene, who: &str, action: Action) {
    assert_eq!(scene.refused(who, action), ErrorCode::UnknownSeek);
}

#[test]
fn a_stored_offer_is_read_again() {
    let mut scene = Scene::new();
    scene.ok("anna", offer(&ended(&["anna", "ben"])));
    let open = scene
        .lobby
        .rematch_of(&GameId("old".to_owned()))
        .expect("open");
    let text = serde_json::to_string(open).expect("plain data");
    assert_eq!(
        serde_json::from_str::<OpenSeek>(&text).expect("the same"),
        *open
    );
}

#[test]
fn a_block_lets_an_offer_stand_without_an_answer() {
    for block in [("anna", "ben"), ("ben", "anna")] {
        let mut scene = Scene::new();
        scene.blocks.insert(block);
        let finished = ended(&["anna", "ben"]);
        scene.ok("anna", offer(&finished));
        assert_eq!(scene.agreed(), [0], "{block:?}");
        let refused = scene.refused("ben", offer(&finished));
        assert_eq!(refused, ErrorCode::RematchTooLate, "{block:?}");
        assert_eq!(scene.refused("ben", decline()), ErrorCode::NoRematch);
        assert_eq!(scene.tidy(Timestamp(60), &BTreeSet::new()), 0, "it expires");
    }
}

#[test]
fn a_block_between_two_who_have_agreed_keeps_the_rematch_from_beginning() {
    for block in [("anna", "ben"), ("ben", "anna")] {
        let mut scene = Scene::new();
        let finished = ended(&["anna", "ben", "carla"]);
        scene.ok("anna", offer(&finished));
        scene.ok("ben", offer(&finished));
        scene.blocks.insert(block);
        scene.ok("carla", offer(&finished));
        assert_eq!(scene.agreed(), [0, 2], "{block:?}: no game has begun");
        let refused = scene.refused("ben", offer(&finished));
        assert_eq!(refused, ErrorCode::RematchTooLate, "{block:?}");
        assert_eq!(scene.tidy(Timestamp(60), &BTreeSet::new()), 0, "it expires");
    }
}
