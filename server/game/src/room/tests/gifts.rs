//! Given time: told when stored, on the clock that the flag follows, and refusals in snapshots.

use tilewire_protocol::{ClientMessage, ErrorCode, GameCommand, GiveTime, ServerMessage};
use tilewire_rules::clock::ClockKind;
use tilewire_rules::state::Phase;
use tilewire_rules::time::Millis;

use super::aborting::has_event;
use super::{Scene, peer};

const INITIAL_MS: i64 = 60_000;
const GIFT_MS: i64 = 15_000;

/// Time for another seat.
pub(super) fn gift(cmd_id: &str, seat: u8) -> ClientMessage {
    ClientMessage::GiveTime(GiveTime {
        game: "g1".into(),
        cmd_id: cmd_id.into(),
        seat,
        time_ms: Some(GIFT_MS),
    })
}

/// The command of a seat that takes no time.
pub(super) fn refusal(cmd_id: &str) -> ClientMessage {
    ClientMessage::RefuseTime(GameCommand {
        game: "g1".into(),
        cmd_id: cmd_id.into(),
    })
}

fn timed() -> Scene {
    Scene::playing(|options, _| {
        options.clock = ClockKind::SuddenDeath {
            initial_ms: INITIAL_MS,
        };
    })
}

#[test]
fn given_time_is_told_when_it_is_stored_and_moves_the_flag() {
    let mut scene = timed();
    let flag = scene.now + Millis(INITIAL_MS);
    let asked = scene.ask(&peer(1, "p1"), gift("g1", 0));
    assert!(!has_event(&scene.heard[&0], "time_given"), "not stored yet");
    scene.store();
    assert!(matches!(scene.outcome(1, asked), Some(Ok(_))));
    for seat in [0, 1] {
        assert!(has_event(&scene.heard[&seat], "time_given"));
    }
    scene.wait_until(flag + Millis(GIFT_MS - 1));
    assert_eq!(scene.state().phase(), Phase::Running);
    scene.wait_until(flag + Millis(GIFT_MS));
    assert_eq!(scene.state().phase(), Phase::Ended);
}

#[test]
fn a_refusal_is_in_snapshots_and_holds() {
    let mut scene = timed();
    let refused = scene.ask(&peer(0, "p0"), refusal("r1"));
    scene.store();
    assert!(matches!(scene.outcome(0, refused), Some(Ok(_))));
    scene.attach(&peer(7, "p1"), None);
    let shown = scene.heard[&7].iter().find_map(|message| match message {
        ServerMessage::Snapshot(snapshot) => Some(snapshot.time_refused.clone()),
        _ => None,
    });
    assert_eq!(shown, Some(vec![0]));
    let asked = scene.ask(&peer(1, "p1"), gift("g1", 0));
    scene.store();
    let outcome = scene.outcome(1, asked);
    assert!(
        matches!(outcome, Some(Err(ErrorCode::TimeRefused))),
        "{outcome:?}"
    );
}
