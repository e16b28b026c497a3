//! Which games fall asleep, when, and what wakes them.

use tilewire_protocol::{ErrorCode, GameSummary, Phase};
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::{Event, PublicEvent};
use tilewire_rules::options::GameOptions;
use tilewire_rules::time::Millis;

use super::{
    AppendError, Pending, RoomEffect, RoomInput, RoomParts, Scene, TestPeer, pass, peer, resign,
};

const HOUR_MS: Millis = Millis(3_600_000);
const IDLE_MS: Millis = Millis(5_000);
const LEAST_MS: Millis = Millis(60_000);

fn by_correspondence(options: &mut GameOptions, parts: &mut RoomParts) {
    options.clock = ClockKind::PerMove {
        limit_ms: HOUR_MS.0,
        bank_ms: 0,
    };
    parts.bounds.sleep_idle_ms = IDLE_MS;
    parts.bounds.sleep_min_ms = LEAST_MS;
}

/// A game by correspondence on its first turn, which both players have just left.
fn deserted() -> Scene {
    let mut scene = Scene::playing(by_correspondence);
    go(&mut scene, 0);
    go(&mut scene, 1);
    scene
}

fn go(scene: &mut Scene, id: u64) {
    scene.input(RoomInput::Gone(peer(id, "").id));
}

fn rest_of(scene: &mut Scene) -> super::Rest {
    match scene.pending.take() {
        Some(Pending::Rest(rest)) => rest,
        other => panic!("{other:?} is no rest"),
    }
}

fn has_stopped(scene: &Scene) -> bool {
    scene.other.contains(&RoomEffect::Stop)
}

/// The scene when it has been idle for long enough: the rest is in flight.
fn dozing() -> Scene {
    let mut scene = deserted();
    scene.now += IDLE_MS;
    scene.tick();
    assert!(matches!(scene.pending, Some(Pending::Rest(_))));
    scene
}

#[test]
fn a_deserted_game_by_correspondence_leaves_memory_until_its_deadline() {
    let mut scene = deserted();
    let deadline = scene.room.game().next_deadline().unwrap();
    assert_eq!(scene.room.next_deadline(), Some(scene.now + IDLE_MS));
    scene.now += IDLE_MS - Millis(1);
    scene.tick();
    assert!(scene.pending.is_none());
    scene.now += Millis(1);
    scene.tick();
    let rest = rest_of(&mut scene);
    assert_eq!(rest.wakes_at, deadline);
    assert_eq!(rest.after, scene.journal.last().unwrap().seq.0);
    assert!(rest.is_listed);
    let line: GameSummary = serde_json::from_slice(&rest.line).unwrap();
    assert_eq!(line, scene.room.summary());
    assert_eq!((line.phase, line.turn_no), (Phase::Running, 1));
    assert!(!has_stopped(&scene), "not before the storage has it");
    scene.keep(rest);
    scene.input(RoomInput::Rested(Ok(())));
    assert!(has_stopped(&scene));
}

fn sudden_death(options: &mut GameOptions, parts: &mut RoomParts) {
    by_correspondence(options, parts);
    options.clock = ClockKind::SuddenDeath {
        initial_ms: HOUR_MS.0,
    };
}

/// The kinds of the last events.
fn last_events(scene: &Scene, count: usize) -> Vec<&PublicEvent> {
    let from = scene.journal.len() - count;
    let events = scene.journal[from..].iter().map(|record| &record.event);
    events
        .map(|event| match event {
            Event::Public(event) => event,
            other => panic!("{other:?} is not public"),
        })
        .collect()
}

