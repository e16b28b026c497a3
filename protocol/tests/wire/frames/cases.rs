//! Envelopes, fields, text and structure.

use serde_json::{Value, json};

use super::Case;
use crate::tree::Tree;

pub(super) fn all() -> Vec<Case> {
    let mut all = Vec::new();
    all.extend(envelopes());
    all.extend(fields());
    all.extend(packed_structure());
    all.extend(text_structure());
    all.extend(strings());
    all.extend(cut());
    all.extend(from_servers());
    all
}

fn pass() -> Value {
    json!(["pass", 24, { "game": "g4k7m2q9x3t5v", "cmd_id": "k3Zp-Q_9aa-12", "turn_no": 300 }])
}

fn envelopes() -> Vec<Case> {
    [
        ("a request without fields", json!(["time", 1, {}]), "ok"),
        ("a request", pass(), "ok"),
        (
            "no array",
            json!({ "op": "time", "id": 1, "body": {} }),
            "bad_message",
        ),
        ("text alone", json!("time"), "bad_message"),
        ("a number alone", json!(7), "bad_message"),
        ("an empty array", json!([]), "bad_message"),
        ("no id and no body", json!(["time"]), "bad_message"),
        ("no body", json!(["time", 1]), "bad_message"),
        ("four elements", json!(["time", 1, {}, {}]), "bad_message"),
        ("an op that is a number", json!([7, 1, {}]), "bad_message"),
        (
            "an op that is a list",
            json!([["time"], 1, {}]),
            "bad_message",
        ),
        (
            "an id that is text",
            json!(["time", "1", {}]),
            "bad_message",
        ),
        (
            "an id of 0 in a request",
            json!(["time", 0, {}]),
            "bad_message",
        ),
        ("an id below 0", json!(["time", -1, {}]), "bad_message"),
        (
            "the largest id",
            json!(["time", 9_007_199_254_740_991_i64, {}]),
            "ok",
        ),
        (
            "an id beyond the largest",
            json!(["time", 9_007_199_254_740_992_i64, {}]),
            "bad_message",
        ),
        (
            "a body that is a list",
            json!(["time", 1, []]),
            "bad_message",
        ),
        (
            "a body that is text",
            json!(["time", 1, "{}"]),
            "bad_message",
        ),
        ("an unknown op", json!(["dance", 1, {}]), "unknown_op"),
        ("an op in capitals", json!(["TIME", 1, {}]), "unknown_op"),
        ("the op of an answer", json!(["ok", 1, {}]), "unknown_op"),
    ]
    .into_iter()
    .flat_map(|(name, message, expect)| Case::both(name, &message, expect))
    .collect()
}

