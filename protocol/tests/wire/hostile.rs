//! Bytes that no correct peer sends, and messages of later protocol versions.

use proptest::prelude::*;
use serde_json::{Value, json};
use tilewire_protocol::{
    ClientMessage, Codec, DecodeError, ErrorCode, ServerMessage, decode_client, decode_server,
    limits,
};

use crate::examples::{self, Message};

fn refused(codec: Codec, frame: &[u8]) -> DecodeError {
    decode_client(codec, frame).expect_err("it is no message")
}

/// Requests as JSON values, `[op, id, body]`.
fn requests() -> Vec<Value> {
    let clients = examples::all()
        .into_iter()
        .filter(|example| matches!(example.message, Message::Client(_)));
    clients
        .map(|example| serde_json::from_slice(&example.encode(Codec::Json)).unwrap())
        .collect()
}

#[test]
fn nothing_shorter_or_longer_is_taken() {
    for example in examples::all() {
        for codec in Codec::ALL {
            let whole = example.encode(codec);
            let is_taken = |bytes: &[u8]| match example.message {
                Message::Client(_) => decode_client(codec, bytes).is_ok(),
                Message::Server(_) => decode_server(codec, bytes).is_ok(),
            };
            assert!(is_taken(&whole), "{}", example.name);
            for end in 0..whole.len() {
                assert!(!is_taken(&whole[..end]), "{} up to {end}", example.name);
            }
            for more in [&[0_u8][..], b"{}", b"\xc0"] {
                assert!(
                    !is_taken(&[&whole, more].concat()),
                    "{} with more after it",
                    example.name
                );
            }
        }
    }
}

#[test]
fn unknown_fields_are_ignored_everywhere() {
    fn add_everywhere(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.values_mut().for_each(add_everywhere);
                fields.insert("of_a_later_version".to_owned(), json!([{ "a": 1 }, "b"]));
            }
            Value::Array(values) => values.iter_mut().for_each(add_everywhere),
            _ => {}
        }
    }
    for example in examples::all() {
        let mut value: Value = serde_json::from_slice(&example.encode(Codec::Json)).unwrap();
        add_everywhere(&mut value);
        let bytes = value.to_string().into_bytes();
        let found = match &example.message {
            Message::Client(_) => Message::Client(decode_client(Codec::Json, &bytes).unwrap().1),
            Message::Server(_) => Message::Server(decode_server(Codec::Json, &bytes).unwrap().1),
        };
        assert_eq!(found, example.message, "{}", example.name);
    }
}

#[test]
fn a_server_message_of_a_later_version_is_unknown_and_no_error() {
    let (_, message) =
        decode_server(Codec::Json, b"[\"fireworks\",0,{\"colour\":\"red\"}]").unwrap();
    assert!(matches!(message, ServerMessage::Unknown { op } if op == "fireworks"));
    let event = br#"["event",0,{"game":"g","seq":9,"at":1,"kind":"earthquake","strength":7}]"#;
    let (_, message) = decode_server(Codec::Json, event).unwrap();
    let ServerMessage::Event(event) = message else {
        panic!("it is an event");
    };
    assert_eq!((event.seq, event.body.kind()), (9, "earthquake"));
}

