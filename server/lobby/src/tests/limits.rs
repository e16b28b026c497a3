//! The numbers of seeks.

use std::collections::BTreeSet;
use std::net::IpAddr;

use super::super::open_seek::OpenSeek;
use super::{
    Action, BOUNDS, ClientAddress, Criteria, ErrorCode, Scene, Timestamp, Visibility, open, usual,
};

#[test]
fn the_number_of_seeks_is_limited() {
    let mut scene = Scene::new();
    scene.ok("anna", open(2));
    scene.ok("anna", open(3));
    assert_eq!(scene.refused("anna", open(4)), ErrorCode::TooManySeeks);
    scene.ok("ben", open(2));
    scene.ok("ben", open(3));
    assert_eq!(scene.refused("carla", open(2)), ErrorCode::Busy);
}

fn address(last: u8) -> Option<ClientAddress> {
    Some(ClientAddress::from(IpAddr::from([192, 0, 2, last])))
}

#[test]
fn the_seeks_of_an_address_are_limited() {
    let mut scene = Scene::new();
    scene.address = address(1);
    let (first, _) = scene.ok("anna", open(3));
    scene.ok("ben", open(3));
    scene.ok("carla", open(3));
    assert_eq!(scene.refused("dora", open(3)), ErrorCode::TooManySeeks);
    scene.address = address(2);
    scene.ok("dora", open(3));
    scene.ok("anna", Action::Cancel(first));
    scene.address = address(1);
    scene.ok("anna", open(4));
}

#[test]
fn a_full_lobby_closes_the_seek_of_the_owner_that_has_been_absent_longest() {
    let mut scene = Scene::new();
    scene.ok("anna", open(3));
    let (of_ben, _) = scene.ok("ben", open(3));
    let (of_carla, _) = scene.ok("carla", open(3));
    scene.ok("carla", open(4));
    assert_eq!(scene.refused("dora", open(3)), ErrorCode::Busy);
    for (who, at) in [("carla", 100), ("ben", 200)] {
        scene.online.remove(who);
        scene.tidy(Timestamp(at), &BTreeSet::new());
    }
    scene.ok("dora", open(3));
    assert_eq!(scene.count(), BOUNDS.seeks);
    assert_eq!(scene.lobby.get(&of_carla), None);
    assert!(scene.lobby.get(&of_ben).is_some());
}

#[test]
fn players_who_wait_keep_their_private_seeks() {
    let mut scene = Scene::new();
    let (public, _) = scene.ok("anna", open(3));
    let private = Action::Open(
        usual(4),
        Visibility::Private,
        Vec::new(),
        Criteria::default(),
    );
    let (private, _) = scene.ok("anna", private);
    let waiting = BTreeSet::from(["anna".to_owned()]);
    let plan = scene.lobby.without(&waiting, OpenSeek::is_public);
    scene.lobby.adopt(&plan);
    assert_eq!(scene.lobby.get(&public), None);
    assert!(scene.lobby.get(&private).is_some());
}