fn fields() -> Vec<Case> {
    let play = |tiles: Value| json!(["play", 1, { "game": "g", "cmd_id": "c", "turn_no": 1, "start": "8H", "tiles": tiles }]);
    let seek = |options: Value| json!(["seek", 1, { "cmd_id": "c", "options": options }]);
    let options = |more: Value| {
        let mut options = json!({ "rule_set": "classic", "seats": 2, "lexicon": "wordnik" });
        options
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        seek(options)
    };
    [
        ("unknown fields", json!(["time", 1, { "colour": "red", "of": [{ "a": 1 }] }]), "ok"),
        ("an unknown field inside", options(json!({ "later": { "x": [true] } })), "ok"),
        ("a field is missing", json!(["pass", 1, { "game": "g", "cmd_id": "c" }]), "bad_field"),
        ("text for a number", json!(["pass", 1, { "game": "g", "cmd_id": "c", "turn_no": "1" }]), "bad_field"),
        ("a number for text", json!(["rename", 1, { "name": 7 }]), "bad_field"),
        ("a truth for text", json!(["rename", 1, { "name": true }]), "bad_field"),
        ("a list for text", json!(["rename", 1, { "name": ["Ann"] }]), "bad_field"),
        ("a map for text", json!(["rename", 1, { "name": { "en": "Ann" } }]), "bad_field"),
        ("text for a list", play(json!("HORN")), "bad_field"),
        ("a number in a list of texts", play(json!(["H", 0])), "bad_field"),
        ("a list for a map", seek(json!(["classic", 2, "wordnik"])), "bad_field"),
        ("text for a map", seek(json!("classic")), "bad_field"),
        ("a number for a truth", json!(["seek", 1, { "cmd_id": "c", "private": 1, "options": { "rule_set": "classic", "seats": 2, "lexicon": "wordnik" } }]), "bad_field"),
        ("a value of no enumeration", json!(["list_games", 1, { "scope": "all" }]), "bad_field"),
        ("an empty list", play(json!([])), "ok"),
        ("seek and code", json!(["join_seek", 1, { "cmd_id": "c", "seek": "s", "code": "K7QM2X" }]), "bad_field"),
        ("neither seek nor code", json!(["join_seek", 1, { "cmd_id": "c" }]), "bad_field"),
        ("epoch without seq", json!(["attach", 1, { "game": "g", "epoch": 1 }]), "bad_field"),
        ("seq without epoch", json!(["attach", 1, { "game": "g", "seq": 3 }]), "bad_field"),
        ("seq 0 without epoch", json!(["attach", 1, { "game": "g", "seq": 0 }]), "ok"),
        ("a figure of another clock", options(json!({ "clock": { "kind": "delay", "increment_ms": 1 } })), "bad_options"),
        ("one seat", seek(json!({ "rule_set": "classic", "seats": 1, "lexicon": "wordnik" })), "bad_options"),
        ("five seats", seek(json!({ "rule_set": "classic", "seats": 5, "lexicon": "wordnik" })), "bad_options"),
        ("a command id with a blank", json!(["resign", 1, { "game": "g", "cmd_id": "a b" }]), "bad_field"),
        ("an empty command id", json!(["resign", 1, { "game": "g", "cmd_id": "" }]), "bad_field"),
        ("an empty id", json!(["detach", 1, { "game": "" }]), "bad_field"),
        ("an empty face", play(json!([""])), "bad_field"),
    ]
    .into_iter()
    .flat_map(|(name, message, expect)| Case::both(name, &message, expect))
    .collect()
}

