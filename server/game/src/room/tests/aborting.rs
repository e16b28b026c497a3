//! Requests to abort a rated game: shown when stored, and declined by the room's own deadline.

use tilewire_protocol::{ClientMessage, GameCommand, ServerMessage};
use tilewire_rules::event::{AbortDecline, Event, PublicEvent};
use tilewire_rules::time::Millis;

use super::{Scene, peer};

pub(super) fn abort(cmd_id: &str) -> ClientMessage {
    ClientMessage::Abort(GameCommand {
        game: "g1".into(),
        cmd_id: cmd_id.into(),
    })
}

pub(super) fn has_event(messages: &[ServerMessage], kind: &str) -> bool {
    messages.iter().any(|message| match message {
        ServerMessage::Event(event) => event.body.kind() == kind,
        _ => false,
    })
}

#[test]
fn silence_declines_a_request_at_the_rooms_deadline() {
    let mut scene = Scene::playing(|options, _| options.rated = true);
    let ada = peer(0, "p0");
    let asked = scene.ask(&ada, abort("a1"));
    let asks = "abort_requested";
    assert!(!has_event(&scene.heard[&1], asks), "not stored yet");
    scene.store();
    assert!(matches!(scene.outcome(0, asked), Some(Ok(_))));
    assert!(has_event(&scene.heard[&1], asks));
    // A connection that comes later finds the request in its snapshot.
    scene.attach(&peer(7, "p1"), None);
    let until = scene.now + Millis(60_000);
    let shown = scene.heard[&7].iter().find_map(|message| match message {
        ServerMessage::Snapshot(snapshot) => snapshot.abort_request,
        _ => None,
    });
    let shown = shown.expect("the snapshot has the request");
    assert_eq!((shown.seat, shown.until), (0, until.0));
    assert_eq!(scene.room.next_deadline(), Some(until));
    scene.now = until;
    scene.tick();
    scene.store();
    let last = scene.journal.last().expect("a record");
    let is_expired = matches!(
        last.event,
        Event::Public(PublicEvent::AbortDeclined {
            reason: AbortDecline::Expired,
            ..
        })
    );
    assert!(is_expired, "{last:?}");
    for seat in [0, 1] {
        assert!(has_event(&scene.heard[&seat], "abort_declined"));
    }
}
