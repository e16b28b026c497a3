//! Commands, attachments, presence and deadlines, one by one.

use tilewire_protocol::{AttachOutcome, ErrorCode, EventBody, Role, ServerMessage};
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::EndReason;
use tilewire_rules::time::{Millis, Seat, Timestamp};

use super::{Pending, RoomEffect, RoomInput, Scene, pass, peer, ready, resign};
use crate::attach::Attach;
use tilewire_delivery::outbound::PeerId;
use tilewire_delivery::outbound::ResumePoint;
use tilewire_wire::to_wire::Privacy;

#[test]
fn no_client_gets_an_event_before_it_is_durable() {
    let mut scene = Scene::playing(|_, _| {});
    let (ada, eve) = (peer(0, "p0"), peer(9, "eve"));
    scene.attach(&eve, None);
    let heard = scene.events(1).len();
    let shown = scene.shown.len();
    let asked = scene.ask(&ada, pass("a1", 1));
    assert_eq!(scene.outcome(0, asked), None);
    assert_eq!(scene.events(1).len(), heard);
    assert_eq!(scene.shown.len(), shown);
    scene.store();
    let first = scene.outcome(0, asked).unwrap().unwrap();
    assert!(scene.events(1).contains(&first));
    assert!(scene.events(0).contains(&first));
    assert!(scene.shown.len() > shown);
}

#[test]
fn commands_wait_for_the_append_in_flight_and_are_bounded() {
    let mut scene = Scene::playing(|_, parts| parts.bounds.commands_waiting = 2);
    let (ada, bob) = (peer(0, "p0"), peer(1, "p1"));
    let first = scene.ask(&ada, pass("a1", 1));
    let second = scene.ask(&bob, pass("b1", 2));
    let third = scene.ask(&ada, pass("a2", 3));
    assert_eq!(scene.outcome(0, third), Some(Err(ErrorCode::Busy)));
    scene.store();
    let first = scene.outcome(0, first).unwrap().unwrap();
    let second = scene.outcome(1, second).unwrap().unwrap();
    assert!(first < second);
}

#[test]
fn what_a_revoked_connection_has_asked_for_is_not_done() {
    let mut scene = Scene::playing(|_, _| {});
    let (ada, bob) = (peer(0, "p0"), peer(1, "p1"));
    scene.ask(&ada, pass("a1", 1));
    let waits = scene.ask(&bob, pass("b1", 2));
    bob.is_revoked.set(true);
    scene.store();
    assert_eq!(scene.outcome(1, waits), Some(Err(ErrorCode::Revoked)));
    let late = scene.ask(&bob, pass("b2", 2));
    assert_eq!(scene.outcome(1, late), Some(Err(ErrorCode::Revoked)));
    let eve = peer(9, "eve");
    eve.is_revoked.set(true);
    let attach = scene.attach(&eve, None);
    assert_eq!(scene.outcome(9, attach), Some(Err(ErrorCode::Revoked)));
    // Bob's other device is not revoked.
    let tablet = scene.ask(&peer(2, "p1"), pass("b3", 2));
    scene.store();
    assert!(matches!(scene.outcome(2, tablet), Some(Ok(_))));
}

#[test]
fn a_retry_gets_the_first_answer_and_another_command_under_its_id_none() {
    let mut scene = Scene::playing(|_, _| {});
    let ada = peer(0, "p0");
    let first = scene.ask(&ada, pass("a1", 1));
    // Another device sends the same again while the first is on its way.
    let tablet = peer(5, "p0");
    let early = scene.ask(&tablet, pass("a1", 1));
    scene.store();
    let late = scene.ask(&tablet, pass("a1", 1));
    let other = scene.ask(&tablet, resign("a1"));
    scene.store();
    let answer = scene.outcome(0, first);
    assert!(matches!(answer, Some(Ok(_))));
    assert_eq!(scene.outcome(5, early), answer);
    assert_eq!(scene.outcome(5, late), answer);
    assert_eq!(scene.outcome(5, other), Some(Err(ErrorCode::CmdIdReused)));
}

#[test]
fn a_refused_command_is_answered_to_its_sender_alone_and_at_once() {
    let mut scene = Scene::playing(|_, _| {});
    let bob = peer(1, "p1");
    let heard = scene.heard.clone();
    let asked = scene.ask(&bob, pass("b1", 1));
    assert_eq!(scene.outcome(1, asked), Some(Err(ErrorCode::NotYourTurn)));
    assert!(scene.pending.is_none());
    assert_eq!(scene.heard, heard);
    let eve = peer(9, "eve");
    let asked = scene.ask(&eve, pass("e1", 1));
    assert_eq!(scene.outcome(9, asked), Some(Err(ErrorCode::NotAPlayer)));
}