/// Cases that only MessagePack can express.
fn packed_structure() -> Vec<Case> {
    let with_x = |x: &[u8]| [&b"\x93\xa4time\x01\x81\xa1x"[..], x].concat();
    let ready = |nonce: &[u8]| {
        [
            &b"\x93\xa5ready\x01\x83\xa4game\xa1g\xa6cmd_id\xa1c\xa5nonce"[..],
            nonce,
        ]
        .concat()
    };
    let mut cases = vec![
        Case::packed("nothing", b"", "bad_frame"),
        Case::packed(
            "array of 16 bits for the envelope",
            b"\xdc\x00\x03\xa4time\x01\x80",
            "ok",
        ),
        Case::packed(
            "array of 32 bits for the envelope",
            b"\xdd\x00\x00\x00\x03\xa4time\x01\x80",
            "ok",
        ),
        Case::packed(
            "map of 16 bits for the body",
            b"\x93\xa4time\x01\xde\x00\x00",
            "ok",
        ),
        Case::packed(
            "map of 32 bits for the body",
            b"\x93\xa4time\x01\xdf\x00\x00\x00\x00",
            "ok",
        ),
        Case::packed(
            "text of 8 bits for the op",
            b"\x93\xd9\x04time\x01\x80",
            "ok",
        ),
        Case::packed(
            "text of 16 bits for the op",
            b"\x93\xda\x00\x04time\x01\x80",
            "ok",
        ),
        Case::packed(
            "text of 32 bits for the op",
            b"\x93\xdb\x00\x00\x00\x04time\x01\x80",
            "ok",
        ),
        Case::packed(
            "bytes for the op",
            b"\x93\xc4\x04time\x01\x80",
            "bad_message",
        ),
        Case::packed("bytes for bytes", &ready(b"\xc4\x01x"), "ok"),
        Case::packed("bytes of 32 bits", &ready(b"\xc6\x00\x00\x00\x01x"), "ok"),
        Case::packed("text for bytes", &ready(b"\xa2eA"), "bad_field"),
        Case::packed("a list for bytes", &ready(b"\x91\x07"), "bad_field"),
        Case::packed(
            "a key that is a number",
            b"\x93\xa4time\x01\x81\x07\x01",
            "bad_message",
        ),
        Case::packed(
            "a key that is nil",
            b"\x93\xa4time\x01\x81\xc0\x01",
            "bad_message",
        ),
        Case::packed(
            "a key that comes twice",
            b"\x93\xa4time\x01\x82\xa1x\x01\xa1x\x01",
            "bad_message",
        ),
        Case::packed(
            "a key that comes twice in two forms",
            b"\x93\xa4time\x01\x82\xa1x\x01\xd9\x01x\x01",
            "bad_message",
        ),
        Case::packed("nil", &with_x(b"\xc0"), "bad_field"),
        Case::packed("nil for the body", b"\x93\xa4time\x01\xc0", "bad_message"),
        Case::packed("the byte that means nothing", &with_x(b"\xc1"), "bad_frame"),
        Case::packed("the byte that means nothing, alone", b"\xc1", "bad_frame"),
        Case::packed(
            "the byte that means nothing for the op",
            b"\x93\xc1\x01\x80",
            "bad_frame",
        ),
        Case::packed(
            "the byte that means nothing for the id",
            b"\x93\xa4time\xc1\x80",
            "bad_frame",
        ),
        Case::packed(
            "the byte that means nothing for the body",
            b"\x93\xa4time\x01\xc1",
            "bad_frame",
        ),
        Case::packed(
            "the byte that means nothing for a key",
            b"\x93\xa4time\x01\x81\xc1\x01",
            "bad_frame",
        ),
        Case::packed("a byte too many", b"\x93\xa4time\x01\x80\x00", "bad_frame"),
        Case::packed(
            "two messages",
            b"\x93\xa4time\x01\x80\x93\xa4time\x02\x80",
            "bad_frame",
        ),
        Case::packed(
            "text longer than the frame",
            &with_x(b"\xdb\xff\xff\xff\xff"),
            "bad_frame",
        ),
        Case::packed(
            "bytes longer than the frame",
            &with_x(b"\xc6\xff\xff\xff\xff"),
            "bad_frame",
        ),
        Case::packed(
            "a list longer than the frame",
            &with_x(b"\xdd\xff\xff\xff\xff"),
            "bad_frame",
        ),
        Case::packed(
            "a map longer than the frame",
            &with_x(b"\xde\x00\x40"),
            "bad_frame",
        ),
        Case::packed(
            "a map of four thousand million",
            &with_x(b"\xdf\xff\xff\xff\xff"),
            "too_large",
        ),
        Case::packed(
            "an envelope of four thousand million",
            b"\xdd\xff\xff\xff\xff",
            "bad_message",
        ),
        Case::packed(
            "an op longer than the frame",
            b"\x93\xdb\xff\xff\xff\xff",
            "bad_frame",
        ),
    ];
    let extensions: [(&str, &[u8]); 8] = [
        ("1", b"\xd4\x01\x00"),
        ("2", b"\xd5\x01\x00\x00"),
        ("4, a time", b"\xd6\xff\x00\x00\x00\x00"),
        ("8", b"\xd7\x01\x00\x00\x00\x00\x00\x00\x00\x00"),
        (
            "16",
            b"\xd8\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
        ),
        ("8 bits", b"\xc7\x00\x01"),
        ("16 bits", b"\xc8\x00\x00\x01"),
        ("32 bits", b"\xc9\x00\x00\x00\x00\x01"),
    ];
    for (size, bytes) in extensions {
        cases.push(Case::packed(
            &format!("an extension of {size}"),
            &with_x(bytes),
            "bad_field",
        ));
    }
    cases
}

