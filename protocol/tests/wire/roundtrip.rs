//! Messages of every shape with values of every kind: both encodings decode to the encoded value.
//!
//! The messages are the examples with other values in them, so that every op and every kind of event is among them.

use std::mem::discriminant;

use proptest::prelude::*;
use tilewire_protocol::{
    Codec, DecodeError, ErrorCode, SharedAnswer, decode_client, decode_server, encode_client,
    encode_server, limits,
};

use crate::examples::{self, Message};
use crate::tree::Tree;

/// A change of one value of a message.
#[derive(Debug, Clone)]
struct Change {
    /// The replacement of a text; `None` keeps every value.
    text: Option<String>,
    small: u8,
    large: i64,
    bytes: Vec<u8>,
    times: usize,
}

fn changes(text: &'static str) -> impl Strategy<Value = Vec<Change>> {
    let change = (
        proptest::option::of(text),
        0..=127_u8,
        0..=limits::INTEGER_MAX,
        proptest::collection::vec(any::<u8>(), 32),
        0..3_usize,
    );
    let change = change.prop_map(|(text, small, large, bytes, times)| Change {
        text,
        small,
        large,
        bytes,
        times,
    });
    proptest::collection::vec(change, 1..24)
}

/// Puts other values of the same types into a tree; the changes are taken in turn.
fn vary(tree: &mut Tree, changes: &mut impl Iterator<Item = Change>) {
    let change = changes.next().unwrap();
    let is_kept = change.text.is_none();
    match tree {
        Tree::Map(fields) => fields
            .iter_mut()
            .for_each(|(_, value)| vary(value, changes)),
        Tree::List(values) => {
            // Values of different kinds form a tuple, whose length never changes.
            let is_list = values
                .windows(2)
                .all(|two| discriminant(&two[0]) == discriminant(&two[1]));
            if let (false, true, Some(first)) = (is_kept, is_list, values.first().cloned()) {
                values.resize(change.times, first);
            }
            values.iter_mut().for_each(|value| vary(value, changes));
        }
        _ if is_kept => {}
        Tree::Bool(value) => *value = change.small > 63,
        // Numbers this large are times or counts of 64 bits.
        Tree::Uint(value) if *value > 2_000_000_000 => *value = change.large.unsigned_abs(),
        Tree::Uint(value) => *value = u64::from(change.small),
        Tree::Int(value) => *value = -1 - i64::from(change.small),
        Tree::Text(value) => *value = change.text.unwrap(),
        Tree::Bytes(value) => *value = change.bytes,
    }
}

/// An example with other values, in MessagePack.
fn varied(message: &Message, id: u64, changes: &[Change]) -> Vec<u8> {
    let bytes = match message {
        Message::Client(message) => encode_client(Codec::MsgPack, id, message),
        Message::Server(message) => encode_server(Codec::MsgPack, id, message),
    };
    let mut tree = Tree::read(&bytes);
    vary(tree.body(), &mut changes.iter().cloned().cycle());
    tree.write()
}

/// A refused value is named, except in a faulty frame.
fn is_precise(error: &DecodeError) -> bool {
    let is_coded = matches!(
        error.code,
        ErrorCode::BadField | ErrorCode::BadOptions | ErrorCode::TooLarge
    );
    is_coded && error.field.is_some() && !error.message.is_empty()
}

/// The same message is the same command, whatever encoding it came in.
#[test]
fn both_encodings_have_one_fingerprint() {
    for example in examples::all() {
        let Message::Client(message) = &example.message else {
            continue;
        };
        for codec in Codec::ALL {
            let (_, read) = decode_client(codec, &example.encode(codec)).unwrap();
            assert_eq!(
                read.fingerprint(),
                message.fingerprint(),
                "{}",
                example.name
            );
        }
    }
}

proptest! {
    #[test]
    fn server_messages_come_back_equal(
        which in any::<prop::sample::Index>(),
        id in 0..=limits::INTEGER_MAX.unsigned_abs(),
        changes in changes("\\PC{0,8}|[A-Z]|\u{0}\"\\\\\n"),
    ) {
        let all = examples::all();
        let servers: Vec<_> = all.iter().filter(|one| matches!(one.message, Message::Server(_))).collect();
        let frame = varied(&which.get(&servers).message, id, &changes);
        // Unknown texts may be values of a later version, so decoding must accept them all.
        let (read_id, message) = decode_server(Codec::MsgPack, &frame)
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(read_id, id);
        for codec in Codec::ALL {
            let again = encode_server(codec, id, &message);
            prop_assert_eq!(decode_server(codec, &again), Ok((id, message.clone())));
            prop_assert_eq!(SharedAnswer::new(codec, &message).frame(id), again);
        }
    }

    #[test]
    fn requests_come_back_equal_or_are_refused_by_the_name_of_a_field(
        which in any::<prop::sample::Index>(),
        id in 1..=limits::INTEGER_MAX.unsigned_abs(),
        changes in changes("[A-Za-z0-9_-]{0,5}|draw|stand|void|\\PC{0,20}"),
    ) {
        let all = examples::all();
        let clients: Vec<_> = all.iter().filter(|one| matches!(one.message, Message::Client(_))).collect();
        let frame = varied(&which.get(&clients).message, id, &changes);
        match decode_client(Codec::MsgPack, &frame) {
            Err(error) => prop_assert!(is_precise(&error) && error.id == Some(id), "{:?}", error),
            Ok((read_id, message)) => {
                prop_assert_eq!(read_id, id);
                for codec in Codec::ALL {
                    let again = encode_client(codec, id, &message);
                    prop_assert_eq!(decode_client(codec, &again), Ok((id, message.clone())));
                }
            }
        }
    }

    #[test]
    fn noise_is_refused_with_a_code_of_the_frame(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for codec in Codec::ALL {
            if let Err(error) = decode_client(codec, &bytes) {
                prop_assert!(!matches!(error.code, ErrorCode::Unknown | ErrorCode::Internal), "{:?}", error);
                prop_assert!(!error.message.is_empty() && error.message.chars().count() <= 200);
            }
        }
    }
}