#[test]
fn what_is_wrong_is_named() {
    for (frame, code, field) in [
        (r#"["time",1]"#, ErrorCode::BadMessage, None),
        (r#"["time",1,{},{}]"#, ErrorCode::BadMessage, None),
        (r#"["time",0,{}]"#, ErrorCode::BadMessage, None),
        (r#"["time",-1,{}]"#, ErrorCode::BadMessage, None),
        (r#"["time","1",{}]"#, ErrorCode::BadMessage, None),
        (r#"[7,1,{}]"#, ErrorCode::BadMessage, None),
        (r#"["time",1,[]]"#, ErrorCode::BadMessage, None),
        (r#"["dance",1,{}]"#, ErrorCode::UnknownOp, None),
        (r#"["time",1,{}"#, ErrorCode::BadFrame, None),
        ("", ErrorCode::BadFrame, None),
        (r#"["rename",1,{}]"#, ErrorCode::BadField, Some("name")),
        (
            r#"["rename",1,{"name":7}]"#,
            ErrorCode::BadField,
            Some("name"),
        ),
        (
            r#"["rename",1,{"name":null}]"#,
            ErrorCode::BadField,
            Some("name"),
        ),
        (
            r#"["pass",1,{"game":"g","cmd_id":"c","turn_no":-1}]"#,
            ErrorCode::BadField,
            Some("turn_no"),
        ),
        (
            r#"["pass",1,{"game":"g","cmd_id":"c","turn_no":1.5}]"#,
            ErrorCode::BadField,
            Some("turn_no"),
        ),
        (
            r#"["pass",1,{"game":"g","cmd_id":"","turn_no":1}]"#,
            ErrorCode::BadField,
            Some("cmd_id"),
        ),
        (
            r#"["pass",1,{"game":"g","cmd_id":"ä","turn_no":1}]"#,
            ErrorCode::BadField,
            Some("cmd_id"),
        ),
    ] {
        let error = refused(Codec::Json, frame.as_bytes());
        assert_eq!(
            (error.code, error.field.as_deref()),
            (code, field),
            "{frame}: {error:?}"
        );
    }
}

#[test]
fn depth_size_and_numbers_are_bounded() {
    let nested = |depth: usize| {
        format!(
            r#"["time",1,{{"x":{}1{}}}]"#,
            "[".repeat(depth),
            "]".repeat(depth)
        )
    };
    assert!(decode_client(Codec::Json, nested(5).as_bytes()).is_ok());
    assert!(decode_client(Codec::Json, nested(limits::NESTING_MAX + 1).as_bytes()).is_err());
    assert!(decode_client(Codec::Json, nested(7_000).as_bytes()).is_err());
    let mut deep = vec![0x93, 0xa4, b't', b'i', b'm', b'e', 1, 0x81, 0xa1, b'x'];
    deep.extend(vec![0x91; 10_000]);
    deep.push(1);
    assert!(decode_client(Codec::MsgPack, &deep).is_err());

    let long = format!(
        r#"["rename",1,{{"name":"{}"}}]"#,
        "x".repeat(limits::CLIENT_FRAME_MAX_BYTES)
    );
    assert_eq!(
        refused(Codec::Json, long.as_bytes()).code,
        ErrorCode::TooLarge
    );

    // An array that claims to be longer than any frame must not be believed.
    let lying = [
        0x93, 0xa4, b't', b'i', b'm', b'e', 1, 0x81, 0xa1, b'x', 0xdd, 0xff, 0xff, 0xff, 0xff,
    ];
    assert!(decode_client(Codec::MsgPack, &lying).is_err());

    for number in [
        "9007199254740992",
        "-9007199254740992",
        "1e99",
        "18446744073709551616",
    ] {
        let frame = format!(r#"["accept",1,{{"game":"g","cmd_id":"c","play_id":{number}}}]"#);
        assert!(
            decode_client(Codec::Json, frame.as_bytes()).is_err(),
            "{number}"
        );
    }
    let largest = r#"["accept",1,{"game":"g","cmd_id":"c","play_id":9007199254740991}]"#;
    assert!(decode_client(Codec::Json, largest.as_bytes()).is_ok());
}

/// Any field of any request given as something else is refused, or makes no difference to anybody (an enumeration of a
/// later version); never a panic.
#[test]
fn every_field_of_every_request_can_be_wrong() {
    let wrong = [
        json!(null),
        json!(-1),
        json!("\u{0}"),
        json!([[]]),
        json!({ "a": {} }),
        json!(true),
        json!(1e300),
    ];
    for request in requests() {
        let fields: Vec<String> = request[2].as_object().unwrap().keys().cloned().collect();
        for field in fields {
            for value in &wrong {
                let mut changed = request.clone();
                changed[2][&field] = value.clone();
                let result = decode_client(Codec::Json, changed.to_string().as_bytes());
                if let Err(error) = result {
                    assert_eq!(
                        error.id,
                        request[1].as_u64(),
                        "the id can be read: {changed}"
                    );
                    assert!(!error.message.is_empty());
                }
            }
            let mut without = request.clone();
            without[2].as_object_mut().unwrap().remove(&field);
            // Optional or refused by name.
            if let Err(error) = decode_client(Codec::Json, without.to_string().as_bytes()) {
                assert!(
                    error.field.is_some() || error.message.contains(&field),
                    "{without}: {error:?}"
                );
            }
        }
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for codec in Codec::ALL {
            drop(decode_client(codec, &bytes));
            drop(decode_server(codec, &bytes));
        }
    }

    /// Real messages with a few bytes changed are refused, or are other messages that encode and decode as such.
    #[test]
    fn damaged_messages_never_panic(which in any::<prop::sample::Index>(), damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let all = examples::all();
        let example = which.get(&all);
        for codec in Codec::ALL {
            let mut bytes = example.encode(codec);
            for (at, value) in &damage {
                let at = at.index(bytes.len());
                bytes[at] = *value;
            }
            if let Ok((id, message)) = decode_client(codec, &bytes) {
                let again = tilewire_protocol::encode_client(codec, id, &message);
                let (same_id, same): (u64, ClientMessage) = decode_client(codec, &again).unwrap();
                prop_assert_eq!((same_id, same), (id, message));
            }
            drop(decode_server(codec, &bytes));
        }
    }
}
