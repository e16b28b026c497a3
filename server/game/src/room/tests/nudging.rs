//! Nudges: shown when stored, found in snapshots, and claimed by an opponent only.

use tilewire_protocol::{Claim, ClientMessage, GameCommand, ServerMessage};
use tilewire_rules::event::{EndReason, Event, PublicEvent};
use tilewire_rules::time::Millis;

use super::aborting::has_event;
use super::{Scene, peer};

fn command(cmd_id: &str) -> GameCommand {
    GameCommand {
        game: "g1".into(),
        cmd_id: cmd_id.into(),
    }
}

/// Seat 1 nudges seat 0 as soon as it can.
fn nudged(scene: &mut Scene) {
    scene.now += Millis(180_000);
    scene.tick();
    let asked = scene.ask(&peer(1, "p1"), ClientMessage::Nudge(command("n1")));
    assert!(!has_event(&scene.heard[&0], "nudged"), "not stored yet");
    scene.store();
    assert!(matches!(scene.outcome(1, asked), Some(Ok(_))));
    assert!(has_event(&scene.heard[&0], "nudged"));
}

#[test]
fn a_nudge_is_in_snapshots_and_an_answer_ends_it() {
    let mut scene = Scene::playing(|_, _| {});
    nudged(&mut scene);
    // A connection that comes later finds it in its snapshot.
    scene.attach(&peer(7, "p0"), None);
    let shown = scene.heard[&7].iter().find_map(|message| match message {
        ServerMessage::Snapshot(snapshot) => snapshot.nudge,
        _ => None,
    });
    let shown = shown.expect("the snapshot has the nudge");
    let claim_at = scene.now + Millis(120_000);
    let told = (shown.seat, shown.target, shown.claim_at);
    assert_eq!(told, (1, 0, Some(claim_at.0)));
    let here = scene.ask(&peer(0, "p0"), ClientMessage::Here(command("h1")));
    scene.store();
    assert!(matches!(scene.outcome(0, here), Some(Ok(_))));
    for seat in [0, 1] {
        assert!(has_event(&scene.heard[&seat], "nudge_answered"));
    }
    assert_eq!(scene.state().nudge(), None);
}

/// The room does nothing by itself when the time for an answer is over.
#[test]
fn only_an_opponent_ends_the_game_of_a_silent_player() {
    let mut scene = Scene::playing(|_, _| {});
    nudged(&mut scene);
    scene.now += Millis(120_000);
    let before = scene.journal.len();
    scene.tick();
    assert_eq!(scene.journal.len(), before);
    let claim = ClientMessage::Claim(Claim {
        game: "g1".into(),
        cmd_id: "c1".into(),
        seat: 0,
    });
    let asked = scene.ask(&peer(1, "p1"), claim);
    scene.store();
    assert!(matches!(scene.outcome(1, asked), Some(Ok(_))));
    let last = scene.journal.last().expect("a record");
    let Event::Public(PublicEvent::Ended(ended)) = &last.event else {
        panic!("{last:?} is the end");
    };
    assert_eq!(ended.reason, EndReason::Abandonment);
}
