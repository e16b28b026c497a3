//! The head of a command says the same as the whole command.

use proptest::prelude::*;
use tilewire_protocol::{ClientMessage, Codec, CommandHead, GameId, decode_client};

use crate::examples::{self, Message};

/// Returns the head that a request has, as far as it can be decoded.
fn check(frame: &[u8]) {
    let Some(head) = CommandHead::read(frame) else {
        let decoded = decode_client(Codec::MsgPack, frame);
        let is_command = |(_, message): (_, ClientMessage)| message.game_command().is_some();
        assert!(!decoded.is_ok_and(is_command), "{frame:x?} is a command");
        return;
    };
    match decode_client(Codec::MsgPack, frame) {
        Ok((id, message)) => {
            let (game, _) = message.game_command().unwrap();
            let expected = (message.op(), id, game.as_str(), message.ends_turn());
            assert_eq!((head.op, head.id, head.game, head.ends_turn), expected);
        }
        Err(error) => assert_eq!(error.id, Some(head.id), "{error}"),
    }
}

/// Returns all requests in MessagePack.
fn requests() -> Vec<Vec<u8>> {
    let examples = examples::all().into_iter();
    let requests = examples.filter(|example| matches!(example.message, Message::Client(_)));
    requests
        .map(|example| example.encode(Codec::MsgPack))
        .collect()
}

#[test]
fn every_command_has_a_head_and_no_other_request() {
    let requests = requests();
    requests.iter().for_each(|frame| check(frame));
    let heads = requests.iter().filter_map(|frame| CommandHead::read(frame));
    assert!(heads.count() > 20);
}

#[test]
fn a_head_may_follow_other_fields_and_a_bad_one_is_not_read() {
    let frame = |game: &[u8]| {
        let before = b"\x93\xa4pass\x07\x83\xa1x\x92\x01\x81\xa1y\xc4\x02ab\xa4game";
        [before, game, b"\xa7turn_no\x01"].concat()
    };
    let read = |game: &[u8]| CommandHead::read(&frame(game)).map(|head| head.game.to_owned());
    assert_eq!(read(b"\xa2g1"), Some(GameId::from("g1").0));
    for bad in [&b"\xa0"[..], b"\x01", b"\xc0", b"\xa3g1"] {
        assert_eq!(read(bad), None, "{bad:x?}");
    }
    assert_eq!(
        read(format!("\u{d9}\u{21}{}", "g".repeat(33)).as_bytes()),
        None
    );
}

proptest! {
    #[test]
    fn a_damaged_request_is_refused_under_the_id_of_its_head(
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        byte: u8,
        is_cut: bool,
    ) {
        let requests = requests();
        let mut frame = which.get(&requests).clone();
        let at = at.index(frame.len());
        frame[at] = byte;
        if is_cut {
            frame.truncate(at);
        }
        check(&frame);
    }

    #[test]
    fn no_bytes_make_the_reader_fail(frame in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&frame);
    }
}
