//! Hints: told when stored, to the seat alone, and again to a connection that comes later.

use std::sync::Arc;

use tilewire_protocol::{AskHint, ClientMessage, ErrorCode, Hint, ServerMessage};
use tilewire_rules::bot::HintedTurn;
use tilewire_rules::lexicon::{FstLexicon, WordGraphs};
use tilewire_rules::options::ChallengeKind;

use super::aborting::has_event;
use super::commands::pass;
use super::{RoomEffect, RoomInput, Scene, peer};
use crate::hinting::{HintFound, HintQuestion};

/// A request for a hint.
pub(super) fn hint(cmd_id: &str, turn_no: u32, grade: u8) -> ClientMessage {
    ClientMessage::Hint(AskHint {
        game: "g1".into(),
        cmd_id: cmd_id.into(),
        turn_no,
        grade,
    })
}

/// A game with two hints for each seat, where words are checked before they are laid.
fn hinted() -> Scene {
    Scene::playing(|options, _| {
        options.hints = 2;
        options.challenge.kind = ChallengeKind::Void;
    })
}

/// The questions about hints that the room has asked.
fn questions(scene: &Scene) -> Vec<&HintQuestion> {
    let effects = scene.other.iter();
    let asked = effects.filter_map(|effect| match effect {
        RoomEffect::FindHint(question) => Some(&**question),
        _ => None,
    });
    asked.collect()
}

/// Answers the last question as the server does.
fn find(scene: &mut Scene) {
    let words = Arc::new(WordGraphs::new(&FstLexicon::builtin()));
    let question = questions(scene).pop().expect("a question").clone();
    scene.input(RoomInput::HintFound(HintFound {
        turn_no: question.turn_no,
        turn: question.decide(&words),
    }));
}

fn told(scene: &Scene, connection: u64) -> Vec<Hint> {
    let heard = scene.heard.get(&connection).into_iter().flatten();
    let hints = heard.filter_map(|message| match message {
        ServerMessage::Hint(hint) => Some(Hint::clone(hint)),
        _ => None,
    });
    hints.collect()
}

#[test]
fn a_hint_is_told_to_its_seat_when_it_is_stored_and_found() {
    let mut scene = hinted();
    scene.attach(&peer(9, "zoe"), None);
    let asked = scene.ask(&peer(0, "p0"), hint("h", 1, 3));
    assert!(questions(&scene).is_empty(), "not stored yet");
    scene.store();
    assert!(matches!(scene.outcome(0, asked), Some(Ok(_))));
    for seat in [0, 1] {
        assert!(has_event(&scene.heard[&seat], "hint_used"));
    }
    assert_eq!(told(&scene, 0), [], "not found yet");
    find(&mut scene);
    let [hint] = &told(&scene, 0)[..] else {
        panic!("one hint")
    };
    assert_eq!((hint.turn_no, hint.grade), (1, 3));
    assert_eq!(told(&scene, 1), [], "the other seat");
    let is_hint = |message: &ServerMessage| matches!(message, ServerMessage::Hint(_));
    assert!(!scene.shown.iter().any(is_hint), "spectators");
}

#[test]
fn a_connection_that_comes_in_the_turn_is_told_the_same() {
    let mut scene = hinted();
    scene.ask(&peer(0, "p0"), hint("h", 1, 2));
    scene.store();
    scene.attach(&peer(7, "p0"), None);
    find(&mut scene);
    scene.attach(&peer(8, "p0"), None);
    let first = told(&scene, 0);
    assert_eq!(told(&scene, 7)[..1], first[..1], "one that waited");
    assert_eq!(told(&scene, 8)[..], first[..1], "one that came later");
    assert_eq!(questions(&scene).len(), 1, "found once");
    scene.attach(&peer(6, "p1"), None);
    assert_eq!(told(&scene, 6), [], "the other seat");
}

#[test]
fn asking_again_is_answered_and_told_again_without_a_record() {
    let mut scene = hinted();
    let first = scene.ask(&peer(0, "p0"), hint("h1", 1, 2));
    scene.store();
    find(&mut scene);
    let before = scene.journal.len();
    let second = scene.ask(&peer(0, "p0"), hint("h2", 1, 1));
    scene.store();
    assert_eq!(scene.journal.len(), before, "nothing is stored");
    assert_eq!(scene.outcome(0, second), scene.outcome(0, first));
    assert_eq!(told(&scene, 0).len(), 2);
    scene.ask(&peer(0, "p0"), hint("h3", 1, 3));
    scene.store();
    let grades: Vec<u8> = told(&scene, 0).iter().map(|hint| hint.grade).collect();
    assert_eq!(grades, [2, 2, 3], "a higher grade is found already");
    let none = scene.ask(&peer(0, "p0"), hint("h4", 2, 3));
    let outcome = scene.outcome(0, none);
    assert!(matches!(outcome, Some(Err(ErrorCode::WrongPosition))));
}

#[test]
fn a_hint_that_is_found_after_its_turn_is_told_to_nobody() {
    let mut scene = hinted();
    scene.ask(&peer(0, "p0"), hint("h", 1, 3));
    scene.store();
    scene.ask(&peer(0, "p0"), pass("p", 1));
    scene.store();
    find(&mut scene);
    assert_eq!(told(&scene, 0), []);
    scene.ask(&peer(1, "p1"), hint("own", 2, 1));
    scene.store();
    assert_eq!(questions(&scene).len(), 2, "another turn, another question");
    find(&mut scene);
    assert_eq!(told(&scene, 1).len(), 1);
    assert_eq!(told(&scene, 0), []);
}

/// A server that has just loaded the game finds the hint again.
#[test]
fn the_same_position_has_the_same_hint() {
    let words = Arc::new(WordGraphs::new(&FstLexicon::builtin()));
    let mut scene = hinted();
    scene.ask(&peer(0, "p0"), hint("h", 1, 3));
    scene.store();
    let question = questions(&scene).pop().expect("a question").clone();
    let found = question.decide(&words).expect("a turn");
    assert_eq!(question.decide(&words), Some(found.clone()));
    if let HintedTurn::Play(_, play) = &found {
        let rack = scene.state().tiles().rack(question.seat);
        assert!(play.placed().len() <= rack.len());
    }
}
