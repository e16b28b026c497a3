//! A journal that fails in every way it may.

use tilewire_protocol::{ErrorCode, ServerMessage};
use tilewire_rules::event::{Event, PublicEvent};
use tilewire_rules::time::Millis;

use super::{AppendError, Pending, RoomEffect, RoomInput, Scene, pass, peer};

fn unavailable() -> AppendError {
    AppendError::Unavailable("test".to_owned())
}

fn unknown() -> AppendError {
    AppendError::OutcomeUnknown("test".to_owned())
}

fn has(messages: &[ServerMessage], op: &str) -> bool {
    messages.iter().any(|message| message.op() == op)
}

#[test]
fn a_game_waits_for_the_storage_says_so_and_credits_the_time() {
    let mut scene = Scene::playing(|_, _| {});
    let (ada, bob) = (peer(0, "p0"), peer(1, "p1"));
    let asked_at = scene.now;
    let asked = scene.ask(&ada, pass("a1", 1));
    let queued = scene.ask(&bob, pass("b1", 2));
    scene.fail(unavailable());
    assert!(has(&scene.heard[&0], "paused") && has(&scene.heard[&1], "paused"));
    assert_eq!(
        scene.outcome(1, queued),
        Some(Err(ErrorCode::StoragePaused))
    );
    let refused = scene.ask(&bob, pass("b2", 2));
    assert_eq!(
        scene.outcome(1, refused),
        Some(Err(ErrorCode::StoragePaused))
    );
    // A client that attaches now learns of the pause.
    scene.attach(&peer(7, "p1"), None);
    assert!(has(&scene.heard[&7], "paused"));
    for pause_ms in [100, 200, 400] {
        let due = scene.room.next_deadline().unwrap();
        assert_eq!(due, scene.now + Millis(pause_ms));
        scene.now = due;
        scene.tick();
        scene.fail(unavailable());
    }
    scene.now = scene.room.next_deadline().unwrap();
    scene.tick();
    scene.store();
    assert!(matches!(scene.outcome(0, asked), Some(Ok(_))));
    assert!(has(&scene.heard[&0], "unpaused"));
    let credited = scene.journal.last().unwrap();
    let Event::Public(PublicEvent::ClockCredited {
        stopped_at,
        resumed_at,
        ..
    }) = &credited.event
    else {
        panic!("{credited:?} is no credit");
    };
    assert_eq!((*stopped_at, *resumed_at), (asked_at, scene.now));
}

#[test]
fn an_append_that_takes_long_is_announced_too() {
    let mut scene = Scene::playing(|_, parts| parts.bounds.storage_stall_ms = Millis(500));
    scene.ask(&peer(0, "p0"), pass("a1", 1));
    scene.now = scene.room.next_deadline().unwrap();
    scene.tick();
    assert!(has(&scene.heard[&1], "paused"));
    scene.now += Millis(1_000);
    scene.store();
    assert!(has(&scene.heard[&1], "unpaused"));
}

#[test]
fn an_append_that_was_stored_after_all_is_not_repeated() {
    let mut scene = Scene::playing(|_, _| {});
    let asked = scene.ask(&peer(0, "p0"), pass("a1", 1));
    let queued = scene.ask(&peer(1, "p1"), pass("b1", 2));
    let append = scene.fail(unknown());
    scene.write(&append);
    scene.fail_load();
    scene.now = scene.room.next_deadline().unwrap();
    scene.tick();
    scene.store();
    let answer = scene.outcome(0, asked);
    assert!(matches!(answer, Some(Ok(_))));
    assert!(scene.outcome(1, queued).is_some());
    let retried = scene.ask(&peer(0, "p0"), pass("a1", 1));
    scene.store();
    assert_eq!(scene.outcome(0, retried), answer);
}

#[test]
fn an_append_that_was_not_stored_is_decided_again() {
    let mut scene = Scene::playing(|_, _| {});
    let asked = scene.ask(&peer(0, "p0"), pass("a1", 1));
    scene.fail(unknown());
    assert!(matches!(scene.pending, Some(Pending::Load)));
    scene.store();
    assert!(matches!(scene.outcome(0, asked), Some(Ok(_))));
    let head = scene.journal.last().unwrap().seq.0;
    assert_eq!(scene.events(1).last(), Some(&head));
}

#[test]
fn an_outage_that_was_not_stored_is_credited_again() {
    let mut scene = Scene::playing(|_, _| {});
    let stopped_at = scene.now;
    scene.now += Millis(9_000);
    scene.input(RoomInput::Resumed { stopped_at });
    scene.fail(unknown());
    scene.store();
    let credits = |record: &&tilewire_rules::event::Record| matches!(&record.event, Event::Public(PublicEvent::ClockCredited { stopped_at: since, .. }) if *since == stopped_at);
    assert_eq!(scene.journal.iter().filter(credits).count(), 1);
    // It was stored, and only the answer got lost: that is no second outage.
    let stopped_at = scene.now;
    scene.now += Millis(4_000);
    scene.input(RoomInput::Resumed { stopped_at });
    let append = scene.fail(unknown());
    scene.write(&append);
    scene.store();
    let last = scene.journal.last().unwrap();
    assert!(matches!(
        &last.event,
        Event::Public(PublicEvent::ClockCredited { .. })
    ));
    assert!(scene.pending.is_none());
}

