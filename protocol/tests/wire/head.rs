//! The head of a message says the same as the whole message.

use tilewire_protocol::{Codec, Head, ServerMessage};

use crate::examples::{self, Message};

/// Returns the game, epoch and `seq` that a message is about, as far as its head shows them.
fn position(message: &ServerMessage) -> Option<(&str, Option<u64>, Option<u64>)> {
    Some(match message {
        ServerMessage::Event(event) => (event.game.as_str(), None, Some(event.seq)),
        ServerMessage::Snapshot(snapshot) => (
            snapshot.game.as_str(),
            Some(snapshot.epoch),
            Some(snapshot.seq),
        ),
        ServerMessage::Paused(body) | ServerMessage::Unpaused(body) => {
            (body.game.as_str(), None, None)
        }
        ServerMessage::Detached(body) => (body.game.as_str(), None, None),
        _ => return None,
    })
}

#[test]
fn the_head_of_every_message_names_its_position() {
    let mut positions = 0;
    for example in examples::all() {
        let Message::Server(message) = &example.message else {
            continue;
        };
        for codec in Codec::ALL {
            let frame = example.encode(codec);
            let head = Head::read(codec, &frame).expect(example.name);
            assert_eq!((&*head.op, head.id), (message.op(), example.id));
            if let Some((game, epoch, seq)) = position(message) {
                let found = (head.game.as_deref(), head.epoch, head.seq);
                assert_eq!(found, (Some(game), epoch, seq), "{}", example.name);
                positions += 1;
            }
        }
    }
    assert!(positions > 2 * 40, "{positions} positions were read");
}

#[test]
fn no_bytes_make_the_reader_fail() {
    for example in examples::all() {
        for codec in Codec::ALL {
            let frame = example.encode(codec);
            for length in 0..frame.len().min(80) {
                // A cut head has no op, or no body.
                let head = Head::read(codec, &frame[..length]);
                assert!(head.is_none_or(|head| example.id == head.id));
            }
            for other in Codec::ALL.into_iter().filter(|other| *other != codec) {
                assert_eq!(Head::read(other, &frame), None, "{}", example.name);
            }
        }
    }
}
