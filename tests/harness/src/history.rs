//! Compares what all clients of a game saw with the record that the servers have of it.

use tilewire_oracle::history::{Comparison, Frame, Traffic, compare};

use crate::matches::Match;
use crate::records::tilewire;
use crate::server::Server;
use tilewire_conformance::raw::BINARY;
use tilewire_conformance::relay::Side;

/// Checks that every event that a client saw is in the record, that every command that was acknowledged is in it once, and that
/// no turn was used twice. The game is over.
///
/// # Panics
/// When anything is not so.
#[must_use]
pub fn check_history(game: &Match, server: &Server) -> Comparison {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("record.jsonl");
    let path = file.to_str().expect("a path in UTF-8");
    let fetched = tilewire(
        server,
        folder.path(),
        &["record", "fetch", &game.game, "-o", path],
    );
    assert!(fetched.status.success(), "{fetched:?}");
    let record = std::fs::read_to_string(&file).expect("it was written");
    let compared = compare(&game.game.as_str().into(), &traffic(game), &record);
    let compared = compared.expect("messages and a record");
    assert_eq!(compared.faults, Vec::<String>::new());
    assert!(compared.commands > 0, "commands were acknowledged");
    compared
}

/// Returns the frames of all connections.
fn traffic(game: &Match) -> Vec<Traffic> {
    let mut all = Vec::new();
    for person in &game.people {
        let log = person.relay.log();
        let connections = log.iter().map(|entry| entry.connection + 1).max();
        for connection in 0..connections.unwrap_or(0) {
            let of_it = log
                .iter()
                .filter(|entry| entry.connection == connection && entry.frame.opcode == BINARY);
            let frames = of_it.map(|entry| match entry.from {
                Side::Client => Frame::Asked(entry.frame.payload.clone()),
                Side::Server => Frame::Told(entry.frame.payload.clone()),
            });
            let seat = person.seat();
            all.push(Traffic {
                seat: seat.map(|seat| u8::try_from(seat).expect("there are few seats")),
                frames: frames.collect(),
            });
        }
    }
    all
}