#[test]
fn a_player_resumes_with_exactly_the_missed_events_or_a_snapshot() {
    let mut scene = Scene::playing(|_, parts| parts.bounds.history_events = 6);
    let head = scene.journal.last().unwrap().seq.0;
    let mut check = |id: u64, from: Option<(u64, u64)>, outcome, events: Vec<u64>| {
        scene.asked += 1;
        let request_id = scene.asked;
        scene.input(RoomInput::Attach {
            attach: Attach {
                peer: peer(id, "p0"),
                request_id,
                from: from.map(|(epoch, seq)| ResumePoint { epoch, seq }),
            },
            code: None,
        });
        let ServerMessage::Ok(ok) = &scene.answers[&(id, request_id)] else {
            panic!("attaching works");
        };
        assert_eq!((ok.outcome, ok.head), (Some(outcome), Some(head)));
        assert_eq!((ok.role, ok.seat), (Some(Role::Player), Some(0)));
        assert_eq!(scene.events(id), events);
    };
    let epoch = super::EPOCH;
    check(10, Some((epoch, head)), AttachOutcome::Events, vec![]);
    check(
        11,
        Some((epoch, head - 2)),
        AttachOutcome::Events,
        vec![head - 1, head],
    );
    let oldest = Some((epoch, head - 6));
    check(
        12,
        oldest,
        AttachOutcome::Events,
        (head - 5..=head).collect(),
    );
    check(13, Some((epoch, head - 7)), AttachOutcome::Snapshot, vec![]);
    check(14, Some((epoch, head + 1)), AttachOutcome::Snapshot, vec![]);
    check(15, Some((epoch + 1, head)), AttachOutcome::Snapshot, vec![]);
    check(16, None, AttachOutcome::Snapshot, vec![]);
}

#[test]
fn an_attachment_during_an_append_sees_the_durable_game() {
    let mut scene = Scene::playing(|_, _| {});
    let head = scene.journal.last().unwrap().seq.0;
    scene.ask(&peer(0, "p0"), pass("a1", 1));
    scene.attach(&peer(5, "p1"), Some(head));
    assert!(scene.events(5).is_empty());
    scene.store();
    let events = scene.events(5);
    assert_eq!(events.first(), Some(&(head + 1)));
    assert_eq!(events.last(), Some(&scene.journal.last().unwrap().seq.0));
}

#[test]
fn watching_a_private_game_needs_its_code_and_playing_does_not() {
    let mut scene = Scene::new(|_, parts| {
        parts.code = Some("ABC-23".to_owned());
        parts.facts.privacy = Privacy::Private;
    });
    let mut attach = |identity: &str, code: Option<&str>| {
        scene.asked += 1;
        let request_id = scene.asked;
        scene.input(RoomInput::Attach {
            attach: Attach {
                peer: peer(request_id, identity),
                request_id,
                from: None,
            },
            code: code.map(ToOwned::to_owned),
        });
        scene.outcome(request_id, request_id)
    };
    assert_eq!(attach("eve", None), Some(Err(ErrorCode::CodeRequired)));
    assert_eq!(
        attach("eve", Some("ABC24")),
        Some(Err(ErrorCode::WrongCode))
    );
    assert_eq!(attach("eve", Some("abc23")), Some(Ok(0)));
    assert_eq!(attach("p1", None), Some(Ok(0)));
}

#[test]
fn only_so_many_may_watch() {
    let mut scene = Scene::new(|_, parts| parts.bounds.spectators = 1);
    let first = scene.attach(&peer(8, "eve"), None);
    let second = scene.attach(&peer(9, "joe"), None);
    let again = scene.attach(&peer(8, "eve"), None);
    assert_eq!(scene.outcome(8, first), Some(Ok(0)));
    assert_eq!(scene.outcome(9, second), Some(Err(ErrorCode::Busy)));
    assert_eq!(scene.outcome(8, again), Some(Ok(0)));
    scene.asked += 1;
    let (peer, request_id) = (peer(8, "eve"), scene.asked);
    scene.input(RoomInput::Detach { peer, request_id });
    assert_eq!(scene.outcome(8, request_id), Some(Ok(0)));
    assert_eq!(scene.hub_head, None);
}