#[test]
fn an_absence_that_was_not_stored_is_reported_again() {
    let mut scene = Scene::playing(|_, parts| parts.bounds.vanish_grace_ms = Millis(1_000));
    scene.input(RoomInput::Gone(peer(1, "p1").id));
    scene.now = scene.room.next_deadline().unwrap();
    scene.tick();
    scene.fail(unknown());
    scene.store();
    scene.now = scene.room.next_deadline().unwrap();
    scene.tick();
    scene.store();
    let vanished = scene.journal.last().map(|record| &record.event);
    assert!(matches!(
        vanished,
        Some(Event::Public(PublicEvent::SeatVanished { .. }))
    ));
}

#[test]
fn records_of_another_node_are_adopted() {
    let mut scene = Scene::playing(|_, _| {});
    let mut other = Scene::playing(|_, _| {});
    assert_eq!(scene.journal, other.journal);
    other.ask(&peer(0, "p0"), pass("elsewhere", 1));
    other.store();
    let asked = scene.ask(&peer(0, "p0"), pass("a1", 1));
    scene.journal = other.journal;
    let head = scene.journal.last().unwrap().seq.0;
    scene.fail(AppendError::Conflict { head });
    scene.store();
    let refusal = Some(Err(ErrorCode::NotYourTurn));
    assert_eq!(scene.outcome(0, asked), refusal);
    assert_eq!(scene.events(1).last(), Some(&head));
}

#[test]
fn a_log_that_contradicts_what_was_told_ends_the_room() {
    let mut scene = Scene::playing(|_, _| {});
    let asked = scene.ask(&peer(0, "p0"), pass("a1", 1));
    scene.fail(unknown());
    let last = scene.journal.len() - 1;
    scene.journal[last].at.0 += 1;
    scene.store();
    assert_eq!(scene.outcome(0, asked), Some(Err(ErrorCode::Internal)));
    let broken = |effect: &RoomEffect<_>| matches!(effect, RoomEffect::Broken(_));
    assert!(scene.other.iter().any(broken));
}

#[test]
fn stopping_does_not_wait_for_a_storage_that_is_away() {
    let mut scene = Scene::playing(|_, _| {});
    let asked = scene.ask(&peer(0, "p0"), pass("a1", 1));
    scene.fail(unavailable());
    scene.input(RoomInput::Stop);
    assert_eq!(scene.outcome(0, asked), Some(Err(ErrorCode::ShuttingDown)));
    assert_eq!(scene.other.last(), Some(&RoomEffect::Stop));
}

/// A game that moves to another node finishes its append and answers it. What waits behind it may be asked again there.
#[test]
fn a_game_that_moves_finishes_its_append_and_refuses_the_rest() {
    let mut scene = Scene::playing(|_, _| {});
    let asked = scene.ask(&peer(0, "p0"), pass("a1", 1));
    let queued = scene.ask(&peer(1, "p1"), pass("b1", 2));
    scene.other.clear();
    scene.input(RoomInput::HandOver);
    assert!(
        !scene.other.contains(&RoomEffect::Stop),
        "an append is in flight"
    );
    let late = scene.ask(&peer(1, "p1"), pass("b2", 2));
    assert_eq!(scene.outcome(1, late), Some(Err(ErrorCode::Busy)));
    scene.store();
    assert!(matches!(scene.outcome(0, asked), Some(Ok(_))));
    assert_eq!(scene.outcome(1, queued), Some(Err(ErrorCode::Busy)));
    assert_eq!(scene.other.last(), Some(&RoomEffect::Stop));
}

/// A node that no longer owns a game sends nothing about it, because it does not know the current state.
#[test]
fn a_fenced_room_refuses_its_requests_announces_nothing_and_stops() {
    let mut scene = Scene::playing(|_, _| {});
    let asked = scene.ask(&peer(0, "p0"), pass("a1", 1));
    let queued = scene.ask(&peer(1, "p1"), pass("b1", 2));
    let (heard, shown) = (scene.heard.clone(), scene.shown.clone());
    scene.other.clear();
    scene.fail(AppendError::Fenced);
    assert_eq!(scene.other.first(), Some(&RoomEffect::Fenced));
    assert_eq!(scene.outcome(0, asked), Some(Err(ErrorCode::Busy)));
    assert_eq!(scene.outcome(1, queued), Some(Err(ErrorCode::Busy)));
    for _ in 0..3 {
        scene.now += Millis(60_000);
        scene.tick();
        assert!(scene.pending.is_none(), "no retry");
    }
    assert_eq!((&scene.heard, &scene.shown), (&heard, &shown));
}
