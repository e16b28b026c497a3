//! Deadlines of a game whose player is connected to another node: a command that was read there in time is on its way.

use tilewire_protocol::ErrorCode;
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::EndReason;
use tilewire_rules::time::{Millis, Timestamp};

use super::commands::pass;
use super::{Scene, TestPeer, peer};

const INITIAL_MS: i64 = 10_000;
const WAIT_MS: Millis = Millis(50);

/// The connection of the player on turn to another node, the game, and the time of the flag.
fn at_another_node() -> (TestPeer, Scene, Timestamp) {
    let mut scene = Scene::playing(|options, parts| {
        options.clock = ClockKind::SuddenDeath {
            initial_ms: INITIAL_MS,
        };
        parts.bounds.deadline_wait_ms = WAIT_MS;
    });
    let flag = scene.room.next_deadline().unwrap();
    assert_eq!(flag, scene.now + Millis(INITIAL_MS));
    let player = TestPeer {
        is_elsewhere: true,
        ..peer(7, "p0")
    };
    scene.attach(&player, None);
    scene.now = flag + WAIT_MS - Millis(1);
    scene.tick();
    assert!(!scene.room.is_over(), "a command may be on its way");
    (player, scene, flag)
}

#[test]
fn a_command_that_was_read_before_the_deadline_goes_first() {
    let (player, mut scene, flag) = at_another_node();
    let asked = scene.ask_at(&player, pass("a1", 1), flag - Millis(1));
    scene.store();
    assert!(matches!(scene.outcome(7, asked), Some(Ok(_))));
    scene.wait_until(flag + WAIT_MS);
    assert!(!scene.room.is_over());
}

#[test]
fn a_command_that_was_read_at_the_deadline_is_late() {
    let (player, mut scene, flag) = at_another_node();
    let asked = scene.ask_at(&player, pass("a1", 1), flag);
    assert!(!scene.room.is_over(), "an earlier one may be on its way");
    scene.wait_until(flag + WAIT_MS);
    assert!(matches!(
        scene.outcome(7, asked),
        Some(Err(ErrorCode::GameOver))
    ));
    assert!(scene.room.is_over());
}

/// A later command would make the deadline fall, so it waits too.
#[test]
fn a_command_of_another_player_waits_with_the_deadline() {
    let (player, mut scene, flag) = at_another_node();
    let opponent = peer(8, "p1");
    let late = scene.ask_at(&opponent, pass("b1", 2), flag + Millis(10));
    assert_eq!(scene.outcome(8, late), None);
    let asked = scene.ask_at(&player, pass("a1", 1), flag - Millis(1));
    scene.store();
    assert!(matches!(scene.outcome(7, asked), Some(Ok(_))));
    scene.store();
    assert!(matches!(scene.outcome(8, late), Some(Ok(_))));
    assert!(!scene.room.is_over());
}

#[test]
fn the_deadline_falls_after_the_wait_and_at_its_own_time() {
    let (_, mut scene, flag) = at_another_node();
    scene.wait_until(flag + WAIT_MS);
    assert_eq!(scene.state().outcome().unwrap().reason, EndReason::Time);
    assert_eq!(scene.journal.last().unwrap().at, flag);
}

#[test]
fn nothing_waits_when_that_connection_has_ended() {
    let (player, mut scene, flag) = at_another_node();
    scene.input(super::RoomInput::Gone(player.id));
    assert_eq!(scene.room.next_deadline(), Some(flag));
    scene.tick();
    scene.store();
    assert!(scene.room.is_over());
}