#[test]
fn a_crowd_is_told_seldom_and_rounded() {
    let mut scene = Scene::new(|_, _| {});
    for id in 100..150 {
        scene.attach(&peer(id, "eve"), None);
    }
    scene.wait_until(START_PLUS);
    let crowds = |scene: &Scene| -> Vec<u32> {
        let told = scene.shown.iter().filter_map(|message| match message {
            ServerMessage::Crowd(crowd) => Some(crowd.watching),
            _ => None,
        });
        told.collect()
    };
    assert_eq!(crowds(&scene), vec![1, 50]);
    assert_eq!(scene.room.summary().watching, 50);
}

/// Late enough for every notice to be told.
const START_PLUS: Timestamp = Timestamp(super::START.0 + 10_000);

#[test]
fn presence_is_a_notice_and_a_long_absence_an_event() {
    let mut scene = Scene::playing(|_, parts| parts.bounds.vanish_grace_ms = Millis(3_000));
    scene.wait_until(scene.now + Millis(1_000));
    let left_at = scene.now;
    scene.input(RoomInput::Gone(peer(1, "p1").id));
    assert!(matches!(
        scene.heard[&0].last(),
        Some(ServerMessage::Presence(presence)) if presence.seat == 1 && !presence.connected
    ));
    scene.wait_until(left_at + Millis(2_999));
    assert_eq!(scene.state().seats()[1].claim_at, None);
    scene.wait_until(left_at + Millis(3_000));
    assert!(scene.state().seats()[1].claim_at.is_some());
    scene.attach(&peer(6, "p1"), None);
    scene.store();
    assert_eq!(scene.state().seats()[1].claim_at, None);
    let bodies = scene.heard[&0].iter().filter_map(|message| match message {
        ServerMessage::Event(event) => Some(&event.body),
        _ => None,
    });
    let kinds: Vec<&str> = bodies.map(EventBody::kind).collect();
    assert!(
        kinds.ends_with(&["seat_vanished", "seat_returned"]),
        "{kinds:?}"
    );
}

/// Sixty times in a second a player leaves and comes back: the others hear of it once a second, and of the last state.
#[test]
fn a_player_who_comes_and_goes_is_told_about_seldom() {
    let mut scene = Scene::playing(|_, _| {});
    scene.wait_until(scene.now + Millis(10_000));
    let told = |scene: &Scene| -> Vec<bool> {
        let heard = scene.heard[&0].iter().filter_map(|message| match message {
            ServerMessage::Presence(presence) if presence.seat == 1 => Some(presence.connected),
            _ => None,
        });
        heard.collect()
    };
    let (began, before) = (scene.now, told(&scene).len());
    for round in 1..=60 {
        scene.input(RoomInput::Gone(peer(1, "p1").id));
        scene.wait_until(began + Millis(round * 15));
        scene.attach(&peer(1, "p1"), None);
    }
    assert_eq!(told(&scene)[before..], [false]);
    scene.wait_until(began + Millis(1_000));
    assert_eq!(told(&scene)[before..], [false, true]);
    scene.input(RoomInput::Gone(peer(1, "p1").id));
    scene.attach(&peer(1, "p1"), None);
    scene.input(RoomInput::Gone(peer(1, "p1").id));
    scene.wait_until(began + Millis(9_000));
    assert_eq!(told(&scene)[before..], [false, true, false]);
}

#[test]
fn a_short_absence_is_no_event() {
    let mut scene = Scene::playing(|_, parts| parts.bounds.vanish_grace_ms = Millis(3_000));
    let head = scene.journal.len();
    scene.input(RoomInput::Gone(peer(1, "p1").id));
    scene.wait_until(scene.now + Millis(2_000));
    scene.attach(&peer(6, "p1"), None);
    scene.wait_until(scene.now + Millis(20_000));
    assert_eq!(scene.journal.len(), head);
}

