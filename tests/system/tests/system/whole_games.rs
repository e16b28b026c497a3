//! Whole games of the real programs: a server process, and processes of players and a spectator.

use tilewire_harness::matches::{Match, Seen};
use tilewire_harness::server::Server;

fn play_with_everything(seats: usize) {
    let server = Server::start("");
    let options = ["--clock", "sudden:25m", "--challenge", "double"];
    let mut game = Match::start(&server, seats, &options);
    let mut seen = Seen::default();
    game.play_out(&mut seen);
    let ended = game.people[0].fold.events.last().cloned().expect("events");
    assert_eq!(ended["reason"], "out_play", "{ended}");
    assert!(
        seen.upheld && seen.failed && seen.hold && seen.exchange && seen.pass && seen.blank,
        "the game had everything: {seen:?}"
    );
    game.check();
}

/// Two players and a spectator: a successful and a failed challenge, a hold, an exchange, a pass, a blank and an
/// out-play whose final challenge is waived; all agree on every event and score, and the bytes hide what is hidden.
#[test]
fn two_players_and_a_spectator() {
    play_with_everything(2);
}

/// The same with four players, where a failed challenge costs a turn that falls due later.
#[test]
fn four_players_and_a_spectator() {
    play_with_everything(4);
}
