//! Messages: envelopes, values, and the answers to invalid ones.

use std::collections::BTreeSet;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use super::super::raw::{FIN, MASK, frame};
use super::super::{Case, Check, Encoding, Target};
use crate::link::Link;
use crate::opening::Opening;

/// The cases about messages.
pub const CASES: &[Case<Target>] = &[
    Case::of(
        "messages/hello-first",
        &["P-CONN-7", "P-CONN-8", "P-VER-1"],
        hello_first,
    ),
    Case::of(
        "messages/auth-before-hello",
        &["P-CONN-7", "P-AUTH-3"],
        auth_at_once,
    ),
    Case::of(
        "messages/one-answer-each",
        &["P-MSG-3", "P-MSG-4"],
        one_answer_each,
    ),
    Case::of("messages/ids", &["P-MSG-2", "P-MSG-9"], ids),
    Case::of(
        "messages/unknown-fields",
        &["P-MSG-6", "P-VER-4"],
        unknown_fields,
    ),
    Case::of("messages/unknown-op", &["P-MSG-17", "P-VER-4"], unknown_op),
    Case::of(
        "messages/bad-envelope",
        &["P-MSG-1", "P-MSG-5", "P-MSG-17"],
        bad_envelope,
    ),
    Case::of("messages/bad-field", &["P-MSG-17", "P-ERR-4"], bad_field),
    Case::of("messages/null", &["P-MSG-7"], null),
    Case::of("messages/duplicate-keys", &["P-MSG-8"], duplicate_keys),
    Case::of("messages/order-of-keys", &["P-MSG-8"], order_of_keys),
    Case::of(
        "messages/too-many-entries",
        &["P-MSG-8", "P-LIM-1"],
        too_many_entries,
    ),
    Case::of("messages/nesting", &["P-MSG-17", "P-LIM-1"], nesting),
    Case::of("messages/bytes-fields", &["P-MSG-11"], bytes_fields),
    Case::of(
        "messages/error-shape",
        &["P-ERR-1", "P-ERR-2", "P-ERR-5"],
        error_shape,
    ),
    Case::of("messages/time", &["P-AUTH-11", "P-MSG-10"], time),
];

fn hello_first(target: &Target) -> Check {
    let hello = Link::open(target)?.hello;
    ensure!(hello["protocol"] == 1, "{hello}");
    for field in ["server_time", "heartbeat_ms", "auth_within_ms"] {
        ensure!(
            hello[field].as_u64().is_some_and(|ms| ms > 0),
            "{field}: {hello}"
        );
    }
    for field in [
        "client_frame_bytes",
        "requests_in_flight",
        "attached_games",
        "messages_per_second",
        "message_burst",
        "open_seeks",
    ] {
        let limit = hello["limits"][field].as_u64();
        ensure!(limit.is_some_and(|limit| limit > 0), "{field}: {hello}");
    }
    for lexicon in hello["lexica"].as_array().context("lexica")? {
        ensure!(
            lexicon["name"].is_string() && lexicon["words"].is_u64(),
            "{lexicon}"
        );
        let hash = lexicon["hash"].as_str().unwrap_or_default();
        ensure!(hash.len() == 43, "32 bytes: {lexicon}");
        let tag = lexicon.get("language_tag").map(Value::as_str);
        ensure!(tag.is_none_or(|tag| tag.is_some_and(is_tag)), "{lexicon}");
    }
    let sets = hello["rule_sets"].as_array().context("rule sets")?;
    ensure!(!sets.is_empty(), "nothing can be played: {hello}");
    for set in sets {
        ensure!(set["id"].is_string() && set["name"].is_string(), "{set}");
    }
    Ok(())
}

