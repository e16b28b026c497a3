//! Adjourned games: a deserted one leaves memory without a credit of lost time, and a player who was ready and comes back is ready again.

use tilewire_protocol::{AnswerAdjourn, ClientMessage, GameCommand, ServerMessage};
use tilewire_rules::event::{Event, PublicEvent};
use tilewire_rules::time::Millis;

use super::aborting::has_event;
use super::{Pending, RoomInput, Scene, peer};

const DAY: Millis = Millis(24 * 3_600_000);

fn command(cmd_id: &str) -> GameCommand {
    GameCommand {
        game: "g1".into(),
        cmd_id: cmd_id.into(),
    }
}

/// A live game that its players have adjourned.
fn adjourned() -> Scene {
    let mut scene = Scene::playing(|_, parts| {
        parts.bounds.sleep_idle_ms = Millis(5_000);
        parts.bounds.sleep_min_ms = Millis(60_000);
        parts.bounds.vanish_grace_ms = Millis(1_000);
    });
    scene.ask(&peer(0, "p0"), ClientMessage::Adjourn(command("a1")));
    scene.store();
    let agree = ClientMessage::AnswerAdjourn(AnswerAdjourn {
        game: "g1".into(),
        cmd_id: "a2".into(),
        agree: true,
    });
    let asked = scene.ask(&peer(1, "p1"), agree);
    assert!(!has_event(&scene.heard[&0], "adjourned"), "not stored yet");
    scene.store();
    assert!(matches!(scene.outcome(1, asked), Some(Ok(_))));
    assert!(has_event(&scene.heard[&0], "adjourned"));
    scene
}

fn resume(scene: &mut Scene, seat: u64, cmd_id: &str) {
    let who = peer(seat, &format!("p{seat}"));
    let asked = scene.ask(&who, ClientMessage::ResumeGame(command(cmd_id)));
    scene.store();
    assert!(matches!(scene.outcome(seat, asked), Some(Ok(_))));
}

#[test]
fn a_deserted_adjourned_game_sleeps_until_its_end() {
    let mut scene = adjourned();
    let until = scene.now + Millis(14 * DAY.0);
    for seat in [0, 1] {
        scene.input(RoomInput::Gone(peer(seat, "").id));
    }
    // The absences are nothing that the rules have to know.
    assert_eq!(scene.room.next_deadline(), Some(scene.now + Millis(5_000)));
    let records = scene.journal.len();
    scene.now += Millis(5_000);
    scene.tick();
    assert_eq!(scene.journal.len(), records);
    match scene.pending.take() {
        Some(Pending::Rest(rest)) => assert_eq!(rest.wakes_at, until),
        other => panic!("{other:?} is no rest"),
    }
}

#[test]
fn an_outage_of_an_adjourned_game_is_not_credited() {
    let mut scene = adjourned();
    let stopped_at = scene.now;
    let records = scene.journal.len();
    scene.now += DAY;
    scene.input(RoomInput::Resumed { stopped_at });
    scene.tick();
    assert_eq!(scene.journal.len(), records);
    assert!(!scene.room.owes_credit());
    for seat in [0, 1] {
        resume(&mut scene, seat, "r");
    }
    let last = scene.journal.last().expect("a record");
    assert!(
        matches!(last.event, Event::Public(PublicEvent::Resumed { .. })),
        "{last:?}"
    );
    assert_eq!(last.at, scene.now);
}

#[test]
fn a_player_who_was_ready_and_comes_back_is_ready_again() {
    let mut scene = adjourned();
    resume(&mut scene, 0, "r1");
    // A connection that comes later finds who is ready in its snapshot.
    scene.attach(&peer(7, "p1"), None);
    let shown = scene.heard[&7].iter().find_map(|message| match message {
        ServerMessage::Snapshot(snapshot) => snapshot.adjourned.clone(),
        _ => None,
    });
    assert_eq!(shown.expect("the game is adjourned").ready, [0]);
    scene.input(RoomInput::Gone(peer(0, "").id));
    let due = scene.now + Millis(1_000);
    assert_eq!(scene.room.next_deadline(), Some(due));
    scene.wait_until(due);
    assert!(has_event(&scene.heard[&1], "not_ready_to_resume"));
    resume(&mut scene, 1, "r2");
    assert!(scene.state().adjournment().is_some());
    scene.attach(&peer(0, "p0"), None);
    scene.store();
    assert!(scene.state().adjournment().is_none());
    assert!(has_event(&scene.heard[&0], "resumed"));
}
