//! Delayed games: the messages to spectators and lists, and their times.

use tilewire_protocol::{EventBody, Exchange, GameSummary, Phase, ServerMessage, Snapshot};
use tilewire_rules::options::{GameOptions, SpectatorView};
use tilewire_rules::time::Millis;

use super::super::{Room, RoomEffect, RoomParts};
use super::{START, Scene, TestPeer, pass, peer, resign};
use tilewire_store::AppendError;

const DELAY_MS: Millis = Millis(60_000);

fn delayed(racks: bool) -> impl Fn(&mut GameOptions, &mut RoomParts) {
    move |options, _| {
        options.spectators = Some(SpectatorView {
            delay_ms: DELAY_MS.0,
            racks,
        });
    }
}

fn watcher() -> TestPeer {
    peer(9, "watcher")
}

/// The kinds of the events that were shown to spectators, and the ops of everything else.
fn shown(scene: &Scene) -> Vec<&str> {
    let told = scene.shown.iter().map(|message| match message {
        ServerMessage::Event(event) => event.body.kind(),
        other => other.op(),
    });
    told.filter(|kind| *kind != "crowd").collect()
}

fn passes(scene: &mut Scene, seat: u64) {
    let turn_no = scene.state().last_turn().0;
    let who = peer(seat, &format!("p{seat}"));
    scene.ask(&who, pass(&format!("pass{turn_no}"), turn_no));
    scene.store();
}

/// A game at one minute: seat 0 passed at 5 s, seat 1 at 30 s. The first spectator attached at 1 s.
fn passed_twice(racks: bool) -> Scene {
    let mut scene = Scene::playing(delayed(racks));
    scene.wait_until(START + Millis(1_000));
    scene.attach(&watcher(), None);
    scene.wait_until(START + Millis(5_000));
    passes(&mut scene, 0);
    scene.wait_until(START + Millis(30_000));
    passes(&mut scene, 1);
    scene
}

#[test]
fn spectators_see_what_is_old_enough() {
    let mut scene = passed_twice(false);
    assert_eq!(
        scene.hub_head,
        Some(1),
        "the creation alone is shown at once"
    );
    scene.wait_until(START + DELAY_MS - Millis(1));
    assert_eq!(shown(&scene), [""; 0]);
    scene.wait_until(START + DELAY_MS);
    let beginning = [
        "seat_ready",
        "seat_ready",
        "bag_shuffled",
        "tiles_drawn",
        "tiles_drawn",
        "turn_started",
    ];
    assert_eq!(shown(&scene), beginning);
    scene.wait_until(START + DELAY_MS + Millis(5_000) - Millis(1));
    assert_eq!(shown(&scene).len(), 6);
    scene.wait_until(START + DELAY_MS + Millis(5_000));
    assert_eq!(shown(&scene)[6..], ["passed", "turn_started"]);
    scene.wait_until(START + DELAY_MS + Millis(30_000));
    assert_eq!(shown(&scene)[8..], ["passed", "turn_started"]);
}

#[test]
fn the_end_shows_the_rest_at_once() {
    let mut scene = passed_twice(false);
    scene.ask(&peer(0, "p0"), resign("resign"));
    scene.store();
    assert_eq!(shown(&scene).last(), Some(&"ended"));
    assert_eq!(scene.hub_head, Some(scene.state().seq().0));
    let mut told = scene.other.iter().rev();
    let is_end = |effect: &RoomEffect<TestPeer>| match effect {
        RoomEffect::Ended(line) => line.phase == Phase::Ended && line.turn_no == 3,
        _ => false,
    };
    assert!(told.any(is_end), "the lists learn of it");
    let started = scene
        .other
        .iter()
        .filter(|effect| matches!(effect, RoomEffect::Started(_)));
    assert_eq!(started.count(), 1, "of the beginning too, as late as it is");
}

#[test]
fn lists_show_the_game_as_it_was() {
    let mut scene = passed_twice(false);
    let brief = |line: GameSummary| (line.phase, line.turn_no, line.started_at);
    assert_eq!(brief(scene.room.summary()), (Phase::Waiting, 0, None));
    let own = scene.room.own_summary().map(brief);
    assert_eq!(own, Some((Phase::Running, 3, Some(START.0))));
    scene.wait_until(START + DELAY_MS + Millis(10_000));
    assert_eq!(
        brief(scene.room.summary()),
        (Phase::Running, 2, Some(START.0))
    );
}

#[test]
fn what_was_shown_is_shown_after_a_restart_and_no_more() {
    for racks in [false, true] {
        let mut scene = passed_twice(racks);
        for at in [
            Millis(30_000),
            DELAY_MS,
            DELAY_MS + Millis(5_000),
            DELAY_MS + Millis(40_000),
        ] {
            scene.wait_until(START + at);
            let parts = scene.room.parts.clone();
            let mut again =
                Room::<TestPeer>::new(parts, scene.journal.clone(), Vec::new(), scene.now).unwrap();
            let start = again.hub_start(scene.now);
            let before = scene.room.hub_start(scene.now);
            assert_eq!(start.history, before.history, "at {at}");
            assert_eq!(seen(&start.position), seen(&before.position), "at {at}");
            let next = again.delayed.as_ref().and_then(|delayed| delayed.next_at());
            assert!(next.is_none_or(|next| next > scene.now));
            assert_eq!(again.handle(scene.now, super::RoomInput::Stop).len(), 1);
        }
    }
}