#[test]
fn games_of_every_clock_sleep_after_their_players_are_away_by_the_rules() {
    let clocks = [
        ClockKind::Untimed,
        ClockKind::SuddenDeath {
            initial_ms: 24 * HOUR_MS.0,
        },
        ClockKind::PerMove {
            limit_ms: (HOUR_MS - Millis(1)).0,
            bank_ms: 24 * HOUR_MS.0,
        },
    ];
    for clock in clocks {
        let mut scene = Scene::playing(|options, parts| {
            by_correspondence(options, parts);
            options.clock = clock;
            parts.bounds.vanish_grace_ms = IDLE_MS * 2;
        });
        scene.room.set_lost(Millis(77));
        go(&mut scene, 0);
        go(&mut scene, 1);
        if clock.is_live() {
            let until = scene.now + IDLE_MS * 2;
            assert_eq!(scene.room.next_deadline(), Some(until), "{clock:?}");
            scene.wait_until(until);
            let away = last_events(&scene, 2);
            let is_away = |event: &&PublicEvent| matches!(event, PublicEvent::SeatVanished { .. });
            assert!(away.iter().all(is_away), "{away:?}");
        }
        assert!(scene.kept.is_none() && !has_stopped(&scene), "{clock:?}");
        let until = scene.now + IDLE_MS;
        scene.wait_until(until);
        let kept = scene.kept.as_ref().map(|rest| rest.lost_ms);
        assert_eq!(kept, Some(Millis(77)), "{clock:?}");
        assert!(has_stopped(&scene), "{clock:?}");
    }
}

#[test]
fn a_stall_while_a_game_falls_asleep_is_credited_first() {
    let mut scene = Scene::playing(sudden_death);
    scene.room.set_lost(Millis(77));
    go(&mut scene, 0);
    go(&mut scene, 1);
    while !matches!(scene.pending, Some(Pending::Rest(_))) {
        scene.store();
        scene.now = scene.room.next_deadline().unwrap();
        scene.tick();
    }
    let stopped_at = scene.now;
    scene.now += LEAST_MS;
    scene.room.set_lost(LEAST_MS + Millis(77));
    scene.input(RoomInput::Resumed { stopped_at });
    scene.store();
    assert!(scene.kept.is_none() && !has_stopped(&scene));
    let resumed = scene.now;
    let credit = last_events(&scene, 1);
    assert!(
        matches!(credit[0], PublicEvent::ClockCredited { stopped_at: from, resumed_at, .. }
            if (*from, *resumed_at) == (stopped_at, resumed)),
        "{credit:?}"
    );
    scene.wait_until(resumed + IDLE_MS);
    let kept = scene.kept.as_ref().map(|rest| rest.lost_ms);
    assert_eq!(kept, Some(LEAST_MS + Millis(77)));
    assert!(has_stopped(&scene));
}

#[test]
fn a_game_with_attached_clients_does_not_sleep() {
    let mut scene = Scene::playing(by_correspondence);
    let eve = peer(9, "eve");
    scene.attach(&eve, None);
    for id in [0, 1] {
        go(&mut scene, id);
        let until = scene.now + IDLE_MS * 10;
        scene.wait_until(until);
        assert!(scene.kept.is_none(), "a player or a spectator is here");
    }
    go(&mut scene, 9);
    let until = scene.now + IDLE_MS;
    scene.wait_until(until);
    assert!(scene.kept.is_some() && has_stopped(&scene));
}

#[test]
fn a_game_whose_deadline_is_near_waits_for_it_in_memory() {
    let mut scene = deserted();
    let deadline = scene.room.game().next_deadline().unwrap();
    // A client attached a minute before the flag falls.
    scene.now = deadline - LEAST_MS - IDLE_MS + Millis(1);
    scene.attach(&peer(5, "p0"), None);
    go(&mut scene, 5);
    assert_eq!(scene.room.next_deadline(), Some(deadline));
    scene.wait_until(deadline);
    assert!(scene.kept.is_none());
    assert!(scene.room.is_over(), "its flag has fallen");
    assert_eq!(scene.journal.last().unwrap().at, deadline);
}

/// The machine was suspended: the tick that was to put the game to sleep comes when its deadline is near.
#[test]
fn a_tick_that_comes_too_late_puts_nothing_to_sleep_and_comes_once() {
    let mut scene = deserted();
    let deadline = scene.room.game().next_deadline().unwrap();
    scene.now = deadline - LEAST_MS + Millis(1);
    scene.tick();
    assert!(scene.pending.is_none());
    assert_eq!(scene.room.next_deadline(), Some(deadline));
}