/// Whether a text has the form of a BCP 47 tag: a language of two or three letters, then more parts of letters and digits.
fn is_tag(text: &str) -> bool {
    let mut parts = text.split('-');
    let is_language = |part: &str| {
        (2..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    let is_more = |part: &str| {
        (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    parts.next().is_some_and(is_language) && parts.all(is_more)
}

/// A client may send messages before it reads `hello`; messages after `auth` wait for its outcome.
fn auth_at_once(target: &Target) -> Check {
    let encoding = target.encoding;
    let opening = Opening::usual(target, encoding.subprotocol());
    let (mut raw, head) = opening.send(target)?;
    ensure!(head.status == 101);
    let mut bytes = Vec::new();
    for message in [
        json!(["auth", 1, { "client": "conformance" }]),
        json!(["time", 2, {}]),
        json!(["list_games", 3, { "scope": "mine" }]),
    ] {
        bytes.extend(frame(
            FIN | encoding.opcode(),
            &encoding.encode(&message),
            Some(MASK),
        ));
    }
    raw.write(&bytes);
    let mut answered = Vec::new();
    let mut first = true;
    while answered.len() < 3 {
        let frame = raw.frame()?;
        if frame.opcode != encoding.opcode() {
            continue;
        }
        let message = encoding.decode(&frame.payload)?;
        ensure!(
            !first || message[0] == "hello",
            "nothing comes before hello: {message}"
        );
        first = false;
        if message[1] != 0 {
            let wanted = if message[1] == 1 { "welcome" } else { "ok" };
            ensure!(message[0] == wanted, "{message}");
            answered.push(message[1].as_u64().unwrap_or(0));
        }
    }
    answered.sort_unstable();
    ensure!(answered == [1, 2, 3], "{answered:?}");
    Ok(())
}

/// A link refuses second answers; here many requests of all kinds are on their way at once.
fn one_answer_each(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(link.send("time", json!({})));
        ids.push(link.send("list_games", json!({ "scope": "mine" })));
        ids.push(link.send("dance", json!({})));
        ids.push(link.send("attach", json!({ "game": "nosuchgame" })));
        ids.push(link.send("join_seek", json!({ "cmd_id": "x", "seek": "nosuchseek" })));
        ids.push(link.send("rule_set", json!({ "rule_set": "nosuchset" })));
    }
    let mut seen = BTreeSet::new();
    for id in ids {
        let answer = link.answer(id)?;
        ensure!(answer[0] == "ok" || answer[0] == "error", "{answer}");
        ensure!(seen.insert(id));
    }
    link.fence()?;
    Ok(())
}

fn ids(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    for id in [7, 70_000, 5_000_000_000, (1 << 53) - 1, 7, 1] {
        link.expect(id);
        link.send_value(&json!(["time", id, {}]));
        let answer = link.answer(id)?;
        ensure!(answer[0] == "ok", "{answer}");
    }
    Ok(())
}

/// A message whose answer is found under id 0, and which must be refused with one of these codes.
pub(super) fn refused_as(link: &mut Link, bytes: &[u8], codes: &[&str], what: &str) -> Check {
    link.expect(9_000_000);
    link.send_bytes(bytes);
    link.fence().with_context(|| what.to_owned())?;
    let answer = loop {
        let mut heard = link.heard.iter().rev();
        if let Some(answer) = heard.find(|message| message[0] == "error") {
            break answer.clone();
        }
        // P-MSG-4: it may come behind the answer to the later request.
        let next = link.next_message();
        next.with_context(|| format!("{what}: no answer came"))?;
    };
    ensure!(
        codes.iter().any(|code| answer[2]["code"] == *code),
        "{what}: one of {codes:?} expected, {answer}"
    );
    link.heard.clear();
    link.take_pushes();
    Ok(())
}

fn refused_value(target: &Target, link: &mut Link, message: &Value, codes: &[&str]) -> Check {
    let bytes = target.encoding.encode(message);
    refused_as(link, &bytes, codes, &message.to_string())
}

fn unknown_fields(target: &Target) -> Check {
    let more = json!({ "unknown": { "deep": [1, "two", true, {}] }, "zzz": "x" });
    let mut link = Link::open(target)?;
    let mut auth = json!({ "name": "Anna", "client": "conformance" });
    let mut list = json!({ "scope": "mine" });
    for body in [&mut auth, &mut list] {
        for (field, value) in more.as_object().into_iter().flatten() {
            body[field] = value.clone();
        }
    }
    let welcome = link.ask("auth", auth)?;
    ensure!(welcome[0] == "welcome", "{welcome}");
    link.ok("time", more.clone())?;
    link.ok("list_games", list)?;
    Ok(())
}

fn unknown_op(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    for op in ["dance", "", "Time", "event", "ok", "hello", "welcome"] {
        let error = link.refuses(op, json!({}), "unknown_op")?;
        ensure!(error["retryable"] == false, "{error}");
    }
    link.fence()?;
    Ok(())
}

fn bad_envelope(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    for message in [
        json!({}),
        json!([]),
        json!(["time", 9_000_000]),
        json!(["time", 9_000_000, {}, 1]),
        json!([1, 9_000_000, {}]),
        json!(["time", -1, {}]),
        json!(["time", 0, {}]),
        json!(["time", "1", {}]),
        json!(["time", 9_000_000, []]),
        json!(["time", 9_000_000, "body"]),
        json!("time"),
        json!(7),
    ] {
        refused_value(target, &mut link, &message, &["bad_message", "bad_field"])?;
    }
    if target.encoding == Encoding::Msgpack {
        for bytes in [
            &b"\xc1"[..],
            b"\x93\xc1\x01\x80",
            b"\x93\xa4time\xce\x00\x89\x54\x40\xc1",
        ] {
            refused_as(&mut link, bytes, &["bad_frame"], "the byte 0xc1")?;
        }
    }
    link.fence()?;
    Ok(())
}

fn bad_field(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    for (op, body, field) in [
        ("rename", json!({}), "name"),
        ("rename", json!({ "name": 7 }), "name"),
        ("rename", json!({ "name": ["a"] }), "name"),
        ("list_games", json!({}), "scope"),
        ("list_games", json!({ "scope": "all" }), "scope"),
        ("attach", json!({ "game": 1 }), "game"),
        ("look_up", json!({ "words": ["AA"] }), "game"),
        ("look_up", json!({ "game": "g" }), "words"),
        ("look_up", json!({ "game": "g", "words": [] }), "words"),
        (
            "attach",
            json!({ "game": "g", "seq": -1, "epoch": 1 }),
            "seq",
        ),
        (
            "pass",
            json!({ "game": "g", "cmd_id": "x", "turn_no": "one" }),
            "turn_no",
        ),
        ("pass", json!({ "game": "g", "cmd_id": "x" }), "turn_no"),
        (
            "pass",
            json!({ "game": "g", "cmd_id": "not an id!", "turn_no": 1 }),
            "cmd_id",
        ),
        (
            "pass",
            json!({ "game": "g", "cmd_id": "", "turn_no": 1 }),
            "cmd_id",
        ),
        (
            "pass",
            json!({ "game": "g", "cmd_id": "x".repeat(41), "turn_no": 1 }),
            "cmd_id",
        ),
        (
            "play",
            json!({ "game": "g", "cmd_id": "x", "turn_no": 1, "start": "8H", "tiles": "A" }),
            "tiles",
        ),
        (
            "ready",
            json!({ "game": "g", "cmd_id": "x", "nonce": 7 }),
            "nonce",
        ),
    ] {
        let error = link.refused(op, body.clone())?;
        let code = error["code"].as_str().unwrap_or_default();
        ensure!(
            code == "bad_field" || code == "too_large",
            "{op} {body}: {error}"
        );
        let told = error["detail"]["field"].as_str().unwrap_or_default();
        ensure!(
            told.contains(field),
            "{op} {body}: {field} is to blame, {error}"
        );
        ensure!(error["retryable"] == false, "{error}");
    }
    Ok(())
}

fn null(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    for message in [
        json!(["rename", 9_000_000, { "name": null }]),
        json!(["time", 9_000_000, { "unknown": null }]),
        json!(["time", 9_000_000, { "unknown": [null] }]),
        json!(["attach", 9_000_000, { "game": "g", "code": null }]),
    ] {
        refused_value(target, &mut link, &message, &["bad_message", "bad_field"])?;
    }
    Ok(())
}

fn duplicate_keys(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    let frames: [&[u8]; 3] = match target.encoding {
        Encoding::Json => [
            br#"["rename",9000000,{"name":"Ben","name":"Ben"}]"#,
            br#"["time",9000000,{"a":1,"b":2,"a":3}]"#,
            br#"["time",9000000,{"u":{"a":1,"\u0061":3}}]"#,
        ],
        Encoding::Msgpack => [
            b"\x93\xa6rename\xce\x00\x89\x54\x40\x82\xa4name\xa3Ben\xa4name\xa3Ben",
            b"\x93\xa4time\xce\x00\x89\x54\x40\x83\xa1a\x01\xa1b\x02\xa1a\x03",
            b"\x93\xa4time\xce\x00\x89\x54\x40\x81\xa1u\x82\xa1a\x01\xd9\x01a\x03",
        ],
    };
    for bytes in frames {
        refused_as(&mut link, bytes, &["bad_message"], "a key that comes twice")?;
    }
    Ok(())
}

fn order_of_keys(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    let frames: [&[u8]; 2] = match target.encoding {
        Encoding::Json => [
            br#"["pass",9000000,{"turn_no":1,"cmd_id":"x","game":"nosuchgame"}]"#,
            br#"["pass",9000000,{"cmd_id":"x","game":"nosuchgame","turn_no":1}]"#,
        ],
        Encoding::Msgpack => [
            b"\x93\xa4pass\xce\x00\x89\x54\x40\x83\xa7turn_no\x01\xa6cmd_id\xa1x\xa4game\xaanosuchgame",
            b"\x93\xa4pass\xce\x00\x89\x54\x40\x83\xa6cmd_id\xa1x\xa4game\xaanosuchgame\xa7turn_no\x01",
        ],
    };
    for bytes in frames {
        refused_as(&mut link, bytes, &["unknown_game"], "a pass in no game")?;
    }
    Ok(())
}

fn too_many_entries(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    let map = |count: usize| -> Value {
        let fields = (0..count).map(|number| (format!("field{number}"), json!(1)));
        Value::Object(fields.collect())
    };
    link.ok("time", map(64))?;
    refused_value(
        target,
        &mut link,
        &json!(["time", 9_000_000, map(65)]),
        &["too_large"],
    )
}

fn nesting(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    let deep = |depth: usize| (0..depth).fold(json!({}), |inner, _| json!({ "u": inner }));
    // The envelope and the body are two of the sixteen.
    link.ok("time", deep(14))?;
    for depth in [16, 40, 400] {
        let message = json!(["time", 9_000_000, deep(depth)]);
        refused_value(target, &mut link, &message, &["bad_frame"])?;
    }
    link.fence()?;
    Ok(())
}

fn bytes_fields(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    // As an unknown game is refused after the fields are read, a good nonce leads to unknown_game.
    let ready = |nonce: &str| json!({ "game": "nosuchgame", "cmd_id": "x", "nonce": nonce });
    link.refuses("ready", ready("eHl6"), "unknown_game")?;
    let long = "A".repeat(44);
    let error = link.refused("ready", ready(&long))?;
    ensure!(
        error["code"] == "bad_field" || error["code"] == "too_large",
        "{error}"
    );
    if target.encoding == Encoding::Json {
        for text in ["eHl6=", "eH l6", "e+/6", "!"] {
            link.refuses("ready", ready(text), "bad_field")?;
        }
    } else {
        let text =
            b"\x93\xa5ready\xce\x00\x89\x54\x40\x83\xa4game\xa1g\xa6cmd_id\xa1x\xa5nonce\xa3xyz";
        refused_as(&mut link, text, &["bad_field"], "text where bytes belong")?;
    }
    Ok(())
}

fn error_shape(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    for (op, body) in [
        ("dance", json!({})),
        ("rename", json!({})),
        ("attach", json!({ "game": "nosuchgame" })),
        ("join_seek", json!({ "cmd_id": "a", "code": "NOSUCHCODE" })),
    ] {
        let error = link.refused(op, body)?;
        ensure!(
            error["code"].is_string() && error["message"].is_string(),
            "{error}"
        );
        ensure!(error["retryable"] == false, "{error}");
        let detail = error.get("detail");
        ensure!(detail.is_none_or(Value::is_object), "{error}");
    }
    Ok(())
}

fn time(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    let first = link.fence()?;
    let greeting = link.hello["server_time"].as_i64().context("a time")?;
    let second = link.fence()?;
    ensure!(
        greeting <= first && first <= second,
        "{greeting} {first} {second}"
    );
    ensure!(
        first > 1_700_000_000_000,
        "{first} are no milliseconds of unix time"
    );
    Ok(())
}
