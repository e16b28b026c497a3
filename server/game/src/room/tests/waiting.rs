//! Turns that wait for the challenge window of the last play: what clients are told of them.

use tilewire_protocol::{ClientMessage, Play, ServerMessage, TurnWaiting};
use tilewire_rules::options::{GameOptions, SpectatorView};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::{Millis, Seat};

use super::super::RoomParts;
use super::{START, Scene, TestPeer, on_play, pass, peer, resign};

fn player(seat: u64) -> TestPeer {
    peer(seat, &format!("p{seat}"))
}

/// A game of three with a spectator, in which seat 1 passed a second after the play of seat 0; the play's id, and the
/// request of the pass.
fn waiting(change: impl FnOnce(&mut GameOptions, &mut RoomParts)) -> (Scene, u64, u64) {
    let mut scene = Scene::playing(|options, parts| {
        options.seats = 3;
        change(options, parts);
    });
    scene.attach(&peer(9, "watcher"), None);
    let tiles = &RuleSet::classic().tiles;
    let rack = scene.state().tiles().rack(Seat(0)).iter();
    let letters = rack.filter(|tile| !tile.is_blank()).take(2);
    let tiles = letters
        .map(|tile| tiles.tile_face(*tile).to_owned())
        .collect();
    let play = ClientMessage::Play(Play {
        game: "g1".into(),
        cmd_id: "play".into(),
        turn_no: 1,
        start: "8G".to_owned(),
        tiles,
    });
    let asked = scene.ask(&player(0), play);
    scene.store();
    let play_id = scene.outcome(0, asked).unwrap().unwrap();
    scene.now += Millis(1_000);
    let asked = scene.ask(&player(1), pass("fast", 2));
    (scene, play_id, asked)
}

fn told(messages: &[ServerMessage]) -> Vec<&TurnWaiting> {
    let told = messages.iter().filter_map(|message| match message {
        ServerMessage::TurnWaiting(waiting) => Some(waiting),
        _ => None,
    });
    told.collect()
}

#[test]
fn everybody_is_told_once_that_a_turn_waits() {
    let (mut scene, _, asked) = waiting(|_, _| {});
    scene.tick();
    assert_eq!(scene.outcome(1, asked), None);
    for seat in 0..3 {
        let told = told(&scene.heard[&seat]);
        assert_eq!(told.len(), 1, "seat {seat}");
        assert_eq!((told[0].turn_no, told[0].seat), (2, 1));
        assert_eq!(told[0].until, (START + Millis(5_000)).0);
        assert_eq!(told[0].clocks.running, None);
        assert_eq!(told[0].clocks.main_ms[1], 25 * 60_000 - 1_000);
    }
    assert_eq!(told(&scene.shown).len(), 1);
    scene.wait_until(START + Millis(5_000));
    assert!(scene.outcome(1, asked).unwrap().is_ok());
    assert_eq!(told(&scene.shown).len(), 1, "the turn has taken effect");
}

#[test]
fn a_client_that_attaches_hears_of_the_turn() {
    let (mut scene, play_id, _) = waiting(|_, _| {});
    let until = (START + Millis(5_000)).0;
    scene.attach(&peer(5, "p2"), None);
    let ServerMessage::Snapshot(snapshot) = &scene.heard[&5][0] else {
        panic!("a snapshot comes first");
    };
    assert_eq!(snapshot.waiting_until, Some(until));
    assert_eq!(snapshot.clocks.running, None);
    let head = scene.state().seq().0;
    scene.attach(&peer(6, "p2"), Some(head));
    assert_eq!(told(&scene.heard[&6]).len(), 1, "behind the events");
    // An event that leaves the turn waiting is followed by the news again.
    scene.ask(&player(2), ClientMessage::Hold(on_play("hold", play_id)));
    scene.store();
    for connection in [0, 1, 2, 6] {
        let last = scene.heard[&connection].last();
        let Some(ServerMessage::TurnWaiting(waiting)) = last else {
            panic!("connection {connection}: {last:?}");
        };
        assert_eq!(waiting.clocks.running.map(|running| running.seat), Some(2));
        assert_eq!(waiting.clocks.main_ms[1], 25 * 60_000 - 1_000);
    }
}

#[test]
fn a_player_whose_turn_waits_can_resign() {
    let (mut scene, _, asked) = waiting(|_, _| {});
    let resigned = scene.ask(&player(1), resign("r"));
    scene.store();
    assert!(scene.outcome(1, resigned).unwrap().is_ok());
    assert!(scene.outcome(1, asked).unwrap().is_err());
    let snapshot_at = scene.attach(&peer(5, "p2"), None);
    assert!(scene.outcome(5, snapshot_at).unwrap().is_ok());
    let ServerMessage::Snapshot(snapshot) = &scene.heard[&5][0] else {
        panic!("a snapshot comes first");
    };
    assert_eq!(snapshot.waiting_until, None);
}

#[test]
fn spectators_of_a_delayed_game_are_not_told_that_a_turn_waits() {
    let (scene, _, _) = waiting(|options, _| {
        options.spectators = Some(SpectatorView {
            delay_ms: 60_000,
            racks: false,
        });
    });
    assert_eq!(told(&scene.heard[&0]).len(), 1);
    assert_eq!(told(&scene.shown).len(), 0);
}
