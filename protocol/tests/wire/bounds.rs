//! The exact bounds of accepted values, in both encodings, and the texts of the refusals.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tilewire_protocol::{
    Codec, DecodeError, ErrorCode, decode_client, decode_server, encode_client, limits,
};

use crate::examples::{self, Message};
use crate::tree::Tree;

/// A value in MessagePack, in the shortest form.
fn packed(value: &Value) -> Vec<u8> {
    Tree::of(value).write()
}

/// `["time", 1, {"x": ...}]`, up to the value of `x`.
const TIME_WITH_X: &[u8] = b"\x93\xa4time\x01\x81\xa1x";

fn time_with_x(value: &[u8]) -> Result<(), DecodeError> {
    decode_client(Codec::MsgPack, &[TIME_WITH_X, value].concat()).map(drop)
}

/// Decodes `[op, id, body]` in both encodings and expects the same refusal from both.
fn refused_by_both(message: &Value) -> DecodeError {
    both_refuse(message, &packed(message))
}

fn both_refuse(message: &Value, packed: &[u8]) -> DecodeError {
    let text = decode_client(Codec::Json, message.to_string().as_bytes()).expect_err("refused");
    let binary = decode_client(Codec::MsgPack, packed).expect_err("refused");
    assert_eq!(
        (text.code, &text.field, text.id),
        (binary.code, &binary.field, binary.id),
        "{message}: {text:?} {binary:?}"
    );
    text
}

#[test]
fn nesting_is_taken_to_sixteen_and_no_further() {
    // The envelope and the body are the first two levels.
    let arrays = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    let maps = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!({ "x": inner }));
    for nested in [arrays, maps] {
        let deepest = json!(["time", 1, { "x": nested(limits::NESTING_MAX - 2) }]);
        assert!(decode_client(Codec::Json, deepest.to_string().as_bytes()).is_ok());
        assert!(decode_client(Codec::MsgPack, &packed(&deepest)).is_ok());
        let deeper = json!(["time", 1, { "x": nested(limits::NESTING_MAX - 1) }]);
        assert_eq!(refused_by_both(&deeper).code, ErrorCode::BadFrame);
    }
}

#[test]
fn a_frame_may_be_as_large_as_the_limit_and_no_larger() {
    // Unknown fields are ignored, so a valid message of any size can be made.
    let json_of = |op: &str, len: usize| {
        let empty = json!([op, 1, { "x": "" }]).to_string().len();
        json!([op, 1, { "x": "a".repeat(len - empty) }]).to_string()
    };
    let packed_of = |op: &str, len: usize| {
        let probe = packed(&json!([op, 1, { "x": "a".repeat(70_000) }])).len() - 70_000;
        // Shorter texts have a length of two bytes instead of four.
        let head = if len > 70_000 { probe } else { probe - 2 };
        packed(&json!([op, 1, { "x": "a".repeat(len - head) }]))
    };
    for (extra, is_taken) in [(0, true), (1, false)] {
        let len = limits::CLIENT_FRAME_MAX_BYTES + extra;
        for (codec, frame) in [
            (Codec::Json, json_of("time", len).into_bytes()),
            (Codec::MsgPack, packed_of("time", len)),
        ] {
            assert_eq!(frame.len(), len);
            match decode_client(codec, &frame) {
                Ok(_) => assert!(is_taken),
                Err(error) => assert_eq!((error.code, is_taken), (ErrorCode::TooLarge, false)),
            }
        }
        let len = limits::SERVER_FRAME_MAX_BYTES + extra;
        for (codec, frame) in [
            (Codec::Json, json_of("ok", len).into_bytes()),
            (Codec::MsgPack, packed_of("ok", len)),
        ] {
            assert_eq!(frame.len(), len);
            match decode_server(codec, &frame) {
                Ok(_) => assert!(is_taken),
                Err(error) => assert_eq!((error.code, is_taken), (ErrorCode::TooLarge, false)),
            }
        }
    }
}

