//! Commands of players.

use tilewire_protocol::{ClientMessage, GameCommand, Pass, PlayCommand, Ready};
use tilewire_rules::event::Player;
use tilewire_rules::time::Seat;

pub(super) fn ready(cmd_id: &str) -> ClientMessage {
    ClientMessage::Ready(Ready {
        game: "g1".into(),
        cmd_id: cmd_id.into(),
        nonce: None,
    })
}

pub(super) fn pass(cmd_id: &str, turn_no: u32) -> ClientMessage {
    ClientMessage::Pass(Pass {
        game: "g1".into(),
        cmd_id: cmd_id.into(),
        turn_no,
    })
}

pub(super) fn resign(cmd_id: &str) -> ClientMessage {
    ClientMessage::Resign(GameCommand {
        game: "g1".into(),
        cmd_id: cmd_id.into(),
    })
}

pub(super) fn on_play(cmd_id: &str, play_id: u64) -> PlayCommand {
    PlayCommand {
        game: "g1".into(),
        cmd_id: cmd_id.into(),
        play_id,
    }
}

/// The player of a seat.
pub(super) fn player(seat: Seat, identity: String) -> Player {
    Player {
        identity,
        name: format!("Player {}", seat.0),
        nonce_hash: None,
        level: None,
        kind: None,
        rating: None,
    }
}