/// Cases that only JSON can express.
fn text_structure() -> Vec<Case> {
    [
        ("nothing", "", "bad_frame"),
        ("blanks alone", " \n", "bad_frame"),
        ("blanks everywhere", " [ \"time\" ,\t1 , { } ]\r\n", "ok"),
        ("an op with escapes", r#"["\u0074ime",1,{}]"#, "ok"),
        (
            "a key that comes twice",
            r#"["time",1,{"x":1,"x":1}]"#,
            "bad_message",
        ),
        (
            "a key that comes twice, once escaped",
            r#"["time",1,{"x":1,"\u0078":1}]"#,
            "bad_message",
        ),
        (
            "a field that comes twice",
            r#"["rename",1,{"name":"A","name":"B"}]"#,
            "bad_message",
        ),
        ("null", r#"["rename",1,{"name":"A","x":null}]"#, "bad_field"),
        ("null for the body", r#"["time",1,null]"#, "bad_message"),
        ("null for the id", r#"["time",null,{}]"#, "bad_message"),
        ("a comma at the end", r#"["time",1,{},]"#, "bad_frame"),
        (
            "a comma at the end of a map",
            r#"["time",1,{"x":1,}]"#,
            "bad_frame",
        ),
        ("a comment", r#"["time",1,{}] // now"#, "bad_frame"),
        ("single quotes", "['time',1,{}]", "bad_frame"),
        ("a key without quotes", r#"["time",1,{x:1}]"#, "bad_frame"),
        ("two messages", r#"["time",1,{}]["time",2,{}]"#, "bad_frame"),
        (
            "two messages in lines",
            "[\"time\",1,{}]\n[\"time\",2,{}]",
            "bad_frame",
        ),
        ("a bracket too many", r#"["time",1,{}]]"#, "bad_frame"),
        ("the wrong bracket", r#"["time",1,{}}"#, "bad_frame"),
        ("a byte order mark", "\u{feff}[\"time\",1,{}]", "bad_frame"),
        (
            "a control character in text",
            "[\"rename\",1,{\"name\":\"a\nb\"}]",
            "bad_frame",
        ),
        (
            "base64url",
            r#"["ready",1,{"game":"g","cmd_id":"c","nonce":"-_-_"}]"#,
            "ok",
        ),
        (
            "base64 of the other alphabet",
            r#"["ready",1,{"game":"g","cmd_id":"c","nonce":"+/+/"}]"#,
            "bad_field",
        ),
        (
            "base64 with padding",
            r#"["ready",1,{"game":"g","cmd_id":"c","nonce":"eA=="}]"#,
            "bad_field",
        ),
        (
            "base64 with a bit too many",
            r#"["ready",1,{"game":"g","cmd_id":"c","nonce":"eB"}]"#,
            "bad_field",
        ),
        (
            "base64 of an impossible length",
            r#"["ready",1,{"game":"g","cmd_id":"c","nonce":"e"}]"#,
            "bad_field",
        ),
    ]
    .map(|(name, frame, expect)| Case::text(name, frame, expect))
    .into()
}

/// UTF-8, right and wrong.
fn strings() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, text) in [
        ("letters of several bytes", "Ænn\u{4e2d}\u{1f600}"),
        ("U+0000", "\u{0}"),
        ("the last character", "\u{10ffff}"),
        ("a character that is none", "\u{ffff}"),
    ] {
        // Whether it is a name is the server's to say.
        cases.extend(Case::both(
            name,
            &json!(["rename", 1, { "name": text }]),
            "ok",
        ));
    }
    let pair = r#"["rename",1,{"name":"\ud83d\ude00"}]"#;
    cases.push(Case::text("a pair of surrogates", pair, "ok"));
    for (name, escape) in [
        ("half a pair", r"\ud83d"),
        ("the other half", r"\ude00"),
        ("a pair the wrong way round", r"\ude00\ud83d"),
        ("an unknown escape", r"\x41"),
        ("half an escape", r"\u00"),
    ] {
        let frame = format!(r#"["rename",1,{{"name":"{escape}"}}]"#);
        cases.push(Case::text(name, &frame, "bad_frame"));
    }
    for (name, bytes) in [
        ("a byte that begins nothing", &b"\xff"[..]),
        ("a byte that goes on with nothing", b"\x80"),
        ("a character cut short", b"\xe4\xb8"),
        ("U+002F in two bytes", b"\xc0\xaf"),
        ("a surrogate", b"\xed\xa0\x80"),
        ("a character beyond the last", b"\xf4\x90\x80\x80"),
    ] {
        let head = b"[\"rename\",1,{\"name\":\"";
        let mut case = Case::text(name, "", "bad_frame");
        case.pieces[0].0 = [&head[..], bytes, b"\"}]"].concat();
        cases.push(case);
        let len = 0xa0 | u8::try_from(bytes.len()).unwrap();
        for (place, head) in [
            ("in a field", &b"\x93\xa6rename\x01\x81\xa4name"[..]),
            ("in a key", b"\x93\xa4time\x01\x81"),
            ("in the op", b"\x93"),
        ] {
            let frame = [head, &[len], bytes, b"\x01\x80"].concat();
            cases.push(Case::packed(
                &format!("{name} {place}"),
                &frame,
                "bad_frame",
            ));
        }
    }
    cases
}

/// Whole messages, cut at every length.
fn cut() -> Vec<Case> {
    let event = json!(["event", 0, { "game": "g", "seq": 9, "at": 1, "kind": "passed", "turn_no": 3, "seat": 1 }]);
    let mut cases = Vec::new();
    for (name, message, is_event) in [("pass", pass(), false), ("event", event, true)] {
        let (text, packed) = (message.to_string(), Tree::of(&message).write());
        for (frame, is_text) in [(text.as_bytes(), true), (&packed, false)] {
            for end in 0..=frame.len() {
                let expect = if end == frame.len() {
                    "ok"
                } else {
                    "bad_frame"
                };
                let title = format!("{name}, {end} of {} bytes", frame.len());
                let case = match std::str::from_utf8(&frame[..end]) {
                    Ok(text) if is_text => Case::text(&title, text, expect),
                    _ => Case::packed(&title, &frame[..end], expect),
                };
                cases.push(if is_event { case.of_server() } else { case });
            }
        }
    }
    cases
}

/// Frames that a client must tolerate.
fn from_servers() -> Vec<Case> {
    [
        ("an op of a later version", json!(["fireworks", 0, { "colour": "red" }]), "ok"),
        ("a kind of a later version", json!(["event", 0, { "game": "g", "seq": 9, "at": 1, "kind": "earthquake", "strength": 7 }]), "ok"),
        ("a field of a later version", json!(["crowd", 0, { "game": "g", "watching": 5, "cheering": 3 }]), "ok"),
        ("a reason of a later version", json!(["event", 0, { "game": "g", "seq": 9, "at": 1, "kind": "window_closed", "play_id": 3, "reason": "meteor" }]), "ok"),
        ("an error code of a later version", json!(["error", 7, { "code": "too_sunny", "message": "m", "retryable": false }]), "ok"),
        ("an error for a frame without an id", json!(["error", 0, { "code": "bad_frame", "message": "m", "retryable": false }]), "ok"),
        ("an event without seq", json!(["event", 0, { "game": "g", "at": 1, "kind": "seat_returned", "seat": 1 }]), "bad_field"),
        ("an event without kind", json!(["event", 0, { "game": "g", "seq": 9, "at": 1, "seat": 1 }]), "bad_field"),
        ("an event whose seat is text", json!(["event", 0, { "game": "g", "seq": 9, "at": 1, "kind": "seat_returned", "seat": "1" }]), "bad_field"),
        ("an error without retryable", json!(["error", 7, { "code": "busy", "message": "m" }]), "bad_field"),
    ]
    .into_iter()
    .flat_map(|(name, message, expect)| Case::both(name, &message, expect).map(Case::of_server))
    .collect()
}