#[test]
fn a_command_received_before_a_deadline_goes_first() {
    let sudden = ClockKind::SuddenDeath { initial_ms: 10_000 };
    let mut scene = Scene::playing(|options, _| options.clock = sudden);
    let flag = scene.room.next_deadline().unwrap();
    // It is late when the room gets to look at both.
    scene.now = flag + Millis(50);
    let asked = scene.ask_at(&peer(0, "p0"), pass("a1", 1), flag - Millis(1));
    scene.store();
    assert!(matches!(scene.outcome(0, asked), Some(Ok(_))));
    scene.tick();
    scene.store();
    assert!(!scene.room.is_over());
    scene.wait_until(flag + Millis(20_000));
    let outcome = scene.state().outcome().unwrap();
    assert_eq!(outcome.reason, EndReason::Time);
    assert_eq!(outcome.winners, vec![Seat(0)]);
}

#[test]
fn a_game_without_ready_players_is_cancelled() {
    let mut scene = Scene::new(|options, _| options.timing.ready_ms = 5_000);
    scene.attach(&peer(0, "p0"), None);
    scene.ask(&peer(0, "p0"), ready("a1"));
    scene.store();
    scene.wait_until(super::START + Millis(5_000));
    let outcome = scene.state().outcome().unwrap();
    assert_eq!(outcome.reason, EndReason::Cancelled);
    assert!(
        scene
            .other
            .iter()
            .any(|e| matches!(e, RoomEffect::Ended(_)))
    );
}

#[test]
fn lists_hear_of_the_beginning_and_the_end_once() {
    let mut scene = Scene::playing(|_, _| {});
    scene.ask(&peer(0, "p0"), resign("a1"));
    scene.store();
    let count = |wanted: fn(&RoomEffect<super::TestPeer>) -> bool| {
        scene.other.iter().filter(|effect| wanted(effect)).count()
    };
    assert_eq!(count(|e| matches!(e, RoomEffect::Started(_))), 1);
    assert_eq!(count(|e| matches!(e, RoomEffect::Ended(_))), 1);
}

#[test]
fn a_finished_game_leaves_memory_with_its_last_client() {
    let mut scene = Scene::playing(|_, parts| parts.bounds.finished_idle_ms = Millis(1_000));
    scene.ask(&peer(0, "p0"), resign("a1"));
    scene.store();
    assert_eq!(scene.room.next_deadline(), None);
    scene.input(RoomInput::Gone(peer(0, "p0").id));
    scene.input(RoomInput::Gone(peer(1, "p1").id));
    let due = scene.room.next_deadline().unwrap();
    assert_eq!(due, scene.now + Millis(1_000));
    scene.now = due;
    scene.tick();
    assert_eq!(scene.other.last(), Some(&RoomEffect::Stop));
}

#[test]
fn stopping_finishes_the_append_and_refuses_the_rest() {
    let mut scene = Scene::playing(|_, _| {});
    let (ada, bob) = (peer(0, "p0"), peer(1, "p1"));
    let first = scene.ask(&ada, pass("a1", 1));
    let second = scene.ask(&bob, pass("b1", 2));
    scene.input(RoomInput::Stop);
    let third = scene.ask(&bob, pass("b2", 2));
    assert_eq!(scene.outcome(1, third), Some(Err(ErrorCode::ShuttingDown)));
    assert!(!scene.other.contains(&RoomEffect::Stop));
    assert!(matches!(scene.pending, Some(Pending::Append(_))));
    scene.store();
    assert!(matches!(scene.outcome(0, first), Some(Ok(_))));
    assert_eq!(scene.outcome(1, second), Some(Err(ErrorCode::ShuttingDown)));
    assert_eq!(scene.other.last(), Some(&RoomEffect::Stop));
}

/// A player with another window is called to its turn there; the connections that follow the game have the event.
#[test]
fn the_player_on_turn_is_called_once_for_each_turn() {
    let mut scene = Scene::playing(|_, _| {});
    scene.other.clear();
    let turn_no = scene.state().last_turn().0;
    scene.ask(&peer(0, "p0"), pass("a1", turn_no));
    scene.store();
    let calls = |scene: &Scene| {
        let calls = scene.other.iter().filter_map(|effect| match effect {
            RoomEffect::CallPlayer {
                identity,
                attached,
                message: ServerMessage::YourTurn(call),
            } => Some((identity.clone(), attached.clone(), call.turn_no)),
            _ => None,
        });
        calls.collect::<Vec<_>>()
    };
    let called = ("p1".to_owned(), vec![PeerId(1)], turn_no + 1);
    assert_eq!(calls(&scene), std::slice::from_ref(&called));
    scene.tick();
    scene.attach(&peer(5, "p1"), None);
    assert_eq!(calls(&scene), [called], "nothing is repeated");
}
