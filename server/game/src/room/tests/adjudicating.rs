//! Decisions of operators: stored before they are told, and without an effect on a game that has moved on. Pauses are told to those
//! who attach later too.

use tilewire_protocol::{ErrorCode, ServerMessage};
use tilewire_rules::event::{Adjudication, EndReason, Ended, Event, PublicEvent};
use tilewire_rules::game::Order;

use super::aborting::has_event;
use super::commands::pass;
use super::{RoomEffect, RoomInput, Scene, peer};
use crate::operator::{Asker, Inspection};

fn decide(scene: &mut Scene, seq: u64, adjudication: Adjudication) {
    let (asker, _answer) = Asker::new();
    scene.input(RoomInput::Order {
        asker,
        seq: Some(seq),
        order: Order::End(adjudication),
    });
}

fn seq(scene: &Scene) -> u64 {
    scene.room.game().state().seq().0
}

/// Returns the answers to operators.
fn answers(scene: &Scene) -> Vec<&Inspection> {
    let effects = scene.other.iter();
    let answers = effects.filter_map(|effect| match effect {
        RoomEffect::Inspected(_, inspection) => Some(&**inspection),
        _ => None,
    });
    answers.collect()
}

fn end(inspection: &Inspection) -> Option<&Ended> {
    inspection.position.state.outcome()
}

#[test]
fn a_decision_is_told_when_it_is_stored() {
    let mut scene = Scene::playing(|_, _| {});
    let seen = seq(&scene);
    decide(&mut scene, seen, Adjudication::Draw);
    assert!(answers(&scene).is_empty(), "not stored yet");
    assert!(!has_event(&scene.heard[&0], "ended"), "not stored yet");
    scene.store();
    assert!(has_event(&scene.heard[&0], "ended"));
    let all = answers(&scene);
    let ended = all.first().and_then(|answer| end(answer));
    let ended = ended.expect("the operator sees the end");
    assert_eq!(all.len(), 1);
    assert_eq!(ended.reason, EndReason::Adjudicated);
    assert_eq!(ended.adjudication, Some(Adjudication::Draw));
}

#[test]
fn of_two_decisions_at_once_the_first_counts() {
    let mut scene = Scene::playing(|_, _| {});
    let seen = seq(&scene);
    decide(&mut scene, seen, Adjudication::NoResult);
    decide(&mut scene, seen, Adjudication::Draw);
    scene.store();
    let all = answers(&scene);
    assert_eq!(all.len(), 2);
    for answer in all {
        let ended = end(answer).expect("the game is over");
        assert_eq!(ended.adjudication, Some(Adjudication::NoResult));
    }
    let is_end = |event: &Event| matches!(event, Event::Public(PublicEvent::Ended(_)));
    let ends = scene.journal.iter().filter(|record| is_end(&record.event));
    assert_eq!(ends.count(), 1);
}

#[test]
fn a_game_that_has_moved_on_is_left_alone() {
    let mut scene = Scene::playing(|_, _| {});
    let (seen, records) = (seq(&scene), scene.journal.len());
    decide(&mut scene, seen - 1, Adjudication::Draw);
    let all = answers(&scene);
    assert_eq!(all.len(), 1, "answered at once");
    assert_eq!((end(all[0]), all[0].position.seq()), (None, seen));
    assert_eq!(scene.journal.len(), records);
    assert!(scene.pending.is_none());
}

fn order(scene: &mut Scene, order: Order) {
    let (asker, _answer) = Asker::new();
    scene.input(RoomInput::Order {
        asker,
        seq: None,
        order,
    });
}

/// Returns whether the last answer to an operator says that the order took effect.
fn took_effect(scene: &Scene) -> Option<bool> {
    let effects = scene.other.iter();
    let mut answers = effects.filter_map(|effect| match effect {
        RoomEffect::Inspected(_, inspection) => Some(inspection.took_effect),
        _ => None,
    });
    answers.next_back()
}

fn count(scene: &Scene, who: u64, is_it: impl Fn(&ServerMessage) -> bool) -> usize {
    let heard = scene.heard[&who].iter();
    heard.filter(|message| is_it(message)).count()
}

#[test]
fn a_pause_is_told_and_commands_are_refused() {
    let mut scene = Scene::playing(|_, _| {});
    let is_paused = |message: &ServerMessage| matches!(message, ServerMessage::Paused(_));
    let is_unpaused = |message: &ServerMessage| matches!(message, ServerMessage::Unpaused(_));
    let until = scene.now.plus(3_600_000);
    order(&mut scene, Order::Pause { until });
    assert_eq!(count(&scene, 0, is_paused), 0, "not stored yet");
    scene.store();
    assert_eq!(took_effect(&scene), Some(true));
    assert!(has_event(&scene.heard[&0], "paused"));
    for who in [0, 1] {
        assert_eq!(count(&scene, who, is_paused), 1);
    }
    let turn = scene.state().turn().expect("a turn");
    let who = peer(0, "p0");
    assert_eq!(turn.seat.0, 0);
    let request = scene.ask(&who, pass("early", turn.no.0));
    assert_eq!(scene.outcome(0, request), Some(Err(ErrorCode::Paused)));
    order(&mut scene, Order::Pause { until });
    assert_eq!(took_effect(&scene), Some(false), "it is paused already");
    scene.attach(&peer(2, "p1"), None);
    assert_eq!(count(&scene, 2, is_paused), 1, "told to who attaches");
    assert!(scene.room.hub_start(scene.now).is_paused);

    order(&mut scene, Order::Continue);
    assert_eq!(count(&scene, 1, is_unpaused), 0, "not stored yet");
    scene.store();
    assert_eq!(took_effect(&scene), Some(true));
    assert_eq!(count(&scene, 1, is_unpaused), 1);
    let request = scene.ask(&who, pass("in time", turn.no.0));
    scene.store();
    assert!(matches!(scene.outcome(0, request), Some(Ok(_))));
}