#[test]
fn integers_are_taken_to_two_to_the_53_less_one() {
    let largest = limits::INTEGER_MAX;
    for number in [largest, -largest] {
        let message = json!(["time", 1, { "x": number }]);
        assert!(decode_client(Codec::Json, message.to_string().as_bytes()).is_ok());
        assert!(decode_client(Codec::MsgPack, &packed(&message)).is_ok());
    }
    for number in [largest + 1, -largest - 1, i64::MAX, i64::MIN] {
        let error = refused_by_both(&json!(["time", 1, { "x": { "y": [0, number] } }]));
        assert_eq!(
            (error.code, error.field.as_deref()),
            (ErrorCode::BadField, Some("x.y[1]"))
        );
    }
    // The id is bounded the same way, and cannot be answered when it is beyond.
    let error = refused_by_both(&json!(["time", u64::MAX, {}]));
    assert_eq!((error.code, error.id), (ErrorCode::BadMessage, None));
    assert!(
        decode_client(
            Codec::Json,
            format!(r#"["time",{largest},{{}}]"#).as_bytes()
        )
        .is_ok()
    );
}

#[test]
fn a_faulty_op_or_id_is_a_faulty_envelope() {
    for head in [json!(null), json!(1.5), json!([null]), json!(-1), json!({})] {
        for message in [json!([head, 1, {}]), json!(["time", head, {}])] {
            let text = decode_client(Codec::Json, message.to_string().as_bytes());
            let error = text.expect_err("refused");
            assert_eq!(error.code, ErrorCode::BadMessage, "{message}: {error:?}");
            assert_eq!(error.field, None);
        }
    }
    for head in [
        &b"\xc0"[..],
        b"\xca\x00\x00\x00\x00",
        b"\x91\xc0",
        b"\xff",
        b"\x80",
    ] {
        let op = [b"\x93", head, b"\x01\x80"].concat();
        let id = [b"\x93\xa4time", head, b"\x80"].concat();
        for frame in [op, id] {
            let error = decode_client(Codec::MsgPack, &frame).expect_err("refused");
            assert_eq!(error.code, ErrorCode::BadMessage, "{frame:02x?}: {error:?}");
            assert_eq!(error.field, None);
        }
    }
}

#[test]
fn longer_forms_of_integers_and_texts_are_understood() {
    for (form, what) in [
        (&b"\xcc\x07"[..], "8 bits"),
        (b"\xcd\x00\x07", "16 bits"),
        (b"\xce\x00\x00\x00\x07", "32 bits"),
        (b"\xcf\x00\x00\x00\x00\x00\x00\x00\x07", "64 bits"),
        (b"\xd3\x00\x00\x00\x00\x00\x00\x00\x07", "64 bits, signed"),
    ] {
        let frame = [
            b"\x93\xa4pass\x01\x83\xa4game\xd9\x01g\xa6cmd_id\xda\x00\x01c\xa7turn_no",
            form,
        ]
        .concat();
        let (_, message) = decode_client(Codec::MsgPack, &frame).unwrap();
        let text = encode_client(Codec::Json, 1, &message);
        assert_eq!(
            String::from_utf8(text).unwrap(),
            r#"["pass",1,{"game":"g","cmd_id":"c","turn_no":7}]"#,
            "{what}"
        );
    }
}

#[test]
fn longer_forms_of_ids_are_understood() {
    for form in [
        &b"\x07"[..],
        b"\xcc\x07",
        b"\xcf\x00\x00\x00\x00\x00\x00\x00\x07",
        b"\xd0\x07",
        b"\xd1\x00\x07",
        b"\xd2\x00\x00\x00\x07",
        b"\xd3\x00\x00\x00\x00\x00\x00\x00\x07",
    ] {
        let frame = [b"\x93\xa4time", form, b"\x80"].concat();
        let (id, _) = decode_client(Codec::MsgPack, &frame).unwrap();
        assert_eq!(id, 7, "{form:02x?}");
    }
    for form in [
        &b"\xff"[..],
        b"\xd0\xff",
        b"\xd1\xff\xff",
        b"\xd3\xff\xff\xff\xff\xff\xff\xff\xff",
    ] {
        let frame = [b"\x93\xa4time", form, b"\x80"].concat();
        let refused = decode_client(Codec::MsgPack, &frame).unwrap_err();
        assert_eq!(refused.code, ErrorCode::BadMessage, "{form:02x?}");
    }
}

#[test]
fn what_messagepack_has_beyond_the_protocol_is_refused() {
    for (value, code) in [
        (&b"\xc0"[..], ErrorCode::BadField),
        (b"\xca\x00\x00\x00\x00", ErrorCode::BadField),
        (b"\xcb\x00\x00\x00\x00\x00\x00\x00\x00", ErrorCode::BadField),
        (b"\xd4\x01\x00", ErrorCode::BadField),
        (b"\xd6\xff\x00\x00\x00\x00", ErrorCode::BadField),
        (b"\xc1", ErrorCode::BadFrame),
        (b"\xa1\xff", ErrorCode::BadFrame),
        (b"\x81\x01\x01", ErrorCode::BadMessage),
        (b"\x82\xa1a\x01\xa1a\x02", ErrorCode::BadMessage),
        (b"\xdf\x00\x00\x00\x41", ErrorCode::TooLarge),
        (b"\xdd\xff\xff\xff\xff", ErrorCode::BadFrame),
        (b"\xdb\xff\xff\xff\xff", ErrorCode::BadFrame),
        (b"\xc6\xff\xff\xff\xff", ErrorCode::BadFrame),
    ] {
        let error = time_with_x(value).expect_err("refused");
        assert_eq!(error.code, code, "{value:02x?}: {error:?}");
        assert_eq!(error.id, Some(1), "{value:02x?}");
    }
    assert!(time_with_x(b"\xc4\x02\x00\xff").is_ok(), "bytes are fine");
}

#[test]
fn a_map_has_each_key_once_and_at_most_64() {
    let map = |entries: usize| {
        let fields = (0..entries).map(|n| (format!("k{n}"), json!(n)));
        json!(["time", 1, fields.collect::<serde_json::Map<_, _>>()])
    };
    let full = map(limits::MAP_ENTRIES_MAX);
    assert!(decode_client(Codec::Json, full.to_string().as_bytes()).is_ok());
    assert!(decode_client(Codec::MsgPack, &packed(&full)).is_ok());
    let error = refused_by_both(&map(limits::MAP_ENTRIES_MAX + 1));
    assert_eq!(error.code, ErrorCode::TooLarge);
    let twice = decode_client(Codec::Json, br#"["rename",1,{"name":"a","name":"b"}]"#);
    let error = twice.expect_err("refused");
    assert_eq!(
        (error.code, error.field.as_deref()),
        (ErrorCode::BadMessage, Some("name"))
    );
}

/// The paths of all fields of a body, with the value of each.
fn paths(prefix: &str, value: &Value, found: &mut Vec<(String, Value)>) {
    if let Value::Object(fields) = value {
        for (key, value) in fields {
            let dot = if prefix.is_empty() { "" } else { "." };
            let path = format!("{prefix}{dot}{key}");
            found.push((path.clone(), value.clone()));
            paths(&path, value, found);
        }
    }
}

#[test]
fn a_value_of_the_wrong_type_is_refused_by_the_name_of_its_field() {
    let mut seen = BTreeSet::new();
    for example in examples::all() {
        let Message::Client(_) = &example.message else {
            continue;
        };
        let request: Value = serde_json::from_slice(&example.encode(Codec::Json)).unwrap();
        let mut fields = Vec::new();
        paths("", &request[2], &mut fields);
        for (path, value) in fields {
            seen.insert(path.clone());
            let wrong = match value {
                Value::String(_) | Value::Bool(_) => [json!(7), json!({})],
                Value::Number(_) => [json!("7"), json!([])],
                Value::Array(_) => [json!("A"), json!([1])],
                _ => [json!("map"), json!(["map"])],
            };
            for new in wrong {
                let mut text = request.clone();
                let pointer = format!("/2/{}", path.replace('.', "/"));
                *text.pointer_mut(&pointer).unwrap() = new.clone();
                let mut binary = Tree::read(&example.encode(Codec::MsgPack));
                *binary.body().at(&path) = Tree::of(&new);
                let error = both_refuse(&text, &binary.write());
                assert_eq!(error.code, ErrorCode::BadField, "{path} = {new}: {error:?}");
                assert_eq!(error.id, Some(example.id));
                let field = error.field.unwrap();
                let is_named = field == path || field == format!("{path}[0]");
                assert!(is_named, "{path} = {new}, but `{field}` is named");
            }
        }
    }
    for path in ["options.clock.kind", "options.end.per_seat", "nonce_hash"] {
        assert!(seen.contains(path), "{path} was not tried: {seen:?}");
    }
}

#[test]
fn unknown_fields_are_ignored_in_messagepack_too() {
    for example in examples::all() {
        let mut tree = Tree::read(&example.encode(Codec::MsgPack));
        assert_eq!(tree.write(), example.encode(Codec::MsgPack));
        let unknown = Tree::List(vec![Tree::Bytes(vec![0, 255]), Tree::Map(vec![])]);
        tree.add_everywhere("of_a_later_version", &unknown);
        let bytes = tree.write();
        let found = match &example.message {
            Message::Client(_) => Message::Client(decode_client(Codec::MsgPack, &bytes).unwrap().1),
            Message::Server(_) => Message::Server(decode_server(Codec::MsgPack, &bytes).unwrap().1),
        };
        assert_eq!(found, example.message, "{}", example.name);
    }
}