#[test]
fn whoever_comes_while_it_falls_asleep_finds_it_awake() {
    let comes: [fn(&mut Scene, &TestPeer) -> u64; 2] = [
        |scene, ada| scene.attach(ada, None),
        |scene, ada| scene.ask(ada, pass("a1", 1)),
    ];
    for come in comes {
        let mut scene = dozing();
        let ada = peer(5, "p0");
        let asked = come(&mut scene, &ada);
        scene.store();
        assert!(!has_stopped(&scene));
        assert!(matches!(scene.outcome(5, asked), Some(Ok(_))));
        // It goes on as if nothing had been.
        go(&mut scene, 5);
        let head = scene.journal.last().unwrap().seq.0;
        let until = scene.now + IDLE_MS;
        scene.wait_until(until);
        assert_eq!(scene.kept.as_ref().map(|rest| rest.after), Some(head));
        assert!(has_stopped(&scene));
    }
}

#[test]
fn a_storage_that_does_not_keep_it_is_asked_again_when_it_has_been_idle_once_more() {
    let errors = [
        AppendError::Unavailable(String::new()),
        AppendError::OutcomeUnknown(String::new()),
        AppendError::Conflict { head: 99 },
    ];
    for error in errors {
        let mut scene = dozing();
        rest_of(&mut scene);
        scene.input(RoomInput::Rested(Err(error)));
        assert!(!has_stopped(&scene));
        assert_eq!(scene.room.next_deadline(), Some(scene.now + IDLE_MS));
        let asked = scene.ask(&peer(0, "p0"), pass("a1", 1));
        scene.store();
        assert!(matches!(scene.outcome(0, asked), Some(Ok(_))));
        let until = scene.now + IDLE_MS;
        scene.wait_until(until);
        assert!(has_stopped(&scene));
    }
}

#[test]
fn a_storage_that_takes_long_about_it_is_announced_like_any_other() {
    let mut scene = dozing();
    let ada = peer(5, "p0");
    scene.attach(&ada, None);
    let waiting = scene.ask(&ada, pass("a1", 1));
    scene.now = scene.room.next_deadline().unwrap();
    scene.tick();
    assert_eq!(
        scene.outcome(5, waiting),
        Some(Err(ErrorCode::StoragePaused))
    );
    assert!(scene.heard[&5].iter().any(|told| told.op() == "paused"));
    let head = scene.journal.len();
    scene.store();
    assert!(scene.heard[&5].iter().any(|told| told.op() == "unpaused"));
    assert_eq!(scene.journal.len(), head, "nothing is credited");
    let asked = scene.ask(&ada, pass("a2", 1));
    scene.store();
    assert!(matches!(scene.outcome(5, asked), Some(Ok(_))));
}

#[test]
fn a_server_that_stops_does_not_wait_for_it() {
    let mut scene = dozing();
    scene.input(RoomInput::Stop);
    assert!(has_stopped(&scene));
}

#[test]
fn a_game_that_is_over_does_not_sleep() {
    let mut scene = Scene::playing(by_correspondence);
    scene.ask(&peer(0, "p0"), resign("a1"));
    scene.store();
    go(&mut scene, 0);
    go(&mut scene, 1);
    let evicted_at = scene.now + scene.room.parts.bounds.finished_idle_ms;
    assert_eq!(scene.room.next_deadline(), Some(evicted_at));
    scene.now = evicted_at;
    scene.tick();
    assert!(scene.pending.is_none());
    assert!(has_stopped(&scene), "but it leaves memory");
}

#[test]
fn a_fenced_rest_ends_the_room() {
    let mut scene = dozing();
    rest_of(&mut scene);
    scene.input(RoomInput::Rested(Err(AppendError::Fenced)));
    assert_eq!(scene.other.last(), Some(&RoomEffect::Stop));
    assert!(scene.other.contains(&RoomEffect::Fenced));
}