fn seen(position: &crate::position::Position) -> Snapshot {
    position.seen_by(position.watchers)
}

#[test]
fn a_snapshot_is_of_the_moment_it_shows() {
    let mut scene = passed_twice(false);
    scene.wait_until(START + DELAY_MS + Millis(5_000));
    // A player who disconnects now is still connected in the spectators' view.
    scene.input(super::RoomInput::Gone(peer(1, "p1").id));
    let snapshot = seen(&scene.room.hub_start(scene.now).position);
    assert_eq!(snapshot.at, (START + Millis(5_000)).0);
    assert_eq!(snapshot.turn_no, 2);
    assert!(snapshot.seats.iter().all(|seat| seat.connected));
}

#[test]
fn commentators_see_all_racks() {
    let mut scene = Scene::playing(delayed(true));
    scene.attach(&watcher(), None);
    let rack = scene
        .state()
        .tiles()
        .rack(tilewire_rules::time::Seat(0))
        .to_vec();
    let faces: Vec<String> = rack[..2]
        .iter()
        .map(|tile| scene.state().rules().tiles.tile_face(*tile).to_owned())
        .collect();
    let exchange = Exchange {
        game: "g1".into(),
        cmd_id: "exchange".into(),
        turn_no: 1,
        tiles: faces.clone(),
    };
    scene.ask(
        &peer(0, "p0"),
        tilewire_protocol::ClientMessage::Exchange(exchange),
    );
    scene.store();
    scene.wait_until(START + DELAY_MS);
    let laid = scene.shown.iter().find_map(|message| match message {
        ServerMessage::Event(event) => match &event.body {
            EventBody::Exchanged(laid) => laid.tiles.clone(),
            _ => None,
        },
        _ => None,
    });
    assert_eq!(laid.map(sorted), Some(sorted(faces)));
    let snapshot = seen(&scene.room.hub_start(scene.now).position);
    let racks = snapshot.seats.iter().filter_map(|seat| seat.rack.as_ref());
    assert_eq!(racks.map(Vec::len).collect::<Vec<_>>(), [7, 7]);
    assert!(snapshot.turns[0].tiles.is_some());
}

fn sorted(mut faces: Vec<String>) -> Vec<String> {
    faces.sort();
    faces
}

#[test]
fn that_a_player_comes_or_the_storage_fails_is_not_shown() {
    let mut scene = passed_twice(false);
    scene.input(super::RoomInput::Gone(peer(1, "p1").id));
    scene.attach(&peer(2, "p1"), None);
    scene.ask(&peer(0, "p0"), pass("pass3", 3));
    scene.fail(AppendError::Unavailable("test".to_owned()));
    assert!(scene.heard[&0].iter().any(|told| told.op() == "paused"));
    scene.wait_until(scene.now + Millis(1_000));
    scene.store();
    assert!(scene.heard[&0].iter().any(|told| told.op() == "unpaused"));
    assert_eq!(shown(&scene), [""; 0]);
}

#[test]
fn what_was_in_doubt_and_stored_is_shown_in_time() {
    let mut scene = passed_twice(false);
    let turn_no = scene.state().last_turn().0;
    scene.ask(&peer(0, "p0"), pass("unconfirmed", turn_no));
    let append = scene.fail(AppendError::OutcomeUnknown("test".to_owned()));
    scene.write(&append);
    scene.store();
    // At the very moment of the second pass.
    let asked = scene.now;
    scene.wait_until(asked + DELAY_MS - Millis(1));
    assert_eq!(shown(&scene).len(), 8);
    scene.wait_until(asked + DELAY_MS);
    let passes = ["passed", "turn_started", "passed", "turn_started"];
    assert_eq!(shown(&scene)[8..], passes);
}

#[test]
fn more_than_is_kept_becomes_a_snapshot() {
    let mut scene = Scene::playing(|options, parts| {
        delayed(false)(options, parts);
        parts.bounds.history_events = 3;
    });
    scene.attach(&watcher(), None);
    scene.hub_head = None;
    scene.wait_until(START + DELAY_MS);
    assert_eq!(shown(&scene), ["snapshot"]);
    let ServerMessage::Snapshot(snapshot) = &scene.shown[scene.shown.len() - 1] else {
        panic!("shown as it stands");
    };
    assert_eq!(snapshot.turn_no, 1);
}

#[test]
fn players_are_told_what_they_are_told_of_any_game() {
    let play = |racks: Option<bool>| {
        let mut scene = match racks {
            None => Scene::playing(|_, _| {}),
            Some(racks) => Scene::playing(delayed(racks)),
        };
        scene.attach(&watcher(), None);
        passes(&mut scene, 0);
        scene.wait_until(START + Millis(30_000));
        passes(&mut scene, 1);
        scene.input(super::RoomInput::Gone(peer(1, "p1").id));
        scene.wait_until(START + Millis(400_000));
        let told = scene.heard.into_values().flatten();
        told.map(|mut message| {
            if let ServerMessage::Snapshot(snapshot) = &mut message {
                snapshot.setup.options.spectators = None;
            }
            if let ServerMessage::Event(event) = &mut message
                && let EventBody::Created(created) = &mut event.body
            {
                created.setup.options.spectators = None;
            }
            message
        })
        .collect::<Vec<_>>()
    };
    let plain = play(None);
    assert!(plain.len() > 20);
    assert_eq!(play(Some(false)), plain);
    assert_eq!(play(Some(true)), plain);
}
